/**
 * Edits made at random, written as hunks by an independent program (`diff`), put into our envelope and planned: the result is the
 * edited text to the byte, or the refusal that the place is not certain.
 */
import assert from 'node:assert/strict';
import { structuredPatch, type StructuredPatchHunk } from 'diff';
import fc from 'fast-check';
import { invertPlan } from '../../src/core/patch/invert.ts';
import { applyReplacements } from '../../src/core/patch/replacements.ts';
import { applied, enveloped, onlyUpdate, plan } from '../core/patch/texts.ts';
import { anyLine, check, repeatingLine, seed } from './patchTexts.ts';

interface Case {
  readonly lines: readonly string[];
  readonly edited: readonly string[];
  readonly context: number;
  readonly end: string;
  readonly bom: boolean;
  /** The last line has no end. */
  readonly open: boolean;
}

/** Edits of a list of lines; with `unique` no line occurs twice. */
function cases(line: fc.Arbitrary<string>, unique: boolean): fc.Arbitrary<Case> {
  const edit = fc.record({ at: fc.nat(40), remove: fc.nat(3), insert: fc.array(line, { maxLength: 3 }) });
  return fc
    .record({
      made: fc.array(line, { minLength: 1, maxLength: 40 }),
      edits: fc.array(edit, { minLength: 1, maxLength: 4 }),
      context: fc.integer({ min: 1, max: 4 }),
      end: fc.constantFrom('\n', '\r\n', '\r'),
      bom: fc.boolean(),
      open: fc.boolean(),
    })
    .map(({ made, edits, ...rest }) => {
      const lines = made.map((text, index) => (unique ? `${index}: ${text}` : text));
      // An empty last line without an end is no line.
      if (rest.open && lines.at(-1) === '') lines[lines.length - 1] = 'last';
      const edited = [...lines];
      for (const [index, { at, remove, insert }] of edits.entries()) {
        const put = insert.map((text, row) => (unique ? `new ${index} ${row}: ${text}` : text));
        edited.splice(at % (edited.length + 1), remove, ...put);
      }
      return { lines, edited, ...rest };
    });
}

/** The hunks that lead from one list of lines to the other. Both are given as ended by LF, so that no remark is needed. */
function hunksOf({ lines, edited, context }: Case): readonly StructuredPatchHunk[] {
  const text = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');
  return structuredPatch('a', 'a', text(lines), text(edited), '', '', { context }).hunks;
}

function patchOf(hunks: readonly StructuredPatchHunk[]): string {
  return enveloped('*** Update File: a.txt', ...hunks.flatMap(({ lines }) => ['@@', ...lines]));
}

/** Carries the hunks out by their line numbers, which the engine never sees: kept lines keep their end, new ones get the file's. */
function expected({ lines, end, bom, open }: Case, hunks: readonly StructuredPatchHunk[]): string {
  const old = lines.map((line, index) => ({ line, end: open && index === lines.length - 1 ? '' : end }));
  const first = lines.length > 1 || !open ? end : '\n';
  const result: { line: string; end: string }[] = [];
  let at = 0;
  for (const { oldStart, oldLines, lines: body } of hunks) {
    // A hunk without old lines is counted from the line above it.
    const start = oldLines === 0 ? oldStart : oldStart - 1;
    result.push(...old.slice(at, start));
    at = start;
    for (const text of body) {
      if (text.startsWith('+')) result.push({ line: text.slice(1), end: first });
      else if (text.startsWith(' ')) result.push(old[at] as (typeof old)[number]);
      if (!text.startsWith('+')) at += 1;
    }
  }
  result.push(...old.slice(at));
  const text = result.map(
    (each, index) => each.line + (each.end === '' && index < result.length - 1 ? first : each.end),
  );
  return (bom ? '\uFEFF' : '') + text.join('');
}

function before({ lines, end, bom, open }: Case): string {
  const text = lines.map((line) => line + end).join('');
  return (bom ? '\uFEFF' : '') + (open ? text.slice(0, -end.length) : text);
}

/** Whole properties of one case; returns whether it was planned. */
function verify(sample: Case): boolean {
  const hunks = hunksOf(sample);
  if (hunks.length === 0) return true;
  const text = before(sample);
  const files = { 'a.txt': text };
  const planned = plan(files, patchOf(hunks));
  if (!planned.ok) {
    assert.deepEqual([...new Set(planned.error.problems.map(({ kind }) => kind))], ['ambiguous']);
    return false;
  }
  const want = expected(sample, hunks);
  const after = applied(files, planned.value);
  assert.equal(after['a.txt'], want);
  assert.deepEqual(applied(after, invertPlan(planned.value)), files);
  if (planned.value.files.length === 0) return true;
  const edit = onlyUpdate(planned);
  assert.equal(applyReplacements(text, edit.replacements), want);
  assertApart(text, edit.replacements);
  assert.equal(edit.places.length, hunks.length);
  return true;
}

/** Ascending and apart: what lies outside is the same before and after. */
function assertApart(text: string, replacements: readonly { start: number; end: number }[]): void {
  let end = 0;
  for (const replacement of replacements) {
    assert.ok(
      replacement.start >= end && replacement.end >= replacement.start && replacement.end <= text.length,
    );
    end = replacement.end;
  }
}

describe(`patch round trip (seed ${seed})`, () => {
  it('gives exactly the edited text where every line is another', () => {
    check(cases(anyLine, true), (sample) => assert.ok(verify(sample)));
  });

  it('gives exactly the edited text or calls the place uncertain where lines repeat', () => {
    let planned = 0;
    check(cases(repeatingLine, false), (sample) => void (planned += Number(verify(sample))));
    assert.ok(planned > 100, `only ${planned} of 500 were planned`);
  });

  it('does so where there are hardly any different lines', () => {
    let planned = 0;
    const few = fc.constantFrom('a', '  a', '', '}');
    check(cases(few, false), (sample) => void (planned += Number(verify(sample))), 1_000);
    assert.ok(planned > 100 && planned < 1e3, `${planned} of 1000 were planned`);
  });
});
