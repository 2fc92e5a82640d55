/**
 * One response as far as it has come, and what each event changes in it. Knows which item an event means, and whose word counts when
 * a server says the same thing twice. Knows no turn and no screen.
 *
 * Whose word counts: the final output if the server gives one that can be read; else the items it closed; else what was streamed.
 * A final text that differs from its pieces wins. A blank one does not: some servers leave out in the end what they have streamed.
 */
import type {
  CallOutput,
  CallType,
  Ending,
  ItemAddress,
  OutputItem,
  ResponseEvent,
  TextChannel,
  WireError,
} from './events.ts';
import { noSearch, type Citation, type WebSearch } from './webSearch.ts';

/** What an event changed for whoever watches. `slot` numbers the items of a response in the order in which they appeared. */
export type Change =
  | { readonly kind: 'opened'; readonly slot: number; readonly what: 'reasoning' | 'answer' | 'search' }
  | { readonly kind: 'callOpened'; readonly slot: number; readonly call: CallHead }
  | { readonly kind: 'textAdded'; readonly slot: number; readonly section: number; readonly text: string }
  | { readonly kind: 'textReplaced'; readonly slot: number; readonly section: number; readonly text: string }
  | { readonly kind: 'inputAdded'; readonly slot: number; readonly text: string }
  /** All that is known of a search by now. */
  | { readonly kind: 'searched'; readonly slot: number; readonly search: WebSearch }
  /** In addition to those that were told. */
  | { readonly kind: 'cited'; readonly slot: number; readonly citations: readonly Citation[] }
  /** No more text comes. Not told of calls, which end when they are settled. */
  | { readonly kind: 'closed'; readonly slot: number };

export interface CallHead {
  readonly type: CallType;
  readonly name: string;
  readonly namespace?: string;
}

export interface SnapshotItem {
  readonly slot: number;
  readonly item: OutputItem;
  /** The server said that the item is whole. */
  readonly whole: boolean;
  /** The input that was told piece by piece is not what it turned out to be. */
  readonly inputDiffers: boolean;
}

export type SnapshotEnd =
  | { readonly kind: 'ended'; readonly ending: Ending }
  | { readonly kind: 'errored'; readonly error: WireError };

/** A bound on what is kept and looked through for each piece. No answer has a tenth of it. */
export const maxItems = 2_000;

const tooManyItems: WireError = {
  type: '',
  code: '',
  message: `The answer has more than ${maxItems} parts.`,
};

/** The same for all its texts together, in UTF-16 units: a model writes no more than a million tokens. */
export const maxOutputLength = 32_000_000;

const tooLong: WireError = {
  type: '',
  code: '',
  message: `The answer is longer than ${maxOutputLength} characters.`,
};

export class ResponseSnapshot {
  readonly #maxLength: number;
  #length = 0;
  readonly #slots: Slot[] = [];
  #changes: Change[] = [];
  #end: SnapshotEnd | undefined;
  #final: readonly Slot[] | undefined;
  #damage: string | undefined;

  /** @param maxLength see `maxOutputLength` */
  constructor(maxLength = maxOutputLength) {
    this.#maxLength = maxLength;
  }

  /** Undefined until the terminal event came. Whatever comes after it is ignored. */
  get end(): SnapshotEnd | undefined {
    return this.#end;
  }

  /**
   * What is lost, if anything may be: an event that could not be read, and no final output that repeats it.
   * Meaningful once `end` is there.
   */
  get damage(): string | undefined {
    return this.#damage;
  }

