import assert from 'node:assert/strict';
import fc from 'fast-check';

import { defaultPrices } from '../../../src/core/cost/prices.ts';
import { readUsageLine, usageRecord, type UsageRecord } from '../../../src/core/cost/usageRecord.ts';
import { dayOf, noUsage, sumUsage, usageByDay, usageCsv } from '../../../src/core/cost/usageSums.ts';
import { seed } from '../../simulator/arbitraries.ts';
import { record, running, usage } from './records.ts';

const noon = new Date(2026, 10, 30, 12).getTime();
const day = 24 * 3_600_000;
const told = record({
  sentAt: noon,
  usage: usage(1000, { cached: 512, cacheWrite: 256, output: 100, reasoning: 60 }),
  cacheTtl: '1h',
});

function keep(id: string, more: Parameters<typeof record>[0] = {}): UsageRecord {
  return usageRecord(id, record({ sentAt: noon, ...more }), defaultPrices);
}

describe('cost/usageRecord', () => {
  before(() => console.log(`      seed ${seed}`));

  it('keeps counts and money, and what is unknown as unknown', () => {
    const counted = usageRecord('a', told, defaultPrices);
    assert.equal(counted.kind, 'counted');
    assert.equal(counted.money, (232 * 2 + 512 * 0.2 + 256 * 4 + 100 * 10) / 1e6);
    assert.equal(counted.cacheTtl, '1h');
    assert.deepEqual(usageRecord('b', running({ sentAt: noon, expectedInput: 1000 }), defaultPrices), {
      kind: 'uncounted',
      id: 'b',
      at: noon,
      model: 'kimi-k3.1-pro',
      effort: 'max',
      reckoned: 0.002,
    });
    assert.equal(keep('c', { usage: null }).kind, 'uncounted');
    assert.equal(keep('d', { usage: null, unbilled: true }).kind, 'unbilled');
    assert.ok(!('cacheTtl' in keep('e', { usage: usage(1) })));
  });

  it('reads what it wrote', () => {
    for (const one of [
      usageRecord('a', told, defaultPrices),
      keep('b', { usage: null }),
      keep('c', { usage: null, unbilled: true }),
    ])
      assert.deepEqual(readUsageLine(JSON.stringify(one)), one);
  });

  it('passes over what was cut off, of later versions, or never ours', () => {
    const line = JSON.stringify(usageRecord('a', told, defaultPrices));
    for (const other of [
      '',
      line.slice(0, -1),
      '[]',
      'null',
      '{"kind":"refund","id":"a","at":1,"model":"m","effort":"max"}',
      line.replace('1000', '-1000'),
      line.replace('"a"', '""'),
    ])
      assert.equal(readUsageLine(other), undefined, other);
    // A field more is no reason to lose the rest.
    assert.equal(readUsageLine(line.replace('{', '{"more":1,'))?.kind, 'counted');
  });
});

