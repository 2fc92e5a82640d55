/** What a conversation is after its records so far: everything from which it goes on. Folded with the very reducers that made it. */
import type { Parent } from '../conversation/branch.ts';
import type { Turn } from '../conversation/conversation.ts';
import { emptyHistory, reduceHistory, type History, type HistoryGroup } from '../conversation/history.ts';
import { emptyConversation, reduce } from '../conversation/reduce.ts';
import { emptyRequestLog } from '../conversation/requestLog.ts';
import type { ShownEvent } from '../conversation/turnEvent.ts';
import type { ConversationTitle } from './facts.ts';
import type { JournalRecord, JournalSeed, KeptEvent, SeedPiece } from './record.ts';
import { RequestsBuilder } from './requestsBuilder.ts';
import { sharedWith } from './sharedTexts.ts';

export interface JournalState extends JournalSeed {
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly parent?: Parent;
  /** How many requests each turn already had that it began with, by the id of the turn. */
  readonly begunWith: ReadonlyMap<string, number>;
  readonly title?: ConversationTitle;
  readonly pinned?: true;
  /** A request was rebuilt with another number of items than were sent: it can't be shown as what was sent. */
  readonly inexact?: true;
}

/** Undefined for a record that can't be the first one. */
export function beginState(record: JournalRecord): JournalState | undefined {
  if (record.kind !== 'conversation') return undefined;
  const { id, at, parent, seed } = record;
  return {
    ...(seed === undefined ? emptySeed(id) : { ...seed, conversation: { ...seed.conversation, id } }),
    createdAt: at,
    begunWith: new Map(seed?.conversation.turns.map((turn) => [turn.id, turn.requests.length])),
    ...(parent !== undefined && { parent }),
  };
}

function emptySeed(id: string): JournalSeed {
  return {
    conversation: emptyConversation(id),
    history: emptyHistory(),
    requests: emptyRequestLog(),
    removed: [],
    reports: [],
  };
}

/** The state after one more record. A second beginning changes nothing. For many of them there is `StateBuilder`. */
export function foldRecord(state: JournalState, record: JournalRecord): JournalState {
  const builder = new StateBuilder(state);
  builder.take(record);
  return builder.state;
}

type Rest = Omit<JournalState, 'conversation' | 'history' | 'requests' | 'begunWith'>;

/**
 * Takes records one after the other. What they come to is kept in lists that grow, so that a journal takes time by its length and not by its
 * square.
 */
export class StateBuilder {
  #rest: Rest;
  readonly #id: string;
  readonly #turns: Turn[];
  /** Where each turn is. */
  readonly #places: Map<string, number>;
  #groups: HistoryGroup[] = [];
  /** The last group of each turn. */
  readonly #last = new Map<string, HistoryGroup>();
  readonly #requests: RequestsBuilder;
  readonly #begunWith: Map<string, number>;
  /** As it is now, where it was asked. */
  #state: JournalState | undefined;

  constructor(state: JournalState) {
    const { conversation, history, requests, begunWith, ...rest } = state;
    this.#rest = rest;
    this.#begunWith = new Map(begunWith);
    this.#id = conversation.id;
    this.#turns = [...conversation.turns];
    this.#places = new Map(this.#turns.map(({ id }, index) => [id, index]));
    this.#setGroups(history);
    this.#requests = new RequestsBuilder(requests);
    this.#state = state;
  }

