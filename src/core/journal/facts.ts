/** What a list shows of a conversation, and what is looked for without reading the whole of it. Pure; the same values whoever reckons them. */
import * as v from 'valibot';

import type { Parent } from '../conversation/branch.ts';
import type { Conversation, Turn, Usage } from '../conversation/conversation.ts';
import { canBeDecided, proposalsIn } from '../conversation/waiting.ts';
import { cutAt } from '../cutAt.ts';
import * as shapes from './shapes.ts';

/** Plain data of a bounded length. */
export interface ConversationFacts {
  readonly id: string;
  /** When it began. Milliseconds since the epoch, as all times here. */
  readonly createdAt: number;
  /** When something was asked or answered last. */
  readonly changedAt: number;
  /** The first question that was not deleted, cut at `factsTextLength`; empty when there is none. */
  readonly question: string;
  readonly title?: ConversationTitle;
  readonly pinned?: true;
  readonly parent?: Parent;
  /** Questions that were not deleted. */
  readonly turns: number;
  /** The last question has no answer, or one that did not come to its end. */
  readonly unanswered?: true;
  /** Ids of the proposals that can still be decided. */
  readonly waiting?: readonly string[];
  /** What its requests took, by the model that was asked; of what it began with, too. */
  readonly usage: readonly ({ readonly model: string; readonly requests: number } & Usage)[];
}

export interface ConversationTitle {
  readonly text: string;
  readonly by: 'person' | 'model';
}

/** Characters of the question that a list needs at most. */
export const factsTextLength = 300;

export interface FactsSource {
  readonly conversation: Conversation;
  readonly createdAt: number;
  readonly parent?: Parent | undefined;
  readonly title?: ConversationTitle | undefined;
  readonly pinned?: boolean | undefined;
}

export function factsOf({ conversation, createdAt, parent, title, pinned }: FactsSource): ConversationFacts {
  const { id, turns } = conversation;
  const changedAt = turns.reduce((at, turn) => Math.max(at, turn.endedAt ?? turn.startedAt), createdAt);
  const shown = turns.filter(({ removed }) => removed !== true);
  const last = shown.at(-1);
  const waiting = [...new Set(turns.flatMap(waitingIn))];
  return {
    id,
    createdAt: asTime(createdAt),
    changedAt: asTime(changedAt),
    question: cutAt(shown[0]?.question.text ?? '', factsTextLength),
    ...(title !== undefined && { title }),
    ...(pinned === true && { pinned }),
    ...(parent !== undefined && { parent }),
    turns: shown.length,
    ...(last !== undefined && last.end?.kind !== 'completed' && { unanswered: true }),
    ...(waiting.length > 0 && { waiting }),
    usage: usageOf(turns),
  };
}

/** The largest number of a `Date`. */
const lastTime = 8_640_000_000_000_000;

/** A number that was damaged may be no time, which nobody could show. */
function asTime(at: number): number {
  return Math.min(lastTime, Math.max(0, at));
}

function waitingIn(turn: Turn): readonly string[] {
  return proposalsIn(turn)
    .filter(canBeDecided)
    .map(({ id }) => id);
}

function usageOf(turns: readonly Turn[]): ConversationFacts['usage'] {
  const requests = turns.flatMap((turn) => [
    ...turn.requests,
    ...(turn.naming === undefined ? [] : [turn.naming]),
  ]);
  return [...Map.groupBy(requests, ({ model }) => model)].map(([model, own]) => {
    const sum = (of: keyof Usage): number => own.reduce((all, { usage }) => all + (usage?.[of] ?? 0), 0);
    return {
      model,
      requests: own.length,
      input: sum('input'),
      cached: sum('cached'),
      cacheWrite: sum('cacheWrite'),
      output: sum('output'),
      reasoning: sum('reasoning'),
    };
  });
}

/** Facts that were kept. */
export const factsShape = shapes.shapeOf<ConversationFacts>()(
  v.object({
    id: v.string(),
    createdAt: shapes.number,
    changedAt: shapes.number,
    question: v.string(),
    title: v.exactOptional(v.object({ text: v.string(), by: v.picklist(['person', 'model']) })),
    pinned: v.exactOptional(v.literal(true)),
    parent: v.exactOptional(shapes.parent),
    turns: shapes.number,
    unanswered: v.exactOptional(v.literal(true)),
    waiting: v.exactOptional(v.array(v.string())),
    usage: v.array(v.object({ model: v.string(), requests: shapes.number, ...shapes.usage.entries })),
  }),
);
