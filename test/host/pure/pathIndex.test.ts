import assert from 'node:assert/strict';

import fc from 'fast-check';

import { fit, foldQuery, nameOf } from '../../../src/host/completion/fuzzy.ts';
import { PathIndex } from '../../../src/host/completion/pathIndex.ts';

const pause = (): Promise<void> => Promise.resolve();

async function indexOf(...paths: readonly string[]): Promise<PathIndex> {
  return PathIndex.of(paths, pause);
}

function found(index: PathIndex, typed: string, most = 10): readonly string[] {
  return index.find(foldQuery(typed), most).map(({ path }) => path);
}

describe('the index of paths', () => {
  it('finds the best, the shorter one of two that fit alike', async () => {
    const index = await indexOf('src/a/cart.ts', 'src/cart.ts', 'cart.ts', 'src/cart.css', 'README.md');
    assert.deepEqual(found(index, 'cart', 3), ['cart.ts', 'src/cart.ts', 'src/a/cart.ts']);
    assert.deepEqual(found(index, 'READ'), ['README.md']);
    assert.deepEqual(found(index, 'nothing'), []);
  });

  it('follows what is added and taken out, in the middle of typing too', async () => {
    const index = await indexOf('src/cart.ts', 'src/shop/cart.ts', 'src/shopping.ts');
    assert.equal(found(index, 'ca').length, 2);
    index.add('test/cart.test.ts');
    assert.equal(found(index, 'cart').length, 3);
    index.remove('src/shop');
    assert.deepEqual(found(index, 'cart'), ['src/cart.ts', 'test/cart.test.ts']);
    assert.ok(index.has('src/shopping.ts') && !index.has('src/shop/cart.ts'));
    assert.equal(index.size, 3);
  });

  it('pauses while it takes many in', async () => {
    let pauses = 0;
    const paths = Array.from({ length: 25_000 }, (_, at) => `src/file${at}.ts`);
    const index = await PathIndex.of(paths, () => {
      pauses += 1;
      return Promise.resolve();
    });
    assert.deepEqual([index.size, pauses], [25_000, 2]);
  });

  it('finds the same key by key as at once, and what is best of all', async () => {
    const seed = Number(process.env['FC_SEED'] ?? Date.now());
    const letter = fc.constantFrom(...'abcAB/._1');
    const paths = fc.uniqueArray(fc.string({ unit: letter, minLength: 1, maxLength: 10 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(paths, fc.string({ unit: letter, minLength: 1, maxLength: 5 }), async (all, typed) => {
        const [typing, fresh] = [await indexOf(...all), await indexOf(...all)];
        for (let length = 1; length < typed.length; length += 1) found(typing, typed.slice(0, length), 3);
        const wanted = found(fresh, typed, 3);
        assert.deepEqual(found(typing, typed, 3), wanted, `seed ${seed}`);
        const query = foldQuery(typed);
        const scores = all.map((path) => fit(nameOf(path), query)).filter((score) => score > 0);
        assert.deepEqual(
          fresh.find(query, 3).map(({ score }) => score),
          scores.toSorted((one, other) => other - one).slice(0, 3),
          `seed ${seed}`,
        );
      }),
      { seed },
    );
  });
});