  /** A value that does not change with what is taken later. */
  get state(): JournalState {
    this.#state ??= {
      ...this.#rest,
      conversation: { id: this.#id, turns: [...this.#turns] },
      history: { groups: [...this.#groups] },
      requests: this.#requests.log,
      begunWith: new Map(this.#begunWith),
    };
    return this.#state;
  }

  take(record: JournalRecord): void {
    switch (record.kind) {
      case 'conversation':
        return;
      case 'seeded':
        this.#state = undefined;
        this.#takePiece(record);
        return;
      case 'event':
        this.#state = undefined;
        this.#takeEvent(record.event);
        return;
      case 'removedReviewed': {
        const removed = reduce({ id: '', turns: this.#rest.removed }, record.event).turns;
        this.#setRest({ ...this.#rest, removed });
        return;
      }
      case 'reports':
        this.#setRest({ ...this.#rest, reports: record.reports });
        return;
      case 'webSearch':
        this.#setRest({ ...this.#rest, webSearch: record.on });
        return;
      case 'ruleChosen': {
        const { uri, choice } = record;
        const others = (this.#rest.ruleChoices ?? []).filter((one) => one.uri !== uri);
        this.#setRest({
          ...this.#rest,
          ruleChoices: choice === null ? others : [...others, { uri, choice }],
        });
        return;
      }
      case 'title':
        this.#setRest({ ...this.#rest, title: { text: record.title, by: record.by } });
        return;
      case 'pinned': {
        const { pinned: _pinned, ...rest } = this.#rest;
        this.#setRest(record.pinned ? { ...rest, pinned: true } : rest);
      }
    }
  }

  #setRest(rest: Rest): void {
    this.#rest = rest;
    this.#state = undefined;
  }

  #takePiece({ turn, group, request, sent, removed }: SeedPiece): void {
    if (group !== undefined) this.#addGroup(group);
    this.#requests.begin(request, sent);
    if (removed !== undefined) this.#rest = { ...this.#rest, removed: [...this.#rest.removed, removed] };
    if (turn === undefined || this.#places.has(turn.id)) return;
    this.#places.set(turn.id, this.#turns.length);
    this.#turns.push(turn);
    this.#begunWith.set(turn.id, turn.requests.length);
  }

  #takeEvent(event: KeptEvent): void {
    switch (event.kind) {
      case 'requestMade':
        if (!this.#requests.add(this.#groups, event)) this.#rest = { ...this.#rest, inexact: true };
        return;
      case 'itemsKept': {
        const last = this.#last.get(event.turn);
        if (last === undefined) return;
        const turn = this.#turnOf(event.turn);
        const items = turn === undefined ? event.items : sharedWith(turn, event.items);
        const { groups } = reduceHistory({ groups: [last] }, { ...event, items });
        this.#addGroup(groups[1]!);
        return;
      }
      case 'turnStarted': {
        for (const group of reduceHistory(emptyHistory(), event).groups) this.#addGroup(group);
        if (this.#places.has(event.turn)) return;
        this.#places.set(event.turn, this.#turns.length);
        this.#turns.push(...reduce(emptyConversation(''), event).turns);
        return;
      }
      case 'turnResumed':
      case 'contextCut':
      case 'turnRemoved':
      case 'turnRestored':
        this.#rest = { ...this.#rest, removed: this.#removedAfter(event) };
        this.#setGroups(reduceHistory({ groups: this.#groups }, event));
        this.#requests.forget();
        this.#reduceTurn(event);
        return;
      default:
        this.#reduceTurn(event);
    }
  }

  #turnOf(id: string): Turn | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#turns[place];
  }

  #reduceTurn(event: ShownEvent): void {
    const place = this.#places.get(event.turn);
    if (place === undefined) return;
    const [turn] = reduce({ id: '', turns: [this.#turns[place]!] }, event).turns;
    this.#turns[place] = turn!;
  }

  #addGroup(group: HistoryGroup): void {
    this.#groups.push(group);
    this.#last.set(group.turn, group);
  }

  #setGroups({ groups }: History): void {
    this.#groups = [];
    this.#last.clear();
    for (const group of groups) this.#addGroup(group);
  }

  #removedAfter(event: ShownEvent): JournalState['removed'] {
    const { removed } = this.#rest;
    switch (event.kind) {
      case 'turnRemoved': {
        const turn = this.#turnOf(event.turn);
        return turn === undefined || turn.removed === true ? removed : [...removed, turn];
      }
      case 'turnRestored':
        return removed.filter(({ id }) => id !== event.turn);
      default:
        return removed;
    }
  }
}
