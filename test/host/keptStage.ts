/** A window whose conversations are kept on the disk and answered by a simulator, and its end in the order in which the extension lets go. */
import { randomUUID } from 'node:crypto';

import type { Tool } from '../../src/core/tools/tool.ts';
import { KeptSessions } from '../../src/host/sessions/keptSessions.ts';
import { PanelSessions } from '../../src/host/sessions/panelSessions.ts';
import { Sessions } from '../../src/host/sessions/sessions.ts';
import type { ProposalsPort } from '../../src/host/sessions/settleProposals.ts';
import type { Log } from '../../src/host/log.ts';
import { OwnStorage } from '../../src/host/ownStorage.ts';
import { clientAt, noKeys, sessionPorts } from './chatStage.ts';

export interface KeptWindowOptions {
  /** Where the conversations are kept. */
  readonly folder: string;
  /** Of the simulator, which asks for no key. */
  readonly url: string;
  /** Where the window keeps what is its own; nowhere when absent. */
  readonly own?: string;
  readonly log: Log;
  readonly tools?: readonly Tool[];
  readonly clock?: () => number;
  /** Everything goes by default. */
  readonly admit?: ReturnType<typeof sessionPorts>['admit'];
}

export class KeptWindow {
  readonly kept: KeptSessions;
  readonly sessions: Sessions;
  readonly panel: PanelSessions;
  readonly model: ReturnType<typeof clientAt>;
  /** What the person was told of what could not be kept. */
  readonly told: string[] = [];
  #isOpen = true;

  constructor({ folder, url, own, log, tools, clock = Date.now, admit }: KeptWindowOptions) {
    this.kept = new KeptSessions({
      ...{ folder, clock, newId: randomUUID, log },
      tell: (message) => this.told.push(message),
      ...(own !== undefined && { own: new OwnStorage(own, log) }),
    });
    this.model = clientAt(url, noKeys, log);
    const ports = sessionPorts(this.model, log, tools);
    this.sessions = new Sessions({ ...ports, ...(admit && { admit }), keeper: this.kept });
    this.panel = new PanelSessions(this.sessions);
  }

  /** Begins to bring back what was kept. Resolves when all of it is there, that which waits for a decision too. */
  restore(proposals?: ProposalsPort): Promise<void> {
    const { whenAll } = this.kept.restore(this.panel, proposals);
    return this.sessions.whenRestored.then(() => whenAll);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.kept.closeNow();
    this.panel.dispose();
    this.sessions.dispose();
    this.kept.dispose();
  }
}
