import assert from 'node:assert/strict';
import fc from 'fast-check';

import { hasMixedLineEnds, withLineEndsOf } from '../../../src/host/edits/files/lineEnds.ts';

describe('line ends', () => {
  it('are mixed when an editor would make them alike', () => {
    for (const text of ['', 'a', 'a\nb\n', 'a\r\nb\r\n', 'a\r\nb'])
      assert.equal(hasMixedLineEnds(text), false, text);
    for (const text of ['a\r', 'a\rb\n', 'a\r\nb\n', 'a\n\r\n', 'a\r\r\n'])
      assert.equal(hasMixedLineEnds(text), true, text);
  });

  it('come back to each line that was there before, and new lines get the first', () => {
    const model = 'a\rb\nc\r\nd';
    assert.equal(withLineEndsOf('a\nb\nc\nd', model), model);
    assert.equal(withLineEndsOf('a\nnew\nb\nc\nd\nend', model), 'a\rnew\rb\nc\r\nd\rend');
    assert.equal(withLineEndsOf('b\nd\n', model), 'b\nd\r');
    assert.equal(withLineEndsOf('', model), '');
    assert.equal(withLineEndsOf('a\nb', ''), 'a\nb');
    assert.equal(withLineEndsOf('a\n', 'a'), 'a\n');
  });

  it('of two lines do not become one', () => {
    assert.equal(withLineEndsOf('a\n\nc\nd\n', 'a\rb\n\nc\n'), 'a\r\n\nc\nd\r');
    assert.equal(withLineEndsOf('x\na\n\nb\n', 'x\na\rb\n'), 'x\na\r\r\nb\n');
    assert.equal(withLineEndsOf('a\nb\nnew\n\nc\n', 'a\rb\n\nc\n'), 'a\rb\nnew\r\n\nc\n');
  });

  it('come from the second text for lines that only that one has', () => {
    assert.equal(withLineEndsOf('a\nb\nc\nd\n', 'a\r\nc\r\n', 'a\nb\rc\n'), 'a\r\nb\rc\r\nd\r\n');
  });

  it('are those of the line that is left where one of several equal lines is gone or new', () => {
    const twins = 'x\r\nx\nx\rk\r\n';
    for (const left of ['x\nx\rk\r\n', 'x\r\nx\rk\r\n', 'x\r\nx\nk\r\n'])
      assert.equal(withLineEndsOf('x\nx\nk\nz\n', twins, left), `${left}z\r\n`);
    for (const left of ['x\rk\r\n', 'x\r\nk\r\n'])
      assert.equal(withLineEndsOf('x\nk\nz\n', twins, left), `${left}z\r\n`);
    for (const grown of ['a\r\nx\r\nx\n', 'a\r\nx\nx\r\n', 'a\r\nx\r\nx\r\nx\n', 'a\r\nx\nx\r\nx\r\n'])
      assert.equal(
        withLineEndsOf(`${grown.replaceAll('\r', '')}k\nz\n`, 'a\r\nx\nk\r\n', `${grown}k\r\n`),
        `${grown}k\r\nz\r\n`,
      );
    // Nothing is known of one that another text takes away as well.
    assert.equal(withLineEndsOf('x\nx\nk\n', twins, ''), 'x\r\nx\nk\r\n');
    assert.equal(withLineEndsOf('x\nx\nx\nk\n', twins, 'x\nx\rk\r\n'), twins);
  });

  it('never change what the lines say, and are those of the text when nothing else differs', () => {
    const seed = Number(process.env['FC_SEED'] ?? Date.now());
    console.log(`      seed ${seed}`);
    const ended = fc
      .array(fc.tuple(fc.constantFrom('', 'a', 'b', 'c'), fc.constantFrom('\n', '\r\n', '\r')))
      .map((lines) => lines.map(([line, end]) => `${line}${end}`).join(''))
      // CR and LF of two lines would be one end.
      .filter((text) => !/\r\n/.test(text.replace(/\w\r\n|^\r\n/g, '')));
    const bare = (text: string): string => text.replace(/\r\n|\r|\n/g, '\n');
    fc.assert(
      fc.property(ended, ended, (one, other) => {
        assert.equal(withLineEndsOf(bare(one), one), one);
        assert.equal(bare(withLineEndsOf(bare(one), other)), bare(one));
      }),
      { seed, numRuns: 500 },
    );
  });
});
