/** Conversations that are long, many, or to be rid of: the end that is seen before the rest is read, and the command that deletes all. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Conversation } from '../../src/core/conversation/conversation.ts';
import { reduce } from '../../src/core/conversation/reduce.ts';
import type { ShownEvent } from '../../src/core/conversation/turnEvent.ts';
import { encodeRecord, type JournalRecord } from '../../src/core/journal/record.ts';
import { deleteEverything } from '../../src/host/chat/deleteEverything.ts';
import { KeptSessions } from '../../src/host/chat/keptSessions.ts';
import { PanelSessions } from '../../src/host/chat/panelSessions.ts';
import { Sessions } from '../../src/host/chat/sessions.ts';
import { DisposableStore } from '../../src/host/disposables.ts';
import { JournalStore } from '../../src/host/journal/journalStore.ts';
import type { Log } from '../../src/host/log.ts';
import { answer, gate, startSimulator, text, type Simulator } from '../simulator/main.ts';
import { ChatStage, choice, clientAt, newLog, noKeys, sessionPorts } from './chatStage.ts';

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
    assert.deepEqual([other.conversation.turns, stage.intents], [[], []]);
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
    assert.deepEqual(panel.state.mirror.earlier, undefined);
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
      assert.equal(panel.state.mirror.earlier, undefined);
    }
  });
});

describe('kept conversations', () => {
  let parent: string;
  let folder: string;
  let simulator: Simulator;
  let log: Log;
  let store: DisposableStore;
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
    assert.deepEqual(simulator.violations, []);
    await simulator.close();
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  });

  function make(): { readonly kept: KeptSessions; readonly panel: PanelSessions } {
    const kept = store.add(
      new KeptSessions({
        folder,
        clock: Date.now,
        newId: randomUUID,
        log,
        tell: (text) => assert.fail(text),
      }),
    );
    const ports = sessionPorts(clientAt(simulator.url, noKeys, log), log, []);
    const panel = store.add(new PanelSessions(store.add(new Sessions({ ...ports, keeper: kept }))));
    store.add({ dispose: () => kept.closeNow() });
    return { kept, panel };
  }

  async function open(): Promise<ReturnType<typeof make>> {
    const { kept, panel } = make();
    const { whenAll } = kept.restore(panel);
    await panel.window.whenRestored;
    await whenAll;
    return { kept, panel };
  }

  /** Runs the command; `choose` is told the buttons. */
  async function run(
    { kept, panel }: Awaited<ReturnType<typeof open>>,
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
      },
    );
    return said;
  }

  it('come back with their end first where the one that was shown last is long', async () => {
    await write(folder, 'long', ...turn(1, 1_000_000), ...turn(2));
    await writeFile(join(folder, 'index.jsonl'), '{"v":1,"kind":"shown","id":"long"}\n');
    const { kept, panel } = make();
    const shown: (readonly string[] | undefined)[] = [];
    const note = (conversation: Conversation | undefined): void => {
      shown.push(conversation?.turns.map(({ id }) => id));
    };
    store.add(panel.onDidPreview(() => note(panel.previewed)));
    store.add(panel.onDidChangeCurrent(({ conversation }) => note(conversation)));
    const { whenAll } = kept.restore(panel);
    await panel.window.whenRestored;
    await whenAll;
    assert.deepEqual(shown, [['turn 2'], ['turn 1', 'turn 2']]);
    assert.equal(panel.previewed, undefined);
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
      assert.equal(buttons.length, 1);
      return buttons[0];
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
    const said = await run(await open(), (buttons) => buttons[1], [other]);
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
