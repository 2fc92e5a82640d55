/**
 * One line of a journal: what it may be, and how it becomes text and is read again. A conversation is its records in their order;
 * nothing in a journal is ever changed, so whatever was written once can be read again as far as it goes.
 */
import * as v from 'valibot';

import type { Parent } from '../conversation/branch.ts';
import type { Conversation, Turn } from '../conversation/conversation.ts';
import type { History, HistoryGroup } from '../conversation/history.ts';
import type { LoggedRequest, RequestLog } from '../conversation/requestLog.ts';
import type { ChosenRule, RuleChoice } from '../conversation/rules.ts';
import type { Report } from '../conversation/reports.ts';
import type { ItemsKept, ShownEvent } from '../conversation/turnEvent.ts';
import type { HistoryItem, RequestBody } from '../responses/wire.ts';
import { journalVersion, migrated } from './migrate.ts';
import * as shapes from './shapes.ts';

export type JournalRecord =
  /** The first one. */
  | {
      readonly kind: 'conversation';
      readonly id: string;
      /** Milliseconds since the epoch. */
      readonly at: number;
      readonly parent?: Parent;
      /** What it begins with, when it does not begin empty. Its lists are in the pieces behind it; earlier they stood here. */
      readonly seed?: JournalSeed;
      /** How many pieces of that come behind it: without all of them it was not begun. */
      readonly pieces?: number;
    }
  | SeedPiece
  | { readonly kind: 'event'; readonly event: KeptEvent }
  /** What became of a proposal of a deleted turn. */
  | { readonly kind: 'removedReviewed'; readonly event: Extract<ShownEvent, { kind: 'toolReviewed' }> }
  /** All that the model is to be told, or was. */
  | { readonly kind: 'reports'; readonly reports: readonly Report[] }
  | { readonly kind: 'webSearch'; readonly on: boolean }
  /** What the person said of standing instructions, by their address; null when that is over. */
  | { readonly kind: 'ruleChosen'; readonly uri: string; readonly choice: RuleChoice | null }
  | { readonly kind: 'title'; readonly title: string; readonly by: 'person' | 'model' }
  | { readonly kind: 'pinned'; readonly pinned: boolean };

/** Plain data from which a conversation goes on. */
export interface JournalSeed {
  readonly conversation: Conversation;
  readonly history: History;
  readonly requests: RequestLog;
  /** Deleted turns as they were. */
  readonly removed: readonly Turn[];
  readonly reports: readonly Report[];
  readonly webSearch?: boolean;
  /** One of each address. */
  readonly ruleChoices?: readonly ChosenRule[];
}

/** One more of a list of the seed, so that a line is never longer than what was said or done in one turn. */
export interface SeedPiece {
  readonly kind: 'seeded';
  readonly turn?: Turn;
  readonly group?: HistoryGroup;
  readonly request?: LoggedRequest;
  /** An item of the last request. */
  readonly sent?: HistoryItem;
  readonly removed?: Turn;
}

/** The first records of a conversation. */
export function beginning(
  begun: Omit<Extract<JournalRecord, { readonly kind: 'conversation' }>, 'kind' | 'pieces'>,
): readonly Exclude<JournalRecord, { readonly kind: 'event' }>[] {
  const { seed } = begun;
  if (seed === undefined) return [{ kind: 'conversation', ...begun }];
  const { conversation, history, requests, removed, ...rest } = seed;
  const pieces: Omit<SeedPiece, 'kind'>[] = [
    ...history.groups.map((group) => ({ group })),
    ...requests.requests.map((request) => ({ request })),
    ...requests.last.map((sent) => ({ sent })),
    ...removed.map((turn) => ({ removed: turn })),
    // The last ones are nearest to the end, where it is looked first.
    ...conversation.turns.map((turn) => ({ turn })),
  ];
  const outer: JournalSeed = {
    ...rest,
    conversation: { ...conversation, turns: [] },
    history: { groups: [] },
    requests: { requests: [], last: [] },
    removed: [],
  };
  return [
    { kind: 'conversation', ...begun, seed: outer, pieces: pieces.length },
    ...pieces.map((piece) => ({ kind: 'seeded' as const, ...piece })),
  ];
}

export type KeptEvent = ShownEvent | ItemsKept | KeptRequest;

/** A request without what is known anyway: its input is the history of that moment. */
export interface KeptRequest {
  readonly kind: 'requestMade';
  readonly turn: string;
  readonly origin?: string;
  /** Absent when it is that of the request before. */
  readonly head?: Omit<RequestBody, 'input'>;
  /** How many items the input had. */
  readonly items: number;
}

