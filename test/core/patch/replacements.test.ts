/** Counting and inverting edits; their algebra is in `test/properties/patchEdits.test.ts`. */
import assert from 'node:assert/strict';
import { countLines } from '../../../src/core/patch/counts.ts';
import type { FileEdit } from '../../../src/core/patch/editPlan.ts';
import { invertPlan } from '../../../src/core/patch/invert.ts';
import {
  applyReplacements,
  composeReplacements,
  editedRange,
  originalOffset,
} from '../../../src/core/patch/replacements.ts';
import { enveloped, onlyUpdate, plan, updating } from './texts.ts';

function count(text: string, ...body: readonly string[]): string {
  const { added, removed } = countLines(onlyUpdate(plan({ 'a.txt': text }, updating(...body))));
  return `+${added} -${removed}`;
}

describe('countLines', () => {
  it('counts what is really added and removed', () => {
    assert.equal(count('a\nb\nc\n', ' a', '-b', '+B', '+BB'), '+2 -1');
    assert.equal(count('a\nb', ' b', '+c', '+d'), '+2 -0');
    assert.equal(count('a\r\nb', ' b', '+c'), '+1 -0');
    assert.equal(count('a\nb', '-b', '+b', '+c'), '+2 -1');
    assert.equal(count('a\n', '+b'), '+1 -0');
    assert.equal(count('', '+b'), '+1 -0');
  });

  it('counts all lines of a file that comes or goes', () => {
    const path = { root: 0, relative: 'a', display: 'a' };
    assert.deepEqual(countLines({ kind: 'add', path, after: 'a\nb' }), { added: 2, removed: 0 });
    assert.deepEqual(countLines({ kind: 'delete', path, before: 'a\r\n' }), { added: 0, removed: 1 });
  });
});

describe('invertPlan', () => {
  it('turns every kind of edit around', () => {
    const texts = { gone: 'g\n', old: 'a\nb\nc\n' };
    const planned = plan(
      texts,
      enveloped(
        '*** Delete File: gone',
        '*** Add File: new',
        '+n',
        '*** Update File: old',
        '*** Move to: moved',
        '-a',
        ' b',
        '-c',
        '+C',
        '+D',
      ),
    );
    assert.ok(planned.ok);
    const inverse = invertPlan(planned.value);
    const names = inverse.files.map((edit) => `${edit.kind} ${edit.path.relative}`);
    assert.deepEqual(names, ['add gone', 'delete new', 'update moved']);
    const edit = inverse.files[2] as FileEdit & { kind: 'update' };
    assert.equal(edit.to?.relative, 'old');
    assert.equal(applyReplacements(edit.before, edit.replacements), texts.old);
    assert.deepEqual(
      edit.places.map(({ from, to }) => [from, to]),
      [
        [1, 0],
        [2, 3],
      ],
    );
    const back = invertPlan(inverse).files[2] as FileEdit & { kind: 'update' };
    assert.deepEqual(back.replacements, onlyUpdateOf(planned.value.files[2]).replacements);
  });

  it('has a place behind the last line for what was removed there', () => {
    const planned = plan({ 'a.txt': 'a\nb\n' }, updating('-b'));
    assert.ok(planned.ok);
    const edit = invertPlan(planned.value).files[0] as FileEdit & { kind: 'update' };
    assert.deepEqual(edit.places, [{ from: 2, to: 1, pass: 'exact' }]);
    assert.equal(edit.to, undefined);
  });
});

describe('replacements', () => {
  it('compose across and inside of each other', () => {
    const first = [{ start: 2, end: 4, text: 'XYZ' }];
    assert.deepEqual(composeReplacements(first, [{ start: 3, end: 4, text: '' }]), [
      { start: 2, end: 4, text: 'XZ' },
    ]);
    assert.deepEqual(composeReplacements(first, [{ start: 0, end: 6, text: 'q' }]), [
      { start: 0, end: 5, text: 'q' },
    ]);
    assert.deepEqual(composeReplacements(first, []), first);
    assert.deepEqual(composeReplacements([], first), first);
  });

  it('lead places forth and back', () => {
    const edits = [{ start: 2, end: 4, text: 'XYZ' }];
    assert.deepEqual(
      [0, 2, 4, 5, 9].map((offset) => originalOffset(edits, offset)),
      [0, 2, 2, 4, 8],
    );
    assert.deepEqual(editedRange(edits, { start: 2, end: 4 }), { start: 2, end: 5 });
    assert.deepEqual(editedRange(edits, { start: 4, end: 6 }), { start: 5, end: 7 });
    assert.deepEqual(editedRange([{ start: 4, end: 4, text: 'new' }], { start: 4, end: 4 }), {
      start: 4,
      end: 7,
    });
  });
});

function onlyUpdateOf(edit: FileEdit | undefined): FileEdit & { kind: 'update' } {
  assert.ok(edit?.kind === 'update');
  return edit;
}
