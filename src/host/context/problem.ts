/** Why something can't be attached, as data and as a sentence for people. */
import * as vscode from 'vscode';

/** In UTF-16 units. More would fill a large part of the context window without the person having seen it. */
export const maxLength = 1_000_000;

/** Largest image, in bytes: what is sent of it is a third longer. */
export const maxImageBytes = 8 * 1024 * 1024;

export type AttachProblem =
  | 'empty'
  | 'tooLong'
  /** Together with what is attached already. */
  | 'tooMuch'
  /** Not there, or not readable. */
  | 'missing'
  | 'binary'
  /** A file was asked for, and it is a folder, or the other way round. */
  | 'folder'
  | 'notFolder'
  /** No file in it can be attached. */
  | 'emptyFolder'
  | 'noProblems'
  /** The language knows of none at the cursor. */
  | 'noSymbol'
  | 'noGit'
  | 'noRepository'
  | 'noChanges'
  | 'noStaged'
  | 'diffFailed'
  | 'noTerminal'
  | 'noTerminalSelection'
  | 'noCommandOutput'
  | 'clipboard'
  /** Not PNG, JPEG, WebP or GIF. */
  | 'notImage'
  | 'imageTooLarge'
  /** The person was asked and thought better of it: nothing is to be said. */
  | 'cancelled';

/** What to tell the person; undefined where they know. */
export function attachProblemText(problem: AttachProblem): string | undefined {
  const { l10n } = vscode;
  switch (problem) {
    case 'empty':
      return l10n.t('There is no text to attach.');
    case 'tooLong':
      return l10n.t('This is more than 1,000,000 characters. Select the part that matters.');
    case 'tooMuch':
      return l10n.t(
        'A question takes at most 500 attachments, of 32 million characters together. Remove some first, or select the part that matters.',
      );
    case 'missing':
      return l10n.t('This can’t be read: it was moved or deleted, or you may not read it.');
    case 'binary':
      return l10n.t('This is no text, so it can’t be attached. Of images, PNG, JPEG, WebP and GIF can.');
    case 'folder':
      return l10n.t('This is a folder. Use “Kimi Chat: Attach Folder to Kimi Chat…” for it.');
    case 'notFolder':
      return l10n.t('This is no folder.');
    case 'emptyFolder':
      return l10n.t('There is no file in this folder that can be attached: it is empty, or all are ignored.');
    case 'noProblems':
      return l10n.t('VS Code shows no problems here.');
    case 'noSymbol':
      return l10n.t('There is no function, class or the like around the cursor. Select the lines instead.');
    case 'noGit':
      return l10n.t('Git is not available in VS Code. Turn on “git.enabled”, or install Git.');
    case 'noRepository':
      return l10n.t('No folder that is open here is in a Git repository.');
    case 'noChanges':
      return l10n.t('There are no changes that are not staged.');
    case 'noStaged':
      return l10n.t('Nothing is staged.');
    case 'diffFailed':
      return l10n.t('Git could not show the changes. Its output in VS Code has the details.');
    case 'noTerminal':
      return l10n.t('Open a terminal first.');
    case 'noTerminalSelection':
      return l10n.t('Select text in the terminal first.');
    case 'noCommandOutput':
      return l10n.t(
        'The terminal knows of no command with output. It takes a shell with shell integration, and a command that has ended.',
      );
    case 'clipboard':
      return l10n.t('The clipboard could not be used, and the terminal gives its text in no other way.');
    case 'notImage':
      return l10n.t('This is no image that can be sent. PNG, JPEG, WebP and GIF can.');
    case 'imageTooLarge':
      return l10n.t('This image is larger than 8 MB. Make it smaller and attach it again.');
    case 'cancelled':
      return undefined;
  }
}
