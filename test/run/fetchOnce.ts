/**
 * Makes a folder once, whole or not at all: it is built under another name and renamed when complete, so an interrupted or
 * failed build is simply done again. Must not know what is in the folder.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { testFolder } from './places.ts';

export interface Fetched {
  /** Folder name under `.vscode-test/`, with the version in it. */
  readonly name: string;
  /** Raise it when the way of building changes, so that older folders are built anew. */
  readonly recipe: number;
  /** What a person calls it. */
  readonly title: string;
}

const stampName = 'fetched.json';
const partPattern = /^\.(?:part|old)-(\d+)-(.+)$/;

/** What this process is just building, by its path. */
const building = new Map<string, Promise<string>>();

/** Returns the folder's path, after building it when it is not there yet. A failing `build` rejects and leaves nothing. */
export function fetchOnce(
  what: Fetched,
  build: (folder: string) => Promise<void>,
  root: string = testFolder,
): Promise<string> {
  const final = path.join(root, what.name);
  const known = building.get(final);
  if (known !== undefined) return known;
  const made = fetchNow(what, build, root).finally(() => building.delete(final));
  building.set(final, made);
  return made;
}

async function fetchNow(
  what: Fetched,
  build: (folder: string) => Promise<void>,
  root: string,
): Promise<string> {
  const final = path.join(root, what.name);
  const stamp = `${JSON.stringify({ name: what.name, recipe: what.recipe })}\n`;
  if (await isComplete(final, stamp)) return final;

  await mkdir(root, { recursive: true });
  const part = path.join(root, `.part-${process.pid}-${what.name}`);
  if (await otherRunMakes(what, final, stamp, root)) return final;

  const started = Date.now();
  try {
    await rm(part, { recursive: true, force: true });
    await mkdir(part);
    await build(part);
    await writeFile(path.join(part, stampName), stamp);
    await putInPlace(part, final, path.join(root, `.old-${process.pid}-${what.name}`));
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    if (await isComplete(final, stamp)) return final;
    throw error;
  }
  console.log(`${what.title}: ready after ${seconds(started)}`);
  return final;
}

/** `12 s`, for progress lines. */
export function seconds(since: number): string {
  return `${Math.round((Date.now() - since) / 1000)} s`;
}

async function isComplete(folder: string, stamp: string): Promise<boolean> {
  return (await readFile(path.join(folder, stampName), 'utf8').catch(() => undefined)) === stamp;
}

async function putInPlace(part: string, final: string, old: string): Promise<void> {
  await rename(final, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(part, final);
  await rm(old, { recursive: true, force: true });
}

/** Waits while another living run builds the same folder; removes what dead runs left. True when that run completed it. */
async function otherRunMakes(what: Fetched, final: string, stamp: string, root: string): Promise<boolean> {
  let told = false;
  for (;;) {
    let busy = false;
    for (const entry of await readdir(root)) {
      const match = partPattern.exec(entry);
      if (!match) continue;
      const [, pid, name] = match;
      if (Number(pid) === process.pid) continue;
      if (!isAlive(Number(pid))) await rm(path.join(root, entry), { recursive: true, force: true });
      else if (name === what.name) busy = true;
    }
    if (await isComplete(final, stamp)) return true;
    if (!busy) return false;
    if (!told) console.log(`${what.title}: another run is fetching it, waiting`);
    told = true;
    await wait(500);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
