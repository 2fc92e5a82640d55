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
      [-5, '0 s'],
      [0, '0 s'],
      [20, '0.1 s'],
      [430, '0.4 s'],
      [960, '1 s'],
      [18_200, '18 s'],
      [59_600, '1 min'],
      [125_000, '2 min 5 s'],
      [3_600_000, '1 h'],
      [3_780_000, '1 h 3 min'],
    ];
    for (const [ms, text] of cases) assert.equal(duration(ms), text);
    assert.equal(runningTime(999), '0 s');
    assert.equal(runningTime(61_500), '1 min 1 s');
    assert.equal(runningTime(-1), '0 s');
  });

  it('follows the locale', () => {
    l10n.use({ '{0} s': '{0} 秒' }, 'zh-cn');
    assert.equal(shortCount(212_400), '21.2万');
    assert.equal(duration(18_000), '18 秒');
    l10n.use({}, 'de');
    assert.equal(exactCount(1930), '1.930');
    assert.match(money(0.031), /^0,031\s\$$/);
    l10n.use({}, 'not a locale');
    assert.equal(exactCount(1930), '1,930');
  });
});
