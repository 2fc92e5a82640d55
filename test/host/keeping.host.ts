/** Conversations that are long, many, or to be rid of: the end that is seen before the rest is read, and the command that deletes all. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Conversation } from '../../src/core/conversation/conversation.ts';
import { reduce } from '../../src/core/conversation/reduce.ts';
import type { ShownEvent } from '../../src/core/conversation/turnEvent.ts';
import type { Parent } from '../../src/core/conversation/branch.ts';
import { encodeRecord, type JournalRecord } from '../../src/core/journal/record.ts';
import type { KeptQuestion } from '../../src/host/composer/composerStore.ts';
import { deleteEverything } from '../../src/host/history/deleteEverything.ts';
import { FollowedSessions } from '../../src/host/sessions/followedSessions.ts';
import type { ChatSession } from '../../src/host/sessions/session.ts';
import { PanelSessions } from '../../src/host/sessions/panelSessions.ts';
import { DisposableStore } from '../../src/host/disposables.ts';
import type { FollowedJournal } from '../../src/host/journal/followJournal.ts';
import type { Journal } from '../../src/host/journal/journal.ts';
import {
  JournalStore,
  type JournalStorePorts,
  type OpenedJournal,
} from '../../src/host/journal/journalStore.ts';
import type { Log } from '../../src/host/log.ts';
import { answer, gate, startSimulator, text, type Simulator } from '../simulator/main.ts';
import { ChatStage, choice, newLog } from './chatStage.ts';
import { next } from './editsStage.ts';
import { KeptWindow } from './keptStage.ts';

/** A turn, as it is written. */
function turn(n: number, length = 10): readonly ShownEvent[] {
  const of = { turn: `turn ${n}` } as const;
  const question = { text: `Question ${n}?`, attachments: [] };
  return [
    { kind: 'turnStarted', ...of, question, model: 'kimi-k3', effort: 'max', at: n },
    { kind: 'partOpened', ...of, part: '0.0', what: 'answer', at: n },
    { kind: 'textAdded', ...of, part: '0.0', section: 0, text: 'word '.repeat(length) },
    { kind: 'partClosed', ...of, part: '0.0', at: n },
    { kind: 'turnEnded', ...of, end: { kind: 'completed' }, at: n },
  ];
}

/** Of a store that can be written to all the time. */
function quiet(folder: string): JournalStorePorts {
  return { folder, clock: Date.now, onDidFail: () => undefined, onDidRecover: () => undefined };
}

async function write(folder: string, id: string, ...events: readonly ShownEvent[]): Promise<void> {
  const records: readonly JournalRecord[] = [
    { kind: 'conversation', id, at: 1 },
    ...events.map((event) => ({ kind: 'event' as const, event })),
  ];
  await mkdir(join(folder, 'journals'), { recursive: true });
  const lines = records.map((record) => `${encodeRecord(record)}\n`).join('');
  await writeFile(join(folder, 'journals', `${id}.jsonl`), lines);
}

