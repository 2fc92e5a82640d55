import assert from 'node:assert/strict';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText } from 'ai';
import fc from 'fast-check';

import {
  billOf,
  cachedShare,
  moneyOf,
  requestIndex,
  requestsOf,
  sumOf,
  tokensOf,
  paidFor,
} from '../../../src/core/cost/bill.ts';
import { defaultPrices } from '../../../src/core/cost/prices.ts';
import { models, type ModelId } from '../../../src/core/responses/models.ts';
import type { Usage } from '../../../src/core/responses/usage.ts';
import { seed } from '../../simulator/arbitraries.ts';
import { record, running, turn, usage } from './records.ts';

const pro = 'kimi-k3.1-pro';
const told = usage(1000, { cached: 512, cacheWrite: 256, output: 100, reasoning: 60 });

const anyUsage: fc.Arbitrary<Usage> = fc
  .record({
    parts: fc.tuple(fc.nat(1_000_000), fc.nat(1_000_000), fc.nat(1_000_000)),
    output: fc.tuple(fc.nat(100_000), fc.nat(100_000)),
  })
  .map(({ parts: [regular, cached, cacheWrite], output: [reasoning, visible] }) => ({
    input: regular + cached + cacheWrite,
    cached,
    cacheWrite,
    output: reasoning + visible,
    reasoning,
  }));

