/**
 * Everything that can be wrong with a patch, as data: a closed set. `report.ts` words it for the model; whoever shows it to people
 * does so from the same fields. Lines of the patch and of files count from 1; `file` is the path as the patch wrote it.
 */
import type { FileRefusal } from './editPlan.ts';
import type { PathFault } from '../workspacePath.ts';

export type PatchError =
  BadFormat | ContextNotFound | Ambiguous | FileProblem | PathProblem | FileRefused | TooLarge;

export type PatchErrorKind = PatchError['kind'];

export interface BadFormat {
  readonly kind: 'bad-format';
  readonly why: FormatFault;
  readonly line: number;
  /** The line that was met; empty at the end of the text. */
  readonly found: string;
  readonly file?: string;
}

export type FormatFault =
  | 'noBegin'
  | 'noEnd'
  | 'secondEnvelope'
  | 'behindEnd'
  | 'noSection'
  | 'outsideSection'
  | 'unknownMarker'
  | 'pathMissing'
  | 'noHunk'
  | 'emptyHunk'
  | 'blankOnlyContext'
  | 'misplacedMove'
  | 'misplacedEndOfFile'
  | 'linesAfterEndOfFile'
  | 'addWithoutPlus'
  | 'deleteWithBody'
  | 'changesDirectory';

export interface HunkRef {
  /** From 1, within its section. */
  readonly index: number;
  readonly of: number;
  /** Of its first line in the patch. */
  readonly line: number;
}

export interface ContextNotFound {
  readonly kind: 'context-not-found';
  readonly file: string;
  readonly hunk: HunkRef;
  readonly why: NotFoundReason;
  /** The anchor that is missing, or the one below which nothing was found. */
  readonly anchor?: string;
  /** Where the old lines do stand, when order or overlap is the trouble. */
  readonly foundAt: readonly number[];
  /** The lines the hunk would have made are in the file already, from this line on. */
  readonly appliedAt?: number;
  readonly nearest?: NearestPlace;
  /** An earlier section of the same patch has changed this file. */
  readonly afterEarlierSection: boolean;
}

export type NotFoundReason =
  | 'absent'
  /** The anchor is there, the lines are not below it. */
  | 'notBelowAnchor'
  /** An anchor is missing and without it the place is open. */
  | 'anchorMissing'
  /** Only added lines, and only line numbers to say where. */
  | 'onlyLineNumbers'
  /** The lines stand above those of an earlier hunk. */
  | 'outOfOrder'
  /** An earlier hunk changes the same lines. */
  | 'overlap';

/** Never decides an edit: it is there for the message alone. */
export interface NearestPlace {
  readonly line: number;
  /** The first line that differs. `present` is absent past the end of the file. */
  readonly differs?: {
    readonly patchLine: number;
    readonly expected: string;
    readonly fileLine: number;
    readonly present?: string;
  };
  /** The text as it is now around the place, `from` being the line number of the first. */
  readonly around: { readonly from: number; readonly lines: readonly string[] };
}

export interface Ambiguous {
  readonly kind: 'ambiguous';
  readonly file: string;
  readonly hunk: HunkRef;
  /** The first of the places, each with the definition it stands in where one can be named. */
  readonly places: readonly { readonly line: number; readonly within?: string }[];
  /** How many there are in all. */
  readonly total: number;
  /** An anchor was given that is not in the file. */
  readonly anchorMissing?: string;
}

export interface FileProblem {
  /** `file-exists`: an added file, or the new place of a moved one, is taken. `file-missing`: nothing to update or delete. */
  readonly kind: 'file-exists' | 'file-missing';
  readonly file: string;
  readonly line: number;
  readonly change: 'add' | 'update' | 'delete' | 'move';
  /** Another path of the workspace that stands in the way as a file where a folder is needed. */
  readonly blockedBy?: string;
}

export interface PathProblem {
  readonly kind: 'path-outside-workspace' | 'path-unusable';
  readonly file: string;
  readonly line: number;
  readonly why: PathFault;
}

export interface FileRefused {
  readonly kind: 'file-refused';
  readonly file: string;
  readonly line: number;
  readonly reason: FileRefusal;
}

/** The text of the patch, the number of its files, or the work of finding its places goes beyond every use. */
export type TooLarge =
  | { readonly kind: 'too-large'; readonly what: 'patch' }
  | { readonly kind: 'too-large'; readonly what: 'search'; readonly file: string };

/** Why there is no plan. Nothing was changed. */
export interface PatchFailure {
  /** At least one; all that could be found at once. */
  readonly problems: readonly PatchError[];
  /** Sections that would have been fine, as `update src/a.ts`. */
  readonly fine: readonly SectionRef[];
  /** Sections on a file in which an earlier section failed. */
  readonly unchecked: readonly SectionRef[];
}

export interface SectionRef {
  readonly change: 'add' | 'update' | 'delete';
  readonly file: string;
  readonly line: number;
}
