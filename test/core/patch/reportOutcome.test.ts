/** What the model reads after a review: what is in the files now, and what the person decided. */
import assert from 'node:assert/strict';
import type { EditPlan } from '../../../src/core/patch/editPlan.ts';
import { reportCancelled, reportNothingToDo, reportOutcome } from '../../../src/core/patch/reportOutcome.ts';
import type { FileOutcome } from '../../../src/core/patch/reviewed.ts';
import { enveloped, plan, type Texts } from './texts.ts';

const texts: Texts = { 'a.txt': 'a\nb\nc\nd\ne\n', 'old.txt': 'o\n', 'from.txt': 'f\n' };

function planned(...body: readonly string[]): EditPlan {
  const result = plan(texts, enveloped(...body));
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

function report(edits: EditPlan, ...files: readonly FileOutcome[]): readonly string[] {
  return reportOutcome(edits, { files }).split('\n');
}

/** What the first file of a plan is to become. */
function textOf({ files: [edit] }: EditPlan): string {
  assert.ok(edit !== undefined && edit.kind !== 'delete');
  return edit.after;
}

const accepted: FileOutcome = { kind: 'accepted' };
const update = ['*** Update File: a.txt', ' a', '-b', '+B', '+BB', '@@', ' c', '-d', '@@', '+f'] as const;

describe('reportOutcome', () => {
  it('says for every file what was done, and for every hunk where it is now', () => {
    const edits = planned(
      ...update,
      '*** Delete File: old.txt',
      '*** Add File: new.txt',
      '+n',
      '+m',
      '*** Update File: from.txt',
      '*** Move to: to.txt',
    );
    assert.deepEqual(report(edits, accepted, accepted, accepted, accepted), [
      'Applied: 4 files changed.',
      'M a.txt +3 -2',
      '  hunk 1: now lines 2-3',
      '  hunk 2: lines removed before line 5',
      '  hunk 3: now line 6, added at the end',
      'D old.txt +0 -1',
      'A new.txt +2 -0',
      'R from.txt -> to.txt +0 -0',
    ]);
  });

  it('says of a change that could not be saved that the disk has not got it, and why', () => {
    const edits = planned('*** Update File: a.txt', '-a', '+A');
    const told = 'The editor has this change, but the file on the disk has not: it could not be saved. Full.';
    assert.deepEqual(report(edits, { kind: 'accepted', unsaved: 'Full.' }), [
      'Applied: 1 file changed.',
      'M a.txt +1 -1',
      '  hunk 1: now line 1',
      told,
    ]);
    assert.equal(
      report(edits, { kind: 'acceptedAmended', text: 'x\nb\nc\nd\ne\n', unsaved: 'Full.' }).at(-1),
      told,
    );
  });

  it('names the pass that found a hunk, if not the exact one, and what else was tolerated', () => {
    const edits = plan(
      { 'a.txt': '  “x” \ny \n' },
      enveloped('*** Update File: a.txt', '-"x"', '+z', '@@ none', '-y'),
    );
    assert.ok(edits.ok);
    assert.deepEqual(report(edits.value, accepted), [
      'Applied: 1 file changed.',
      'M a.txt +1 -2',
      '  hunk 1: now line 1, found by ignoring indentation and taking typographic punctuation for plain',
      '  hunk 2: lines removed before line 2, found by ignoring blanks at line ends',
      'Note: a.txt: hunk 2: The anchor "none" is not in the file; the lines stand in one place only.',
    ]);
  });

  it('says which hunks of an amended file are in it, and shows the difference', () => {
    const text = 'a\nB\nBB\nc\nd\ne\nsomething else\n';
    assert.deepEqual(report(planned(...update), { kind: 'acceptedAmended', text }), [
      'Applied with changes by the person: 1 file changed.',
      'M a.txt +3 -1',
      '  hunk 1: taken as proposed',
      '  hunk 2: not taken',
      '  hunk 3: changed by the person',
      'Lines with "-" were proposed and are not in the file; lines with "+" are in it instead:',
      'at line 5',
      '+|d',
      'at line 7',
      '-|f',
      '+|something else',
    ]);
    const saved = { kind: 'acceptedAmended', text: 'x\nz\n', saved: 'x\nz;\n' } as const;
    assert.deepEqual(report(planned('*** Add File: n', '+x', '+y'), saved).slice(-4), [
      'Saving changed more (a formatter or another action on save). Against what the person accepted:',
      'at line 2',
      '-|z',
      '+|z;',
    ]);
    assert.deepEqual(
      report(planned('*** Add File: n', '+x', '+y'), { kind: 'acceptedAmended', text: 'x\nz\n' }),
      [
        'Applied with changes by the person: 1 file changed.',
        'A n +2 -0',
        'Lines with "-" were proposed and are not in the file; lines with "+" are in it instead:',
        'at line 2',
        '-|y',
        '+|z',
      ],
    );
    assert.deepEqual(report(planned('*** Delete File: old.txt'), { kind: 'acceptedAmended', text: '' }), [
      'Applied with changes by the person: 1 file changed.',
      'D old.txt +0 -1',
    ]);
  });

  it('takes other line ends for no change of anyone', () => {
    const crlf = plan(
      { 'a.txt': 'a\r\nb\r\n' },
      enveloped('*** Update File: a.txt', '-a', '+A', '@@', '-b', '+B'),
    );
    assert.ok(crlf.ok);
    assert.deepEqual(report(crlf.value, { kind: 'acceptedAmended', text: 'A\nb\n' }).slice(2, 4), [
      '  hunk 1: taken as proposed',
      '  hunk 2: not taken',
    ]);
    assert.match(
      report(crlf.value, { kind: 'acceptedAmended', text: 'a\nb\n' })[0] ?? '',
      /^Nothing was changed/,
    );
    const mixed = plan(
      { 'a.txt': 'a\r\nb\nc\n' },
      enveloped('*** Update File: a.txt', '-a', '+A', '@@', '-b', '+B'),
    );
    assert.ok(mixed.ok);
    assert.deepEqual(report(mixed.value, { kind: 'acceptedAmended', text: 'A\r\nb\nc\n' }).slice(2, 4), [
      '  hunk 1: taken as proposed',
      '  hunk 2: not taken',
    ]);
  });

  it('says that nothing was changed when the person took every change out', () => {
    assert.deepEqual(report(planned(...update), { kind: 'acceptedAmended', text: texts['a.txt'] ?? '' }), [
      'Nothing was changed: the person rejected the patch.',
      '"a.txt": accepted, but the person took every change out; the file is as it was.',
    ]);
    const moved = planned('*** Update File: from.txt', '*** Move to: to.txt', '-f', '+F');
    assert.deepEqual(report(moved, { kind: 'acceptedAmended', text: 'f\n' }).slice(0, 3), [
      'Applied with changes by the person: 1 file changed.',
      'R from.txt -> to.txt +0 -0',
      '  hunk 1: not taken',
    ]);
  });

  it('tells apart what saving and what the person did beside the patch, with the lines as they are then', () => {
    const present = { text: 'first\na\nB\nBB\nc\ne\nf\n', cause: 'editedMeanwhile' } as const;
    assert.deepEqual(report(planned(...update), { kind: 'accepted', present }), [
      'Applied: 1 file changed.',
      'M a.txt +3 -2',
      '  hunk 1: now lines 3-4',
      '  hunk 2: lines removed before line 6',
      '  hunk 3: now line 7, added at the end',
      'The file was changed besides, by the person, another program or another patch. Against the proposal, lines with "-" are gone and lines with "+" are there:',
      'at line 1',
      '+|first',
    ]);
    const saved = report(planned('*** Add File: n', '+x '), {
      kind: 'accepted',
      present: { text: 'x\n', cause: 'changedOnSave' },
    });
    assert.match(saved[2] ?? '', /^Saving changed more/);
    assert.deepEqual(saved.slice(3), ['at line 1', '-|x ', '+|x']);
    const ends = report(planned('*** Add File: n', '+x'), {
      kind: 'accepted',
      present: { text: 'x\r\n', cause: 'changedOnSave' },
    });
    assert.equal(ends.at(-1), 'nothing but line ends');
    const deleted = report(planned('*** Delete File: old.txt'), {
      kind: 'accepted',
      present: { text: 'o\n', cause: 'editedMeanwhile' },
    });
    assert.equal(deleted.at(-1), '+|o');
  });

  it('tells what was decided against or could not be done', () => {
    const edits = planned(...update, '*** Delete File: old.txt', '*** Update File: from.txt', '-f');
    assert.deepEqual(
      report(
        edits,
        { kind: 'rejected', reason: 'use the\nother helper' },
        { kind: 'rejected' },
        { kind: 'rejected' },
      ),
      [
        'Nothing was changed: the person rejected the patch.',
        '"a.txt": rejected, with the reason "use the other helper"',
        '"old.txt": rejected, no reason given.',
        '"from.txt": rejected, no reason given.',
      ],
    );
    assert.deepEqual(
      report(
        edits,
        { kind: 'conflict', detail: 'Lines 3 to 4.' },
        { kind: 'failed', detail: 'The disk is full.' },
        { kind: 'cancelled' },
      ),
      [
        'Nothing was changed.',
        '"a.txt": not written, because the same lines were changed meanwhile. Lines 3 to 4.',
        '"old.txt": not written. The disk is full.',
        '"from.txt": not decided on; nothing was written.',
      ],
    );
    assert.equal(
      report(edits, { kind: 'rejected' }, { kind: 'rejected' }, accepted)[0],
      'Applied in part: 1 of 3 files changed.',
    );
    const cancelled = { kind: 'cancelled' } as const;
    assert.equal(
      report(edits, cancelled, cancelled, cancelled)[0],
      'Nothing was changed: the patch was not decided on.',
    );
  });

  it('stays within its length', () => {
    const many: Texts = { 'a.txt': Array.from({ length: 200 }, (_, index) => `line ${index}\n`).join('') };
    const body = Array.from({ length: 60 }, (_, index) => ['@@', `-line ${index * 3}`, '+x']).flat();
    const edits = plan(many, enveloped('*** Update File: a.txt', ...body));
    assert.ok(edits.ok);
    assert.equal(report(edits.value, accepted).at(-1), '  and 20 more hunks');
    const text = 'z\n'.repeat(200);
    const lines = report(edits.value, { kind: 'acceptedAmended', text });
    assert.match(lines.at(-1) ?? '', /^and \d+ more lines$/);
    assert.ok(lines.join('\n').length <= 4_000);
    const names = Array.from(
      { length: 300 },
      (_, index) => `*** Add File: folder/with/a/longer/name/${index}`,
    );
    const added = planned(...names);
    const said = report(added, ...added.files.map(() => accepted));
    assert.match(said.at(-1) ?? '', /^\(\d+ more not shown\.\)$/);
    assert.ok(said.join('\n').length <= 4_000);
  });

  it('does not take for accepted what the files had got meanwhile', () => {
    const edits = planned(...update, '*** Delete File: old.txt');
    const already: FileOutcome = { kind: 'accepted', already: true };
    const lines = report(
      edits,
      { ...already, present: { text: `0\n${textOf(edits)}`, cause: 'editedMeanwhile' } },
      already,
    );
    assert.deepEqual(lines.slice(0, 3), [
      'Nothing was written: the files had become as the patch would leave them before it was decided on.',
      '"a.txt": not written, because it had become as the patch would leave it meanwhile.',
      '  hunk 1: now lines 3-4',
    ]);
    assert.equal(
      lines.at(-1),
      '"old.txt": not written, because it had become as the patch would leave it meanwhile.',
    );
    assert.equal(report(edits, already, accepted)[0], 'Applied in part: 1 of 2 files changed.');
  });

  it('tells of an earlier patch that is not in the file', () => {
    const edits = planned(...update);
    const present = { text: textOf(edits).replace('a\n', 'A\n'), cause: 'earlierWaits' } as const;
    assert.match(
      report(edits, { kind: 'accepted', present }).join('\n'),
      /An earlier patch .* is not in the file/,
    );
    const differs = { ...present, cause: 'earlierDiffers' } as const;
    assert.match(
      report(edits, { kind: 'accepted', present: differs }).join('\n'),
      /An earlier patch that this one builds on was not accepted as it was proposed\./,
    );
  });

  it('does not tell of a move that was not taken with the hunks', () => {
    const moved = planned('*** Update File: from.txt', '*** Move to: to.txt', '-f', '+F');
    assert.deepEqual(report(moved, { kind: 'acceptedAmended', text: 'F\n', stays: true }), [
      'Applied with changes by the person: 1 file changed.',
      'M from.txt +1 -1',
      '  hunk 1: taken as proposed',
      'It was not moved to "to.txt".',
    ]);
  });

  it('tells what else happened to the files', () => {
    const edits = planned(...update);
    const text = reportOutcome(edits, { files: [accepted], notes: ['"a.txt" is "b.txt" now.'] });
    assert.equal(text.split('\n').at(-1), '"a.txt" is "b.txt" now.');
  });

  it('has words for what was never proposed', () => {
    assert.equal(
      reportNothingToDo({ files: [], notes: ['n'] }),
      'Nothing was changed: the patch fits, but every file already is as it would leave it.\nNote: n',
    );
    assert.match(reportCancelled(), /^Nothing was changed: /);
    const much = reportNothingToDo({ files: [], notes: Array.from({ length: 30 }, () => 'n'.repeat(200)) });
    assert.match(much, /\(\d+ more not shown\.\)$/);
  });
});
