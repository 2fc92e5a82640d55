/** A long list in strips: what did not change is passed over by identity. */
import assert from 'node:assert/strict';
import { Strips } from '../../src/webview/strips.ts';

const list = (count: number): { readonly at: number }[] => Array.from({ length: count }, (_, at) => ({ at }));

describe('a list in strips', () => {
  it('holds all of it in order, in strips that are full but for the last', () => {
    for (const count of [0, 1, 3, 4, 5, 8, 9]) {
      const all = list(count);
      const strips = new Strips<{ readonly at: number }>(4).of(all);
      assert.deepEqual(strips.flat(), all);
      assert.equal(strips.length, Math.ceil(count / 4));
      assert.ok(strips.slice(0, -1).every(({ length }) => length === 4));
    }
  });

  it('keeps the identity of each strip in which nothing changed', () => {
    const strips = new Strips<{ readonly at: number }>(8);
    const all = list(2_000);
    const before = strips.of(all);
    const changed = (now: readonly unknown[]): number[] =>
      now.flatMap((strip, at) => (strip === before[at] ? [] : [at]));
    assert.equal(strips.of([...all]), before);
    assert.deepEqual(changed(strips.of(all.with(1_999, { at: -1 }))), [249]);
    assert.deepEqual(changed(strips.of(all)), [249]);
  });

  it('changes the last strip when something is added, and those from where something was taken out', () => {
    const strips = new Strips<{ readonly at: number }>(4);
    const all = list(10);
    const first = strips.of(all);
    const more = strips.of([...all, { at: 10 }]);
    assert.deepEqual(
      more.map((strip, at) => strip === first[at]),
      [true, true, false],
    );
    const less = strips.of(all.toSpliced(5, 1));
    assert.deepEqual(
      less.map((strip, at) => strip === more[at]),
      [true, false, false],
    );
    assert.deepEqual(less.flat(), all.toSpliced(5, 1));
    assert.deepEqual(strips.of([]), []);
  });

  it('keeps the strips that are there when something comes in front', () => {
    const strips = new Strips<{ readonly at: number }>(4);
    const all = list(21);
    const first = strips.of(all.slice(11));
    const more = strips.of(all.slice(6));
    assert.deepEqual(
      more.map(({ length }) => length),
      [1, 4, 4, 4, 2],
    );
    assert.deepEqual(more.slice(2), first);
    assert.ok(more.slice(2).every((strip, at) => strip === first[at]));
    // The first one changed meanwhile, and something came behind, too.
    const whole = strips.of([...all.slice(0, 6), { at: -1 }, ...all.slice(7), { at: 21 }]);
    assert.deepEqual(
      whole.map((strip, at) => [strip.length, strip === more[at - 1]]),
      [
        [3, false],
        [4, false],
        [4, true],
        [4, true],
        [4, true],
        [3, false],
      ],
    );
    const other = list(9);
    assert.deepEqual(
      strips.of(other).map(({ length }) => length),
      [4, 4, 1],
    );
    // The only one of a short list changes with each piece of text.
    const one = strips.of([{ at: 1 }]);
    assert.equal(strips.of([{ at: 2 }]).length, one.length);
  });
});
