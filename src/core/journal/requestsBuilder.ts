/**
 * Rebuilds the requests of a conversation from what is kept of them: that they were made, and with how many items. What one has in common
 * with the one before is not looked at again, so that many requests of a long conversation take no more time than their own items. Knows
 * no records.
 */
import { groupItems, type HistoryGroup } from '../conversation/history.ts';
import { reduceRequests, type LoggedRequest, type RequestLog } from '../conversation/requestLog.ts';
import type { ModelId } from '../responses/models.ts';
import type { HistoryItem } from '../responses/wire.ts';
import type { KeptRequest } from './record.ts';

export class RequestsBuilder {
  readonly #requests: LoggedRequest[];
  /** The input of the last request: the first `count` of `items`, and `tail` behind them. */
  #last: {
    readonly items: readonly HistoryItem[];
    readonly count: number;
    readonly tail: readonly HistoryItem[];
  };
  /** What is sent of the groups before `#settled` for this model: what comes later does not change it. */
  #items: HistoryItem[] = [];
  #settled = 0;
  #model: ModelId | undefined;

  /** What the last request sent before any is made here. */
  readonly #first: HistoryItem[];

  constructor({ requests, last }: RequestLog) {
    this.#requests = [...requests];
    this.#first = [...last];
    this.#last = { items: this.#first, count: last.length, tail: [] };
  }

  get log(): RequestLog {
    const { items, count, tail } = this.#last;
    return { requests: [...this.#requests], last: [...items.slice(0, count), ...tail] };
  }

  /** One more of those that there were in the beginning, and one more item of the last of them. Before any is made. */
  begin(request: LoggedRequest | undefined, sent: HistoryItem | undefined): void {
    if (request !== undefined) this.#requests.push(request);
    if (sent === undefined || this.#last.items !== this.#first) return;
    this.#first.push(sent);
    this.#last = { items: this.#first, count: this.#first.length, tail: [] };
  }

  /**
   * A request was made with what is in these groups.
   * @returns false when it can't be rebuilt as it was sent
   */
  add(groups: readonly HistoryGroup[], { turn, origin, head, items }: KeptRequest): boolean {
    const known = head ?? this.#requests.at(-1)?.head;
    // Its head was in a line that is lost.
    if (known === undefined) return false;
    if (known.model !== this.#model) this.forget();
    this.#model = known.model;
    for (; this.#settled < groups.length - 1; this.#settled += 1) this.#settle(groups, this.#settled);
    const last = groups[this.#settled];
    const tail = last === undefined ? [] : groupItems(last, undefined, known.model);
    const before = this.#last;
    const same = before.items === this.#items ? before.count : 0;
    const log = {
      requests: this.#requests.slice(-1),
      last: [...before.items.slice(same, before.count), ...before.tail],
    };
    const input = [...this.#items.slice(same), ...tail];
    const body = { ...known, input };
    const made = reduceRequests(log, {
      ...{ kind: 'requestMade', turn, body },
      ...(origin !== undefined && { origin }),
    }).requests.at(-1)!;
    this.#requests.push({ ...made, same: same + made.same });
    this.#last = { items: this.#items, count: this.#items.length, tail };
    return same + input.length === items;
  }

  /** Groups were changed that had been there before. */
  forget(): void {
    this.#items = [];
    this.#settled = 0;
    this.#model = undefined;
  }

  #settle(groups: readonly HistoryGroup[], index: number): void {
    for (const item of groupItems(groups[index]!, groups[index + 1], this.#model)) this.#items.push(item);
  }
}
