/** Where a conversation goes on another way: what its first turns are, as people see them, as the model does, and as they were asked. Pure. */
import type { UserMessageItem } from '../responses/wire.ts';
import type { Conversation, Question, Turn } from './conversation.ts';
import { summaryOf, userMessage, type Attachment } from './userMessage.ts';
import { isQuestion, type History } from './history.ts';
import { requestsOfTurns, type RequestLog } from './requestLog.ts';

/** All that a conversation consists of: plain data, from which another one can begin. */
export interface Origin {
  readonly conversation: Conversation;
  readonly history: History;
  readonly requests: RequestLog;
}

/** Where a conversation branched off. */
export interface Parent {
  readonly conversation: string;
  readonly turn: string;
  /** `version`: its first own turn stands in the place of `turn`. `fork`: `turn` is the last one that was taken along. */
  readonly kind: 'version' | 'fork';
}

/**
 * The first turns of a conversation, as the beginning of another one of this id. They keep their ids: both show the same turns. Undefined
 * when one of them is still running, for nobody knows yet what it will be.
 *
 * @param count how many of them
 */
export function firstTurns(from: Origin, count: number, id: string): Origin | undefined {
  const turns = from.conversation.turns.slice(0, count);
  if (turns.some(({ end }) => end === undefined)) return undefined;
  const ids = new Set(turns.map((turn) => turn.id));
  return {
    conversation: { id, turns },
    history: { groups: from.history.groups.filter(({ turn }) => ids.has(turn)) },
    requests: requestsOfTurns(from.requests, ids),
  };
}

export interface AskedQuestion {
  readonly question: Question;
  readonly message: UserMessageItem;
}

/** Another text for a question, and the chips that stay. */
export interface Edit {
  readonly text: string;
  /** Ids. Those that the question does not have are no matter. */
  readonly attachments: ReadonlySet<string>;
}

/**
 * A question as it was asked, with the very texts that were attached then; with an `edit`, as it is asked instead. Undefined when what was
 * asked is not known.
 */
export function askedQuestion(history: History, turn: Turn, edit?: Edit): AskedQuestion | undefined {
  const message = history.groups
    .flatMap((group) => (group.turn === turn.id ? group.items : []))
    .find(isQuestion);
  const { question } = turn;
  // One content part an attachment, then the question.
  if (message?.content.length !== question.attachments.length + 1) return undefined;
  if (edit === undefined) return { question, message };
  const stays = question.attachments.map(({ id }) => edit.attachments.has(id));
  return {
    question: { text: edit.text, attachments: question.attachments.filter((_, index) => stays[index]) },
    message: {
      ...message,
      content: [
        ...message.content.filter((_, index) => stays[index]),
        { type: 'input_text', text: edit.text },
      ],
    },
  };
}

/** What becomes of the attachments of a question that is asked again. */
export interface Exchange {
  /** Ids of those that leave. */
  readonly drop: ReadonlySet<string>;
  /** Stands in front of those that stay. */
  readonly before: readonly Attachment[];
  /** Stands behind them. */
  readonly after: readonly Attachment[];
}

/** The question with other attachments; those that stay keep the very texts that were sent. */
export function exchanged(
  { question, message }: AskedQuestion,
  { drop, before, after }: Exchange,
): AskedQuestion {
  const stays = question.attachments.map(({ id }) => !drop.has(id));
  const partsOf = (attachments: readonly Attachment[]): UserMessageItem['content'] =>
    userMessage('', attachments).content.slice(0, -1);
  return {
    question: {
      text: question.text,
      attachments: [
        ...before.map(summaryOf),
        ...question.attachments.filter((_, index) => stays[index]),
        ...after.map(summaryOf),
      ],
    },
    message: {
      ...message,
      content: [
        ...partsOf(before),
        ...message.content.slice(0, -1).filter((_, index) => stays[index]),
        ...partsOf(after),
        ...message.content.slice(-1),
      ],
    },
  };
}

/** Paths that the model is told of at most. */
const mostPaths = 50;

/**
 * What the model is to be told when these turns are left behind: what was accepted of them is in the files all the same. Undefined when
 * nothing was.
 */
export function leftBehind(turns: readonly Turn[]): string | undefined {
  const accepted = turns.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'tool' ? (part.proposal?.files ?? []) : [])),
  );
  const paths = new Set(
    accepted.flatMap(({ state, path, to }) => (state === 'accepted' ? [path, to ?? path] : [])),
  );
  if (paths.size === 0) return undefined;
  const named = [...paths].slice(0, mostPaths).map((path) => JSON.stringify(path));
  const others = paths.size > mostPaths ? ` and ${paths.size - mostPaths} others` : '';
  return `The user went back to an earlier point of this conversation. Changes that were accepted after that point are still in these files: ${named.join(', ')}${others}. What you know of these files may be out of date.`;
}
