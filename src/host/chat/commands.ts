/** The commands of the chat: one table from id to handler. */
import { randomUUID } from 'node:crypto';

import * as vscode from 'vscode';

import type { ReviewBoard } from '../edits/review/reviewBoard.ts';
import type { Log } from '../log.ts';
import type { ApiKeys } from '../secrets.ts';
import type { Settings } from '../settings.ts';
import { attachProblemText } from '../context/problem.ts';
import { attachFrom } from '../composer/attachments.ts';
import type { ApprovalNotice } from './approvalNotice.ts';
import type { ChatPanels } from './chatPanels.ts';
import { copyConversation } from './copyConversation.ts';
import { anythingInFront, editorInFront } from './editorInFront.ts';
import { clearApiKey, setApiKey } from './keyCommands.ts';

export interface CommandParts {
  readonly keys: ApiKeys;
  readonly settings: Settings;
  readonly panels: Pick<ChatPanels, 'side' | 'inFront'>;
  readonly board: Pick<ReviewBoard, 'find'>;
  readonly asks: Pick<ApprovalNotice, 'show'>;
  readonly log: Log;
}

/** The handlers, to be registered under the names that the manifest contributes. */
export function chatCommands(parts: CommandParts): Readonly<Record<string, () => unknown>> {
  const { keys, settings, panels, asks, log } = parts;
  return {
    'kimiChat.setApiKey': () => setApiKey(keys, settings, log),
    'kimiChat.clearApiKey': () => clearApiKey(keys, settings, log),
    'kimiChat.newChat': () => {
      // A button of the side bar; in a tab another tab is opened for that.
      panels.side.sessions.startNew();
      return panels.side.view.focus();
    },
    'kimiChat.copyConversation': async () => {
      const { sessions } = panels.inFront;
      const problem = await copyConversation({ sessions, settings, log });
      if (problem === undefined) {
        vscode.window.setStatusBarMessage(vscode.l10n.t('The conversation was copied as Markdown'), 3000);
      } else void vscode.window.showInformationMessage(problem);
    },
    'kimiChat.find': () => panels.inFront.view.find(),
    'kimiChat.showQuestion': async () => {
      if (!(await asks.show()))
        void vscode.window.showInformationMessage(vscode.l10n.t('No question waits for your permission.'));
    },
    'kimiChat.chooseModel': () => panels.inFront.view.focus({ kind: 'focusPicker', picker: 'model' }),
    'kimiChat.chooseEffort': () => panels.inFront.view.focus({ kind: 'focusPicker', picker: 'effort' }),
    'kimiChat.stop': () => panels.inFront.sessions.current.stop(),
    'kimiChat.askAboutSelection': () => attach(parts, vscode.window.activeTextEditor),
    'kimiChat.attachActive': () => attach(parts, editorInFront()),
    'kimiChat.showLog': () => log.show(),
  };
}

/** The chips are there before the panel is: a question sent at once has them. */
async function attach(parts: CommandParts, editor: vscode.TextEditor | undefined): Promise<void> {
  const { board, panels } = parts;
  const { draft, view } = panels.inFront;
  if (editor === undefined) {
    view.post({
      kind: 'notice',
      text: anythingInFront()
        ? vscode.l10n.t('What is open here is no text that can be attached.')
        : vscode.l10n.t('Open a file or select code to attach it.'),
    });
  } else {
    const attachments = attachFrom(editor, {
      newId: randomUUID,
      // The path of such a document says nothing to a person or to a model.
      nameOf: (document) => {
        const shown = board.find(document);
        return shown && vscode.l10n.t('{0} (proposed)', shown.file.edit.path.display);
      },
    });
    const problem = attachments.ok ? draft.attachIfRoom(attachments.value) : attachments.error;
    const text = problem && attachProblemText(problem);
    if (text !== undefined) view.post({ kind: 'notice', text });
  }
  await view.focus();
}
