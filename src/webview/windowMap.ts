/** The map of the context window: what fills it, what of that can be left out, and why the rest can't. Pure. */
import type { Turn } from '../core/conversation/conversation.ts';
import type { ContextKind } from '../core/cost/estimate.ts';
import type { ContextFacts } from '../core/cost/facts.ts';
import type { RoomFile, RoomKind, RoomOffer } from '../protocol/toWebview.ts';
import { windowRows, type WindowRow } from './contextText.ts';
import { visibleText } from './invisible.ts';
import { l10n } from './l10n.ts';
import { chipParts } from './paths.ts';
import { headingOf } from './turnFacts.ts';

export interface MapRow extends WindowRow {
  /** How it is left out. */
  readonly offer?: RoomOffer;
  /** Why it can't be left out; given when there is no offer. */
  readonly why?: string;
}

/** The largest first. `busy`: a turn is running, of which nothing can be left out. */
export function mapRows(
  context: ContextFacts,
  offers: readonly RoomOffer[],
  busy: boolean,
): readonly MapRow[] {
  return windowRows(context).map((row) => {
    const way = wayOf(row.kind);
    const offer = offers.find(({ what }) => what === way);
    return offer === undefined ? { ...row, why: whyNot(row.kind, busy) } : { ...row, offer };
  });
}

/** Ways that leave out no kind of a row, but something of several. */
export function otherOffers(offers: readonly RoomOffer[]): readonly RoomOffer[] {
  return offers.filter(({ what }) => what === 'oldestTurns');
}

function wayOf(kind: ContextKind): RoomKind | undefined {
  switch (kind) {
    case 'attachments':
    case 'reasoning':
    case 'toolOutputs':
    case 'rules':
      return kind;
    case 'instructions':
    case 'tools':
    case 'questions':
    case 'answers':
    case 'toolCalls':
      return undefined;
  }
}

function whyNot(kind: ContextKind, busy: boolean): string {
  switch (kind) {
    case 'instructions':
      return l10n.t('stand in front of every request');
    case 'tools':
      return l10n.t('are told of with every request');
    case 'questions':
    case 'answers':
    case 'toolCalls':
      return l10n.t('leave with their turns');
    case 'reasoning':
      return busy
        ? l10n.t('can be left out when the turn has ended')
        : l10n.t('led to calls, which the service does not take without it');
    case 'attachments':
    case 'toolOutputs':
    case 'rules':
      return busy
        ? l10n.t('can be left out when the turn has ended')
        : l10n.t('nothing more of this can be left out now');
  }
}

/** What is called what it was attached as: `cart.ts:12-31`. Undefined when it is not known here. */
export function fileName({ turn, index }: RoomFile, turns: readonly Turn[]): string | undefined {
  const attachment = turns.find(({ id }) => id === turn)?.question.attachments[index];
  if (attachment === undefined) return undefined;
  const { name } = chipParts(attachment.path, attachment.range);
  return visibleText(headingOf(name, 60));
}
