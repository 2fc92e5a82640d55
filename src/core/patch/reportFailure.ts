/**
 * What the model reads when there is no plan: that nothing was changed, every trouble at once, the present text where it helps, and
 * one next step. Written for the next try to succeed.
 */
import { fitMessage, quoteInline, quoteLine } from './messageText.ts';
import type {
  Ambiguous,
  BadFormat,
  ContextNotFound,
  FileProblem,
  FormatFault,
  HunkRef,
  NearestPlace,
  NotFoundReason,
  PatchError,
  PatchFailure,
  SectionRef,
} from './patchError.ts';
import type { FileRefusal } from './editPlan.ts';
import type { PathFault } from '../workspacePath.ts';

/** What happened before, as far as the caller knows. Paths as the patch writes them. */
export interface FailureHistory {
  /** Files on which the last patch failed too. */
  readonly failedBefore: ReadonlySet<string>;
  /** Files that an accepted patch has changed before. */
  readonly changedBefore: ReadonlySet<string>;
}

const noHistory: FailureHistory = { failedBefore: new Set(), changedBefore: new Set() };

export function reportFailure(failure: PatchFailure, history: FailureHistory = noHistory): string {
  const first = failure.problems[0] as PatchError;
  const blocks = ['Nothing was changed. The patch could not be applied:'];
  const seen = new Set<string>();
  for (const problem of failure.problems) {
    blocks.push(describe(problem));
    const file = 'file' in problem ? problem.file : undefined;
    if (file === undefined || seen.has(file)) continue;
    seen.add(file);
    if (isAboutText(problem) && history.changedBefore.has(file)) {
      blocks.push(`${quoteInline(file)} has been changed by an earlier patch that was accepted.`);
    }
  }
  const tail = [
    ...listSections('Fine, but not applied either', failure.fine),
    ...listSections('Not checked', failure.unchecked),
  ];
  tail.push(`Next: ${nextStep(first, history)}`);
  return fitMessage(blocks, (left) => `(${left} more not shown.)`, tail);
}

function isAboutText(problem: PatchError): boolean {
  return problem.kind === 'context-not-found' || problem.kind === 'ambiguous';
}

function describe(problem: PatchError): string {
  switch (problem.kind) {
    case 'bad-format':
      return describeFormat(problem);
    case 'context-not-found':
      return describeNotFound(problem);
    case 'ambiguous':
      return describeAmbiguous(problem);
    case 'file-exists':
    case 'file-missing':
      return describeFile(problem);
    case 'path-outside-workspace':
    case 'path-unusable':
      return `${problem.kind}: ${quoteInline(problem.file)} (patch line ${problem.line}) ${pathFaults[problem.why]}`;
    case 'file-refused':
      return `file-refused: ${quoteInline(problem.file)} (patch line ${problem.line}) ${refusals[problem.reason]}`;
    case 'too-large':
      return problem.what === 'patch'
        ? 'too-large: the patch is too long to be read.'
        : `too-large: finding the places in ${quoteInline(problem.file)} takes too long, because its lines repeat too often.`;
  }
}

function describeFormat({ why, line, found, file }: BadFormat): string {
  const where = file === undefined ? '' : ` in the section of ${quoteInline(file)}`;
  const line_ = found === '' ? '' : `\n${quoteLine(found)}`;
  return `bad-format at patch line ${line}${where}: ${formatFaults[why]}${line_}`;
}

function describeNotFound(problem: ContextNotFound): string {
  const { why, anchor, foundAt, appliedAt, nearest } = problem;
  const lines = [
    `context-not-found in ${hunkName(problem.file, problem.hunk)}: ${notFoundReasons[why](anchor ?? '', foundAt)}`,
  ];
  if (appliedAt !== undefined) {
    lines.push(
      `The lines this hunk would leave are already there, from line ${appliedAt} on: it may have been applied before.`,
    );
  }
  if (problem.afterEarlierSection)
    lines.push(
      'An earlier section of this patch changes the same file; this one is matched against its result.',
    );
  if (nearest) lines.push(...describeNearest(nearest));
  return lines.join('\n');
}

