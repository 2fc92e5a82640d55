/** Everything that a person can attach, as chips with the text of this moment. Reads and asks; what becomes of the chips is not known here. */
import * as vscode from 'vscode';

import type { CancelSignal } from '../../core/cancel.ts';
import type { Attachment } from '../../core/conversation/userMessage.ts';
import { ok, type Result } from '../../core/result.ts';
import { weighed } from './attachmentTokens.ts';
import type { SourceParts } from './describe.ts';
import { attachDiff } from './diffSource.ts';
import { attachFile } from './fileSource.ts';
import { attachFolder, folderTokens, type FolderForm, type FolderTokens } from './folderSource.ts';
import { attachImage, type ImageFile } from './imageSource.ts';
import type { AttachProblem } from './problem.ts';
import { attachProblems } from './problemSource.ts';
import { attachSymbol } from './symbolSource.ts';
import type { TerminalExits } from './terminalExits.ts';
import { attachLastCommand, attachTerminalSelection } from './terminalSource.ts';

export interface ContextParts extends SourceParts {
  /** The compiled `searchWorker.ts`, which walks folders. */
  readonly worker: string;
  /** How commands ended, where somebody listens. */
  readonly exits?: Pick<TerminalExits, 'exitCodeOf'>;
}

export type Attached = Promise<Result<readonly Attachment[], AttachProblem>>;

/** Never rejects but for a bug. What the person attaches by hand is read even where ignore rules keep it from tools. */
export class ContextSources {
  readonly #parts: ContextParts;

  constructor(parts: ContextParts) {
    this.#parts = parts;
  }

  /** A text file as the editor has it, a notebook as its cells, or an image. */
  file(uri: vscode.Uri): Attached {
    return this.#weigh(attachFile(uri, this.#parts));
  }

  /**
   * The names of the files in a folder, or their texts. What is ignored is left out. When the texts are more than fits, the person is
   * asked what to attach; without a form they are asked in any case.
   */
  folder(uri: vscode.Uri, form?: FolderForm): Attached {
    return this.#weigh(attachFolder(uri, form, this.#parts));
  }

  /** What each form of a folder would take. Undefined where nothing of it can be attached. */
  folderTokens(uri: vscode.Uri, signal: CancelSignal): Promise<FolderTokens | undefined> {
    return folderTokens(uri, { ...this.#parts, signal });
  }

  /** Whichever of both it is; of a folder the person is asked what to attach. */
  async fileOrFolder(uri: vscode.Uri): Attached {
    const isFolder = await vscode.workspace.fs.stat(uri).then(
      ({ type }) => (type & vscode.FileType.Directory) !== 0,
      () => false,
    );
    return await (isFolder ? this.folder(uri) : this.file(uri));
  }

  /** Whole lines. */
  symbol(uri: vscode.Uri, range: vscode.Range, name: string): Attached {
    return this.#weigh(attachSymbol(uri, { range, name }, this.#parts));
  }

  /** What VS Code shows of a file, of a part of it, or of all that it knows. */
  problems(uri?: vscode.Uri, range?: vscode.Range): Attached {
    return this.#weigh(attachProblems(this.#parts, uri, range));
  }

  /** What Git knows as changed, of all repositories that are open here, or of one file. */
  diff(what: 'working' | 'staged', uri?: vscode.Uri): Attached {
    return this.#weigh(attachDiff(what, uri, this.#parts));
  }

  /** What is selected in the terminal in front. */
  terminalSelection(): Attached {
    return this.#weigh(attachTerminalSelection(this.#parts));
  }

  /** The last command of the terminal in front, with its output. */
  lastCommand(): Attached {
    return this.#weigh(attachLastCommand(this.#parts, this.#parts.exits));
  }

  /** PNG, JPEG, WebP or GIF, by what the bytes begin with. */
  image(image: ImageFile): Attached {
    return this.#weigh(Promise.resolve(attachImage(image, this.#parts)));
  }

  async #weigh(attached: Attached): Attached {
    const result = await attached;
    return result.ok ? ok(result.value.map(weighed)) : result;
  }
}
