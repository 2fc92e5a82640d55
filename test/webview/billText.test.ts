/** What a turn cost, to the digit, and never less certain or more certain than it is. */
import assert from 'node:assert/strict';
import { sumOf } from '../../src/core/cost/bill.ts';
import { defaultPrices, type PriceTable } from '../../src/core/cost/prices.ts';
import {
  amount,
  billNotes,
  billRows,
  cachedText,
  costText,
  familyLines,
  namingLine,
  requestCost,
  spentText,
} from '../../src/webview/billText.ts';
import { RunningSum } from '../../src/webview/runningSum.ts';
import { record, running, turn as turnWith, usage } from '../core/cost/records.ts';

const own: PriceTable = {
  ...defaultPrices,
  'kimi-k3.1-pro': { ...defaultPrices['kimi-k3.1-pro'], isEstimate: false },
};
const counted = record({
  usage: usage(12_000, { cached: 10_240, cacheWrite: 760, output: 1500, reasoning: 1100 }),
});
const unknown = record({ usage: null });
const unbilled = record({ usage: null, unbilled: true });

describe('what a turn cost', () => {
  it('is money and a share of the input', () => {
    // 1,000 × $2 + 10,240 × $0.2 + 760 × $2 + 1,500 × $10 a million
    const sum = sumOf([counted], own);
    assert.equal(costText(sum), '$0.021');
    assert.equal(cachedText(sum), '85% cached');
  });

  it('is marked where it was made from list prices', () => {
    assert.equal(costText(sumOf([counted], defaultPrices)), '≈\u00a0$0.021');
    assert.match(billNotes(sumOf([counted], defaultPrices)).join(), /list prices/);
    assert.deepEqual(billNotes(sumOf([counted], own)), []);
  });

  it('is little without being about a little', () => {
    assert.equal(amount(0.000_2, true), '<$0.001');
    assert.equal(amount(0.002, true), '≈\u00a0$0.002');
  });

  it('is unknown, and not nothing, where nothing was told', () => {
    assert.equal(costText(sumOf([unknown], own)), 'cost unknown');
    assert.equal(cachedText(sumOf([unknown], own)), undefined);
    assert.deepEqual(billRows([unknown], own), []);
    assert.deepEqual(billNotes(sumOf([unknown], own)), [
      'The service told no counts. It may have billed something all the same.',
    ]);
  });

  it('says what of a conversation is not on the screen, and what on the screen is not in it', () => {
    assert.deepEqual(familyLines(undefined), []);
    const [whole, otherVersions, beforeFork] = [
      sumOf([counted, counted], own),
      sumOf([counted], defaultPrices),
      sumOf([counted, unknown], own),
    ];
    assert.deepEqual(familyLines({ whole, otherVersions, beforeFork }), [
      'Of that, for versions that aren’t shown: ≈\u00a0$0.021',
      'Paid before the fork, and not counted here: at least $0.021',
    ]);
  });

  it('says what of it the title took, once that is known', () => {
    assert.equal(namingLine([{}], own), undefined);
    assert.equal(namingLine([{ naming: running() }], own), undefined);
    assert.equal(namingLine([{}, { naming: counted }], own), 'Of that, for the title: $0.021');
    assert.equal(namingLine([{ naming: unknown }], own), 'Of that, for the title: cost unknown');
  });

  it('is summed up again when a title was paid for', () => {
    const sum = new RunningSum();
    const turn = turnWith([counted]);
    const before = sum.of({ id: 'c', turns: [turn] }, own);
    assert.equal(sum.of({ id: 'c', turns: [{ ...turn, startedAt: 2 }] }, own), before);
    const after = sum.of({ id: 'c', turns: [{ ...turn, naming: counted }] }, own);
    assert.equal(after.money, 2 * before.money);
  });

  it('says what was spent behind words that ask for it', () => {
    assert.equal(spentText(sumOf([], own)), 'nothing');
    assert.equal(spentText(sumOf([unknown], own)), 'unknown');
    assert.equal(spentText(sumOf([unbilled], own)), 'nothing');
    assert.equal(spentText(sumOf([counted, unknown], own)), 'at least $0.021');
  });

  it('is at least what was told where a part is unknown', () => {
    const sum = sumOf([counted, unknown, unbilled], own);
    assert.equal(costText(sum), 'at least $0.021');
    assert.deepEqual(billNotes(sum), [
      'The service told no counts for 1 of 3 requests: the true figures are higher.',
      'Requests that failed before the service worked on them were not billed: 1.',
    ]);
  });

  it('is nothing where nothing was billed, and not told while it runs', () => {
    assert.equal(costText(sumOf([unbilled], own)), 'nothing billed');
    assert.equal(costText(sumOf([], own)), undefined);
    assert.equal(costText(sumOf([running()], own)), undefined);
    assert.equal(requestCost(running(), own), 'running');
    assert.deepEqual(billNotes(sumOf([unbilled], own)), []);
  });

  it('is told kind by kind, and the kinds add up', () => {
    const rows = billRows([counted], own);
    assert.deepEqual(
      rows.map(({ name, tokens, money }) => [name, tokens, Number(money.toFixed(9))]),
      [
        ['Regular input', 1000, 0.002],
        ['Cached input', 10_240, 0.002_048],
        ['Cache writes', 760, 0.001_52],
        ['Reasoning', 1100, 0.011],
        ['Visible output', 400, 0.004],
      ],
    );
    const whole = rows.reduce((sum, { money }) => sum + money, 0);
    assert.ok(Math.abs(whole - sumOf([counted], own).money) < 1e-12);
  });

  it('has each request at the price of its own model, and what was cached for long at the dearer one', () => {
    const rows = billRows(
      [
        record({ model: 'kimi-k3', usage: usage(1000, { cacheWrite: 500, output: 100 }) }),
        record({ cacheTtl: '1h', usage: usage(1000, { cacheWrite: 1000 }) }),
      ],
      own,
    );
    assert.deepEqual(
      rows.map(({ kind, tokens, money }) => [kind, tokens, Number(money.toFixed(9))]),
      [
        ['regular', 1000, 0.003],
        ['cacheWrite', 1000, 0.004],
        ['visible', 100, 0.0015],
      ],
    );
  });
});