function describeNearest({ line, differs, around }: NearestPlace): string[] {
  const lines: string[] = [];
  if (differs) {
    const present =
      differs.present === undefined ? ['there is no such line'] : ['is now', quoteLine(differs.present)];
    lines.push(`Nearest place: line ${line}. First difference: patch line ${differs.patchLine} has`);
    lines.push(
      quoteLine(differs.expected),
      `but line ${differs.fileLine} of the file ${present[0]}`,
      ...present.slice(1),
    );
  }
  if (around.lines.length === 0) return [...lines, 'The file is empty.'];
  lines.push('The file there, line numbers in front of the bar:');
  return [...lines, ...around.lines.map((text, at) => `${around.from + at}${quoteLine(text)}`)];
}

function describeAmbiguous({ file, hunk, places, total, anchorMissing }: Ambiguous): string {
  const lines = [
    `ambiguous in ${hunkName(file, hunk)}: its lines stand in ${total} places that are all possible.`,
  ];
  if (anchorMissing !== undefined)
    lines.push(`The line ${quoteInline(anchorMissing)} given by @@ is not in the file.`);
  for (const { line, within } of places) {
    lines.push(within === undefined ? `line ${line}` : `line ${line}, within ${quoteInline(within)}`);
  }
  if (total > places.length) lines.push(`and ${total - places.length} more`);
  return lines.join('\n');
}

function describeFile({ kind, file, line, change, blockedBy }: FileProblem): string {
  const where = `${kind}: ${quoteInline(file)} (patch line ${line})`;
  if (blockedBy !== undefined)
    return `${where} would need a folder where ${quoteInline(blockedBy)} is a file.`;
  switch (change) {
    case 'add':
      return `${where} can't be added: a file with content is there already.`;
    case 'move':
      return `${where} can't be the new place of a moved file: another file is there already.`;
    case 'update':
    case 'delete':
      return `${where} can't be ${change === 'update' ? 'updated' : 'deleted'}: there is no such file.`;
  }
}

function hunkName(file: string, { index, of, line }: HunkRef): string {
  return `${quoteInline(file)}, hunk ${index} of ${of} (patch line ${line})`;
}

function listSections(title: string, sections: readonly SectionRef[]): string[] {
  if (sections.length === 0) return [];
  const shown = sections.slice(0, 10).map(({ change, file }) => `${change} ${quoteInline(file)}`);
  const more = sections.length > shown.length ? `, and ${sections.length - shown.length} more` : '';
  return [`${title}: ${shown.join(', ')}${more}.`];
}

function nextStep(problem: PatchError, { failedBefore }: FailureHistory): string {
  switch (problem.kind) {
    case 'bad-format':
      return 'send the whole patch again, from "*** Begin Patch" to "*** End Patch", in the format of the tool.';
    case 'context-not-found':
      if (problem.appliedAt !== undefined)
        return 'check whether the change is there already, and leave out what is.';
      if (failedBefore.has(problem.file)) {
        return 'send a smaller hunk that changes only lines shown above, copied from there character by character.';
      }
      return 'send the whole patch again with context and removed lines copied exactly from the file as it is now.';
    case 'ambiguous': {
      const named = problem.places.map((place) => place.within);
      const within = named.find(
        (name) => name !== undefined && named.indexOf(name) === named.lastIndexOf(name),
      );
      const example = within === undefined ? '' : `, for instance "@@ ${within}"`;
      return `send the whole patch again with more context lines, or with an @@ line that names what the place is in${example}.`;
    }
    case 'file-exists':
      return 'use "*** Update File:" to change the file, or delete it in the same patch first if it is to be replaced.';
    case 'file-missing':
      return 'check the path, or use "*** Add File:" for a new file.';
    case 'path-outside-workspace':
    case 'path-unusable':
      return 'use a path relative to the workspace folder.';
    case 'file-refused':
      return 'leave this file out, and tell the person what you would have changed in it.';
    case 'too-large':
      return 'split the change into several smaller patches.';
  }
}