describe('a long conversation', () => {
  let stage: ChatStage;
  beforeEach(async () => {
    stage = await ChatStage.open();
  });
  afterEach(() => stage.close());

  it('has its end in the panel while it is read, and what is done meanwhile is done to it', async () => {
    const { panel, sessions, simulator } = stage;
    await stage.connect();
    const other = sessions.current;
    const end = turn(2).reduce(reduce, { id: 'long', turns: [] });
    sessions.preview(end);
    panel.show();
    await panel.until(({ mirror }) => mirror !== undefined);
    assert.deepEqual(panel.state.mirror?.conversation, end);
    assert.equal(panel.state.mirror.earlier, true);
    panel.ask('And now?');
    await stage.dealtWith();
    assert.deepEqual(other.conversation.turns, []);
    assert.deepEqual(
      stage.intents.map(({ kind }) => kind),
      ['draftChanged'],
    );
    // All of it is there.
    simulator.reply(answer(text('Now.')));
    const whole = [...turn(1), ...turn(2)].reduce(reduce, { id: 'long', turns: [] });
    const session = sessions.window.restore(
      {
        ...{ conversation: whole, history: { groups: [] }, requests: { requests: [], last: [] } },
        ...{ removed: [], reports: [] },
      },
      1,
    );
    sessions.show(session);
    await panel.until(({ mirror }) => mirror?.conversation.turns[2]?.end !== undefined);
    assert.equal(panel.state.mirror.earlier, false);
    assert.deepEqual(
      session.conversation.turns.map(({ question }) => question.text),
      ['Question 1?', 'Question 2?', 'And now?'],
    );
    assert.deepEqual(panel.state.mirror.conversation, session.conversation);
  });

  it('leaves the panel as it was when it could not be read, or a new one was wanted', async () => {
    const { panel, sessions } = stage;
    panel.show();
    await panel.until(({ mirror }) => mirror !== undefined);
    for (const leave of [(): void => sessions.preview(undefined), (): void => sessions.startNew()]) {
      sessions.preview({ id: 'long', turns: [] });
      assert.equal(panel.state.mirror?.conversation.id, 'long');
      leave();
      assert.deepEqual(panel.state.mirror.conversation, sessions.current.conversation);
      assert.equal(panel.state.mirror.earlier, false);
    }
  });
});

describe('what is on its way', () => {
  let stage: ChatStage;
  beforeEach(async () => {
    stage = await ChatStage.open();
    await stage.connect();
    stage.panel.show();
    await stage.panel.until(({ mirror }) => mirror !== undefined);
  });
  afterEach(() => stage.close());

  it('is asked in no other conversation when the one that was being read is not shown', async () => {
    const { panel, sessions } = stage;
    const end = turn(2).reduce(reduce, { id: 'long', turns: [] });
    const leave = [(): void => sessions.preview(undefined), (): void => panel.tell({ kind: 'newChat' })];
    for (const [index, away] of leave.entries()) {
      sessions.preview(end);
      panel.ask('Only of that?');
      panel.tell({ kind: 'deleteTurn', turn: 'turn 2' });
      away();
      await stage.dealtWith();
      assert.equal(sessions.previewed, undefined);
      assert.deepEqual(sessions.current.conversation.turns, []);
      assert.equal(sessions.current.running, false);
      assert.equal(panel.notices.length, index + 1);
      assert.match(panel.notices.at(-1) ?? '', /^This was not asked: .* What you typed is kept\.$/);
      assert.deepEqual([panel.state.draft, stage.draft.text], ['Only of that?', 'Only of that?']);
    }
  });

  it('is not mixed into the end of another conversation that is being read', async () => {
    const { panel, sessions, simulator } = stage;
    simulator.reply(answer(text('One ', gate('a'), 'done.')));
    const end = turn(2).reduce(reduce, { id: 'long', turns: [] });
    panel.ask('First?');
    await stage.dealtWith();
    await simulator.reached('a');
    const { current } = sessions;
    stage.queue.add(current, { id: 'q', text: 'Second?', attachments: [] });
    simulator.reply(answer(text('Two.')));
    sessions.preview(end);
    simulator.open('a');
    while (current.conversation.turns[1]?.end === undefined) await next(current.onDidHappen);
    assert.deepEqual(panel.state.mirror?.conversation, end);
    stage.queue.add(current, { id: 'r', text: 'Third?', attachments: [] });
    stage.queue.pause(current, { kind: 'stopped' });
    panel.hide();
    panel.show();
    assert.deepEqual([panel.state.mirror?.conversation, panel.state.mirror?.queue.questions], [end, []]);
    sessions.preview(undefined);
    assert.deepEqual(panel.state.mirror?.conversation, current.conversation);
    await current.whenIdle();
  });

  it('stays in the composer when its conversation is deleted in the very moment', async () => {
    const { panel, sessions } = stage;
    const { current } = sessions;
    panel.ask('Still there?');
    sessions.window.close(current);
    await stage.dealtWith();
    assert.match(panel.notices.at(-1) ?? '', /^Nothing can be asked in this conversation any more/);
    assert.deepEqual([panel.state.draft, stage.draft.text], ['Still there?', 'Still there?']);
    assert.deepEqual(stage.queue.facts(current), { questions: [] });
  });

  it('waits in its conversation again when that was deleted, and had back', () => {
    const { sessions, queue } = stage;
    const conversation = turn(1).reduce(reduce, { id: 'deleted', turns: [] });
    const seed = {
      ...{ conversation, history: { groups: [] }, requests: { requests: [], last: [] } },
      ...{ removed: [], reports: [] },
    };
    const one = (id: string): KeptQuestion => ({ id, text: `${id}?`, attachments: [] });
    for (const more of [{}, { elsewhere: true }] as const) {
      const session = sessions.window.restore({ ...seed, ...more }, 1);
      queue.add(session, one('before'));
      queue.pause(session, { kind: 'failed' });
      queue.add(session, one('behind'));
      queue.remove(session, 'before');
      sessions.window.close(session);
      assert.deepEqual(queue.facts(session), { questions: [] });
      const back = sessions.window.restore(seed, 1);
      const { questions, paused } = queue.facts(back);
      // What another window has may have changed by then.
      const isOther = 'elsewhere' in more;
      assert.deepEqual(
        questions.map(({ id, removed }) => [id, removed]),
        isOther
          ? [['behind', undefined]]
          : [
              ['before', true],
              ['behind', undefined],
            ],
      );
      assert.equal(paused?.kind, isOther ? 'reloaded' : 'failed');
      queue.take(back, 'behind');
      sessions.window.close(back);
    }
  });

  it('is shown in no panel that is closed by then', () => {
    const { window } = stage.sessions;
    const panel = new PanelSessions(window);
    const session = window.empty();
    panel.dispose();
    panel.show(session);
    panel.preview({ id: 'long', turns: [] });
    assert.deepEqual([window.isShown(session), panel.previewed], [false, undefined]);
  });
});

