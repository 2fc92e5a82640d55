/**
 * How fast a patch is read and planned, beside the engine of `@openai/agents-core` and the Codex binary on the same texts. Both peers
 * make a new text; ours makes edits, and a text that is put together when it is read. Line numbers of the places are counted when asked
 * for; what both cost is shown too. Codex is a process that reads and writes a file, so an empty start stands beside it.
 */
import { applyDiff } from '@openai/agents-core';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FileEdit } from '../../src/core/patch/editPlan.ts';
import { plan } from '../core/patch/texts.ts';
import { CodexPatch } from '../peers/codexPatch.ts';
import { milliseconds, NotMeasured, processorMilliseconds, type Bench, type Measured } from './bench.ts';

const styles = ['unique lines', 'every second line repeats', 'all lines repeat, anchors'] as const;
type Style = (typeof styles)[number];
const hunkCounts = [1, 50, 500];
const lineCounts = [1_000, 10_000, 100_000];
const longest = 100_000;
/** Milliseconds. */
const codexLimit = 10_000;

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

/** @returns milliseconds that `work` took, if it gave what was wanted */
function timed(work: () => string, wanted: string): number {
  let result = '';
  const time = milliseconds(() => (result = work()));
  if (result !== wanted) throw new NotMeasured('gives another text');
  return time;
}

function planned(text: string, patch: string): (FileEdit & { kind: 'update' }) | undefined {
  const made = plan({ 'a.ts': text }, patch);
  const [edit] = made.ok ? made.value.files : [];
  return edit?.kind === 'update' ? edit : undefined;
}

/** Everything a plan holds, made at once. */
function allOf(text: string, patch: string): string {
  const edit = planned(text, patch);
  if (edit?.places.length === 0) return '';
  // Searching a text puts it together.
  return edit?.after.includes('\0') === false ? edit.after : '';
}

const name = (who: string, hunks: number, lines: number, style: Style) =>
  `patch: ${hunks} ${hunks === 1 ? 'hunk' : 'hunks'} on ${lines.toLocaleString('en')} lines, ${style}: ${who}`;

const ours = 'ours';
const everything = 'ours, with the text put together and the line numbers';
const agents = 'agents-core';
const codexProcess = 'Codex, process';
const codexStart = 'patch: Codex, process, a start for nothing';