const formatFaults: Readonly<Record<FormatFault, string>> = {
  noBegin: 'there is no line "*** Begin Patch".',
  noEnd: 'there is no line "*** End Patch" at the end, so the patch may be cut off.',
  secondEnvelope: 'a second begin or end marker; one call holds one patch.',
  behindEnd: 'a marker behind "*** End Patch"; one call holds one patch.',
  noSection: 'the patch has no "*** Add File:", "*** Update File:" or "*** Delete File:".',
  outsideSection: 'a line outside of any file section.',
  unknownMarker:
    'a line that begins with "***" and is no known marker. Put a space in front if it is context.',
  pathMissing: 'the path is missing.',
  noHunk: 'an update needs at least one hunk, or a "*** Move to:".',
  emptyHunk: 'a hunk needs at least one line after its "@@".',
  blankOnlyContext: 'an empty line among added lines: write "+" if it is added, a space if it is context.',
  misplacedMove: '"*** Move to:" may stand only directly below "*** Update File:", once.',
  misplacedEndOfFile: '"*** End of File" may stand only at the end of a hunk.',
  linesAfterEndOfFile: 'lines after "*** End of File" need an "@@" first.',
  addWithoutPlus: 'every line of an added file must begin with "+".',
  deleteWithBody: '"*** Delete File:" takes no lines.',
  changesDirectory:
    'the patch must not depend on a change of directory; write paths relative to the workspace folder.',
};

const notFoundReasons: Readonly<
  Record<NotFoundReason, (anchor: string, foundAt: readonly number[]) => string>
> = {
  absent: () => 'these lines are not in the file.',
  notBelowAnchor: (anchor, at) => `the lines are not below ${quoteInline(anchor)}, only at ${lineList(at)}.`,
  anchorMissing: (anchor) => `the line ${quoteInline(anchor)} given by @@ is not where it should be.`,
  onlyLineNumbers: () => 'added lines with nothing but line numbers to say where; add context lines.',
  outOfOrder: (_, at) => `the lines are only at ${lineList(at)}, which is above an earlier hunk.`,
  overlap: (_, at) => `an earlier hunk changes the same lines (${lineList(at)}).`,
};

function lineList(lines: readonly number[]): string {
  return `line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}`;
}

const pathFaults: Readonly<Record<PathFault, string>> = {
  outside: 'is outside of the workspace.',
  protected: 'is protected.',
  empty: 'is no path.',
  folder: 'names a folder.',
  name: 'has a name that can not be used here.',
  whichFolder: 'could be in any of several workspace folders; begin it with the name of one.',
  noFolder: 'has no place, because no folder is open.',
};

const refusals: Readonly<Record<FileRefusal, string>> = {
  outsideWorkspace: 'leads out of the workspace.',
  protected: 'is protected and may not be changed by a patch.',
  untrusted: 'lies in a workspace that the person has not yet said to trust.',
  directory: 'is a folder.',
  behindFile: 'can not be there: a folder of its path is a file.',
  binary: 'is a binary file.',
  undecodable: 'holds bytes that are no text in its encoding.',
  mixedLineEnds:
    'mixes several kinds of line ends and has unsaved changes; the person must save or discard those first.',
  tooLarge: 'is too large to be edited.',
  readOnly: 'is read-only.',
  notebook: 'is a notebook, which can not be changed by a patch.',
  unreadable: 'can not be read.',
  notLoaded: 'was just written by another program, and the editor has not loaded it yet; try again.',
  unavailable: 'can not be reached at the moment: its file system is not connected.',
};
