/** From what a server says went wrong to a `Failure`: HTTP answers and errors inside a stream. Errors of sockets are the host's. */
import { readError } from './decode.ts';
import type { WireError } from './events.ts';
import type { Failure } from './failure.ts';
import { parseRetryAfter } from './retryAfter.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly retryAfter?: string | undefined;
  readonly location?: string | undefined;
  /** As far as it was read; may be empty, a web page or cut off. */
  readonly body: string;
}

/** An answer without a usable body: any status that is not 200. `now` is in milliseconds since the epoch. */
export function failureFromHttp(answer: HttpAnswer, now: number): Failure {
  const { status } = answer;
  const error = readBody(answer.body);
  const message = shortened(error.message) || fallbackMessage(answer);
  const retryAfter = parseRetryAfter(answer.retryAfter, now);
  const wait = retryAfter === undefined ? {} : { retryAfter };

  const kind = kindIn(status, kindOf(error)) ?? kindByMessage(status, error.message) ?? kindByStatus(status);
  switch (kind) {
    case 'rateLimited':
      return { kind, message, ...wait };
    case 'overloaded':
      return { kind, message, status, ...wait };
    case 'serverError':
    case 'refused':
      return { kind, message, status };
    default:
      return { kind, message };
  }
}

/** An `error` event or the error of a failed response. The status is 200: the answer had begun. */
export function failureFromStream(error: WireError): Failure {
  const message = shortened(error.message) || error.code || error.type || 'The server gave no reason.';
  const kind = kindOf(error) ?? 'serverError';
  switch (kind) {
    case 'overloaded':
    case 'serverError':
    case 'refused':
      return { kind, message, status: 200 };
    default:
      return { kind, message };
  }
}

type ServerKind = Extract<Failure, { message: string }>['kind'] extends infer K
  ? Exclude<K, 'network'>
  : never;

/**
 * By `code` first, which is the narrower one, then by `type`. The first name in each row is the service's own where it has one;
 * the others are those of compatible servers and gateways. General names (`server_error`, `invalid_request_error`) are not here: the
 * status says more.
 */
const kinds: ReadonlyMap<string, ServerKind> = new Map<string, ServerKind>([
  ['invalid_authentication_error', 'badKey'],
  ['incorrect_api_key_error', 'badKey'],
  ['invalid_api_key', 'badKey'],
  ['authentication_error', 'badKey'],
  ['permission_denied_error', 'forbidden'],
  ['permission_error', 'forbidden'],
  ['resource_not_found_error', 'modelUnknown'],
  ['model_not_found', 'modelUnknown'],
  // Also sent as 429. Waiting does not help, so it must not pass for a rate limit.
  ['exceeded_current_quota_error', 'outOfQuota'],
  ['insufficient_quota', 'outOfQuota'],
  ['insufficient_balance', 'outOfQuota'],
  ['insufficient_credits', 'outOfQuota'],
  ['rate_limit_reached_error', 'rateLimited'],
  ['rate_limit_exceeded', 'rateLimited'],
  ['rate_limit_error', 'rateLimited'],
  ['engine_overloaded_error', 'overloaded'],
  ['overloaded_error', 'overloaded'],
  ['server_unavailable', 'overloaded'],
  ['context_length_exceeded', 'contextTooLong'],
  ['content_filter', 'contentFilter'],
  ['content_policy_violation', 'contentFilter'],
  ['invalid_prompt', 'refused'],
]);

function kindOf(error: WireError): ServerKind | undefined {
  return kinds.get(error.code) ?? kinds.get(error.type);
}

/**
 * A gateway may speak of a rate limit under a status that says something else: the limit was another one's, and the request may have
 * been worked on. Only a limit that is the answer's own may be waited for.
 */
function kindIn(status: number, kind: ServerKind | undefined): ServerKind | undefined {
  return kind === 'rateLimited' && status >= 500 ? undefined : kind;
}

/**
 * The one place that looks at a message: the service answers a request that is too long with the same type as any other bad one, and so
 * does one that does not search the web.
 */
function kindByMessage(status: number, message: string): ServerKind | undefined {
  const tooLong =
    /context[ _](?:length|window)|exceed\w* (?:the )?model token limit|(?:prompt|input|request) (?:is )?too (?:long|large)/i;
  if (status !== 400) return undefined;
  if (tooLong.test(message)) return 'contextTooLong';
  // What was offered, and not a search that stands in the conversation: that stays when it is no longer offered.
  return /\bweb_search\b|\bweb_search_call\.(?:results|action)\b/.test(message) ? 'noWebSearch' : undefined;
}

function kindByStatus(status: number): ServerKind {
  switch (status) {
    case 401:
      return 'badKey';
    case 402:
      return 'outOfQuota';
    case 403:
      return 'forbidden';
    case 413:
      return 'contextTooLong';
    case 429:
      return 'rateLimited';
    case 408:
    case 499:
      return 'serverError';
    case 503:
    case 529:
      return 'overloaded';
    default:
      return status >= 500 ? 'serverError' : 'refused';
  }
}

function readBody(body: string): WireError {
  const trimmed = body.trim();
  try {
    const value: unknown = JSON.parse(trimmed);
    const outer = readError(value);
    const inner = typeof value === 'object' && value !== null && 'error' in value ? value.error : undefined;
    if (typeof inner === 'string') return { ...outer, message: inner };
    return inner === undefined || inner === null ? outer : readError(inner);
  } catch {
    // Gateways answer with web pages, whose title says most.
    const page = /^<(?:!doctype|html|\?xml|head|body)/i.test(trimmed);
    const message = page ? (/<title[^>]*>([^<]*)/i.exec(trimmed)?.[1] ?? '') : trimmed;
    return { type: '', code: '', message: message.replace(/\s+/g, ' ').trim() };
  }
}

function fallbackMessage({ status, location }: HttpAnswer): string {
  return status >= 300 && status < 400 && location !== undefined
    ? `HTTP ${status}, redirected to ${shortened(location)}`
    : `HTTP ${status}`;
}

const longestMessage = 1_000;

const characters = new Intl.Segmenter();

/** Not within what people see as one character. */
function shortened(message: string): string {
  if (message.length <= longestMessage) return message;
  const next = characters.segment(message.slice(0, 2 * longestMessage)).containing(longestMessage);
  return `${message.slice(0, next?.index)}…`;
}
