/**
 * Reads conversations from a file that was written by `exportFile.ts`, or by anybody. They become conversations of their own: every id is a
 * new one, and nothing of them reaches what is here. No file that they name is looked at, no patch of them can be written or taken back, no
 * permission of them holds. Never throws.
 */
import * as v from 'valibot';

import type { Parent } from '../conversation/branch.ts';
import type { Turn } from '../conversation/conversation.ts';
import type { History, HistoryGroup } from '../conversation/history.ts';
import { elsewhereReport, turnFromElsewhere } from '../conversation/fromElsewhere.ts';
import { lostRequest } from '../conversation/requestLog.ts';
import { cutAt } from '../cutAt.ts';
import { isObject, type JsonObject } from '../responses/json.ts';
import { err, ok, type Result } from '../result.ts';
import { exportFormat, exportVersion } from './exportFile.ts';
import type { ConversationTitle } from './facts.ts';
import { parsedJson } from './jsonPieces.ts';
import { historyGroup, type JournalSeed } from './record.ts';
import * as shapes from './shapes.ts';

export interface ImportedConversation {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly title?: ConversationTitle;
  /** Another one of the same file. */
  readonly parent?: Parent;
  readonly seed: JournalSeed;
}

export interface ImportedFile {
  /** The id of the one that the file is about. */
  readonly shown: string;
  /** A parent stands before its branches. */
  readonly conversations: readonly ImportedConversation[];
}

export type ImportProblem =
  | { readonly kind: 'notJson' }
  /** It is JSON of something else. */
  | { readonly kind: 'foreign' }
  /** A later version of the product wrote it. */
  | { readonly kind: 'newer' }
  /** `where`: `conversations.0.turns.3.question.text`. */
  | { readonly kind: 'damaged'; readonly where: string }
  /** Deeper or more than anything that is written. */
  | { readonly kind: 'excessive' };

/** Brackets within each other. Schemas of tools, the deepest that is written, have a few. */
const deepest = 64;
/** Values in all: far more than a history of 100 MB has, and few enough for the memory that all extensions share. */
const mostValues = 5_000_000;
const mostConversations = 1_000;
/** UTF-16 units. */
const longestTitle = 200;
/** The largest number that is a time: milliseconds, see `Date`. */
const largest = 8_640_000_000_000_000;

export interface ImportParts {
  /** Values in a file; only tests give another. */
  readonly mostValues?: number;
  readonly newId: () => string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** In pieces, so that something else can be done in between. */
export function* readExport(
  text: string,
  parts: ImportParts,
): Generator<void, Result<ImportedFile, ImportProblem>> {
  const { mostValues: values = mostValues } = parts;
  const parsed = yield* parsedJson(text, { levels: deepest, values });
  if (!parsed.ok) return err({ kind: parsed.error });
  const { value } = parsed;
  if (!isObject(value) || value['format'] !== exportFormat) return err({ kind: 'foreign' });
  const { version } = value;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1)
    return err({ kind: 'damaged', where: 'version' });
  if (version > exportVersion) return err({ kind: 'newer' });
  if (!(yield* hasPlainNumbers(value))) return err({ kind: 'excessive' });
  const read = yield* checked(value, parts.newId);
  return read.ok ? yield* imported(read.value, parts) : read;
}

/** The outer part of a file: what it has most of is looked at one by one. */
const fileShape = v.object({
  shown: v.string(),
  conversations: v.pipe(
    v.array(
      v.object({
        id: v.string(),
        createdAt: v.number(),
        title: v.exactOptional(v.object({ text: v.string(), by: v.picklist(['person', 'model']) })),
        parent: v.exactOptional(shapes.parent),
        turns: v.array(v.unknown()),
        history: v.object({ groups: v.array(v.unknown()) }),
        reports: v.array(shapes.report),
      }),
    ),
    v.minLength(1),
    v.maxLength(mostConversations),
  ),
});

type Outer = v.InferOutput<typeof fileShape>;

interface ConversationShape extends Omit<Outer['conversations'][number], 'turns' | 'history'> {
  readonly turns: readonly Turn[];
  readonly history: History;
}

interface FileShape {
  readonly shown: string;
  readonly conversations: readonly ConversationShape[];
}

