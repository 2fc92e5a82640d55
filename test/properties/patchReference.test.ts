/**
 * The engine beside a slow and obvious one, which cuts the text into lines, tries every place of every hunk and every placement of
 * all hunks: the same text comes out, or a refusal of the same kind. Covers the quick search and all that comes after it.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { placeExactly } from '../../src/core/patch/exact.ts';
import type { Hunk } from '../../src/core/patch/patch.ts';
import { parsePatch } from '../../src/core/patch/parse.ts';
import { applied, enveloped, plan } from '../core/patch/texts.ts';
import { check, seed, terminator } from './patchTexts.ts';

interface Line {
  readonly text: string;
  readonly end: string;
}

interface File {
  readonly bom: string;
  readonly lines: readonly Line[];
}

interface Row {
  readonly kind: 'context' | 'remove' | 'add';
  readonly text: string;
}

/** Few different lines, none of which is another one indented: what new lines are indented by is not the matter here. */
const line = fc.constantFrom('a', 'b', 'a ', 'c', '}', '', 'a long line', 'a long line too', 'long line');

/** One kind of ends mostly, so that the lines of a file are not told apart by them. */
const file: fc.Arbitrary<File> = fc
  .record({
    texts: fc.array(line, { minLength: 1, maxLength: 14 }),
    ends: fc.oneof(
      { weight: 3, arbitrary: terminator.map((end) => [end]) },
      fc.array(terminator, { minLength: 2, maxLength: 5 }),
    ),
    bom: fc.constantFrom('', '', '\uFEFF'),
    open: fc.boolean(),
  })
  .map(({ texts, ends, bom, open }) => {
    const lines: Line[] = [];
    for (const [at, text] of texts.entries()) {
      const end = open && at === texts.length - 1 ? '' : (ends[at % ends.length] ?? '\n');
      // An empty last line without an end is no line, and one behind a carriage return is half of that one's end.
      const isNone = text === '' && (end === '' || (end === '\n' && lines.at(-1)?.end === '\r'));
      lines.push({ text: isNone ? 'x' : text, end });
    }
    return { bom, lines };
  });

/** Lines of the file, some of them removed and some put between; now and then one that the file does not have there. */
const hunk = fc.record({
  at: fc.nat(13),
  length: fc.integer({ min: 1, max: 4 }),
  kinds: fc.array(fc.constantFrom('context', 'context', 'remove', 'addBefore', 'addBehind'), {
    minLength: 4,
    maxLength: 4,
  }),
  other: fc.option(line, { freq: 8 }),
});

