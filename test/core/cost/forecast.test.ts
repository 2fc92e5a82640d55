import assert from 'node:assert/strict';
import fc from 'fast-check';

import { levelOf } from '../../../src/core/cost/facts.ts';
import { cacheEnd, forecast, type ForecastFacts } from '../../../src/core/cost/forecast.ts';
import { asksFirst, refusalOf } from '../../../src/core/cost/limits.ts';
import { defaultPrices } from '../../../src/core/cost/prices.ts';
import { models } from '../../../src/core/responses/models.ts';
import { seed } from '../../simulator/arbitraries.ts';
import { minute, record, usage } from './records.ts';

const pro = 'kimi-k3.1-pro';
const sent = [
  record({ usage: usage(10_240, { output: 900 }), beginning: { kind: 'first' } }),
  record({ sentAt: 2000, usage: usage(10_240, { output: 100 }) }),
  record({ sentAt: 4000, usage: usage(10_240, { output: 300 }) }),
];

function of(more: Partial<ForecastFacts> = {}) {
  return forecast({
    model: pro,
    effort: 'max',
    input: 12_800,
    beginning: { kind: 'grown' },
    before: sent,
    now: minute,
    prices: defaultPrices,
    ...more,
  });
}

function close(money: number, millionths: number): void {
  assert.ok(Math.abs(money - millionths / 1e6) < 1e-12, `${money} is not ${millionths / 1e6}`);
}

describe('cost/forecast', () => {
  before(() => console.log(`      seed ${seed}`));

  it('takes the beginning for cached while it is kept, and the middle of the last answers for the output', () => {
    const { money, ...rest } = of();
    assert.deepEqual(rest, {
      input: 12_800,
      cached: 10_240,
      output: { least: 100, likely: 300, most: 900 },
      basis: 'conversation',
      isEstimate: true,
    });
    close(money.least, 10_240 * 0.2 + 2560 * 2 + 100 * 10);
    close(money.likely, 10_240 * 0.2 + 2560 * 2 + 300 * 10);
    close(money.most, 12_800 * 2 + 900 * 10);
  });

  it('counts nothing as cached once the time has run out, but says that luck may have it otherwise', () => {
    const { cached, money } = of({ now: 10 * minute });
    assert.equal(cached, 0);
    close(money.likely, 12_800 * 2 + 300 * 10);
    close(money.least, 10_240 * 0.2 + 2560 * 2 + 100 * 10);
  });

  it('takes the dear price for what is to be kept for an hour', () => {
    close(of({ cacheTtl: '1h' }).money.likely, 10_240 * 0.2 + 2560 * 4 + 300 * 10);
  });

  it('finds no more than is sent, and nothing of another model or another beginning', () => {
    assert.equal(of({ input: 600 }).cached, 512);
    assert.equal(of({ model: 'kimi-k3' }).cached, 0);
    assert.equal(of({ beginning: { kind: 'first' } }).cached, 0);
    assert.equal(of({ beginning: { kind: 'changed', by: 'tools', same: 0, of: 4 } }).cached, 0);
    assert.equal(of({ beginning: { kind: 'changed', by: 'input', same: 0, of: 0 } }).cached, 0);
    assert.equal(of({ beginning: { kind: 'changed', by: 'input', same: 3, of: 4 } }).cached, 7680);
  });

  it('guesses by the effort as long as nothing like it was answered', () => {
    for (const effort of ['low', 'high', 'max'] as const) {
      const { output, basis, cached } = of({ before: [record({ usage: null })], effort });
      assert.equal(basis, 'effort');
      assert.equal(cached, 0);
      assert.ok(output.least === 0 && output.likely > 0 && output.most > output.likely);
    }
    assert.equal(of({ effort: 'low' }).basis, 'effort');
  });

  it('never guesses more output than there is room for', () => {
    assert.deepEqual(of({ room: 200 }).output, { least: 100, likely: 200, most: 200 });
    assert.deepEqual(of({ room: 200, before: [] }).output, { least: 0, likely: 200, most: 200 });
  });

  it('keeps its order, and costs more for more input', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000_000),
        fc.nat(100_000),
        fc.constantFrom(...models.map(({ id }) => id)),
        (input, more, model) => {
          const { money } = of({ input, model });
          assert.ok(money.least <= money.likely && money.likely <= money.most);
          assert.ok(of({ input: input + more, model }).money.most >= money.most);
        },
      ),
      { seed },
    );
  });

  it('knows when the cache runs out', () => {
    assert.equal(cacheEnd([]), undefined);
    assert.equal(cacheEnd([record({ unbilled: true })]), undefined);
    assert.equal(cacheEnd(sent), 5000 + 5 * minute);
    assert.equal(cacheEnd([record({ cacheTtl: '1h' }), record({ sentAt: 2000 })]), 3000 + 60 * minute);
    const { endedAt: _, ...open } = record({ sentAt: 7000 });
    assert.equal(cacheEnd([open]), 7000 + 5 * minute);
  });
});

describe('cost/limits', () => {
  const money = { least: 0.1 };

  it('hold nobody back where none is set, or none would be broken', () => {
    assert.equal(refusalOf({}, { day: 1e6, conversation: 1e6 }, money), undefined);
    assert.equal(refusalOf({ day: 1, conversation: 1 }, { day: 0.9, conversation: 0.5 }, money), undefined);
  });

  it('refuse what would certainly go beyond, and say which limit it was', () => {
    const spent = { day: 4.95, conversation: 0.95 };
    assert.deepEqual(refusalOf({ day: 5 }, spent, money), {
      kind: 'spendingLimit',
      scope: 'day',
      limit: 5,
      spent: 4.95,
      expected: 0.1,
    });
    assert.deepEqual(refusalOf({ day: 5, conversation: 1 }, spent, money), {
      kind: 'spendingLimit',
      scope: 'conversation',
      limit: 1,
      spent: 0.95,
      expected: 0.1,
    });
  });

  it('have the person asked above an amount', () => {
    assert.equal(asksFirst({}, { likely: 100 }), false);
    assert.equal(asksFirst({ confirmAbove: 0.5 }, { likely: 0.5 }), false);
    assert.equal(asksFirst({ confirmAbove: 0.5 }, { likely: 0.51 }), true);
  });
});

describe('cost/facts', () => {
  it('warns at 80 % and at 95 % of the window', () => {
    assert.deepEqual(
      [0, 799, 800, 949, 950, 1000, 1001].map((used) => levelOf(used, 1000)),
      ['fine', 'fine', 'high', 'high', 'full', 'full', 'over'],
    );
  });
});