describe('cost/usageSums', () => {
  const records = [
    usageRecord('a', told, defaultPrices),
    keep('b', { usage: usage(100), model: 'kimi-k3' }),
    keep('c', { usage: null, expectedInput: 1_000_000 }),
    keep('d', { usage: null, unbilled: true }),
    keep('e', { usage: usage(7), sentAt: noon - day }),
    keep('f', { usage: usage(8), sentAt: noon - 40 * day }),
  ];

  it('names days in local time', () => {
    assert.equal(dayOf(noon), '2026-11-30');
    assert.equal(dayOf(new Date(2026, 0, 1, 0, 0, 0).getTime()), '2026-01-01');
    assert.equal(dayOf(new Date(2026, 0, 1, 0, 0, 0).getTime() - 1), '2025-12-31');
  });

  it('adds up by day, newest first, and by model', () => {
    const days = usageByDay(records);
    assert.deepEqual(
      days.map((one) => [one.day, one.models.map(({ model, sum }) => `${model} ${sum.tokens.input}`)]),
      [
        ['2026-11-30', ['kimi-k3 100', 'kimi-k3.1-pro 1000']],
        ['2026-11-29', ['kimi-k3.1-pro 7']],
        [dayOf(noon - 40 * day), ['kimi-k3.1-pro 8']],
      ],
    );
    const { counted, uncounted, unbilled, reckoned, tokens } = days[0]!.sum;
    assert.deepEqual([counted, uncounted, unbilled, reckoned, tokens.input], [2, 1, 1, 2, 1100]);
    assert.deepEqual(usageByDay([]), []);
  });

  it('loses nothing: the days add up to the whole', () => {
    const anyRecord = fc.record({ at: fc.integer({ min: 0, max: 4e12 }), input: fc.nat(1e6) });
    fc.assert(
      fc.property(fc.array(anyRecord), (all) => {
        const given = all.map(({ at, input }, index) =>
          keep(String(index), {
            sentAt: at,
            usage: usage(input),
            model: index % 2 === 0 ? 'kimi-k3' : 'kimi-k3.1-pro',
          }),
        );
        const whole = sumUsage(given);
        const days = usageByDay(given);
        assert.equal(
          days.reduce((sum, one) => sum + one.sum.tokens.input, 0),
          whole.tokens.input,
        );
        assert.equal(
          days.flatMap(({ models }) => models).reduce((sum, one) => sum + one.sum.counted, 0),
          given.length,
        );
      }),
      { seed },
    );
    assert.deepEqual(sumUsage([]), noUsage);
  });

  it('is an estimate when any part of it is', () => {
    const own = { ...usageRecord('a', told, defaultPrices), isEstimate: false } as UsageRecord;
    assert.equal(sumUsage([own]).isEstimate, false);
    assert.equal(sumUsage([own, usageRecord('b', told, defaultPrices)]).isEstimate, true);
    assert.equal(sumUsage([usageRecord('b', told, defaultPrices), own]).isEstimate, true);
  });

  describe('as CSV', () => {
    it('has one row a request, oldest first, empty where nothing is known', () => {
      const lines = usageCsv(records).split('\r\n');
      assert.equal(lines.pop(), '');
      assert.equal(lines.length, 7);
      assert.ok(
        lines.some((line) => line.endsWith(',yes,')),
        'without a time to live',
      );
      assert.match(lines[0]!, /^day,time,model,effort,state,input_tokens,/);
      const row = lines.find((line) => line.includes(',1000,'));
      assert.equal(
        row,
        `2026-11-30,${new Date(noon).toISOString()},kimi-k3.1-pro,max,counted,1000,232,512,256,100,60,40,0.0025904,yes,1h`,
      );
      assert.ok(lines[1]!.startsWith(dayOf(noon - 40 * day)));
      assert.ok(lines.some((line) => line.endsWith('kimi-k3.1-pro,max,uncounted,,,,,,,,,,')));
      assert.ok(lines.some((line) => line.endsWith('unbilled,0,0,0,0,0,0,0,0,no,')));
      for (const line of lines) assert.equal(line.split(',').length, 15, line);
    });

    it('is a header alone without any request', () => {
      assert.match(usageCsv([]), /^day,[\w,]+\r\n$/);
    });

    it('quotes what needs it, and lets no text become a formula', () => {
      const odd = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', 'a,b', 'say "x"', 'two\r\nlines'].map((model) => ({
        ...keep('x', { usage: null }),
        model,
      }));
      const text = usageCsv(odd);
      for (const safe of [
        ",'=1+1,",
        ",'+1,",
        ",'-1,",
        ",'@SUM(A1),",
        ",'\tx,",
        ',"a,b",',
        ',"say ""x""",',
        ',"two\r\nlines",',
      ])
        assert.ok(text.includes(safe), safe);
    });

    it('never writes an exponent', () => {
      const tiny = { ...usageRecord('a', told, defaultPrices), money: 1e-7 } as UsageRecord;
      assert.ok(usageCsv([tiny]).includes(',0.0000001,yes'));
      assert.ok(usageCsv([{ ...tiny, money: 10, isEstimate: false } as UsageRecord]).includes(',10,no'));
    });
  });
});
