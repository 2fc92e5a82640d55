import assert from 'node:assert/strict';

import { parseRetryAfter } from '../../../src/core/responses/retryAfter.ts';

describe('responses/retryAfter', () => {
  const now = Date.UTC(2026, 10, 29, 12, 0, 0);

  it('reads seconds, whole and in parts', () => {
    assert.equal(parseRetryAfter('2', now), 2000);
    assert.equal(parseRetryAfter(' 0 ', now), 0);
    assert.equal(parseRetryAfter('1.5', now), 1500);
  });

  it('reads a date as the time until then', () => {
    assert.equal(parseRetryAfter('Sun, 29 Nov 2026 12:00:30 GMT', now), 30_000);
  });

  it('takes a date that has passed as now', () => {
    assert.equal(parseRetryAfter('Sun, 29 Nov 2026 11:00:00 GMT', now), 0);
  });

  it('gives a finite time, however absurd', () => {
    assert.equal(parseRetryAfter('9'.repeat(400), now), Number.MAX_SAFE_INTEGER);
    const year3026 = parseRetryAfter('Tue, 29 Nov 3026 12:00:00 GMT', now) ?? 0;
    assert.ok(year3026 > 999 * 365 * 86_400_000 && Number.isSafeInteger(year3026));
  });

  it('leaves out what it can not read', () => {
    for (const header of [
      undefined,
      '',
      'soon',
      '-5',
      '-1',
      '1e9',
      '0x10',
      'Infinity',
      '2 minutes or so',
      'Xxx, 99 Foo',
    ]) {
      assert.equal(parseRetryAfter(header, now), undefined, String(header));
    }
  });
});
