/** Steps as one `WorkspaceEdit`: the order and the options in which VS Code loses nothing. Touches nothing itself. */
import * as vscode from 'vscode';

import type { Replacement } from '../../../core/patch/editPlan.ts';

/** What is to become of one file. Texts have the line ends they are written with. */
export type Step =
  | {
      readonly kind: 'edit';
      readonly document: vscode.TextDocument;
      /** Where the file is to be afterwards, if it moves. */
      readonly to?: vscode.Uri;
      /**
       * The new name leads to the file already, on a disk that ignores case. An edit would not rename it: to VS Code both addresses
       * are the same.
       */
      readonly recased?: true;
      readonly before: string;
      readonly after: string;
      /** Offsets into `before`; may be empty when the file only moves. */
      readonly replacements: readonly Replacement[];
      /**
       * Given where the document can't hold the line ends of the file, or the disk has only its beginning without VS Code knowing: it
       * is then written to the disk beneath the editor, and there are no replacements. The document has no unsaved changes.
       */
      readonly bytes?: { readonly before: Uint8Array; readonly after: Uint8Array };
      /** What is unsaved in the document is ours, as it could not be saved before: it is to be saved, also where the text stays as it is. */
      readonly unwritten?: true;
      readonly newFolders?: readonly vscode.Uri[];
    }
  | {
      readonly kind: 'create';
      readonly uri: vscode.Uri;
      readonly bytes: Uint8Array;
      /** That the file needs and that are not there yet, the outermost first. */
      readonly newFolders?: readonly vscode.Uri[];
      /** Who may read, write and run it, where it was there before; see `modeOf`. */
      readonly mode?: number;
    }
  | {
      readonly kind: 'delete';
      readonly uri: vscode.Uri;
      /** On the disk until then. */
      readonly bytes: Uint8Array;
      /** In the editor until then, where that had unsaved changes. */
      readonly unsaved?: string;
      /** See `modeOf`. */
      readonly mode?: number;
    };

/**
 * Text edits come first, under the old path: they are refused as a whole when a document has moved on, before any file is touched.
 * Nothing is overwritten and no folder is deleted.
 */
export function toWorkspaceEdit(steps: readonly Step[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const step of steps) {
    if (step.kind !== 'edit' || step.replacements.length === 0) continue;
    edit.set(step.document.uri, toTextEdits(step.document, step.replacements));
  }
  for (const step of steps) {
    if (step.kind === 'edit' && step.to !== undefined && step.recased !== true) {
      edit.renameFile(step.document.uri, step.to, { overwrite: false, ignoreIfExists: false });
    }
  }
  for (const step of steps) {
    if (step.kind === 'create') {
      edit.createFile(step.uri, { overwrite: false, ignoreIfExists: false, contents: step.bytes });
    }
  }
  for (const step of steps) {
    if (step.kind === 'delete') {
      edit.deleteFile(step.uri, { recursive: false, ignoreIfNotExists: false });
    }
  }
  return edit;
}

/** @param document holds the text that the offsets count in */
export function toTextEdits(
  document: vscode.TextDocument,
  replacements: readonly Replacement[],
): vscode.TextEdit[] {
  return replacements.map(
    ({ start, end, text }) =>
      new vscode.TextEdit(new vscode.Range(document.positionAt(start), document.positionAt(end)), text),
  );
}
