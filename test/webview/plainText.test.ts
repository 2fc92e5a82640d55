/** What is heard of a block of Markdown. */
import assert from 'node:assert/strict';
import { advance, noBlocks, settledBehind } from '../../src/webview/markdown/blocks.ts';
import { spokenText } from '../../src/webview/markdown/plainText.ts';

function spoken(markdown: string): string[] {
  return advance(noBlocks, markdown, true)
    .settled.flat()
    .map((block) => spokenText(block.token));
}

describe('Markdown as it is heard', () => {
  it('has no marks', () => {
    assert.deepEqual(
      spoken('## A *title*\n\nSome **bold** `code`, [a link](https://x.y) &amp; more.\n\n---'),
      ['A title', 'Some bold code, a link & more.', ''],
    );
  });

  it('names code instead of reading it', () => {
    assert.deepEqual(spoken('```ts\nconst a = 1;\n```'), ['Code, ts.']);
    assert.deepEqual(spoken('```\nx\n```'), ['Code.']);
  });

  it('reads lists, quotes and tables in order', () => {
    assert.deepEqual(spoken('- one\n- [x] two\n\n> said\n\n| a | b |\n|---|---|\n| 1 | 2 |'), [
      'one. two',
      'said',
      'a, b. 1, 2',
    ]);
  });

  it('can be taken block by block as they settle', () => {
    const text = Array.from({ length: 100 }, (_, index) => `Paragraph ${index}.\n\n`).join('');
    const heard: string[] = [];
    let blocks = noBlocks;
    let count = 0;
    for (let cut = 7; cut < text.length + 7; cut += 7) {
      blocks = advance(blocks, text.slice(0, cut), cut >= text.length);
      for (const block of settledBehind(blocks, count)) heard.push(spokenText(block.token));
      count = blocks.settled.flat().length;
    }
    assert.deepEqual(
      heard,
      Array.from({ length: 100 }, (_, index) => `Paragraph ${index}.`),
    );
  });
});
