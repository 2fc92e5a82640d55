/** What is said of the context window, the next question and limits. */
import assert from 'node:assert/strict';
import type { ContextBreakdown } from '../../src/core/cost/estimate.ts';
import type { ContextFacts } from '../../src/core/cost/facts.ts';
import type { Forecast } from '../../src/core/cost/forecast.ts';
import { noUsage, type UsageSum } from '../../src/core/cost/usageSums.ts';
import {
  cacheEndText,
  confirmText,
  cutText,
  forecastLines,
  forecastShort,
  isDear,
  levelWith,
  freesText,
  roomLabel,
  shareWith,
  summaryFrees,
  summaryText,
  todayText,
  tooMuch,
  usedText,
  warningText,
  windowRows,
  withLimit,
} from '../../src/webview/contextText.ts';

const nothing: ContextBreakdown = {
  instructions: 0,
  tools: 0,
  questions: 0,
  attachments: 0,
  rules: 0,
  answers: 0,
  reasoning: 0,
  toolCalls: 0,
  toolOutputs: 0,
};
const context = (used: number, breakdown: Partial<ContextBreakdown> = {}): ContextFacts => ({
  model: 'kimi-k3.1-pro',
  used,
  window: 1000,
  breakdown: { ...nothing, ...breakdown },
  estimated: 0,
  factor: 1,
  level: 'fine',
});
const next = (more: Partial<Forecast> = {}): Forecast => ({
  input: 213_000,
  cached: 212_224,
  output: { least: 500, likely: 1900, most: 9000 },
  basis: 'conversation',
  money: { least: 0.044, likely: 0.053, most: 0.516 },
  isEstimate: false,
  ...more,
});

describe('the context window in words', () => {
  it('warns at 80 % and at 95 %, and says when a question is too much', () => {
    const say = (used: number, input = 0): unknown => warningText(context(used), next({ input }));
    assert.equal(say(799), undefined);
    assert.equal(say(800), '80% of the context window is used.');
    assert.equal(say(949), '95% of the context window is used.');
    assert.equal(say(950), 'The context window is nearly full: 95% is used.');
    assert.equal(say(1000), 'The context window is nearly full: 100% is used.');
    assert.equal(say(1001), 'This no longer fits into the context window: about 1,001 of 1,000 tokens.');
    assert.equal(say(10, 12_000), 'This no longer fits into the context window: about 12k of 1k tokens.');
    assert.equal(say(10, 850), 'With this question, 85% of the context window is used.');
    assert.equal(say(850, 960), 'With this question, the context window is nearly full: 96% is used.');
    assert.equal(say(850, 851), '85% of the context window is used.');
    assert.equal(shareWith(context(10), next({ input: 850 })), 0.85);
    assert.equal(shareWith(context(10), undefined), 0.01);
    assert.equal(levelWith(context(10), undefined), 'fine');
  });

  it('tells what is too much of it: the question, or what stands before it', () => {
    const helps = (used: number, input: number): unknown => tooMuch(context(used), next({ input }));
    assert.deepEqual(helps(50, 1100), { question: true, past: false });
    assert.deepEqual(helps(990, 1010), { question: false, past: true });
    assert.deepEqual(helps(500, 1100), { question: true, past: true });
  });

  it('lists what takes it up, the largest first', () => {
    assert.deepEqual(
      windowRows(context(60, { instructions: 10, answers: 30, toolOutputs: 20 })).map(
        ({ name, tokens }) => `${name} ${tokens}`,
      ),
      ['Answers 30', 'Tool outputs 20', 'Instructions 10'],
    );
    assert.equal(summaryFrees(context(60, { instructions: 10, tools: 5, answers: 45 })), 45);
  });

  it('tells what a summary frees and takes, as long as that can be told from the next question', () => {
    const full = context(900, { answers: 900 });
    assert.equal(
      summaryText(full, next({ input: 950 })),
      'frees nearly 900 tokens, asks the model (≈\u00a0$0.053)',
    );
    assert.equal(summaryText(full, next({ input: 1900 })), 'frees nearly 900 tokens, asks the model');
  });

  it('tells what was counted from what is estimated', () => {
    assert.equal(usedText({ used: 1200, estimated: 0 }), '1,200 tokens, as the service counted them.');
    assert.equal(usedText({ used: 1200, estimated: 30 }), '1,200 tokens, of which 30 are estimated.');
    assert.equal(usedText({ used: 1200, estimated: 1200 }), 'About 1,200 tokens, estimated.');
  });

  it('counts quietly until the cache runs out', () => {
    assert.equal(cacheEndText(undefined, 0), undefined);
    assert.equal(cacheEndText(250_000, 0), 'The cache runs out in 4\u00a0min.');
    assert.equal(cacheEndText(59_999, 0), 'The cache runs out in less than a minute.');
    assert.equal(cacheEndText(5, 5), 'The cache has run out: the next question is read anew.');
  });

  it('names what can be left out, and what the model no longer sees', () => {
    assert.equal(roomLabel('attachments', 3), 'Leave out attachments');
    assert.equal(roomLabel('reasoning', 3), 'Leave out reasoning');
    assert.equal(roomLabel('oldestTurns', 1), 'Leave out the oldest turn');
    assert.equal(roomLabel('oldestTurns', 1200), 'Leave out the 1,200 oldest turns');
    assert.equal(cutText(undefined), undefined);
    assert.equal(cutText({ attachments: true }), 'The model no longer sees the attachments of this turn.');
    assert.equal(cutText({ toolOutputs: true }), 'The model no longer sees the tool outputs of this turn.');
    assert.equal(
      cutText({ attachments: true, toolOutputs: true }),
      'Of this turn the model no longer sees the attachments and the tool outputs.',
    );
    assert.equal(cutText({ reasoning: true }), 'The model no longer sees the reasoning of this turn.');
    assert.equal(cutText({ files: [1] }), 'Of this turn the model no longer sees 1 attachment.');
    assert.equal(
      cutText({ files: [0, 1], reasoning: true }),
      'Of this turn the model no longer sees 2 attachments and the reasoning.',
    );
    assert.equal(cutText({ files: [] }), undefined);
    assert.equal(cutText({ attachments: true, whole: true }), 'The model no longer sees this turn.');
  });

  it('says what leaving something out does to the next question, as long as the cache lasts and afterwards', () => {
    const offer = { tokens: 12_400, effect: { anew: 80_000, more: 0.021, moreLater: -0.004 } };
    assert.equal(
      freesText(offer, 2000, 1000),
      'frees about 12.4k tokens; once, the next question reads 80k anew, ≈\u00a0$0.021 more',
    );
    const less = 'frees about 12.4k tokens; the next question costs ≈\u00a0$0.004 less';
    assert.equal(freesText(offer, 2000, 2001), less);
    assert.equal(freesText(offer, undefined, 1000), less);
    const cheap = { tokens: 12_400, effect: { anew: 10, more: -0.004, moreLater: -0.004 } };
    assert.equal(freesText(cheap, 2000, 1000), less);
    const free = { tokens: 9, effect: { anew: 0, more: 0, moreLater: 0 } };
    assert.equal(freesText(free, 2000, 1000), 'frees about 9 tokens');
  });
});

