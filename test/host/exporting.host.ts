/** Conversations to a file and from one, through the editor's own file system, into another workspace's folder. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { lstat, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as vscode from 'vscode';

import { defaultPrices } from '../../src/core/cost/prices.ts';
import { exportConversation, type ExportForm } from '../../src/host/history/exportConversation.ts';
import {
  importConversation,
  type ImportConversationParts,
} from '../../src/host/history/importConversation.ts';
import type { Log } from '../../src/host/log.ts';
import { saveExport } from '../../src/host/saveExport.ts';
import { answer, startSimulator, text, type Simulator } from '../simulator/main.ts';
import { chip, choice, lastTurn, newLog } from './chatStage.ts';
import { FaultyFiles } from './filesFaulty.ts';
import { KeptWindow } from './keptStage.ts';

class Window extends KeptWindow {
  readonly notices: string[] = [];
}

const key = 'sk-test-0123456789abcdef';

describe('conversations in files', () => {
  let parent: string;
  let simulator: Simulator;
  let log: Log;
  const windows: Window[] = [];
  before(() => {
    log = newLog();
  });
  after(() => log.dispose());
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'kimi-chat-files-'));
    simulator = await startSimulator({
      auth: 'optional',
      mind: ({ index }) => answer(text(`Answer ${index + 1}.`)),
    });
  });
  afterEach(async () => {
    for (const window of windows.splice(0)) window.close();
    assert.deepEqual(simulator.violations, []);
    await simulator.close();
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  });

  function open(name: string): Window {
    const window = new Window({ folder: join(parent, name), url: simulator.url, log });
    void window.restore();
    windows.push(window);
    return window;
  }

  async function ask({ panel }: Window, question: string): Promise<void> {
    assert.ok(panel.current.ask(question, [chip('a')], choice));
    await panel.current.whenIdle();
  }

  /** A question, and another version of it that is shown. */
  async function asked(window: Window): Promise<void> {
    await ask(window, 'Why?');
    await ask(window, `And with ${key}?`);
    const { current } = window.panel;
    const seed = current.seed(lastTurn(current).id, 'version');
    assert.ok(seed);
    window.panel.show(window.sessions.branch(seed));
    await ask(window, 'And how?');
  }

  async function exported(window: Window, form: ExportForm, fails = false): Promise<string> {
    const { sessions, kept, panel, told } = window;
    const place = vscode.Uri.file(join(parent, fails ? 'missing/deep' : '', `exported.${form}`));
    if (fails) await writeFile(join(parent, 'missing'), 'a file');
    await exportConversation(
      panel.current.conversation.id,
      {
        ...{ sessions, store: kept.store, log, clock: Date.now, settings: { prices: defaultPrices } },
        withoutKeys: (all) => all.replaceAll(key, '••••••••'),
      },
      {
        form: () => Promise.resolve(form),
        where: (_form, name) => {
          assert.match(name, /^(?:Why|kimi-chat)$/);
          return Promise.resolve(place);
        },
        tell: (message) => told.push(message),
      },
    );
    return fails ? '' : await readFile(place.fsPath, 'utf8').catch(() => '');
  }

  async function imported(
    window: Window,
    content: string | Uint8Array,
    kept: ImportConversationParts['kept'] = window.kept,
  ): Promise<void> {
    const { panel, told, notices } = window;
    const file = join(parent, `${randomUUID()}.json`);
    await writeFile(file, content);
    await importConversation(
      {
        ...{ log, newId: randomUUID, clock: Date.now },
        ...(kept !== undefined && { kept }),
        panel: () => ({
          sessions: panel,
          view: {
            focus: () => Promise.resolve(),
            post: (notice) => notices.push(notice.text),
          },
        }),
        tell: (message) => told.push(message),
      },
      () => Promise.resolve(vscode.Uri.file(file)),
    );
  }

  it('come back whole, with their versions, and go on', async () => {
    const before = open('one');
    await asked(before);
    const content = await exported(before, 'json');
    assert.ok(!content.includes(key));
    const after = open('two');
    await imported(after, content);
    assert.deepEqual(after.told, []);
    assert.equal(after.notices.length, 1);
    const { current } = after.panel;
    assert.deepEqual(
      current.conversation.turns.map(({ question, parts }) => [
        question.text,
        ...parts.flatMap((part) => (part.kind === 'answer' ? part.sections : [])),
      ]),
      [
        ['Why?', 'Answer 1.'],
        ['And how?', 'Answer 3.'],
      ],
    );
    assert.deepEqual(
      after.panel.versions.map(({ versions }) => versions.length),
      [2],
    );
    assert.notEqual(current.conversation.id, before.panel.current.conversation.id);
    assert.equal((await after.kept.store.list()).length, 2);
    // The model knows all of it, and is told once where it comes from.
    await ask(after, 'More?');
    const { body } = await simulator.request(3);
    assert.match(
      JSON.stringify(body['input']),
      /Answer 1\..*And how\?.*Answer 3\..*another workspace.*More\?/s,
    );
    // It is kept as any other.
    const again = open('three');
    await imported(again, content);
    await imported(again, content);
    assert.equal((await again.kept.store.list()).length, 4);
  });

  it('leave nothing on the disk where not all of them could be kept', async () => {
    const before = open('one');
    await asked(before);
    const content = await exported(before, 'json');
    const after = open('two');
    const { store } = after.kept;
    let count = 0;
    // As on a disk that is full before the second one is written.
    const begin: typeof store.begin = (...begun) => {
      const journal = store.begin(...begun);
      count += 1;
      return count === 1 ? journal : Object.defineProperty(journal, 'isKept', { value: false });
    };
    const full = {
      begin,
      setTitle: store.setTitle.bind(store),
      close: store.close.bind(store),
      discard: store.discard.bind(store),
    };
    await imported(after, content, { open: (id) => after.kept.open(id), store: full });
    assert.match(after.told.join(), /could not be saved, and was not imported/);
    assert.equal(count, 2);
    assert.deepEqual(await readdir(join(parent, 'two/journals')), []);
    assert.ok(!(await readdir(join(parent, 'two'))).includes('trash'));
  });

  it('can be read as Markdown, with all versions, times and costs', async () => {
    const window = open('one');
    await asked(window);
    const content = await exported(window, 'markdown');
    assert.match(content, /^# Why\?\n\n_Kimi Chat · .*20\d\d.* tokens in, .* out · ≈ \$0\.\d+_\n/);
    assert.match(content, /## Question\n\n.*`a\.ts`\n\nWhy\?\n\n## Answer\n\nAnswer 1\./);
    assert.match(
      content,
      /Answer 3\.[^]*# Another version, from question 2 on[^]*And with ••••••••\?[^]*Answer 2\./,
    );
    assert.equal(content.match(/Answer 1\./g)?.length, 1);
  });

  it('are refused with what is wrong, and nothing is kept of them', async () => {
    const window = open('one');
    await imported(window, '# A Markdown file');
    await imported(window, new Uint8Array([0xff, 0xfe, 0x00]));
    await imported(window, '{"some":"thing"}');
    await imported(window, '{"format":"kimi-chat-conversations","version":99}');
    await imported(window, '{"format":"kimi-chat-conversations","version":1,"conversations":[{"id":7}]}');
    assert.deepEqual(
      window.told.map(
        (message) =>
          /not JSON|not a conversation|newer version|damaged.*: look at (.*)\.$/.exec(message)?.[0],
      ),
      [
        'not JSON',
        'not JSON',
        'not a conversation',
        'newer version',
        'damaged, and nothing was imported: look at shown.',
      ],
    );
    assert.deepEqual(await window.kept.store.list(), []);
    assert.equal(window.panel.current.conversation.turns.length, 0);
  });

  it('are written piece by piece, as a whole or not at all', async () => {
    const file = join(parent, 'some.json');
    const there = join(parent, 'link.json');
    await writeFile(file, 'before');
    await symlink(file, there);
    const uri = vscode.Uri.file(there);
    const pieces = function* (): Generator<string, void> {
      for (let at = 0; at < 6; at++) yield 'x'.repeat(300_000);
    };
    let asked = 0;
    const isCancelled = (): boolean => (asked += 1) > 4;
    assert.equal(await saveExport(uri, pieces(), { mark: false, isCancelled }), false);
    assert.equal(await readFile(file, 'utf8'), 'before');
    await assert.rejects(
      saveExport(
        uri,
        (function* () {
          yield* pieces();
          throw new Error('no more');
        })(),
        { mark: false },
      ),
      /no more/,
    );
    assert.equal(await readFile(file, 'utf8'), 'before');
    assert.equal(await saveExport(uri, pieces(), { mark: true }), true);
    assert.equal(await readFile(file, 'utf8'), `\uFEFF${'x'.repeat(1_800_000)}`);
    assert.ok((await lstat(there)).isSymbolicLink());
    assert.deepEqual((await readdir(parent)).toSorted(), ['link.json', 'some.json']);
  });

  it('are written where no disk of this machine is, and it is known when there is no room', async () => {
    const files = new FaultyFiles();
    try {
      const uri = files.put('some.json', 'before');
      const text = ['x'.repeat(300_000), 'y'];
      const isCancelled = (): boolean => true;
      assert.equal(await saveExport(uri, text, { mark: false, isCancelled }), false);
      assert.deepEqual(files.content, { 'some.json': 'before' });
      assert.equal(await saveExport(uri, text, { mark: false }), true);
      assert.deepEqual(files.content, { 'some.json': text.join('') });
      files.capacity = 100_000;
      await assert.rejects(saveExport(uri, text, { mark: false }), /Not all/);
    } finally {
      files.dispose();
    }
  });

  it('say so when nothing can be written, or there is nothing', async () => {
    const window = open('one');
    assert.equal(await exported(window, 'json'), '');
    await ask(window, 'Why?');
    await exported(window, 'json', true);
    assert.match(window.told.join('\n'), /nothing to export[^]*could not be written/);
    assert.ok(!(await readdir(parent)).includes('exported.json'));
  });
});
