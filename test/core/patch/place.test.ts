/** One placement of all hunks or none; the comparison with all placements is in `test/properties/patchPlacement.test.ts`. */
import assert from 'node:assert/strict';
import { indexLines } from '../../../src/core/lines.ts';
import { Budget } from '../../../src/core/patch/budget.ts';
import { occurrences } from '../../../src/core/patch/occurrences.ts';
import { place, type Placeable } from '../../../src/core/patch/place.ts';
import { scan } from '../../../src/core/patch/scan.ts';

function hunk(
  places: readonly number[],
  span: readonly [number, number] = [0, 1],
  changes = true,
): Placeable {
  return { places, from: span[0], to: span[1], changes, appends: false };
}

const append = (line: number): Placeable => ({
  places: [line],
  from: 0,
  to: 0,
  changes: true,
  appends: true,
});

describe('place', () => {
  it('takes what is left when all hunks are in order', () => {
    assert.deepEqual(place([]), { kind: 'placed', lines: [], outOfOrder: false });
    assert.deepEqual(place([hunk([1, 5]), hunk([3])]), { kind: 'placed', lines: [1, 3], outOfOrder: false });
    assert.deepEqual(place([hunk([1, 5]), hunk([1, 5])]), {
      kind: 'placed',
      lines: [1, 5],
      outOfOrder: false,
    });
  });

  it('names all places that are left of every hunk that is open', () => {
    assert.deepEqual(place([hunk([0, 2, 4, 9]), hunk([5])]), {
      kind: 'ambiguous',
      hunks: [{ hunk: 0, places: [0, 2, 4] }],
    });
  });

  it('does not mind where fences stand', () => {
    assert.equal(place([hunk([0, 1], [0, 1], false), hunk([5])]).kind, 'placed');
  });

  it('tells order from overlap', () => {
    assert.deepEqual(place([hunk([5]), hunk([1, 2])]), { kind: 'impossible', hunk: 1, why: 'outOfOrder' });
    assert.deepEqual(place([hunk([5], [0, 3]), hunk([6])]), { kind: 'impossible', hunk: 1, why: 'overlap' });
    assert.deepEqual(place([hunk([5], [0, 3], false), hunk([6, 7])]), {
      kind: 'impossible',
      hunk: 1,
      why: 'outOfOrder',
    });
  });

  it('takes any order where each has one place and no line is changed twice', () => {
    assert.deepEqual(place([hunk([5]), hunk([1])]), { kind: 'placed', lines: [5, 1], outOfOrder: true });
    assert.deepEqual(place([hunk([5], [0, 0]), hunk([4], [0, 1])]), {
      kind: 'placed',
      lines: [5, 4],
      outOfOrder: true,
    });
    assert.equal(place([hunk([5]), hunk([3], [0, 0]), hunk([2], [0, 2])]).kind, 'impossible');
  });

  it('leaves what goes to the end out of the order', () => {
    assert.deepEqual(place([append(9), hunk([1]), append(9)]), {
      kind: 'placed',
      lines: [9, 1, 9],
      outOfOrder: false,
    });
  });
});

describe('occurrences', () => {
  it('are the same whether places are tried one by one or the text is walked through', () => {
    const find = (text: string, ...block: readonly string[]) => {
      const found = scan(indexLines(text), 'exact', block);
      return [...occurrences(found, Int32Array.from(block, found.idOf), new Budget())];
    };
    assert.deepEqual(find('b\na\nc\na\nb\n', 'a', 'b'), [3]);
    assert.deepEqual(find('b\nc\na\n', 'a', 'b'), []);
    assert.deepEqual(find('c\na\nd\n', 'x', 'a'), []);
    assert.deepEqual(find('b\nx\na\nb\n', 'a', 'b', 'c'), []);
    assert.deepEqual(find('a\n'.repeat(7), 'a', 'a', 'a'), [0, 1, 2, 3, 4]);
    assert.deepEqual(find('a\na\nb\na\na\na\nb\n', 'a', 'a', 'b'), [0, 4]);
    assert.deepEqual(find('a\na\na\nb\n'.repeat(4), 'a', 'a'), [0, 1, 4, 5, 8, 9, 12, 13]);
    assert.deepEqual(find('a\nb\na\nb\na\nc\na\nb\na\nb\na\n', 'a', 'b', 'a', 'b', 'a'), [0, 6]);
  });
});
