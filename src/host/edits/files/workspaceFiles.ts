/** Reads for the patch engine: what stands in open editors first, the disk's otherwise. Changes nothing. */
import * as vscode from 'vscode';

import type { FileState } from '../../../core/patch/editPlan.ts';
import type { FilesPort, Root, WorkspacePath } from '../../../core/tools/applyPatchPorts.ts';
import { openDocument, openText } from './documentText.ts';
import { findPlace } from './filePlace.ts';

/** A file of the workspace and the folder it must stay in. Bound once: folders can be added and removed while a patch waits. */
export interface FileAt {
  readonly uri: vscode.Uri;
  readonly root: vscode.Uri;
}

export class WorkspaceFiles implements FilesPort {
  readonly #undecodable: (uri: vscode.Uri) => void;

  /** @param undecodable told of a file that was refused because of its encoding */
  constructor(undecodable: (uri: vscode.Uri) => void) {
    this.#undecodable = undecodable;
  }

  roots(): readonly Root[] {
    return rootsOf(vscode.workspace.workspaceFolders ?? []);
  }

  async read(path: WorkspacePath): Promise<FileState> {
    const at = fileAt(path);
    if (at === undefined) return { kind: 'refused', reason: 'outsideWorkspace' };
    const state = await readFile(at);
    if (state.kind === 'refused' && state.reason === 'undecodable') this.#undecodable(at.uri);
    return state;
  }
}

async function readFile(at: FileAt): Promise<FileState> {
  const place = await findPlace(at.uri, at.root);
  if (place.kind === 'refused') return place;
  if (place.kind === 'missing') {
    // Deleted beneath an editor that still holds unsaved text: that text is the file.
    const unsaved = openDocument(at.uri);
    return unsaved?.isDirty === true ? { kind: 'text', text: unsaved.getText() } : place;
  }
  const opened = await openText(at.uri);
  if (opened.kind !== 'text') return opened;
  const { linkedTo } = place;
  const text = opened.exact ?? opened.document.getText();
  return { kind: 'text', text, ...(linkedTo !== undefined && { linkedTo }) };
}

/** Folders as paths are told apart by them. */
export function rootsOf(folders: readonly vscode.WorkspaceFolder[]): readonly Root[] {
  return folders.map(({ name, uri }) => ({
    name,
    path: uri.scheme === 'file' ? uri.fsPath : uri.path,
    caseInsensitive: uri.scheme === 'file' && (process.platform === 'win32' || process.platform === 'darwin'),
  }));
}

/** Undefined when the folder has been removed from the workspace. */
export function fileAt(path: WorkspacePath): FileAt | undefined {
  const root = vscode.workspace.workspaceFolders?.[path.root]?.uri;
  return root === undefined ? undefined : { root, uri: vscode.Uri.joinPath(root, path.relative) };
}
