/** Wherever the pieces are cut, what comes out is the text without the key. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

import { KeyFilter, KeysSent, withoutKey, withoutKeysInJson } from '../../../src/host/keyFilter.ts';

const seed = Number(process.env['FC_SEED'] ?? Date.now());
const key = 'sk-sk-sk-0';

function filtered(pieces: readonly string[], of: string | undefined): string {
  const filter = new KeyFilter(of);
  return pieces.map((piece) => filter.feed(piece)).join('') + filter.end();
}

describe(`keyFilter (seed ${seed})`, () => {
  it('takes the key out however it is cut', () => {
    const part = fc.constantFrom(key, 's', 'sk-', 'sk-sk-', 'sk-sk-sk-', '0', ' ', '\n');
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 12 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
        (parts, sizes) => {
          const text = parts.join('');
          const pieces: string[] = [];
          for (let at = 0; at < text.length;) {
            const size = sizes.next().value ?? 1;
            pieces.push(text.slice(at, at + size));
            at += size;
          }
          assert.equal(filtered(pieces, key), withoutKey(text, key));
          assert.ok(!filtered(pieces, key).includes(key));
        },
      ),
      { seed, numRuns: 500 },
    );
  });

  it('takes out every key that was ever sent', () => {
    const sent = new KeysSent();
    assert.equal(sent.without(`${key} sk-earlier`), `${key} sk-earlier`);
    sent.add(key);
    sent.add('sk-earlier');
    assert.equal(sent.without(`a ${key} b sk-earlier c ${key}`), 'a •••••••• b •••••••• c ••••••••');
  });

  it('takes out those that are known without having been sent, and leaves no end of a longer one', () => {
    const sent = new KeysSent();
    sent.add(key);
    assert.equal(
      sent.without(`${key} ${key}-and-more sk-other`, [`${key}-and-more`, 'sk-other']),
      '•••••••• •••••••• ••••••••',
    );
  });

  it('takes keys out of JSON, also those that are written otherwise there', () => {
    const odd = String.raw`sk-"odd"\key`;
    const clean = withoutKeysInJson(JSON.stringify({ text: `a ${odd} b ${key}` }), [odd, key]);
    assert.deepEqual(JSON.parse(clean), { text: 'a •••••••• b ••••••••' });
  });

  it('says nothing of the key but that it stood there', () => {
    assert.equal(filtered([`Bearer ${key}, ${key}`], key), 'Bearer ••••••••, ••••••••');
  });

  it('holds back no more than what may become the key', () => {
    const filter = new KeyFilter(key);
    assert.equal(filter.feed('a sk'), 'a ');
    assert.equal(filter.feed('y'), 'sky');
    assert.equal(filter.feed('\n\n'), '\n\n');
    assert.equal(filter.end(), '');
  });

  it('leaves text as it is where there is no key, or none that could be told from a word', () => {
    for (const none of [undefined, '', 'k', 'seven77'])
      assert.equal(filtered(['seven77 k'], none), 'seven77 k');
  });
});
