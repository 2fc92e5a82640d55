/**
 * The yes that a protected file takes: a dialog of the editor itself, which no page can press, about one file and with the reason. Whoever
 * accepts several files at once is not asked: those files are left to wait.
 */
import * as vscode from 'vscode';

import type { FileEdit } from '../../../core/patch/editPlan.ts';
import { GitLook } from '../files/gitPlaces.ts';
import type { PendingFile } from '../proposals/pendingProposal.ts';
import { protectedText, whyProtected, type Protected } from '../files/protectedFiles.ts';

export interface SecondQuestion {
  readonly text: string;
  readonly detail: string;
  /** What the buttons say. The first one, which the cursor is on, changes nothing. */
  readonly show: string;
  readonly accept: string;
}

/** `leave` when the dialog was closed. */
export type SecondAnswer = 'show' | 'accept' | 'leave';

export type AskAgain = (question: SecondQuestion) => PromiseLike<SecondAnswer>;

/** Milliseconds for which the dialog takes no yes: a key or a click that was meant for something else comes within them. */
export const deafFor = 500;

/** How often a yes that came too soon, or for a text that is another one by now, is asked for anew. */
const mostAsked = 5;

/** What may be written, what is left to wait, and what the person wants to see first. */
export interface Allowed {
  readonly write: readonly PendingFile[];
  readonly wait: readonly PendingFile[];
  readonly show?: PendingFile;
}

export class SecondYes {
  readonly #ask: AskAgain;
  readonly #clock: () => number;
  /** The text that the person said yes to. */
  readonly #given = new WeakMap<PendingFile, string>();

  /** @param clock milliseconds that only go up */
  constructor(ask: AskAgain = askInDialog, clock: () => number = () => performance.now()) {
    this.#ask = ask;
    this.#clock = clock;
  }

  /**
   * @param files of one proposal, accepted by one act
   * @param written what the file is to hold when only a part of its change is written: that may do what the whole does not
   */
  async allowed(files: readonly PendingFile[], written?: string): Promise<Allowed> {
    const git = new GitLook();
    const reasons = await Promise.all(files.map((file) => whyOf(file, written, git)));
    const isHeld = (index: number): boolean => reasons[index]?.takesSecondYes === true;
    const free = files.filter((_, index) => !isHeld(index));
    const held = files.filter((_, index) => isHeld(index));
    if (held.length === 0 || free.length > 0) return { write: free, wait: held };
    // None but those: each has its own question, until one is not answered with yes.
    const write: PendingFile[] = [];
    for (const file of held) {
      const answer = await this.#answerFor(file, written);
      if (answer === 'accept') {
        write.push(file);
        continue;
      }
      const wait = held.filter((one) => !write.includes(one));
      return { write, wait, ...(answer === 'show' && { show: file }) };
    }
    return { write, wait: [] };
  }

  async #answerFor(file: PendingFile, written: string | undefined): Promise<SecondAnswer> {
    for (let asked = 0; asked < mostAsked; asked += 1) {
      const { text } = file.document;
      const why = await whyOf(file, written);
      if (why?.takesSecondYes !== true || this.#given.get(file) === text) return 'accept';
      const since = this.#clock();
      const answer = await this.#ask(questionFor(file, why));
      if (answer !== 'accept') return answer;
      if (this.#clock() - since < deafFor) continue;
      if (file.document.text === text) this.#given.set(file, text);
    }
    return 'leave';
  }
}

/** The stricter of what there is to be known of the whole change and of the part that is written. */
async function whyOf(
  file: PendingFile,
  written: string | undefined,
  git = new GitLook(),
): Promise<Protected | undefined> {
  const whole = await whyProtected(file, file.document.text, git);
  if (whole?.takesSecondYes === true || written === undefined) return whole;
  return (await whyProtected(file, written, git)) ?? whole;
}

function questionFor({ edit, seen }: PendingFile, why: Protected): SecondQuestion {
  const detail = [
    protectedText(why),
    ...(seen ? [] : [vscode.l10n.t('You have not looked at the change yet.')]),
  ];
  return {
    text: titleOf(edit),
    detail: detail.join('\n\n'),
    show: vscode.l10n.t('Show the Change'),
    accept: vscode.l10n.t('Accept It'),
  };
}

function titleOf(edit: FileEdit): string {
  const path = edit.path.display;
  switch (edit.kind) {
    case 'add':
      return vscode.l10n.t('Accept the new file {0}?', path);
    case 'delete':
      return vscode.l10n.t('Accept that {0} is deleted?', path);
    case 'update':
      return edit.to === undefined
        ? vscode.l10n.t('Accept the change of {0}?', path)
        : vscode.l10n.t('Accept that {0} becomes {1}?', path, edit.to.display);
  }
}

async function askInDialog({ text, detail, show, accept }: SecondQuestion): Promise<SecondAnswer> {
  const answer = await vscode.window.showWarningMessage(text, { modal: true, detail }, show, accept);
  return answer === accept ? 'accept' : answer === show ? 'show' : 'leave';
}
