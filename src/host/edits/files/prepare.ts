/**
 * What accepting a proposed file means at this moment: looks at the file again and brings the proposal over to what it has become.
 * Reads only.
 */
import * as vscode from 'vscode';

import type { FileEdit } from '../../../core/patch/editPlan.ts';
import { lineReplacements, splitLines } from '../../../core/patch/lineDiff.ts';
import { rebase } from '../../../core/patch/rebase.ts';
import { bytesAt, bytesOf, isSame } from './diskBytes.ts';
import {
  canHold,
  openDocument,
  openText,
  withLineEnds,
  type DocumentText,
  type Written,
} from './documentText.ts';
import { findPlace, isLink, isSameButCase, isThereAs, missingFolders, modeOf } from './filePlace.ts';
import { hasMixedLineEnds, withLineEndsOf } from './lineEnds.ts';
import {
  changedSince,
  gone,
  link,
  overlap,
  refusal,
  taken,
  unencodable,
  unsavedText,
  type Reason,
} from './sentences.ts';
import type { Step } from './toWorkspaceEdit.ts';
import type { FileAt } from './workspaceFiles.ts';

export interface Wanted {
  readonly edit: FileEdit;
  readonly at: FileAt;
  /** Where a moved file goes. */
  readonly to?: FileAt;
  /** The proposal as it stands, with LF. Without meaning for a deletion. */
  readonly text: string;
  /** What the text was made for, with LF, when that is no longer what the patch was planned for. */
  readonly base?: string;
  /** What we wrote to the file before, where that matters. */
  readonly written?: Written;
  /** What a new file is to be on the disk, where that is known. */
  readonly bytes?: Uint8Array;
  /** Of a new file that was there before; see `modeOf`. */
  readonly mode?: number;
}

export type Prepared =
  /** `text` is what the file will hold; without meaning for a deletion. */
  | {
      readonly kind: 'ready';
      readonly step: Step;
      readonly text: string;
      /** Only the beginning of `Wanted.written` was left. */
      readonly wasCut?: true;
    }
  /** There already, text and place: nothing to write. `text` is what the file holds. */
  | { readonly kind: 'there'; readonly text: string }
  | { readonly kind: 'conflict' | 'failed'; readonly reason: Reason };

type EditParts = Omit<Extract<Step, { kind: 'edit' }>, 'kind' | 'document'>;

type OpenedText = Extract<DocumentText, { kind: 'text' }>;

export async function prepare(wanted: Wanted): Promise<Prepared> {
  switch (wanted.edit.kind) {
    case 'add':
      return prepareAdd(wanted);
    case 'delete':
      return prepareDelete(wanted, wanted.edit.before);
    case 'update':
      return prepareUpdate(wanted, wanted.edit);
  }
}

async function prepareAdd({ edit, at, text, bytes: known, mode, written }: Wanted): Promise<Prepared> {
  const place = await findPlace(at.uri, at.root);
  if (place.kind === 'refused') return failed(refusal(place.reason));
  const unsaved = openDocument(at.uri)?.isDirty === true;
  if (place.kind === 'missing' && !unsaved) {
    const bytes = known ?? (await vscode.workspace.encode(text, { uri: at.uri }));
    const lossy = known === undefined ? await lossyEncoding(at.uri, text, bytes) : undefined;
    if (lossy !== undefined) return failed(unencodable(lossy));
    const newFolders = await missingFolders(at.uri, at.root);
    const step: Step = {
      kind: 'create',
      uri: at.uri,
      bytes,
      newFolders,
      ...(mode !== undefined && { mode }),
    };
    return { kind: 'ready', text, step };
  }
  if (place.kind === 'missing') return conflict(taken(edit.path.display));
  const opened = await openText(at.uri, written);
  if (opened.kind === 'refused') return conflict(taken(edit.path.display));
  const before = opened.document.getText();
  if (withLineEnds(before, '\n') === text) {
    if (opened.cut === undefined) return { kind: 'there', text: before };
    return writingAll(opened, { before, after: before, replacements: [] });
  }
  // An empty file may be filled: nothing of anyone's is lost.
  if (before !== '') return conflict(taken(edit.path.display));
  const after = withLineEnds(text, opened.document.eol);
  return editing(opened.document, { before, after, replacements: [{ start: 0, end: 0, text: after }] });
}

async function prepareDelete({ at, written }: Wanted, before: string): Promise<Prepared> {
  const place = await findPlace(at.uri, at.root);
  if (place.kind === 'refused') return failed(refusal(place.reason));
  if (place.kind === 'missing') {
    return openDocument(at.uri)?.isDirty === true ? conflict(unsavedText()) : { kind: 'there', text: '' };
  }
  if (await isLink(at.uri)) return failed(link());
  const opened = await openText(at.uri, written);
  if (opened.kind === 'refused') return failed(refusal(opened.reason));
  const { isDirty } = opened.document;
  const text = opened.exact ?? opened.document.getText();
  if (text !== before && opened.cut !== 'everywhere')
    return conflict(isDirty ? unsavedText() : changedSince());
  const bytes = await vscode.workspace.fs.readFile(at.uri);
  // The patch was made for the unsaved text and the person has seen it go; it is kept, to be taken back.
  const mode = await modeOf(at.uri);
  const step = {
    kind: 'delete' as const,
    uri: at.uri,
    bytes,
    ...(isDirty && { unsaved: text }),
    ...(mode !== undefined && { mode }),
  };
  return { kind: 'ready', text: '', step };
}

