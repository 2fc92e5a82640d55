/** What a conversation is after its records so far: everything from which it goes on. Folded with the very reducers that made it. Pure. */
import type { Parent } from '../conversation/branch.ts';
import type { ShownEvent } from '../conversation/turnEvent.ts';
import { isShown } from '../conversation/turnEvent.ts';
import { emptyHistory, historyItems, reduceHistory } from '../conversation/history.ts';
import { emptyConversation, reduce } from '../conversation/reduce.ts';
import { emptyRequestLog, reduceRequests } from '../conversation/requestLog.ts';
import type { ConversationTitle } from './facts.ts';
import type { JournalRecord, JournalSeed, KeptEvent, KeptRequest } from './record.ts';

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

/** The state after one more record. A second beginning changes nothing. */
export function foldRecord(state: JournalState, record: JournalRecord): JournalState {
  switch (record.kind) {
    case 'conversation':
      return state;
    case 'event':
      return foldEvent(state, record.event);
    case 'removedReviewed': {
      const removed = reduce({ id: '', turns: state.removed }, record.event).turns;
      return { ...state, removed };
    }
    case 'reports':
      return { ...state, reports: record.reports };
    case 'webSearch':
      return { ...state, webSearch: record.on };
    case 'title':
      return { ...state, title: { text: record.title, by: record.by } };
    case 'pinned': {
      const { pinned: _pinned, ...rest } = state;
      return record.pinned ? { ...rest, pinned: true } : rest;
    }
  }
}

function foldEvent(state: JournalState, event: KeptEvent): JournalState {
  if (event.kind === 'requestMade') return withRequest(state, event);
  const history = reduceHistory(state.history, event);
  if (!isShown(event)) return history === state.history ? state : { ...state, history };
  const removed = removedAfter(state, event);
  const conversation = reduce(state.conversation, event);
  return { ...state, conversation, history, removed };
}

function removedAfter({ conversation, removed }: JournalState, event: ShownEvent): JournalState['removed'] {
  switch (event.kind) {
    case 'turnRemoved': {
      const turn = conversation.turns.find(({ id }) => id === event.turn);
      return turn === undefined || turn.removed === true ? removed : [...removed, turn];
    }
    case 'turnRestored':
      return removed.filter(({ id }) => id !== event.turn);
    default:
      return removed;
  }
}

function withRequest(state: JournalState, { turn, origin, head, items }: KeptRequest): JournalState {
  const known = head ?? state.requests.requests.at(-1)?.head;
  // Its head was in a line that is lost.
  if (known === undefined) return { ...state, inexact: true };
  const input = historyItems(state.history, known.model);
  const requests = reduceRequests(state.requests, {
    kind: 'requestMade',
    turn,
    body: { ...known, input },
    ...(origin !== undefined && { origin }),
  });
  return { ...state, requests, ...(input.length !== items && { inexact: true }) };
}
