/**
 * `npm run bench [-- part of a name]`: runs every `*.bench.ts` beside this file and prints a table. The median of 15
 * measurements stands beside the best of them and their tenth and ninetieth percentile: where these lie far apart, the machine was
 * busy. A benchmark that can't be measured says why, and the others go on.
 */
import { readdirSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

import { NotMeasured, type Bench, type BenchFile, type Measured } from './bench.ts';

const warmups = 3;
const usualMeasurements = 15;

const wanted = process.argv[2] ?? '';
const rows: string[][] = [];
const remarks: string[] = [];

for (const file of readdirSync(import.meta.dirname).toSorted()) {
  if (!file.endsWith('.bench.ts')) continue;
  const { benches, remarks: remarksOn } = (await import(`./${file}`)) as BenchFile;
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
  if (remarksOn) remarks.push(...remarksOn(measured));
}

if (rows.length === 0) {
  console.error(`No benchmark has “${wanted}” in its name.`);
  process.exitCode = 1;
} else {
  console.log(
    `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ` +
      `${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}\n`,
  );
  print(['what', 'best', 'median', 'p10 to p90', 'unit', 'better'], rows);
  if (remarks.length > 0) console.log(`\n${remarks.join('\n')}`);
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

function row({ name, unit, better }: Bench, sorted: readonly number[], best: number): string[] {
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
