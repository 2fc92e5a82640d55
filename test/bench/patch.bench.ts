/**
 * How fast a patch is read and planned, beside the engine of `@openai/agents-core` and the Codex binary on the same texts. Both peers
 * make a new text; ours also says what changes where. Codex is a process that reads and writes a file, so an empty start stands beside it.
 */
import { applyDiff } from '@openai/agents-core';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { plan } from '../core/patch/texts.ts';
import { CodexPatch } from '../peers/codexPatch.ts';
import { milliseconds, type Bench } from './bench.ts';

const styles = ['unique lines', 'every second line repeats', 'all lines repeat, anchors'] as const;
type Style = (typeof styles)[number];
const hunkCounts = [1, 50, 500];
const lineCounts = [1_000, 10_000, 100_000];
const longest = 100_000;

interface Sample {
  readonly text: string;
  readonly edited: string;
  /** The hunks alone. */
  readonly diff: string;
  readonly patch: string;
}

/** Functions of twenty lines; each hunk is a line of context and one that is replaced, spread evenly. */
function makeSample(style: Style, lineCount: number, hunkCount: number): Sample {
  const lines = Array.from({ length: lineCount }, (_, at) => {
    const row = at % 20;
    if (row === 0) return `export function handler${at}(request, options):`;
    const repeats = style === 'all lines repeat, anchors' || (style !== 'unique lines' && row % 2 === 0);
    return repeats
      ? `  check(request, options.get('key${row}'));`
      : `  const value${at} = compute(${at}, options);`;
  });
  const edited = [...lines];
  const hunks = Array.from({ length: hunkCount }, (_, hunk) => {
    const at = 2 * Math.floor((hunk * lineCount) / hunkCount / 2);
    edited[at + 1] = `  const changed = ${hunk};`;
    const anchored = style === 'all lines repeat, anchors';
    const header = anchored ? `@@ ${lines[at - (at % 20)] ?? ''}` : '@@';
    // No peer takes an anchor that is the first line of context, too.
    const context = anchored && at % 20 === 0 ? '' : ` ${lines[at] ?? ''}\n`;
    return `${header}\n${context}-${lines[at + 1] ?? ''}\n+${edited[at + 1] ?? ''}\n`;
  });
  const joined = (all: readonly string[]) => all.map((line) => `${line}\n`).join('');
  const diff = hunks.join('');
  const patch = `*** Begin Patch\n*** Update File: a.ts\n${diff}*** End Patch\n`;
  return { text: joined(lines), edited: joined(edited), diff, patch };
}

function timed(what: string, work: () => string, wanted: string): number {
  let result = '';
  const time = milliseconds(() => (result = work()));
  if (result !== wanted) throw new Error(`${what} gave another text`);
  return time;
}

function plannedText(text: string, patch: string): string {
  const planned = plan({ 'a.ts': text }, patch);
  const [edit] = planned.ok ? planned.value.files : [];
  return edit?.kind === 'update' ? edit.after : 'no plan';
}

const name = (who: string, hunks: number, lines: number, style: Style) =>
  `patch: ${hunks} ${hunks === 1 ? 'hunk' : 'hunks'} on ${lines.toLocaleString('en')} lines, ${style}: ${who}`;

function benchesOf(hunks: number, lines: number, style: Style): Bench[] {
  let sample: Sample = { text: '', edited: '', diff: '', patch: '' };
  const common = {
    unit: 'ms',
    better: 'less',
    setup: () => void (sample = makeSample(style, lines, hunks)),
  } as const;
  const made: Bench[] = [
    {
      ...common,
      name: name('ours', hunks, lines, style),
      measure: () => timed('ours', () => plannedText(sample.text, sample.patch), sample.edited),
    },
    {
      ...common,
      name: name('agents-core', hunks, lines, style),
      // It repairs nothing and finds the first place; here that is the right one.
      measure: () => timed('agents-core', () => applyDiff(sample.text, sample.diff), sample.edited),
    },
  ];
  if (lines === longest)
    made.push(codexBench(name('Codex, process', hunks, lines, style), common.setup, () => sample));
  return made;
}

