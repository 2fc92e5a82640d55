/** Kills a process that writes a conversation, again and again, and looks at what is left each time. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { decodeRecord } from '../../src/core/journal/record.ts';
import { readJournal } from '../../src/core/journal/readJournal.ts';

const writer = fileURLToPath(new URL('journalWriter.ts', import.meta.url));

/** Milliseconds. */
const mostLost = 500;

/** Told by the writer: what it had noted when. */
interface Noted {
  readonly at: number;
  readonly turn: number;
  readonly piece: number;
}

/**
 * @param times how often one conversation is gone on with and cut off
 * @returns the most that was lost, in milliseconds, and how many lines were cut off in the middle
 */
export async function crash(times: number): Promise<{ readonly lost: number; readonly torn: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'kimi-chat-crash-'));
  try {
    // In one file, as the extension is: it starts in a moment.
    const outfile = join(folder, 'writer.mjs');
    await build({
      entryPoints: [writer],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    });
    let lost = 0;
    let torn = 0;
    let before = '';
    for (let time = 0; time < times; time++) {
      const noted = await writeAndKill(outfile, folder, Math.random() * 400);
      const path = join(folder, 'journals', 'c.jsonl');
      const text = await readFile(path, 'utf8').catch(() => '');
      if (before === '' && !text.includes('\n')) {
        // Killed before its first line was written: a moment after the process came, or it would have been.
        lost = Math.max(lost, lostOf(noted, noted[0]));
        await rm(path, { force: true });
        continue;
      }
      // Nothing of what was there is touched; only a line that was cut off before is ended.
      assert.ok(text.startsWith(before), `what had been written was changed the ${time + 1}th time`);
      before = text;
      lost = Math.max(lost, check(text, noted));
      if (!text.endsWith('\n')) torn += 1;
    }
    return { lost, torn };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param lifetime milliseconds after its first word */
async function writeAndKill(program: string, folder: string, lifetime: number): Promise<readonly Noted[]> {
  const child = spawn(process.execPath, [program, folder, 'c'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let complaint = '';
  let isStarted = false;
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    said += piece;
    if (isStarted) return;
    isStarted = true;
    setTimeout(() => child.kill('SIGKILL'), lifetime);
  });
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    complaint += piece;
  });
  const signal = await new Promise((resolve) => child.on('close', (_code, by) => resolve(by)));
  assert.equal(signal, 'SIGKILL', complaint);
  return said.split('\n').flatMap((line) => {
    const [at, turn, piece] = line.split(' ').map(Number);
    return at === undefined || turn === undefined || piece === undefined ? [] : [{ at, turn, piece }];
  });
}

/** @returns what was lost, in milliseconds before the end. */
function check(text: string, noted: readonly Noted[]): number {
  const { state, damaged, isNewer } = readJournal(text);
  assert.ok(state !== undefined && !isNewer);
  const lines = text.split('\n');
  const broken = lines.filter((line) => line !== '' && decodeRecord(line).kind !== 'record');
  // Each is the end of what was written before one of the kills.
  for (const line of broken) assert.throws(() => void JSON.parse(line), SyntaxError);
  assert.ok(damaged <= broken.length);
  const { turns } = state.conversation;
  assert.deepEqual(
    turns.map(({ id }) => id),
    turns.map((_turn, index) => `t${index}`),
  );
  let lost = 0;
  for (const one of noted) {
    const { turn, piece } = one;
    const part = turns[turn]?.parts[0];
    const answer = part?.kind === 'answer' ? (part.sections[0] ?? '') : '';
    if (answer.startsWith(`${turn}.${piece} `) || answer.includes(`;${turn}.${piece} `)) continue;
    lost = Math.max(lost, lostOf(noted, one));
  }
  return lost;
}

/** Milliseconds, when what was noted from here on is not there: it had noted something every few milliseconds. */
function lostOf(noted: readonly Noted[], from: Noted | undefined): number {
  const lost = from === undefined ? 0 : noted.at(-1)!.at - from.at;
  assert.ok(lost <= mostLost, `${lost} ms were lost`);
  return lost;
}