describe('kept conversations', () => {
  let parent: string;
  let folder: string;
  let simulator: Simulator;
  let log: Log;
  let store: DisposableStore;
  const windows: KeptWindow[] = [];
  before(() => {
    log = newLog();
  });
  after(() => log.dispose());
  beforeEach(async () => {
    store = new DisposableStore();
    parent = await mkdtemp(join(tmpdir(), 'kimi-chat-keeping-'));
    folder = join(parent, 'own', 'conversations');
    simulator = await startSimulator({ auth: 'optional' });
  });
  afterEach(async () => {
    store.dispose();
    for (const window of windows) window.close();
    // Nothing could not be kept.
    assert.deepEqual(
      windows.splice(0).flatMap(({ told }) => told),
      [],
    );
    assert.deepEqual(simulator.violations, []);
    await simulator.close();
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  });

  function make(): KeptWindow {
    const window = new KeptWindow({ folder, url: simulator.url, log });
    windows.push(window);
    return window;
  }

  async function open(): Promise<KeptWindow> {
    const window = make();
    await window.restore();
    return window;
  }

  /** Runs the command; `choose` is told the buttons. */
  async function run(
    { kept, panel }: KeptWindow,
    choose: (buttons: readonly string[]) => string | undefined,
    others: readonly string[] = [],
  ): Promise<readonly string[]> {
    const said: string[] = [];
    await deleteEverything(
      {
        ...{ kept, folder, sessions: panel.window, clock: Date.now, log },
        folders: { others: () => Promise.resolve(others.map((one) => ({ folder: one, name: 'other' }))) },
        forgetAsked: () => said.push('forgotten'),
      },
      {
        ask: (message, detail, ...buttons) => {
          said.push(message, ...detail.split('\n').slice(0, others.length === 0 ? 1 : 2));
          return Promise.resolve(choose(buttons));
        },
        tell: (message) => said.push(message),
        show: () => said.push('list'),
      },
    );
    return said;
  }

  it('come back with their end first where the one that was shown last is long', async () => {
    await write(folder, 'long', ...turn(1, 1_000_000), ...turn(2));
    await writeFile(join(folder, 'index.jsonl'), '{"v":1,"kind":"shown","id":"long"}\n');
    const window = make();
    const { panel } = window;
    const shown: (readonly string[] | undefined)[] = [];
    const note = (conversation: Conversation | undefined): void => {
      shown.push(conversation?.turns.map(({ id }) => id));
    };
    store.add(panel.onDidPreview(() => note(panel.previewed)));
    store.add(panel.onDidChangeCurrent(({ conversation }) => note(conversation)));
    await window.restore();
    assert.deepEqual(shown, [['turn 2'], ['turn 1', 'turn 2']]);
    assert.equal(panel.previewed, undefined);
  });

  it('stay where they are followed when they are deleted, said so, and are taken over when that is undone', async function () {
    this.timeout(20_000);
    simulator.reply(answer(text('Four.')));
    const first = await open();
    const original = first.panel.current;
    original.ask('Two and two?', [], choice);
    await original.whenIdle();
    await first.kept.whenKept(original);
    const { id } = original.conversation;
    const second = make();
    void second.restore();
    const followed = (await second.kept.open(id)) ?? assert.fail();
    second.panel.show(followed);
    assert.deepEqual([followed.elsewhere, followed.deletedElsewhere], [true, false]);
    const journal = join(folder, 'journals', `${id}.jsonl`);
    const lines = await readFile(journal);
    const gone = next(followed.onDidReplace);
    await rm(journal);
    await gone;
    assert.deepEqual([followed.elsewhere, followed.deletedElsewhere], [true, true]);
    assert.equal(followed.conversation.turns.length, 1);
    const copy = second.kept.copyOfFollowed(followed) ?? assert.fail();
    assert.equal(copy.takesQuestions, true);
    const back = next(followed.onDidReplace);
    first.kept.closeNow();
    await writeFile(journal, lines);
    await back;
    while (followed.elsewhere) await next(followed.onDidReplace);
    assert.deepEqual([followed.takesQuestions, followed.deletedElsewhere], [true, false]);
  });

  it('are kept from nobody when they are let go of in the moment in which they became free', async () => {
    await write(folder, 'a', ...turn(1));
    const { panel } = await open();
    const { state } = (await new JournalStore(quiet(folder)).load('a')) ?? assert.fail();
    assert.ok(state !== undefined);
    const closed: string[] = [];
    const opened = Promise.withResolvers<OpenedJournal>();
    let broken = (): void => undefined;
    const followed = store.add(
      new FollowedSessions({
        store: {
          readOn: (_id, _next, ports) => {
            broken = () => ports.onDidBreak();
            return { dispose: () => undefined } as FollowedJournal;
          },
          open: () => opened.promise,
          isFree: () => Promise.resolve(false),
          close: (id) => {
            closed.push(id);
            return Promise.resolve();
          },
        },
        ...{ sessions: panel.window, takeOver: () => assert.fail('nobody is there for it'), log },
      }),
    );
    const session = followed.follow({ state, next: 0 });
    broken();
    followed.letGo(session);
    opened.resolve({ kind: 'open', state, journal: {} as Journal, damaged: 0, written: 0 });
    await opened.promise;
    await new Promise(setImmediate);
    assert.deepEqual(closed, ['a']);
  });

  it('are followed as long as a version of them is shown', async function () {
    this.timeout(20_000);
    const { panel } = await open();
    const { window } = panel;
    const there = {
      readOn: () => ({ dispose: () => undefined }) as FollowedJournal,
      isFree: () => Promise.resolve(false),
    };
    const never = (): Promise<never> => Promise.reject(new Error('it is not free'));
    const followed = store.add(
      new FollowedSessions({
        store: { ...there, open: never, close: never },
        ...{ sessions: window, takeOver: () => assert.fail('it is not free'), log },
      }),
    );
    const follow = async (id: string, parent?: Parent): Promise<ChatSession> => {
      await write(folder, id, ...turn(1), ...turn(2));
      const { state } = (await new JournalStore(quiet(folder)).load(id)) ?? assert.fail();
      assert.ok(state !== undefined);
      return followed.follow({ state: { ...state, ...(parent !== undefined && { parent }) }, next: 0 });
    };
    const first = await follow('a');
    const version = await follow('b', { conversation: 'a', turn: 'turn 2', kind: 'version' });
    const other = await follow('c');
    const tab = store.add(new PanelSessions(window));
    tab.show(other);
    panel.show(first);
    panel.show(version);
    const gone = next(window.onDidClose);
    tab.startNew();
    assert.equal(await gone, other);
    assert.deepEqual([window.find('a'), window.find('b')], [first, version]);
    const all = next(window.onDidClose, () => window.all.every(({ elsewhere }) => !elsewhere));
    panel.startNew();
    await all;
  });

  it('are deleted when that was confirmed, and it is said what was; what is being answered stays', async () => {
    await write(folder, 'a', ...turn(1, 300_000));
    await write(folder, 'b', ...turn(2));
    const window = await open();
    const { kept, panel } = window;
    const opened = await kept.open('b');
    assert.ok(opened !== undefined);
    panel.show(opened);
    const asked = ['Delete all conversations for good?', 'This workspace: 2 conversations (1.5 MB)'];
    assert.deepEqual(await run(window, () => undefined), asked);
    // What has the cursor deletes nothing.
    assert.deepEqual(await run(window, ([first]) => first), [...asked, 'list']);
    assert.equal((await kept.store.list()).length, 2);
    simulator.reply(answer(text('One ', gate('half'), 'two.')));
    panel.startNew();
    const running = panel.current;
    running.ask('Running?', [], choice);
    await simulator.reached('half');
    await kept.whenKept(running);
    await kept.store.delete('a');
    await kept.store.restore('a');
    panel.show(opened);
    const said = await run(window, (buttons) => {
      assert.equal(buttons.length, 2);
      return buttons[1];
    });
    assert.deepEqual(said, [
      asked[0],
      'This workspace: 3 conversations (1.5 MB)',
      'forgotten',
      'Deleted: 2 conversations (1.5 MB). 1 conversation stays: it is being answered, has a patch that waits, or is open in another window.',
    ]);
    assert.deepEqual(
      (await kept.store.list()).map(({ id }) => id),
      [running.conversation.id],
    );
    // What was shown is gone from the panel, too.
    assert.deepEqual(panel.current.conversation.turns, []);
    simulator.open('half');
    await running.whenIdle();
    assert.equal(running.conversation.turns[0]?.end?.kind, 'completed');
  });

  it('are deleted in other workspaces when that is wanted, but for what is open there', async () => {
    const other = join(parent, 'other', 'conversations');
    await write(folder, 'a', ...turn(1));
    for (const id of ['b', 'c', 'd']) await write(other, id, ...turn(1));
    await mkdir(join(parent, 'other', 'composer'));
    await writeFile(join(parent, 'other', 'composer', 'asked.json'), '["secret"]');
    const there = new JournalStore({
      ...{
        folder: other,
        clock: Date.now,
        onDidFail: () => assert.fail('it can be written'),
        onDidRecover: () => assert.fail('it could be written all the time'),
      },
    });
    store.add({ dispose: () => there.closeNow() });
    assert.equal((await there.open('d')).kind, 'open');
    const said = await run(await open(), (buttons) => buttons[2], [other]);
    assert.match(said[1] ?? '', /^This workspace: 1 conversation \(0\.\d+ MB\)$/);
    assert.match(said[2] ?? '', /^Other workspaces: 3 conversations \(0\.\d+ MB\)$/);
    assert.match(said[4] ?? '', /^Deleted: 3 conversations \(\S+ MB\)\. 1 conversation stays/);
    assert.equal(await readFile(join(parent, 'other', 'composer', 'asked.json'), 'utf8'), '[]');
    assert.deepEqual(
      (await there.list()).map(({ id }) => id),
      ['d'],
    );
  });
});
