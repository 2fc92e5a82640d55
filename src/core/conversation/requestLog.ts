/**
 * What was sent, request by request, and how each beginning compares with the one before: the server's cache matches beginnings, so
 * this tells what a request costs. Keeps every request exactly, in memory that grows with the conversation and not with its square.
 */
import type { ModelId } from '../responses/models.ts';
import type { HistoryItem, RequestBody } from '../responses/wire.ts';
import type { Beginning } from './beginning.ts';
import { firstDifference } from './request.ts';
import type { TurnEvent } from './turnEvent.ts';

/** The requests of a conversation in the order of sending; a value that never changes. */
export interface RequestLog {
  readonly requests: readonly LoggedRequest[];
  /** The input of the last one, whole. */
  readonly last: readonly HistoryItem[];
}

export interface LoggedRequest {
  readonly turn: string;
  /** Scheme, host and port. */
  readonly origin?: string;
  /** All but the input. */
  readonly head: Omit<RequestBody, 'input'>;
  /** How many items at its start are those of the request before. */
  readonly same: number;
  /** The items behind them. */
  readonly added: readonly HistoryItem[];
  /** It was made elsewhere, and what was sent is not known here: nothing of this tells it but the turn. */
  readonly lost?: true;
}

export function emptyRequestLog(): RequestLog {
  return { requests: [], last: [] };
}

/** The log after one event. Pure; events that send nothing return the same value. */
export function reduceRequests(log: RequestLog, event: TurnEvent): RequestLog {
  if (event.kind !== 'requestMade') return log;
  const { turn, body, origin } = event;
  const { input, ...head } = body;
  const same = log.requests.length === 0 ? 0 : sameItems(log.last, input);
  const request: LoggedRequest = {
    turn,
    ...(origin !== undefined && { origin }),
    head,
    same,
    added: input.slice(same),
  };
  return { requests: [...log.requests, request], last: input };
}

/** Stands for a request of which only the turn and the model are known, so that those behind it keep their numbers. */
export function lostRequest(turn: string, model: ModelId): LoggedRequest {
  return { turn, head: { model, stream: true, instructions: '' }, same: 0, added: [], lost: true };
}

/** The body of one request, exactly as it was sent. Undefined when there is none of this number, and when that is not known. */
export function requestBody(log: RequestLog, index: number): RequestBody | undefined {
  const request = log.requests[index];
  return request === undefined || request.lost === true
    ? undefined
    : { ...request.head, input: inputOf(log.requests, index) };
}

/** The log as it was before anything but these turns was asked. They are the first ones of the conversation. */
export function requestsOfTurns(log: RequestLog, turns: ReadonlySet<string>): RequestLog {
  const end = log.requests.findIndex(({ turn }) => !turns.has(turn));
  if (end === -1) return log;
  const requests = log.requests.slice(0, end);
  return { requests, last: end === 0 ? [] : inputOf(requests, end - 1) };
}

/** How `body` would begin if it were sent next. */
export function beginningOf(log: RequestLog, body: RequestBody): Beginning {
  const last = log.requests.at(-1);
  if (last === undefined || last.lost === true) return { kind: 'first' };
  const before = last.head;
  const same = sameItems(log.last, body.input);
  const of = log.last.length;
  const by = firstDifference(before, body);
  if (by !== undefined) return { kind: 'changed', by, same: 0, of };
  return same === of ? { kind: 'grown' } : { kind: 'changed', by: 'input', same, of };
}

/** Whether exactly this was sent last, to the same place. */
export function isLast(
  log: RequestLog,
  request: { readonly body: RequestBody; readonly origin: string | undefined },
): boolean {
  const last = log.requests.at(-1);
  if (last === undefined || last.origin !== request.origin) return false;
  const { input, ...head } = request.body;
  return (
    equal(last.head, head) && input.length === log.last.length && sameItems(log.last, input) === input.length
  );
}

/** Walks back only as far as items of that request come from. */
function inputOf(requests: readonly LoggedRequest[], index: number): readonly HistoryItem[] {
  const pieces: (readonly HistoryItem[])[] = [];
  let wanted = Infinity;
  for (let at = index; at >= 0 && wanted > 0; at--) {
    const { same, added } = requests[at]!;
    pieces.push(added.slice(0, Math.max(0, wanted - same)));
    wanted = Math.min(wanted, same);
  }
  return pieces.toReversed().flat();
}

function sameItems(before: readonly HistoryItem[], after: readonly HistoryItem[]): number {
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && equal(before[same], after[same])) same += 1;
  return same;
}

/** By the bytes that are sent. Items are shared between requests, so nearly always one look is enough. */
function equal(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
