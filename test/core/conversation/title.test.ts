/** What is asked to have a conversation named, and what of the answer stands in a list. */
import assert from 'node:assert/strict';

import type { Turn } from '../../../src/core/conversation/conversation.ts';
import { askTitle, readTitle, titleRequest } from '../../../src/core/conversation/title.ts';
import { Memory } from '../../simulator/validate/memory.ts';
import { validate } from '../../simulator/validate/validate.ts';
import { isJsonObject } from '../../simulator/wire.ts';
import { response, scriptedModel, type ScriptedAnswer } from '../../support/turns.ts';

function turn(question: string, answer: string, model: Turn['model'] = 'kimi-k3.1-pro'): Turn {
  return {
    id: 't',
    question: { text: question, attachments: [] },
    ...{ model, effort: 'max', startedAt: 1, endedAt: 2, requests: [], end: { kind: 'completed' } },
    parts: [
      { kind: 'reasoning', id: '0.0', sections: ['Secret thoughts.'], openedAt: 1 },
      { kind: 'answer', id: '0.1', sections: [answer, 'More.'], openedAt: 1 },
    ],
  };
}

function said(value: object | string): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return response([
    {
      type: 'message',
      id: 'm',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text }],
    },
  ]);
}

const never = new AbortController().signal;

describe('the request for a title', () => {
  it('is one that the service takes: a strict JSON schema, the lowest effort, no tools, a short answer', () => {
    const body = titleRequest(turn('Why is the total wrong?', 'The loop.'));
    assert.ok(body);
    const plain: unknown = JSON.parse(JSON.stringify(body));
    assert.ok(isJsonObject(plain));
    assert.equal(validate(plain, 'strict', new Memory()), undefined);
    assert.equal(body.text?.format.strict, true);
    assert.deepEqual(body.reasoning, { effort: 'low' });
    assert.equal(body.tools, undefined);
    assert.ok((body.max_output_tokens ?? Infinity) <= 1_024);
    assert.equal(Object.keys(body).at(-1), 'input');
  });

  it('carries the beginnings of question and answer, whole characters of them, and no reasoning', () => {
    const body = titleRequest(turn('👩‍👩‍👧'.repeat(1_000), 'ab'.repeat(5_000)));
    const input = JSON.stringify(body?.input);
    assert.ok(input.length < 3_600, `${input.length}`);
    assert.ok(!input.includes('thoughts'));
    assert.ok(input.isWellFormed());
    const short = JSON.stringify(titleRequest(turn('Short?', 'Yes.'))?.input);
    assert.match(short, /Short\?/);
    assert.match(short, /Yes\..*More\./);
  });

  it('is not made for a model that takes none, for one that is gone, and for nothing', () => {
    assert.equal(titleRequest(turn('Why?', 'So.', 'kimi-k3')), undefined);
    assert.equal(titleRequest(turn('Why?', 'So.', 'kimi-k9' as Turn['model'])), undefined);
    assert.equal(titleRequest({ ...turn(' ', ''), parts: [] }), undefined);
  });

  it('needs no question in words', () => {
    assert.ok(titleRequest(turn('', 'A picture of a cat.')));
  });
});

describe('the answer to it', () => {
  it('is the title, and what it took', async () => {
    const usage = {
      ...{ input_tokens: 300, output_tokens: 40, total_tokens: 340 },
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 256 },
      output_tokens_details: { reasoning_tokens: 30 },
    };
    const options = { usage, prompt_cache_options: { mode: 'implicit', ttl: '5m' } };
    const body = titleRequest(turn('Why?', 'So.'));
    assert.ok(body);
    const text = JSON.stringify({ title: 'Wrong cart total' });
    const content = [{ type: 'output_text', text }];
    const model = scriptedModel(
      response(
        [
          { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'Hm.' }] },
          { type: 'message', id: 'm', role: 'assistant', status: 'completed', content },
        ],
        options,
      ),
    );
    assert.deepEqual(await askTitle(model, body, never), {
      title: 'Wrong cart total',
      usage: { input: 300, cached: 0, cacheWrite: 256, output: 40, reasoning: 30 },
      unbilled: false,
      cacheTtl: '5m',
    });
    assert.equal(model.bodies.length, 1);
  });

  it('is nothing when it breaks off, fails, or is no such JSON, and costs nothing where that is certain', async () => {
    const body = titleRequest(turn('Why?', 'So.'));
    assert.ok(body);
    const ask = async (...answer: readonly ScriptedAnswer[]) =>
      await askTitle(scriptedModel(...answer), body, never);
    const cut = await ask(
      said({ title: 'Cut' })
        .replace('response.completed', 'response.incomplete')
        .replace('"status":"completed","output"', '"status":"incomplete","output"'),
    );
    assert.equal(cut.title, undefined);
    assert.deepEqual(await ask([{ kind: 'failed', failure: { kind: 'noKey' } }]), {
      ...{ title: undefined, usage: null, unbilled: true },
    });
    const silent = await ask([{ kind: 'failed', failure: { kind: 'silence', seconds: 9 } }]);
    assert.equal(silent.unbilled, false);
    for (const text of ['Wrong cart total', '{"name":"x"}', '{"title":3}', '[]', '{"title":"  "}']) {
      assert.equal((await ask(said(text))).title, undefined, text);
    }
  });
});

describe('a title', () => {
  const read = (title: string): string | undefined => readTitle(JSON.stringify({ title }));

  it('is one plain line', () => {
    assert.equal(read('Wrong cart total'), 'Wrong cart total');
    assert.equal(read('  "Wrong\ncart\ttotal".'), 'Wrong cart total');
    assert.equal(read('**Wrong cart total**'), 'Wrong cart total');
    assert.equal(read('购物车总额错误。'), '购物车总额错误');
    assert.equal(read('And then…'), 'And then…');
    assert.equal(read('And so on...'), 'And so on...');
    assert.equal(read('a\u202Eb\u0000c\u2028d'), 'a b c d');
    assert.equal(read('👩‍👩‍👧 at \uD800 work'), '👩‍👩‍👧 at \uFFFD work');
    assert.equal(read('C# and F#'), 'C# and F#');
  });

  it('is nothing where nothing is left', () => {
    for (const empty of ['', '"."', '\u202E', '""', '. ']) assert.equal(read(empty), undefined, empty);
    assert.equal(readTitle('{'), undefined);
  });

  it('takes no longer for being long', function () {
    // Each of these took minutes when all of it was looked at.
    this.timeout(10_000);
    for (const run of ['"', ' "', '\u200D', '\u202E '])
      assert.ok((read(`a${run.repeat(500_000)}a`) ?? '').length <= 81);
  });

  it('is cut where a character ends', () => {
    const cut = read('👩‍👩‍👧'.repeat(40));
    assert.match(cut ?? '', /^(?:👩‍👩‍👧)+…$/u);
    assert.ok((cut ?? '').length <= 81);
  });
});
