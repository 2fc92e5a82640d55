/** What can be left out of a conversation so that the next request fits, and how much each way frees. Pure; weighs with what it is given. */
import type { ContextCut, Conversation, Turn } from '../../core/conversation/conversation.ts';
import { historyItems, type History } from '../../core/conversation/history.ts';
import type { ModelId } from '../../core/responses/models.ts';
import type { HistoryItem } from '../../core/responses/wire.ts';
import type { RoomKind, RoomOffer } from '../../protocol/toWebview.ts';

export interface RoomFacts {
  readonly conversation: Conversation;
  readonly history: History;
  /** Of the next request. */
  readonly model: ModelId;
  /** Tokens to be freed by leaving out the oldest turns; one turn is left out at least. */
  readonly wanted: number;
  readonly tokensOf: (items: readonly HistoryItem[]) => number;
}

/** What is left out of a turn from then on. */
export interface TurnCut {
  readonly turn: string;
  readonly cut: ContextCut;
}

export const roomKinds: readonly RoomKind[] = ['attachments', 'toolOutputs', 'oldestTurns'];

/** The ways that free something, in the order in which they lose least. */
export function roomOffers(facts: RoomFacts): readonly RoomOffer[] {
  return roomKinds.flatMap((what) => {
    const cuts = cutsFor(what, facts);
    const tokens = cuts.length === 0 ? 0 : freed(cuts, facts);
    return tokens <= 0 ? [] : [{ what, tokens, turns: cuts.length }];
  });
}

/** The cuts of one way. The newest turn is never left out whole: the next question is likely about it. */
export function cutsFor(what: RoomKind, facts: RoomFacts): readonly TurnCut[] {
  const { conversation } = facts;
  const able = (cut: ContextCut): readonly Turn[] =>
    conversation.turns.filter((turn) => turn.cut?.whole !== true && canBeCut(turn, conversation, cut));
  switch (what) {
    case 'attachments':
      return able({ attachments: true })
        .filter(({ question, cut }) => question.attachments.length > 0 && cut?.attachments !== true)
        .map(({ id, cut }) => ({ turn: id, cut: { ...cut, attachments: true } }));
    case 'toolOutputs':
      return able({ toolOutputs: true })
        .filter(({ parts, cut }) => parts.some(({ kind }) => kind === 'tool') && cut?.toolOutputs !== true)
        .map(({ id, cut }) => ({ turn: id, cut: { ...cut, toolOutputs: true } }));
    case 'oldestTurns':
      return oldest(able({ whole: true }), facts);
  }
}

/** Tokens that the cuts free: never less than none. */
export function freed(cuts: readonly TurnCut[], { history, model, tokensOf }: RoomFacts): number {
  const byTurn = new Map(cuts.map(({ turn, cut }) => [turn, cut]));
  const after: History = {
    groups: history.groups.map((group) => {
      const cut = byTurn.get(group.turn);
      return cut === undefined ? group : { ...group, cut };
    }),
  };
  return Math.max(0, tokensOf(historyItems(history, model)) - tokensOf(historyItems(after, model)));
}

/**
 * What a turn that can be gone on with begins with is needed for that; unless it was too long, for then it can't be gone on with before
 * something of it leaves. An empty cut, which takes everything in again, is always possible.
 */
export function canBeCut({ id, end, removed }: Turn, { turns }: Conversation, cut: ContextCut): boolean {
  if (end === undefined || removed === true) return false;
  if (id !== turns.at(-1)?.id || end.kind === 'completed' || Object.keys(cut).length === 0) return true;
  return end.kind === 'failed' && end.failure.kind === 'contextTooLong';
}

function oldest(turns: readonly Turn[], facts: RoomFacts): readonly TurnCut[] {
  const { conversation, history, model, wanted, tokensOf } = facts;
  const groups = Map.groupBy(history.groups, ({ turn }) => turn);
  const cuts: TurnCut[] = [];
  let sum = 0;
  for (const { id, cut } of turns) {
    if (id === conversation.turns.at(-1)?.id || (cuts.length > 0 && sum >= wanted)) break;
    cuts.push({ turn: id, cut: { ...cut, whole: true } });
    sum += tokensOf(historyItems({ groups: groups.get(id) ?? [] }, model));
  }
  return cuts;
}
