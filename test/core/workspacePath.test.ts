/** Which written paths mean a file of the workspace, and why the others do not. */
import assert from 'node:assert/strict';
import { pathKey, resolveFolder, resolvePath, type Root } from '../../src/core/workspacePath.ts';

const linux: Root = { name: 'app', path: '/home/me/app', caseInsensitive: false };
const windows: Root = { name: 'app', path: 'C:\\work\\app', caseInsensitive: true };
const share: Root = { name: 'app', path: '\\\\server\\share\\app', caseInsensitive: true };
const mac: Root = { name: 'app', path: '/Users/me/app', caseInsensitive: true };

function relative(written: string, ...roots: readonly Root[]): string {
  const paths = resolvePath(written, roots);
  return paths.ok ? paths.value.map((path) => path.relative).join(' ') : paths.error;
}

function display(written: string, ...roots: readonly Root[]): readonly string[] | string {
  const paths = resolvePath(written, roots);
  return paths.ok ? paths.value.map((path) => `${path.root}:${path.display}`) : paths.error;
}

describe('resolvePath', () => {
  const table: readonly (readonly [Root, string, string])[] = [
    [linux, 'src/a.ts', 'src/a.ts'],
    [linux, './src//x/../a.ts', 'src/a.ts'],
    [linux, 'src\\a.ts', 'src/a.ts'],
    [linux, '/home/me/app/src/a.ts', 'src/a.ts'],
    [linux, 'a b.txt', 'a b.txt'],
    [linux, '~a', '~a'],
    [linux, 'con', 'con'],
    [linux, 'a.', 'a.'],
    [linux, 'a?b', 'a?b'],
    [linux, '.gitignore', '.gitignore'],
    [linux, '../app/a.ts', 'outside'],
    [linux, 'src/../../app/a.ts', 'outside'],
    [linux, '/home/me/application/a.ts', 'outside'],
    [linux, '/home/me/app/../x', 'outside'],
    [linux, '/etc/hosts', 'outside'],
    [linux, '//home/me/app/a.ts', 'outside'],
    [linux, '~', 'outside'],
    [linux, '~/a.ts', 'outside'],
    [linux, 'file:///home/me/app/a.ts', 'outside'],
    [linux, 'https://example.org/a.ts', 'outside'],
    [linux, 'C:/work/a.ts', 'outside'],
    [linux, 'C:a.ts', 'outside'],
    [linux, '', 'empty'],
    [linux, '.', 'folder'],
    [linux, 'src/', 'folder'],
    [linux, '/home/me/app', 'folder'],
    [linux, '.git/config', 'protected'],
    [linux, 'sub/.GIT/hooks/x', 'protected'],
    [linux, 'a\u0000b', 'name'],
    [linux, 'a\tb', 'name'],
    [linux, 'a\u202Etxt.exe', 'name'],
    [linux, 'a\u200Bb', 'name'],
    [linux, 'a\u2028b', 'name'],
    [linux, 'a\uD800', 'name'],
    [linux, 'sub/.gіt/hooks/x', 'name'],
    [linux, '․․/secret', 'name'],
    [linux, '..∕..∕secret', 'name'],
    [linux, '．．／secret', 'name'],
    [linux, '入力／出力.md', '入力／出力.md'],
    [linux, 'а.ts', 'а.ts'],
    [linux, '.git./config', 'protected'],
    [linux, '.git /config', 'protected'],
    [linux, '\\\\?\\C:\\secret', 'outside'],
    [linux, '\\\\.\\pipe\\x', 'outside'],
    [linux, '/dev/../home/me/app/a.ts', 'a.ts'],
    [linux, '/proc/self/root/home/me/app/a.ts', 'outside'],
    [linux, '/proc/self/cwd/a.ts', 'outside'],
    [linux, '/dev/stdin', 'outside'],
    [linux, 'vscode-userdata:/settings.json', 'vscode-userdata:/settings.json'],
    [linux, 'vscode-userdata://x/settings.json', 'outside'],
    [linux, '~root/.ssh/x', '~root/.ssh/x'],
    [linux, '$HOME/.ssh/x', '$HOME/.ssh/x'],
    [linux, '%2e%2e/secret', '%2e%2e/secret'],
    [linux, 'x/'.repeat(2_100), 'name'],
    [windows, 'Src/A.ts', 'Src/A.ts'],
    [windows, 'c:\\WORK\\app\\src\\a.ts', 'src/a.ts'],
    [windows, 'C:/work/app/a.ts', 'a.ts'],
    [windows, 'D:\\work\\app\\a.ts', 'outside'],
    [windows, '\\\\server\\share\\a.ts', 'outside'],
    [windows, '\\\\?\\C:\\work\\app\\a.ts', 'outside'],
    [windows, '/work/app/a.ts', 'outside'],
    [windows, 'con', 'name'],
    [windows, 'src/NUL.txt', 'name'],
    [windows, 'com1', 'name'],
    [windows, 'lpt² .log', 'name'],
    [windows, 'console.ts', 'console.ts'],
    [windows, 'com10', 'com10'],
    [windows, 'a.ts.', 'name'],
    [windows, 'a.ts ', 'name'],
    [windows, 'src./a.ts', 'name'],
    [windows, 'a.ts:stream', 'name'],
    [windows, 'a<b', 'name'],
    [windows, 'GIT~1/config', 'protected'],
    [windows, 'git~2', 'protected'],
    [windows, '.git::$INDEX_ALLOCATION/config', 'name'],
    [windows, '.git:x', 'name'],
    [windows, 'nul:x', 'name'],
    [windows, 'clock$', 'name'],
    [windows, '\\\\.\\C:\\work\\app\\a.ts', 'outside'],
    [windows, '\\\\?\\UNC\\server\\share\\a.ts', 'outside'],
    [windows, '\\\\localhost\\c$\\work\\app\\a.ts', 'outside'],
    [windows, 'C:..\\secret', 'outside'],
    [windows, 'src\\..\\..\\secret', 'outside'],
    [share, '\\\\server\\share\\app\\a.ts', 'a.ts'],
    [share, '//SERVER/share/App/a.ts', 'a.ts'],
    [share, '\\\\server\\other\\app\\a.ts', 'outside'],
    [mac, '/users/ME/App/a.ts', 'a.ts'],
    [mac, '.g\u200Cit/config', 'protected'],
    [mac, 'git~1/x', 'git~1/x'],
  ];
  for (const [root, written, expected] of table) {
    it(`${JSON.stringify(written.slice(0, 40))} in ${root.path} is ${expected}`, () => {
      assert.equal(relative(written, root), expected);
    });
  }

  it('has no place for anything without a folder', () => {
    assert.equal(relative('a.ts'), 'noFolder');
  });

  it('takes anything under the root of the disk where that is the folder', () => {
    assert.equal(relative('/etc/hosts', { name: '/', path: '/', caseInsensitive: false }), 'etc/hosts');
  });

  describe('with several folders', () => {
    const web: Root = { name: 'web', path: '/home/me/web', caseInsensitive: false };
    const inner: Root = { name: 'inner', path: '/home/me/app/inner', caseInsensitive: false };
    const spaced: Root = { name: 'packages/ui', path: '/home/me/ui', caseInsensitive: true };

    it('takes the name of a folder in front', () => {
      assert.deepEqual(display('web/a.ts', linux, web), ['1:web/a.ts']);
      assert.deepEqual(display('Packages/UI/a.ts', linux, spaced), ['1:packages/ui/a.ts']);
      assert.equal(display('web', linux, web), 'folder');
      assert.deepEqual(display('../web/a.ts', linux, web), 'outside');
    });

    it('leaves it open which is meant where no name is in front', () => {
      assert.deepEqual(display('a.ts', linux, web), ['0:app/a.ts', '1:web/a.ts']);
      assert.deepEqual(display('Web/a.ts', linux, web), ['0:app/Web/a.ts', '1:web/Web/a.ts']);
    });

    it('takes the innermost folder of an absolute path', () => {
      assert.deepEqual(display('/home/me/app/inner/a.ts', linux, inner, web), ['1:inner/a.ts']);
      assert.deepEqual(display('/home/me/app/inner/a.ts', inner, linux), ['0:inner/a.ts']);
      assert.deepEqual(display('/home/me/app/b/a.ts', linux, inner), ['0:app/b/a.ts']);
    });

    it('has two candidates where two folders have one name, each by a path that names no other', () => {
      const other: Root = { name: 'app', path: '/srv/app', caseInsensitive: false };
      const candidates = ['0:/home/me/app/a.ts', '1:/srv/app/a.ts'];
      assert.deepEqual(display('app/a.ts', linux, other), candidates);
      assert.deepEqual(display('/home/me/app/a.ts', linux, other), candidates.slice(0, 1));
      assert.deepEqual(display('/srv/app/a.ts', linux, other, web), candidates.slice(1));
      assert.deepEqual(display('web/a.ts', linux, other, web), ['2:web/a.ts']);
      const drive: Root = { ...other, path: 'D:\\app' };
      assert.deepEqual(display('app/a.ts', drive, other), ['0:D:/app/a.ts', '1:/srv/app/a.ts']);
      assert.deepEqual(display('D:/app/a.ts', drive, other), ['0:D:/app/a.ts']);
    });
  });
});

