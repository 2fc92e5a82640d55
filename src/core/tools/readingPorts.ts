/** What the reading tools need from the outside: the workspace as the editor has it. Types only. */
import type { CancelSignal } from '../cancel.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../conversation/conversation.ts';
import type { Result } from '../result.ts';
import type { Glob } from './glob.ts';

/** Why a path is not read. Paths are as the model is to write them. */
export type Refusal =
  /**
   * Outside of the workspace, led there by a link, or kept from being read by an ignore file or a setting. `answer` is what the person
   * answered; without it nobody was asked.
   */
  | {
      readonly kind: 'outside' | 'leadsOut' | 'ignored';
      readonly path: string;
      readonly answer?: Exclude<ApprovalAnswer, { kind: 'allow' }>;
    }
  | {
      readonly kind: 'protected' | 'empty' | 'folder' | 'name' | 'notFolder' | 'unreadable';
      readonly path: string;
    }
  | { readonly kind: 'noFolder' }
  | { readonly kind: 'whichFolder'; readonly path: string; readonly candidates: readonly string[] }
  /** `folder` is the nearest one above that is there, with names in it, folders with a slash behind. */
  | {
      readonly kind: 'missing';
      readonly path: string;
      readonly folder: string;
      readonly names: readonly string[];
    }
  | { readonly kind: 'binary'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'tooLarge'; readonly path: string; readonly bytes: number; readonly limit: number };

export interface FileText {
  readonly path: string;
  readonly text: string;
  /** The editor holds changes that are not on the disk. */
  readonly unsaved: boolean;
}

export interface ListRequest {
  /** A folder; without one, all of the workspace. */
  readonly folder: string | undefined;
  readonly pattern: Glob | undefined;
  /** Most files wanted back. */
  readonly limit: number;
}

export interface Listing {
  /** In order of their paths. */
  readonly files: readonly string[];
  /** With those that were not wanted back. */
  readonly total: number;
  /** How many of all are where, one level below the folder; only with a slash behind is it a folder. */
  readonly places: readonly { readonly name: string; readonly files: number }[];
  /** The walk was ended by a limit before it was through. */
  readonly unfinished: boolean;
}

export interface SearchRequest {
  readonly pattern: string;
  readonly caseSensitive: boolean;
  /** A folder or a file; without one, all of the workspace. */
  readonly path: string | undefined;
  /** Only in files that fit one of them, where there are any. */
  readonly include: readonly Glob[];
  readonly exclude: readonly Glob[];
  /** Most hits wanted back. */
  readonly limit: number;
}

/** A line in which the pattern was found at least once. */
export interface Hit {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The line or, of a long one, what is around the place. */
  readonly text: string;
}

export interface SearchOutcome {
  readonly hits: readonly Hit[];
  readonly end: 'complete' | 'limit' | 'timeout';
  /** Seconds after which a search is ended. */
  readonly seconds: number;
  /** Files that were not looked into because of their size. */
  readonly tooLarge: number;
  /** There are more files than are walked where each one is asked for over a network. */
  readonly unfinished?: true;
}

export type SearchRefusal = Refusal | { readonly kind: 'pattern'; readonly fault: string };

export interface FoundProblem {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  readonly message: string;
  /** Such as `ts 2322`; empty where none is told. */
  readonly source: string;
}

export interface FoundSymbol {
  readonly name: string;
  readonly kind: string;
  /** What it is in; empty at the top. */
  readonly container: string;
  readonly place: Place;
}

/** A place that the editor's language features told of. */
export interface Place {
  readonly path: string;
  readonly line: number;
  /** The line; only of a file that may be read. */
  readonly text?: string;
  readonly closed?: 'outside' | 'ignored';
}

/** What the editor found, as far as it was looked at. */
export interface Some<T> {
  readonly found: readonly T[];
  /** With those that were not looked at. */
  readonly total: number;
}

/** A symbol by where it stands. */
export interface SymbolPlace {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The name, as it stands in the line. */
  readonly symbol: string;
}

export type SymbolRefusal =
  | Refusal
  /** The file has fewer lines. */
  | { readonly kind: 'noLine'; readonly path: string; readonly lines: number }
  /** The symbol is not in the line. `others` are the nearest lines that have it. */
  | {
      readonly kind: 'noSymbol';
      readonly path: string;
      readonly text: string;
      readonly others: readonly number[];
    };

export interface OpenEditor {
  readonly path: string;
  readonly active: boolean;
  readonly unsaved: boolean;
  /** Of the editor in front; both from 1. */
  readonly selected?: { readonly from: number; readonly to: number };
}

export interface WorkspaceDiff {
  /** A unified diff. */
  readonly text: string;
  /** New files that git does not know. */
  readonly untracked: readonly string[];
  /** Files left out because they lie outside the workspace or are ignored. */
  readonly hidden: number;
}

export type DiffRefusal =
  | Refusal
  /** `strangeDiff`: what git shows is no unified diff, by a setting of the person. */
  | { readonly kind: 'noGit' | 'noRepository' | 'strangeDiff' }
  | { readonly kind: 'failed'; readonly why: string };

/** Asks the person whether something may be read that is not read without asking. */
export type AskToRead = (request: Extract<ApprovalRequest, { kind: 'read' }>) => Promise<ApprovalAnswer>;

/**
 * The workspace of this moment, read only. Trouble is a refusal; a rejection is a bug. All must settle soon after an abort. What is not
 * read without asking is refused where there is no `ask`.
 */
export interface ReadingPorts {
  /** An open editor's text first, the disk's otherwise. */
  readText(path: string, signal: CancelSignal, ask?: AskToRead): Promise<Result<FileText, Refusal>>;
  listFiles(request: ListRequest, signal: CancelSignal, ask?: AskToRead): Promise<Result<Listing, Refusal>>;
  searchText(
    request: SearchRequest,
    signal: CancelSignal,
    ask?: AskToRead,
  ): Promise<Result<SearchOutcome, SearchRefusal>>;
  /** Of one file, or of all that the editor knows problems of. */
  problems(
    path: string | undefined,
    signal: CancelSignal,
    ask?: AskToRead,
  ): Promise<Result<Problems, Refusal>>;
  /** Of one file, or of the workspace. */
  symbols(
    query: string | undefined,
    path: string | undefined,
    signal: CancelSignal,
    ask?: AskToRead,
  ): Promise<Result<Some<FoundSymbol>, Refusal>>;
  places(
    what: 'definition' | 'references',
    at: SymbolPlace,
    signal: CancelSignal,
    ask?: AskToRead,
  ): Promise<Result<Some<Place>, SymbolRefusal>>;
  hover(
    at: SymbolPlace,
    signal: CancelSignal,
    ask?: AskToRead,
  ): Promise<Result<readonly string[], SymbolRefusal>>;
  openEditors(): Promise<OpenEditors>;
  diff(
    staged: boolean,
    path: string | undefined,
    signal: CancelSignal,
    ask?: AskToRead,
  ): Promise<Result<WorkspaceDiff, DiffRefusal>>;
}

export interface Problems {
  readonly found: readonly FoundProblem[];
  /** Problems of files outside the workspace or ignored. */
  readonly hidden: number;
  /** The file is in no editor, so that its language may not have looked at it. */
  readonly unopened: boolean;
}

export interface OpenEditors {
  readonly editors: readonly OpenEditor[];
  readonly hidden: number;
}
