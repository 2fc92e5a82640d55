/** What the panel is told of the context window and of money, reckoned anew when something of it may have changed. */
import * as vscode from 'vscode';

import type { ShownEvent } from '../../core/conversation/turnEvent.ts';
import type { SpendingFacts } from '../../core/cost/facts.ts';
import type { PanelState } from '../../protocol/toWebview.ts';
import type { DraftQuestion, SpendingGate } from '../cost/spendingGate.ts';
import { DisposableStore, MutableDisposable } from '../disposables.ts';
import type { Log } from '../log.ts';
import type { Along } from '../prompts/along.ts';
import type { Settings } from '../settings.ts';
import { askedWith } from '../sessions/askedWith.ts';
import type { Draft } from '../composer/draft.ts';
import { leftOutOf, roomOffers, type RoomFacts } from '../sessions/makeRoom.ts';
import type { ChatSession } from '../sessions/session.ts';
import type { PanelSessions } from '../sessions/panelSessions.ts';

export interface CostFactsSources {
  readonly sessions: PanelSessions;
  readonly draft: Draft;
  readonly along: Pick<Along, 'attachments' | 'onDidChange'>;
  readonly settings: Settings;
  readonly gate: SpendingGate;
  readonly log: Log;
}

type RoomPart = Pick<PanelState, 'room' | 'leftOut'>;

export type CostPart = Pick<PanelState, 'context' | 'spending'> & RoomPart;

/** Leaving out the oldest turns is to last for a while: they go until this share of the window is taken. */
const goal = 0.5;

export class CostFacts implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #sources: CostFactsSources;
  readonly #changed = this.#store.add(new vscode.EventEmitter<void>());
  readonly #session = this.#store.add(new MutableDisposable());
  #known: CostPart | undefined;
  /** Kept while a question is being written, also below an answer that comes: neither changes what can be left out. */
  #room: RoomPart | undefined;
  /** Kept like `#room`: no request comes or ends meanwhile, and no version comes back. */
  #family: Pick<SpendingFacts, 'family'> | undefined;
  #telling = false;

  readonly onDidChange = this.#changed.event;

  constructor(sources: CostFactsSources) {
    this.#sources = sources;
    const { sessions, draft, along, settings, gate } = sources;
    const stale = (): void => {
      this.#room = undefined;
      this.#family = undefined;
      this.refresh();
    };
    this.#store.add(draft.onDidChangeAttachments(() => this.refresh()));
    this.#store.add(along.onDidChange(() => this.refresh()));
    this.#store.add(settings.onDidChange(stale));
    this.#store.add(gate.onDidChange(stale));
    // Of an earlier window, the other versions are there some time after the one that is shown.
    this.#store.add(
      sessions.onDidChangeVersions(() => {
        this.#family = undefined;
        this.refresh();
      }),
    );
    const follow = (): void => {
      this.#session.value = sessions.current.onDidHappen((event) => {
        if (concerns(event)) stale();
      });
      stale();
    };
    this.#store.add(sessions.onDidChangeCurrent(follow));
    follow();
  }

  /** Empty when it can't be reckoned: that is a defect, and no reason to show nothing at all. */
  get current(): CostPart {
    this.#known ??= this.#reckon();
    return this.#known;
  }

  /** The question that is being written changed. Told once for all that happens at the same time. */
  refresh(): void {
    this.#known = undefined;
    if (this.#telling) return;
    this.#telling = true;
    queueMicrotask(() => {
      this.#telling = false;
      if (!this.#store.isDisposed) this.#changed.fire();
    });
  }

  dispose(): void {
    this.#store.dispose();
  }

  #reckon(): CostPart {
    const { sessions, gate, log } = this.#sources;
    const session = sessions.current;
    try {
      const context = gate.context(session);
      return {
        context,
        spending: gate.spending(
          session,
          draftQuestion(this.#sources),
          (this.#family ??= gate.familySpending(session)),
        ),
        ...(this.#room ??= roomPart(roomFacts(session, this.#sources, context))),
      };
    } catch (error) {
      log.bug('cost facts', error);
      return {};
    }
  }
}

/** The question that is being written, with all that goes along with it. */
export function draftQuestion({
  draft,
  along,
  settings,
}: Pick<CostFactsSources, 'draft' | 'along' | 'settings'>): DraftQuestion {
  const attachments = [...along.attachments, ...draft.attachments];
  return { text: draft.text, attachments, choice: askedWith(settings.choice, attachments) };
}

function roomPart(facts: RoomFacts): RoomPart {
  const leftOut = leftOutOf(facts);
  return { room: roomOffers(facts), ...(leftOut !== undefined && { leftOut }) };
}

/** What room is made from in a conversation as it is now. */
export function roomFacts(
  session: ChatSession,
  { gate, settings }: Pick<CostFactsSources, 'gate' | 'settings'>,
  { used, window }: { readonly used: number; readonly window: number },
): RoomFacts {
  const { conversation, history } = session;
  return {
    conversation,
    history,
    model: settings.choice.model,
    wanted: used - window * goal,
    tokensOf: (items) => gate.itemTokens(items),
    effectOf: (after) => gate.cutEffect(session, after),
  };
}

/** Text that streams in is counted when its request has ended. */
function concerns({ kind }: ShownEvent): boolean {
  switch (kind) {
    case 'turnStarted':
    case 'turnResumed':
    case 'turnEnded':
    case 'requestSent':
    case 'requestEnded':
    case 'namingSent':
    case 'namingEnded':
    case 'contextCut':
    case 'turnRemoved':
    case 'turnRestored':
      return true;
    default:
      return false;
  }
}