function benchesOf(hunks: number, lines: number, style: Style): Bench[] {
  let sample: Sample = { text: '', edited: '', diff: '', patch: '' };
  const prepare = () => void (sample = makeSample(style, lines, hunks));
  const bench = (who: string, work: () => string): Bench => ({
    name: name(who, hunks, lines, style),
    unit: 'ms',
    better: 'less',
    setup: prepare,
    measure: () => timed(work, sample.edited),
  });
  return [
    bench(ours, () => planned(sample.text, sample.patch)?.after ?? ''),
    bench(everything, () => allOf(sample.text, sample.patch)),
    // It repairs nothing and finds the first place; here that is the right one.
    bench(agents, () => applyDiff(sample.text, sample.diff)),
    codexBench(name(codexProcess, hunks, lines, style), prepare, () => sample),
  ];
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
      const { code } = await codex.run(sample?.patch ?? 'no patch', folder, codexLimit);
      const time = performance.now() - start;
      if (code === null) throw new NotMeasured(`takes more than ${codexLimit / 1000} seconds`);
      if (sample && code !== 0) throw new NotMeasured('refuses');
      if (sample && readFileSync(file, 'utf8') !== sample.edited) throw new NotMeasured('gives another text');
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

const updating = (body: string) => `*** Begin Patch\n*** Update File: a.ts\n${body}*** End Patch\n`;
const numbered = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('');
const tenMegabytes = 10_000_000;

/** Texts and patches made to be slow, `part` of the full size of each. */
const hostileTexts: Readonly<
  Record<string, (part: number) => { readonly text: string; readonly patch: string }>
> = {
  'a patch of 10 MB, all hunks alike': (part) => ({
    text: 'x\n',
    patch: updating('@@\n-x\n+y\n'.repeat(1_000_000 * part)),
  }),
  '10 MB of junk': (part) => ({
    text: 'x\n',
    patch: '{"@@ *** Begin Patch\\n'.repeat((tenMegabytes / 21) * part),
  }),
  'the longest patch that is read: junk': (part) => ({
    text: 'x\n',
    patch: '{"@@ *** Begin\n'.repeat(130_000 * part),
  }),
  '200,000 equal hunks on 200,000 equal lines': (part) => ({
    text: 'x\n'.repeat(200_000 * part),
    patch: updating('@@\n-x\n+y\n'.repeat(200_000 * part)),
  }),
  '200,000 equal hunks on fewer equal lines': (part) => ({
    text: 'x\n'.repeat(199_000 * part),
    patch: updating('@@\n-x\n+y\n'.repeat(200_000 * part)),
  }),
  'a hunk of 200,000 equal lines on 400,000': (part) => ({
    text: 'x\n'.repeat(400_000 * part),
    patch: updating(`${'-x\n'.repeat(200_000 * part)}+y\n`),
  }),
  'a hunk of 200,000 different lines': (part) => ({
    text: numbered(200_000 * part, (at) => `${at}\n`),
    patch: updating(numbered(200_000 * part, (at) => `${at % 2 === 0 ? ' ' : '-'}${at}\n`)),
  }),
  '100,000 @@ lines in one hunk': (part) => ({
    text: numbered(100_000 * part, (at) => `${at}\n`),
    patch: updating(`${numbered(100_000 * part, (at) => `@@ ${at}\n`)}+y\n`),
  }),
  '90,000 hunks, each with an anchor': (part) => ({
    text: numbered(90_000 * part, (at) => `${at}\n  x\n`),
    patch: updating(numbered(90_000 * part, (at) => `@@ ${at}\n-  x\n+y\n`)),
  }),
  '90,000 hunks below one anchor': (part) => ({
    text: `head\n${numbered(90_000 * part, (at) => `  ${at}\n`)}`,
    patch: updating(numbered(90_000 * part, (at) => `@@ head\n-  ${at}\n`)),
  }),
  'a file of one line of 10 MB': (part) => ({
    text: 'abcdefghi '.repeat((tenMegabytes / 10) * part),
    patch: updating('@@\n-abc\n+y\n'),
  }),
  'a line of 1 MB on lines that begin like it': (part) => ({
    text: `${'a'.repeat(999_999 * part)}b\n`.repeat(10),
    patch: updating(`@@\n-${'a'.repeat(1_000_000 * part)}\n+y\n`),
  }),
  'lines that are all beginnings of each other': (part) => ({
    text: numbered(1_900 * Math.sqrt(part), (at) => `${'a'.repeat(at)}\n`),
    patch: updating(
      numbered(1_900 * Math.sqrt(part), (at) => `@@\n-${'a'.repeat(1_900 * Math.sqrt(part) - at)}\n`),
    ),
  }),
  'a block that nearly fits at every second line': (part) => ({
    text: 'a\nb\n'.repeat(250_000 * part),
    patch: updating(`@@\n${' a\n b\n'.repeat(100_000 * part)}-c\n+y\n`),
  }),
  '100,000 hunks that nearly fit everywhere': (part) => ({
    text: `${'aaaa\n'.repeat(9)}aaab\n`.repeat(20_000 * part),
    patch: updating('@@\n aaaa\n-aaab\n+y\n'.repeat(90_000 * part)),
  }),
  '90,000 hunks that stand nowhere': (part) => ({
    text: numbered(90_000 * part, (at) => `line ${at}\n`),
    patch: updating(numbered(90_000 * part, (at) => `@@\n-lime ${at}\n`)),
  }),
  '20 lines that stand nowhere, in 100,000': (part) => ({
    text: makeSample('every second line repeats', longest * part, 1).text,
    patch: updating(`@@\n${numbered(20, (at) => `-  check(${at}, optinos);\n`)}+y\n`),
  }),
  '70,000 added files': (part) => ({
    text: '',
    patch: `*** Begin Patch\n${numbered(70_000 * part, (at) => `*** Add File: ${at}\n+\n`)}*** End Patch\n`,
  }),
  '60,000 sections on one file': (part) => ({
    text: numbered(60_000 * part, (at) => `${at}\n`),
    patch: `*** Begin Patch\n${numbered(60_000 * part, (at) => `*** Update File: a.ts\n-${at}\n`)}*** End Patch\n`,
  }),
};

const hostileName = (what: string, part: number) =>
  `patch: hostile: ${what}${part === 1 ? '' : ', a tenth of it'}`;

function hostile(): Bench[] {
  return Object.entries(hostileTexts).flatMap(([what, make]) =>
    [0.1, 1].map((part): Bench => {
      let made = { text: '', patch: '' };
      return {
        name: hostileName(what, part),
        unit: 'CPU ms',
        better: 'less',
        measurements: 5,
        setup: () => void (made = make(part)),
        measure: () => processorMilliseconds(() => plan({ 'a.ts': made.text }, made.patch)),
      };
    }),
  );
}

export const benches: readonly Bench[] = [
  ...floors(),
  codexBench(
    codexStart,
    () => undefined,
    () => undefined,
  ),
  ...styles.flatMap((style) =>
    lineCounts.flatMap((lines) => hunkCounts.flatMap((hunks) => benchesOf(hunks, lines, style))),
  ),
  ...hostile(),
];

/** Ours beside the others, and how the cost grows. */
export function remarks(measured: ReadonlyMap<string, Measured>): string[] {
  const figure = (value: number) =>
    Number.isFinite(value) ? value.toLocaleString('en', { maximumSignificantDigits: 2 }) : 'n/a';
  const cost = (who: string, hunks: number, lines: number, style: Style) =>
    measured.get(name(who, hunks, lines, style));
  const ratio = (one: Measured | undefined, other: Measured | undefined, less?: Measured) => {
    const of = (which: keyof Measured) =>
      figure(((one?.[which] ?? Number.NaN) - (less?.[which] ?? 0)) / (other?.[which] ?? Number.NaN));
    return `${of('median')} (best: ${of('best')})`;
  };
  const start = measured.get(codexStart);
  const compared = styles.flatMap((style) => {
    const own = cost(ours, 50, longest, style);
    if (!own) return [];
    const codex = cost(codexProcess, 50, longest, style);
    const lines = [
      `${style}, 50 hunks on 100,000 lines: how many times the cost of ours, by medians`,
      `  agents-core                        ${ratio(cost(agents, 50, longest, style), own)}`,
      `  Codex, the whole process           ${ratio(codex, own)}`,
      `  Codex, less a start for nothing    ${start ? ratio(codex, own, start) : 'n/a'}`,
      `  ours, with all that is made later  ${ratio(cost(everything, 50, longest, style), own)}`,
    ];
    const grown = lineCounts.slice(1).map((count, at) => {
      const [before, after] = [cost(ours, 50, lineCounts[at] ?? 0, style), cost(ours, 50, count, style)];
      return `${(lineCounts[at] ?? 0).toLocaleString('en')} to ${count.toLocaleString('en')} lines ${ratio(after, before)}`;
    });
    const more = hunkCounts.slice(1).map((count, at) => {
      const [before, after] = [
        cost(ours, hunkCounts[at] ?? 0, longest, style),
        cost(ours, count, longest, style),
      ];
      return `${hunkCounts[at]} to ${count} hunks ${ratio(after, before)}`;
    });
    return [...lines, `  the cost of ours grows: ${[...grown, ...more].join(', ')}`];
  });
  const hostileGrowth = Object.keys(hostileTexts).flatMap((what) => {
    const [tenth, whole] = [measured.get(hostileName(what, 0.1)), measured.get(hostileName(what, 1))];
    return tenth && whole ? [`  ${figure(whole.median)} CPU ms, ${ratio(whole, tenth)}: ${what}`] : [];
  });
  return hostileGrowth.length === 0
    ? compared
    : [...compared, 'hostile: the cost, and what ten times as much text makes of it', ...hostileGrowth];
}
