/** Numbers at a glance: short, honest, in the person's own digits. */
import assert from 'node:assert/strict';
import {
  duration,
  exactCount,
  exactMoney,
  money,
  percent,
  runningTime,
  shortCount,
  shortCounts,
} from '../../src/webview/figures.ts';
import { l10n } from '../../src/webview/l10n.ts';

describe('figures', () => {
  afterEach(() => l10n.use({}, 'en'));

  it('shortens counts', () => {
    const cases: [number, string][] = [
      [0, '0'],
      [950, '950'],
      [1000, '1k'],
      [1930, '1.9k'],
      [12_400, '12.4k'],
      [212_400, '212k'],
      [999_949, '1M'],
      [1_048_576, '1M'],
      [1_240_000, '1.2M'],
    ];
    for (const [count, text] of cases) assert.equal(shortCount(count), text);
    // Two of which one is the whole of the other: never the same, unless they are.
    assert.deepEqual(shortCounts(212_400, 1_048_576), ['212k', '1M']);
    assert.deepEqual(shortCounts(1_048_576, 1_048_576), ['1M', '1M']);
    assert.deepEqual(shortCounts(1_018_000, 1_048_576), ['1.02M', '1.05M']);
    assert.deepEqual(shortCounts(1_048_500, 1_048_576), ['1,048,500', '1,048,576']);
    assert.equal(exactCount(1_048_576), '1,048,576');
  });

  it('never calls a part everything or nothing', () => {
    assert.equal(percent(0.94), '94%');
    assert.equal(percent(0.9999), '99%');
    assert.equal(percent(0.0001), '1%');
    assert.equal(percent(0), '0%');
    assert.equal(percent(1), '100%');
    assert.equal(percent(9.46), '100%');
  });

  it('writes money with the digits that matter', () => {
    assert.equal(money(0.0314), '$0.031');
    assert.equal(money(0.14), '$0.14');
    assert.equal(money(1.254), '$1.25');
    assert.equal(money(0), '$0.00');
    assert.equal(money(0.0005), '$0.001');
    assert.equal(money(0.000_49), '<$0.001');
    assert.equal(exactMoney(0.030_517), '$0.030517');
    assert.equal(exactMoney(0.14), '$0.14');
  });

  it('writes durations', () => {
    const cases: [number, string][] = [
      [-5, '0\u00a0s'],
      [0, '0\u00a0s'],
      [20, '0.1\u00a0s'],
      [430, '0.4\u00a0s'],
      [960, '1\u00a0s'],
      [18_200, '18\u00a0s'],
      [59_600, '1\u00a0min'],
      [125_000, '2\u00a0min\u00a05\u00a0s'],
      [3_600_000, '1\u00a0h'],
      [3_780_000, '1\u00a0h\u00a03\u00a0min'],
    ];
    for (const [ms, text] of cases) assert.equal(duration(ms), text);
    assert.equal(runningTime(999), '0\u00a0s');
    assert.equal(runningTime(61_500), '1\u00a0min\u00a01\u00a0s');
    assert.equal(runningTime(-1), '0\u00a0s');
  });

  it('follows the locale', () => {
    l10n.use({ '{0} s': '{0} 秒' }, 'zh-cn');
    assert.equal(shortCount(212_400), '21.2万');
    assert.equal(duration(18_000), '18\u00a0秒');
    l10n.use({}, 'de');
    assert.equal(exactCount(1930), '1.930');
    assert.match(money(0.031), /^0,031\s\$$/);
    l10n.use({}, 'not a locale');
    assert.equal(exactCount(1930), '1,930');
  });
});
