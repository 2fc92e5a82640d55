/**
 * What one panel was told that there is to decide: a message from it can decide about nothing else. Knows neither what a decision does nor
 * whether it is still open; how long something has to be seen is the page's own business.
 */
import type { Conversation, ProposalSummary, Turn } from '../../core/conversation/conversation.ts';
import type { ShownEvent } from '../../core/conversation/turnEvent.ts';
import type { DearIntent, Intent } from '../../protocol/toHost.ts';
import type { PanelState, ToWebview } from '../../protocol/toWebview.ts';

/** Prices that a panel was told and that may still be agreed to; older ones are asked about again. */
const mostPrices = 100;

export class ShownDecisions {
  #proposals = new Set<string>();
  #approvals = new Set<string>();
  /** Beside the conversation. */
  #beside: ReadonlySet<string> = new Set();
  #check: string | undefined;
  readonly #prices = new Map<string, number>();

  /** To be told of everything that is posted to the panel. */
  posted(message: ToWebview): void {
    switch (message.kind) {
      case 'snapshot':
        this.#panel(message.panel);
        this.#conversation(message.conversation);
        break;
      case 'conversation':
        this.#conversation(message.conversation);
        break;
      case 'earlier':
        message.turns.forEach((turn) => this.#turn(turn));
        break;
      case 'events':
        message.events.forEach((event) => this.#event(event));
        break;
      case 'panel':
        this.#panel(message.panel);
        break;
      case 'confirm': {
        const name = nameOf(message.asked);
        this.#prices.delete(name);
        this.#prices.set(name, message.next.money.likely);
        const [oldest] = this.#prices.keys();
        if (this.#prices.size > mostPrices && oldest !== undefined) this.#prices.delete(oldest);
        break;
      }
      case 'secrets':
        this.#check = message.check;
        break;
      default:
    }
  }

  /** The intent as it may be obeyed: a price is agreed to only as far as it was told. Undefined for one that decides what was not shown. */
  obeyed(intent: Intent): Intent | undefined {
    switch (intent.kind) {
      case 'accept':
      case 'reject':
      case 'takeBack':
      case 'takeBackChange':
        return this.#proposals.has(intent.proposal) || this.#beside.has(intent.proposal) ? intent : undefined;
      case 'answerApproval':
        return this.#approvals.has(intent.approval) ? intent : undefined;
      case 'decideSecrets':
        return intent.check === this.#check ? intent : undefined;
      case 'send':
      case 'resume':
      case 'summarize':
      case 'edit':
      case 'answerAgain':
      case 'sendQueued': {
        const { agreed, ...rest } = intent;
        const told = this.#prices.get(nameOf(intent));
        return agreed === undefined || told === undefined
          ? rest
          : { ...rest, agreed: Math.min(agreed, told) };
      }
      default:
        return intent;
    }
  }

  #conversation({ turns }: Conversation): void {
    this.#proposals = new Set();
    this.#approvals = new Set();
    turns.forEach((turn) => this.#turn(turn));
  }

  #turn({ parts }: Turn): void {
    for (const part of parts) {
      if (part.kind !== 'tool') continue;
      this.#proposal(part.proposal);
      for (const { id } of part.approvals ?? []) this.#approvals.add(id);
    }
  }

  #event(event: ShownEvent): void {
    if (event.kind === 'toolReviewed') this.#proposal(event.proposal);
    else if (event.kind === 'approvalAsked') this.#approvals.add(event.approval.id);
    else if (event.kind === 'turnRestored') this.#turn(event.content);
  }

  #panel({ code = [], orphans = [] }: PanelState): void {
    this.#beside = new Set([...code.map(({ proposal }) => proposal.id), ...orphans.map(({ id }) => id)]);
  }

  #proposal(proposal: ProposalSummary | undefined): void {
    if (proposal !== undefined) this.#proposals.add(proposal.id);
  }
}

/** What is asked of the model, whatever goes with it. */
function nameOf(asked: DearIntent | Extract<Intent, { readonly agreed?: unknown }>): string {
  switch (asked.kind) {
    case 'send':
    case 'edit':
    case 'answerAgain':
      return `${asked.kind} ${asked.id}`;
    case 'resume':
      return `${asked.kind} ${asked.turn}`;
    case 'sendQueued':
      return `${asked.kind} ${asked.question}`;
    case 'summarize':
      return asked.kind;
  }
}
