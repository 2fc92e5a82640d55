/** Counting, explaining and reckoning against the simulated service, which counts, caches and forgets by its own rules. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { requestsOf, sumOf } from '../../src/core/cost/bill.ts';
import { calibrate, Estimator, noCalibration, type CountedRequest } from '../../src/core/cost/estimate.ts';
import { forecast } from '../../src/core/cost/forecast.ts';
import { defaultPrices } from '../../src/core/cost/prices.ts';
import { cacheReason, turnStory, type CacheReason } from '../../src/core/cost/why.ts';
import type { Conversation, RequestRecord } from '../../src/core/conversation/conversation.ts';
import { emptyConversation, reduce } from '../../src/core/conversation/reduce.ts';
import { emptyHistory, reduceHistory } from '../../src/core/conversation/history.ts';
import { emptyRequestLog } from '../../src/core/conversation/requestLog.ts';
import type { Admission, NextRequest, TurnSpec } from '../../src/core/conversation/turn.ts';
import { isShown } from '../../src/core/conversation/turnEvent.ts';
import type { RequestBody } from '../../src/core/responses/wire.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import { answer, functionCall, reasoning, startSimulator, text, type Simulator } from '../simulator/main.ts';
import { clientFor } from '../support/client.ts';
import { ask, ports, run } from '../support/turns.ts';

const minute = 60_000;
const code = readFileSync(join(import.meta.dirname, '../../src/core/conversation/turn.ts'), 'utf8');

/** Answers with a piece of code that is another one each time. */
function reader(): Tool {
  let from = 0;
  return {
    declaration: {
      type: 'function',
      name: 'read_file',
      description: 'Reads a file.',
      parameters: { type: 'object', properties: { path: { type: 'string' } } },
      strict: false,
    },
    run: () => {
      from += 700;
      return Promise.resolve({ kind: 'done', text: code.slice(from, from + 1500) });
    },
  };
}

/** A conversation with the simulated service, at times that the test chooses. */
class Talk {
  now = Date.UTC(2026, 10, 30);
  /** What was reckoned before each request. */
  readonly reckoned: { readonly tokens: number; readonly least: number; readonly most: number }[] = [];
  conversation: Conversation = emptyConversation('c');
  history = emptyHistory();
  requests = emptyRequestLog();
  simulator!: Simulator;
  readonly #estimator = new Estimator();
  #calibration = noCalibration;
  #sent: CountedRequest[] = [];

  static async open(): Promise<Talk> {
    const talk = new Talk();
    talk.simulator = await startSimulator({ now: () => talk.now });
    return talk;
  }

  async turn(question: string, tools: readonly Tool[], more: Partial<TurnSpec> = {}): Promise<void> {
    const { history, requests } = this;
    const spec = ask(question, {
      turn: `turn-${this.conversation.turns.length}`,
      history,
      requests,
      ...more,
    });
    let body: RequestBody | undefined;
    let records: readonly RequestRecord[] = requestsOf(this.conversation);
    const turnPorts = {
      ...ports(clientFor(this.simulator.url), tools),
      clock: () => this.now,
      admit: ({ body: next, beginning }: NextRequest): Admission => {
        body = next;
        const { tokens } = this.#estimator.inputTokens(next, this.#calibration, this.#sent.at(-1));
        const { money } = forecast({
          model: next.model,
          effort: spec.effort,
          input: tokens,
          beginning,
          before: records,
          cacheTtl: next.prompt_cache_options?.ttl,
          now: this.now,
          prices: defaultPrices,
        });
        this.reckoned.push({ tokens, least: money.least, most: money.most });
        return { kind: 'go', expectedInput: tokens };
      },
    };
    let conversation = this.conversation;
    const outcome = await run(turnPorts, spec, this.conversation, (event) => {
      if (isShown(event)) conversation = reduce(conversation, event);
      records = requestsOf(conversation);
      if (event.kind !== 'requestEnded' || event.usage === null || body === undefined) return;
      this.#sent.push({ body, usage: event.usage });
      this.#calibration = calibrate(this.#calibration, this.#estimator.weight(body), event.usage.input);
    });
    ({ conversation: this.conversation, history: this.history, requests: this.requests } = outcome);
  }

  get records(): readonly RequestRecord[] {
    return requestsOf(this.conversation);
  }

  /** Why the last request found what it found. */
  get reason(): CacheReason {
    return cacheReason(this.records.at(-1)!, this.records.slice(0, -1));
  }
}