type Checked<T> = Generator<void, Result<T, ImportProblem>>;

function* checked(file: JsonObject, newId: () => string): Checked<FileShape> {
  const outer = shaped(fileShape, file, '');
  if (!outer.ok) return outer;
  const { shown } = outer.value;
  const conversations: ConversationShape[] = [];
  for (const [index, one] of outer.value.conversations.entries()) {
    const where = `conversations.${index}`;
    const turns: Turn[] = [];
    for (const [at, turn] of one.turns.entries()) {
      const placed = withPlaces(turn, newId);
      const read = yield* apart(placed, `${where}.turns.${at}`, ['parts', shapes.turn, shapes.part]);
      if (!read.ok) return read;
      turns.push(read.value);
    }
    const groups: HistoryGroup[] = [];
    for (const [at, group] of one.history.groups.entries()) {
      const place = `${where}.history.groups.${at}`;
      const read = yield* apart(group, place, ['items', historyGroup, shapes.historyItem]);
      if (!read.ok) return read;
      groups.push(read.value);
    }
    conversations.push({ ...one, turns, history: { groups } });
  }
  return ok({ shown, conversations });
}

/** Something of which a list may be long: its members are looked at one by one. */
function* apart<K extends string, M, T extends { readonly [L in K]: readonly M[] }>(
  value: unknown,
  where: string,
  [list, shape, memberShape]: readonly [K, v.GenericSchema<unknown, T>, v.GenericSchema<unknown, M>],
): Checked<T> {
  const all = isObject(value) ? value[list] : undefined;
  const rest = shaped(shape, Array.isArray(all) ? { ...(value as JsonObject), [list]: [] } : value, where);
  if (!rest.ok) return rest;
  const members: M[] = [];
  for (const [at, member] of (all as readonly unknown[]).entries()) {
    const read = shaped(memberShape, member, `${where}.${list}.${at}`);
    if (!read.ok) return read;
    members.push(read.value);
    yield;
  }
  return ok({ ...rest.value, [list]: members });
}

/** @param where the value stands in the file; nothing for the file itself */
function shaped<T>(
  shape: v.GenericSchema<unknown, T>,
  value: unknown,
  where: string,
): Result<T, ImportProblem> {
  const read = v.safeParse(shape, value);
  if (read.success) return ok(read.output);
  const within = v.getDotPath(read.issues[0]);
  return err({ kind: 'damaged', where: [where, within].filter(Boolean).join('.') });
}

function* imported({ shown, conversations }: FileShape, { newId, now }: ImportParts): Checked<ImportedFile> {
  for (const [index, one] of conversations.entries()) {
    const where = problemIn(one);
    if (where !== undefined) return err({ kind: 'damaged', where: `conversations.${index}.${where}` });
    yield;
  }
  const names = new Names(newId);
  const ids = new Set(conversations.map(({ id }) => id));
  if (ids.size < conversations.length) return err({ kind: 'damaged', where: 'conversations' });
  if (!ids.has(shown)) return err({ kind: 'damaged', where: 'shown' });
  const first = names.of('conversation', shown);
  const all: ImportedConversation[] = [];
  for (const one of inOrder(conversations)) {
    all.push(conversationOf(one, { names, ids, now }));
    yield;
  }
  return ok({ shown: first, conversations: all });
}

/** What shapes can't tell. */
function problemIn({ turns, history }: ConversationShape): string | undefined {
  if (turns.length === 0) return 'turns';
  const ids = new Set(turns.map(({ id }) => id));
  if (ids.size < turns.length) return 'turns';
  for (const [index, { parts }] of turns.entries()) {
    const known = new Set(parts.map(({ id }) => id));
    if (known.size < parts.length || parts.some(({ id }) => !/^\d{1,6}\.\d{1,6}$/.test(id)))
      return `turns.${index}.parts`;
  }
  for (const [index, { turn, items }] of history.groups.entries()) {
    if (!ids.has(turn)) return `history.groups.${index}.turn`;
    for (const item of items) {
      if (item.type !== 'message' || item.role === 'assistant') continue;
      // Nothing is fetched for a picture, by whomever.
      const isPlain = item.content.every(
        (part) => part.type === 'input_text' || /^data:image\/[\w.+-]+;base64,/.test(part.image_url),
      );
      if (!isPlain) return `history.groups.${index}.items`;
    }
  }
  return undefined;
}

