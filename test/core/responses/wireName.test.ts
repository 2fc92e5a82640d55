import assert from 'node:assert/strict';
import fc from 'fast-check';

import { wireName } from '../../../src/core/responses/wireName.ts';
import { seed } from '../../simulator/arbitraries.ts';
import { namePattern } from '../../simulator/validate/tools.ts';

describe('a name on the wire', () => {
  it('is the name itself where the service takes it', () => {
    for (const name of ['read_file', '_', 'x-1', 'X'.repeat(128)]) assert.equal(wireName(name), name);
  });

  it('is one like it otherwise', () => {
    assert.equal(wireName('io.github.foo/bar'), '_io_github_foo_bar');
    assert.equal(wireName('2nd'), '_2nd');
    assert.equal(wireName('-x'), '_-x');
    assert.equal(wireName(''), '_');
    assert.equal(wireName('天気'), '___');
    assert.equal(wireName('x'.repeat(129)), `_${'x'.repeat(127)}`);
  });

  it('is taken by the service, whatever it was made from', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => namePattern.test(wireName(name))),
      { seed },
    );
  });
});
