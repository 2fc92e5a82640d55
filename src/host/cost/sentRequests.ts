/**
 * “What was sent”: the exact body of a request, with what came of it, as a read-only document. The key travels in a header, which is
 * not kept; where somebody wrote it into a text, it is masked.
 */
import * as vscode from 'vscode';

import { requestsOf } from '../../core/cost/bill.ts';
import type { RequestRecord } from '../../core/conversation/conversation.ts';
import { historyItems } from '../../core/conversation/history.ts';
import { requestBody } from '../../core/conversation/requestLog.ts';
import { titleRequest } from '../../core/conversation/title.ts';
import type { HistoryItem } from '../../core/responses/wire.ts';
import type { ChatSession } from '../sessions/session.ts';
import { DisposableStore } from '../disposables.ts';

export const sentScheme = 'kimi-sent';

export type SentSession = Pick<ChatSession, 'conversation' | 'history' | 'requests'>;

export class SentRequests implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #find: (conversation: string) => SentSession | undefined;
  readonly #reopen: (conversation: string) => Promise<unknown>;
  readonly #withoutKeys: (text: string) => string;
  readonly #scheme: string;
  readonly #changed = this.#store.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.#changed.event;

  /**
   * @param withoutKeys takes every key out of a text that a request has carried
   * @param scheme can be registered once; only tests give another one
   * @param reopen has a conversation there again that was closed meanwhile, if it can
   */
  constructor(
    find: (conversation: string) => SentSession | undefined,
    withoutKeys: (text: string) => string,
    scheme = sentScheme,
    reopen: (conversation: string) => Promise<unknown> = () => Promise.resolve(),
  ) {
    this.#find = find;
    this.#reopen = reopen;
    this.#withoutKeys = withoutKeys;
    this.#scheme = scheme;
    this.#store.add(vscode.workspace.registerTextDocumentContentProvider(scheme, this));
  }

  /** The document of one request. @param index over all requests of the conversation, from 0 */
  uriOf(conversation: string, index: number): vscode.Uri {
    const name = vscode.l10n.t('Request {0}', index + 1);
    return vscode.Uri.from({
      scheme: this.#scheme,
      path: `/${name}.json`,
      query: new URLSearchParams({ conversation, request: String(index) }).toString(),
    });
  }

  /** False, and nothing opens, when there is no such request. */
  async open(conversation: string, index: number): Promise<boolean> {
    return await this.#open(this.uriOf(conversation, index));
  }

  /** As `open`, of the request with which the conversation was named after a turn. */
  async openNaming(conversation: string, turn: string): Promise<boolean> {
    return await this.#open(
      vscode.Uri.from({
        scheme: this.#scheme,
        path: `/${vscode.l10n.t('Request for a title')}.json`,
        query: new URLSearchParams({ conversation, naming: turn }).toString(),
      }),
    );
  }

  async #open(uri: vscode.Uri): Promise<boolean> {
    if (this.#textOf(uri) === undefined) return false;
    // What came of it may not have been known when it was opened before.
    this.#changed.fire(uri);
    await vscode.window.showTextDocument(uri, { preview: true });
    return true;
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    // A body may be of megabytes: it is made once.
    let text = this.#textOf(uri);
    if (text === undefined) {
      await this.#reopen(conversationOf(uri));
      text = this.#textOf(uri);
    }
    return text ?? `// ${vscode.l10n.t('This request is no longer known: the window was closed since.')}\n`;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #textOf(uri: vscode.Uri): string | undefined {
    const named = new URLSearchParams(uri.query);
    const session = this.#find(conversationOf(uri));
    const naming = named.get('naming');
    const sent =
      session &&
      (naming === null
        ? whatWasSent(session, Number(named.get('request')))
        : whatNamedIt(session.conversation, naming));
    return sent && `${JSON.stringify(sent, this.#asSent, 2)}\n`;
  }

  /** Half a character is sent as the sign for one. */
  readonly #asSent = (_name: string, value: unknown): unknown =>
    typeof value === 'string' ? this.#withoutKeys(value.toWellFormed()) : value;
}

function conversationOf({ query }: vscode.Uri): string {
  return new URLSearchParams(query).get('conversation') ?? '';
}

/** Undefined when there is no request of this number. Keys are for programmers: they stay English. */
export function whatWasSent(session: SentSession, index: number): object | undefined {
  const body = requestBody(session.requests, index);
  const record = requestsOf(session.conversation)[index];
  if (body === undefined || record === undefined) return undefined;
  const { sentAt, beginning, via } = record;
  const items = itemsOf(session, index);
  return {
    request: {
      to: via ?? session.requests.requests[index]?.origin,
      at: new Date(sentAt).toISOString(),
      beginning,
      body,
    },
    response: { ...cameOf(record), ...(items !== undefined && { itemsKept: items }) },
  };
}

/** Its body follows from the turn; where that was deleted since, nothing is known of it. */
function whatNamedIt({ turns }: SentSession['conversation'], id: string): object | undefined {
  const turn = turns.find((one) => one.id === id);
  const body = turn && titleRequest(turn);
  if (turn?.naming === undefined || body === undefined) return undefined;
  return {
    request: { at: new Date(turn.naming.sentAt).toISOString(), body },
    response: cameOf(turn.naming),
  };
}

function cameOf({ endedAt, usage = null, unbilled, cacheTtl }: RequestRecord): object {
  return {
    ...(endedAt === undefined ? { running: true } : { at: new Date(endedAt).toISOString() }),
    usage,
    ...(unbilled === true && { unbilled }),
    ...(cacheTtl !== undefined && { cacheTtl }),
  };
}

/**
 * The items of the response that are sent again with the next request, or were. Undefined when they can't be told: the request after
 * it does not begin with this one, because something was left out since.
 */
function itemsOf(
  { history, requests, conversation }: SentSession,
  index: number,
): readonly HistoryItem[] | undefined {
  const sent = requestBody(requests, index)?.input ?? [];
  const next = requests.requests[index + 1];
  if (next !== undefined && next.same < sent.length) return undefined;
  const model = requestsOf(conversation)[index]?.model;
  const now = historyItems(history, model);
  if (next === undefined && !sent.every((item, at) => isSame(item, now[at]))) return undefined;
  const behind = next?.added.slice(sent.length - next.same) ?? now.slice(sent.length);
  const end = behind.findIndex((item) => !isOfModel(item));
  return end === -1 ? behind : behind.slice(0, end);
}

function isOfModel(item: HistoryItem): boolean {
  switch (item.type) {
    case 'message':
      return item.role === 'assistant';
    case 'function_call_output':
    case 'custom_tool_call_output':
      return false;
    default:
      return true;
  }
}

/** Nearly always the very same object. */
function isSame(item: HistoryItem, other: HistoryItem | undefined): boolean {
  return item === other || JSON.stringify(item) === JSON.stringify(other);
}
