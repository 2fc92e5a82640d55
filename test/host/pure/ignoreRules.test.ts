/** Nested ignore files mean what git takes them for: git itself is asked beside. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { walkDisk } from '../../../src/host/tools/diskWalk.ts';
import { admit, holdsSecrets, isOfNetwork, noRules, withRules } from '../../../src/host/tools/ignoreRules.ts';
import type { DiskRoot } from '../../../src/host/tools/searchTask.ts';

function rootAt(path: string, more: Partial<DiskRoot> = {}): DiskRoot {
  return { path, display: '', start: '', caseInsensitive: false, hidden: [], prefix: '', above: [], ...more };
}

describe('ignore rules', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ignore-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }

  function walked(root: DiskRoot = rootAt(folder)): string[] {
    return [...walkDisk(root)].map(({ relative }) => relative).toSorted();
  }

  it('leave in a walk just the files that git would take', function () {
    write({
      '.gitignore':
        '\uFEFF# comment\n*.log\n!keep.log\n/dist\nbuild/\n**/deep/*.tmp\nsecret\\ file\n\\#hash\nfoo/*\n!foo/bar\na?c\n[xy].z\n trailing \n',
      ...{ 'a.log': '', 'keep.log': '', 'sub/keep.log': '', 'sub/b.log': '', 'dist/x': '', 'sub/dist/x': '' },
      ...{ 'build/x': '', 'sub/build/x.js': '', 'sub/build/in/y.js': '', 'sub/build/z.log': '' },
      'sub/.gitignore': '!build/\n*.md\n!/top.md\n',
      ...{ 'sub/a.md': '', 'sub/top.md': '', 'sub/low/top.md': '', 'sub/low/.gitignore': '!top.md\r\n' },
      ...{
        'one/deep/a.tmp': '',
        'one/deep/b/a.tmp': '',
        'secret file': '',
        '#hash': '',
        'foo/x': '',
        'foo/bar/y': '',
      },
      ...{
        abc: '',
        abcd: '',
        'x.z': '',
        'X.z': '',
        'q/.gitignore': '*\n!.gitignore\n',
        'q/r': '',
        'q/s/t': '',
      },
      ...{
        'k/.gitignore': 'k2/\n',
        'k/k2/.gitignore': '!*\n',
        'k/k2/x': '',
        'n\nl.txt': '',
        '$(touch x) \'";.txt': '',
      },
    });
    const git = (...args: string[]): string => {
      const { stdout, status, error } = spawnSync('git', ['-c', 'core.excludesFile=', ...args], {
        cwd: folder,
        encoding: 'utf8',
      });
      assert.ok(!error && status === 0, 'git is needed for this test');
      return stdout;
    };
    git('init', '-q');
    const taken = git('ls-files', '-z', '--others', '--exclude-standard')
      .split('\0')
      .filter((name) => name !== '');
    assert.deepEqual(walked(), taken.toSorted());
    assert.ok(taken.length > 15);
  });

  it('come from .kimiignore too, above those of .gitignore beside it', () => {
    write({
      '.gitignore': '*.env\n',
      '.kimiignore': 'private/\n!sample.env',
      ...{ 'a.env': '', 'sample.env': '', 'private/x': '', 'in/.kimiignore': 'y', 'in/y': '', 'in/z': '' },
    });
    assert.deepEqual(walked(), ['.gitignore', '.kimiignore', 'in/.kimiignore', 'in/z', 'sample.env']);
  });

  it('are joined by what a setting hides, and by git’s own folder', () => {
    write({ '.git/config': '', 'a/.git': 'gitdir: x', 'a/b.js': '', 'a/b.map': '', 'gen/c': '' });
    const hidden = ['**/*.map', 'gen', '{{{'.repeat(3), '{a,b}'.repeat(9)];
    assert.deepEqual(walked(rootAt(folder, { hidden })), ['a/b.js']);
    assert.deepEqual(walked(rootAt(`${folder}/a`, { hidden: ['a'], prefix: 'a/' })), ['b.js', 'b.map']);
  });

  it('come from the folders above, and hold where a walk begins further down', () => {
    write({ 'p/.gitignore': 'x/\n', 'p/q/x/a': '', 'p/q/y/b': '', 'p/q/y/c.log': '' });
    const above = [{ folder: '', texts: ['*.log'] }];
    assert.deepEqual(walked(rootAt(`${folder}/p`, { prefix: 'p/', above, start: 'q/' })), ['q/y/b']);
    assert.deepEqual(walked(rootAt(`${folder}/p`, { prefix: 'p/', start: 'q/x/' })), []);
  });

  it('leave alone what holds secrets by its name, but for samples, whatever an ignore file says', () => {
    write({
      '.gitignore': '!.env\n!*.pem',
      ...{
        '.env': '',
        '.env.local': '',
        '.ENV.Production': '',
        'a/server.pem': '',
        'a/id_rsa': '',
        '.npmrc': '',
        '.ssh/config': '',
        'home/.aws/credentials': '',
        '.config/gh/hosts.yml': '',
        '.docker/config.json': '',
      },
      ...{ '.env.example': '', 'a/id_rsa.pub': '', 'env.ts': '', 'a/key.ts': '', '.env.d/x': '' },
      ...{ '.docker/Dockerfile': '', '.aws/task.json': '' },
    });
    assert.deepEqual(walked(), [
      '.aws/task.json',
      '.docker/Dockerfile',
      '.env.d/x',
      '.env.example',
      '.gitignore',
      'a/id_rsa.pub',
      'a/key.ts',
      'env.ts',
    ]);
    for (const name of ['.env', 'x.key', 'x.P12', '.netrc', 'id_ed25519'])
      assert.ok(holdsSecrets(name), name);
    for (const name of ['.envrc.md', 'x.key.ts', '.key', 'id_rsa.pub', '.env.sample'])
      assert.ok(!holdsSecrets(name), name);
  });

  it('tell places on other computers, which are not even looked at', () => {
    for (const path of [
      String.raw`\\server\share\a`,
      '//server/share',
      String.raw`\\?\UNC\server\a`,
      String.raw`/\server`,
    ]) {
      assert.ok(isOfNetwork(path, 'win32'), path);
      assert.ok(!isOfNetwork(path, 'linux'), path);
    }
    for (const path of [String.raw`C:\a`, '/a', String.raw`..\a`])
      assert.ok(!isOfNetwork(path, 'win32'), path);
  });

  it('take no account of case where the disk takes none', () => {
    const rules = (caseInsensitive: boolean): unknown => {
      return admit(withRules(noRules('', [], caseInsensitive), '', ['*.LOG']), 'a.log', false);
    };
    assert.equal(rules(true), undefined);
    assert.notEqual(rules(false), undefined);
  });

  it('of absurd length are no rules', () => {
    const rules = noRules('', [], false);
    assert.equal(withRules(rules, '', ['x'.repeat(1_000_001), '  \n']), rules);
  });

  it('follow no link', () => {
    write({ 'real/a': '' });
    symlinkSync('/etc', join(folder, 'out'));
    symlinkSync('real/a', join(folder, 'in'));
    assert.deepEqual(walked(), ['real/a']);
    assert.deepEqual(walked(rootAt(`${folder}/gone`)), []);
  });
});
