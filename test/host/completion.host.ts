/** What the composer offers while a name is typed, over real files that change; and what is dropped onto the panel. */
import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';

import type { CompletionItem, CompletionTrigger } from '../../src/protocol/completion.ts';
import { fold, foldQuery } from '../../src/host/completion/fuzzy.ts';
import { WorkspaceIndex } from '../../src/host/completion/workspaceIndex.ts';
import { ChatStage, newLog } from './chatStage.ts';
import { Stage } from './editsStage.ts';
import { FaultyFiles } from './filesFaulty.ts';
import { readerOptions } from './toolsCalling.ts';

/** A picture of one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** How long it may take until something is offered, in milliseconds: below the limit of a test, which could not tell what is missing. */
const untilLimit = 45_000;

describe('completion in the composer', () => {
  let files: Stage;
  let stage: ChatStage;
  let place: string;
  let list = 0;

  before(async () => {
    stage = await ChatStage.open();
    stage.panel.show();
    await stage.panel.until(({ mirror }) => mirror !== undefined);
    // One for all, each with names of its own: a new folder is watched only some time later.
    files = await Stage.open();
    await files.watched();
    place = basename(files.folder);
  });
  after(async () => {
    await files.close();
    await stage.close();
  });
  afterEach(async () => {
    for (const { id } of stage.draft.attachments) stage.draft.remove(id);
    stage.panel.posts.length = 0;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /** What is offered in the end. */
  async function offered(
    query: string,
    trigger: CompletionTrigger = '@',
  ): Promise<readonly CompletionItem[]> {
    const { panel } = stage;
    list += 1;
    const asked = list;
    panel.tell({ kind: 'complete', list, trigger, query });
    await panel.until(({ completions }) => completions?.list === asked && !completions.looking);
    return panel.state.completions?.items ?? [];
  }

  /**
   * Asks as often as it takes until it is so: the watchers of VS Code tell some time after something happened. Fails with what was offered
   * last. Where the letters stand apart counts for nothing: with those of the folder, drawn by chance, they fit in the path of any file.
   */
  async function untilOffered(
    query: string,
    passes: (labels: readonly string[]) => boolean,
  ): Promise<readonly CompletionItem[]> {
    const end = Date.now() + untilLimit;
    for (;;) {
      const letters = foldQuery(query).replace(/^#/, '');
      const items = (await offered(query)).filter(({ label, detail = '' }) =>
        fold(`${detail}/${label}`).includes(letters),
      );
      const labels = items.map(({ label }) => label);
      if (passes(labels)) return items;
      assert.ok(Date.now() < end, `offered for ${query} in the end: ${labels.join(', ')}`);
    }
  }

  async function take(item: CompletionItem | undefined): Promise<void> {
    assert.ok(item, 'it is not offered');
    stage.panel.tell({ kind: 'takeCompletion', list, item: item.id });
    await stage.dealtWith();
  }

  const chips = (): readonly (readonly [string, string])[] =>
    stage.draft.attachments.map(({ kind, path }) => [kind, path]);

  it('finds files and folders by what is typed of them, without those that are ignored', async () => {
    await files.write('.gitignore', '*.log\nbuilt/\n');
    await files.write('zebraCart/.kimiignore', 'zebraSecret*\n');
    for (const name of [
      'zebraCart/zebraTotal.txt',
      'zebraCart/zebraSecret.txt',
      'zebra.log',
      'built/zebra.js',
      '.env',
      'lib/zebra.pem',
      'lib/other.txt',
    ])
      await files.write(name, 'x\n');
    await symlink(files.onDisk('lib'), files.onDisk('zebraLink'));
    const items = await untilOffered('zebra', (labels) => labels.includes('zebraTotal.txt'));
    assert.deepEqual(
      items.map(({ kind, label, detail, insert, into }) => ({ kind, label, detail, insert, into })),
      [
        {
          kind: 'folder',
          label: 'zebraCart/',
          detail: place,
          insert: '@zebraCart',
          into: `@${place}/zebraCart/`,
        },
        {
          ...{ kind: 'file', label: 'zebraTotal.txt', detail: `${place}/zebraCart` },
          ...{ insert: '@zebraTotal.txt', into: undefined },
        },
        {
          ...{ kind: 'file', label: '.kimiignore', detail: `${place}/zebraCart` },
          ...{ insert: '@.kimiignore', into: undefined },
        },
      ],
    );
    assert.deepEqual(items[1]?.matches, [[0, 5]]);
    await take(items[1]);
    assert.deepEqual(chips(), [['file', `${place}/zebraCart/zebraTotal.txt`]]);
    const [names, texts] = await offered(`${place}/zebraCart/`);
    assert.deepEqual([names?.kind, texts?.kind], ['folder', 'folder']);
    for (const [item, hasText] of [
      [names, false],
      [texts, true],
    ] as const) {
      await take(item);
      const chip = stage.draft.attachments.at(-1);
      assert.equal(chip?.kind, 'folder');
      assert.match(chip.text, /zebraTotal\.txt/);
      assert.equal(chip.text.includes('x\n'), hasText);
      assert.ok(chip.tokens !== undefined && chip.tokens > 0);
      const what = `${hasText ? 'Texts' : 'Names'} of its files`;
      assert.equal(item?.detail, `${what} · about ${chip.tokens} tokens`);
    }
  });

  it('follows what comes, goes and is ignored from now on', async () => {
    await files.write('quokkaOne.txt', 'x\n');
    await untilOffered('quokka', (labels) => labels.includes('quokkaOne.txt'));
    await files.write('deep/down/quokkaTwo.txt', 'x\n');
    await untilOffered('quokka', (labels) => labels.includes('quokkaTwo.txt'));
    await rm(files.onDisk('quokkaOne.txt'));
    await untilOffered('quokka', (labels) => !labels.includes('quokkaOne.txt'));
    await mkdir(files.onDisk('away'));
    await rename(files.onDisk('deep/down'), files.onDisk('away/quokkaDown'));
    await untilOffered(
      'quokka',
      (labels) => labels.includes('quokkaDown/') && labels.includes('quokkaTwo.txt'),
    );
    assert.deepEqual(
      (await offered(`${place}/deep`)).filter(({ kind }) => kind === 'folder'),
      [],
    );
    await files.write('away/.gitignore', 'quokkaDown\n');
    await untilOffered('quokka', (labels) => labels.length === 0);
    await writeFile(files.onDisk('away/.gitignore'), '');
    await untilOffered('quokka', (labels) => labels.includes('quokkaTwo.txt'));
  });

  it('leaves out what settings hide', async () => {
    await files.write('numbatOne.txt', 'x\n');
    await files.write('numbatTwo.txt', 'x\n');
    await untilOffered('numbat', (labels) => labels.length === 2);
    await stage.written.set('files.exclude', { '**/numbatOne.txt': true });
    await untilOffered('numbat', (labels) => labels.length === 1);
    await stage.written.restore();
    await untilOffered('numbat', (labels) => labels.length === 2);
  });

  it('puts what is open first, and offers it before anything is typed', async () => {
    await files.write('deep/wombatShop.txt', 'x\n');
    await files.write('wombat.txt', 'x\n');
    await untilOffered('wombat', (labels) => labels.length === 2);
    assert.deepEqual((await offered('wombat'))[0]?.label, 'wombat.txt');
    const editor = await vscode.window.showTextDocument(files.uri('deep/wombatShop.txt'));
    await untilOffered('wombat', ([first]) => first === 'wombatShop.txt');
    const before = await offered('');
    assert.deepEqual(before[0]?.label, 'wombatShop.txt');
    assert.ok(!before.some(({ label }) => label === 'selection'));
    editor.selection = new vscode.Selection(0, 0, 0, 1);
    await take((await offered('sel')).find(({ kind }) => kind === 'selection'));
    assert.deepEqual(chips(), [['selection', `${place}/deep/wombatShop.txt`]]);
  });

  it('names a file by its folder where another one of its name is attached', async () => {
    await files.write('a/dingo.txt', 'x\n');
    await files.write('b/dingo.txt', 'x\n');
    const items = await untilOffered('dingo', (labels) => labels.length === 2);
    assert.deepEqual(
      items.map(({ insert }) => insert),
      ['@dingo.txt', '@dingo.txt'],
    );
    await take(items[0]);
    const beside = await untilOffered('dingo', (labels) => labels.length === 2);
    assert.deepEqual(
      beside.map(({ insert }) => insert),
      ['@dingo.txt', `@${place}/b/dingo.txt`],
    );
  });

  it('finds symbols of the editor in front, below the files, and alone behind #', async () => {
    await files.write('kiwi.json', '{ "kiwiOuter": { "kiwiInner": 1 } }\n');
    await vscode.window.showTextDocument(files.uri('kiwi.json'));
    await untilOffered('kiwi', (labels) => labels.includes('kiwiInner') && labels[0] === 'kiwi.json');
    const symbols = await offered('#kiwiInner');
    assert.deepEqual(
      symbols.map(({ kind, label, insert }) => [kind, label, insert]),
      [['symbol', 'kiwiInner', '@kiwiInner']],
    );
    await take(symbols[0]);
    assert.deepEqual(
      stage.draft.attachments.map(({ kind, path, range }) => [kind, path, range]),
      [['symbol', `${place}/kiwi.json`, { from: 1, to: 1 }]],
    );
  });

  it('offers no symbols of a file that is ignored, though it is in front', async () => {
    await files.write('.kimiignore', 'takahe.json\n');
    await files.write('takahe.json', '{ "takaheInner": 1 }\n');
    await files.write('takaheOther.json', '{ "takaheOuter": 1 }\n');
    await vscode.window.showTextDocument(files.uri('takaheOther.json'));
    await untilOffered('#takahe', (labels) => labels.includes('takaheOuter'));
    await vscode.window.showTextDocument(files.uri('takahe.json'));
    await untilOffered('#takahe', (labels) => labels.length === 0);
  });

  it('attaches problems and says what can’t be attached', async () => {
    const collection = vscode.languages.createDiagnosticCollection('completion-test');
    try {
      const uri = await files.write('emu.txt', 'x\n');
      await vscode.window.showTextDocument(uri);
      collection.set(uri, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), 'Wrong.')]);
      const items = await offered('prob');
      assert.equal(items[0]?.kind, 'problems');
      await take(items[0]);
      assert.deepEqual(
        stage.draft.attachments.map(({ kind, text }) => [kind, text.includes('Wrong.')]),
        [['problems', true]],
      );
    } finally {
      collection.dispose();
    }
    await files.write('emuGone.txt', 'x\n');
    const items = await untilOffered('emuGone', (labels) => labels.length === 1);
    await rm(files.onDisk('emuGone.txt'));
    await take(items[0]);
    assert.match(stage.panel.notices.at(-1) ?? '', /emuGone\.txt: .*moved or deleted/);
  });

  it('offers the commands and nothing else behind a slash', async () => {
    const all = await offered('', '/');
    assert.ok(all.length > 0 && all.every(({ kind }) => kind === 'command' || kind === 'prompt'));
    assert.deepEqual((await offered('fi', '/'))[0]?.insert, '/fix');
    await take((await offered('fix', '/'))[0]);
    assert.deepEqual(chips(), []);
  });

  it('takes nothing that it did not offer', async () => {
    await files.write('taipan.txt', 'x\n');
    await untilOffered('taipan', (labels) => labels.length === 1);
    for (const [of, item] of [
      [list, '1'],
      [list, '-1'],
      [list, 'constructor'],
      [list + 1, '0'],
    ] as const)
      stage.panel.tell({ kind: 'takeCompletion', list: of, item });
    await stage.dealtWith();
    assert.deepEqual(chips(), []);
    stage.panel.tell({ kind: 'endCompletion' });
    stage.panel.tell({ kind: 'takeCompletion', list, item: '0' });
    await stage.dealtWith();
    assert.deepEqual(chips(), [['file', `${place}/taipan.txt`]]);
  });

  it('lists folders that are no disk, and several of them apart', async () => {
    const faulty = new FaultyFiles();
    const other = await files.write('koala/a.ts', 'x\n');
    const index = new WorkspaceIndex({
      worker: readerOptions().worker,
      log: newLog(),
      folders: () => [
        { name: 'disk', uri: vscode.Uri.joinPath(other, '..'), index: 0 },
        { name: 'far', uri: faulty.root, index: 1 },
      ],
    });
    try {
      faulty.put('b.ts', 'x\n');
      await index.refresh();
      assert.deepEqual(
        ['a.ts', 'b.ts', 'far'].map((query) =>
          index.find(query, 1).map(({ path, uri }) => [path, uri.toString()]),
        ),
        [
          [['disk/a.ts', other.toString()]],
          [['far/b.ts', faulty.uri('b.ts').toString()]],
          [['far', faulty.root.toString()]],
        ],
      );
    } finally {
      index.dispose();
      faulty.dispose();
    }
  });

  describe('what is dropped', () => {
    it('is attached by its address: files, images, folders; and said where it is none', async () => {
      const text = await files.write('a b.txt', 'x\n');
      const image = await files.write('one.png', Buffer.from(pixel, 'base64'));
      stage.panel.tell({
        kind: 'attachPlaces',
        uris: [
          text.toString(),
          text.toString(true),
          image.toString(),
          'https://example.org/a.ts',
          'untitled',
          files.uri('never.ts').toString(),
        ],
      });
      await stage.dealtWith();
      assert.deepEqual(chips(), [
        ['file', `${place}/a b.txt`],
        ['image', `${place}/one.png`],
      ]);
      const said = stage.panel.notices.join('\n');
      for (const each of [/https:\/\/example\.org\/a\.ts/, /VS Code can open: untitled/, /never\.ts: /])
        assert.match(said, each);
    });

    it('is attached by its content, when that is all there is', async () => {
      stage.panel.tell({ kind: 'attachImage', name: 'Screen.png', mime: 'image/png', data: pixel });
      stage.panel.tell({ kind: 'attachImage', name: 'Fake.png', mime: 'image/png', data: 'AAAA' });
      stage.panel.tell({ kind: 'attachText', name: 'notes.txt', text: 'one\r\ntwo\n' });
      stage.panel.tell({ kind: 'attachText', name: 'empty.txt', text: ' \n' });
      stage.panel.tell({ kind: 'attachText', name: 'long.txt', text: 'x'.repeat(1_000_001) });
      await stage.dealtWith();
      assert.deepEqual(
        stage.draft.attachments
          .map(({ kind, path, text, image }) => [kind, path, text, image])
          .toSorted(([one = ''], [other = '']) => one.localeCompare(other)),
        [
          ['image', 'Screen.png', '', `data:image/png;base64,${pixel}`],
          ['pasted', 'notes.txt', 'one\ntwo\n', undefined],
        ],
      );
      const said = stage.panel.notices.join('\n');
      for (const each of [/Fake\.png: /, /empty\.txt: /, /long\.txt: /]) assert.match(said, each);
    });
  });
});
