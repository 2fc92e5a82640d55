/**
 * Finds text for `search_text`: with ripgrep where it is there and can take the pattern, else in a thread of our own. What editors
 * hold unsaved is always searched in the thread, and replaces what is on the disk.
 */
import { realpath } from 'node:fs/promises';
import { relative as wayFrom, sep } from 'node:path';
import * as vscode from 'vscode';

import type { CancelSignal } from '../../core/cancel.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { parseGlobs, type Glob } from '../../core/tools/glob.ts';
import type { Hit, SearchOutcome, SearchRefusal, SearchRequest } from '../../core/tools/readingPorts.ts';
import { excerpt } from '../../core/tools/resultText.ts';
import { isBinary } from '../binary.ts';
import { compilePattern } from './linePattern.ts';
import { isIn, type Located, type Places } from './places.ts';
import { readText } from './readText.ts';
import { findRipgrep, runRipgrep, type RipgrepHit } from './ripgrep.ts';
import { diskRootOf, isUnsearched, scopesOf, type Scope } from './scopes.ts';
import { fitting } from './searchJob.ts';
import type { SearchTask } from './searchTask.ts';
import { runInThread, type TextOfFile, type ThreadOutcome } from './searchThread.ts';
import { walkVirtual, type VirtualWalk } from './virtualWalk.ts';

export interface SearchOptions {
  readonly places: Places;
  /** The compiled `searchWorker.ts`. */
  readonly worker: string;
  /** The folders in which programs are looked for, as in `PATH`; undefined for none. */
  readonly programs: string | undefined;
  readonly signal: CancelSignal;
  /** Milliseconds after which a search is ended. */
  readonly limit: number;
}

/** Largest file of a file system that is no disk, in bytes. */
const maxVirtual = 2 * 1024 * 1024;

export async function searchText(
  request: SearchRequest,
  options: SearchOptions,
): Promise<Result<SearchOutcome, SearchRefusal>> {
  const pattern = compilePattern(request.pattern, request.caseSensitive);
  if (!pattern.ok) return err({ kind: 'pattern', fault: pattern.error });
  const where = await scopesOf(request.path, options.places);
  if (!where.ok) return where;
  if (where.value.kind === 'file') return await searchFile(request, where.value.file, options);
  const { scopes } = where.value;
  const unsaved = await unsavedTexts(request, scopes, options.places);
  const withProgram = await searchWithProgram(
    request,
    scopes,
    new Set(unsaved.map(({ path }) => path)),
    options,
  );
  const disk = withProgram === undefined ? scopes.filter(({ root }) => root.scheme === 'file') : [];
  const roots = await Promise.all(disk.map(diskRootOf));
  const others = scopes.filter(({ root }) => root.scheme !== 'file');
  if (withProgram !== undefined && unsaved.length === 0 && others.length === 0)
    return ok(outcome([withProgram], request, options));
  const task = taskOf(request, {
    roots,
    skip: unsaved.map(({ path }) => path),
  });
  const state = { cut: false };
  const walk = { signal: options.signal, onCut: () => (state.cut = true) };
  const texts = textsOf(unsaved, others, request, walk);
  const walked = await runInThread(task, texts, threadOf(options));
  const found = outcome([walked, ...(withProgram ? [withProgram] : [])], request, options);
  return ok({ ...found, ...(state.cut && { unfinished: true as const }) });
}

async function searchFile(
  request: SearchRequest,
  file: Located,
  options: SearchOptions,
): Promise<Result<SearchOutcome, SearchRefusal>> {
  const text = await readText(file);
  if (!text.ok) return text;
  const task = taskOf(request, { roots: [], skip: [] });
  const walked = await runInThread(task, [{ path: file.display, text: text.value.text }], threadOf(options));
  return ok(outcome([walked], request, options));
}

type Part = Pick<ThreadOutcome, 'end' | 'hits' | 'tooLarge' | 'more'>;

