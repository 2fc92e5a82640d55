/** The reading tools over real files, as the model calls them: what they give, and everything that they must not. */
import assert from 'node:assert/strict';
import { link, mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import * as vscode from 'vscode';

import { readingTools } from '../../src/core/tools/readingTools.ts';
import type { Tool, ToolOutcome } from '../../src/core/tools/tool.ts';
import { workspaceReader } from '../../src/host/tools/workspaceReader.ts';
import type { ApprovalAnswer } from '../../src/core/conversation/approval.ts';
import type { Wish } from '../../src/host/tools/places.ts';
import { edit, Stage } from './editsStage.ts';
import { FaultyFiles } from './filesFaulty.ts';
import { callTool, readerOptions } from './toolsCalling.ts';

describe('the reading tools over files', () => {
  let stage: Stage;
  let folders: vscode.WorkspaceFolder[];
  let wishes: Wish[];
  let answer: ApprovalAnswer;
  let tools: readonly Tool[];

  beforeEach(async () => {
    stage = await Stage.open();
    folders = [folderOf('shop', vscode.Uri.file(stage.folder), 0)];
    wishes = [];
    answer = { kind: 'deny' };
    tools = readingTools(workspaceReader({ ...readerOptions(), folders: () => folders, searchLimit: 5_000 }));
  });
  afterEach(() => stage.close());

  function call(name: string, args: object): Promise<ToolOutcome> {
    return callTool(tools, name, args, undefined, (request) => {
      assert.ok(request.kind === 'read');
      wishes.push(request);
      return Promise.resolve(answer);
    });
  }

  async function done(name: string, args: object): Promise<string> {
    const { kind, text } = await call(name, args);
    assert.equal(kind, 'done', text);
    return text;
  }

  async function refused(name: string, args: object): Promise<string> {
    const asked = wishes.length;
    const { kind, text } = await call(name, args);
    // Who was asked, and did not allow it, is told of otherwise.
    assert.equal(kind, wishes.length > asked ? 'rejected' : 'failed', text);
    return text;
  }

  describe('read_file', () => {
    it('reads what stands in the editor before what is on the disk', async () => {
      await stage.write('a.ts', 'one\ntwo\n');
      assert.equal(await done('read_file', { path: 'a.ts' }), 'a.ts, lines 1 to 2 of 2:\n1|one\n2|two');
      const document = await stage.typeUnsaved('a.ts', (text) => text.replace('one', 'ONE'));
      const typed = 'a.ts (with changes that are not saved yet), lines 1 to 2 of 2:\n1|ONE\n2|two';
      assert.equal(await done('read_file', { path: 'a.ts' }), typed);
      await rm(stage.onDisk('a.ts'));
      assert.equal(
        await done('read_file', { path: `${stage.folder}/a.ts` }),
        typed,
        'the file is in the editor alone',
      );
      assert.ok(document.isDirty);
    });

    it('reads any encoding that the editor would', async () => {
      await stage.write('wide.txt', Buffer.from('\uFEFFwide ä', 'utf16le'));
      await stage.write('mark.txt', '\uFEFFmarked\r\nü');
      await stage.write('old.txt', Buffer.from('\u00e9t\u00e9', 'latin1'));
      assert.match(await done('read_file', { path: 'wide.txt' }), /\n1\|wide ä$/);
      assert.match(await done('read_file', { path: 'mark.txt' }), /\n1\|marked\n2\|ü$/);
      await stage.set('files.encoding', 'iso88591');
      assert.match(await done('read_file', { path: 'old.txt' }), /\n1\|été$/);
    });

    it('takes strange names as they are', async () => {
      for (const name of ['$(touch x); rm -rf .txt', 'a\'b"c.txt', '-rf', 'ä 😀.txt', '%2e%2e', 'a&b|c>d']) {
        await stage.write(name, name);
        assert.match(await done('read_file', { path: name }), /, lines 1 to 1 of 1:\n1\|/, name);
      }
      await stage.write('new\nline.txt', 'x');
      assert.match(await refused('read_file', { path: 'new\nline.txt' }), /is no path of a file/);
      assert.match(await done('list_files', {}), /\n"new\\nline\.txt"/);
    });

    it('refuses what is no text, or too much of it', async () => {
      await stage.write('picture.png', Buffer.from([0x89, 0x50, 0, 0, 1]));
      await stage.write('sparse.log', 'x');
      await truncate(stage.onDisk('sparse.log'), 2 ** 30);
      await mkdir(stage.onDisk('src'));
      assert.match(await refused('read_file', { path: 'picture.png' }), /binary file \(5 bytes\)/);
      assert.match(await refused('read_file', { path: 'sparse.log' }), /too large to be read: 1 GB/);
      assert.match(await refused('read_file', { path: 'src' }), /src is a folder/);
      assert.match(await refused('read_file', { path: '.' }), /is a folder/);
      spawnSync('mkfifo', [stage.onDisk('pipe')]);
      assert.match(await refused('read_file', { path: 'pipe' }), /could not be read/);
      assert.match(await refused('search_text', { pattern: 'x', path: 'picture.png' }), /binary/);
    });

    it('names what is near what is not there', async () => {
      await stage.write('src/cart.ts', '');
      await stage.write('.gitignore', 'secret.ts');
      await stage.write('src/secret.ts', '');
      assert.match(
        await refused('read_file', { path: 'src/card.ts' }),
        /There is no src\/card\.ts\. The folder src has: cart\.ts\.$/,
      );
      assert.match(
        await refused('read_file', { path: 'lib/x/y.ts' }),
        /The workspace folder has: \.gitignore, src\/\.$/,
      );
      assert.match(await refused('read_file', { path: 'src/cart.ts/x' }), /There is no/);
      assert.match(await refused('list_files', { path: 'lib' }), /There is no lib/);
      assert.match(await refused('list_files', { path: 'src/cart.ts' }), /a file, not a folder/);
    });

    it('never leads out, whatever the path is', async () => {
      await writeFile(join(stage.folder, '..', `${basename(stage.folder)}-secret.txt`), 'secret');
      const out = `../${basename(stage.folder)}-secret.txt`;
      await stage.write('src/a.ts', 'x');
      const paths = [
        ...[
          out,
          `src/../${out}`,
          `src\\..\\..\\x`,
          '/etc/passwd',
          '//etc/passwd',
          'file:///etc/passwd',
          '~/.ssh/id_rsa',
        ],
        ...[
          'C:\\Windows\\win.ini',
          '\\\\server\\share\\x',
          `${stage.folder}/${out}`,
          `${stage.folder}-secret.txt`,
        ],
      ];
      for (const path of paths) {
        for (const [tool, args] of [
          ['read_file', { path }],
          ['list_files', { path }],
          ['search_text', { pattern: '.', path }],
          ['get_problems', { path }],
          ['find_symbol', { path }],
          ['hover', { path, line: 1, symbol: 'x' }],
        ] as const) {
          const text = await refused(tool, args);
          assert.doesNotMatch(text, /secret$|root:/, `${tool} ${path}`);
          assert.match(
            text,
            /outside the workspace|no path of a file|There is no|ambiguous|is a folder|does not allow you/,
            `${tool} ${path}`,
          );
        }
      }
      assert.equal(
        await done('read_file', { path: 'src/../src/./a.ts' }),
        'src/a.ts, lines 1 to 1 of 1:\n1|x',
      );
      await rm(join(stage.folder, out));
    });

    it('follows links within the workspace and none out of it', async () => {
      await stage.write('real/a.ts', 'inside');
      await stage.write('.gitignore', 'hidden/\n');
      await stage.write('hidden/key', 'secret');
      await symlink('/etc', stage.onDisk('etc'));
      await symlink('/etc/hostname', stage.onDisk('host'));
      await symlink('/nowhere/x', stage.onDisk('dangling'));
      await symlink('real', stage.onDisk('alias'));
      await symlink('hidden/key', stage.onDisk('key'));
      await link(stage.onDisk('real/a.ts'), stage.onDisk('hard.ts'));
      assert.match(await done('read_file', { path: 'alias/a.ts' }), /1\|inside$/);
      assert.match(await done('read_file', { path: 'hard.ts' }), /1\|inside$/);
      for (const path of ['host', 'etc/hostname'])
        assert.match(await refused('read_file', { path }), /does not allow you to read/);
      assert.match(await refused('list_files', { path: 'etc' }), /does not allow you to read etc/);
      assert.match(await refused('search_text', { pattern: '.', path: 'etc' }), /does not allow you/);
      assert.deepEqual(
        wishes.slice(0, 3).map(({ path, target, folder }) => [path, target, folder]),
        [
          ['host', '/etc/hostname', undefined],
          ['etc/hostname', '/etc/hostname', undefined],
          ['etc', '/etc', true],
        ],
      );
      assert.match(await refused('read_file', { path: 'dangling' }), /could not be read/);
      assert.match(await refused('read_file', { path: 'etc/none' }), /There is no/);
      assert.doesNotMatch(await refused('read_file', { path: 'etc/none' }), /hostname/);
      assert.match(await refused('read_file', { path: 'key' }), /does not allow you to read key/);
      assert.equal(wishes.at(-1)?.target, 'hidden/key');
      assert.equal(await done('list_files', {}), '3 files in the workspace:\n.gitignore\nhard.ts\nreal/a.ts');
      assert.deepEqual(new Set(wishes.map(({ why }) => why)), new Set(['leadsOut', 'ignored']));
    });

    it('refuses what is ignored, and reads it once somebody allows it', async () => {
      await stage.write('.gitignore', '*.env\n');
      await stage.write('sub/.kimiignore', 'own.txt\n');
      for (const name of ['a.env', 'sub/own.txt', 'gen/x.js', '.git/config'])
        await stage.write(name, 'secret');
      await stage.set('files.exclude', { gen: true, '**/*.skip': { when: '$(basename).ts' } });
      for (const path of ['a.env', 'sub/own.txt', 'gen/x.js'])
        assert.match(await refused('read_file', { path }), /does not allow you to read/);
      assert.match(await refused('read_file', { path: '.git/config' }), /belongs to git/);
      assert.match(await refused('list_files', { path: 'gen' }), /does not allow you to read gen/);
      assert.equal(
        await done('search_text', { pattern: 'secret' }),
        'No matches. Ignored, binary and very large files are not searched.',
      );
      assert.equal(await done('list_files', {}), '2 files in the workspace:\n.gitignore\nsub/.kimiignore');
      answer = { kind: 'allow' };
      wishes = [];
      assert.match(await done('read_file', { path: 'a.env' }), /1\|secret$/);
      assert.deepEqual(
        wishes.map(({ why, path }) => [why, path]),
        [['ignored', 'a.env']],
      );
      assert.match(await done('read_file', { path: '/etc/hostname' }), /^\/etc\/hostname, lines/);
      assert.match(await refused('read_file', { path: '.git/config' }), /belongs to git/);
      assert.match(await refused('read_file', { path: '../x' }), /outside the workspace/);
    });
  });

  describe('list_files and search_text', () => {
    it('take the unsaved text of editors, in its place', async () => {
      await stage.write('src/a.ts', 'needle on the disk\n');
      await stage.write('src/b.ts', 'needle\n');
      const document = await stage.typeUnsaved('src/a.ts', () => 'first\nneedle typed\n');
      const text = '2 matching lines in 2 files:\nsrc/a.ts\n  2: needle typed\nsrc/b.ts\n  1: needle';
      assert.equal(await done('search_text', { pattern: 'NEEDLE' }), text);
      assert.equal(
        await done('search_text', { pattern: 'needle', path: 'src/a.ts' }),
        '1 matching line in 1 file:\nsrc/a.ts\n  2: needle typed',
      );
      assert.match(
        await done('search_text', { pattern: 'needle', include: ['b.*'] }),
        /^1 matching line in 1 file:\nsrc\/b/,
      );
      await edit(document, 'nothing');
      assert.match(
        await done('search_text', { pattern: 'needle', path: 'src' }),
        /^1 matching line in 1 file:\nsrc\/b/,
      );
    });

    it('end a pattern that would never end, and go on', async () => {
      await stage.write('trap.txt', `${'a'.repeat(80)}b\n`);
      assert.match(
        await done('search_text', { pattern: '^(a+)+$' }),
        /No matches\.\n\[The search was ended after 5 seconds/,
      );
      assert.match(await done('search_text', { pattern: 'a{80}b' }), /^1 matching line/);
      assert.match(
        await refused('search_text', { pattern: '(' }),
        /no regular expression: .*Unterminated group/,
      );
      const stop = new AbortController();
      const running = callTool(tools, 'search_text', { pattern: '^(a+)+$' }, stop.signal);
      stop.abort();
      assert.equal((await running).kind, 'cancelled');
    });

    it('find with ripgrep what they find without it, nothing that is ignored, and unsaved text in its place', async () => {
      const reader = { ...readerOptions(), folders: () => folders };
      const withProgram = readingTools(workspaceReader({ ...reader, programs: ripgrepFolders }));
      await stage.write('.gitignore', '*.log\n');
      await stage.write('sub/.kimiignore', 'own.ts\n');
      for (const name of ['a.ts', 'b.log', 'sub/own.ts', 'sub/c d.ts', 'gen/x.ts', '.git/config', 'typed.ts'])
        await stage.write(name, 'a needle\n');
      await stage.set('files.exclude', { gen: true });
      await stage.typeUnsaved('typed.ts', () => 'typed\nneedle 2\n');
      for (const args of [
        { pattern: 'needle' },
        { pattern: 'needle', include: ['*.log', '*.ts'] },
        { pattern: 'needle', include: ['./sub/*'], exclude: ['own.ts'] },
        { pattern: 'NEEDLE', path: 'sub', case_sensitive: true },
        { pattern: 'needle', path: 'sub' },
        { pattern: 'needle(?= 2)' },
        { pattern: 'need{' },
      ]) {
        const { text } = await callTool(withProgram, 'search_text', args);
        assert.equal(text, await done('search_text', args), JSON.stringify(args));
      }
      assert.equal(
        await done('search_text', { pattern: 'needle' }),
        '3 matching lines in 3 files:\na.ts\n  1: a needle\nsub/c d.ts\n  1: a needle\ntyped.ts\n  2: needle 2',
      );
    });

    it('hold no files that were deleted meanwhile', async () => {
      await stage.write('a.ts', 'needle');
      await rm(stage.onDisk('a.ts'));
      assert.match(await done('search_text', { pattern: 'needle' }), /^No matches/);
      assert.equal(await done('list_files', {}), 'No files in the workspace. Ignored files are not listed.');
    });

    it('are capped', async () => {
      await mkdir(stage.onDisk('many'));
      await Promise.all(Array.from({ length: 700 }, (_, at) => stage.write(`many/${at}.txt`, 'needle\n')));
      const listed = await done('list_files', {});
      assert.match(listed, /^700 files in the workspace, 500 of them shown:\nmany\/0\.txt\n/);
      assert.match(listed, /All files by place: many\/ 700\.\]$/);
      const found = await done('search_text', { pattern: 'needle' });
      assert.match(found, /^200 matching lines in 200 files:/);
      assert.match(found, /There are more: search more narrowly/);
      assert.match(
        await done('list_files', { path: 'many', pattern: '69*.txt' }),
        /^11 files in many that fit/,
      );
    });
  });

  it('leave out of a walk what the editor’s own search leaves out, and read it when it is named', async () => {
    await stage.write('vendor/lib/a.ts', 'needle');
    await stage.write('src/vendor/b.ts', 'needle');
    await stage.write('src/a.ts', 'needle');
    await stage.write('a.min.js', 'needle');
    await stage.set('search.exclude', { '**/vendor': true, '*.min.js': true, 'src/*.ts': false });
    const only = '1 matching line in 1 file:\nsrc/a.ts\n  1: needle';
    for (const programs of [undefined, ripgrepFolders()]) {
      tools = readingTools(
        workspaceReader({ ...readerOptions(), folders: () => folders, programs: () => programs }),
      );
      assert.equal(await done('search_text', { pattern: 'needle' }), only);
      assert.equal(
        await done('search_text', { pattern: 'needle', path: 'vendor/lib' }),
        '1 matching line in 1 file:\nvendor/lib/a.ts\n  1: needle',
      );
    }
    assert.equal(await done('list_files', {}), '1 file in the workspace:\nsrc/a.ts');
    assert.equal(await done('list_files', { path: 'vendor' }), '1 file in vendor:\nvendor/lib/a.ts');
    assert.match(await done('read_file', { path: 'src/vendor/b.ts' }), /\n1\|needle$/);
    await stage.typeUnsaved('vendor/lib/a.ts', () => 'needle, unsaved');
    assert.equal(await done('search_text', { pattern: 'needle' }), only);
  });

  describe('in a workspace of several folders', () => {
    beforeEach(async () => {
      await stage.write('one/same.ts', 'in one');
      await stage.write('two/same.ts', 'in two');
      await stage.write('two/only.ts', 'only here');
      folders = ['one', 'two'].map((name, index) => folderOf(name, stage.uri(name), index));
    });

    it('tell the folders apart, and ask back where both could be meant', async () => {
      assert.match(
        await done('read_file', { path: 'two/same.ts' }),
        /^two\/same\.ts, lines 1 to 1 of 1:\n1\|in two/,
      );
      assert.match(await done('read_file', { path: 'only.ts' }), /^two\/only\.ts/);
      assert.match(
        await refused('read_file', { path: 'same.ts' }),
        /ambiguous.*one of: one\/same\.ts, two\/same\.ts\.$/,
      );
      assert.match(
        await refused('read_file', { path: 'none.ts' }),
        /There is no none\.ts\. The workspace folder has: one\/, two\/\.$/,
      );
      assert.match(await refused('read_file', { path: '../one/same.ts' }), /outside the workspace/);
      assert.equal(
        await done('list_files', {}),
        '3 files in the workspace:\none/same.ts\ntwo/only.ts\ntwo/same.ts',
      );
      assert.equal(await done('list_files', { path: 'two' }), '2 files in two:\ntwo/only.ts\ntwo/same.ts');
      assert.match(await done('list_files', { pattern: 'two/s*' }), /^1 file .*\ntwo\/same\.ts$/);
      assert.match(
        await done('search_text', { pattern: '^in' }),
        /one\/same\.ts\n {2}1: in one\ntwo\/same\.ts\n {2}1: in two$/,
      );
      assert.match(
        await done('search_text', { pattern: '^in', path: 'one' }),
        /^1 matching line in 1 file:\none\/same\.ts/,
      );
    });

    it('name two folders of one name by their whole paths', async () => {
      folders = ['one', 'two'].map((name, index) => folderOf('app', stage.uri(name), index));
      const [one = '', two = ''] = folders.map(({ uri }) => uri.path);
      assert.match(await done('read_file', { path: 'app/only.ts' }), new RegExp(`^${two}/only\\.ts, lines`));
      const asked = await refused('read_file', { path: 'app/same.ts' });
      assert.ok(asked.endsWith(`one of: ${one}/same.ts, ${two}/same.ts.`), asked);
      for (const folder of [one, two])
        assert.match(await done('read_file', { path: `${folder}/same.ts` }), /1\|in /);
      assert.equal(
        await done('list_files', {}),
        `3 files in the workspace:\n${one}/same.ts\n${two}/only.ts\n${two}/same.ts`,
      );
      assert.match(await done('list_files', { path: two }), /^2 files in /);
      assert.equal(
        await done('search_text', { pattern: '^in', path: two }),
        `1 matching line in 1 file:\n${two}/same.ts\n  1: in two`,
      );
    });

    it('take no folder where none is open', async () => {
      folders = [];
      assert.match(await refused('read_file', { path: 'a' }), /No folder is open/);
      assert.match(await refused('list_files', {}), /No folder is open/);
      assert.match(await refused('search_text', { pattern: 'a' }), /No folder is open/);
    });
  });

  it('hold in a repository to the rules above the folder', async () => {
    await stage.write('.git/info/exclude', '*.mine\n');
    await stage.write('.gitignore', 'build/\n');
    await stage.write('app/build/x', '');
    await stage.write('app/a.mine', '');
    await stage.write('app/a.ts', 'needle');
    folders = [folderOf('app', stage.uri('app'), 0)];
    assert.equal(await done('list_files', {}), '1 file in the workspace:\na.ts');
    assert.match(await refused('read_file', { path: 'build/x' }), /does not allow you to read build\/x/);
    folders = [folderOf('build', stage.uri('app/build'), 0)];
    assert.equal(
      await done('list_files', {}),
      '1 file in the workspace:\nx',
      'who opens an ignored folder wants to see it',
    );
  });

  it('work on a file system that is no disk', async () => {
    const files = new FaultyFiles();
    try {
      await vscode.workspace.fs.createDirectory(files.uri('src'));
      files.put('src/a.ts', 'needle\n');
      files.put('b.bin', 'needle\0');
      files.put('.gitignore', '*.log\n');
      files.put('c.log', 'needle');
      folders = [folderOf('far', files.root, 0)];
      assert.equal(await done('read_file', { path: 'src/a.ts' }), 'src/a.ts, lines 1 to 1 of 1:\n1|needle');
      assert.equal(await done('list_files', {}), '3 files in the workspace:\n.gitignore\nb.bin\nsrc/a.ts');
      assert.equal(
        await done('search_text', { pattern: 'needle' }),
        '1 matching line in 1 file:\nsrc/a.ts\n  1: needle',
      );
      assert.match(await refused('read_file', { path: 'c.log' }), /does not allow you to read/);
      assert.match(
        await refused('read_file', { path: 'none' }),
        /There is no none\. The workspace folder has: \.gitignore, b\.bin, src\/\./,
      );
      files.fault = (operation, uri) =>
        operation === 'readFile' && uri.path.endsWith('a.ts')
          ? vscode.FileSystemError.Unavailable()
          : undefined;
      assert.match(await refused('read_file', { path: 'src/a.ts' }), /could not be read/);
      assert.match(await done('search_text', { pattern: 'needle' }), /^No matches/);
    } finally {
      files.dispose();
    }
  });

  it('say when a file system that is no disk has more than they walk', async () => {
    const files = new FaultyFiles();
    try {
      for (let at = 0; at <= 20_000; at += 1) files.put(`f${at}.txt`, '');
      files.put('only.ts', 'needle');
      folders = [folderOf('far', files.root, 0)];
      assert.match(
        await done('list_files', { pattern: '*.txt' }),
        /^20,000 files .*The walk was ended early, so there may be more: name a folder\.\]$/s,
      );
      assert.match(
        await done('search_text', { pattern: 'needle', include: ['*.ts'] }),
        /^No matches\.\n\[Not all files were searched, because there are very many: name a path\.\]$/,
      );
    } finally {
      files.dispose();
    }
  });

  it('tell what is open', async () => {
    const uri = await stage.write('src/a.ts', 'one\ntwo\nthree\n');
    await stage.write('.gitignore', 'b.ts');
    const other = await stage.write('b.ts', '');
    await vscode.window.showTextDocument(other, { preview: false });
    const editor = await vscode.window.showTextDocument(uri, { preview: false });
    editor.selection = new vscode.Selection(0, 0, 2, 0);
    assert.equal(
      await done('open_editors', {}),
      '1 file:\nsrc/a.ts (in front, lines 1 to 2 selected)\n[1 other editor: outside the workspace, ignored or left out]',
    );
  });
});

function folderOf(name: string, uri: vscode.Uri, index: number): vscode.WorkspaceFolder {
  return { name, uri, index };
}

/** Where VS Code keeps its own, from one version to the next. */
function ripgrepFolders(): string {
  const modules = join(vscode.env.appRoot, 'node_modules', '@vscode');
  const places = [
    ['ripgrep-universal', 'bin', `${process.platform}-${process.arch}`],
    ['ripgrep', 'bin'],
  ];
  const found = places
    .map((names) => join(modules, ...names))
    .filter((folder) => existsSync(join(folder, 'rg')));
  assert.ok(found.length > 0, 'VS Code comes without ripgrep');
  return found.join(delimiter);
}
