/** What the reading tools do not read by themselves: who is asked about what, and what is read once it is allowed. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import * as vscode from 'vscode';

import type { ApprovalAnswer } from '../../src/core/conversation/approval.ts';
import { readingTools } from '../../src/core/tools/readingTools.ts';
import type { Tool, ToolOutcome } from '../../src/core/tools/tool.ts';
import type { Wish } from '../../src/host/tools/places.ts';
import { workspaceReader } from '../../src/host/tools/workspaceReader.ts';
import { Stage } from './editsStage.ts';
import { callTool, readerOptions } from './toolsCalling.ts';

const allow: ApprovalAnswer = { kind: 'allow' };

describe('the gate of the reading tools', () => {
  let stage: Stage;
  let outside: string;
  let tools: readonly Tool[];
  let wishes: Wish[];
  let answer: (wish: Wish) => ApprovalAnswer | Promise<ApprovalAnswer>;

  beforeEach(async () => {
    stage = await Stage.open();
    outside = await realpath(await mkdtemp(join(tmpdir(), 'beside-')));
    await writeFile(join(outside, 'notes.txt'), 'from outside\n');
    wishes = [];
    answer = () => allow;
    const folder = { uri: vscode.Uri.file(stage.folder), name: 'shop', index: 0 };
    tools = readingTools(workspaceReader({ ...readerOptions(), folders: () => [folder] }));
  });
  afterEach(async () => {
    await stage.close();
    await rm(outside, { recursive: true, force: true, maxRetries: 5 });
  });

  function call(name: string, args: object): Promise<ToolOutcome> {
    return callTool(tools, name, args, undefined, async (request) => {
      assert.ok(request.kind === 'read');
      wishes.push(request);
      return await answer(request);
    });
  }

  async function read(path: string): Promise<string> {
    return (await call('read_file', { path })).text;
  }

  it('asks about a file outside by where it really is, however it is written', async () => {
    await symlink(join(outside, 'notes.txt'), join(outside, 'link'));
    for (const path of [
      join(outside, 'notes.txt'),
      `${outside}/x/../notes.txt`,
      relative(stage.folder, join(outside, 'notes.txt')),
    ])
      assert.match(await read(path), /1\|from outside$/m, path);
    assert.match(await read(join(outside, 'link')), /link, lines 1 to 1/);
    const notes = { kind: 'read', why: 'outside', path: `${outside}/notes.txt` };
    assert.deepEqual(wishes, [
      ...[notes, notes, notes],
      { ...notes, path: `${outside}/link`, target: `${outside}/notes.txt` },
    ]);
  });

  it('asks about a folder outside as about all that is in it, and walks there', async () => {
    await mkdir(join(outside, 'sub'));
    await writeFile(join(outside, 'sub', 'a.txt'), 'needle\n');
    await writeFile(join(outside, '.env'), 'needle\n');
    const listed = await call('list_files', { path: outside });
    assert.equal(listed.text, `2 files in ${outside}:\n${outside}/notes.txt\n${outside}/sub/a.txt`);
    const found = await call('search_text', { pattern: 'needle', path: outside });
    assert.match(found.text, /sub\/a\.txt/);
    assert.doesNotMatch(found.text, /\.env/);
    assert.deepEqual(
      wishes.map(({ path, folder }) => [path, folder]),
      [
        [outside, true],
        [outside, true],
      ],
    );
  });

  it('searches in a folder that was allowed what editors hold unsaved, but nothing that a link leads to', async () => {
    await stage.write('.gitignore', 'vendor\n');
    await stage.write('vendor/.gitignore', 'built\n');
    await stage.write('vendor/a.ts', 'needle on the disk\n');
    await stage.write('vendor/built/b.ts', 'needle on the disk\n');
    await stage.write('other.ts', 'needle elsewhere\n');
    await symlink(stage.onDisk('other.ts'), stage.onDisk('vendor/link.ts'));
    for (const name of ['vendor/a.ts', 'vendor/built/b.ts', 'vendor/link.ts'])
      await stage.typeUnsaved(name, () => 'needle, typed\n');
    const found = await call('search_text', { pattern: 'needle', path: 'vendor' });
    assert.match(found.text, /vendor\/a\.ts[^]*needle, typed/);
    assert.doesNotMatch(found.text, /on the disk|built|link/);
    assert.deepEqual(
      wishes.map(({ why, path }) => [why, path]),
      [['ignored', 'vendor']],
    );
  });

  it('asks nobody about what is not there, too wide, or where secrets are kept', async () => {
    for (const name of ['.env', 'server.pem', '.git/config', '.ssh/config', '.aws/credentials']) {
      await mkdir(dirname(join(outside, name)), { recursive: true });
      await writeFile(join(outside, name), 'secret\n');
    }
    await symlink(join(outside, 'server.pem'), join(outside, 'harmless.txt'));
    await symlink(join(outside, 'server.pem'), stage.onDisk('harmless.txt'));
    await stage.write('.gitignore', 'id_rsa\nsecrets\n');
    await stage.write('id_rsa', 'secret');
    await stage.write('secrets/.env', 'secret');
    const files = [
      '.env',
      'server.pem',
      '.git/config',
      '.ssh/config',
      '.aws/credentials',
      'harmless.txt',
      'none',
    ];
    for (const path of [
      ...files.map((name) => join(outside, name)),
      ...['harmless.txt', 'id_rsa', 'secrets/.env', '/proc/self/environ', `${outside}/a\u202eb`],
    ]) {
      const { kind, text } = await call('read_file', { path });
      assert.equal(kind, 'failed', path);
      assert.doesNotMatch(text, /1\|/, path);
    }
    for (const path of ['/', '~', homedir(), dirname(stage.folder), `${outside}/.ssh`])
      assert.equal((await call('list_files', { path })).kind, 'failed', path);
    assert.deepEqual(wishes, []);
  });

  it('asks about an ignored folder once named, and walks it without the rules around it', async () => {
    await stage.write('.gitignore', 'dist/\n');
    await stage.write('dist/a.js', 'needle');
    await stage.write('dist/lib/b.js', 'needle');
    const listed = await call('list_files', { path: 'dist' });
    assert.equal(listed.text, '2 files in dist:\ndist/a.js\ndist/lib/b.js');
    const found = await call('search_text', { pattern: 'needle', path: 'dist/lib' });
    assert.match(found.text, /dist\/lib\/b\.js/);
    assert.match(await read('dist/lib/b.js'), /1\|needle/);
    assert.deepEqual(
      wishes.map(({ why, path, folder }) => [why, path, folder]),
      [
        ['ignored', 'dist', true],
        ['ignored', 'dist/lib', true],
        ['ignored', 'dist/lib/b.js', undefined],
      ],
    );
  });

  it('reads nothing that a link was turned to while the person thought about it', async () => {
    await stage.write('.gitignore', 'out.txt\n');
    await stage.write('out.txt', 'harmless');
    await symlink(join(outside, 'notes.txt'), stage.onDisk('link'));
    await writeFile(join(outside, 'other.txt'), 'never shown');
    answer = async ({ path }) => {
      await rm(stage.onDisk(path));
      await symlink(join(outside, 'other.txt'), stage.onDisk(path));
      return allow;
    };
    assert.match(await read('link'), /1\|from outside$/m, 'what was asked about');
    assert.match(await read('out.txt'), /could not be read/);
    answer = async () => {
      await rm(join(outside, 'notes.txt'));
      await symlink(join(outside, 'other.txt'), join(outside, 'notes.txt'));
      return allow;
    };
    assert.match(await read(join(outside, 'notes.txt')), /could not be read/);
  });

  it('is not got around by any tool, however a place is written', async () => {
    answer = () => ({ kind: 'deny' });
    await symlink(outside, stage.onDisk('out'));
    await symlink(join(outside, 'notes.txt'), stage.onDisk('out.txt'));
    await symlink(stage.onDisk('b'), stage.onDisk('a'));
    await symlink(stage.onDisk('a'), stage.onDisk('b'));
    await stage.write('.git/config', '[remote]\n\turl = https://from outside@a.test\n');
    execFileSync('mkfifo', [stage.onDisk('pipe')]);
    const up = relative(stage.folder, outside);
    const places = [
      ...[
        outside,
        `${outside}/notes.txt`,
        up,
        `${up}/notes.txt`,
        up.replaceAll('/', '\\'),
        `x/../${up}`,
        `./${up}/.`,
      ],
      ...['out', 'out/', 'out/notes.txt', 'out.txt', 'out/../out/notes.txt', 'a', 'pipe', 'pipe/x'],
      ...[
        `/proc/self/root${outside}/notes.txt`,
        '/proc/self/environ',
        '/dev/stdin',
        `file://${outside}/notes.txt`,
      ],
      ...['.git', '.git/config', '.GIT/config', '.git/', '.g\u200cit/config', '.gіt/config', `..\u2215${up}`],
      ...[
        '~',
        '~/',
        '~root/.profile',
        '$HOME',
        '%2e%2e/notes.txt',
        `${up}/notes.txt\u0000`,
        '//localhost/c$/x',
        'C:\\x',
      ],
    ];
    const globs = [
      '../**',
      '/**',
      `${outside}/**`,
      '**/../**',
      'out/**',
      '{.,..}/**',
      '**',
      '.git/**',
      '[.][.]/**',
    ];
    const calls: readonly (readonly [string, object])[] = [
      ...places.flatMap((path) => [
        ['read_file', { path }] as const,
        ['list_files', { path }] as const,
        ['search_text', { pattern: 'from|notes', path }] as const,
      ]),
      // These begin as the others do.
      ...places
        .slice(0, 12)
        .flatMap((path) => [
          ['find_symbol', { path }] as const,
          ['go_to_definition', { path, line: 1, symbol: 'from' }] as const,
          ['get_problems', { path }] as const,
          ['git_diff', { path }] as const,
        ]),
      ...globs.flatMap((glob) => [
        ['list_files', { pattern: glob }] as const,
        ['search_text', { pattern: 'from|notes', include: [glob] }] as const,
      ]),
    ];
    for (const [name, args] of calls) {
      const { text } = await call(name, args);
      assert.ok(!text.includes('from outside'), `${name} ${JSON.stringify(args)}: ${text}`);
      assert.ok(!/^(?:notes\.txt|out\/notes\.txt)$/m.test(text), `${name} ${JSON.stringify(args)}: ${text}`);
    }
  });

  it('tells the model what the person answered', async () => {
    const path = join(outside, 'notes.txt');
    answer = () => ({ kind: 'deny', reason: 'These are private.' });
    assert.deepEqual(await call('read_file', { path }), {
      kind: 'rejected',
      text: `The person was asked and does not allow you to read ${path}. Their reason: These are private.\nGo on without it, and do not ask for it again.`,
    });
    answer = () => ({ kind: 'later' });
    const later = await call('read_file', { path });
    assert.equal(later.kind, 'rejected');
    assert.match(later.text, /went on without an answer/);
    answer = () => ({ kind: 'cancelled' });
    assert.match((await call('read_file', { path })).text, /nobody allowed it/);
  });
});