function outcome(parts: readonly Part[], { limit }: SearchRequest, options: SearchOptions): SearchOutcome {
  const hits = parts.flatMap((part) => part.hits);
  const sorted = hits.toSorted((one, other) =>
    one.path === other.path ? one.line - other.line : one.path < other.path ? -1 : 1,
  );
  const timeout = parts.some(({ end }) => end === 'timeout');
  const more = hits.length > limit || parts.some((part) => part.more);
  return {
    hits: sorted.slice(0, limit),
    end: timeout ? 'timeout' : more ? 'limit' : 'complete',
    seconds: Math.round(options.limit / 1000),
    tooLarge: parts.reduce((sum, part) => sum + part.tooLarge, 0),
  };
}

function threadOf({ worker, limit, signal }: SearchOptions): Parameters<typeof runInThread>[2] {
  return { file: worker, limit, signal };
}

function taskOf(request: SearchRequest, where: Pick<SearchTask, 'roots' | 'skip'>): SearchTask {
  const { pattern, caseSensitive, limit } = request;
  return {
    ...{ pattern, caseSensitive, limit, ...where },
    include: request.include.map(({ text }) => text),
    exclude: request.exclude.map(({ text }) => text),
  };
}

/** Texts of editors with unsaved changes that belong to the search. */
async function unsavedTexts(
  request: SearchRequest,
  scopes: readonly Scope[],
  places: Places,
): Promise<readonly TextOfFile[]> {
  const fits = fitsOf(request);
  const texts: TextOfFile[] = [];
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty || document.isClosed) continue;
    const granted = await grantedPath(document.uri, scopes, places);
    if (granted !== undefined) {
      if (fits(granted.ways)) texts.push({ path: granted.path, text: document.getText() });
      continue;
    }
    const { at, closed } = await places.describe(document.uri);
    if (at === undefined || closed !== undefined) continue;
    const root = places.folders[at.root]?.uri.toString();
    const scope = scopes.find((each) => each.root.toString() === root && at.relative.startsWith(each.start));
    if (scope === undefined || isUnsearched(parseGlobs(scope.unsearched), at.relative)) continue;
    if (fits(waysToWrite(scope, at.relative))) texts.push({ path: at.display, text: document.getText() });
  }
  return texts;
}

/** How a file is named in a folder that a person allowed to be searched; undefined elsewhere, and for what is left out there. */
async function grantedPath(
  uri: vscode.Uri,
  scopes: readonly Scope[],
  places: Places,
): Promise<{ readonly path: string; readonly ways: ReturnType<typeof waysToWrite> } | undefined> {
  const ofWorkspace = new Set(places.folders.map((folder) => folder.uri.toString()));
  const scope = scopes.find(({ root }) => !ofWorkspace.has(root.toString()) && isIn(uri, root));
  if (scope === undefined) return undefined;
  const below = uri.path.slice(scope.root.path.replace(/\/$/, '').length + 1);
  if ((await scope.ignoring.isIgnored(below, false)) || (await isThroughLink(uri, scope.root, below)))
    return undefined;
  return { path: scope.display + below, ways: waysToWrite(scope, below) };
}

/** A walk follows no links: they may lead out of what was allowed. */
async function isThroughLink(uri: vscode.Uri, root: vscode.Uri, below: string): Promise<boolean> {
  if (uri.scheme !== 'file') return false;
  try {
    const real = wayFrom(await realpath(root.fsPath), await realpath(uri.fsPath));
    return real.split(sep).join('/') !== below;
  } catch {
    // Deleted beneath the editor: it is where its name says.
    return false;
  }
}

async function* textsOf(
  unsaved: readonly TextOfFile[],
  others: readonly Scope[],
  request: SearchRequest,
  walk: VirtualWalk,
): AsyncGenerator<TextOfFile, void, undefined> {
  yield* unsaved;
  const fits = fitsOf(request);
  const known = new Set(unsaved.map(({ path }) => path));
  for (const scope of others) {
    for await (const { uri, relative } of walkVirtual(scope, walk)) {
      const path = scope.display + relative;
      if (known.has(path) || !fits(waysToWrite(scope, relative))) continue;
      const text = await virtualText(uri);
      if (text !== undefined) yield { path, text };
    }
  }
}

