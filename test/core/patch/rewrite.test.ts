/** Placed hunks become the smallest edits; what the patch does not name keeps its bytes. */
import assert from 'node:assert/strict';

import fc from 'fast-check';

import { splitLines } from '../../../src/core/lines.ts';
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

  it('does not let a CR and the LF of an empty line become one line end', () => {
    assert.equal(edit('a\rb\n\nc\n', '-b').after, 'a\r\n\nc\n');
    assert.equal(edit('a\rb\nc\n\nd\n', '-b', '@@', '-c').after, 'a\r\n\nd\n');
    assert.equal(edit('x\na\rb\n', ' a', '+').after, 'x\na\r\r\nb\n');
    assert.equal(edit('x\na\rb\nc\n', ' a', '-b', '+', ' c').after, 'x\na\r\r\nc\n');
    assert.equal(edit('a\rb\n\nc\n', ' b', '+new').after, 'a\rb\nnew\r\n\nc\n');
    assert.equal(edit('a\rb\n\n', '-a', '-b', '+new').after, 'new\r\n\n');
    assert.equal(edit('a\rb\n\nc\n', ' b', '+new', '@@', '-', '+z').after, 'a\rb\nnew\rz\rc\n');
  });

  it('leaves the lines that are meant, whatever ends them', () => {
    const seed = Number(process.env['FC_SEED'] ?? Date.now());
    console.log(`      seed ${seed}`);
    const line = fc.record({
      text: fc.constantFrom('', 'a', 'b'),
      end: fc.constantFrom('\n', '\r\n', '\r'),
      removed: fc.boolean(),
      added: fc.array(fc.constantFrom('', 'new'), { maxLength: 2 }),
    });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
        const text = lines.map((each) => each.text + each.end).join('');
        fc.pre(splitLines(text).length === lines.length);
        const last = { text: 'last', end: '\n', removed: false, added: [] };
        const body = [...lines, last].flatMap((each) => [
          `${each.removed ? '-' : ' '}${each.text}`,
          ...each.added.map((added) => `+${added}`),
        ]);
        const left = [...lines, last].flatMap((each) => [
          ...(each.removed ? [] : [each.text]),
          ...each.added,
        ]);
        fc.pre(lines.some(({ removed, added }) => removed || added.length > 0));
        const before = `${text}last\n`;
        const planned = plan({ 'a.txt': before }, updating(...body));
        // What is removed and added again changes nothing.
        if (!planned.ok || planned.value.files.length > 0)
          assert.deepEqual(splitLines(onlyUpdate(planned).after), left);
        else assert.deepEqual(splitLines(before), left);
      }),
      { seed, numRuns: 2000 },
    );
  });
});
