/** The quick search: where it finds hunks, and where it leaves them to the passes. What it finds is compared in the properties. */
import assert from 'node:assert/strict';
import { Budget } from '../../../src/core/patch/budget.ts';
import { placeExactly } from '../../../src/core/patch/exact.ts';
import { parsePatch } from '../../../src/core/patch/parse.ts';
import type { UpdateSection } from '../../../src/core/patch/patch.ts';
import { planUpdate } from '../../../src/core/patch/planUpdate.ts';
import { updating } from './texts.ts';

function section(...body: readonly string[]): UpdateSection {
  const parsed = parsePatch(updating(...body));
  assert.ok(parsed.ok);
  const [only] = parsed.value.sections;
  assert.ok(only?.kind === 'update');
  return only;
}

function placed(text: string, ...body: readonly string[]): readonly (readonly number[])[] | undefined {
  return placeExactly(text, section(...body).hunks);
}

describe('the quick search', () => {
  it('finds lines at the beginning, in the middle and at the end, whatever ends them', () => {
    for (const bom of ['', '\uFEFF']) {
      const at = bom.length;
      assert.deepEqual(placed(`${bom}a\nb\nc`, '-a', '@@', '-b', '@@', '-c'), [
        [at, at + 2],
        [at + 2, at + 4],
        [at + 4, at + 5],
      ]);
      assert.deepEqual(placed(`${bom}a\r\nbb\rc\nd`, ' a', '-bb', ' c'), [[at, at + 3, at + 6, at + 8]]);
      assert.deepEqual(placed(`${bom}a\r\n\r\nbb\r\n`, ' a', ' ', '-bb'), [[at, at + 3, at + 5, at + 9]]);
    }
    assert.deepEqual(placed('\n\nb\n', ' ', ' ', '-b'), [[0, 1, 2, 4]]);
  });

  it('takes whole lines only', () => {
    for (const end of ['\n', '\r\n']) {
      const text = ['ab', 'b c', 'a b', 'b', 'bb', ''].join(end);
      assert.equal(placed(text, '-b')?.[0]?.[0], text.indexOf(`${end}b${end}`) + end.length);
      assert.equal(placed(text, '-bb', '-'), undefined);
      assert.equal(placed(text, '-a', '-b c'), undefined);
      assert.equal(placed(text, '-', ' ab'), undefined);
    }
    const long = 'x'.repeat(300);
    const text = `${long}1\n${long}\n${long}2\n`;
    assert.deepEqual(placed(text, `-${long}`), [[302, 603]]);
    assert.equal(placed(text, `-${long}3`), undefined);
  });

  it('puts equal hunks in order, also those that share context', () => {
    assert.deepEqual(placed('x\nx\nx\n', '-x', '@@', '-x', '@@', '-x'), [
      [0, 2],
      [2, 4],
      [4, 6],
    ]);
    assert.deepEqual(placed('a\nlong line\nb\n', '-a', ' long line', '@@', ' long line', '-b'), [
      [0, 2, 12],
      [2, 12, 14],
    ]);
    // The second place of the first hunk is below the only one of the second.
    assert.deepEqual(placed('a\nx\nb\na\nx\n', ' a', '-x', '@@', '-b'), [
      [0, 2, 4],
      [4, 6],
    ]);
  });

  it('leaves what stands in several places', () => {
    assert.equal(placed('x\nx\n', '-x'), undefined);
    assert.equal(placed('x\nx\nx\n', '-x', '@@', '-x'), undefined);
    assert.equal(placed('a\nx\nb\na\nx\nb\n', ' a', '-x', '@@', '-b'), undefined);
  });

  it('leaves what is out of order, overlaps, or is not there as written', () => {
    assert.equal(placed('a\nb\n', '-b', '@@', '-a'), undefined);
    assert.equal(placed('a\nb\nc\n', '-a', '-b', '@@', '-b', '-c'), undefined);
    assert.equal(placed('a \n', '-a'), undefined);
  });

  it('leaves hunks that are more, or less, than changed lines', () => {
    assert.equal(placed('a\n', '@@ a', '-a'), undefined);
    assert.equal(placed('a\n', '-a', '*** End of File'), undefined);
    assert.equal(placed('a\n', ' a'), undefined);
    assert.equal(placed('a\n', '+b'), undefined);
    assert.equal(placed(' \n', '- '), undefined);
  });

  it('looks for another line where the longest repeats, and gives up where all do', () => {
    const repeats = 'the longest line\nodd\n'.repeat(9);
    const text = `${repeats}the longest line\nlast one\n`;
    assert.deepEqual(placed(text, ' the longest line', '-last one'), [
      [repeats.length, repeats.length + 17, text.length],
    ]);
    assert.equal(placed(`${'ab\nb\n'.repeat(9)}ab\nab\n`, '-ab', '-ab'), undefined);
    // Without a common end of all lines it looks for lines that begin alike, too.
    const like = Array.from({ length: 20 }, (_, index) => `line 1${index}\r\n`).join('');
    assert.equal(placed(`${like}line 1\r\n`, '-line 1'), undefined);
  });
});

describe('the work of placing', () => {
  const many = (count: number, line: (index: number) => string): string[] =>
    Array.from({ length: count }, (_, index) => line(index));
  /** Texts that the quick search leaves, and patches for them, of a size. */
  const shapes: Readonly<
    Record<string, (count: number) => readonly [text: string, body: readonly string[]]>
  > = {
    'equal hunks on equal lines, one too many': (count) => [
      'x\n'.repeat(count),
      many(count + 1, () => '@@\n-x\n+y'),
    ],
    'anchors that each lead to one line': (count) => [
      many(count, (index) => `${index}\n  x\n`).join(''),
      many(count, (index) => `@@ ${index}\n-  x\n+y`),
    ],
    'hunks that stand nowhere': (count) => [
      many(count, (index) => `line ${index}\n`).join(''),
      many(count, (index) => `@@\n-lime ${index}`),
    ],
    'a block that nearly fits everywhere': (count) => [
      'a\nb\n'.repeat(count),
      ['@@', ...many(count / 2, () => ' a\n b'), '-c', '+y'],
    ],
    'indented lines that the patch has without': (count) => [
      many(count, (index) => `  line ${index}\n`).join(''),
      many(count, (index) => `@@\n-line ${index}`),
    ],
  };
  for (const [name, make] of Object.entries(shapes)) {
    it(`is in proportion to text and patch for ${name}`, () => {
      for (const count of [200, 2_000, 20_000]) {
        const [text, body] = make(count);
        const planned = planUpdate(text, section(...body), {
          budget: new Budget(1_000 * count),
          explanations: { left: 0 },
          afterEarlierSection: false,
        });
        const kinds = planned.ok ? [] : planned.error.map(({ kind }) => kind);
        assert.ok(!kinds.includes('too-large'), `${count}: too much`);
      }
    });
  }
});
