/** After a hundred turns, however they ended, nothing more is held than after one; after the end, nothing at all. */
import assert from 'node:assert/strict';

import { applyPatchTool } from '../../src/core/tools/applyPatch.ts';
import { ChatSession } from '../../src/host/sessions/session.ts';
import {
  answer,
  applyPatch,
  cutSocket,
  endEarly,
  failed,
  incomplete,
  reasoning,
  refuse,
  resetConnection,
  startSimulator,
  text,
  type Reply,
} from '../simulator/main.ts';
import { ChatStage, choice, clientAt, lastTurn, newLog, noKeys, sessionPorts } from './chatStage.ts';
import { Census } from './leaksCensus.ts';

const turns = 100;

const seed = Number(process.env['FC_SEED'] ?? Date.now()) >>> 0;

describe(`what is held (seed ${seed})`, () => {
  let census: Census;
  let random: () => number;
  before(() => {
    random = generator(seed);
  });
  beforeEach(() => {
    census = new Census();
  });
  afterEach(() => census.close());

  const oneOf = <T>(things: readonly T[]): T => things[Math.floor(random() * things.length)]!;
  const words = (): string => 'word '.repeat(1 + Math.floor(random() * 200));
  const patch = '*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch';
  const anyReply = (): Reply =>
    oneOf<() => Reply>([
      () => answer(reasoning(words(), words()), text(words())),
      () => answer(text(words())),
      () => answer(reasoning(words()), applyPatch(patch)),
      () => answer(reasoning(words()), text(words(), cutSocket)),
      () => answer(text(words(), endEarly)),
      () => answer(text(words(), incomplete())),
      () => answer(text(words()), failed('No')),
      () =>
        refuse(429, { message: 'Slow down', type: 'rate_limit_error', code: null }, { 'retry-after': '0' }),
      () => refuse(500, { message: 'No', type: 'server_error', code: null }),
      () => resetConnection,
    ])();

  it(`does not grow over ${turns} turns of a conversation, nor stay when it ends`, async function grow() {
    this.timeout(120_000);
    const log = newLog();
    const simulator = await startSimulator({ mind: anyReply, auth: 'optional' });
    const before = census.now;
    const tool = applyPatchTool(
      {
        roots: () => [{ name: 'corner-shop', path: '/corner-shop', caseInsensitive: false }],
        read: () => Promise.resolve({ kind: 'missing' }),
      },
      { review: () => Promise.resolve({ files: [{ kind: 'rejected' }] }) },
    );
    const session = new ChatSession(sessionPorts(clientAt(simulator.url, noKeys, log), log, [tool]));
    const idle = census.now;
    const ends = new Set<string>();
    for (let turn = 0; turn < turns; turn += 1) {
      let countDown = random() < 0.5 ? Math.floor(random() * 20) : Infinity;
      const listener = session.onDidHappen(() => {
        countDown -= 1;
        if (countDown < 0) session.stop();
      });
      const last = session.conversation.turns.at(-1);
      const goesOn = last?.end !== undefined && last.end.kind !== 'completed' && random() < 0.5;
      assert.ok(goesOn ? session.resume(last.id, choice) : session.ask(words(), [], choice));
      await session.whenIdle();
      listener.dispose();
      ends.add(lastTurn(session).end?.kind ?? 'none');
      assert.deepEqual(census.now, idle, `after turn ${turn}, which ended as ${lastTurn(session).end?.kind}`);
    }
    await simulator.allSocketsClosed();
    assert.deepEqual([...ends].toSorted(), ['completed', 'failed', 'incomplete', 'stopped']);
    assert.deepEqual(simulator.violations, []);
    session.dispose();
    assert.deepEqual(census.now, before);
    await simulator.close();
    log.dispose();
  });

  it('does not grow while the panel comes and goes, and nothing is held after the end', async function panel() {
    this.timeout(120_000);
    const before = census.now;
    const stage = await ChatStage.open({ simulator: { mind: anyReply } });
    await stage.connect();
    const { panel: shown, sessions, simulator } = stage;
    const round = async (): Promise<void> => {
      shown.show();
      shown.ask(`${words()}?`);
      await stage.dealtWith();
      if (random() < 0.5) shown.hide();
      if (random() < 0.5) shown.tell({ kind: 'stop' });
      if (random() < 0.3) shown.dispose();
      shown.show();
      await sessions.current.whenIdle();
      await upToDate(stage);
      shown.hide();
      await stage.dealtWith();
      // A turn that was stopped at once leaves its key being looked up; keys are answered in their order.
      await stage.facts.readKey();
      // What is kept a moment later is no leak.
      await stage.composerStore.flush();
      await stage.along.whenShown();
      await stage.history.recent.whenLooked();
      stage.intents.length = 0;
    };
    await round();
    const after = census.now;
    for (let turn = 1; turn < turns / 2; turn += 1) {
      await round();
      assert.deepEqual(census.now, after, `after turn ${turn}`);
    }
    await simulator.allSocketsClosed();
    assert.deepEqual(simulator.violations, []);
    await stage.close();
    assert.deepEqual(census.now, before);
  });

  it('does not grow while conversations are switched', async () => {
    const stage = await ChatStage.open({ simulator: { mind: () => answer(text('Fine.')) } });
    await stage.connect();
    const { sessions, panel } = stage;
    panel.show();
    const both: ChatSession[] = [];
    for (const question of ['First?', 'Second?']) {
      sessions.startNew();
      both.push(sessions.current);
      sessions.current.ask(question, [], choice);
      await sessions.current.whenIdle();
    }
    await upToDate(stage);
    await stage.along.whenShown();
    const held = census.now;
    for (let switched = 0; switched < turns; switched += 1) {
      sessions.show(both[switched % 2]!);
      assert.deepEqual(panel.state.mirror?.conversation, sessions.current.conversation);
    }
    await stage.along.whenShown();
    assert.deepEqual(census.now, held);
    await stage.close();
  });

  it('is counted at all', async () => {
    const before = census.now;
    const stage = await ChatStage.open();
    await stage.along.whenShown();
    const { owned, listeners } = census.now;
    assert.ok(owned > before.owned + 20, `${owned} owned`);
    assert.ok(listeners > before.listeners + 4, `${listeners} listeners`);
    stage.sessions.current.onDidHappen(() => {});
    assert.equal(census.now.listeners, listeners + 1);
    const timer = setTimeout(() => {}, 60_000);
    assert.equal(census.now.timers, before.timers + 1);
    clearTimeout(timer);
    assert.equal(census.now.timers, before.timers);
    await stage.close();
  });
});

/** Resolves when the panel shows all that has happened. */
async function upToDate({ panel, sessions }: ChatStage): Promise<void> {
  const { conversation } = sessions.current;
  await panel.until(({ mirror }) => mirror?.conversation.turns.length === conversation.turns.length);
  await panel.until(({ mirror }) => mirror?.conversation.turns.at(-1)?.end !== undefined);
  assert.deepEqual(panel.state.mirror?.conversation, conversation);
}

/** Mulberry32: small, and good enough to choose among replies. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