  apply(event: ResponseEvent): readonly Change[] {
    if (this.#end !== undefined) return [];
    switch (event.kind) {
      case 'textDelta':
      case 'textDone':
        this.#text(event, event.channel, event.section, event.text, event.kind === 'textDone');
        break;
      case 'inputDelta':
      case 'inputDone':
        this.#input(event, event.text, event.kind === 'inputDone');
        break;
      case 'searchHeard':
        this.#show(this.#slotOf(event, 'search', true));
        break;
      case 'cited': {
        const slot = this.#slotOf(event, 'message', true);
        if (!slot.done) this.#cite(slot, [event.citation]);
        break;
      }
      case 'itemAdded':
        this.#added(event.item, event);
        break;
      case 'itemDone':
        this.#done(event.item, event);
        break;
      case 'ended':
        this.#ended(event.ending);
        break;
      case 'errored':
        this.#end = event;
        break;
      case 'malformed':
        this.#damage ??= event.detail;
        break;
      case 'ignored':
        break;
    }
    if (this.#slots.length > maxItems) this.#end ??= { kind: 'errored', error: tooManyItems };
    if (this.#length > this.#maxLength) this.#end ??= { kind: 'errored', error: tooLong };
    const changes = this.#changes;
    if (changes.length > 0) this.#changes = [];
    return changes;
  }

  /** The items in the server's order. After the end: what the response consists of. Before: what has come so far. */
  items(): readonly SnapshotItem[] {
    const slots = this.#final ?? inServerOrder(this.#slots);
    return slots.flatMap((slot) => {
      const item = itemOf(slot);
      if (item === undefined) return [];
      return { slot: slot.number, item, whole: slot.whole, inputDiffers: slot.inputDiffers };
    });
  }

  #text(address: ItemAddress, channel: TextChannel, section: number, text: string, final: boolean): void {
    const kind = channel === 'message' ? 'message' : 'reasoning';
    const slot = this.#slotOf(address, kind, final);
    if (!slot.done) this.#write(slot, channel, section, text, final);
  }

  #input(address: ItemAddress, text: string, final: boolean): void {
    const slot = this.#slotOf(address, 'call', final);
    if (!slot.done) this.#writeInput(slot, text, final);
  }

  #added(item: OutputItem, address: ItemAddress): void {
    const known =
      this.#byId(item.kind, item.id) ??
      this.#slots.find(
        (slot) =>
          slot.kind === item.kind &&
          !slot.done &&
          slot.id === undefined &&
          slot.index === address.outputIndex &&
          mayBe(slot, item),
      );
    const slot = known ?? this.#open(item.kind, address);
    if (slot.done) return;
    this.#describe(slot, item);
    this.#fill(slot, item);
  }

  #done(item: OutputItem, address: ItemAddress): void {
    const slot = this.#findDone(item, address) ?? this.#open(item.kind, address);
    if (slot.done) return;
    this.#finish(slot, item);
  }

  #ended(ending: Ending): void {
    this.#end = { kind: 'ended', ending };
    if (ending.output.length > 0) {
      // The final output repeats everything, so nothing that could not be read on the way is lost.
      this.#damage = undefined;
      this.#final = match(ending.output, this.#slots).map((slot, index) => {
        const item = ending.output[index] as OutputItem;
        const found = slot ?? this.#open(item.kind, { itemId: item.id, outputIndex: undefined });
        this.#finish(found, item);
        return found;
      });
    } else {
      this.#final = inServerOrder(this.#slots);
      if (ending.unreadable && this.#slots.length === 0) this.#damage ??= 'the final output lacks a field';
      // A response that is complete has complete items, whether the server said so one by one or not.
      if (ending.status === 'completed') {
        for (const slot of this.#slots) slot.whole = true;
        if (this.#slots.some(isNameless)) this.#damage ??= 'a tool call has no name';
      }
    }
    for (const slot of this.#slots) this.#close(slot);
  }

  #finish(slot: Slot, item: OutputItem): void {
    this.#describe(slot, item);
    this.#fill(slot, item);
    slot.whole = item.kind !== 'call' || item.whole || this.#completed();
    this.#close(slot);
  }

  #completed(): boolean {
    return this.#end?.kind === 'ended' && this.#end.ending.status === 'completed';
  }

  /** Takes over what an item says of itself, and shows it when enough is known. */
  #describe(slot: Slot, item: OutputItem): void {
    if (item.id !== undefined) slot.id = item.id;
    switch (item.kind) {
      case 'reasoning':
        if (item.encrypted !== undefined) slot.encrypted = item.encrypted;
        this.#show(slot);
        break;
      case 'call':
        slot.call = item;
        this.#showCall(slot, item);
        break;
      case 'search':
        this.#show(slot);
        this.#tellSearch(slot, item.search);
        break;
      case 'other':
        slot.otherType = item.type;
        break;
      case 'message':
        break;
    }
  }

  /** The texts inside an item, each of which is final as far as it goes. */
  #fill(slot: Slot, item: OutputItem): void {
    switch (item.kind) {
      case 'reasoning':
        this.#writeAll(slot, 'summary', item.summary);
        this.#writeAll(slot, 'reasoning', item.content);
        break;
      case 'message':
        this.#writeAll(slot, 'message', item.content);
        if (item.citations !== undefined) this.#cite(slot, item.citations);
        break;
      case 'call':
        this.#writeInput(slot, item.input, true);
        break;
      case 'search':
      case 'other':
        break;
    }
  }

  /** What is said of it at the end may leave out what was said before: nothing that is known gets lost. */
  #tellSearch(slot: Slot, search: WebSearch): void {
    const before = slot.search;
    slot.search = {
      ...search,
      action: saysNothing(search.action) ? before.action : search.action,
      sources: search.sources.length > 0 ? search.sources : before.sources,
      images: search.images.length > 0 ? search.images : before.images,
    };
    if (JSON.stringify(slot.search) === JSON.stringify(before)) return;
    this.#changes.push({ kind: 'searched', slot: slot.number, search: slot.search });
  }

  /** The same ones come with the stream and again in the end. */
  #cite(slot: Slot, citations: readonly Citation[]): void {
    const added = citations.filter((one) => {
      const key = JSON.stringify([one.section, one.from, one.to, one.url]);
      if (slot.cited.has(key) || slot.cited.size >= maxItems) return false;
      slot.cited.add(key);
      return true;
    });
    if (added.length === 0) return;
    this.#show(slot);
    this.#changes.push({ kind: 'cited', slot: slot.number, citations: added });
  }

  #writeAll(slot: Slot, channel: TextChannel, texts: readonly string[]): void {
    texts.forEach((text, section) => this.#write(slot, channel, section, text, true));
    if (texts.every((text) => text === '')) return;
    const list = slot.texts[channel];
    for (let section = texts.length; section < list.length; section++) {
      if (list[section] === '') continue;
      list[section] = '';
      if (slot.channel === channel)
        this.#changes.push({ kind: 'textReplaced', slot: slot.number, section, text: '' });
    }
  }

  #write(slot: Slot, channel: TextChannel, section: number, text: string, final: boolean): void {
    const list = slot.texts[channel];
    // Empty sections count too: what goes back to the server has to be what came.
    while (list.length <= section) list.push('');
    if (text === '') return;
    const before = list[section] as string;
    const after = final ? text : before + text;
    if (after === before) return;
    list[section] = after;
    this.#length += after.length - before.length;
    // Reasoning that comes both as a summary and in full is shown once: as what came first.
    slot.channel ??= channel;
    if (slot.channel !== channel) return;
    this.#show(slot);
    const added = final ? after.startsWith(before) : true;
    this.#changes.push(
      added
        ? { kind: 'textAdded', slot: slot.number, section, text: final ? after.slice(before.length) : text }
        : { kind: 'textReplaced', slot: slot.number, section, text: after },
    );
  }

  #writeInput(slot: Slot, text: string, final: boolean): void {
    if (text === '') return;
    if (final && !text.startsWith(slot.input)) {
      this.#length += text.length - slot.input.length;
      slot.input = text;
      slot.inputDiffers ||= slot.shown;
      return;
    }
    const added = final ? text.slice(slot.input.length) : text;
    slot.input += added;
    this.#length += added.length;
    if (added !== '' && slot.shown && !slot.inputDiffers) this.#tell(slot, added);
  }

  #tell(slot: Slot, text: string): void {
    this.#changes.push({ kind: 'inputAdded', slot: slot.number, text });
  }

  #show(slot: Slot): void {
    if (slot.shown) return;
    slot.shown = true;
    const what = slot.kind === 'reasoning' || slot.kind === 'search' ? slot.kind : 'answer';
    this.#changes.push({ kind: 'opened', slot: slot.number, what });
  }

  /** A call is shown once its name is known, which for an item without `added` is at its end. */
  #showCall(slot: Slot, { type, name, namespace }: CallOutput): void {
    if (slot.shown) return;
    slot.shown = true;
    const call = { type, name, ...(namespace !== undefined && { namespace }) };
    this.#changes.push({ kind: 'callOpened', slot: slot.number, call });
    if (slot.input !== '') this.#tell(slot, slot.input);
  }

  #close(slot: Slot): void {
    if (slot.done) return;
    slot.done = true;
    if (slot.shown && slot.kind !== 'call') this.#changes.push({ kind: 'closed', slot: slot.number });
  }

  #open(kind: Slot['kind'], { itemId, outputIndex }: ItemAddress): Slot {
    const slot = newSlot(this.#slots.length, kind, itemId, outputIndex);
    this.#slots.push(slot);
    return slot;
  }

  #byId(kind: Slot['kind'], id: string | undefined): Slot | undefined {
    if (id === undefined) return undefined;
    // A plain loop, since this runs for every piece.
    for (const slot of this.#slots) {
      if (slot.kind === kind && (slot.id === id || slot.streamId === id)) return slot;
    }
    return undefined;
  }

  /**
   * Where a piece belongs. By id first (some servers use the call's); then by index, but never into an item whose pieces came under
   * another id: some servers number every item 0. A repetition at the end of an item that is closed already belongs to that one.
   */
  #find({ itemId, outputIndex }: ItemAddress, kind: Slot['kind'], final: boolean): Slot | undefined {
    return (
      this.#byId(kind, itemId) ??
      this.#slots.find((slot) => itemId !== undefined && slot.call?.callId === itemId && kind === 'call') ??
      this.#slots.findLast(
        (slot) =>
          slot.kind === kind &&
          (final || !slot.done) &&
          (itemId === undefined && outputIndex === undefined ? true : slot.index === outputIndex) &&
          (itemId === undefined || slot.streamId === undefined),
      )
    );
  }

  #slotOf(address: ItemAddress, kind: Slot['kind'], final: boolean): Slot {
    const slot = this.#find(address, kind, final) ?? this.#open(kind, address);
    slot.streamId ??= address.itemId;
    return slot;
  }

  #findDone(item: OutputItem, { outputIndex }: ItemAddress): Slot | undefined {
    return (
      this.#byId(item.kind, item.id) ??
      this.#slots.find(
        (slot) =>
          item.kind === 'call' &&
          slot.call?.callId === item.callId &&
          (!slot.done || slot.id === undefined || item.id === undefined),
      ) ??
      this.#slots.find(
        (slot) => slot.kind === item.kind && !slot.done && slot.index === outputIndex && mayBe(slot, item),
      )
    );
  }
}

