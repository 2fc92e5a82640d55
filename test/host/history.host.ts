/** What is done with kept conversations: listed, named, pinned, deleted and had back, copied from another workspace, let go of and read again. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';

import { applyPatchTool } from '../../src/core/tools/applyPatch.ts';
import { AnswerDocuments } from '../../src/host/chat/answerDocuments.ts';
import { ComposerStore } from '../../src/host/composer/composerStore.ts';
import {
  deleteConversation,
  historyProblemText,
  pinConversation,
  renameConversation,
} from '../../src/host/history/historyChanges.ts';
import { HistoryClosing } from '../../src/host/history/historyClosing.ts';
import type { HistoryEntry } from '../../src/host/history/historyEntries.ts';
import { HistoryFolders } from '../../src/host/history/historyFolders.ts';
import { historyItem } from '../../src/host/history/historyItems.ts';
import { HistoryList } from '../../src/host/history/historyList.ts';
import { RecentConversations } from '../../src/host/history/historyRecent.ts';
import { openConversation } from '../../src/host/history/openConversation.ts';
import { Queue } from '../../src/host/chat/queue.ts';
import type { ChatSession } from '../../src/host/sessions/session.ts';
import { DisposableStore } from '../../src/host/disposables.ts';
import type { Log } from '../../src/host/log.ts';
import { OwnStorage } from '../../src/host/ownStorage.ts';
import {
  answer,
  applyPatch,
  gate,
  startSimulator,
  text,
  type Reply,
  type Simulator,
} from '../simulator/main.ts';
import { choice, lastTurn, newLog, parts } from './chatStage.ts';
import { next, Stage } from './editsStage.ts';
import { KeptWindow, type KeptWindowOptions } from './keptStage.ts';

interface Window extends Pick<KeptWindow, 'kept' | 'sessions' | 'panel'> {
  readonly folder: string;
  readonly list: HistoryList;
  readonly notices: string[];
  readonly store: DisposableStore;
}

describe('the conversations that are kept', () => {
  let parent: string;
  let simulator: Simulator;
  let log: Log;
  let folders: HistoryFolders;
  let stage: Stage | undefined;
  const windows: Window[] = [];
  before(() => {
    log = newLog();
  });
  after(() => log.dispose());
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'kimi-chat-history-'));
    folders = new HistoryFolders(new OwnStorage(join(parent, 'workspaces'), log));
  });
  afterEach(async () => {
    for (const { store } of windows.splice(0)) store.dispose();
    await stage?.close();
    stage = undefined;
    assert.deepEqual(simulator.violations, []);
    await simulator.close();
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  });

  const serve = async (...script: readonly Reply[]): Promise<void> => {
    simulator = await startSimulator({ auth: 'optional', script });
  };

  /** A window over a workspace of this name. */
  async function open(name = 'shop', tools: KeptWindowOptions['tools'] = []): Promise<Window> {
    const folder = join(parent, name, 'conversations');
    const store = new DisposableStore();
    const keptWindow = new KeptWindow({ folder, url: simulator.url, log, tools });
    store.add({ dispose: () => keptWindow.close() });
    const { kept, sessions, panel } = keptWindow;
    await keptWindow.restore();
    await folders.register({ folder, name }, 1);
    const list = new HistoryList({ sessions, kept, folder, folders, clock: Date.now });
    const window = { folder, kept, sessions, panel, list, notices: [], store };
    windows.push(window);
    return window;
  }

  function partsOf({ kept, sessions, panel, folder, notices }: Window) {
    const view = {
      focus: () => Promise.resolve(),
      post: (notice: { readonly text: string }) => void notices.push(notice.text),
    };
    return {
      ...{ kept, sessions, folder, folders, log },
      panel: () => ({ sessions: panel, view }),
      clock: Date.now,
    };
  }

  async function ask(session: ChatSession, question: string): Promise<ChatSession> {
    assert.ok(session.ask(question, [], choice));
    await session.whenIdle();
    return session;
  }

  /** In a conversation of its own. */
  async function askAnew({ panel }: Window, question: string): Promise<ChatSession> {
    panel.startNew();
    return await ask(panel.current, question);
  }

  const one = async ({ list, panel }: Window, title: string): Promise<HistoryEntry> => {
    const all = await list.own(panel.current);
    return all.find((entry) => entry.title === title) ?? assert.fail(`${title} is not listed`);
  };
  const titles = async ({ list }: Window): Promise<readonly string[]> =>
    (await list.own()).map(({ title }) => title).toSorted();

  it('are named and pinned with all their versions, in the next window too', async () => {
    await serve(answer(text('Four.')), answer(text('Five.')));
    const first = await open();
    const root = await askAnew(first, 'Two and two?');
    const version = first.sessions.branch(root.seed(lastTurn(root).id, 'version') ?? assert.fail());
    await ask(version, 'Two and three?');
    first.panel.show(version);
    const asked: (string | undefined)[] = [];
    const named = await renameConversation(await one(first, 'Two and three?'), first, ({ value }) => {
      asked.push(value);
      return Promise.resolve(` Sums ${'x'.repeat(300)}`);
    });
    assert.deepEqual([named, asked], [undefined, ['Two and three?']]);
    assert.equal(await pinConversation(await one(first, `Sums ${'x'.repeat(195)}`), first), undefined);
    first.store.dispose();
    const second = await open();
    const [entry, ...others] = await second.list.own();
    assert.deepEqual([entry?.title.slice(0, 6), entry?.pinned.length, others], ['Sums x', 1, []]);
    assert.ok(entry !== undefined);
    assert.equal(await pinConversation(entry, second), undefined);
    assert.equal(await renameConversation(entry, second, () => Promise.resolve('')), undefined);
    assert.deepEqual((await one(second, 'Two and three?')).pinned, []);
    assert.equal(await renameConversation(entry, second, () => Promise.resolve(undefined)), undefined);
  });

  it('are deleted at once and can be had back, shown as before', async () => {
    await serve(answer(text('Four.')), answer(text('Five.')));
    const window = await open();
    await askAnew(window, 'Other?');
    const session = await askAnew(window, 'Two and two?');
    const before = session.conversation;
    let undo: (button: string | undefined) => void = () => undefined;
    const chosen = new Promise<string | undefined>((resolve) => (undo = resolve));
    const told: string[] = [];
    const gone = await deleteConversation(await one(window, 'Two and two?'), partsOf(window), (message) => {
      told.push(message);
      return chosen;
    });
    assert.deepEqual([gone, told], [undefined, ['The conversation was deleted.']]);
    assert.deepEqual(await titles(window), ['Other?']);
    assert.deepEqual(window.panel.current.conversation.turns, []);
    assert.equal(window.sessions.find(before.id), undefined);
    const shown = next(window.panel.onDidChangeCurrent, ({ conversation }) => conversation.id === before.id);
    undo('Undo');
    await shown;
    assert.deepEqual(window.panel.current.conversation, before);
    assert.deepEqual(await titles(window), ['Other?', 'Two and two?']);
  });

  it('are deleted also while they are being read to be shown', async () => {
    await serve(answer(text('Four.')));
    const first = await open();
    const { id } = (await askAnew(first, 'Two and two?')).conversation;
    first.panel.startNew();
    assert.ok(await first.kept.close([first.sessions.find(id) ?? assert.fail()], () => true));
    const opening = first.kept.open(id);
    const told: string[] = [];
    const gone = await deleteConversation(
      await one(first, 'Two and two?'),
      partsOf(first),
      async (message) => {
        told.push(message);
        return await Promise.resolve(undefined);
      },
    );
    assert.deepEqual([gone, told], [undefined, ['The conversation was deleted.']]);
    assert.equal((await opening)?.isClosed, true);
    assert.deepEqual(await titles(first), []);
  });

  it('go without a word where nothing was asked in them since they were forked', async () => {
    await serve(answer(text('Four.')));
    const window = await open();
    const session = await askAnew(window, 'Two and two?');
    const fork = window.sessions.branch(session.seed(lastTurn(session).id, 'fork') ?? assert.fail());
    window.panel.show(fork);
    const entries = await window.list.own(fork);
    const entry = entries.find(({ isForked, isShown }) => isForked && isShown) ?? assert.fail();
    const gone = await deleteConversation(entry, partsOf(window), () => assert.fail('told'));
    assert.equal(gone, undefined);
    assert.deepEqual(window.panel.current.conversation.turns, []);
    assert.deepEqual(await titles(window), ['Two and two?']);
  });

  it('are not deleted while something goes on in them that would be lost', async () => {
    await serve(answer(gate('slow'), text('Four.')));
    const other = await open();
    const window = await open();
    const { current } = window.panel;
    current.ask('Two and two?', [], choice);
    await simulator.reached('slow');
    const entry = await one(window, 'Two and two?');
    assert.equal(entry.state, 'answering');
    const problem = await deleteConversation(entry, partsOf(window), () => assert.fail('told'));
    assert.equal(problem, 'running');
    assert.match(historyProblemText(problem), /^The conversation is being answered\./);
    simulator.open('slow');
    await current.whenIdle();
    assert.deepEqual(parts(lastTurn(window.panel.current)), ['answer: Four.']);
    const busy = await deleteConversation(await one(other, 'Two and two?'), partsOf(other), () =>
      assert.fail('told'),
    );
    assert.equal(busy, 'busy');
    assert.equal((await titles(window)).length, 1);
  });

  it('of other workspaces are listed with these, and go on here as copies', async function () {
    this.timeout(10_000);
    stage = await Stage.open();
    const { files, review, board } = stage.review;
    await serve(
      answer(
        applyPatch(`*** Begin Patch\n*** Add File: ${stage.path('new.txt').relative}\n+new\n*** End Patch\n`),
      ),
      answer(text('It is there.')),
    );
    const site = await open('site', [applyPatchTool(files, review)]);
    const { current: original } = site.panel;
    const waits = next(
      original.onDidHappen,
      () =>
        original.conversation.turns[0]?.parts.some(
          (part) => part.kind === 'tool' && part.proposal !== undefined,
        ) === true,
    );
    original.ask('Make a file', [], choice);
    await waits;
    assert.equal(board.waiting.length, 1);
    const before = original.conversation;
    const journal = join(site.folder, 'journals', `${before.id}.jsonl`);
    await site.kept.whenKept(original);
    const written = await readFile(journal, 'utf8');
    const shop = await open('shop');
    assert.deepEqual(await titles(shop), []);
    const [entry, ...others] = await shop.list.others();
    assert.deepEqual([entry?.title, entry?.place?.name, others], ['Make a file', 'site', []]);
    assert.ok(entry !== undefined);
    const shopParts = partsOf(shop);
    const { view } = shopParts.panel();
    const shownAtFocus: string[] = [];
    const focus = async (): Promise<void> => {
      shownAtFocus.push(shop.panel.current.conversation.id);
      await view.focus();
    };
    const panel = () => ({ sessions: shop.panel, view: { ...view, focus } });
    const shownBefore = shop.panel.current.conversation.id;
    await openConversation(entry, { ...shopParts, panel }, shop.list);
    const copy = shop.panel.current;
    assert.deepEqual(shownAtFocus, [shownBefore], 'nobody is called back by the end of the reading');
    assert.notEqual(copy.conversation.id, before.id);
    const [part] = lastTurn(copy).parts;
    assert.ok(part?.kind === 'tool');
    assert.deepEqual(
      part.proposal?.files.map(({ state }) => state),
      ['cancelled'],
    );
    assert.match(shop.notices.join(), /^This is a copy/);
    await ask(copy, 'Is it there?');
    const { bodyText } = await simulator.request(1);
    assert.match(bodyText, /begun in another workspace/);
    // What it says itself of its patch may have come to it meanwhile; nothing of the copy does.
    const later = await readFile(journal, 'utf8');
    assert.ok(later.startsWith(written) && !later.includes('Is it there?'));
    assert.deepEqual(await titles(shop), ['Make a file']);
    original.stop();
    await original.whenIdle();
  });

  it('are let go of when nobody looks at them, and are as they were when they are wanted', async () => {
    await serve(...Array.from({ length: 9 }, (_, at) => answer(text(`${at}.`))), answer(text('More.')));
    const window = await open();
    const queued = new Set<ChatSession>();
    const { kept, sessions, panel } = window;
    const closing = new HistoryClosing({
      ...{ sessions, kept, log },
      queue: {
        facts: (session) => ({
          questions: queued.has(session) ? [{ id: 'q', text: 'q', attachments: [] }] : [],
        }),
      },
    });
    const asked: ChatSession[] = [];
    for (let at = 0; at < 9; at++) asked.push(await askAnew(window, `Question ${at}?`));
    const [first, second] = asked;
    assert.ok(first !== undefined && second !== undefined);
    queued.add(second);
    const before = first.conversation;
    await closing.closeIdle();
    closing.dispose();
    assert.deepEqual(
      sessions.all.flatMap(({ conversation }) => conversation.turns.map(({ question }) => question.text)),
      [1, 4, 5, 6, 7, 8].map((at) => `Question ${at}?`),
    );
    assert.equal((await titles(window)).length, 9);
    // An answer that is still looked at in an editor is there again with its conversation.
    const scheme = `history-${randomUUID()}`;
    const documents = window.store.add(
      new AnswerDocuments(
        {
          find: (id) => sessions.find(id),
          onDidChangeVersions: sessions.onDidChangeVersions,
          reopen: (id) => kept.open(id),
        },
        scheme,
      ),
    );
    const query = new URLSearchParams({ conversation: before.id, turn: before.turns[0]?.id ?? '' });
    const uri = vscode.Uri.from({ scheme, path: '/answer.md', query: query.toString() });
    assert.equal(await documents.provideTextDocumentContent(uri), '0.\n');
    const again = sessions.find(before.id) ?? assert.fail();
    assert.notEqual(again, first);
    assert.deepEqual(again.conversation, before);
    panel.show(again);
    await ask(again, 'More?');
    assert.deepEqual(again.conversation.turns.length, 2);
    assert.equal(first.ask('Late?', [], choice), false, 'what was let go of asks nothing');
  });

  it('say on which day they changed where no heading does, and leave room for what they are waiting for', () => {
    const now = new Date(2026, 10, 30, 15).getTime();
    const yesterday = new Date(2026, 10, 29, 15, 22).getTime();
    const entry: HistoryEntry = {
      ...{ id: 'a', root: 'a', members: ['a'], pinned: [], title: 'x'.repeat(90), changedAt: yesterday },
      ...{ questions: 1, isForked: false, isShown: false, state: 'waiting' },
    };
    const said = (one: HistoryEntry, isFiltered = false): string => {
      const item = historyItem({ kind: 'entry', entry: one }, { now, isFiltered, actions: new Set() });
      return `${item.label.length} ${item.description ?? ''}`.replaceAll('\u202F', ' ');
    };
    assert.equal(said(entry), '61 waiting for you · 1 question · 3:22 PM');
    assert.equal(said(entry, true), '90 waiting for you · 1 question · Sun, Nov 29');
    assert.equal(said({ ...entry, pinned: ['a'] }), '61 waiting for you · 1 question · Sun, Nov 29');
    const place = { folder: '/elsewhere', name: 'elsewhere' };
    assert.equal(said({ ...entry, place }), '61 waiting for you · 1 question · Sun, Nov 29');
  });

  it('that changed last are known to a panel that shows none', async () => {
    await serve(...Array.from({ length: 4 }, (_, at) => answer(text(`${at}.`))));
    const window = await open();
    const recent = window.store.add(new RecentConversations({ ...partsOf(window), log }));
    for (let at = 0; at < 4; at++) await askAnew(window, `Question ${at}?\nMore`);
    const found = new Promise<void>((resolve) => {
      window.store.add(
        recent.onDidChange(() => {
          if (recent.current.length === 3) resolve();
        }),
      );
    });
    window.panel.startNew();
    await found;
    assert.deepEqual(
      recent.current.map(({ title }) => title),
      ['Question 3?', 'Question 2?', 'Question 1?'],
    );
  });

  it('say in such a panel that a question waits in them, as soon as it does', async () => {
    await serve(answer(text('Four.')));
    const window = await open();
    const session = await ask(window.panel.current, 'Two and two?');
    window.panel.startNew();
    const composer = window.store.add(new ComposerStore(new OwnStorage(undefined, log)));
    const queue = window.store.add(new Queue(composer, window.panel));
    const recent = window.store.add(new RecentConversations({ ...partsOf(window), queue, log }));
    await recent.whenLooked();
    const states = (): readonly unknown[] => recent.current.map(({ title, state }) => [title, state]);
    assert.deepEqual(states(), [['Two and two?', undefined]]);
    queue.add(session, { id: 'q', text: 'And three?', attachments: [] });
    queue.pause(session, { kind: 'reloaded' });
    await recent.whenLooked();
    assert.deepEqual(states(), [['Two and two?', 'waiting']]);
    queue.take(session, 'q');
    await recent.whenLooked();
    assert.deepEqual(states(), [['Two and two?', undefined]]);
  });
});
