/** Makes the files of a proposal, with the documents that show them: from a plan, or from what an earlier window kept. */
import * as vscode from 'vscode';

import type { EditPlan, FileEdit } from '../../../core/patch/editPlan.ts';
import { followLive, startFollowing } from '../../../core/patch/follow.ts';
import type { Diff } from './diffs.ts';
import { withLineEnds } from '../files/documentText.ts';
import { titleOf, type PendingFile } from './pendingProposal.ts';
import type { KeptFile } from './pendingStore.ts';
import type { ProposedDocument, ProposedDocuments } from './proposedDocuments.ts';
import { leftOf, type WaitingProposals } from './waitingProposals.ts';
import { fileAt, type FileAt } from '../files/workspaceFiles.ts';

export interface PendingFilesParts {
  readonly documents: ProposedDocuments;
  readonly waiting: WaitingProposals;
  /** Of the empty left-hand side of an added file. */
  readonly emptyScheme: string;
}

/** Where a file is, where it goes, and what shows it. */
interface Placed {
  readonly at: FileAt;
  readonly to: FileAt | undefined;
  readonly document: ProposedDocument;
}

export class PendingFiles {
  readonly #parts: PendingFilesParts;
  /** Of proposals, those of earlier windows included: documents never share an address. */
  #count = 0;

  constructor(parts: PendingFilesParts) {
    this.#parts = parts;
  }

  /** Undefined when a folder that the plan was made for has been removed from the workspace. */
  fromPlan({ files: edits }: EditPlan): PendingFile[] | undefined {
    this.#count += 1;
    const files: PendingFile[] = [];
    for (const [index, edit] of edits.entries()) {
      const file = this.#fromEdit(index, edit);
      if (file === undefined) {
        for (const { document } of files) this.#parts.documents.remove(document.uri);
        return undefined;
      }
      files.push(file);
    }
    return files;
  }

  /** Undefined when its folder is no longer in the workspace. */
  restored(kept: KeptFile, index: number): PendingFile | undefined {
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
    const { edit, followed, taken, seen } = kept;
    if (!folders.includes(kept.at.root)) return undefined;
    const at = placeOf(kept.at);
    const to = kept.to === undefined ? undefined : placeOf(kept.to);
    const again = followed === undefined ? undefined : followLive(followed, followed.live);
    const uri = vscode.Uri.parse(kept.document, true);
    this.#count = Math.max(this.#count, Number(/\/patch (\d+)\//.exec(uri.path)?.[1] ?? 0));
    const document = this.#parts.documents.restore(uri, {
      text: again?.text ?? kept.text,
      eol: eolOf(edit),
      readOnly: edit.kind === 'delete',
    });
    return {
      ...this.#waiting(index, edit, { at, to, document }),
      ...(again !== undefined && { followed: again }),
      taken,
      seen,
      ...(kept.stayed === true && { stayed: true }),
      ...(kept.isUndermined === true && { isUndermined: true }),
      ...(kept.moved === true && { moved: true }),
    };
  }

  #fromEdit(index: number, edit: FileEdit): PendingFile | undefined {
    const at = fileAt(edit.path);
    const target = edit.kind === 'update' ? edit.to : undefined;
    const to = target === undefined ? undefined : fileAt(target);
    if (at === undefined || (target !== undefined && to === undefined)) return undefined;
    const document = this.#parts.documents.add({
      // Shown above the editor, so it is made to be read.
      path: `/patch ${this.#count}/${(target ?? edit.path).display}`,
      text: edit.kind === 'delete' ? '' : edit.after,
      eol: eolOf(edit),
      readOnly: edit.kind === 'delete',
    });
    return {
      ...this.#waiting(index, edit, { at, to, document }),
      ...(edit.kind === 'update' && {
        followed: startFollowing(withLineEnds(edit.before, '\n'), withLineEnds(edit.after, '\n')),
      }),
      taken: { accepted: 0, rejected: 0 },
      seen: false,
    };
  }

  #waiting(
    index: number,
    edit: FileEdit,
    placed: Placed,
  ): Pick<PendingFile, 'index' | 'edit' | 'at' | 'to' | 'document' | 'diff' | 'state'> {
    const { at, to, document } = placed;
    const diff = this.#diffOf(edit, placed);
    return { index, edit, at, ...(to !== undefined && { to }), document, diff, state: 'pending' };
  }

  #diffOf(edit: FileEdit, { at, to, document }: Placed): Diff {
    const { emptyScheme, waiting } = this.#parts;
    const left =
      edit.kind === 'add'
        ? vscode.Uri.from({ scheme: emptyScheme, path: document.uri.path })
        : leftOf(at.uri, waiting.topAt(at.uri));
    return { left, right: document.uri, title: titleOf(edit), file: (to ?? at).uri };
  }
}

function placeOf({ root, uri }: KeptFile['at']): FileAt {
  return { root: vscode.Uri.parse(root, true), uri: vscode.Uri.parse(uri, true) };
}

function eolOf(edit: FileEdit): '\n' | '\r\n' {
  return (edit.kind === 'add' ? edit.after : edit.before).includes('\r\n') ? '\r\n' : '\n';
}
