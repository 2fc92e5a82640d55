import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';

import {
  calibrate,
  contextKinds,
  Estimator,
  factorOf,
  noCalibration,
  type BodyContent,
} from '../../../src/core/cost/estimate.ts';
import { textWeight, Weights } from '../../../src/core/cost/weights.ts';
import { userMessage, type Attachment } from '../../../src/core/conversation/userMessage.ts';
import { instructions } from '../../../src/core/conversation/instructions.ts';
import type { HistoryItem, ToolDeclaration, UserMessageItem } from '../../../src/core/responses/wire.ts';
import { seed } from '../../simulator/arbitraries.ts';
import { renderPrompt } from '../../simulator/prompt.ts';
import { countTokens } from '../../simulator/tokens.ts';
import { usage } from './records.ts';

const attachment: Attachment = {
  id: 'a',
  kind: 'file',
  path: 'a.md',
  uri: 'file:///a.md',
  languageId: 'markdown',
  text: '',
};

const root = join(import.meta.dirname, '../../..');
const code = readFileSync(join(root, 'src/core/conversation/turn.ts'), 'utf8');
const prose = readFileSync(join(root, 'README.md'), 'utf8');
const chinese =
  '模型提出的修改先在差异编辑器里显示，接受之前不会改动任何文件。上下文缓存按前缀匹配，共计131072个词元。\n';

function question(...texts: readonly string[]): UserMessageItem {
  return { type: 'message', role: 'user', content: texts.map((text) => ({ type: 'input_text', text })) };
}

function answer(text: string): HistoryItem {
  return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] };
}

const tool: ToolDeclaration = {
  type: 'function',
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
  strict: true,
};

function body(...input: readonly HistoryItem[]): BodyContent {
  return {
    instructions: instructions({ folders: ['shop'], canPatch: true, canRead: false }),
    tools: [tool],
    input,
  };
}

/** What the simulated service would count. */
function counted(content: BodyContent): number {
  return countTokens(renderPrompt(content));
}

const call: HistoryItem = {
  type: 'function_call',
  call_id: 'read_file:0',
  name: 'read_file',
  arguments: '{"path":"a.ts"}',
};
const patch: HistoryItem = {
  type: 'custom_tool_call',
  call_id: 'apply_patch:0',
  name: 'apply_patch',
  input: code.slice(0, 900),
};
const result: HistoryItem = {
  type: 'function_call_output',
  call_id: 'read_file:0',
  output: code.slice(0, 2000),
};
const patched: HistoryItem = {
  type: 'custom_tool_call_output',
  call_id: 'apply_patch:0',
  output: 'Accepted.',
};
const thought: HistoryItem = {
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: prose.slice(0, 700) }],
};
const note: HistoryItem = {
  type: 'message',
  role: 'developer',
  content: [{ type: 'input_text', text: 'The patch was taken back.' }],
};

/** Pieces of everything that is written in an editor. */
const anyText = fc.oneof(
  fc
    .tuple(fc.nat(code.length), fc.integer({ min: 200, max: 6000 }))
    .map(([from, size]) => code.slice(from, from + size)),
  fc
    .tuple(fc.nat(prose.length), fc.integer({ min: 200, max: 6000 }))
    .map(([from, size]) => prose.slice(from, from + size)),
  fc.integer({ min: 1, max: 40 }).map((times) => chinese.repeat(times)),
  fc.array(fc.integer({ min: 0, max: 1e6 }), { minLength: 40, maxLength: 400 }).map((row) => row.join(',')),
);

