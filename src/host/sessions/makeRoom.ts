/** What can be left out of a conversation so that the next request fits, and how much each way frees. Pure; weighs with what it is given. */
import type { ContextCut, Conversation, Turn } from '../../core/conversation/conversation.ts';
import { ruleIndices } from '../../core/conversation/rules.ts';
import { historyItems, type History } from '../../core/conversation/history.ts';
import type { ModelId } from '../../core/responses/models.ts';
import type { HistoryItem, UserMessageItem } from '../../core/responses/wire.ts';
import type { CutEffect, LeftOut, RoomFile, RoomKind, RoomOffer } from '../../protocol/toWebview.ts';

export interface RoomFacts {
  readonly conversation: Conversation;
  readonly history: History;
  /** Of the next request. */
  readonly model: ModelId;
  /** Tokens to be freed by leaving out the oldest turns; one turn is left out at least. */
  readonly wanted: number;
  readonly tokensOf: (items: readonly HistoryItem[]) => number;
  /** What it does to the next question when the history is another. */
  readonly effectOf: (after: History) => CutEffect;
}

/** What is left out of a turn from then on. */
export interface TurnCut {
  readonly turn: string;
  readonly cut: ContextCut;
}

export const roomKinds: readonly RoomKind[] = [
  'attachments',
  'reasoning',
  'toolOutputs',
  'rules',
  'oldestTurns',
];

/** The ways that free something, in the order in which they lose least. */
export function roomOffers(facts: RoomFacts): readonly RoomOffer[] {
  return roomKinds.flatMap((what) => {
    const cuts = cutsFor(what, facts);
    const tokens = cuts.length === 0 ? 0 : freed(cuts, facts);
    if (tokens <= 0) return [];
    const files = what === 'attachments' || what === 'rules' ? roomFiles(what, facts) : [];
    const effect = facts.effectOf(without(facts.history, cuts));
    return [{ what, tokens, turns: cuts.length, effect, ...(files.length > 0 && { files }) }];
  });
}

/** Each is reckoned by itself. The smaller ones are worth little, and leave with all attachments. */
const mostFiles = 12;

/** The largest attachments that are still seen, the largest first: instructions, or all else. */
function roomFiles(what: 'attachments' | 'rules', facts: RoomFacts): readonly RoomFile[] {
  const { conversation, history, tokensOf } = facts;
  const files = conversation.turns.flatMap((turn) =>
    turn.question.attachments.flatMap(({ kind }, index) => {
      if ((kind === 'instructions') !== (what === 'rules')) return [];
      if (fileCut(turn.id, index, facts).length === 0) return [];
      const item = questionOf(history, turn);
      const part = item?.content[index];
      if (item === undefined || part === undefined) return [];
      return { turn: turn.id, index, tokens: tokensOf([{ ...item, content: [part] }]) };
    }),
  );
  return files
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, mostFiles)
    .map((file) => {
      const cuts = fileCut(file.turn, file.index, facts);
      return { ...file, tokens: freed(cuts, facts), effect: facts.effectOf(without(history, cuts)) };
    })
    .filter(({ tokens }) => tokens > 0);
}

/** None when there is no such attachment, or when it can't be left out now. */
export function fileCut(
  turnId: string,
  file: number,
  { conversation }: Pick<RoomFacts, 'conversation'>,
): readonly TurnCut[] {
  const turn = conversation.turns.find(({ id }) => id === turnId);
  if (turn === undefined || file >= turn.question.attachments.length) return [];
  const { whole, attachments, files = [] } = turn.cut ?? {};
  if (whole === true || attachments === true || files.includes(file)) return [];
  const cut = { ...turn.cut, files: [...files, file].toSorted((a, b) => a - b) };
  return canBeCut(turn, conversation, cut) ? [{ turn: turnId, cut }] : [];
}

