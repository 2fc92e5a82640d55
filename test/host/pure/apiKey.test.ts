import assert from 'node:assert/strict';

import { readKey } from '../../../src/host/apiKey.ts';

describe('readKey', () => {
  it('takes off what comes along when a key is copied', () => {
    for (const pasted of [
      'sk-abcdefgh',
      '  sk-abcdefgh\n',
      '"sk-abcdefgh"',
      'Bearer sk-abcdefgh',
      '`bearer  sk-abcdefgh`',
    ]) {
      assert.deepEqual(readKey(pasted), { ok: true, value: 'sk-abcdefgh' }, pasted);
    }
  });

  it('names what is wrong', () => {
    assert.deepEqual(readKey(' \t'), { ok: false, error: 'empty' });
    assert.deepEqual(readKey('""'), { ok: false, error: 'empty' });
    assert.deepEqual(readKey('https://evolink.ai/dashboard/keys'), { ok: false, error: 'url' });
    assert.deepEqual(readKey('sk-abc defgh'), { ok: false, error: 'inside' });
    assert.deepEqual(readKey('sk-abc\ndefgh'), { ok: false, error: 'inside' });
    assert.deepEqual(readKey('sk-schlüssel'), { ok: false, error: 'characters' });
    assert.deepEqual(readKey('sk-abcd\u200befgh'), { ok: false, error: 'characters' });
    assert.deepEqual(readKey('sk-ab'), { ok: false, error: 'short' });
    assert.deepEqual(readKey('k'.repeat(513)), { ok: false, error: 'long' });
  });
});
