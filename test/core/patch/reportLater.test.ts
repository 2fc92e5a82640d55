/** What the model reads of a patch after its call was answered. */
import assert from 'node:assert/strict';

import {
  reportDecidedForOthers,
  reportDecidedLater,
  reportTakenBack,
} from '../../../src/core/patch/reportLater.ts';

describe('the report of a decision that came later', () => {
  it('says so first, and then what any outcome says', () => {
    const edit = { kind: 'add', path: { root: 0, relative: 'a.ts', display: 'a.ts' }, after: 'a\n' } as const;
    const report = reportDecidedLater({ files: [edit], notes: [] }, { files: [{ kind: 'accepted' }] });
    assert.deepEqual(report.split('\n'), [
      'The person has now decided on the patch that was not decided yet.',
      'Applied: 1 file changed.',
      'A a.ts +1 -0',
    ]);
  });

  it('says of a patch that this model has never seen where it comes from', () => {
    const edit = { kind: 'add', path: { root: 0, relative: 'a.ts', display: 'a.ts' }, after: 'a\n' } as const;
    const report = reportDecidedForOthers({ files: [edit], notes: [] }, { files: [{ kind: 'rejected' }] });
    assert.match(
      report,
      /^A patch that was proposed before the window was closed, perhaps in a conversation that you do not see, .*\nNothing was changed: /,
    );
  });
});

describe('the report of what was taken back', () => {
  it('says file by file what is there now', () => {
    const report = reportTakenBack([
      { path: 'src/cart.ts', result: { kind: 'takenBack', merged: false } },
      { path: 'src/tax.ts', result: { kind: 'takenBack', merged: true } },
      { path: 'a\nb.ts', result: { kind: 'kept', detail: 'The file no longer exists.' } },
    ]);
    assert.deepEqual(report?.split('\n'), [
      'The person took back changes of a patch that was applied earlier. Do not propose them again unless asked to.',
      '"src/cart.ts": taken back; the file is as it was before the patch.',
      '"src/tax.ts": taken back; other changes made since are still there.',
      '"a b.ts": could not be taken back and still has the change. The file no longer exists.',
    ]);
  });

  it('says of a file of which one change was taken back that the others are there', () => {
    assert.match(
      reportTakenBack([{ path: 'src/a.ts', result: { kind: 'partly' } }]) ?? '',
      /\n"src\/a\.ts": one of the patch's changes was taken back; the others are still there\./,
    );
  });

  it('says nothing when nothing is different', () => {
    assert.equal(reportTakenBack([]), undefined);
    assert.equal(reportTakenBack([{ path: 'a.ts', result: { kind: 'kept', detail: 'Gone.' } }]), undefined);
  });

  it('has an end, however many files there are', () => {
    const files = Array.from({ length: 1000 }, (_, index) => ({
      path: `src/${index}.ts`,
      result: { kind: 'takenBack', merged: false } as const,
    }));
    assert.match(reportTakenBack(files) ?? '', /\(\d+ more not shown\.\)$/);
  });
});
