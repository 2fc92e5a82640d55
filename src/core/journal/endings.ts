/**
 * What ends the turns that were running when their window went, so that they can be gone on with. Of every call it is told what is known of
 * it, for people and for the model. Pure.
 */
import type { Conversation, ToolPart, Turn } from '../conversation/conversation.ts';
import { isQuestion, outputItem, type History } from '../conversation/history.ts';
import { canBeDecided, openApproval } from '../conversation/waiting.ts';
import { roundOf } from '../conversation/rounds.ts';
import type { ItemsKept, ShownEvent } from '../conversation/turnEvent.ts';
import { userMessage } from '../conversation/userMessage.ts';
import type { HistoryItem } from '../responses/wire.ts';

/**
 * @param written milliseconds since the epoch when something was written last: later than that nothing is known to have gone on, however
 *   much later it is found out
 * @returns nothing when nothing ran
 */
export function endingsOf(
  { conversation, history }: { readonly conversation: Conversation; readonly history: History },
  written: number,
): readonly (ShownEvent | ItemsKept)[] {
  return conversation.turns.flatMap((turn) => {
    const at = Math.max(written, lastTime(turn));
    return [
      ...(turn.naming !== undefined && turn.naming.endedAt === undefined
        ? [{ kind: 'namingEnded', turn: turn.id, usage: null, at } as const]
        : []),
      ...(turn.end === undefined ? endingOf(turn, history, at) : []),
    ];
  });
}

/** When the last began of what is known of a turn: a file that was copied or restored may look older than what stands in it. */
function lastTime({ startedAt, naming, requests, parts }: Turn): number {
  const times = [...requests.map((request) => request.sentAt), ...parts.map(({ openedAt }) => openedAt)];
  return times.reduce((last, time) => Math.max(last, time), Math.max(startedAt, naming?.sentAt ?? 0));
}

function endingOf(turn: Turn, history: History, at: number): readonly (ShownEvent | ItemsKept)[] {
  const last = turn.requests.at(-1);
  const isCut = last !== undefined && last.endedAt === undefined;
  const groups = history.groups.filter((group) => group.turn === turn.id);
  const kept = groups.at(-1)?.items ?? [];
  // What was attached is lost where that was cut off; what was asked is not.
  const message = groups.some(({ items }) => items.some(isQuestion))
    ? undefined
    : userMessage(turn.question.text, []);
  // The end of a response and what is kept of it are written one after the other.
  const isLost =
    isCut ||
    (last !== undefined && kept.every((item) => item.type === 'message' && item.role !== 'assistant'));
  const own = turn.parts.filter(({ id }) => roundOf(id) === last?.round);
  const settled = turn.parts
    .filter((part) => part.kind === 'tool')
    .map((part) => ({ part, outcome: outcomeOf(part) }));
  const outputs = isLost
    ? []
    : outputsOf(
        kept,
        settled.filter(({ part }) => own.includes(part)),
      );
  return [
    ...(message === undefined ? [] : [{ kind: 'itemsKept', turn: turn.id, items: [message] } as const]),
    ...turn.parts.flatMap((part): readonly ShownEvent[] => {
      if (part.closedAt !== undefined) return [];
      if (part.kind !== 'tool') return [{ kind: 'partClosed', turn: turn.id, part: part.id, at }];
      return [
        ...answerOf(turn, part),
        { kind: 'toolSettled', turn: turn.id, part: part.id, outcome: outcomeOf(part), at },
      ];
    }),
    ...(isCut ? [{ kind: 'requestEnded', turn: turn.id, usage: null, at } as const] : []),
    ...(outputs.length > 0 ? [{ kind: 'itemsKept', turn: turn.id, items: outputs } as const] : []),
    {
      kind: 'turnEnded',
      turn: turn.id,
      end: { kind: 'stopped', by: 'reload' },
      ...(isLost && own.length > 0 && { broken: own.map(({ id }) => id) }),
      at,
    },
  ];
}

type Outcome = NonNullable<ToolPart['outcome']>;

/** A patch that waits goes on waiting. */
function outcomeOf({ outcome, proposal }: ToolPart): Outcome {
  if (outcome !== undefined) return outcome;
  return proposal !== undefined && canBeDecided(proposal)
    ? { kind: 'undecided', text: undecided }
    : { kind: 'cancelled', text: interrupted };
}

const interrupted = 'The window was closed while this was going on. It may or may not have taken effect.';
const undecided =
  'Nothing was changed so far: the patch is not decided yet. You will be told; do not propose it again meanwhile.';

function answerOf(turn: Turn, part: ToolPart): readonly ShownEvent[] {
  const open = openApproval(part);
  if (open === undefined) return [];
  const answer = { kind: 'cancelled' } as const;
  return [{ kind: 'approvalAnswered', turn: turn.id, part: part.id, approval: open.id, answer }];
}

/** Of all calls of a response, when each is known by its place: outputs are kept only when all have settled. */
function outputsOf(
  kept: readonly HistoryItem[],
  settled: readonly { readonly outcome: Outcome }[],
): readonly HistoryItem[] {
  const calls = kept.filter((item) => item.type === 'function_call' || item.type === 'custom_tool_call');
  if (calls.length !== settled.length) return [];
  return calls.map((call, index) => outputItem(call, settled[index]!.outcome.text));
}