interface Slot {
  readonly number: number;
  readonly kind: OutputItem['kind'];
  readonly index: number | undefined;
  readonly texts: Record<TextChannel, string[]>;
  id: string | undefined;
  /** The id under which the pieces come, when that is not the item's own. */
  streamId: string | undefined;
  /** Which of the texts is shown. */
  channel: TextChannel | undefined;
  encrypted: string | undefined;
  call: CallOutput | undefined;
  search: WebSearch;
  /** Keys of the citations that were told. */
  readonly cited: Set<string>;
  otherType: string;
  input: string;
  /** Told pieces can't be taken back. */
  inputDiffers: boolean;
  shown: boolean;
  done: boolean;
  whole: boolean;
}

function newSlot(
  number: number,
  kind: Slot['kind'],
  id: string | undefined,
  index: number | undefined,
): Slot {
  return {
    number,
    kind,
    index,
    texts: { summary: [], reasoning: [], message: [] },
    id,
    streamId: undefined,
    channel: undefined,
    encrypted: undefined,
    call: undefined,
    search: noSearch,
    cited: new Set(),
    otherType: '',
    input: '',
    inputDiffers: false,
    shown: false,
    done: false,
    whole: false,
  };
}

/** Whether the item can be the one in a slot that no id connects it with. Only calls come several at a time. */
function mayBe(slot: Slot, item: OutputItem): boolean {
  if (item.kind !== 'call') return true;
  return slot.call === undefined && (slot.streamId === undefined || item.id === undefined);
}