describe('cost/bill', () => {
  before(() => console.log(`      seed ${seed}`));

  describe('counts tokens by how they are billed', () => {
    it('takes cache reads and writes out of the regular input of the K3.1 series', () => {
      for (const model of ['kimi-k3.1-pro', 'kimi-k3.1-pro-highspeed'] as const) {
        assert.deepEqual(tokensOf(model, told), {
          input: 1000,
          regular: 232,
          cached: 512,
          cacheWrite: 256,
          output: 100,
          reasoning: 60,
          visible: 40,
        });
      }
    });

    it('takes only cache reads out of the regular input of K3, even when it tells of writes', () => {
      const { regular, cached, cacheWrite } = tokensOf('kimi-k3', told);
      assert.deepEqual([regular, cached, cacheWrite], [488, 512, 0]);
    });

    it('does the arithmetic of the K3.1 series as the AI SDK does', async () => {
      const openai = createOpenAI({
        apiKey: 'none',
        fetch: () =>
          Promise.resolve(
            Response.json({
              id: 'resp_1',
              created_at: 0,
              model: pro,
              output: [
                {
                  type: 'message',
                  role: 'assistant',
                  id: 'msg_1',
                  content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
                },
              ],
              usage: {
                input_tokens: 1000,
                input_tokens_details: { cached_tokens: 512, cache_write_tokens: 256 },
                output_tokens: 100,
                output_tokens_details: { reasoning_tokens: 60 },
              },
            }),
          ),
      });
      const { usage: other } = await generateText({ model: openai.responses(pro), prompt: 'Hi' });
      const own = tokensOf(pro, told);
      assert.deepEqual(
        {
          input: other.inputTokens,
          regular: other.inputTokenDetails.noCacheTokens,
          cached: other.inputTokenDetails.cacheReadTokens,
          cacheWrite: other.inputTokenDetails.cacheWriteTokens,
          output: other.outputTokens,
          reasoning: other.outputTokenDetails.reasoningTokens,
          visible: other.outputTokenDetails.textTokens,
        },
        own,
      );
    });

    it('adds up: the parts of the input to the input, those of the output to the output', () => {
      fc.assert(
        fc.property(anyUsage, fc.constantFrom(...models), (given, { id }) => {
          const { input, regular, cached, cacheWrite, output, reasoning, visible } = tokensOf(id, given);
          assert.equal(regular + cached + cacheWrite, input);
          assert.equal(reasoning + visible, output);
          assert.ok(cachedShare({ input, cached }) <= 1);
        }),
        { seed },
      );
    });

    it('never goes below zero, whatever a service tells', () => {
      const odd = usage(10, { cached: 20, cacheWrite: 5, output: 3, reasoning: 7 });
      const { regular, visible } = tokensOf(pro, odd);
      assert.deepEqual([regular, visible], [0, 0]);
      assert.equal(cachedShare(odd), 1);
      assert.equal(cachedShare(usage(0)), 0);
    });
  });

  describe('counts money', () => {
    const million = 1_000_000;
    const tokens = tokensOf(
      pro,
      usage(3 * million, { cached: million, cacheWrite: million, output: million, reasoning: million }),
    );

    it('at the price of each kind, reasoning not twice', () => {
      assert.equal(moneyOf(tokens, defaultPrices[pro], '5m'), 2 + 0.2 + 2 + 10);
    });

    it('at the dear price for what the service says that it keeps for an hour, and only then', () => {
      assert.equal(moneyOf(tokens, defaultPrices[pro], '1h'), 2 + 0.2 + 4 + 10);
      for (const said of [undefined, '', 'soon', '0h', '300s'])
        assert.equal(moneyOf(tokens, defaultPrices[pro], said), 2 + 0.2 + 2 + 10, said);
    });

    it('without cache writes for K3', () => {
      const k3 = tokensOf('kimi-k3', usage(3 * million, { cached: million, cacheWrite: million }));
      assert.equal(moneyOf(k3, { ...defaultPrices['kimi-k3'], cacheWrite1h: 100 }, '1h'), 2 * 3 + 0.3);
    });
  });

  describe('tells what is known of a request', () => {
    it('what was told', () => {
      const bill = billOf(record({ usage: told }), defaultPrices);
      assert.equal(bill.kind, 'told');
      assert.ok(bill.isEstimate);
      assert.ok(Math.abs(bill.money - (232 * 2 + 512 * 0.2 + 256 * 2 + 100 * 10) / 1e6) < 1e-12);
    });

    it('unknown is not zero, unbilled is', () => {
      assert.deepEqual(billOf(record({ usage: null }), defaultPrices), { kind: 'unknown' });
      assert.deepEqual(billOf(record({ usage: null, unbilled: true }), defaultPrices), { kind: 'unbilled' });
      assert.deepEqual(billOf(record(), defaultPrices), { kind: 'unknown' });
      assert.deepEqual(billOf(running(), defaultPrices), { kind: 'running' });
    });

    it('nothing of a model that is no longer in the table', () => {
      const gone = record({ usage: told, model: 'kimi-k2' as ModelId, expectedInput: 1_000_000 });
      assert.deepEqual(billOf(gone, defaultPrices), { kind: 'unknown' });
      const { money, unknown, reckoned } = sumOf([gone], defaultPrices);
      assert.deepEqual([money, unknown, reckoned], [0, 1, 0]);
    });

    it('what naming a conversation took is paid for with the turn, and is none of its requests', () => {
      const [request, naming] = [record(), record({ usage: told })];
      const own = turn([request]);
      assert.deepEqual(paidFor(own), [request]);
      const named = { ...own, naming };
      assert.deepEqual(paidFor(named), [request, naming]);
      assert.deepEqual(requestsOf({ id: 'c', turns: [named] }), [request]);
    });

    it('sums over models, each at its own prices, and counts apart what nobody told', () => {
      const requests = [
        record({ usage: told }),
        record({ usage: told, model: 'kimi-k3' }),
        record({ usage: null, expectedInput: 500_000 }),
        record({ usage: null, unbilled: true, expectedInput: 500_000 }),
        running({ model: 'kimi-k3', expectedInput: 1_000_000 }),
        running(),
      ];
      const sum = sumOf(requests, defaultPrices);
      const { tokens, money, ...counts } = sum;
      assert.deepEqual(counts, {
        isEstimate: true,
        told: 2,
        unknown: 1,
        reckoned: 1 + 3,
        unbilled: 1,
        running: 2,
      });
      assert.deepEqual(tokens, {
        input: 2000,
        regular: 232 + 488,
        cached: 1024,
        cacheWrite: 256,
        output: 200,
        reasoning: 120,
        visible: 80,
      });
      const k3 = (488 * 3 + 512 * 0.3 + 100 * 15) / 1e6;
      assert.ok(Math.abs(money - k3 - (232 * 2 + 512 * 0.2 + 256 * 2 + 100 * 10) / 1e6) < 1e-12);
      assert.deepEqual(
        requestsOf({ id: 'c', turns: [turn(requests.slice(0, 2)), turn(requests.slice(2))] }),
        requests,
      );
    });

    it('numbers the requests of a conversation', () => {
      const [one, two] = [turn([record(), record()]), turn([record(), record(), record()])];
      const conversation = {
        id: 'c',
        turns: [
          { ...one, id: 'one' },
          { ...two, id: 'two' },
        ],
      };
      assert.equal(requestIndex(conversation, 'one', 1), 1);
      assert.equal(requestIndex(conversation, 'two', 0), 2);
      assert.equal(requestIndex(conversation, 'two', 2), 4);
      for (const [id, index] of [
        ['two', 3],
        ['one', -1],
        ['three', 0],
      ] as const)
        assert.equal(requestIndex(conversation, id, index), undefined);
    });

    it('is no estimate with the person’s own prices, and nothing is one of nothing', () => {
      const own = { ...defaultPrices, [pro]: { ...defaultPrices[pro], isEstimate: false } };
      assert.equal(sumOf([record({ usage: told })], own).isEstimate, false);
      assert.equal(sumOf([], defaultPrices).isEstimate, false);
    });
  });
});