describe('cost/weights', () => {
  before(() => console.log(`      seed ${seed}`));

  it('weighs each class of characters', () => {
    const weights = [
      '',
      'word',
      'long words',
      'identifier',
      'getPeerURLs',
      'aBcDeF',
      '123456',
      ' ',
      '  \t',
      '\n\n',
      '(;',
      '上下文',
      '한국',
      'Привет',
      '😀',
      'é',
    ].map((text) => Math.round(textWeight(text) * 10) / 10);
    assert.deepEqual(weights, [0, 1, 2, 2, 3, 4, 2, 1, 1, 1, 1.8, 2.7, 1.8, 2, 2, 1]);
  });

  it('takes what is encoded for much more than words of its length', () => {
    const encoded = Buffer.from(
      Array.from({ length: 3000 }, (_, index) => (index * 7919 * 31) % 251),
    ).toString('base64');
    assert.ok(textWeight(encoded) > 0.45 * encoded.length);
    assert.ok(textWeight('function words of a programmer '.repeat(100)) < 0.3 * 3100);
  });

  it('never weighs more text less, and never more than its characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (start, more) => {
        assert.ok(textWeight(start + more) >= textWeight(start) - 1e-9);
        assert.ok(textWeight(start) <= start.length);
      }),
      { seed },
    );
  });

  it('weighs every item, ciphertext by what it hides', () => {
    const weights = new Weights();
    const items = [question('a'), answer('a'), thought, call, patch, result, patched, note];
    for (const item of items) {
      assert.ok(weights.item(item) > 4, item.type);
      assert.equal(weights.item(item), weights.item(item));
    }
    const clear: HistoryItem = {
      type: 'reasoning',
      summary: [],
      content: [{ type: 'reasoning_text', text: 'one two' }],
    };
    assert.equal(weights.item(clear), 4 + 2);
    const hidden: HistoryItem = { type: 'reasoning', summary: [], encrypted_content: 'x'.repeat(1600) };
    assert.equal(weights.item(hidden), 4 + 300);
    assert.equal(weights.items([clear, hidden]), 310);
    const image = {
      type: 'input_image',
      image_url: `data:image/png;base64,${'A'.repeat(1_000_000)}`,
    } as const;
    assert.equal(weights.part(image), 1024);
    assert.equal(weights.body({ instructions: '', input: [] }), 4);
    assert.equal(weights.instructions('two words'), 6);
    assert.equal(weights.part({ text: 'two words' }), 2);
  });
});