describe('pathKey', () => {
  function key(written: string, root: Root): string {
    const paths = resolvePath(written, [root]);
    assert.ok(paths.ok && paths.value[0]);
    return pathKey(paths.value[0], [root]);
  }

  it('is one for two spellings of one file', () => {
    assert.equal(key('./a.ts', linux), key('a.ts', linux));
    assert.notEqual(key('A.ts', linux), key('a.ts', linux));
    assert.equal(key('SRC\\A.ts', windows), key('src/a.ts', windows));
    assert.equal(key('caf\u00e9', mac), key('cafe\u0301', mac));
    assert.notEqual(key('caf\u00e9', linux), key('cafe\u0301', linux));
  });
});

describe('resolveFolder', () => {
  const app: Root = { name: 'app', path: '/home/me/app', caseInsensitive: false };
  const lib: Root = { name: 'lib', path: '/home/me/lib', caseInsensitive: false };

  it('takes a workspace folder and what is below it', () => {
    const shown = (written: string, ...roots: Root[]): unknown => {
      const paths = resolveFolder(written, roots);
      return paths.ok ? paths.value.map(({ relative, display }) => [relative, display]) : paths.error;
    };
    assert.deepEqual(shown('.', app), [['', '.']]);
    assert.deepEqual(shown('src/', app), [['src', 'src']]);
    assert.deepEqual(shown('/home/me/app', app), [['', '.']]);
    assert.deepEqual(shown('lib', app, lib), [['', 'lib']]);
    assert.deepEqual(shown('lib/src', app, lib), [['src', 'lib/src']]);
    assert.equal(shown('..', app), 'outside');
    assert.equal(shown('.git/', app), 'protected');
  });
});