function saysNothing(action: WebSearch['action']): boolean {
  return action.kind === 'search' && action.queries.length === 0;
}

function isNameless(slot: Slot): boolean {
  return slot.kind === 'call' && slot.call === undefined;
}

/** Undefined for a call of which only input has come: without a name and an id it is nothing. */
function itemOf(slot: Slot): OutputItem | undefined {
  const id = slot.id === undefined ? {} : { id: slot.id };
  switch (slot.kind) {
    case 'reasoning':
      return {
        kind: 'reasoning',
        ...id,
        summary: [...slot.texts.summary],
        content: [...slot.texts.reasoning],
        ...(slot.encrypted !== undefined && { encrypted: slot.encrypted }),
      };
    case 'message':
      return { kind: 'message', ...id, content: [...slot.texts.message] };
    case 'call':
      return slot.call === undefined ? undefined : { ...slot.call, input: slot.input };
    case 'search':
      return { kind: 'search', ...id, search: slot.search };
    case 'other':
      return { kind: 'other', ...id, type: slot.otherType };
  }
}

function inServerOrder(slots: readonly Slot[]): readonly Slot[] {
  const indexes = slots.map((slot) => slot.index);
  const trusted = !indexes.includes(undefined) && new Set(indexes).size === slots.length;
  return trusted ? slots.toSorted((a, b) => (a.index as number) - (b.index as number)) : slots;
}

/** Finds for each item of the final output the slot it was streamed into: by id, else by order among those of its kind. */
function match(output: readonly OutputItem[], slots: readonly Slot[]): (Slot | undefined)[] {
  const free = new Set(slots);
  const take = (fits: (slot: Slot) => boolean): Slot | undefined => {
    for (const slot of free) {
      if (!fits(slot)) continue;
      free.delete(slot);
      return slot;
    }
    return undefined;
  };
  const found: (Slot | undefined)[] = output.map((item) =>
    take((slot) => slot.kind === item.kind && item.id !== undefined && slot.id === item.id),
  );
  output.forEach((item, index) => {
    found[index] ??= take((slot) => item.kind === 'call' && slot.call?.callId === item.callId);
  });
  output.forEach((item, index) => {
    found[index] ??= take((slot) => slot.kind === item.kind && mayBe(slot, item));
  });
  return found;
}