/** All that is left out now, and what it would take up. Undefined when that is nothing. */
export function leftOutOf(facts: RoomFacts): LeftOut | undefined {
  const cuts = restoringCuts(facts);
  if (cuts.length === 0) return undefined;
  const { history, model, tokensOf } = facts;
  const tokens =
    tokensOf(historyItems(without(history, cuts), model)) - tokensOf(historyItems(history, model));
  return { tokens: Math.max(0, tokens), turns: cuts.length };
}

/** The cuts that take in again all that was left out. */
export function restoringCuts({ conversation }: Pick<RoomFacts, 'conversation'>): readonly TurnCut[] {
  return conversation.turns
    .filter((turn) => turn.cut !== undefined && canBeCut(turn, conversation, {}))
    .map(({ id }) => ({ turn: id, cut: {} }));
}

/** The message in which the attachments of a turn stand. */
function questionOf({ groups }: History, { id, question }: Turn): UserMessageItem | undefined {
  const parts = question.attachments.length + 1;
  for (const group of groups) {
    if (group.turn !== id) continue;
    for (const item of group.items) {
      if (item.type === 'message' && item.role === 'user' && item.content.length === parts) return item;
    }
  }
  return undefined;
}

function without(history: History, cuts: readonly TurnCut[]): History {
  const byTurn = new Map(cuts.map(({ turn, cut }) => [turn, cut]));
  return {
    groups: history.groups.map((group) => {
      const cut = byTurn.get(group.turn);
      return cut === undefined ? group : { ...group, cut };
    }),
  };
}

/** The cuts of one way. The newest turn is never left out whole: the next question is likely about it. */
export function cutsFor(what: RoomKind, facts: RoomFacts): readonly TurnCut[] {
  const { conversation } = facts;
  const able = (cut: ContextCut): readonly Turn[] =>
    conversation.turns.filter((turn) => turn.cut?.whole !== true && canBeCut(turn, conversation, cut));
  switch (what) {
    case 'attachments':
      return able({ attachments: true }).flatMap((turn) => attachmentsCut(turn));
    case 'rules':
      return able({ files: [] }).flatMap((turn) => filesCut(turn, ruleIndices(turn)));
    case 'reasoning':
      return able({ reasoning: true })
        .filter(({ parts, cut }) => parts.some(({ kind }) => kind === 'reasoning') && cut?.reasoning !== true)
        .map(({ id, cut }) => ({ turn: id, cut: { ...cut, reasoning: true } }));
    case 'toolOutputs':
      return able({ toolOutputs: true })
        .filter(({ parts, cut }) => parts.some(({ kind }) => kind === 'tool') && cut?.toolOutputs !== true)
        .map(({ id, cut }) => ({ turn: id, cut: { ...cut, toolOutputs: true } }));
    case 'oldestTurns':
      return oldest(able({ whole: true }), facts);
  }
}

/** All of a turn but its instructions: those are left out by themselves. */
function attachmentsCut(turn: Turn): readonly TurnCut[] {
  const { id, question, cut } = turn;
  const rules = ruleIndices(turn);
  if (rules.length > 0) {
    const others = question.attachments.map((_, index) => index).filter((index) => !rules.includes(index));
    return filesCut(turn, others);
  }
  if (question.attachments.length === 0 || cut?.attachments === true) return [];
  return [{ turn: id, cut: { ...cut, attachments: true } }];
}

/** None when all of them are left out already. */
function filesCut({ id, cut }: Turn, indices: readonly number[]): readonly TurnCut[] {
  const { attachments, files = [] } = cut ?? {};
  if (attachments === true || indices.every((index) => files.includes(index))) return [];
  const all = [...new Set([...files, ...indices])].toSorted((a, b) => a - b);
  return [{ turn: id, cut: { ...cut, files: all } }];
}

/** Tokens that the cuts free: never less than none. */
export function freed(cuts: readonly TurnCut[], { history, model, tokensOf }: RoomFacts): number {
  const after = without(history, cuts);
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