async function virtualText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    if ((await vscode.workspace.fs.stat(uri)).size > maxVirtual) return undefined;
    const bytes = await vscode.workspace.fs.readFile(uri);
    return isBinary(bytes) ? undefined : new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

/** Undefined where it has to be done without the program. */
async function searchWithProgram(
  request: SearchRequest,
  scopes: readonly Scope[],
  skip: ReadonlySet<string>,
  { programs, signal, limit }: SearchOptions,
): Promise<Part | undefined> {
  const disk = scopes.filter(({ root }) => root.scheme === 'file');
  // It knows no such patterns, or reads them otherwise.
  if (disk.length === 0 || /\(\?|\\[1-9kcpP]|\[\^?\]|\[[^\]]*\[|&&|--|~~/.test(request.pattern))
    return undefined;
  const program = await findRipgrep(
    programs,
    disk.map(({ root }) => root.fsPath),
  );
  if (program === undefined) return undefined;
  const stop = new AbortController();
  const onAbort = (): void => stop.abort();
  signal.addEventListener('abort', onAbort);
  // It may have happened while the program was looked for.
  if (signal.aborted) onAbort();
  const state = { timeout: false };
  const timer = setTimeout(() => {
    state.timeout = true;
    stop.abort();
  }, limit);
  const fits = fitsOf(request);
  const hits: Hit[] = [];
  try {
    for (const scope of disk) {
      const checks: Promise<void>[] = [];
      const unsearched = parseGlobs(scope.unsearched);
      const { root, inRepository } = await scope.ignoring.forThread(scope.display, scope.start);
      const end = await runRipgrep(
        {
          ...{ program, pattern: request.pattern, caseSensitive: request.caseSensitive },
          ...{ folder: root.path, start: scope.start, inRepository },
          ...globsFor(request, scopes, scope),
          ...{ ignoreCaseOfFiles: root.caseInsensitive, most: request.limit + 1 },
        },
        (found) => {
          checks.push(keepAllowed(found, { scope, unsearched, fits, skip, hits }));
          return hits.length <= request.limit;
        },
        stop.signal,
      );
      if (end === 'failed') return undefined;
      await Promise.all(checks);
      if (state.timeout || signal.aborted || hits.length > request.limit) break;
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
  return { end: state.timeout ? 'timeout' : 'done', hits, tooLarge: 0, more: hits.length > request.limit };
}

interface Kept {
  readonly scope: Scope;
  readonly unsearched: readonly Glob[];
  readonly fits: ReturnType<typeof fitting>;
  readonly skip: ReadonlySet<string>;
  readonly hits: Hit[];
}

/** The program knows our ignore files and globs only in part. */
async function keepAllowed(
  found: readonly RipgrepHit[],
  { scope, unsearched, fits, skip, hits }: Kept,
): Promise<void> {
  const relative = found[0]?.path;
  if (relative === undefined) return;
  const path = scope.display + relative;
  if (skip.has(path) || !fits(waysToWrite(scope, relative))) return;
  if (isUnsearched(unsearched, relative)) return;
  if (await scope.ignoring.isIgnored(relative, false)) return;
  for (const { line, text, at } of found) hits.push({ path, line, text: excerpt(text, at) });
}

/** Only those that mean the same to the program; what is left out is found in vain and left out afterwards. */
function globsFor(
  request: SearchRequest,
  scopes: readonly Scope[],
  { unsearched }: Scope,
): { readonly include: readonly string[]; readonly exclude: readonly string[] } {
  const plain = (text: string): boolean => /^[\w*][\w*?.{},/@+-]*$/.test(text);
  const include = request.include.map(({ text }) => text);
  const usable = scopes.length === 1 && include.every(plain);
  return {
    include: usable ? include : [],
    exclude: [
      ...(scopes.length === 1 ? request.exclude.map(({ text }) => text).filter(plain) : []),
      ...unsearched.filter(plain),
    ],
  };
}

function fitsOf(request: SearchRequest): ReturnType<typeof fitting> {
  return fitting(request.include, request.exclude);
}

function waysToWrite({ display, start }: Scope, relative: string): readonly string[] {
  return [relative, relative.slice(start.length), display + relative];
}
