/** The panels of this window: the one in the side bar, and those in editor tabs. Finds the one that a command is for. */
import type { ApprovalPanels } from './approvalNotice.ts';
import type { ChatView } from './chatView.ts';
import type { Draft } from '../composer/draft.ts';
import type { PanelSessions } from '../sessions/panelSessions.ts';
import type { ChatSession } from '../sessions/session.ts';

/** What can be done with a panel, wherever it stands. */
export interface ChatPanel {
  readonly sessions: PanelSessions;
  readonly draft: Draft;
  readonly view: Pick<ChatView, 'post' | 'focus' | 'find' | 'visible'>;
}

/** The one that is always there. */
export interface SidePanel extends ChatPanel {
  readonly view: Pick<ChatView, 'post' | 'focus' | 'find' | 'visible' | 'setBadge'>;
}

export class ChatPanels implements ApprovalPanels {
  readonly #side: SidePanel;
  #tabs: readonly ChatPanel[] = [];
  /** In which something was done last. */
  #used: ChatPanel;

  constructor(side: SidePanel) {
    this.#side = side;
    this.#used = side;
  }

  get side(): SidePanel {
    return this.#side;
  }

  get tabs(): readonly ChatPanel[] {
    return this.#tabs;
  }

  /** The one that the person is at: where they did something last, as long as they see it; else that of the side bar. */
  get inFront(): ChatPanel {
    return this.#used.view.visible ? this.#used : this.#side;
  }

  add(tab: ChatPanel): void {
    this.#tabs = [...this.#tabs, tab];
  }

  remove(tab: ChatPanel): void {
    this.#tabs = this.#tabs.filter((one) => one !== tab);
    if (this.#used === tab) this.#used = this.#side;
  }

  /** Something was done in it. */
  use(panel: ChatPanel): void {
    this.#used = panel;
  }

  /** The tab that shows it. */
  tabOf(session: ChatSession): ChatPanel | undefined {
    return this.#tabs.find(({ sessions }) => sessions.current === session);
  }

  isSeen(session: ChatSession): boolean {
    return [this.#side, ...this.#tabs].some(
      ({ sessions, view }) => view.visible && sessions.current === session,
    );
  }

  async showApproval(session: ChatSession): Promise<void> {
    const panel = this.tabOf(session) ?? this.#side;
    panel.sessions.show(session);
    await panel.view.focus({ kind: 'focusApproval' });
  }

  setBadge(value: number, tooltip: string): void {
    this.#side.view.setBadge(value, tooltip);
  }
}
