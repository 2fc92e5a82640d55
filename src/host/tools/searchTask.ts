/** What a search thread is told and what it tells. Types only. */
import type { Hit } from '../../core/tools/readingPorts.ts';

/** One folder of the disk and what is left out of it. */
export interface DiskRoot {
  /** Absolute. */
  readonly path: string;
  /** In front of each path as the model knows it, with a slash behind, or empty. */
  readonly display: string;
  /** Where to begin, with a slash behind; empty for the whole folder. */
  readonly start: string;
  readonly caseInsensitive: boolean;
  /** Globs of the setting `files.exclude`. */
  readonly hidden: readonly string[];
  /** The path of the folder from the place of the outermost ignore file on, with a slash behind, or empty. */
  readonly prefix: string;
  /** Rules from folders above, outermost first: each folder, with a slash behind or empty, and its texts. */
  readonly above: readonly { readonly folder: string; readonly texts: readonly string[] }[];
}

export interface SearchTask {
  /** Without one, files are listed. */
  readonly pattern?: string;
  readonly caseSensitive: boolean;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Most hits; files are listed all. */
  readonly limit: number;
  /** Paths as the model knows them that are not read from the disk, because the editor has them otherwise. */
  readonly skip: readonly string[];
  readonly roots: readonly DiskRoot[];
}

export type ToThread =
  | { readonly kind: 'task'; readonly task: SearchTask }
  /** A text to be searched beside what is on the disk; its path has been admitted already. */
  | { readonly kind: 'text'; readonly path: string; readonly text: string }
  | { readonly kind: 'end' };

export type FromThread =
  | { readonly kind: 'hits'; readonly hits: readonly Hit[] }
  | {
      readonly kind: 'done';
      /** In order. */
      readonly files: readonly string[];
      readonly tooLarge: number;
      /** There is more than was wanted. */
      readonly more: boolean;
    };
