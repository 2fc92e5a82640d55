import assert from 'node:assert/strict';

import fc from 'fast-check';

import { globFits, parseGlob } from '../../../src/core/tools/glob.ts';

function fits(pattern: string, path: string): boolean {
  const glob = parseGlob(pattern);
  assert.ok(glob.ok, pattern);
  return globFits(glob.value, path);
}

describe('a glob', () => {
  for (const [pattern, yes, no] of [
    ['*.ts', ['a.ts', 'src/a.ts', 'a.ts/in/it'], ['a.tsx', 'ts']],
    ['src', ['src/a.ts', 'lib/src/b.ts'], ['srcs/a.ts']],
    ['src/', ['src/a.ts', 'lib/src/b.ts'], ['a.ts']],
    ['/src', ['src/a.ts'], ['lib/src/b.ts']],
    ['./src/*.ts', ['src/a.ts'], ['src/b/a.ts', 'lib/src/a.ts']],
    ['src/**/*.ts', ['src/a.ts', 'src/b/c/a.ts'], ['a.ts', 'src/a.css']],
    ['**/test/**', ['test/a', 'a/test/b/c'], ['a/b']],
    ['**', ['a', 'a/b'], []],
    ['a\\b', ['a/b'], ['a']],
    ['*.{ts,tsx}', ['a.ts', 'b/a.tsx'], ['a.js']],
    ['{a,b/{c,d}}.x', ['a.x', 'b/d.x'], ['b.x']],
    ['{a', ['{a'], ['a']],
    ['a}', ['a}'], ['a']],
    ['file?.txt', ['file1.txt', 'file😀.txt'], ['file.txt', 'file12.txt']],
    ['[a-c]x', ['ax', 'cx'], ['dx']],
    ['[!a-c]x', ['dx'], ['ax']],
    ['[^ab]x', ['cx'], ['bx']],
    ['[a-]', ['a', '-'], ['b']],
    ['[]', ['[]'], ['[', 'a']],
    ['[x', ['[x'], ['x']],
    ['a*b*c', ['abc', 'a1b2c', 'aXbXbXc'], ['ab', 'abcd']],
    ['a.b', ['a.b'], ['axb']],
    ['(a)+$', ['(a)+$'], ['aa']],
    ['src//a', ['src/a'], ['a']],
  ] as const) {
    it(`${pattern} fits what it should`, () => {
      for (const path of yes) assert.ok(fits(pattern, path), path);
      for (const path of no) assert.ok(!fits(pattern, path), path);
    });
  }

  it('is refused when its braces spell out too much', () => {
    for (const pattern of ['{a,b}'.repeat(8), `{${'{a,b}'.repeat(8)},c}`, `{${'x,'.repeat(200)}}`])
      assert.deepEqual(parseGlob(pattern), { ok: false, error: 'has too many alternatives in its braces' });
  });

  it('fits what a backtracking matcher says, in any mixture of stars', () => {
    const letters = fc.constantFrom('a', 'b', '*', '?');
    fc.assert(
      fc.property(
        fc.array(letters, { minLength: 1, maxLength: 8 }),
        fc.stringMatching(/^[ab]{1,8}$/),
        (tokens, name) => {
          const pattern = tokens.join('');
          fc.pre(!/^\*\*$/.test(pattern));
          const source = tokens.join('').replaceAll('?', '.').replaceAll('*', '.*');
          assert.equal(fits(pattern, name), new RegExp(`^${source}$`).test(name));
        },
      ),
    );
  });

  it('takes no more steps than pattern times path, where a backtracking one would never end', () => {
    assert.ok(!fits(`${'*a'.repeat(200)}b`, 'a'.repeat(4_000)));
    assert.ok(!fits(`${'**/a/'.repeat(200)}b`, 'a/'.repeat(2_000) + 'c'));
  });
});
