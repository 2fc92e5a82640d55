/** Text and its lines; what holds for any text is in `test/properties/patchEdits.test.ts`. */
import assert from 'node:assert/strict';
import {
  firstTerminator,
  indexLines,
  isTerminated,
  joinLines,
  lineAt,
  lineEnd,
  lineStart,
  splitLines,
  toLineFeeds,
} from '../../src/core/lines.ts';

describe('lines', () => {
  it('end at CRLF, LF and CR, and at nothing else', () => {
    assert.deepEqual(splitLines('a\r\nb\nc\rd\u2028e\f\v\u0085f'), ['a', 'b', 'c', 'd\u2028e\f\v\u0085f']);
    assert.deepEqual(splitLines('a\n\r\nb\r\r\n'), ['a', '', 'b', '']);
    assert.deepEqual(splitLines('\r\n'), ['']);
    assert.deepEqual(splitLines('\n\n'), ['', '']);
  });

  it('are none in an empty text and in a byte order mark', () => {
    assert.equal(indexLines('').count, 0);
    assert.equal(indexLines('\uFEFF').count, 0);
    assert.deepEqual(splitLines('\uFEFFa'), ['a']);
    assert.equal(lineStart(indexLines('\uFEFFa'), 0), 1);
  });

  it('know where they end and whether they do', () => {
    const lines = indexLines('a\r\n\nb');
    assert.deepEqual(
      [0, 1, 2].map((line) => lineEnd(lines, line)),
      [1, 3, 5],
    );
    assert.deepEqual(
      [0, 1, 2].map((line) => isTerminated(lines, line)),
      [true, true, false],
    );
    assert.equal(lineStart(lines, 3), 5);
    assert.equal(lineEnd(indexLines(''), 0), 0);
  });

  it('are found by offset', () => {
    const lines = indexLines('a\nbb\nc\n');
    assert.deepEqual(
      [0, 1, 2, 4, 5, 7].map((offset) => lineAt(lines, offset)),
      [0, 0, 1, 1, 2, 2],
    );
    assert.equal(lineAt(indexLines(''), 0), 0);
  });

  it('can be more than the table first had room for', () => {
    const text = '\n'.repeat(100_000);
    assert.equal(indexLines(text).count, 100_000);
    assert.equal(lineStart(indexLines(text), 99_999), 99_999);
  });

  it('get the first end there is, else LF', () => {
    assert.equal(firstTerminator('a\r\nb\n'), '\r\n');
    assert.equal(firstTerminator('a\rb\n'), '\r');
    assert.equal(firstTerminator('a\nb\r\n'), '\n');
    assert.equal(firstTerminator('a'), '\n');
  });

  it('are joined with an end for each', () => {
    assert.equal(joinLines([], '\n'), '');
    assert.equal(joinLines(['a', ''], '\r\n'), 'a\r\n\r\n');
    assert.equal(toLineFeeds('a\r\nb\rc\nd'), 'a\nb\nc\nd');
    assert.equal(toLineFeeds('a\nb'), 'a\nb');
  });
});