async function prepareUpdate(
  { at, to, text, base: followed, written }: Wanted,
  edit: Extract<FileEdit, { kind: 'update' }>,
): Promise<Prepared> {
  const place = await findPlace(at.uri, at.root);
  if (place.kind === 'refused') return failed(refusal(place.reason));
  const unsaved = openDocument(at.uri);
  if (place.kind === 'missing' && (unsaved?.isDirty !== true || to !== undefined)) return conflict(gone());
  let recased = false;
  if (to !== undefined) {
    if (await isLink(at.uri)) return failed(link());
    const target = await findPlace(to.uri, to.root);
    if (target.kind === 'refused') {
      return target.reason === 'directory'
        ? conflict(taken(edit.to?.display ?? ''))
        : failed(refusal(target.reason));
    }
    // On a disk that takes both spellings for one file, a change of case finds the file itself.
    recased = target.kind === 'file' && (await isSameFile(at.uri, to.uri));
    if (target.kind === 'file' && !recased) {
      return conflict(taken(edit.to?.display ?? ''));
    }
  }
  const opened: DocumentText =
    place.kind === 'missing' && unsaved !== undefined
      ? { kind: 'text', document: unsaved }
      : await openText(at.uri, written);
  if (opened.kind === 'refused') return failed(refusal(opened.reason));
  const { document, exact, cut } = opened;
  const before = exact ?? document.getText();
  const wasCut = cut === 'everywhere' && written !== undefined;
  const present = wasCut ? written.text : before;
  const current = withLineEnds(present, '\n');
  const base = followed ?? withLineEnds(edit.before, '\n');
  const rebased = rebase(base, current, text);
  if (rebased.kind === 'conflict') {
    const { from, to: last } = rebased;
    return conflict(
      overlap(
        from,
        last,
        splitLines(current)
          .slice(from - 1, last)
          .join(''),
      ),
    );
  }
  const asPlanned = present === edit.before && text === withLineEnds(edit.after, '\n');
  // A file that had mixed ends and has them no more is not given them again.
  const isMixed =
    exact !== undefined || (hasMixedLineEnds(edit.after) && (wasCut || !hasMixedLineEnds(edit.before)));
  const after = isMixed
    ? asPlanned
      ? edit.after
      : withLineEndsOf(rebased.text, present, edit.after)
    : withLineEnds(rebased.text, document.eol);
  if (after === before && to === undefined && cut === undefined) return { kind: 'there', text: before };
  if (!(await canHold(document, after))) return failed(unencodable(document.encoding));
  const move = to !== undefined && {
    to: to.uri,
    newFolders: await missingFolders(to.uri, to.root),
    ...(recased && { recased }),
  };
  if (exact !== undefined || hasMixedLineEnds(after)) {
    // What the editor has and the disk has not can't be saved without making the line ends alike.
    if (document.isDirty) return failed(refusal('mixedLineEnds'));
    return writingBeneath(opened, { ...move, before, after });
  }
  const replacements = asPlanned
    ? edit.replacements.map((each) => ({ ...each, text: withLineEnds(each.text, document.eol) }))
    : lineReplacements(before, after);
  const parts = { ...move, before, after, replacements };
  return cut === undefined ? editing(document, parts) : writingAll(opened, parts);
}

/** The encoding in which new files are written here, if it has lost something of the text. */
async function lossyEncoding(uri: vscode.Uri, text: string, bytes: Uint8Array): Promise<string | undefined> {
  const encoding = vscode.workspace.getConfiguration('files', uri).get<string>('encoding') ?? 'utf8';
  // Some files of VS Code's own are UTF-8 whatever the settings say.
  for (const one of [encoding, 'utf8']) {
    if ((await vscode.workspace.decode(bytes, { encoding: one })) === text) return undefined;
  }
  return encoding;
}

function editing(document: vscode.TextDocument, parts: EditParts): Prepared {
  return { kind: 'ready', text: parts.after, step: { kind: 'edit', document, ...parts } };
}

/** Of a file of which the disk has only the beginning. What VS Code takes for saved it does not save again. */
function writingAll(opened: OpenedText, parts: EditParts): Prepared | Promise<Prepared> {
  return opened.document.isDirty
    ? editing(opened.document, { ...parts, unwritten: true })
    : writingBeneath(opened, parts);
}

async function writingBeneath(
  { document, cut }: OpenedText,
  parts: Omit<EditParts, 'replacements'>,
): Promise<Prepared> {
  const found = cut === undefined ? undefined : await bytesAt(document.uri);
  const bytes = {
    before: found ?? (await bytesOf(parts.before, document)),
    after: await bytesOf(parts.after, document),
  };
  const step: Step = { kind: 'edit', document, ...parts, replacements: [], bytes };
  return { kind: 'ready', text: parts.after, step, ...(cut === 'everywhere' && { wasCut: true }) };
}

async function isSameFile(one: vscode.Uri, other: vscode.Uri): Promise<boolean> {
  if (!isSameButCase(one, other)) return false;
  const [first, second] = await Promise.all([
    vscode.workspace.fs.readFile(one),
    vscode.workspace.fs.readFile(other),
  ]);
  return isSame(first, second) && !(await isThereAs(other));
}

function conflict(reason: Reason): Prepared {
  return { kind: 'conflict', reason };
}

function failed(reason: Reason): Prepared {
  return { kind: 'failed', reason };
}