describe('cost/estimate', () => {
  it('starts at one token for a unit of weight, learns, and is moved little by little counts', () => {
    assert.equal(factorOf(noCalibration), 1);
    const once = calibrate(noCalibration, 10_000, 13_000);
    assert.ok(Math.abs(factorOf(once) - 1.3) < 0.01);
    assert.ok(Math.abs(factorOf(calibrate(once, 10, 30)) - 1.3) < 0.01);
    assert.ok(factorOf(calibrate(noCalibration, 10, 30)) < 1.2);
    assert.equal(calibrate(once, 0, 5), once);
    assert.equal(calibrate(once, 5, 0), once);
  });

  it('believes no ratio that no tokenizer has', () => {
    assert.equal(factorOf(calibrate(noCalibration, 1e6, 1)), 0.25);
    assert.equal(factorOf(calibrate(noCalibration, 1, 1e6)), 4);
  });

  it('comes within 30 % of what is counted before anything was, and within 5 % of the next request after that', () => {
    const estimator = new Estimator();
    fc.assert(
      fc.property(anyText, anyText, anyText, (attached, answered, asked) => {
        const first = body(question(attached, 'What does this do?'));
        const guess = estimator.inputTokens(first, noCalibration);
        const input = counted(first);
        assert.equal(guess.estimated, guess.tokens);
        near(guess.tokens, input, 0.3);
        const calibration = calibrate(noCalibration, estimator.weight(first), input);
        near(estimator.inputTokens(first, calibration).tokens, input, 0.06);

        const next = body(...first.input, answer(answered), question(asked.slice(0, 400)));
        const last = { body: first, usage: usage(input, { output: countTokens(answered) }) };
        near(estimator.inputTokens(next, calibration, last).tokens, counted(next), 0.05);
      }),
      { seed, numRuns: 60 },
    );
  });

  describe('of the next request', () => {
    const estimator = new Estimator();
    const first = body(question('Read it.'));
    const last = { body: first, usage: usage(5000, { output: 700 }) };
    const of = (...added: readonly HistoryItem[]) =>
      estimator.inputTokens(body(...first.input, ...added), noCalibration, last);

    it('takes what was counted as it is', () => {
      assert.deepEqual(of(), { tokens: 5000, estimated: 0 });
      assert.deepEqual(of(thought, call), { tokens: 5700, estimated: 0 });
      assert.deepEqual(of(answer('Done.')), { tokens: 5700, estimated: 0 });
    });

    it('estimates only what is new', () => {
      const { tokens, estimated } = of(thought, call, result);
      assert.equal(tokens - estimated, 5700);
      assert.equal(estimated, estimator.itemTokens([result], noCalibration));
      // The answer was dropped: its tokens are not sent.
      assert.equal(
        of(question('And now?')).tokens,
        5000 + estimator.itemTokens([question('And now?')], noCalibration),
      );
      assert.equal(of(note).tokens, 5000 + estimator.itemTokens([note], noCalibration));
    });

    it('goes by weight when the beginning changed', () => {
      const longer = estimator.inputTokens(body(question('Read it.', prose)), noCalibration, last);
      assert.ok(longer.tokens > 5000 && longer.estimated === longer.tokens - 5000);
      const shorter = estimator.inputTokens(body(), noCalibration, last);
      assert.ok(shorter.tokens < 5000 && shorter.estimated === shorter.tokens);
      const { tools: _, ...bare } = body(...first.input);
      const others = [
        { ...body(...first.input), instructions: '' },
        bare,
        { ...body(...first.input), tools: [{ ...tool, name: 'read_any_file' }] },
      ];
      for (const other of others)
        assert.ok(estimator.inputTokens(other, noCalibration, last).estimated > 0, JSON.stringify(other));
      const toolless = { body: bare, usage: last.usage };
      assert.equal(estimator.inputTokens(bare, noCalibration, toolless).tokens, 5000);
      assert.ok(estimator.inputTokens(body(...first.input), noCalibration, toolless).tokens > 5000);
    });

    it('knows equal items that are other objects', () => {
      const copy = structuredClone(body(...first.input));
      assert.deepEqual(estimator.inputTokens(copy, noCalibration, last), { tokens: 5000, estimated: 0 });
    });

    it('grows with what is sent', () => {
      fc.assert(
        fc.property(anyText, anyText, (one, more) => {
          assert.ok(of(question(one + more)).tokens >= of(question(one)).tokens);
          assert.ok(of(question(one), question(more)).tokens >= of(question(one)).tokens);
        }),
        { seed, numRuns: 50 },
      );
    });
  });

  describe('of what takes up the window', () => {
    const estimator = new Estimator();

    it('names each kind, attachments apart from their question', () => {
      const shares = estimator.breakdown(
        body(
          question(prose.slice(0, 900), 'Why?'),
          thought,
          call,
          patch,
          result,
          patched,
          note,
          answer('So.'),
        ),
        100_000,
      );
      for (const kind of contextKinds) assert.ok(shares[kind] > 0 || kind === 'rules', kind);
      assert.ok(shares.attachments > 10 * shares.questions);
    });

    it('names standing instructions apart from what else is attached', () => {
      const asked = userMessage('Why?', [
        { ...attachment, kind: 'instructions', text: prose.slice(0, 300) },
        { ...attachment, text: prose.slice(0, 600) },
      ]);
      const rule = asked.content[0];
      assert.ok(rule);
      const shares = estimator.breakdown(body(asked), 1000, new Set([rule]));
      const without = estimator.breakdown(body(asked), 1000);
      assert.ok(shares.rules > 100 && shares.attachments > shares.rules, JSON.stringify(shares));
      assert.ok(Math.abs(shares.rules + shares.attachments - without.attachments) <= 1);
    });

    it('adds up to the whole', () => {
      fc.assert(
        fc.property(fc.array(anyText, { maxLength: 6 }), fc.nat(1_048_576), (texts, total) => {
          const shares = estimator.breakdown(body(...texts.map((text) => question(text, 'Why?'))), total);
          assert.equal(
            contextKinds.reduce((sum, kind) => sum + shares[kind], 0),
            total,
          );
          assert.equal(shares.answers, 0);
        }),
        { seed, numRuns: 50 },
      );
    });

    it('takes a search that the service made for little, as it leaves it out of what the model reads', () => {
      const search = {
        type: 'web_search_call',
        status: 'completed',
        action: { type: 'search', query: 'x'.repeat(10_000) },
      } as const;
      assert.ok(new Estimator().itemTokens([search], noCalibration) < 10);
      assert.ok(new Estimator().breakdown({ instructions: '', input: [search] }, 10).toolCalls === 10);
    });

    it('is nothing of nothing', () => {
      const shares = estimator.breakdown({ instructions: '', input: [] }, 0);
      for (const kind of contextKinds) assert.equal(shares[kind], 0);
      assert.equal(estimator.breakdown({ instructions: '', input: [] }, -7).tools, 0);
    });
  });

  it('weighs each item of a long conversation once', () => {
    let reads = 0;
    const counting = (index: number): HistoryItem => ({
      type: 'function_call_output',
      call_id: `c${index}`,
      get output() {
        reads += 1;
        return chinese;
      },
    });
    const items = Array.from({ length: 500 }, (_, index) => counting(index));
    const estimator = new Estimator();
    for (let sent = 1; sent <= items.length; sent += 50) estimator.weight(body(...items.slice(0, sent)));
    estimator.weight(body(...items));
    estimator.breakdown(body(...items), 1000);
    assert.equal(reads, items.length);
  });
});

function near(tokens: number, real: number, share: number): void {
  assert.ok(Math.abs(tokens - real) <= real * share, `${tokens} is not within ${share * 100} % of ${real}`);
}