describe('what a conversation costs, beside the service’s own figures', () => {
  const long = 'Which of these lines rounds the total, and what would happen without it? '.repeat(20);
  let talk: Talk;
  beforeEach(async () => {
    talk = await Talk.open();
  });
  afterEach(async () => {
    assert.deepEqual(talk.simulator.violations, []);
    await talk.simulator.close();
  });

  it('is reckoned within 5 % once a request was counted, over rounds of tools', async () => {
    const tools = [reader()];
    for (let turn = 0; turn < 4; turn++) {
      talk.simulator.reply(
        answer(
          reasoning('I should read it. '.repeat(10)),
          functionCall('read_file', { path: 'src/cart.ts' }),
        ),
        answer(
          functionCall('read_file', { path: 'src/tax.ts' }),
          functionCall('read_file', { path: 'b.ts' }),
        ),
        answer(reasoning('So that is why.'), text('It is rounded in `cart.ts`. '.repeat(15))),
      );
      await talk.turn(long, tools);
    }
    assert.equal(talk.records.length, 12);
    for (const [index, { usage, expectedInput }] of talk.records.entries()) {
      assert.ok(usage);
      near(expectedInput, usage.input, index === 0 ? 0.3 : 0.05);
      assert.ok(expectedInput === talk.reckoned[index]?.tokens);
    }
  });

  it('is billed by what the service told, every token once, and within what was forecast', async () => {
    for (let turn = 0; turn < 3; turn++) {
      talk.simulator.reply(answer(reasoning('Hm. '.repeat(40)), text('Because. '.repeat(40))));
      await talk.turn(long, [], { cacheTtl: '1h' });
      talk.now += minute;
    }
    const { tokens, money, told, unknown } = sumOf(talk.records, defaultPrices);
    assert.deepEqual([told, unknown], [3, 0]);
    assert.equal(tokens.regular + tokens.cached + tokens.cacheWrite, tokens.input);
    assert.ok(tokens.cached > 0 && tokens.cacheWrite > 0);
    // The service said that it keeps for an hour what it wrote, and the dear price is taken for it.
    const millionths = tokens.regular * 2 + tokens.cached * 0.2 + tokens.cacheWrite * 4 + tokens.output * 10;
    assert.ok(Math.abs(money - millionths / 1e6) < 1e-9);
    const last = sumOf(talk.records.slice(-1), defaultPrices).money;
    const forecasted = talk.reckoned.at(-1);
    assert.ok(forecasted !== undefined && forecasted.least <= last * 1.05 && last <= forecasted.most * 1.05);
  });

  it('is explained: found, run out, another model, another effort, something left out', async () => {
    const say = async (more: Partial<TurnSpec> = {}): Promise<CacheReason['kind']> => {
      talk.simulator.reply(answer(text('Because. '.repeat(40))));
      await talk.turn(`${talk.records.length}. ${long}`, [], more);
      const cached = talk.records.at(-1)?.usage?.cached ?? 0;
      assert.equal(cached > 0, talk.reason.kind === 'found', `${talk.reason.kind} with ${cached} cached`);
      return talk.reason.kind;
    };
    assert.equal(await say(), 'first');
    talk.now += minute;
    assert.equal(await say(), 'found');
    talk.now += 6 * minute;
    assert.equal(await say(), 'expired');
    talk.now += minute;
    assert.equal(await say({ model: 'kimi-k3.1-pro-highspeed' }), 'changed');
    assert.deepEqual(talk.reason, { kind: 'changed', by: 'model', same: 0, of: 5 });
    assert.equal(await say({ model: 'kimi-k3.1-pro-highspeed', effort: 'low' }), 'changed');
    assert.equal(await say({ model: 'kimi-k3.1-pro-highspeed', effort: 'low', cacheTtl: '1h' }), 'found');
    talk.now += 30 * minute;
    assert.equal(await say({ model: 'kimi-k3.1-pro-highspeed', effort: 'low', cacheTtl: '1h' }), 'found');
    talk.history = reduceHistory(talk.history, { kind: 'contextCut', turn: 'turn-0', cut: { whole: true } });
    assert.equal(await say({ model: 'kimi-k3.1-pro-highspeed', effort: 'low' }), 'changed');
    assert.equal(talk.reason.kind === 'changed' && talk.reason.by, 'input');
    const story = turnStory(talk.conversation.turns[2]!, talk.records.slice(0, 2));
    assert.equal(story?.reason.kind, 'expired');
    assert.equal(story.cached, 0);
  });
});

function near(tokens: number | undefined, real: number, share: number): void {
  assert.ok(
    tokens !== undefined && Math.abs(tokens - real) <= real * share,
    `${tokens} is not within ${share * 100} % of ${real}`,
  );
}
