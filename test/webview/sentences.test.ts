/** An answer is read out sentence by sentence, as it comes: each once, and in the order in which it stands. */
import assert from 'node:assert/strict';
import { advance, noBlocks } from '../../src/webview/markdown/blocks.ts';
import { Sentences } from '../../src/webview/markdown/sentences.ts';

/** What is heard after each of the pieces. */
function heard(pieces: readonly string[]): readonly (readonly string[])[] {
  const sentences = new Sentences('en');
  let blocks = noBlocks;
  let text = '';
  return pieces.map((piece, index) => {
    text += piece;
    blocks = advance(blocks, text, index === pieces.length - 1);
    return sentences.of(blocks);
  });
}

const answer = `# Why

Two mistakes make it **too small.** The loop stops at 3.5, "one early." Is that all? No

1. The last row is left out.
2. The coupon counts twice

\`\`\`ts
const total = 1. + 2;
\`\`\`

最后一行被漏掉了。优惠券算了两次。

> Quoted. Twice
`;

const all = [
  'Why',
  'Two mistakes make it too small.',
  'The loop stops at 3.5, "one early."',
  'Is that all?',
  'No',
  'The last row is left out.',
  'The coupon counts twice',
  'Code, ts.',
  '最后一行被漏掉了。',
  '优惠券算了两次。',
  'Quoted.',
  'Twice',
];

describe('sentences that are read out', () => {
  it('are those of the whole answer, however it comes', () => {
    assert.deepEqual(heard([answer]).flat(), all);
    for (const size of [1, 2, 7, 40]) {
      const pieces = Array.from({ length: Math.ceil(answer.length / size) }, (_, index) =>
        answer.slice(index * size, (index + 1) * size),
      );
      assert.deepEqual(heard(pieces).flat(), all, `pieces of ${size}`);
    }
  });

  it('are heard before the paragraph is whole, and not before they are', () => {
    assert.deepEqual(heard(['The first is', ' whole. ', 'The sec', 'ond is not', ' yet.\n\n', '']), [
      [],
      [],
      ['The first is whole.'],
      [],
      [],
      ['The second is not yet.'],
    ]);
  });

  it('are heard once, also when the numbers of sources come between them, and without those', () => {
    const paragraphs = Array.from({ length: 40 }, (_, at) => `The first of ${at}. The second of ${at}.`);
    const text = paragraphs.join('\n\n');
    const cited = paragraphs.map((each) => each.replace('. ', '.[1](source:1) ')).join('\n\n');
    const sentences = new Sentences('en');
    const first = advance(noBlocks, text, false);
    const found = [...sentences.of(first)];
    for (const [state, done] of [
      [cited, false],
      [`${cited}\n\nLast.`, true],
    ] as const)
      found.push(...sentences.of(advance(first, state, done)));
    assert.deepEqual(found, [...paragraphs.flatMap((each) => each.split(/(?<=\.) /)), 'Last.']);
  });

  it('are not looked for in a paragraph without an end', () => {
    const pieces = Array.from({ length: 30 }, () => 'A sentence of it. '.repeat(60));
    const found = heard(pieces);
    assert.ok(found.slice(0, 15).every((each) => each.length > 0));
    assert.equal(found.slice(20, -1).flat().length, 0);
    assert.equal(found.flat().length, 1800);
  });
});
