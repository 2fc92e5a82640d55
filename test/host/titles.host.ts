/** Titles by the model: one request after the first answer, what it costs, and what it does when it can't. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { ModelId } from '../../src/core/conversation/conversation.ts';
import { sumOf } from '../../src/core/cost/bill.ts';
import type { SpendingLimits } from '../../src/core/cost/limits.ts';
import { defaultPrices } from '../../src/core/cost/prices.ts';
import { Titles } from '../../src/host/sessions/titles.ts';
import { Ledger } from '../../src/host/cost/ledger.ts';
import { SentRequests } from '../../src/host/cost/sentRequests.ts';
import { SpendingGate } from '../../src/host/cost/spendingGate.ts';
import { DisposableStore } from '../../src/host/disposables.ts';
import type { Log } from '../../src/host/log.ts';
import {
  answer,
  gate,
  reasoning,
  refuse,
  startSimulator,
  text,
  type Reply,
  type Simulator,
} from '../simulator/main.ts';
import { choice, lastTurn, newLog } from './chatStage.ts';
import { KeptWindow } from './keptStage.ts';

const titled = (title: string): Reply => answer(reasoning('Hm.'), text(JSON.stringify({ title })));

interface Window extends Pick<KeptWindow, 'kept' | 'sessions' | 'panel'> {
  readonly titles: Titles;
  readonly ledger: Ledger;
  close(): void;
}

interface WindowOptions {
  readonly titles?: 'model' | 'firstWords';
  readonly limits?: SpendingLimits;
}

describe('titles by the model', () => {
  let parent: string;
  let simulator: Simulator;
  let log: Log;
  const windows: Window[] = [];
  before(() => {
    log = newLog();
  });
  after(() => log.dispose());
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'kimi-chat-titles-'));
  });
  afterEach(async () => {
    for (const window of windows.splice(0)) window.close();
    assert.deepEqual(simulator.violations, []);
    await simulator.close();
    // The list of conversations may just be written.
    await rm(parent, { recursive: true, force: true, maxRetries: 5 });
  });

  const serve = async (...script: readonly Reply[]): Promise<void> => {
    simulator = await startSimulator({ auth: 'optional', script });
  };

  function open({ titles: how = 'model', limits = {} }: WindowOptions = {}): Window {
    const store = new DisposableStore();
    const ports = { clock: Date.now, newId: randomUUID, log };
    const ledger = new Ledger({ folder: undefined, clock: Date.now, onFailure: () => undefined, log });
    const settings = { choice, prices: defaultPrices, limits, titles: how };
    const spending = store.add(
      new SpendingGate({
        ...{ settings, ledger, ...ports },
        paidRequests: (id) => sessions.paidRequests(id),
        start: () => ({ instructions: '' }),
      }),
    );
    const keptWindow: KeptWindow = new KeptWindow({
      folder: join(parent, 'conversations'),
      ...{ url: simulator.url, log },
      admit: (request, session) => spending.admit(request, session),
    });
    const { kept, sessions, panel, model } = keptWindow;
    const titles = store.add(
      new Titles({ ...{ sessions, store: kept.store, settings, gate: spending, model }, ...ports }),
    );
    void keptWindow.restore();
    const close = (): void => {
      kept.closeNow();
      store.dispose();
      keptWindow.close();
    };
    const window = { kept, sessions, panel, titles, ledger, close };
    windows.push(window);
    return window;
  }

  async function ask({ panel, titles }: Window, question: string, model?: ModelId): Promise<void> {
    assert.ok(panel.current.ask(question, [], { ...choice, ...(model !== undefined && { model }) }));
    await panel.current.whenIdle();
    await titles.whenIdle();
  }

  function titleIn({ kept, panel }: Window): string | undefined {
    return kept.store.titleOf(panel.current.conversation.id)?.text;
  }

  it('come once, after the first answer, by a request of the strict kind that the bill tells of', async () => {
    await serve(answer(text('The loop.')), titled('Wrong cart total'), answer(text('Yes.')));
    const window = open();
    await ask(window, 'Why is the total wrong?');
    assert.equal(titleIn(window), 'Wrong cart total');
    const { body } = await simulator.request(1);
    assert.deepEqual(body['reasoning'], { effort: 'low' });
    assert.equal(body['tools'], undefined);
    assert.match(JSON.stringify(body['text']), /"json_schema".*"strict":true/);
    assert.match(JSON.stringify(body['input']), /Why is the total wrong\?.*The loop\./);

    const { conversation } = window.panel.current;
    const [turn] = conversation.turns;
    assert.ok(turn?.naming?.usage);
    assert.equal(turn.requests.length, 1);
    // It is counted with the conversation, and today.
    const all = window.sessions.paidRequests(conversation.id).all;
    assert.deepEqual(all, [...turn.requests, turn.naming]);
    const { money } = sumOf(all, defaultPrices);
    assert.ok(money > sumOf(turn.requests, defaultPrices).money);
    assert.ok(Math.abs(window.ledger.today().money - money) < 1e-9);
    assert.equal(window.ledger.today().counted, 2);

    await ask(window, 'Are you sure?');
    assert.equal(simulator.requests.length, 3);
    const [listed] = await window.kept.store.list();
    assert.deepEqual(listed?.title, { text: 'Wrong cart total', by: 'model' });
    assert.equal(listed.usage[0]?.requests, 3);
  });

  it('can be looked at as they were asked for', async () => {
    await serve(answer(text('The loop.')), titled('Wrong cart total'));
    const window = open();
    await ask(window, 'Why is the total wrong?');
    const scheme = `kimi-titles-${randomUUID()}`;
    const sent = new SentRequests(
      (id) => window.sessions.find(id),
      (shown) => shown,
      scheme,
    );
    try {
      const { id } = window.panel.current.conversation;
      assert.ok(await sent.openNaming(id, lastTurn(window.panel.current).id));
      assert.equal(await sent.openNaming(id, 'nobody'), false);
      const { document } = (await import('vscode')).window.activeTextEditor!;
      const shown = JSON.parse(document.getText()) as { request: { body: unknown } };
      assert.deepEqual(shown.request.body, (await simulator.request(1)).body);
    } finally {
      sent.dispose();
    }
  });

  it('are not asked for where nobody wants them, where the model has none, and where they would cost too much', async () => {
    const so = answer(text('So.'));
    await serve(so, so, answer(text('So', gate('half'), '.')), so);
    const byHand = open({ titles: 'firstWords' });
    await ask(byHand, 'First?');
    byHand.close();
    const old = open();
    old.panel.startNew();
    await ask(old, 'Second?', 'kimi-k3');
    old.close();
    const limits: { conversation?: number } = {};
    const limited = open({ limits });
    limited.panel.startNew();
    assert.ok(limited.panel.current.ask('Third?', [], choice));
    await simulator.reached('half');
    // The answer takes all there is.
    limits.conversation = 0.000_001;
    simulator.open('half');
    await limited.panel.current.whenIdle();
    assert.equal(lastTurn(limited.panel.current).end?.kind, 'completed');
    await limited.titles.whenIdle();
    limited.close();
    const asked = open({ limits: { confirmAbove: 0.000_001 } });
    asked.panel.startNew();
    await ask(asked, 'Fourth?');
    assert.equal(simulator.requests.length, 4);
    for (const window of [byHand, old, limited, asked]) {
      assert.equal(window.panel.current.conversation.turns.at(-1)?.naming, undefined);
    }
  });

  it('that could not be had are asked for no second time, and say nothing', async () => {
    await serve(
      answer(text('One.')),
      refuse(500, { message: 'm', type: 'server_error' }),
      answer(text('Two.')),
    );
    const window = open();
    await ask(window, 'First?');
    assert.equal(titleIn(window), undefined);
    const [turn] = window.panel.current.conversation.turns;
    assert.deepEqual([turn?.naming?.usage, turn?.naming?.endedAt !== undefined], [null, true]);
    await ask(window, 'Second?');
    assert.equal(simulator.requests.length, 3);
  });

  it('wait for an answer that came to its end', async () => {
    await serve(
      refuse(400, { message: 'm', type: 'invalid_request_error' }),
      answer(text('Two.')),
      titled('The second'),
    );
    const window = open();
    await ask(window, 'First?');
    assert.equal(simulator.requests.length, 1);
    await ask(window, 'Second?');
    assert.equal(titleIn(window), 'The second');
  });

  it('are nothing against what the person called it meanwhile', async () => {
    await serve(
      answer(text('One.')),
      answer(text('{"title":', gate('half'), '"By the model"}')),
      answer(text('Two.')),
    );
    const window = open();
    const { current } = window.panel;
    assert.ok(current.ask('First?', [], choice));
    await simulator.reached('half');
    await window.kept.store.setTitle(current.conversation.id, { text: 'Mine', by: 'person' });
    // The next question need not wait for it.
    assert.ok(current.ask('Second?', [], choice));
    await current.whenIdle();
    simulator.open('half');
    await window.titles.whenIdle();
    assert.equal(titleIn(window), 'Mine');
    assert.ok(current.conversation.turns[0]?.naming?.usage);
  });

  it('hold for what branches off, and are paid once', async () => {
    await serve(
      answer(text('One.')),
      titled('The first'),
      answer(text('Two.')),
      answer(text('Other.')),
      titled('Another'),
    );
    const window = open();
    await ask(window, 'First?');
    const { current: original } = window.panel;
    const fork = original.seed(lastTurn(original).id, 'fork');
    assert.ok(fork);
    window.panel.show(window.sessions.branch(fork));
    await ask(window, 'More?');
    assert.equal(titleIn(window), 'The first');
    assert.equal(simulator.requests.length, 3);
    const paid = window.sessions.paidRequests(window.panel.current.conversation.id);
    assert.equal(paid.beforeFork.length, 2);
    assert.equal(paid.all.length, 1);
    // Another first question is about something else.
    const version = original.seed(lastTurn(original).id, 'version');
    assert.ok(version);
    window.panel.show(window.sessions.branch(version));
    await ask(window, 'Something else?');
    assert.equal(titleIn(window), 'Another');
  });

  it('that the end of the window cut off are of unknown cost', async () => {
    await serve(answer(text('One.')), answer(text('{"title":', gate('half'), '"Late"}')));
    const first = open();
    assert.ok(first.panel.current.ask('First?', [], choice));
    await simulator.reached('half');
    await first.kept.whenKept(first.panel.current);
    first.close();
    const second = open();
    await second.sessions.whenRestored;
    const [turn] = second.panel.current.conversation.turns;
    assert.deepEqual([turn?.naming?.usage, turn?.naming?.endedAt !== undefined], [null, true]);
    assert.equal(titleIn(second), undefined);
  });
});
