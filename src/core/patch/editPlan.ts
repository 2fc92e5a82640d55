/** A patch that has found its place, as a value: nothing is touched until it is accepted. */

import type { WorkspacePath } from '../workspacePath.ts';

export type { WorkspacePath } from '../workspacePath.ts';

/** All files of a patch, one entry a file that changes, in the order in which the patch first names them. */
export interface EditPlan {
  readonly files: readonly FileEdit[];
  /** What was tolerated on the way (wrappers, looser passes, ignored anchors), for the model and the log. */
  readonly notes: readonly string[];
}

export type FileEdit =
  | { readonly kind: 'add'; readonly path: WorkspacePath; readonly after: string }
  | { readonly kind: 'delete'; readonly path: WorkspacePath; readonly before: string }
  | {
      readonly kind: 'update';
      readonly path: WorkspacePath;
      /** Given when the file moves; `replacements` may then be empty. */
      readonly to?: WorkspacePath;
      readonly before: string;
      readonly after: string;
      /** Smallest line ranges, ascending, not overlapping. Applying them to `before` gives `after`. */
      readonly replacements: readonly Replacement[];
      /** Where each hunk landed, in patch order. */
      readonly places: readonly HunkPlace[];
    };

/** `start` and `end` are UTF-16 offsets into `before`. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface HunkPlace {
  /** One-based lines in `before`; `to` is `from - 1` for a pure insertion in front of `from`. */
  readonly from: number;
  readonly to: number;
  /** Which pass matched. */
  readonly pass: MatchPass;
}

export type MatchPass =
  'exact' | 'trailingBlanks' | 'punctuation' | 'indentation' | 'indentationAndPunctuation' | 'endOfFile';

/** A file's text as a plan needs it. The host answers from open editors first, then from disk. */
export type FileState =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Where the file really is, below the same root, when links lead to it: both paths are then one file. */
      readonly linkedTo?: string;
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly reason: FileRefusal };

export type FileRefusal =
  | 'outsideWorkspace'
  | 'protected'
  /** The person has not said that they trust this workspace; nothing in it may be changed. */
  | 'untrusted'
  | 'directory'
  /** A folder of the path is a file. */
  | 'behindFile'
  | 'binary'
  /** Decoding and encoding again does not give the bytes on disk: saving would change what the patch does not name. */
  | 'undecodable'
  /**
   * CRLF, LF or CR side by side, with unsaved changes: an editor holds one kind a document, so saving those would change lines that
   * the patch does not name.
   */
  | 'mixedLineEnds'
  | 'tooLarge'
  | 'readOnly'
  | 'notebook'
  | 'unreadable'
  /** Another program has written it, and the editor that has it open still shows what was there before. */
  | 'notLoaded'
  /** The file system that it is on does not answer now. */
  | 'unavailable';
