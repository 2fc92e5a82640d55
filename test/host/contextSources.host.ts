/** Everything that can be attached, over real files, a file system that is no disk, a repository, and a terminal. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';

import type { Attachment } from '../../src/core/conversation/userMessage.ts';
import { ok } from '../../src/core/result.ts';
import { borrowClipboard } from '../../src/host/context/borrowedClipboard.ts';
import { attachMany } from '../../src/host/context/manyFiles.ts';
import type { AttachProblem } from '../../src/host/context/problem.ts';
import { problemActions } from '../../src/host/context/problemActions.ts';
import { ContextSources, type Attached } from '../../src/host/context/sources.ts';
import { symbolAt } from '../../src/host/context/symbolSource.ts';
import { newRepository } from '../support/gitIn.ts';
import { testedExtension } from './chatStage.ts';
import { Stage } from './editsStage.ts';

/** A picture of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('what can be attached', () => {
  let stage: Stage;
  let place: string;
  let folders: readonly vscode.WorkspaceFolder[] | undefined;
  let sources: ContextSources;
  beforeEach(async () => {
    stage = await Stage.open();
    place = basename(stage.folder);
    folders = undefined;
    let id = 0;
    sources = new ContextSources({
      newId: () => `id ${(id += 1)}`,
      worker: join(testedExtension().extensionPath, 'dist', 'searchWorker.cjs'),
      folders: () => folders ?? vscode.workspace.workspaceFolders ?? [],
    });
  });
  afterEach(() => stage.close());

  const one = async (attached: Attached): Promise<Attachment> => {
    const result = await attached;
    assert.ok(result.ok, result.ok ? '' : result.error);
    const [attachment, ...others] = result.value;
    assert.ok(attachment);
    assert.deepEqual(others, []);
    assert.ok(attachment.tokens !== undefined && attachment.tokens > 0, 'its tokens are told');
    return attachment;
  };
  const problem = async (attached: Attached): Promise<AttachProblem | undefined> => {
    const result = await attached;
    return result.ok ? undefined : result.error;
  };

  describe('a file', () => {
    it('is attached as it is on the disk, with LF, or as an editor has it', async () => {
      const uri = await stage.write('a.ts', 'one\r\ntwo\r\n');
      const { id: _, tokens: __, ...rest } = await one(sources.file(uri));
      assert.deepEqual(rest, {
        kind: 'file',
        path: `${place}/a.ts`,
        uri: uri.toString(),
        languageId: 'typescript',
        text: 'one\ntwo\n',
      });
      await stage.typeUnsaved('a.ts', (text) => text.replace('one', 'ONE'));
      assert.equal((await one(sources.file(uri))).text, 'ONE\ntwo\n');
    });

    it('is read in its encoding, ignored or not', async () => {
      await stage.write('.gitignore', 'wide.txt\n');
      const wide = await stage.write('wide.txt', Buffer.from('\uFEFFwide ä', 'utf16le'));
      assert.equal((await one(sources.file(wide))).text, 'wide ä');
    });

    it('is refused when it is no text, too much, empty, a folder or gone', async () => {
      const binary = await stage.write('a.bin', Buffer.from([1, 0, 2]));
      assert.equal(await problem(sources.file(binary)), 'binary');
      const sparse = await stage.write('sparse.log', 'x');
      await truncate(sparse.fsPath, 2 ** 30);
      assert.equal(await problem(sources.file(sparse)), 'tooLong');
      assert.equal(
        await problem(sources.file(await stage.write('long.txt', 'x'.repeat(1_000_001)))),
        'tooLong',
      );
      assert.equal(await problem(sources.file(await stage.write('empty.txt', ' \n'))), 'empty');
      assert.equal(await problem(sources.file(vscode.Uri.file(stage.folder))), 'folder');
      assert.equal(await problem(sources.file(stage.uri('never.ts'))), 'missing');
      spawnSync('mkfifo', [stage.onDisk('pipe')]);
      assert.equal(await problem(sources.file(stage.uri('pipe'))), 'missing');
    });

    it('that is a picture is sent as one, by its bytes and not its name', async () => {
      const uri = await stage.write('shot.txt', pixel);
      const attachment = await one(sources.file(uri));
      assert.equal(attachment.kind, 'image');
      assert.equal(attachment.image, `data:image/png;base64,${pixel.toString('base64')}`);
      assert.equal(attachment.uri, uri.toString());
      assert.equal(await problem(sources.file(await stage.write('fake.png', 'no picture'))), undefined);
      assert.equal((await one(sources.image({ bytes: pixel, mime: 'x/y', name: 'Pasted' }))).path, 'Pasted');
      const text = Buffer.from('<svg/>');
      assert.equal(await problem(sources.image({ bytes: text, mime: 'image/png', name: 'x' })), 'notImage');
      const large = Buffer.concat([pixel, Buffer.alloc(9 * 1024 * 1024)]);
      assert.equal(await problem(sources.image({ bytes: large, name: 'x' })), 'imageTooLarge');
      const photo = await stage.write('photo.JPG', pixel);
      await truncate(photo.fsPath, large.length);
      assert.equal(await problem(sources.file(photo)), 'imageTooLarge');
      for (const [mime, start] of [
        ['image/jpeg', '\xff\xd8\xff\xe0'],
        ['image/gif', 'GIF89a'],
        ['image/webp', 'RIFF\0\0\0\0WEBP'],
      ] as const) {
        const image = await one(sources.image({ bytes: Buffer.from(start, 'latin1'), name: 'x' }));
        assert.ok(image.image?.startsWith(`data:${mime};base64,`), mime);
      }
    });

    it('that is a notebook is its cells and what they wrote', async () => {
      const uri = await stage.write(
        'book.ipynb',
        JSON.stringify({
          cells: [
            { cell_type: 'markdown', metadata: {}, source: ['# Sums'] },
            {
              ...{ cell_type: 'code', execution_count: 1, metadata: {}, source: ['print(1)\n', 'x'] },
              outputs: [
                { output_type: 'stream', name: 'stdout', text: ['1\n'] },
                {
                  output_type: 'display_data',
                  metadata: {},
                  data: { 'image/png': pixel.toString('base64'), 'text/plain': ['<Figure>'] },
                },
                { output_type: 'error', ename: 'NameError', evalue: 'x', traceback: ['…'] },
              ],
            },
          ],
          metadata: { language_info: { name: 'python' } },
          nbformat: 4,
          nbformat_minor: 5,
        }),
      );
      const { text, heading, languageId } = await one(sources.file(uri));
      assert.equal(
        text,
        '[cell 1, markdown]\n# Sums\n\n[cell 2, python]\nprint(1)\nx\n[output of cell 2]\n1\n<Figure>\nNameError: x',
      );
      assert.match(heading ?? '', /book\.ipynb \(a notebook/);
      assert.equal(languageId, 'python');
      const broken = await one(sources.file(await stage.write('broken.ipynb', 'no JSON')));
      assert.equal(broken.text, 'no JSON');
    });
  });

  describe('a folder', () => {
    it('is the names of its files or their texts, without what is ignored or no text', async () => {
      await stage.write('src/.gitignore', 'out/\n');
      await stage.write('src/a.ts', 'a();\r\n');
      await stage.write('src/deep/b.md', '```\nb\n```\n');
      await stage.write('src/out/gone.js', 'gone');
      await stage.write('src/c.bin', Buffer.from([0, 1]));
      await stage.typeUnsaved('src/a.ts', () => 'typed();\n');
      const names = await one(sources.folder(stage.uri('src'), 'listing'));
      assert.equal(
        names.text,
        ['.gitignore', 'a.ts', 'c.bin', 'deep/b.md'].map((name) => `${place}/src/${name}`).join('\n'),
      );
      assert.equal(names.path, `${place}/src/ (names)`);
      const whole = await one(sources.folder(stage.uri('src'), 'whole'));
      assert.equal(whole.path, `${place}/src/ (texts)`);
      assert.match(whole.text, /src\/a\.ts:\n```ts\ntyped\(\);\n```\n/);
      assert.match(whole.text, /src\/deep\/b\.md:\n````md\n```\nb\n```\n````\n/);
      assert.match(whole.text, /\[Not shown, as they are no text or too long: \S*src\/c\.bin\]$/);
      assert.doesNotMatch(whole.text, /gone/);
    });

    it('that is large is attached as the person chooses, or not at all', async () => {
      for (let index = 0; index < 12; index += 1)
        await stage.write(`big/${index}.txt`, `${'word '.repeat(20_000)}\n`);
      const chosen = async (...commands: readonly string[]): Promise<Awaited<Attached>> => {
        const attached = sources.folder(stage.uri('big'), 'whole');
        const asked = { isOpen: true };
        void attached.then(() => (asked.isOpen = false));
        // Taken as soon as it is open; before that the commands do nothing.
        while (asked.isOpen) {
          for (const command of commands) await vscode.commands.executeCommand(command);
        }
        return attached;
      };
      const names = await chosen('workbench.action.acceptSelectedQuickOpenItem');
      assert.ok(names.ok);
      assert.equal(names.value[0]?.text.split('\n').length, 12);
      const cut = await chosen(
        'workbench.action.quickOpenSelectNext',
        'workbench.action.acceptSelectedQuickOpenItem',
      );
      assert.ok(cut.ok);
      const text = cut.value.at(-1)?.text ?? '';
      assert.ok(text.length < 1_010_000, `${text.length}`);
      const none = await chosen('workbench.action.closeQuickOpen');
      assert.deepEqual(none, { ok: false, error: 'cancelled' });
    });

    it('can be ignored or outside of the workspace, and is refused when it is empty, a file or gone', async () => {
      await stage.write('.gitignore', 'lib\n');
      await stage.write('lib/x.js', 'x\n');
      assert.equal((await one(sources.folder(stage.uri('lib'), 'listing'))).text, 'x.js');
      const outside = await mkdtemp(join(tmpdir(), 'kimi-chat-outside-'));
      await writeFile(join(outside, 'o.ts'), 'o\n');
      const attachment = await one(sources.folder(vscode.Uri.file(outside), 'listing'));
      assert.equal(attachment.text, 'o.ts');
      assert.equal(attachment.path, `${outside}/ (names)`);
      await rm(outside, { recursive: true });
      await mkdir(stage.onDisk('empty'));
      assert.equal(await problem(sources.folder(stage.uri('empty'), 'listing')), 'emptyFolder');
      assert.equal(await problem(sources.folder(stage.uri('lib/x.js'), 'listing')), 'notFolder');
      assert.equal(await problem(sources.folder(stage.uri('never'), 'listing')), 'missing');
      await symlink(stage.folder, stage.onDisk('round'));
      assert.equal((await one(sources.folder(stage.uri('lib'), 'whole'))).text, 'x.js:\n```js\nx\n```\n');
    });

    it('is named by its root where there are several', async () => {
      await stage.write('one/src/a.ts', 'first');
      await stage.write('two/src/a.ts', 'second');
      folders = ['one', 'two'].map((name, index) => ({ name, index, uri: stage.uri(name) }));
      const { text, path } = await one(sources.folder(stage.uri('two/src'), 'whole'));
      assert.equal(text, 'two/src/a.ts:\n```ts\nsecond\n```\n');
      assert.equal(path, 'two/src/ (texts)');
      assert.equal((await one(sources.folder(stage.uri('one'), 'listing'))).text, 'one/src/a.ts');
    });
  });

  it('is attached after a word where it is many files or much text at once', async () => {
    const uris = await Promise.all(
      Array.from({ length: 21 }, (_, index) => stage.write(`many/${index}.txt`, 'x\n')),
    );
    // What is attached is no matter here.
    const kept = (all: readonly vscode.Uri[]): Promise<unknown> =>
      attachMany(all, () => Promise.resolve(ok([]))).then((results) =>
        results.map(({ uri, result }) => [uri.path, result.ok]),
      );
    const answered = async (asked: Promise<unknown>, command: string): Promise<unknown> => {
      const state = { isOpen: true };
      void asked.then(() => (state.isOpen = false));
      while (state.isOpen) await vscode.commands.executeCommand(command);
      return asked;
    };
    const all = (some: readonly vscode.Uri[]): unknown => some.map(({ path }) => [path, true]);
    assert.deepEqual(await kept(uris.slice(1)), all(uris.slice(1)), 'nobody is asked about twenty');
    assert.deepEqual(await answered(kept(uris), 'workbench.action.closeQuickOpen'), []);
    const accept = 'workbench.action.acceptSelectedQuickOpenItem';
    assert.deepEqual(await answered(kept(uris), accept), all(uris));
    const hundreds = Array.from({ length: 10 }, () => uris).flat();
    assert.deepEqual(await answered(kept(hundreds), accept), all(hundreds.slice(0, 200)));
    const large = await stage.write('many/large.txt', 'x'.repeat(900_000));
    assert.deepEqual(await kept([large]), all([large]), 'nor about one, which shows its tokens');
    const two = [large, uris[0] as vscode.Uri];
    assert.deepEqual(await answered(kept(two), 'workbench.action.closeQuickOpen'), []);
  });

  it('lies on any file system that VS Code knows', async () => {
    const files = new Map([
      ['/src/a.ts', 'virtual();\n'],
      ['/src/b.ts', 'other();\n'],
    ]);
    const found = (uri: vscode.Uri): string => {
      const text = files.get(uri.path);
      if (text === undefined) throw vscode.FileSystemError.FileNotFound(uri);
      return text;
    };
    const no = (): never => assert.fail('nothing is written');
    const provider = vscode.workspace.registerFileSystemProvider('kimi-test-virtual', {
      onDidChangeFile: () => new vscode.Disposable(() => undefined),
      watch: () => new vscode.Disposable(() => undefined),
      stat: (uri) =>
        ['/', '/src'].includes(uri.path)
          ? { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 }
          : { type: vscode.FileType.File, ctime: 0, mtime: 0, size: found(uri).length },
      readDirectory: ({ path }) =>
        path === '/'
          ? [['src', vscode.FileType.Directory]]
          : [
              ['a.ts', vscode.FileType.File],
              ['b.ts', vscode.FileType.File],
            ],
      readFile: (uri) => Buffer.from(found(uri)),
      ...{ createDirectory: no, writeFile: no, delete: no, rename: no },
    });
    try {
      const root = vscode.Uri.parse('kimi-test-virtual:/');
      assert.equal((await one(sources.file(vscode.Uri.joinPath(root, 'src/a.ts')))).text, 'virtual();\n');
      folders = [{ name: 'cloud', uri: root, index: 0 }];
      const { text } = await one(sources.folder(vscode.Uri.joinPath(root, 'src'), 'whole'));
      assert.equal(text, 'src/a.ts:\n```ts\nvirtual();\n```\n\nsrc/b.ts:\n```ts\nother();\n```\n');
    } finally {
      provider.dispose();
    }
  });

  it('is a symbol with its whole lines', async () => {
    const uri = await stage.write('a.kimi', 'class A {\n  m() {\n    x;\n  }\n}\n');
    const { SymbolKind, DocumentSymbol, Range } = vscode;
    const provider = vscode.languages.registerDocumentSymbolProvider(
      { pattern: '**/*.kimi' },
      {
        provideDocumentSymbols: () => {
          const of = new DocumentSymbol(
            'A',
            '',
            SymbolKind.Class,
            new Range(0, 0, 4, 1),
            new Range(0, 6, 0, 7),
          );
          const m = new DocumentSymbol(
            'm',
            '',
            SymbolKind.Method,
            new Range(1, 2, 3, 3),
            new Range(1, 2, 1, 3),
          );
          const x = new DocumentSymbol(
            'x',
            '',
            SymbolKind.Variable,
            new Range(2, 4, 2, 5),
            new Range(2, 4, 2, 5),
          );
          m.children.push(x);
          of.children.push(m);
          return [of];
        },
      },
    );
    try {
      const document = await vscode.workspace.openTextDocument(uri);
      const symbol = await symbolAt(document, new vscode.Position(2, 4));
      assert.equal(symbol?.name, 'm', 'not the variable');
      assert.equal((await symbolAt(document, new vscode.Position(0, 1)))?.name, 'A');
      const attachment = await one(sources.symbol(uri, symbol.range, symbol.name));
      assert.equal(attachment.text, '  m() {\n    x;\n  }');
      assert.deepEqual(
        [attachment.range, attachment.name, attachment.kind],
        [{ from: 2, to: 4 }, 'm', 'symbol'],
      );
      assert.equal(await symbolAt(document, new vscode.Position(5, 0)), undefined);
    } finally {
      provider.dispose();
    }
    assert.equal(await problem(sources.symbol(stage.uri('never'), new Range(0, 0, 1, 0), 'x')), 'missing');
  });

  it('are problems, of a part, of a file, of the workspace, and what VS Code offers on them', async () => {
    const uri = await stage.write('a.ts', 'const a: string = 1;\nlet b;\n');
    const document = await vscode.workspace.openTextDocument(uri);
    const collection = vscode.languages.createDiagnosticCollection('kimi test');
    const wrong = new vscode.Diagnostic(new vscode.Range(0, 6, 0, 7), 'Not\nassignable.');
    wrong.source = 'test';
    wrong.code = { value: 2322, target: uri };
    wrong.relatedInformation = [
      new vscode.DiagnosticRelatedInformation(
        new vscode.Location(uri, new vscode.Position(1, 0)),
        'see here',
      ),
    ];
    const hint = new vscode.Diagnostic(
      new vscode.Range(1, 4, 1, 5),
      'Never read.',
      vscode.DiagnosticSeverity.Hint,
    );
    try {
      assert.equal(await problem(sources.problems(stage.uri('b.ts'))), 'noProblems');
      collection.set(uri, [hint, wrong]);
      const all = await one(sources.problems(uri));
      assert.equal(
        all.text,
        [
          `${place}/a.ts:1:7 error (test 2322): Not assignable.`,
          '    const a: string = 1;',
          `    see ${place}/a.ts:2: see here`,
          `${place}/a.ts:2:5 hint: Never read.`,
          '    let b;',
        ].join('\n'),
      );
      assert.equal(all.path, `Problems of ${place}/a.ts`);
      const some = await one(sources.problems(uri, new vscode.Range(1, 0, 1, 5)));
      assert.match(some.text, /^\S+:2:5 hint/);
      assert.deepEqual(some.range, { from: 2, to: 2 });
      const everywhere = await one(sources.problems());
      assert.match(everywhere.text, /a\.ts:1:7 error/);
      assert.doesNotMatch(everywhere.text, /Never read/, 'hints are no problems of a workspace');
      const actions = await problemActions.provideCodeActions(
        document,
        wrong.range,
        { diagnostics: [wrong, hint], only: undefined, triggerKind: vscode.CodeActionTriggerKind.Invoke },
        new vscode.CancellationTokenSource().token,
      );
      const [action] = actions ?? [];
      assert.equal(action?.title, 'Ask Kimi about these problems');
      assert.ok(action instanceof vscode.CodeAction);
      assert.deepEqual(action.command?.arguments, [uri, new vscode.Range(0, 6, 1, 5)]);
    } finally {
      collection.dispose();
    }
  });

  it('are the changes that Git knows, staged or not, with new files', async () => {
    await stage.write('a.ts', 'one\n');
    await stage.write('b.ts', 'one\n');
    const git = newRepository(stage.folder);
    folders = [{ name: 'repository', uri: vscode.Uri.file(stage.folder), index: 0 }];
    const api = await vscode.extensions
      .getExtension<{
        getAPI(version: 1): { openRepository(root: vscode.Uri): Promise<unknown> };
      }>('vscode.git')
      ?.activate();
    await api?.getAPI(1).openRepository(vscode.Uri.file(stage.folder));
    assert.equal(await problem(sources.diff('working')), 'noChanges');
    assert.equal(await problem(sources.diff('staged')), 'noStaged');
    await stage.write('a.ts', 'two\n');
    await stage.write('b.ts', 'two\n');
    await stage.write('new.ts', 'fresh\n');
    await stage.write('new.bin', Buffer.from([0, 1]));
    const working = await one(sources.diff('working'));
    assert.match(working.text, /-one\n\+two/);
    assert.match(
      working.text,
      /diff --git a\/new\.ts b\/new\.ts\nnew file\n--- \/dev\/null\n\+\+\+ b\/new\.ts\n@@ -0,0 \+1,1 @@\n\+fresh/,
    );
    assert.match(working.text, /not shown:\nnew\.bin$/);
    assert.equal(working.languageId, 'diff');
    const file = await one(sources.diff('working', stage.uri('a.ts')));
    assert.doesNotMatch(file.text, /b\.ts|new\./);
    git('add', 'a.ts');
    const staged = await one(sources.diff('staged'));
    assert.match(staged.text, /a\/a\.ts/);
    assert.doesNotMatch(staged.text, /b\.ts/);
    assert.equal(await problem(sources.diff('staged', vscode.Uri.file('/elsewhere'))), 'noRepository');
    folders = [];
    assert.equal(await problem(sources.diff('working')), 'noRepository');
  });

  describe('of a terminal', () => {
    it('is taken through the clipboard, which gets back what it held', async () => {
      let held = 'mine';
      const writes: string[] = [];
      const clipboard = {
        readText: () => Promise.resolve(held),
        writeText: (text: string) => {
          writes.push(text);
          held = text;
          return Promise.resolve();
        },
      };
      const copies = (text: string | undefined) => () => {
        if (text !== undefined) held = text;
        return Promise.resolve();
      };
      assert.deepEqual(await borrowClipboard(copies('theirs'), clipboard), { ok: true, value: 'theirs' });
      assert.equal(held, 'mine');
      assert.deepEqual(await borrowClipboard(copies('mine'), clipboard), { ok: true, value: 'mine' });
      assert.equal(held, 'mine');
      assert.deepEqual(await borrowClipboard(copies(undefined), clipboard), { ok: true, value: undefined });
      assert.equal(held, 'mine');
      held = '';
      writes.length = 0;
      assert.deepEqual(await borrowClipboard(copies(undefined), clipboard), { ok: true, value: undefined });
      assert.deepEqual(writes, [], 'what may be an image is left alone');
      held = 'mine';
      const fails = () => Promise.reject(new Error('no such command'));
      assert.deepEqual(await borrowClipboard(fails, clipboard), { ok: false, error: 'clipboard' });
      assert.equal(held, 'mine');
    });

    it('is nothing while none is open', async () => {
      // Other tests may have left some.
      for (const terminal of vscode.window.terminals) {
        const closed = new Promise<void>((resolve) => {
          const listener = vscode.window.onDidCloseTerminal((one) => {
            if (one !== terminal) return;
            listener.dispose();
            resolve();
          });
        });
        terminal.dispose();
        await closed;
      }
      assert.equal(vscode.window.activeTerminal, undefined);
      assert.equal(await problem(sources.terminalSelection()), 'noTerminal');
      assert.equal(await problem(sources.lastCommand()), 'noTerminal');
    });
  });
});
