/** Usage follows from what was sent: tokens, and which of them the server had seen in the last minutes. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { seed } from './arbitraries.ts';
import { cacheStep, PrefixCache } from './cache.ts';
import { answer, reasoning, startSimulator, text, applyPatch, type Simulator } from './main.ts';
import { renderPrompt } from './prompt.ts';
import { ask, jsonOf, outputOf, responseOf } from './rawClient.ts';
import { countTokens, tokenize } from './tokens.ts';
import { isJsonObject, type JsonObject } from './wire.ts';

const minute = 60_000;

describe('the tokenizer', () => {
  before(() => console.log(`      seed ${seed}`));

  it('loses nothing and never cuts a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (given) => {
        const tokens = tokenize(given);
        assert.equal(tokens.join(''), given);
        for (const token of tokens) assert.ok(token.isWellFormed());
      }),
      { seed },
    );
  });

  it('changes at most the last token when text is added', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (start, more) => {
        const before = tokenize(start).slice(0, -1);
        assert.deepEqual(tokenize(start + more).slice(0, before.length), before);
      }),
      { seed },
    );
  });

  it('counts words, numbers and characters plausibly', () => {
    assert.equal(countTokens(''), 0);
    assert.equal(countTokens('The loop stops'), 3);
    assert.equal(countTokens('上下文缓存'), 5);
    assert.equal(countTokens('131072'), 2);
  });
});

describe('the prefix cache', () => {
  let now = 0;
  const words = (count: number, word = 'a') => `${word} `.repeat(count);
  const tokensOf = (prompt: string) => countTokens(prompt);
  let cache: PrefixCache;

  beforeEach(() => {
    now = 1_000_000;
    cache = new PrefixCache(() => now);
  });

  it('writes the full steps of a new prompt and reads them the next time', () => {
    const prompt = words(300);
    const full = Math.floor(tokensOf(prompt) / cacheStep) * cacheStep;
    assert.deepEqual(cache.take('k', prompt, '5m'), { tokens: tokensOf(prompt), cached: 0, written: full });
    assert.deepEqual(cache.take('k', prompt, '5m'), { tokens: tokensOf(prompt), cached: full, written: 0 });
  });

  it('reads nothing below one step', () => {
    cache.take('k', words(50), '5m');
    assert.deepEqual(cache.take('k', words(50), '5m'), {
      tokens: tokensOf(words(50)),
      cached: 0,
      written: 0,
    });
  });

  it('matches beginnings only', () => {
    cache.take('k', words(1000), '5m');
    assert.equal(cache.take('k', `b${words(1000)}`, '5m').cached, 0);
    const shared = cache.take('k', words(600) + words(600, 'c'), '5m');
    assert.ok(shared.cached > 0 && shared.cached <= tokensOf(words(600)));
  });

  it('forgets after five minutes without use', () => {
    cache.take('k', words(300), '5m');
    now += 5 * minute - 1;
    assert.ok(cache.take('k', words(300), '5m').cached > 0);
    now += 5 * minute - 1;
    assert.ok(cache.take('k', words(300), '5m').cached > 0, 'reading has not renewed it');
    now += 5 * minute;
    assert.equal(cache.take('k', words(300), '5m').cached, 0);
  });

  it('keeps what was written for an hour', () => {
    cache.take('k', words(300), '1h');
    now += 59 * minute;
    assert.ok(cache.take('k', words(300), '5m').cached > 0);
    now += 60 * minute;
    assert.equal(cache.take('k', words(300), '5m').cached, 0);
  });

  it('is kept for each model apart', () => {
    cache.take('kimi-k3.1-pro', words(300), '5m');
    assert.equal(cache.take('kimi-k3', words(300), '5m').cached, 0);
  });

  it('never reports more than was sent', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('a', 'b'), fc.nat(900), fc.nat(10 * minute)), { maxLength: 12 }),
        (requests) => {
          for (const [word, length, passed] of requests) {
            now += passed;
            const { tokens, cached, written } = cache.take('k', words(length, word), '5m');
            assert.ok(cached + written <= tokens);
            assert.ok(tokens - cached - written < cacheStep);
          }
        },
      ),
      { seed },
    );
  });
});

describe('the usage of an answer', () => {
  let simulator: Simulator;
  let now = 1_790_000_000_000;
  const instructions = 'Be correct, concrete and short. '.repeat(60);

  beforeEach(async () => {
    simulator = await startSimulator({ now: () => now });
  });
  afterEach(() => simulator.close());

  function usageOf(response: JsonObject): Record<string, number> {
    const usage = response['usage'];
    assert.ok(isJsonObject(usage));
    const input = usage['input_tokens_details'];
    const output = usage['output_tokens_details'];
    assert.ok(isJsonObject(input) && isJsonObject(output));
    return { ...usage, ...input, ...output } as Record<string, number>;
  }

  async function send(body: JsonObject): Promise<JsonObject> {
    simulator.reply(answer(reasoning('Let me see.'), text('Fine.')));
    const received = await ask(simulator.url, { model: 'kimi-k3.1-pro', stream: true, ...body });
    assert.equal(received.status, 200, received.text);
    return responseOf(received);
  }

  it('counts the prompt, the reasoning and the text', async () => {
    const body = { model: 'kimi-k3.1-pro', instructions: 'Be brief', input: 'Hello' };
    const usage = usageOf(await send(body));
    assert.equal(usage['input_tokens'], countTokens(renderPrompt(body)));
    assert.equal(usage['reasoning_tokens'], countTokens('Let me see.'));
    assert.equal(usage['output_tokens'], countTokens('Let me see.') + countTokens('Fine.'));
    assert.equal(usage['total_tokens'], (usage['input_tokens'] ?? 0) + (usage['output_tokens'] ?? 0));
  });

  it('reports the whole previous request as cached, but for its last step', async () => {
    const items: JsonObject[] = [{ type: 'message', role: 'user', content: 'Explain the cart, please.' }];
    const first = usageOf(await send({ instructions, input: items }));
    items.push({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Fine.' }] });
    items.push({ type: 'message', role: 'user', content: 'And now shorter.' });
    const second = usageOf(await send({ instructions, input: items }));
    assert.equal(first['cached_tokens'], 0);
    assert.ok((first['cache_write_tokens'] ?? 0) > 0);
    assert.equal(second['cached_tokens'], first['cache_write_tokens']);
  });

  const breaks: Readonly<Record<string, JsonObject>> = {
    'another effort': { reasoning: { effort: 'low' } },
    'other instructions': { instructions: `! ${instructions}` },
    'another tool': { tools: [{ type: 'function', name: 'now' }] },
    'another model': { model: 'kimi-k3.1-pro-highspeed' },
  };
  for (const [name, change] of Object.entries(breaks)) {
    it(`loses the cache through ${name}`, async () => {
      await send({ instructions, input: 'Hello' });
      assert.equal(usageOf(await send({ instructions, input: 'Hello', ...change }))['cached_tokens'], 0);
    });
  }

  it('loses the cache after five minutes', async () => {
    await send({ instructions, input: 'Hello' });
    now += 5 * minute;
    assert.equal(usageOf(await send({ instructions, input: 'Hello' }))['cached_tokens'], 0);
  });

  it('applies and reports the time to live that was asked for', async () => {
    const hour = { prompt_cache_options: { mode: 'implicit', ttl: '1h' } };
    const response = await send({ instructions, input: 'Hello', ...hour });
    assert.deepEqual(response['prompt_cache_options'], hour.prompt_cache_options);
    assert.deepEqual((await send({ input: 'Hi' }))['prompt_cache_options'], { mode: 'implicit', ttl: '5m' });
    now += 30 * minute;
    assert.ok((usageOf(await send({ instructions, input: 'Hello' }))['cached_tokens'] ?? 0) > 0);
  });

  it('knows no cache options and no writes for kimi-k3', async () => {
    const response = await send({ model: 'kimi-k3', instructions, input: 'Hello' });
    assert.equal(response['prompt_cache_options'], undefined);
    assert.equal(usageOf(response)['cache_write_tokens'], undefined);
    const again = await send({ model: 'kimi-k3', instructions, input: 'Hello' });
    assert.ok((usageOf(again)['cached_tokens'] ?? 0) > 0);
  });

  it('does not cache what was refused', async () => {
    await ask(simulator.url, { model: 'kimi-k3.1-pro', instructions, input: 'Hello', store: true });
    assert.equal(usageOf(await send({ instructions, input: 'Hello' }))['cached_tokens'], 0);
  });

  it('ends an answer that costs more than the request allows', async () => {
    simulator.reply(answer(reasoning('one two three'), text('four five six')));
    const body = { model: 'kimi-k3.1-pro', input: 'Hi', stream: true, max_output_tokens: 5 };
    const response = responseOf(await ask(simulator.url, body));
    assert.equal(response['status'], 'incomplete');
    assert.deepEqual(response['incomplete_details'], { reason: 'max_output_tokens' });
    assert.equal(usageOf(response)['output_tokens'], 5);
    const output = response['output'];
    assert.ok(Array.isArray(output));
    assert.deepEqual((output as JsonObject[])[1]?.['content'], [
      { type: 'output_text', text: 'four five', annotations: [] },
    ]);
  });

  it('can be spent on reasoning alone', async () => {
    simulator.reply(answer(reasoning('one two three'), text('four')));
    const body = { model: 'kimi-k3.1-pro', input: 'Hi', stream: true, max_output_tokens: 2 };
    const output = outputOf(await ask(simulator.url, body));
    assert.deepEqual(
      output.map(({ type, status }) => [type, status]),
      [['reasoning', 'incomplete']],
    );
  });

  it('is the same without a stream', async () => {
    simulator.reply(answer(reasoning('Hm.'), applyPatch('x')), answer(reasoning('Hm.'), applyPatch('x')));
    const body = { model: 'kimi-k3.1-pro', input: 'Hi' };
    const streamed = responseOf(await ask(simulator.url, { ...body, stream: true }));
    const plain = jsonOf(await ask(simulator.url, body));
    assert.deepEqual(plain['usage'], streamed['usage']);
    assert.deepEqual(Object.keys(plain), Object.keys(streamed));
  });
});
