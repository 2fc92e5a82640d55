/** Carries out one task of a search thread: lists files, or finds lines in them and in texts. Knows no thread. */
import { globFits, parseGlobs, type Glob } from '../../core/tools/glob.ts';
import type { Hit } from '../../core/tools/readingPorts.ts';
import { DiskReader, walkDisk, type DiskText } from './diskWalk.ts';
import { compilePattern, findLines, type LinePattern } from './linePattern.ts';
import type { FromThread, SearchTask } from './searchTask.ts';

/** Hits are told of in bundles. */
const bundle = 50;
/** Milliseconds for which fewer are kept back: the pattern may never come to an end with the next text. */
const patience = 100;

export class SearchJob {
  readonly #task: SearchTask;
  readonly #tell: (message: FromThread) => void;
  readonly #pattern: LinePattern | undefined;
  #hits: Hit[] = [];
  #found = 0;
  #tooLarge = 0;
  #toldAt = 0;
  readonly #files: string[] = [];

  constructor(task: SearchTask, tell: (message: FromThread) => void) {
    this.#task = task;
    this.#tell = tell;
    const pattern = task.pattern === undefined ? undefined : compilePattern(task.pattern, task.caseSensitive);
    // Whoever gave the task has compiled it too.
    this.#pattern = pattern?.ok ? pattern.value : undefined;
  }

  walk(): void {
    const { roots, include, exclude, skip } = this.#task;
    const fits = fitting(parseGlobs(include), parseGlobs(exclude));
    const skipped = new Set(skip);
    const reader = new DiskReader();
    for (const root of roots) {
      for (const { path, relative } of walkDisk(root)) {
        if (this.#isFull) return;
        const shown = root.display + relative;
        if (!fits([relative, relative.slice(root.start.length), shown])) continue;
        if (this.#pattern === undefined) this.#files.push(shown);
        else if (!skipped.has(shown)) this.#searchFile(reader.read(path), shown);
      }
    }
  }

  search(path: string, text: string): void {
    if (this.#pattern === undefined || this.#isFull) return;
    if (Date.now() - this.#toldAt > patience) this.#flush();
    for (const { line, text: excerpt } of findLines(
      text,
      this.#pattern,
      this.#task.limit + 1 - this.#found,
    )) {
      this.#found += 1;
      if (this.#found <= this.#task.limit) this.#hits.push({ path, line, text: excerpt });
    }
    if (this.#hits.length >= bundle) this.#flush();
  }

  end(): void {
    this.#flush();
    this.#tell({
      kind: 'done',
      files: this.#files.sort(),
      tooLarge: this.#tooLarge,
      more: this.#found > this.#task.limit,
    });
  }

  get #isFull(): boolean {
    return this.#pattern !== undefined && this.#found > this.#task.limit;
  }

  #searchFile(read: DiskText | undefined, path: string): void {
    if (read?.kind === 'tooLarge') this.#tooLarge += 1;
    else if (read !== undefined) this.search(path, read.text);
  }

  #flush(): void {
    if (this.#hits.length === 0) return;
    this.#tell({ kind: 'hits', hits: this.#hits });
    this.#hits = [];
    this.#toldAt = Date.now();
  }
}

/** Whether one of the ways to write a path fits; see `SearchTask`. */
export function fitting(
  include: readonly Glob[],
  exclude: readonly Glob[],
): (paths: readonly string[]) => boolean {
  const fitsOne = (globs: readonly Glob[], paths: readonly string[]): boolean =>
    globs.some((glob) => paths.some((path) => globFits(glob, path)));
  return (paths) => (include.length === 0 || fitsOne(include, paths)) && !fitsOne(exclude, paths);
}
