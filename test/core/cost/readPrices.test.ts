import assert from 'node:assert/strict';

import { defaultPrices } from '../../../src/core/cost/prices.ts';
import { highestPrice, readPrices } from '../../../src/core/cost/readPrices.ts';
import { models } from '../../../src/core/responses/models.ts';

describe('cost/readPrices', () => {
  it('has a default for each model, marked as an estimate', () => {
    assert.deepEqual(Object.keys(defaultPrices).toSorted(), models.map(({ id }) => id).toSorted());
    for (const prices of Object.values(defaultPrices)) assert.ok(prices.isEstimate);
  });

  it('keeps the defaults where nothing is set', () => {
    for (const nothing of [undefined, null, {}])
      assert.deepEqual(readPrices(nothing), { prices: defaultPrices, problems: [] });
  });

  it('takes single prices, and keeps the others', () => {
    const { prices, problems } = readPrices({ 'kimi-k3': { input: 2.5, output: 0 } });
    assert.deepEqual(problems, []);
    assert.deepEqual(prices['kimi-k3'], { ...defaultPrices['kimi-k3'], input: 2.5, output: 0 });
    assert.deepEqual(prices['kimi-k3.1-pro'], defaultPrices['kimi-k3.1-pro']);
  });

  it('is no estimate once every price that is billed is the person’s own', () => {
    const { prices } = readPrices({
      'kimi-k3': { input: 1, output: 1, cacheRead: 1 },
      'kimi-k3.1-pro': { input: 1, output: 1, cacheRead: 1 },
      'kimi-k3.1-pro-highspeed': { input: 1, output: 1, cacheRead: 1, cacheWrite5m: 1, cacheWrite1h: 1 },
    });
    assert.deepEqual(
      Object.values(prices).map(({ isEstimate }) => isEstimate),
      [true, false, false],
    );
  });

  it('names what makes no sense and falls back to the default, value by value', () => {
    assert.deepEqual(readPrices('cheap'), { prices: defaultPrices, problems: [{ kind: 'noObject' }] });
    assert.deepEqual(readPrices([]).problems, [{ kind: 'noObject' }]);
    const { prices, problems } = readPrices({
      'kimi-k9': { input: 1 },
      'kimi-k3': 3,
      'kimi-k3.1-pro': { input: '2', output: -1, cacheRead: 0.1, cached: 1, cacheWrite1h: highestPrice * 2 },
      'kimi-k3.1-pro-highspeed': { input: Number.NaN, cacheWrite5m: null },
    });
    assert.deepEqual(problems, [
      { kind: 'unknownModel', model: 'kimi-k9' },
      { kind: 'unknownPrice', model: 'kimi-k3.1-pro', price: 'cached' },
      { kind: 'badPrice', model: 'kimi-k3.1-pro', price: 'input' },
      { kind: 'badPrice', model: 'kimi-k3.1-pro', price: 'output' },
      { kind: 'badPrice', model: 'kimi-k3.1-pro', price: 'cacheWrite1h' },
      { kind: 'badPrice', model: 'kimi-k3.1-pro-highspeed', price: 'input' },
      { kind: 'badPrice', model: 'kimi-k3.1-pro-highspeed', price: 'cacheWrite5m' },
      { kind: 'modelNoObject', model: 'kimi-k3' },
    ]);
    assert.deepEqual(prices, {
      ...defaultPrices,
      'kimi-k3.1-pro': { ...defaultPrices['kimi-k3.1-pro'], cacheRead: 0.1 },
    });
  });
});