/** A line without its end. Line ends within texts are escaped, so that a line is a record. */
export function encodeRecord(record: JournalRecord): string {
  return JSON.stringify({ v: journalVersion, ...record });
}

export type ReadRecord =
  | { readonly kind: 'record'; readonly record: JournalRecord }
  /** Of a later version; with what this one makes of it, if it does. */
  | { readonly kind: 'newer'; readonly record?: JournalRecord }
  /** Cut off, or nothing that this product writes. */
  | { readonly kind: 'damaged' };

/** Never throws. */
export function decodeRecord(line: string): ReadRecord {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: 'damaged' };
  }
  const version = v.safeParse(versioned, value);
  if (!version.success) return { kind: 'damaged' };
  if (version.output.v > journalVersion) {
    const understood = v.safeParse(recordShape, version.output);
    return { kind: 'newer', ...(understood.success && { record: understood.output }) };
  }
  const read = v.safeParse(recordShape, migrated(version.output, version.output.v));
  return read.success ? { kind: 'record', record: read.output } : { kind: 'damaged' };
}

/** What was read, for whoever only looks at it. */
export function recordIn(read: ReadRecord): JournalRecord | undefined {
  return read.kind === 'damaged' ? undefined : read.record;
}

const versioned = v.looseObject({ v: v.pipe(v.number(), v.integer(), v.minValue(1)) });

const itemsKept = shapes.shapeOf<ItemsKept>()(
  v.object({
    kind: v.literal('itemsKept'),
    turn: v.string(),
    items: v.array(shapes.historyItem),
    partial: v.exactOptional(v.boolean()),
  }),
);

const keptRequest = shapes.shapeOf<KeptRequest>()(
  v.object({
    kind: v.literal('requestMade'),
    turn: v.string(),
    origin: v.exactOptional(v.string()),
    head: v.exactOptional(shapes.requestHead),
    items: v.pipe(v.number(), v.integer(), v.minValue(0)),
  }),
);

export const historyGroup = shapes.shapeOf<HistoryGroup>()(
  v.object({
    turn: v.string(),
    model: shapes.model,
    items: v.array(shapes.historyItem),
    partial: v.boolean(),
    cut: v.exactOptional(shapes.cut),
    removed: v.exactOptional(v.literal(true)),
  }),
);

const history = shapes.shapeOf<History>()(v.object({ groups: v.array(historyGroup) }));

const loggedRequest = shapes.shapeOf<LoggedRequest>()(
  v.object({
    turn: v.string(),
    origin: v.exactOptional(v.string()),
    head: shapes.requestHead,
    same: shapes.number,
    added: v.array(shapes.historyItem),
    lost: v.exactOptional(v.literal(true)),
  }),
);

const requests = shapes.shapeOf<RequestLog>()(
  v.object({ requests: v.array(loggedRequest), last: v.array(shapes.historyItem) }),
);

const ruleChoice = v.picklist(['leave', 'send']);

const seed = shapes.shapeOf<JournalSeed>()(
  v.object({
    conversation: shapes.conversation,
    history,
    requests,
    removed: v.array(shapes.turn),
    reports: v.array(shapes.report),
    webSearch: v.exactOptional(v.boolean()),
    ruleChoices: v.exactOptional(v.array(v.object({ uri: v.string(), choice: ruleChoice }))),
  }),
);

const seedPiece = v.object({
  kind: v.literal('seeded'),
  turn: v.exactOptional(shapes.turn),
  group: v.exactOptional(historyGroup),
  request: v.exactOptional(loggedRequest),
  sent: v.exactOptional(shapes.historyItem),
  removed: v.exactOptional(shapes.turn),
});

const recordShape = shapes.shapeOf<JournalRecord>()(
  v.variant('kind', [
    v.object({
      kind: v.literal('conversation'),
      id: v.string(),
      at: shapes.number,
      parent: v.exactOptional(shapes.parent),
      seed: v.exactOptional(seed),
      pieces: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))),
    }),
    seedPiece,
    v.object({
      kind: v.literal('event'),
      event: v.union([shapes.shownEvent, itemsKept, keptRequest]),
    }),
    v.object({ kind: v.literal('removedReviewed'), event: shapes.toolReviewed }),
    v.object({ kind: v.literal('reports'), reports: v.array(shapes.report) }),
    v.object({ kind: v.literal('webSearch'), on: v.boolean() }),
    v.object({ kind: v.literal('ruleChosen'), uri: v.string(), choice: v.nullable(ruleChoice) }),
    v.object({ kind: v.literal('title'), title: v.string(), by: v.picklist(['person', 'model']) }),
    v.object({ kind: v.literal('pinned'), pinned: v.boolean() }),
  ]),
);
