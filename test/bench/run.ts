/**
 * `npm run bench [-- part of a name]`: runs every `*.bench.ts` beside this file and prints a table. The median of 15
 * measurements stands beside the best of them and their tenth and ninetieth percentile: where these lie far apart, the machine was
 * busy. A benchmark that can't be measured says why, and the others go on.
 */
import { readdirSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

import { NotMeasured, percentile, type Bench, type BenchFile, type Contest, type Measured } from './bench.ts';

const warmups = 3;
const usualMeasurements = 15;

const wanted = process.argv[2] ?? '';
const rows: string[][] = [];
const remarks: string[] = [];

for (const file of readdirSync(import.meta.dirname).toSorted()) {
  if (!file.endsWith('.bench.ts')) continue;
  const {
    benches = [],
    contests = [],
    reports = [],
    remarks: remarksOn,
  } = (await import(`./${file}`)) as BenchFile;
  const measured = new Map<string, Measured>();
  for (const bench of benches) {
    if (!bench.name.includes(wanted)) continue;
    process.stderr.write(`${bench.name} …\n`);
    const sorted = await measure(bench);
    if (sorted instanceof NotMeasured) {
      rows.push([bench.name, 'n/a', '', '', bench.unit, sorted.message]);
      continue;
    }
    const ranked = bench.better === 'less' ? sorted : sorted.toReversed();
    const [best = Number.NaN] = ranked;
    measured.set(bench.name, { best, median: sorted[sorted.length >> 1] ?? Number.NaN });
    rows.push(row(bench, sorted, best));
  }
  for (const contest of contests) if (contest.name.includes(wanted)) await compete(contest);
  for (const report of reports) {
    if (!report.name.includes(wanted)) continue;
    process.stderr.write(`${report.name} …\n`);
    remarks.push(...(await report.run()).map((line) => `${report.name}: ${line}`));
  }
  if (remarksOn) remarks.push(...remarksOn(measured));
}

if (rows.length + remarks.length === 0) {
  console.error(`No benchmark has “${wanted}” in its name.`);
  process.exitCode = 1;
} else {
  console.log(
    `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ` +
      `${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}\n`,
  );
  if (rows.length > 0) print(['what', 'best', 'median', 'p10 to p90', 'unit', 'better'], rows);
  for (const remark of remarks) console.log(`\n${remark}`);
}

async function measure({
  setup,
  teardown,
  measurements = usualMeasurements,
  measure: once,
}: Bench): Promise<number[] | NotMeasured> {
  await setup?.();
  try {
    for (let i = 0; i < Math.min(warmups, measurements / 2); i += 1) await once();
    const values: number[] = [];
    for (let i = 0; i < measurements; i += 1) values.push(await once());
    return values.toSorted((a, b) => a - b);
  } catch (error) {
    if (error instanceof NotMeasured) return error;
    throw error;
  } finally {
    await teardown?.();
  }
}

/** One round unmeasured, then each contestant once a round. */
async function compete(contest: Contest): Promise<void> {
  const { name, contestants, rounds, amounts } = contest;
  process.stderr.write(`${name} …\n`);
  const times = contestants.map((): number[] => []);
  await contest.setup();
  try {
    for (let round = -1; round < rounds; round++) {
      for (const [index, { measure: once }] of contestants.entries()) {
        const time = await once();
        if (round >= 0) times[index]?.push(time);
      }
    }
  } finally {
    await contest.teardown();
  }
  for (const [index, contestant] of contestants.entries()) {
    const own = times[index] ?? [];
    for (const { unit, amount } of amounts) {
      const speeds = own.map((time) => (amount * 1000) / time).toSorted((a, b) => a - b);
      rows.push(
        row(
          { name: `${name}: ${contestant.name}`, unit: `${unit}/s`, better: 'more' },
          speeds,
          speeds.at(-1) ?? Number.NaN,
        ),
      );
    }
    if (index === 0) continue;
    const ratio = percentile(
      own.map((time, round) => time / (times[0]?.[round] ?? Number.NaN)),
      0.5,
    );
    const wish = contestant.wanted === undefined ? '' : ` (wanted: ${contestant.wanted})`;
    remarks.push(`${name}: ${shown(ratio)} times the speed of ${contestant.name}${wish}`);
  }
}

function row(
  { name, unit, better }: Pick<Bench, 'name' | 'unit' | 'better'>,
  sorted: readonly number[],
  best: number,
): string[] {
  const at = (part: number): string => shown(sorted[Math.round(part * (sorted.length - 1))] ?? Number.NaN);
  return [name, shown(best), at(0.5), `${at(0.1)} to ${at(0.9)}`, unit, better];
}

function shown(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}

function print(head: readonly string[], lines: readonly (readonly string[])[]): void {
  const all = [head, ...lines];
  const widths = head.map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0)));
  for (const line of all)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
