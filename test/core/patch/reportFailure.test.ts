/** What the model reads when a patch can't be applied: enough to succeed at the next try. */
import assert from 'node:assert/strict';
import type { FileRefusal } from '../../../src/core/patch/editPlan.ts';
import type { PatchError } from '../../../src/core/patch/patchError.ts';
import { reportFailure, type FailureHistory } from '../../../src/core/patch/reportFailure.ts';
import type { PathFault } from '../../../src/core/workspacePath.ts';
import { enveloped, plan, updating, type Texts } from './texts.ts';

function report(texts: Texts, patch: string, history?: FailureHistory): readonly string[] {
  const planned = plan(texts, patch);
  assert.ok(!planned.ok, JSON.stringify(planned));
  const text = reportFailure(planned.error, history);
  assert.ok(text.length <= 4_000);
  return text.split('\n');
}

function reportOf(problem: PatchError): string {
  return reportFailure({ problems: [problem], fine: [], unchecked: [] });
}

describe('reportFailure', () => {
  it('shows the first line that differs and the file around it', () => {
    const text = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join('\n');
    assert.deepEqual(report({ 'a.txt': text }, updating(' line 20', ' line 21', '-line twenty-two', '+x')), [
      'Nothing was changed. The patch could not be applied:',
      'context-not-found in "a.txt", hunk 1 of 1 (patch line 3): these lines are not in the file.',
      'Nearest place: line 20. First difference: patch line 5 has',
      '|line twenty-two',
      'but line 22 of the file is now',
      '|line 22',
      'The file there, line numbers in front of the bar:',
      ...Array.from({ length: 19 }, (_, index) => `${12 + index}|line ${12 + index}`),
      'Next: send the whole patch again with context and removed lines copied exactly from the file as it is now.',
    ]);
  });

  it('finds the nearest place by its rarest lines', () => {
    const text = `${'}\n'.repeat(60)}function f() {\n  one();\n}\n`;
    const lines = report({ 'a.txt': text }, updating(' }', ' function f() {', '-  two();', ' }'));
    assert.ok(lines.includes('Nearest place: line 60. First difference: patch line 5 has'));
  });

  it('finds the nearest place of a single line by what it shares with others', () => {
    const lines = report({ 'a.txt': 'alpha()\nbeta(gamma, delta)\n' }, updating('-beta(gamma, epsilon)'));
    assert.ok(lines.includes('Nearest place: line 2. First difference: patch line 3 has'));
    const longest = report(
      { 'a.txt': 'a\nb\nbeta(gamma, delta)\n' },
      updating(' x', '-beta(gamma, epsilon)', '-y'),
    );
    assert.ok(longest.includes('Nearest place: line 2. First difference: patch line 3 has'));
    assert.ok(report({ 'a.txt': 'a\nb\n' }, updating('-zebra crossing')).includes('1|a'));
    assert.ok(report({ 'a.txt': '' }, updating('-x')).includes('The file is empty.'));
  });

  it('says where the file ends too early, or begins too late', () => {
    assert.ok(
      report({ 'a.txt': 'a\nb\n' }, updating(' b', '-c')).includes(
        'but line 3 of the file there is no such line',
      ),
    );
    const lines = report({ 'a.txt': 'b\nc\n' }, updating(' a', '-b'));
    assert.deepEqual(lines.slice(2, 5), [
      'Nearest place: line 1. First difference: patch line 3 has',
      '|a',
      'but line 1 of the file there is no such line',
    ]);
  });

  it('says that the change may be there already', () => {
    const lines = report({ 'a.txt': 'a\nB\nc\n' }, updating(' a', '-b', '+B', ' c'));
    assert.ok(
      lines.includes(
        'The lines this hunk would leave are already there, from line 1 on: it may have been applied before.',
      ),
    );
    assert.equal(lines.at(-1), 'Next: check whether the change is there already, and leave out what is.');
    assert.ok(
      !report({ 'a.txt': 'a\nc\n' }, updating(' a', '-b', ' c'))
        .join('\n')
        .includes('already'),
    );
    assert.ok(!report({ 'a.txt': '\n\n' }, updating('-b', '+')).join('\n').includes('already'));
    assert.ok(report({ 'a.txt': 'B \n' }, updating('-b', '+B')).join('\n').includes('already there'));
  });

  it('names all places of an ambiguous hunk and a header line that tells them apart', () => {
    const text = 'def f():\n    x\ndef g():\n    x\n';
    assert.deepEqual(report({ 'a.txt': text }, updating('-    x', '+    y')), [
      'Nothing was changed. The patch could not be applied:',
      'ambiguous in "a.txt", hunk 1 of 1 (patch line 3): its lines stand in 2 places that are all possible.',
      'line 2, within "def f():"',
      'line 4, within "def g():"',
      'Next: send the whole patch again with more context lines, or with an @@ line that names what the place is in, for instance "@@ def f():".',
    ]);
    const braces = report({ 'a.txt': 'f() {\n  {\n    x\n  }\n}\n{\n    x\n}\n' }, updating('-    x'));
    assert.deepEqual(braces.slice(2, 4), ['line 3, within "f() {"', 'line 7']);
    const many = report({ 'a.txt': 'x\n'.repeat(30) }, updating('@@ none', '-x'));
    assert.ok(many.includes('The line "none" given by @@ is not in the file.'));
    assert.ok(many.includes('and 10 more'));
    assert.equal(
      many.at(-1),
      'Next: send the whole patch again with more context lines, or with an @@ line that names what the place is in.',
    );
    assert.ok(report({ 'a.txt': 'x\ny\nx' }, updating('@@ x', '+y')).includes('line 4'));
    const hunks = Array.from({ length: 7 }, () => ['@@', '-    x', '+    y']).flat();
    const later = report({ 'a.txt': text.repeat(7) }, updating(...hunks));
    assert.equal(later.filter((line) => line.startsWith('ambiguous in')).length, 7);
    assert.ok(later.includes('line 26'), 'the sixth and seventh hunk are not explained');
  });

  it('gives each reason for which lines are not found', () => {
    const line = (text: string, ...body: readonly string[]) =>
      report({ 'a.txt': text }, updating(...body))[1]
        ?.split(': ')
        .slice(1)
        .join(': ');
    assert.equal(
      line('a:\n  x\n', '@@ a:', '@@ b', '-  x'),
      'the line "b" given by @@ is not where it should be.',
    );
    assert.equal(line('x\na\n', '@@ a', '-x'), 'the lines are not below "a", only at line 1.');
    assert.equal(
      line('x\n', '@@ -1 +1 @@', '+y'),
      'added lines with nothing but line numbers to say where; add context lines.',
    );
    assert.equal(
      line('x\nx\ny\n', '-y', '@@', '-x'),
      'the lines are only at lines 1, 2, which is above an earlier hunk.',
    );
    assert.equal(line('x\n', '-x', '@@', '-x'), 'an earlier hunk changes the same lines (line 1).');
  });

  it('lists what was fine and what was not checked', () => {
    const lines = report(
      { a: 'a\n', b: 'b\n' },
      enveloped(
        '*** Update File: a',
        '-x',
        '*** Update File: a',
        '-a',
        '*** Update File: b',
        '-b',
        '*** Add File: c',
        '+c',
      ),
    );
    assert.deepEqual(lines.slice(-3), [
      'Fine, but not applied either: update "b", add "c".',
      'Not checked: update "a".',
      'Next: send the whole patch again with context and removed lines copied exactly from the file as it is now.',
    ]);
    const names = Array.from({ length: 12 }, (_, index) => `*** Add File: n${index}`);
    assert.ok(
      report({}, enveloped(...names, '*** Delete File: gone')).some((text) =>
        text.endsWith('add "n9", and 2 more.'),
      ),
    );
  });

  it('uses what happened before', () => {
    const history: FailureHistory = { failedBefore: new Set(['a.txt']), changedBefore: new Set(['a.txt']) };
    const lines = report({ 'a.txt': 'a\n' }, updating('-x', '@@', '-y'), history);
    assert.equal(
      lines.filter((text) => text === '"a.txt" has been changed by an earlier patch that was accepted.')
        .length,
      1,
    );
    assert.equal(
      lines.at(-1),
      'Next: send a smaller hunk that changes only lines shown above, copied from there character by character.',
    );
    const stale = report(
      { 'a.txt': 'a\n' },
      enveloped('*** Update File: a.txt', '-a', '+b', '*** Update File: a.txt', '-a'),
      history,
    );
    assert.ok(
      stale.includes(
        'An earlier section of this patch changes the same file; this one is matched against its result.',
      ),
    );
    assert.ok(!report({}, enveloped('*** Delete File: a.txt'), history).join('\n').includes('accepted'));
  });

  it('words every fault of the format with the line it met', () => {
    assert.deepEqual(report({}, enveloped('*** Add File: a', 'x')), [
      'Nothing was changed. The patch could not be applied:',
      'bad-format at patch line 3 in the section of "a": every line of an added file must begin with "+".',
      '|x',
      'Next: send the whole patch again, from "*** Begin Patch" to "*** End Patch", in the format of the tool.',
    ]);
    assert.equal(
      report({}, '*** Begin Patch')[1],
      'bad-format at patch line 1: there is no line "*** End Patch" at the end, so the patch may be cut off.',
    );
  });

  it('words files that are there, missing or in the way', () => {
    const said = (texts: Texts, ...body: readonly string[]) => report(texts, enveloped(...body)).slice(1);
    assert.deepEqual(said({ a: 'a\n' }, '*** Add File: a', '+x'), [
      'file-exists: "a" (patch line 2) can\'t be added: a file with content is there already.',
      'Next: use "*** Update File:" to change the file, or delete it in the same patch first if it is to be replaced.',
    ]);
    assert.match(
      said({ a: 'a\n', b: '' }, '*** Update File: a', '*** Move to: b')[0] ?? '',
      /new place of a moved file/,
    );
    assert.match(said({}, '*** Update File: a', '-x')[0] ?? '', /can't be updated: there is no such file/);
    assert.deepEqual(said({}, '*** Delete File: a'), [
      'file-missing: "a" (patch line 2) can\'t be deleted: there is no such file.',
      'Next: check the path, or use "*** Add File:" for a new file.',
    ]);
    assert.match(
      said({}, '*** Add File: a', '+x', '*** Add File: a/b')[0] ?? '',
      /would need a folder where "a" is a file/,
    );
  });

  it('words every refusal', () => {
    const faults: readonly PathFault[] = [
      'outside',
      'protected',
      'empty',
      'folder',
      'name',
      'whichFolder',
      'noFolder',
    ];
    for (const why of faults) {
      assert.match(
        reportOf({ kind: 'path-unusable', file: 'a', line: 2, why }),
        /^Nothing was changed.*\npath-unusable: "a" \(patch line 2\) \w.*\.\nNext: use a path relative/,
      );
    }
    const reasons: readonly FileRefusal[] = [
      'outsideWorkspace',
      'protected',
      'untrusted',
      'directory',
      'behindFile',
      'binary',
      'undecodable',
      'mixedLineEnds',
      'tooLarge',
      'readOnly',
      'notebook',
      'unreadable',
      'unavailable',
      'notLoaded',
    ];
    for (const reason of reasons) {
      assert.match(
        reportOf({ kind: 'file-refused', file: 'a', line: 2, reason }),
        /\nfile-refused: "a" \(patch line 2\) \w.*\.\nNext: leave this file out/,
      );
    }
    assert.match(
      reportOf({ kind: 'too-large', what: 'patch' }),
      /\ntoo-large: the patch is too long.*\nNext: split/,
    );
    assert.match(
      reportOf({ kind: 'too-large', what: 'search', file: 'a' }),
      /\ntoo-large: finding the places in "a" takes too long/,
    );
  });

  it('stays within its length, the next step included', () => {
    const long = 'x'.repeat(1_000);
    const file = Array.from({ length: 40 }, (_, index) => `${index}${long}`).join('\n');
    const body = Array.from({ length: 9 }, (_, index) => ['@@', ` ${index * 4}${long}`, `-${long}`]).flat();
    const lines = report({ 'a.txt': file }, updating(...body));
    assert.match(lines.at(-2) ?? '', /^\(\d+ more not shown\.\)$/);
    assert.match(lines.at(-1) ?? '', /^Next: /);
    assert.ok(lines.every((line) => line.length < 300));
  });

  it('cuts no character in two', () => {
    const faces = '😀'.repeat(200);
    for (const shift of ['', 'x']) {
      const lines = report({ 'a.txt': `${shift}${faces}\n` }, updating(`-${shift}${faces}!`));
      assert.ok(lines.some((line) => line.endsWith('😀…')));
      assert.ok(lines.every((line) => line.isWellFormed()));
    }
  });

  it('quotes names as data, on one line', () => {
    assert.match(
      reportOf({ kind: 'path-unusable', file: `a\nb\t${'c'.repeat(300)}`, line: 2, why: 'name' }),
      /\npath-unusable: "a b c{156}…" \(patch/,
    );
  });
});
