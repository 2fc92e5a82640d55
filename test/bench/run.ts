/**
 * `npm run bench [-- part of a name]`: runs every `*.bench.ts` beside this file and prints a table. The median of 15
 * measurements stands beside their tenth and ninetieth percentile: where these lie far apart, the machine was busy.
 */
import { readdirSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';

import type { Bench, BenchFile } from './bench.ts';

const warmups = 3;
const measurements = 15;

const wanted = process.argv[2] ?? '';
const rows: string[][] = [];
const remarks: string[] = [];

for (const file of readdirSync(import.meta.dirname).toSorted()) {
  if (!file.endsWith('.bench.ts')) continue;
  const { benches, remarks: remarksOn } = (await import(`./${file}`)) as BenchFile;
  const medians = new Map<string, number>();
  for (const bench of benches) {
    if (!bench.name.includes(wanted)) continue;
    process.stderr.write(`${bench.name} …\n`);
    const sorted = await measure(bench);
    medians.set(bench.name, sorted[sorted.length >> 1] ?? Number.NaN);
    rows.push(row(bench, sorted));
  }
  if (remarksOn) remarks.push(...remarksOn(medians));
}

if (rows.length === 0) {
  console.error(`No benchmark has “${wanted}” in its name.`);
  process.exitCode = 1;
} else {
  console.log(
    `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ` +
      `${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}\n`,
  );
  print(['what', 'median', 'p10 to p90', 'unit', 'better'], rows);
  for (const remark of remarks) console.log(`\n${remark}`);
}

async function measure({ setup, teardown, measure: once }: Bench): Promise<number[]> {
  await setup?.();
  try {
    for (let i = 0; i < warmups; i += 1) await once();
    const values: number[] = [];
    for (let i = 0; i < measurements; i += 1) values.push(await once());
    return values.toSorted((a, b) => a - b);
  } finally {
    await teardown?.();
  }
}

function row({ name, unit, better }: Bench, sorted: readonly number[]): string[] {
  const at = (part: number): string => shown(sorted[Math.round(part * (sorted.length - 1))] ?? Number.NaN);
  return [name, at(0.5), `${at(0.1)} to ${at(0.9)}`, unit, better];
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
