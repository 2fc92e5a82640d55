/**
 * Who may write to a conversation: a file beside its journal that names the process, made by one alone, and touched as long as that lives.
 * Of a process that is gone it is taken over. Knows nothing of conversations.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, unlinkSync } from 'node:fs';
import { mkdir, open, readFile, rename, stat, unlink, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';

import * as v from 'valibot';

import { isAlive } from '../isAlive.ts';

/** Milliseconds between two signs of life. */
export const heartbeat = 10_000;
/** Milliseconds without one after which whoever holds it is taken for gone. */
const longestSilence = 60_000;
/** Milliseconds that a process of this machine that seems to live has for a sign of it: after a sleep all have been silent. */
const lastWait = 1.2 * heartbeat;

const holder = v.object({ pid: v.number(), host: v.string(), token: v.string() });

export class Lease {
  readonly #path: string;
  readonly #token: string;
  #isReleased = false;

  private constructor(path: string, token: string) {
    this.#path = path;
    this.#token = token;
  }

  /**
   * Undefined while somebody else holds it. Rejects when there is no telling: the folder can't be written to.
   * @param wait see `lastWait`; only tests give another
   */
  static async take(path: string, wait = lastWait): Promise<Lease | undefined> {
    const token = randomUUID();
    const text = JSON.stringify({ pid: process.pid, host: hostname(), token });
    await mkdir(dirname(path), { recursive: true });
    // Whoever loses it to another one in between looks at that one.
    for (let attempts = 0; attempts < 3; attempts++) {
      try {
        await make(path, text);
        return new Lease(path, token);
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw error;
      }
      const found = await readFile(path, 'utf8').catch(() => undefined);
      // Let go of in the very moment.
      if (found === undefined) continue;
      if (!(await isGone(path, found, wait))) return undefined;
      if (await takeOver(path, found, text)) return new Lease(path, token);
    }
    return undefined;
  }

  /** Nobody holds it, or whoever did is gone. Never rejects. */
  static async isFree(path: string): Promise<boolean> {
    const found = await readFile(path, 'utf8').catch(() => undefined);
    return found === undefined || (await isGone(path, found, lastWait));
  }

  /** A sign of life. Resolves with whether it is still held: after a long sleep it may be another's. */
  async beat(): Promise<boolean> {
    if (this.#isReleased) return false;
    try {
      if (!(await this.#isOurs())) return false;
      const now = new Date();
      await utimes(this.#path, now, now);
      return true;
    } catch (error) {
      return !isCode(error, 'ENOENT');
    }
  }

  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    if (await this.#isOurs().catch(() => false)) await unlink(this.#path).catch(() => undefined);
  }

  /** Done when it returns. */
  releaseNow(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    try {
      // After a long sleep it may be another's.
      if (readFileSync(this.#path, 'utf8').includes(this.#token)) unlinkSync(this.#path);
    } catch {
      // Then it is found to be of a process that is gone.
    }
  }

  async #isOurs(): Promise<boolean> {
    return (await readFile(this.#path, 'utf8')).includes(this.#token);
  }
}

/** By one alone. On a full disk it is made and can't be written: an empty one would keep everybody away for a while. */
async function make(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.write(text);
  } catch (error) {
    await unlink(path).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
}

async function isGone(path: string, text: string, wait: number): Promise<boolean> {
  const silence = await silenceOf(path);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // It is just being written, or was cut off.
    return silence > heartbeat;
  }
  const read = v.safeParse(holder, value);
  if (!read.success || read.output.host !== hostname()) return silence > longestSilence;
  if (!isAlive(read.output.pid)) return true;
  if (silence <= longestSilence) return false;
  // The machine slept, or its clock was set; or the process is another one of the same number.
  await new Promise((resolve) => setTimeout(resolve, wait));
  return (await silenceOf(path)) > longestSilence;
}

/**
 * Of several who do it at the same time one does: it is there under one name or the other all the while, so that nobody finds it free.
 * @param found what it was by then
 */
async function takeOver(path: string, found: string, text: string): Promise<boolean> {
  const taking = `${path}.taking`;
  try {
    await make(taking, text);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
    // Who is just doing it is done in no time, unless they went in the middle of it.
    if ((await silenceOf(taking)) > heartbeat) await unlink(taking).catch(() => undefined);
    return false;
  }
  if ((await readFile(path, 'utf8').catch(() => undefined)) === found) {
    await rename(taking, path);
    return true;
  }
  await unlink(taking).catch(() => undefined);
  return false;
}

/** Milliseconds since it was written or touched. Of what is not there, none: it says nothing of anybody. */
async function silenceOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? 0 : Date.now() - found.mtimeMs;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
