/** Tells of questions of running tools while nobody can see them: a badge, and a notification that leads there. It allows nothing itself. */
import * as vscode from 'vscode';

import type { Approval, ApprovalRequest } from '../../core/conversation/approval.ts';
import { openApproval } from '../../core/conversation/waiting.ts';
import { DisposableStore } from '../disposables.ts';
import type { ChatSession } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';

/** Shows a message with a button, and resolves with the button when that was chosen. */
export type Notify = (message: string, button: string) => Thenable<string | undefined>;

/** Where conversations are shown. */
export interface ApprovalPanels {
  /** The person can see this conversation. */
  isSeen(session: ChatSession): boolean;
  /** Shows it, and puts the cursor onto what waits in it. */
  showApproval(session: ChatSession): Promise<void>;
  /** Says on the icon that something waits. */
  setBadge(value: number, tooltip: string): void;
}

interface Waiting {
  readonly session: ChatSession;
  readonly approval: Approval;
}

export class ApprovalNotice implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #sessions: Sessions;
  readonly #panels: ApprovalPanels;
  readonly #notify: Notify;
  /** One at a time: who reads it sees the others where it leads. */
  #notifying = false;
  /** Told of, or seen by the person when they came up. */
  readonly #told = new Set<string>();

  constructor(
    sessions: Sessions,
    panels: ApprovalPanels,
    notify: Notify = (message, button) => vscode.window.showInformationMessage(message, button),
  ) {
    this.#sessions = sessions;
    this.#panels = panels;
    this.#notify = notify;
    this.#store.add(sessions.onDidAsk(() => this.#look()));
  }

  /** Shows the question that waits for the longest time. False when there is none. */
  async show(): Promise<boolean> {
    const [first] = this.#waiting();
    if (first === undefined) return false;
    await this.#panels.showApproval(first.session);
    return true;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #look(): void {
    const waiting = this.#waiting();
    this.#panels.setBadge(
      waiting.length,
      waiting.length === 1
        ? vscode.l10n.t('1 question waits for your permission')
        : vscode.l10n.t('{0} questions wait for your permission', waiting.length),
    );
    const news = waiting.filter(({ approval }) => !this.#told.has(approval.id));
    this.#told.clear();
    for (const { approval } of waiting) this.#told.add(approval.id);
    const unseen = news.find(({ session }) => !this.#panels.isSeen(session));
    if (unseen !== undefined && !this.#notifying) void this.#tell(unseen);
  }

  async #tell({ approval }: Waiting): Promise<void> {
    this.#notifying = true;
    try {
      const show = vscode.l10n.t('Show');
      if ((await this.#notify(waitsText(approval.request), show)) === show) await this.show();
    } finally {
      this.#notifying = false;
    }
  }

  #waiting(): readonly Waiting[] {
    const all = this.#sessions.all.flatMap((session) => {
      const turn = session.conversation.turns.at(-1);
      // What is asked in another window is answered there.
      const isOpen = turn !== undefined && turn.end === undefined && !session.elsewhere;
      const parts = isOpen ? turn.parts : [];
      return parts.flatMap((part): readonly Waiting[] => {
        const approval = part.kind === 'tool' ? openApproval(part) : undefined;
        return approval === undefined ? [] : [{ session, approval }];
      });
    });
    return all.toSorted((one, other) => one.approval.askedAt - other.approval.askedAt);
  }
}

/** Without anything that the model or a tool wrote: a notification draws links of it. */
function waitsText({ kind }: ApprovalRequest): string {
  switch (kind) {
    case 'command':
      return vscode.l10n.t('Kimi Chat waits for your permission to run a command.');
    case 'read':
      return vscode.l10n.t('Kimi Chat waits for your permission to read a file or folder.');
    case 'foreignTool':
      return vscode.l10n.t('Kimi Chat waits for your permission to call a tool.');
    case 'secrets':
      return vscode.l10n.t('Kimi Chat waits for your decision about what looks secret.');
  }
}