/** A parent before its branches: families count from the first. Those that stem from each other stay where they are. */
function inOrder(conversations: readonly ConversationShape[]): readonly ConversationShape[] {
  const byId = new Map(conversations.map((one) => [one.id, one]));
  const ordered = new Set<ConversationShape>();
  for (const one of conversations) {
    const line: ConversationShape[] = [];
    for (
      let at: ConversationShape | undefined = one;
      at !== undefined && !line.includes(at) && !ordered.has(at);
      at = byId.get(at.parent?.conversation ?? '')
    )
      line.push(at);
    for (const next of line.toReversed()) ordered.add(next);
  }
  return [...ordered];
}

interface Known {
  readonly names: Names;
  readonly ids: ReadonlySet<string>;
  readonly now: number;
}

function conversationOf(one: ConversationShape, { names, ids, now }: Known): ImportedConversation {
  const { createdAt, title, parent, history, reports } = one;
  const id = names.of('conversation', one.id);
  const turnId = (old: string): string => names.of('turn', old);
  const turns = one.turns.map((turn) => turnOf(turn, names));
  return {
    id,
    createdAt: Math.min(now, Math.max(0, createdAt)),
    ...(title !== undefined && { title: { ...title, text: cutAt(title.text, longestTitle) } }),
    ...(parent !== undefined &&
      ids.has(parent.conversation) && {
        parent: {
          conversation: names.of('conversation', parent.conversation),
          turn: turnId(parent.turn),
          kind: parent.kind,
        },
      }),
    seed: {
      conversation: { id, turns },
      history: { groups: history.groups.map((group) => ({ ...group, turn: turnId(group.turn) })) },
      requests: {
        requests: turns.flatMap((turn) => turn.requests.map(({ model }) => lostRequest(turn.id, model))),
        last: [],
      },
      removed: [],
      reports: [
        ...reports.map(({ text, about, told }) => ({
          text,
          ...(about !== undefined && { about: turnId(about) }),
          ...(told !== undefined && { told: turnId(told) }),
        })),
        ...(reports.some(({ text }) => text === elsewhereReport.text) ? [] : [elsewhereReport]),
      ],
    },
  };
}

function turnOf(turn: Turn, names: Names): Turn {
  // What it waited for is over.
  const { retry: _retry, ...rest } = turnFromElsewhere(turn);
  return {
    ...rest,
    id: names.of('turn', turn.id),
    parts: rest.parts.map((part) =>
      part.kind === 'tool' && part.proposal !== undefined
        ? { ...part, proposal: { ...part.proposal, id: names.of('proposal', part.proposal.id) } }
        : part,
    ),
  };
}

/** New ids for old ones, the same for the same. */
class Names {
  readonly #newId: () => string;
  readonly #known = new Map<string, string>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  of(kind: 'conversation' | 'turn' | 'proposal', old: string): string {
    const key = `${kind} ${old}`;
    const id = this.#known.get(key) ?? this.#newId();
    this.#known.set(key, id);
    return id;
  }
}

/** Values that are looked at at a time. */
const fewValues = 10_000;

/** No number beyond what a date can be. */
function* hasPlainNumbers(value: unknown): Generator<void, boolean> {
  const left: unknown[] = [value];
  for (let count = 1; left.length > 0; count++) {
    const one = left.pop();
    if (typeof one === 'number' && !(Math.abs(one) <= largest)) return false;
    if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) left.push(inner);
    if (count % fewValues === 0) yield;
  }
  return true;
}

/** Where attached files lie is not written, and names of chips are for one window: they are given what stands for that. */
function withPlaces(turn: unknown, newId: () => string): unknown {
  if (!isObject(turn)) return turn;
  const { question } = turn;
  if (!isObject(question)) return turn;
  const { attachments } = question;
  if (!Array.isArray(attachments)) return turn;
  const placed = attachments.map((one: unknown) => (isObject(one) ? { ...one, id: newId(), uri: '' } : one));
  return { ...turn, question: { ...question, attachments: placed } };
}
