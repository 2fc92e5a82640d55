/** Hunks go where they were meant to go or nowhere: against known truth, and against trying all placements. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { indexLines } from '../../src/core/lines.ts';
import { Budget } from '../../src/core/patch/budget.ts';
import { Haystack } from '../../src/core/patch/haystack.ts';
import { lineKey, passes } from '../../src/core/patch/passes.ts';
import { place, type Placeable } from '../../src/core/patch/place.ts';
import { applied, enveloped, plan } from '../core/patch/texts.ts';
import { anyLine, check, repeatingLine, seed, textOfLines } from './patchTexts.ts';

/** A file in which nearly everything repeats: functions of a few body lines, some in classes, named so that names repeat too. */
const program = fc
  .array(
    fc.record({
      inClass: fc.boolean(),
      name: fc.constantFrom('f', 'g', 'h'),
      body: fc.array(fc.constantFrom('a()', 'b()', 'c()', 'd()', 'e()', 'return'), {
        minLength: 1,
        maxLength: 5,
      }),
      blank: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((functions) =>
    functions.flatMap(({ inClass, name, body, blank }, index) => [
      ...(inClass ? [`class C${index % 3}:`] : []),
      `${inClass ? '    ' : ''}def ${name}():`,
      ...body.map((line) => `${inClass ? '        ' : '    '}${line}`),
      ...(blank ? [''] : []),
    ]),
  );

interface Hunk {
  readonly at: number;
  readonly context: number;
  readonly anchored: boolean;
  readonly text: string;
}

const hunk: fc.Arbitrary<Hunk> = fc.record({
  at: fc.nat(60),
  context: fc.nat(3),
  anchored: fc.boolean(),
  text: fc.constantFrom('new()', 'a()', 'other()'),
});

describe(`patch placement (seed ${seed})`, () => {
  it('puts no hunk where it was not meant', () => {
    let planned = 0;
    check(
      fc.tuple(program, fc.array(hunk, { minLength: 1, maxLength: 3 })),
      ([lines, hunks]) => {
        const { patch, edited } = written(lines, hunks);
        const before = { 'a.py': lines.map((line) => `${line}\n`).join('') };
        const result = plan(before, patch);
        if (!result.ok) {
          // The truth is a placement in order, so there is never none.
          assert.deepEqual([...new Set(result.error.problems.map(({ kind }) => kind))], ['ambiguous']);
          return;
        }
        planned += 1;
        assert.equal(applied(before, result.value)['a.py'], edited.map((line) => `${line}\n`).join(''));
      },
      1_000,
    );
    assert.ok(planned > 200 && planned < 990, `${planned} of 1000 were planned`);
  });

  it('takes a placement if and only if there is just one', () => {
    const placeable: fc.Arbitrary<Placeable> = fc
      .record({
        places: fc.uniqueArray(fc.nat(8), { minLength: 1, maxLength: 4 }),
        from: fc.nat(2),
        length: fc.nat(2),
        changes: fc.boolean(),
      })
      .map(({ places, from, length, changes }) => ({
        places: places.toSorted((one, other) => one - other),
        from,
        to: from + length,
        changes,
        appends: false,
      }));
    check(
      fc.array(placeable, { minLength: 1, maxLength: 4 }),
      (hunks) => {
        const ordered = allPlacements(hunks).filter((lines) => isOrdered(hunks, lines));
        const meanings = new Set(
          ordered.map((lines) => JSON.stringify(lines.filter((_, at) => hunks[at]?.changes))),
        );
        const result = place(hunks);
        if (meanings.size === 1) {
          assert.equal(result.kind, 'placed');
          const lines = result.kind === 'placed' ? result.lines : [];
          assert.ok(meanings.has(JSON.stringify(lines.filter((_, at) => hunks[at]?.changes))));
        } else if (meanings.size > 1) {
          assert.equal(result.kind, 'ambiguous');
        } else {
          assert.ok(result.kind === 'impossible' || (result.kind === 'placed' && result.outOfOrder));
        }
      },
      3_000,
    );
  });

  it('finds a block in every pass just where a plain comparison finds it', () => {
    check(
      fc.tuple(
        textOfLines(fc.oneof(repeatingLine, anyLine)),
        fc.array(repeatingLine, { minLength: 1, maxLength: 3 }),
      ),
      ([text, block]) => {
        const lines = indexLines(text);
        const haystack = new Haystack(lines, new Set(block), new Budget());
        const all = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
        if (all.at(-1) === '') all.pop();
        for (const pass of passes) {
          const keys = all.map((line) => lineKey(pass, line));
          const wanted = block.map((line) => lineKey(pass, line));
          const plain = keys.flatMap((_, at) =>
            at + wanted.length <= keys.length && wanted.every((key, row) => keys[at + row] === key)
              ? [at]
              : [],
          );
          assert.deepEqual([...haystack.placesOfBlock(pass, block)], plain, pass);
        }
      },
      300,
    );
  });
});

/** The hunks as a patch, and what they were meant to give: one line each, replaced; in order and apart. */
function written(
  lines: readonly string[],
  hunks: readonly Hunk[],
): { patch: string; edited: readonly string[] } {
  const edited = [...lines];
  const body: string[] = [];
  let free = 0;
  for (const { at, context, anchored, text } of hunks.toSorted((one, other) => one.at - other.at)) {
    const line = at % lines.length;
    if (line < free) continue;
    const indent = /^ */.exec(lines[line] ?? '')?.[0] ?? '';
    const from = Math.max(free, line - context);
    const to = Math.min(lines.length, line + context + 1);
    body.push(anchored ? anchorsOf(lines, from) : '@@');
    for (let row = from; row < line; row += 1) body.push(` ${lines[row] ?? ''}`);
    body.push(`-${lines[line] ?? ''}`, `+${indent}${text}`);
    for (let row = line + 1; row < to; row += 1) body.push(` ${lines[row] ?? ''}`);
    edited[line] = indent + text;
    free = line + 1;
  }
  return { patch: enveloped('*** Update File: a.py', ...body), edited };
}

/** The heads of everything a line stands in, outermost first, as a model would write them. */
function anchorsOf(lines: readonly string[], line: number): string {
  const heads: string[] = [];
  let depth = /^ */.exec(lines[line] ?? '')?.[0].length ?? 0;
  for (let above = line - 1; above >= 0 && depth > 0; above -= 1) {
    const text = lines[above] ?? '';
    const indent = /^ */.exec(text)?.[0].length ?? 0;
    if (text === '' || indent >= depth) continue;
    heads.unshift(`@@ ${text.trim()}`);
    depth = indent;
  }
  return heads.length === 0 ? '@@' : heads.join('\n');
}

function allPlacements(hunks: readonly Placeable[]): readonly (readonly number[])[] {
  return hunks.reduce<readonly (readonly number[])[]>(
    (all, { places }) => all.flatMap((lines) => places.map((line) => [...lines, line])),
    [[]],
  );
}

function isOrdered(hunks: readonly Placeable[], lines: readonly number[]): boolean {
  return hunks.every((each, at) => {
    const previous = hunks[at - 1];
    return !previous || (lines[at - 1] ?? 0) + previous.to <= (lines[at] ?? 0) + each.from;
  });
}
