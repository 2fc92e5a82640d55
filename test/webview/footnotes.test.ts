/** Footnotes are numbered as they are first named, whenever their text arrives. */
import assert from 'node:assert/strict';
import { advance, noBlocks, type Blocks } from '../../src/webview/markdown/blocks.ts';
import { footnotes, noFootnotes } from '../../src/webview/markdown/footnotes.ts';

function of(text: string): Blocks {
  return advance(noBlocks, text, true);
}

function numbers(text: string): Record<string, number> {
  return Object.fromEntries(footnotes(of(text), noFootnotes).numbers);
}

describe('footnotes', () => {
  it('are numbered by the order in which the text names them', () => {
    assert.deepEqual(numbers('a[^x] b[^1] c[^X]\n\n[^1]: one\n[^x]: other'), { x: 1, 1: 2 });
  });

  it('that are named by footnotes alone come after those of the text, and unnamed ones last', () => {
    const text = 'a[^b] c[^d]\n\n[^lone]: l\n[^inner]: i\n[^b]: see [^inner]\n[^d]: d';
    assert.deepEqual(numbers(text), { b: 1, d: 2, inner: 3, lone: 4 });
    const { used } = footnotes(of(text), noFootnotes);
    assert.deepEqual([...used.keys()], ['b', 'd']);
  });

  it('are found in tables, lists and quotes', () => {
    const text = '| a[^1] |\n|---|\n| b[^2] |\n\n- c[^3]\n\n> d[^4]\n\n[^4]: 4\n[^3]: 3\n[^2]: 2\n[^1]: 1';
    assert.deepEqual(numbers(text), { 1: 1, 2: 2, 3: 3, 4: 4 });
  });

  it('are none without their text, and text is none in code', () => {
    assert.deepEqual(numbers('a[^1] [^a-z]+ `[^2]`\n\n```\n[^2]: code\n```'), {});
  });

  it('keep what they say while nothing of it changes', () => {
    const text = 'a[^1]\n\n[^1]: one\n\nmore and more\n\nend';
    let blocks = noBlocks;
    let before = noFootnotes;
    for (let length = 1; length <= text.length; length += 1) {
      blocks = advance(blocks, text.slice(0, length), false);
      const after = footnotes(blocks, before);
      if (before.notes.length > 0) assert.equal(after.numbers, before.numbers);
      if (length > text.indexOf('end')) assert.equal(after, before);
      before = after;
    }
    assert.equal(before.notes.length, 1);
  });

  it('take the first text of a label', () => {
    const [note] = footnotes(of('a[^1]\n\n[^1]: one\n\n[^1]: two'), noFootnotes).notes;
    assert.match(note?.raw ?? '', /one/);
  });
});