const sample = fc
  .tuple(file, fc.array(hunk, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([made, hunks, sorted]) => {
    const count = made.lines.length;
    const inOrder = sorted ? hunks.toSorted((one, other) => (one.at % count) - (other.at % count)) : hunks;
    return {
      file: made,
      hunks: inOrder.map(({ at, length, kinds, other }, index) =>
        made.lines.slice(at % count, (at % count) + length).flatMap(({ text: present }, row): Row[] => {
          const text = row === 1 && other !== null ? other : present;
          const added = { kind: 'add', text: `new ${index} ${row}` } as const;
          const kind = kinds[row] ?? 'context';
          if (kind === 'addBefore') return [added, { kind: 'context', text }];
          if (kind === 'addBehind') return [{ kind: 'context', text }, added];
          return [{ kind: kind === 'remove' ? 'remove' : 'context', text }];
        }),
      ),
    };
  });

const signs = { context: ' ', remove: '-', add: '+' } as const;

function written(hunks: readonly (readonly Row[])[]): string {
  return enveloped(
    '*** Update File: a.txt',
    ...hunks.flatMap((rows) => ['@@', ...rows.map(({ kind, text }) => signs[kind] + text)]),
  );
}

function textOf({ bom, lines }: File): string {
  return bom + lines.map(({ text, end }) => text + end).join('');
}

interface Found {
  readonly rows: readonly Row[];
  readonly places: readonly number[];
  readonly exact: boolean;
}

/** The places of a hunk by the first comparison that has any: as written, then without blanks at the ends. */
function seek({ lines }: File, rows: readonly Row[]): Found | undefined {
  const lastReal = rows.findLastIndex(({ kind, text }) => kind !== 'context' || text.trim() !== '');
  for (const exact of [true, false]) {
    const key = (text: string): string => (exact ? text : text.trimEnd());
    for (const kept of [rows, rows.slice(0, lastReal + 1)]) {
      const old = kept.filter(({ kind }) => kind !== 'add');
      if (old.length === 0) continue;
      const places = lines
        .map((_, at) => at)
        .filter((at) => at + old.length <= lines.length)
        .filter((at) => old.every(({ text }, row) => key(text) === key(lines[at + row]?.text ?? '')))
        // Blank context at the end may be missing from the file only at its end.
        .filter((at) => kept.length === rows.length || at + old.length === lines.length);
      if (places.length > 0) return { rows: kept, places, exact };
    }
  }
  return undefined;
}

function changed(rows: readonly Row[]): {
  readonly from: number;
  readonly to: number;
  readonly any: boolean;
} {
  const before = (end: number): number => rows.slice(0, end).filter(({ kind }) => kind !== 'add').length;
  const first = rows.findIndex(({ kind }) => kind !== 'context');
  const last = rows.findLastIndex(({ kind }) => kind !== 'context');
  return first < 0
    ? { from: 0, to: before(rows.length), any: false }
    : { from: before(first), to: before(last + 1), any: true };
}

/** All ways to put every hunk somewhere. */
function placements(found: readonly Found[]): readonly (readonly number[])[] {
  return found.reduce<readonly (readonly number[])[]>(
    (all, { places }) => all.flatMap((one) => places.map((place) => [...one, place])),
    [[]],
  );
}

type Answer =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'ambiguous' | 'context-not-found' };

function refer(made: File, hunks: readonly (readonly Row[])[]): Answer {
  const found: Found[] = [];
  for (const rows of hunks) {
    const one = seek(made, rows);
    if (!one) return { kind: 'context-not-found' };
    found.push(one);
  }
  const spans = found.map(({ rows }) => changed(rows));
  const span = (index: number, place: number) => ({
    start: place + (spans[index]?.from ?? 0),
    end: place + (spans[index]?.to ?? 0),
  });
  const ordered = placements(found).filter((lines) =>
    lines.every((place, at) => at === 0 || span(at - 1, lines[at - 1] ?? 0).end <= span(at, place).start),
  );
  const meanings = new Map(
    ordered.map((lines) => [JSON.stringify(lines.filter((_, at) => spans[at]?.any)), lines]),
  );
  if (meanings.size > 1) return { kind: 'ambiguous' };
  let chosen = [...meanings.values()][0];
  if (!chosen && found.every(({ places }) => places.length === 1)) {
    const only = found.map(({ places }) => places[0] ?? 0);
    const taken = only.map((place, at) => span(at, place)).filter((_, at) => spans[at]?.any);
    const apart = taken.every((one, at) =>
      taken.slice(at + 1).every((other) => one.end <= other.start || other.end <= one.start),
    );
    if (apart) chosen = only;
  }
  return chosen ? { kind: 'text', text: carryOut(made, found, chosen) } : { kind: 'context-not-found' };
}

function carryOut({ bom, lines }: File, found: readonly Found[], chosen: readonly number[]): string {
  const end = lines.map((each) => each.end).find((each) => each !== '') ?? '\n';
  const edits = found
    .flatMap(({ rows }, index) => runs(rows, chosen[index] ?? 0))
    // Of two at one line that of the upper hunk comes first.
    .toSorted((one, other) => one.from - other.from || one.to - other.to);
  const result: Line[] = [];
  let line = 0;
  for (const { from, to, put } of edits) {
    result.push(...lines.slice(line, from), ...put.map((text) => ({ text, end })));
    line = to;
  }
  result.push(...lines.slice(line));
  return (
    bom +
    result
      .map((each, at) => each.text + (each.end === '' && at < result.length - 1 ? end : each.end))
      // An empty line with LF alone would be half of the end of a line with CR.
      .map((each, at, all) => (each.endsWith('\r') && all[at + 1] === '\n' ? `${each}\n` : each))
      .join('')
  );
}

