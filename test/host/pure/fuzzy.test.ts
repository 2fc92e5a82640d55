import assert from 'node:assert/strict';

import fc from 'fast-check';

import { fit, fold, foldQuery, named, nameOf, rangesOf } from '../../../src/host/completion/fuzzy.ts';

/** The paths that fit, best first. */
function ranked(typed: string, paths: readonly string[]): readonly string[] {
  const query = foldQuery(typed);
  return paths
    .map((path) => ({ path, score: fit(nameOf(path), query) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ path }) => path);
}

/** What fits, in brackets. */
function shown(typed: string, path: string): string {
  const positions: number[] = [];
  fit(nameOf(path), foldQuery(typed), positions);
  let text = '';
  let at = 0;
  for (const [from, to] of rangesOf(positions, 0, path.length)) {
    text += `${path.slice(at, from)}[${path.slice(from, to)}]`;
    at = to;
  }
  return text + path.slice(at);
}

describe('fit', () => {
  it('puts names before folders, beginnings before the rest, and letters that stand together before scattered ones', () => {
    assert.deepEqual(
      ranked('cart', [
        'src/checkout/artist.ts',
        'cart/readme.md',
        'src/shopCart.ts',
        'src/discarts.ts',
        'src/cart.ts',
        'src/cart',
        'src/cartTotal.ts',
        'lib/customer/artifact.ts',
        'src/money.ts',
      ]),
      [
        'src/cart',
        'src/cart.ts',
        'src/cartTotal.ts',
        'src/shopCart.ts',
        'src/discarts.ts',
        'cart/readme.md',
        'src/checkout/artist.ts',
        'lib/customer/artifact.ts',
      ],
    );
  });

  it('knows words by capitals, signs and figures', () => {
    assert.equal(shown('cs', 'src/cartService.ts'), 'src/[c]art[S]ervice.ts');
    assert.equal(shown('cs', 'src/cart-service.ts'), 'src/[c]art-[s]ervice.ts');
    assert.equal(shown('m2', 'src/module12/module2.ts'), 'src/module12/[m]odule[2].ts');
    assert.equal(shown('dir', 'src/subDir/workDirs.ts'), 'src/subDir/work[Dir]s.ts');
    assert.equal(shown('srcdir', 'src/subDir/a.ts'), '[src]/sub[Dir]/a.ts');
  });

  it('takes folders as they are typed', () => {
    assert.equal(shown('host/ca', 'src/host/cart.ts'), 'src/[host/ca]rt.ts');
    assert.equal(shown('src\\host', 'src/host/cart.ts'), '[src/host]/cart.ts');
    assert.equal(shown('sr/ca', 'src/host/cart.ts'), '[sr]c[/]host/[ca]rt.ts');
    assert.deepEqual(ranked('a/cart', ['b/cart.ts', 'a/cart.ts', 'a/b/cart.ts', 'ba/cart.ts']), [
      'a/cart.ts',
      'ba/cart.ts',
      'a/b/cart.ts',
    ]);
  });

  it('makes no difference of case and of how accents are put together', () => {
    const composed = 'Re\u0301sume\u0301.md'.normalize('NFC');
    const apart = composed.normalize('NFD');
    for (const path of [composed, apart])
      for (const typed of [composed, apart, 'RÉSU'])
        assert.ok(ranked(typed, [path]).length === 1, `${typed} in ${path}`);
  });

  it('marks nothing but what was typed', () => {
    assert.equal(fit(nameOf('src/money.ts'), 'cart'), 0);
    assert.equal(shown('cart', 'src/money.ts'), 'src/money.ts');
    // A name with a slash in it that is no path.
    const positions: number[] = [];
    assert.ok(fit(named('operator/'), 'tor/', positions) > 0);
    assert.deepEqual(positions, [5, 6, 7, 8]);
  });

  it('fits whatever has the letters in their order, at those letters', () => {
    const seed = Number(process.env['FC_SEED'] ?? Date.now());
    const letter = fc.constantFrom(...'abcABC/._- 12é');
    const text = fc.string({ unit: letter, minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(text, fc.string({ unit: letter, minLength: 1, maxLength: 4 }), (path, typed) => {
        const query = foldQuery(typed);
        const name = nameOf(path);
        const positions: number[] = [];
        const score = fit(name, query, positions);
        const isThere = new RegExp(
          [...query].map((one) => one.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')).join('.*'),
        ).test(fold(path));
        assert.equal(score > 0, isThere, `seed ${seed}`);
        if (score > 0) assert.equal(positions.map((at) => name.folded[at]).join(''), query);
        assert.ok(score <= 1_000);
      }),
      { seed },
    );
  });
});
