/**
 * Searches with the program `rg` where the person has it. The one file that starts a program, and it starts this one alone: by its
 * whole path, without a shell, and never one that lies in the workspace.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

import type { CancelSignal } from '../../core/cancel.ts';
import { pathInside } from '../pathInside.ts';
import { maxSearched } from './diskWalk.ts';

export interface RipgrepSearch {
  readonly program: string;
  readonly pattern: string;
  readonly caseSensitive: boolean;
  /** Absolute. */
  readonly folder: string;
  /** A folder below it, with a slash behind; empty for all of it. */
  readonly start: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Whether ignore files above the folder count: in a repository of git they do. */
  readonly inRepository: boolean;
  readonly ignoreCaseOfFiles: boolean;
  /** Most lines that are told of one file. */
  readonly most: number;
}

export interface RipgrepHit {
  /** Relative to the folder. */
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** Where in `text` the first match begins, in UTF-16 units. */
  readonly at: number;
}

export type RipgrepEnd =
  | 'done'
  /** `found` had enough, the signal was aborted or the time was up. */
  | 'stopped'
  /** It could not be started, takes the pattern for none, or has more to say of one line than can be read. */
  | 'failed';

/**
 * Longest message, in bytes: one tells all of a line and every match in it, which of a file without line breaks may be more than the memory
 * holds.
 */
const maxMessage = 8 * 1024 * 1024;

/** @returns the whole path of the program, undefined where there is none that may be started */
export async function findRipgrep(
  path: string | undefined,
  workspace: readonly string[],
): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const isInWorkspace = (file: string): boolean =>
    workspace.some((root) => pathInside(root, file) !== undefined);
  for (const folder of (path ?? '').split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    try {
      const named = join(folder, name);
      const program = await realpath(named);
      if (isInWorkspace(named) || isInWorkspace(program)) continue;
      if (!(await stat(program)).isFile()) continue;
      await access(program, constants.X_OK);
      return program;
    } catch {
      // Not in this one.
    }
  }
  return undefined;
}

/**
 * Calls `found` with the hits of one text file at a time; when it returns false the program is ended. `search.include` and the ignore
 * files save it work: what it finds is to be checked all the same.
 */
export function runRipgrep(
  search: RipgrepSearch,
  found: (hits: readonly RipgrepHit[]) => boolean,
  signal: CancelSignal,
): Promise<RipgrepEnd> {
  return new Promise((resolve) => {
    const child = spawn(search.program, argumentsOf(search), {
      cwd: search.folder,
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
    const state = { stopped: false, failed: false };
    const stop = (): void => {
      state.stopped = true;
      child.kill('SIGKILL');
    };
    const settle = (end: RipgrepEnd): void => {
      signal.removeEventListener('abort', stop);
      resolve(end);
    };
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    const reader = new MessageReader();
    child.stdout.on('data', (piece: Buffer) => {
      if (state.failed) return;
      for (const hits of reader.feed(piece)) {
        if (state.stopped) return;
        if (!found(hits)) stop();
      }
      if (reader.waiting <= maxMessage) return;
      state.failed = true;
      child.kill('SIGKILL');
    });
    child.on('error', () => settle('failed'));
    // 0: found something; 1: nothing; 2: something went wrong, which may be one file of many.
    child.on('close', (code) => {
      if (state.stopped) settle('stopped');
      else settle(!state.failed && (code === 0 || code === 1 || reader.complete) ? 'done' : 'failed');
    });
  });
}

function argumentsOf(search: RipgrepSearch): string[] {
  const only = search.include.flatMap((glob) => [`--glob=${bare(glob)}`, `--glob=${bare(glob)}/**`]);
  return [
    ...['--json', '--no-config', '--hidden', '--no-messages', '--crlf', `--max-filesize=${maxSearched}`],
    ...['--no-ignore-dot', '--no-ignore-global', '--no-follow', `--max-count=${search.most}`],
    ...(search.inRepository ? [] : ['--no-require-git', '--no-ignore-parent']),
    ...(search.ignoreCaseOfFiles ? ['--ignore-file-case-insensitive'] : []),
    search.caseSensitive ? '--case-sensitive' : '--ignore-case',
    // Only where every path can be told by the globs alone: those within a folder are told from the workspace as well.
    ...(search.start === '' ? only : []),
    ...(search.start === '' ? search.exclude.map((glob) => `--glob=!${bare(glob)}`) : []),
    '--glob=!.git',
    `--regexp=${search.pattern}`,
    '--',
    `./${search.start}`,
  ];
}

/** A `!` in front would turn the meaning around. */
function bare(glob: string): string {
  return glob.replace(/^!/, '\\!').replace(/\/+$/, '');
}

/** Puts together what arrives in pieces: a JSON message a line. */
class MessageReader {
  #rest: Buffer[] = [];
  #hits: RipgrepHit[] = [];
  /** The program came to its end. */
  complete = false;
  /** Bytes of a message that is not over. */
  waiting = 0;

  /** The hits of each file that is through. */
  *feed(piece: Buffer): Generator<readonly RipgrepHit[], void, undefined> {
    let start = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, start)) {
      const line = Buffer.concat([...this.#rest, piece.subarray(start, end)]).toString('utf8');
      this.#rest = [];
      this.waiting = 0;
      start = end + 1;
      const hits = this.#read(line);
      if (hits !== undefined && hits.length > 0) yield hits;
    }
    if (start >= piece.length) return;
    this.#rest.push(piece.subarray(start));
    this.waiting += piece.length - start;
  }

  #read(line: string): readonly RipgrepHit[] | undefined {
    const message = readJson(line);
    if (!isRecord(message)) return undefined;
    const { type, data } = message;
    if (!isRecord(data)) return undefined;
    if (type === 'begin') this.#hits = [];
    else if (type === 'match') {
      const hit = hitOf(data);
      if (hit !== undefined) this.#hits.push(hit);
    } else if (type === 'summary') this.complete = true;
    else if (type === 'end') {
      // A binary file, in which something was found before that was noticed.
      return data['binary_offset'] === null ? this.#hits : undefined;
    }
    return undefined;
  }
}

function hitOf(data: Record<string, unknown>): RipgrepHit | undefined {
  const path = textOf(data['path']);
  const line = data['line_number'];
  const bytes = bytesOf(data['lines']);
  const matches = data['submatches'];
  if (path === undefined || bytes === undefined || typeof line !== 'number') return undefined;
  const first: unknown = Array.isArray(matches) ? matches[0] : undefined;
  const offset = isRecord(first) && typeof first['start'] === 'number' ? first['start'] : 0;
  const text = bytes.toString('utf8').replace(/\r?\n$/, '');
  return {
    path: withSlashes(path).replace(/^\.\//, ''),
    line,
    text,
    at: bytes.subarray(0, offset).toString('utf8').length,
  };
}

function withSlashes(path: string): string {
  return process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
}

/** A name that is no UTF-8 can't be asked for by the model either. */
function textOf(value: unknown): string | undefined {
  return isRecord(value) && typeof value['text'] === 'string' ? value['text'] : undefined;
}

function bytesOf(value: unknown): Buffer | undefined {
  if (!isRecord(value)) return undefined;
  const { text, bytes } = value;
  if (typeof text === 'string') return Buffer.from(text);
  return typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : undefined;
}

function readJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
