/** What is said about a turn, worked out from its parts: what it is doing, how long it took, what it used. Pure. */
import type { Part, ReasoningPart, ToolPart, Turn, Usage } from '../core/conversation/conversation.ts';
import { isUndecided } from './patchFacts.ts';

/** What a running turn is doing right now. */
export type Activity =
  /** Nothing has come yet for the present request. `since` is when the wait began. */
  | { readonly kind: 'waiting'; readonly since: number }
  | { readonly kind: 'thinking'; readonly since: number }
  | { readonly kind: 'answering' }
  | { readonly kind: 'writingCall'; readonly part: ToolPart }
  | { readonly kind: 'runningTool'; readonly part: ToolPart }
  /** A proposal waits for the person. */
  | { readonly kind: 'reviewing'; readonly part: ToolPart };

/** Undefined once the turn has ended. */
export function activityOf(turn: Turn): Activity | undefined {
  if (turn.end !== undefined) return undefined;
  const open = turn.parts.findLast((part) => part.closedAt === undefined);
  const waiting = turn.parts.find((part) => isWaitingForReview(part));
  if (waiting?.kind === 'tool') return { kind: 'reviewing', part: waiting };
  if (open === undefined) return { kind: 'waiting', since: lastMoment(turn) };
  switch (open.kind) {
    case 'reasoning':
      return { kind: 'thinking', since: open.openedAt };
    case 'answer':
      return { kind: 'answering' };
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

export interface TurnUsage extends Usage {
  /** Some request told no usage: the figures are too low. */
  readonly partial: boolean;
}

/** The sum over all requests of the turn that have ended, or undefined when none told its usage. */
export function usageOf(turn: Turn): TurnUsage | undefined {
  const ended = turn.requests.filter(({ endedAt, unbilled }) => endedAt !== undefined && unbilled !== true);
  const told = ended.flatMap(({ usage }) => usage ?? []);
  if (told.length === 0) return undefined;
  return told.reduce<TurnUsage>(
    (sum, usage) => ({
      ...sum,
      input: sum.input + usage.input,
      cached: sum.cached + usage.cached,
      cacheWrite: sum.cacheWrite + usage.cacheWrite,
      output: sum.output + usage.output,
      reasoning: sum.reasoning + usage.reasoning,
    }),
    { input: 0, cached: 0, cacheWrite: 0, output: 0, reasoning: 0, partial: told.length < ended.length },
  );
}

/**
 * Tokens that the conversation takes up in the model's window: all that the last response read and wrote. Undefined while no
 * response told its usage.
 */
export function windowUse(turns: readonly Turn[]): number | undefined {
  for (const turn of turns.toReversed()) {
    const last = turn.requests.findLast(({ usage }) => usage !== undefined && usage !== null)?.usage;
    if (last !== undefined && last !== null) return last.input + last.output;
  }
  return undefined;
}

/** Tokens of a block of reasoning: known once its response told its usage, when the block is the only one in it. */
export function reasoningTokens(turn: Turn, part: ReasoningPart): number | undefined {
  const round = roundOf(part.id);
  const blocks = turn.parts.filter((each) => each.kind === 'reasoning' && roundOf(each.id) === round);
  return blocks.length === 1
    ? turn.requests.find((request) => request.round === round)?.usage?.reasoning
    : undefined;
}

/** The round in which a part was made: the first half of its id. */
function roundOf(part: string): number {
  return Number.parseInt(part, 10);
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
  let cut = '';
  let count = 0;
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(line)) {
    if (count === longest) return `${cut.trimEnd()}…`;
    cut += segment;
    count += 1;
  }
  return line;
}
