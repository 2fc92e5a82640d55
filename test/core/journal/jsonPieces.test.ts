/** Long JSON in pieces: written and read as the platform does it at once. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

import {
  jsonOf,
  parsedJson,
  type JsonLimits,
  type JsonProblem,
} from '../../../src/core/journal/jsonPieces.ts';
import type { Result } from '../../../src/core/result.ts';
import { seed } from '../../simulator/arbitraries.ts';
import { finished } from '../../support/exporting.ts';

const limits = { levels: 64, values: 10_000 };

function read(text: string, more: Partial<JsonLimits> = {}): Result<unknown, JsonProblem> {
  return finished(parsedJson(text, { ...limits, ...more }));
}

describe('JSON in pieces', () => {
  const values: readonly unknown[] = [
    null,
    'a "text" with \\ and \n',
    -1.5e3,
    [],
    {},
    { empty: [], none: {}, text: '', nothing: undefined, list: [1, [2, [3, { a: [4] }]], 'x'] },
    [[[[[['deep']]]]], { a: { b: { c: [true, false, null] } } }],
  ];

  it('is written as at once, however much of it is taken apart', () => {
    const replacer = (_name: string, value: unknown): unknown => (value === 'x' ? 'y' : value);
    for (const value of values) {
      for (const levels of [0, 1, 2, 9]) {
        const pieces = [...jsonOf(value, replacer, { levels, place: 0 })];
        assert.equal(pieces.join(''), JSON.stringify(value, replacer, 1));
      }
      const [inner] = [...jsonOf({ value }, replacer, { levels: 9, place: 0 })].join('').split('\n').slice(1);
      const [first] = [...jsonOf({ value }, replacer, { levels: 0, place: 3 })].join('').split('\n').slice(1);
      assert.equal(first, `   ${inner}`);
    }
  });

  it('is read as at once, however short the pieces are', () => {
    console.log(`      seed ${seed}`);
    const places = fc.constantFrom(1, 2, 7, 30, 65_536);
    const blank = fc.constantFrom('', ' ', '\t\n\r ');
    fc.assert(
      fc.property(fc.jsonValue(), places, blank, (value, piece, space) => {
        const text = JSON.stringify(value, undefined, space);
        assert.deepEqual(read(text, { piece }), { ok: true, value: JSON.parse(text) as unknown });
      }),
      { seed },
    );
    for (const text of ['{"__proto__":{"a":1},"b":[1,2],"b":[3,4,5]}', '\uFEFF [ ] ', '{"a":"\\\\\\"[{,"}'])
      for (const piece of [1, 9, 65_536])
        assert.deepEqual(read(text, { piece }), {
          ok: true,
          value: JSON.parse(text.replace('\uFEFF', '')) as unknown,
        });
    const empty = `{"a":[${' '.repeat(20)}],"b":{${' '.repeat(20)}}}`;
    assert.deepEqual(read(empty, { piece: 9 }), { ok: true, value: { a: [], b: {} } });
  });

  it('lets something else be done in between', () => {
    const list = JSON.stringify(Array.from({ length: 40 }, () => 'x'.repeat(10_000)));
    assert.ok([...parsedJson(`{"a":${list}}`, limits)].length >= 4);
    assert.equal([...parsedJson('[1,2,3]', limits)].length, 0);
  });

  it('is none where it is none at once', () => {
    const wrong = ['', '{', '[1,]', '[1 2]', '{"a"}', '{"a" 1}', '{a:1}', '{"a":1,}', '[1}', '{"a":1]'];
    for (const text of [...wrong, '1 2', '[1] x', 'nul', '"open', '["a\\"]', '[\u00A01]', '-', '01', "'a'"]) {
      assert.throws(() => JSON.parse(text));
      for (const piece of [1, 3, 65_536])
        assert.deepEqual(read(text, { piece }), { ok: false, error: 'notJson' }, text);
    }
  });

  it('is no more than it may be, and texts of brackets are only texts', () => {
    const deep = `${'['.repeat(64)}${']'.repeat(64)}`;
    for (const piece of [1, 65_536]) {
      assert.ok(read(deep, { piece }).ok);
      assert.deepEqual(read(`[${deep}]`, { piece }), { ok: false, error: 'excessive' });
      assert.ok(read('[1,[2,3],{"a":4}]', { piece, values: 6 }).ok);
      assert.deepEqual(read('[1,[2,3],{"a":4}]', { piece, values: 5 }), { ok: false, error: 'excessive' });
      assert.ok(read(`["${'[{,'.repeat(100)}"]`, { piece, values: 1, levels: 1 }).ok);
    }
  });
});