describe('the next question in words', () => {
  it('tells tokens, and money with how far it can be off', () => {
    assert.deepEqual(forecastLines(next()), [
      'About 213k tokens in, 212k of them cached, and 1.9k out.',
      'Likely $0.053, between $0.044 and $0.516.',
    ]);
    assert.deepEqual(forecastLines(next({ cached: 0, isEstimate: true, basis: 'effort' })), [
      'About 213k tokens in, none of them cached, and 1.9k out.',
      'Likely $0.053, between $0.044 and $0.516, at list prices.',
      'The length of the answer is guessed from the effort.',
    ]);
    assert.equal(forecastShort(next()), '≈\u00a0$0.053');
  });

  it('matters from half of the amount on that is asked about', () => {
    assert.equal(isDear({ limits: {}, next: next() }), false);
    assert.equal(isDear({ limits: { confirmAbove: 0.106 }, next: next() }), false);
    assert.equal(isDear({ limits: { confirmAbove: 0.105 }, next: next() }), true);
    assert.equal(
      confirmText('send', next(), 0.05),
      'About $0.053 for this question. You wanted to be asked above $0.05.',
    );
    assert.equal(confirmText('send', next(), undefined), 'About $0.053 for this question.');
    assert.equal(confirmText('resume', next(), undefined), 'About $0.053 to go on with this turn.');
    assert.equal(confirmText('summarize', next(), undefined), 'About $0.053 for the summary.');
  });

  it('tells little amounts and those that a person set with the digits that matter', () => {
    const little = next({ money: { least: 0, likely: 0.000_123_4, most: 0.002 } });
    assert.equal(
      confirmText('send', little, 0.000_1),
      'About $0.00012 for this question. You wanted to be asked above $0.0001.',
    );
    assert.equal(forecastLines(little).at(-1), 'Likely $0.00012, between $0.00 and $0.002.');
    assert.equal(forecastShort(little), '<$0.001');
    assert.equal(withLimit('$0.03', 0.001_5), '$0.03 of $0.0015');
    assert.equal(
      todayText({ today: { ...noUsage, counted: 1, uncounted: 1, money: 0.000_02 }, limits: {} }),
      'at least $0.00002',
    );
  });

  it('tells what was spent today beside the limit, and what nobody knows', () => {
    const today = (more: Partial<UsageSum>, day?: number): string =>
      todayText({ today: { ...noUsage, ...more }, limits: day === undefined ? {} : { day } });
    assert.equal(today({}), '$0.00');
    assert.equal(today({ counted: 2, money: 1.24 }, 5), '$1.24 of $5.00');
    assert.equal(today({ counted: 2, money: 1.24, isEstimate: true }), '≈\u00a0$1.24');
    assert.equal(today({ counted: 2, money: 1.24, uncounted: 1 }, 5), 'at least $1.24 of $5.00');
    assert.equal(today({ uncounted: 1 }), 'unknown');
    assert.equal(withLimit('$1.00', undefined), '$1.00');
  });
});