/** Removed and added lines between lines of context. */
function runs(
  rows: readonly Row[],
  place: number,
): readonly { readonly from: number; readonly to: number; readonly put: readonly string[] }[] {
  const made: { from: number; to: number; put: string[] }[] = [{ from: place, to: place, put: [] }];
  let at = place;
  for (const { kind, text } of rows) {
    if (kind !== 'add') at += 1;
    const last = made.at(-1);
    if (kind === 'context') made.push({ from: at, to: at, put: [] });
    else if (kind === 'add') last?.put.push(text);
    else if (last) last.to = at;
  }
  return made.filter(({ from, to, put }) => to > from || put.length > 0);
}

function hunksOf(patch: string): readonly Hunk[] {
  const parsed = parsePatch(patch);
  assert.ok(parsed.ok, JSON.stringify(parsed));
  const [section] = parsed.value.sections;
  return section?.kind === 'update' ? section.hunks : [];
}

describe(`patches beside a slow reference (seed ${seed})`, () => {
  it('give the same text, or are refused alike', () => {
    const counts = new Map<string, number>();
    check(
      sample,
      ({ file: made, hunks }) => {
        // Nothing but blank context is layout and no hunk.
        if (hunks.some((rows) => rows.every(({ kind, text }) => kind === 'context' && text.trim() === '')))
          return;
        const before = { 'a.txt': textOf(made) };
        const answer = refer(made, hunks);
        counts.set(answer.kind, (counts.get(answer.kind) ?? 0) + 1);
        const planned = plan(before, written(hunks));
        if (answer.kind === 'text') {
          assert.ok(planned.ok, JSON.stringify(planned));
          assert.equal(applied(before, planned.value)['a.txt'], answer.text);
        } else {
          assert.ok(!planned.ok, answer.kind);
          assert.equal(planned.error.problems[0]?.kind, answer.kind);
        }
      },
      1_500,
    );
    for (const kind of ['text', 'ambiguous', 'context-not-found'])
      assert.ok((counts.get(kind) ?? 0) > 20, `${kind}: ${counts.get(kind)}`);
  });

  it('are placed by the quick search just there, and mostly where they can be', () => {
    let placed = 0;
    let placeable = 0;
    check(
      sample,
      ({ file: made, hunks }) => {
        if (hunks.some((rows) => rows.every(({ kind }) => kind === 'context'))) return;
        const found = hunks.map((rows) => seek(made, rows));
        const quick = placeExactly(textOf(made), hunksOf(written(hunks)));
        if (found.some((one, at) => !one || !one.exact || one.rows.length < (hunks[at]?.length ?? 0))) {
          assert.equal(quick, undefined);
          return;
        }
        const answer = refer(made, hunks);
        if (answer.kind === 'text') placeable += 1;
        if (!quick) return;
        placed += 1;
        assert.equal(answer.kind, 'text');
        const starts = made.lines.reduce<number[]>(
          (all, { text, end }) => [...all, (all.at(-1) ?? 0) + text.length + end.length],
          [made.bom.length],
        );
        for (const [index, offsets] of quick.entries()) {
          const first = starts.indexOf(offsets[0] as number);
          assert.ok(found[index]?.places.includes(first), JSON.stringify(quick));
          assert.deepEqual([...offsets], starts.slice(first, first + offsets.length));
        }
      },
      4_000,
    );
    assert.ok(placed > 300 && placed > placeable / 2, `${placed} of ${placeable}`);
  });
});
