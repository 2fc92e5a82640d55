/** Reads for the patch engine as the workspace will be once all that waits is accepted: a patch that follows another builds on it. */
import type * as vscode from 'vscode';

import type { FileState } from '../../../core/patch/editPlan.ts';
import type { FilesPort, Root, WorkspacePath } from '../../../core/tools/applyPatchPorts.ts';
import { withLineEnds } from '../files/documentText.ts';
import type { Standing } from './waitingProposals.ts';
import { fileAt } from '../files/workspaceFiles.ts';

export class StackedFiles implements FilesPort {
  readonly #files: FilesPort;
  readonly #waiting: (uri: vscode.Uri) => Standing | undefined;

  /** @param waiting see `WaitingProposals.topAt` */
  constructor(files: FilesPort, waiting: (uri: vscode.Uri) => Standing | undefined) {
    this.#files = files;
    this.#waiting = waiting;
  }

  roots(): readonly Root[] {
    return this.#files.roots();
  }

  async read(path: WorkspacePath): Promise<FileState> {
    const state = await this.#files.read(path);
    const at = fileAt(path);
    const standing = at === undefined ? undefined : this.#waiting(at.uri);
    if (state.kind === 'refused' || standing === undefined) return state;
    if (standing.kind === 'gone') return { kind: 'missing' };
    const { text, eol } = standing.file.document;
    return { ...(state.kind === 'text' && state), kind: 'text', text: withLineEnds(text, eol) };
  }
}
