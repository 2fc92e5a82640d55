/** What is said about a turn, worked out from its parts: what it is doing, how long it took, what it used. Pure. */
import type {
  Approval,
  Part,
  ReasoningPart,
  RetryWait,
  SearchPart,
  ToolPart,
  Turn,
} from '../core/conversation/conversation.ts';
import { endsInText } from '../core/conversation/continuing.ts';
import { openApproval } from '../core/conversation/waiting.ts';
import type { CutOff } from './failureText.ts';
import { roundOf } from '../core/conversation/rounds.ts';
import { isUndecided } from './patchFacts.ts';

/** What a running turn is doing right now. */
export type Activity =
  /** Nothing has come yet for the present request. `since` is when the wait began. */
  | { readonly kind: 'waiting'; readonly since: number }
  /** The request failed and is sent again by itself. */
  | { readonly kind: 'retrying'; readonly retry: RetryWait }
  | { readonly kind: 'thinking'; readonly since: number }
  | { readonly kind: 'answering' }
  /** The service searches the web. */
  | { readonly kind: 'searching'; readonly part: SearchPart }
  | { readonly kind: 'writingCall'; readonly part: ToolPart }
  | { readonly kind: 'runningTool'; readonly part: ToolPart }
  /** Tools ask the person: the first question, and how many there are. */
  | { readonly kind: 'asking'; readonly approval: Approval; readonly count: number }
  /** A proposal waits for the person. */
  | { readonly kind: 'reviewing'; readonly part: ToolPart };

/** Undefined once the turn has ended. */
export function activityOf(turn: Turn): Activity | undefined {
  if (turn.end !== undefined) return undefined;
  if (turn.retry !== undefined) return { kind: 'retrying', retry: turn.retry };
  const asked = turn.parts.flatMap((part) => (part.kind === 'tool' ? (openApproval(part) ?? []) : []));
  const [approval] = asked;
  if (approval !== undefined) return { kind: 'asking', approval, count: asked.length };
  const open = turn.parts.findLast((part) => part.closedAt === undefined);
  const waiting = turn.parts.find((part) => isWaitingForReview(part));
  if (waiting?.kind === 'tool') return { kind: 'reviewing', part: waiting };
  if (open === undefined) return { kind: 'waiting', since: lastMoment(turn) };
  switch (open.kind) {
    case 'reasoning':
      return { kind: 'thinking', since: open.openedAt };
    case 'answer':
      return { kind: 'answering' };
    case 'search':
      return { kind: 'searching', part: open };
    case 'tool':
      return { kind: open.askedAt === undefined ? 'writingCall' : 'runningTool', part: open };
  }
}

/** True while the person has to decide about something in this part. */
export function isWaitingForReview(part: Part): boolean {
  return (
    part.kind === 'tool' && part.closedAt === undefined && part.proposal?.files.some(isUndecided) === true
  );
}

/** A call that changes files is shown as a patch card, from its first piece on. */
export function isPatch(part: ToolPart): boolean {
  return part.proposal !== undefined || part.progress !== undefined || part.name === 'apply_patch';
}

function lastMoment(turn: Turn): number {
  return turn.parts.reduce(
    (latest, part) => Math.max(latest, part.closedAt ?? part.openedAt),
    turn.startedAt,
  );
}

/** A request is on its way, so that something may be heard of it. Not while it waits to be sent again, nor while a tool runs. */
export function awaitsService(turn: Turn): boolean {
  const last = turn.requests.at(-1);
  return (
    turn.end === undefined && turn.retry === undefined && last !== undefined && last.endedAt === undefined
  );
}

/** Milliseconds without news after which that is said. */
export const longSilence = 60_000;

/**
 * How long nothing was heard of a request that is on its way; undefined while that is nothing to speak of. Times are milliseconds since
 * the epoch by the host's clock.
 */
export function silenceOf(turn: Turn, heardAt: number, now: number): number | undefined {
  const silent = now - heardAt;
  return awaitsService(turn) && silent >= longSilence ? silent : undefined;
}

/** Where the last response was when it was ended for its length. */
export function cutOffOf(turn: Turn): CutOff {
  const request = turn.requests.at(-1);
  const last = turn.parts.findLast((part) => roundOf(part.id) === request?.round);
  const at = endsInText(turn) ? 'answer' : last?.kind === 'tool' ? 'call' : 'reasoning';
  return { at, ...(request?.room !== undefined && { room: request.room }) };
}

/** Tokens of a block of reasoning: known once its response told its usage, when the block is the only one in it. */
export function reasoningTokens(turn: Turn, part: ReasoningPart): number | undefined {
  const round = roundOf(part.id);
  const blocks = turn.parts.filter((each) => each.kind === 'reasoning' && roundOf(each.id) === round);
  return blocks.length === 1
    ? turn.requests.find((request) => request.round === round)?.usage?.reasoning
    : undefined;
}

/** UTF-16 units of a question that takes up a good part of any window by itself. */
const longQuestion = 500_000;

/** When the turn does not fit, it is the question itself: nothing stands before it, and nothing else is in it, or it is that long. */
export function isAlone(turn: Turn, turns: readonly Turn[]): boolean {
  const attached = turn.question.attachments.length > 0 && turn.cut?.attachments !== true;
  if (turn.question.text.length > longQuestion) return true;
  const first = turns.find(({ removed }) => removed !== true);
  return first?.id === turn.id && !attached && !turn.parts.some(({ kind }) => kind === 'tool');
}

/** The text of all answers of the turn, as it is copied. */
export function answerText(turn: Turn): string {
  return turn.parts
    .flatMap((part) => (part.kind === 'answer' ? part.sections : []))
    .filter((section) => section.trim() !== '')
    .join('\n\n');
}

/** Words of answer in the response that broke. Languages without spaces are counted by their own rules. */
export function brokenWords(turn: Turn, locale: string): number {
  const broken = new Set(turn.broken);
  const text = turn.parts
    .flatMap((part) => (part.kind === 'answer' && broken.has(part.id) ? part.sections : []))
    .join(' ');
  if (text.trim() === '') return 0;
  let count = 0;
  for (const segment of new Intl.Segmenter(locale, { granularity: 'word' }).segment(text)) {
    if (segment.isWordLike === true) count += 1;
  }
  return count;
}

/** The start of the question as a heading: its first line that says something, cut at a whole character. */
export function headingOf(text: string, longest = 80): string {
  const line =
    text
      .split('\n')
      .find((each) => each.trim() !== '')
      ?.trim() ?? '';
  if (line.length <= longest) return line;
  let cut = '';
  let count = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(line)) {
    if (count === longest) return `${cut.trimEnd()}…`;
    cut += segment;
    count += 1;
  }
  return line;
}
