/** Placed hunks become the smallest edits; what the patch does not name keeps its bytes. */
import assert from 'node:assert/strict';
import { onlyUpdate, plan, updating } from './texts.ts';

function edit(text: string, ...body: readonly string[]) {
  return onlyUpdate(plan({ 'a.txt': text }, updating(...body)));
}

describe('rewrite', () => {
  it('writes only the lines that differ between what goes and what comes', () => {
    const { replacements } = edit('a\nb\nc\nd\n', '-a', '-b', '-c', '-d', '+a', '+B', '+c', '+d', '+e');
    assert.deepEqual(replacements, [
      { start: 2, end: 4, text: 'B\n' },
      { start: 8, end: 8, text: 'e\n' },
    ]);
  });

  it('keeps the bytes of lines that the patch removes and adds again', () => {
    assert.equal(edit('a  \nb\n', '-a', '-b', '+a', '+B').after, 'a  \nB\n');
    assert.equal(edit('a\r\nb\nc\n', '-a', '-b', '-c', '+a', '+b', '+C').after, 'a\r\nb\nC\r\n');
  });

  it('lets edits of neighbouring hunks touch', () => {
    const { replacements, places } = edit('a\nb\nc\n', '-a', '+A', '@@', '-b', '+B', '@@', ' b', '+x');
    assert.deepEqual(replacements, [
      { start: 0, end: 2, text: 'A\n' },
      { start: 2, end: 4, text: 'B\n' },
      { start: 4, end: 4, text: 'x\n' },
    ]);
    assert.deepEqual(
      places.map(({ from, to }) => [from, to]),
      [
        [1, 1],
        [2, 2],
        [3, 2],
      ],
    );
  });

  it('keeps insertions at one place in the order of the patch', () => {
    assert.equal(edit('a\n', ' a', '+1', '@@', ' a', '+2', '@@', '+3').after, 'a\n1\n2\n3\n');
  });

  it('ends a last line that it writes or that no longer is the last, and no other', () => {
    assert.equal(edit('a\nb', '-b', '+b').after, 'a\nb\n');
    assert.equal(edit('a\nb', '-a', ' b').after, 'b');
    assert.equal(edit('a\nb', ' b', '+c', '@@', '+d').after, 'a\nb\nc\nd\n');
    assert.equal(edit('a\nb', '-b', '@@', '+c').after, 'a\nc\n');
    assert.equal(edit('a\nb', ' a', '+x', ' b').after, 'a\nx\nb');
    assert.equal(edit('a', '-a').after, '');
    assert.equal(edit('a\r\nb', ' b', '+c').after, 'a\r\nb\r\nc\r\n');
  });

  it('gives new lines the first end of the file', () => {
    assert.equal(edit('a\rb\nc\n', ' c', '+d').after, 'a\rb\nc\nd\r');
  });
});
