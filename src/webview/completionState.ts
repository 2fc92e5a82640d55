/** The list that opens while a name is typed: when it is open, which row is chosen, what a key does to it. Knows no element. */
import type { CompletionItem } from '../protocol/completion.ts';
import type { ToHost } from '../protocol/toHost.ts';
import { listKey, moved, namingAt, sameItem, taken, type ListKey, type Naming } from './completing.ts';
import type { KeyPress, Typing } from './keys.ts';
import { l10n } from './l10n.ts';
import type { Completions } from './store.ts';

/** Milliseconds after which a name that was confirmed before its list came is left as it was typed. */
const patience = 1_500;

export interface CompletionPorts {
  /** The text of the field, and its cursor; without a cursor where something is selected. */
  readonly read: () => { readonly text: string; readonly cursor?: number };
  readonly write: (text: string, cursor: number) => void;
  readonly post: (intent: ToHost) => void;
  readonly announce: (sentence: string) => void;
  /** What is to be drawn is another. */
  readonly changed: () => void;
  /** Enter, pressed before it was known that nothing fits. */
  readonly enter: () => void;
  /** Milliseconds; only differences count. */
  readonly now: () => number;
}

interface Open {
  readonly naming: Naming;
  /** The number of the list that was asked for last, and of the first one of this opening. */
  readonly list: number;
  readonly first: number;
  /** The row that the person went to; the first one when absent. */
  readonly chosen?: CompletionItem;
}

/** What is drawn. */
export interface ShownList {
  readonly trigger: Naming['trigger'];
  readonly query: string;
  readonly items: readonly CompletionItem[];
  /** Index of the chosen row. */
  readonly active: number;
  /** More may come. */
  readonly looking: boolean;
}

export class CompletionState {
  readonly #ports: CompletionPorts;
  #open: Open | undefined;
  #told: Completions | undefined;
  #count = 0;
  /** Where the trigger stands whose list the person put away. */
  #putAway: number | undefined;
  /** A key that confirmed a name before its list was there. */
  #pending: { readonly key: 'take' | 'enter'; readonly at: number } | undefined;

  constructor(ports: CompletionPorts) {
    this.#ports = ports;
  }

  get shown(): ShownList | undefined {
    const open = this.#open;
    const told = this.#toldNow;
    if (open === undefined) return undefined;
    const { trigger, query } = open.naming;
    const items = told?.items ?? [];
    const looking = told === undefined || told.list !== open.list || told.looking;
    // Nothing to say before the first answer, nor of nothing.
    if (items.length === 0 && (told === undefined || (query === '' && !looking))) return undefined;
    return { trigger, query, items, active: this.#active, looking };
  }

  /** The person typed. */
  typed(): void {
    this.#look(true);
  }

  /** The cursor moved: an open list may close, none opens. */
  cursorMoved(): void {
    if (this.#open !== undefined) this.#look(false);
  }

  /** What the host told last. */
  told(completions: Completions | undefined): void {
    if (completions === this.#told) return;
    this.#told = completions;
    const told = this.#toldNow;
    const open = this.#open;
    if (told === undefined || open?.list !== told.list) return;
    const { items, looking } = told;
    if (items.length === 0 && !looking && open.naming.query !== '')
      this.#ports.announce(nothingText(open.naming.trigger, open.naming.query));
    const pending = this.#pending;
    if (pending === undefined || (items.length === 0 && looking)) return;
    this.#pending = undefined;
    if (this.#ports.now() - pending.at > patience) return;
    const [first] = items;
    if (first !== undefined) this.#confirm(pending.key, first);
    else if (pending.key === 'take') this.#ports.enter();
  }

  /** @returns whether the key was for the list */
  takesKey(press: KeyPress, typing: Pick<Typing, 'composing' | 'sinceComposition'>): boolean {
    if (press.key === ' ' && press.ctrl && !press.shift && !press.alt && !press.meta) {
      this.#putAway = undefined;
      this.#look(true);
      // Without a name it is what the system has for it.
      return this.#open !== undefined;
    }
    const key = this.#open && listKey(press, typing);
    return key !== undefined && this.#act(key);
  }

  /** A row was chosen and confirmed. */
  take(item: CompletionItem): void {
    const told = this.#toldNow;
    if (told === undefined) return;
    this.#put(item.insert);
    this.#ports.post({ kind: 'takeCompletion', list: told.list, item: item.id });
    this.#ports.announce(l10n.t('{0} taken.', item.label));
    this.close();
  }

  close(): void {
    this.#pending = undefined;
    if (this.#open === undefined) return;
    this.#open = undefined;
    this.#ports.post({ kind: 'endCompletion' });
    this.#ports.changed();
  }

  /** A list of an earlier opening is none; one of an earlier key stands until the next is there. */
  get #toldNow(): Completions | undefined {
    const told = this.#told;
    return this.#open === undefined || told === undefined || told.list < this.#open.first ? undefined : told;
  }

  get #active(): number {
    const chosen = this.#open?.chosen;
    if (chosen === undefined) return 0;
    return Math.max(0, this.#toldNow?.items.findIndex((item) => sameItem(item, chosen)) ?? 0);
  }

  #act(key: ListKey): boolean {
    const open = this.#open;
    if (open === undefined) return false;
    const told = this.#toldNow;
    const items = told?.items ?? [];
    switch (key.kind) {
      case 'close':
        this.#putAway = open.naming.from;
        this.close();
        return true;
      case 'move': {
        const chosen = items[moved(this.#active, key.by, items.length)];
        if (chosen === undefined) return false;
        this.#open = { ...open, chosen };
        this.#ports.changed();
        return true;
      }
      case 'take':
      case 'enter': {
        const item = items[this.#active];
        const isCurrent = told?.list === open.list;
        if (isCurrent && item !== undefined) this.#confirm(key.kind, item);
        else if (isCurrent && !told.looking) return false;
        else this.#pending = { key: key.kind, at: this.#ports.now() };
        return true;
      }
    }
  }

  #confirm(key: 'take' | 'enter', item: CompletionItem): void {
    if (key === 'enter' && item.into !== undefined) {
      this.#put(item.into, '');
      this.#look(true);
    } else this.take(item);
  }

  #put(insert: string, blank = ' '): void {
    if (this.#open === undefined) return;
    const { text, cursor } = taken(this.#ports.read().text, this.#open.naming, insert, blank);
    this.#ports.write(text, cursor);
  }

  #look(mayOpen: boolean): void {
    const { text, cursor } = this.#ports.read();
    const naming = cursor === undefined ? undefined : namingAt(text, cursor);
    if (naming?.from !== this.#putAway) this.#putAway = undefined;
    if (naming === undefined || this.#putAway === naming.from) return this.close();
    const before = this.#open;
    const isSame = before?.naming.from === naming.from && before.naming.trigger === naming.trigger;
    if (isSame && before.naming.query === naming.query) return;
    if (!isSame && !mayOpen) return this.close();
    this.#count += 1;
    this.#pending = undefined;
    this.#open = { naming, list: this.#count, first: isSame ? before.first : this.#count };
    const { trigger, query } = naming;
    this.#ports.post({ kind: 'complete', list: this.#count, trigger, query });
    this.#ports.changed();
  }
}

export function nothingText(trigger: Naming['trigger'], query: string): string {
  return trigger === '/'
    ? l10n.t('There is no command “{0}”.', query)
    : l10n.t('Nothing is named “{0}”.', query);
}