function codexBench(title: string, prepare: () => void, sampleNow: () => Sample | undefined): Bench {
  let codex: CodexPatch;
  let folder = '';
  return {
    name: title,
    unit: 'ms',
    better: 'less',
    setup: async () => {
      prepare();
      codex = await CodexPatch.open();
      folder = mkdtempSync(path.join(tmpdir(), 'bench-'));
    },
    teardown: async () => {
      await codex.close();
      rmSync(folder, { recursive: true });
    },
    measure: async () => {
      const sample = sampleNow();
      const file = path.join(folder, 'a.ts');
      writeFileSync(file, sample?.text ?? '');
      const start = performance.now();
      await codex.run(sample?.patch ?? 'no patch', folder);
      const time = performance.now() - start;
      if (sample && readFileSync(file, 'utf8') !== sample.edited) throw new Error('Codex gave another text');
      return time;
    },
  };
}

/** What no engine can do without, and what one that splits has to do. */
function floors(): Bench[] {
  const { text } = makeSample('unique lines', longest, 1);
  const floor = (what: string, work: () => number): Bench => ({
    name: `patch: floor on ${longest.toLocaleString('en')} lines: ${what}`,
    unit: 'ms',
    better: 'less',
    measure: () => {
      let count = 0;
      const time = milliseconds(() => (count = work()));
      if (count < longest) throw new Error(`${count} lines`);
      return time;
    },
  });
  return [
    floor('finding the line ends', () => {
      let count = 0;
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
      return count;
    }),
    floor('splitting', () => text.split('\n').length),
    floor('splitting and joining', () => text.split('\n').join('\n').length),
  ];
}

function hostile(): Bench[] {
  const bench = (what: string, make: () => { text: string; patch: string }): Bench => {
    let made = { text: '', patch: '' };
    return {
      name: `patch: hostile: ${what}`,
      unit: 'ms',
      better: 'less',
      setup: () => void (made = make()),
      measure: () => milliseconds(() => plannedText(made.text, made.patch)),
    };
  };
  const wrap = (body: string) => `*** Begin Patch\n*** Update File: a.ts\n${body}*** End Patch\n`;
  return [
    bench('a patch of 10 MB', () => ({ text: 'x\n', patch: wrap('@@\n-x\n+y\n'.repeat(1_000_000)) })),
    bench('the longest patch that is read, all hunks alike', () => ({
      text: 'x\n'.repeat(200_000),
      patch: wrap('@@\n-x\n+y\n'.repeat(200_000)),
    })),
    bench('a file of one line of 10 MB', () => ({
      text: 'abcdefghi '.repeat(1_000_000),
      patch: wrap('@@\n-abc\n+y\n'),
    })),
    bench('20 lines that stand nowhere, in 100,000', () => ({
      text: makeSample('every second line repeats', longest, 1).text,
      patch: wrap(`@@\n${Array.from({ length: 20 }, (_, at) => `-  check(${at}, optinos);\n`).join('')}+y\n`),
    })),
  ];
}

export const benches: readonly Bench[] = [
  ...floors(),
  codexBench(
    'patch: Codex, process, a start for nothing',
    () => undefined,
    () => undefined,
  ),
  ...styles.flatMap((style) =>
    lineCounts.flatMap((lines) => hunkCounts.flatMap((hunks) => benchesOf(hunks, lines, style))),
  ),
  ...hostile(),
];

/** Ours beside the others, and how the cost grows. */
export function remarks(medians: ReadonlyMap<string, number>): string[] {
  const cost = (who: string, hunks: number, lines: number, style: Style) =>
    medians.get(name(who, hunks, lines, style)) ?? Number.NaN;
  const shown = (value: number) => value.toLocaleString('en', { maximumSignificantDigits: 2 });
  return styles.flatMap((style) => {
    const ours = cost('ours', 50, longest, style);
    const lines = ours / cost('ours', 50, 10_000, style);
    const hunks = cost('ours', 500, longest, style) / ours;
    const times = ['agents-core', 'Codex, process'].map(
      (who) => `${shown(cost(who, 50, longest, style) / ours)} times as fast as ${who}`,
    );
    return Number.isNaN(ours)
      ? []
      : [
          `${style}, 50 hunks on 100,000 lines: ${times.join(', ')}`,
          `${style}: ten times the lines cost ${shown(lines)} times as much, ten times the hunks ${shown(hunks)} times`,
        ];
  });
}
