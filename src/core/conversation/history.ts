/**
 * What the model is told of a conversation: the items that go back with every request. Kept by the host alone; what people see is
 * the `Conversation`. Grouped by who produced them, because ciphertext of one model means nothing to another.
 */
import type { ContextCut } from './conversation.ts';
import type { ModelId } from '../responses/models.ts';
import type {
  CustomToolCallItem,
  CustomToolCallOutputItem,
  FunctionCallItem,
  FunctionCallOutputItem,
  HistoryItem,
  UserMessageItem,
} from '../responses/wire.ts';
import type { TurnEvent } from './turnEvent.ts';

export interface History {
  /** In the order in which they were kept. */
  readonly groups: readonly HistoryGroup[];
}

export interface HistoryGroup {
  readonly turn: string;
  /** The model that was asked in this turn. */
  readonly model: ModelId;
  readonly items: readonly HistoryItem[];
  /** Of a response that did not finish: leaves when its turn is resumed. */
  readonly partial: boolean;
  /** Kept, and not sent. */
  readonly cut?: ContextCut;
  /** Of a deleted turn: kept only as long as that can be undone, and not sent. */
  readonly removed?: true;
}

export function emptyHistory(): History {
  return { groups: [] };
}

/** The history after one event. Pure. Events that keep nothing return the same value. */
export function reduceHistory(history: History, event: TurnEvent): History {
  switch (event.kind) {
    case 'turnStarted':
      return added(history, { turn: event.turn, model: event.model, items: [], partial: false });
    case 'itemsKept': {
      const { turn, items, partial = false } = event;
      const last = history.groups.findLast((group) => group.turn === turn);
      return last === undefined ? history : added(history, { turn, model: last.model, items, partial });
    }
    case 'turnResumed': {
      const groups = history.groups.filter((group) => group.turn !== event.turn || !group.partial);
      const kept = { groups };
      if (event.model === undefined) return kept;
      return added(kept, { turn: event.turn, model: event.model, items: [], partial: false });
    }
    case 'contextCut': {
      const { turn, cut } = event;
      return changed(history, turn, (group) => (group.removed === true ? group : { ...group, cut }));
    }
    case 'turnRemoved':
      return changed(history, event.turn, (group) => ({ ...group, removed: true }));
    case 'turnRestored':
      return changed(history, event.turn, ({ removed: _removed, ...group }) => group);
    default:
      return history;
  }
}

/**
 * All items in the order of sending, valid for a request whatever happened: the outputs of a response stand directly behind the
 * calls they answer, a call without one (the host went away while a tool ran) is given one, and an output without a call is left
 * out. Servers refuse every later request over any of these.
 *
 * With `model`, ciphertext that another model produced is left out; the clear summary stays.
 */
export function historyItems(history: History, model?: ModelId): readonly HistoryItem[] {
  const all: HistoryItem[] = [];
  for (const [index, group] of history.groups.entries()) {
    for (const item of groupItems(group, history.groups[index + 1], model)) all.push(item);
  }
  return all;
}

/** What `historyItems` has of one group. `next` is the one behind it: outputs may be kept there. */
export function groupItems(
  group: HistoryGroup,
  next: HistoryGroup | undefined,
  model?: ModelId,
): readonly HistoryItem[] {
  if (group.removed === true) return [];
  const { items, plain } = itemsOf(group, next);
  return model === undefined || group.model === model ? items : plain;
}

interface GroupItems {
  readonly next: HistoryGroup | undefined;
  readonly items: readonly HistoryItem[];
  /** Without ciphertext. */
  readonly plain: readonly HistoryItem[];
}

/** Groups never change: what was made of one, and of the one behind it, stands. A long conversation asks for all of them at each request. */
const made = new WeakMap<HistoryGroup, GroupItems>();

function itemsOf(group: HistoryGroup, next: HistoryGroup | undefined): GroupItems {
  const known = made.get(group);
  if (known !== undefined && known.next === next) return known;
  const own = group.items.filter((item) => !isOutput(item));
  const following = next?.items ?? [];
  // Outputs are kept in a group of their own, once the tools are done.
  const outputs = [...group.items, ...(following.every(isOutput) ? following : [])].filter(isOutput);
  const items = withoutCut(answered(own, outputs), group.cut);
  const result = { next, items, plain: items.map(withoutCiphertext) };
  made.set(group, result);
  return result;
}

/** What stands for the output of a call nobody answered. */
export const unansweredOutput = 'No result: the call was interrupted and may or may not have taken effect.';

/** The output that belongs to a call: the types must match. */
export function outputItem(call: CallItem, output: string): OutputItem {
  return call.type === 'function_call'
    ? { type: 'function_call_output', call_id: call.call_id, output }
    : { type: 'custom_tool_call_output', call_id: call.call_id, output };
}

type CallItem = FunctionCallItem | CustomToolCallItem;
type OutputItem = FunctionCallOutputItem | CustomToolCallOutputItem;

function added(history: History, group: HistoryGroup): History {
  return { groups: [...history.groups, group] };
}

function changed(history: History, turn: string, change: (group: HistoryGroup) => HistoryGroup): History {
  return { groups: history.groups.map((group) => (group.turn === turn ? change(group) : group)) };
}

/** What stands for a text that a person left out to make room. */
export const leftOut = 'Left out by the user to make room.';

/** A call keeps its output, if only in name: the service refuses one without. */
function withoutCut(items: readonly HistoryItem[], cut: ContextCut | undefined): readonly HistoryItem[] {
  if (cut === undefined) return items;
  if (cut.whole) return [];
  // The items are those of one response: reasoning of one with a call led to that.
  const spoken = cut.reasoning === true && !items.some(isCall);
  return items.flatMap((item): readonly HistoryItem[] => {
    if (spoken && item.type === 'reasoning') return [];
    if (cut.toolOutputs && isOutput(item)) return [{ ...item, output: shorter(item.output) }];
    if (!isQuestion(item)) return [item];
    if (cut.attachments) return [withoutAttachments(item)];
    return [cut.files === undefined ? item : withoutFiles(item, cut.files)];
  });
}

function shorter(output: string): string {
  return output.length > leftOut.length ? leftOut : output;
}

/** The question itself is the last part; what stands before it was attached. */
function withoutAttachments(item: UserMessageItem): UserMessageItem {
  if (item.content.length < 2) return item;
  return { ...item, content: [{ type: 'input_text', text: leftOut }, ...item.content.slice(-1)] };
}

function withoutFiles(item: UserMessageItem, files: readonly number[]): UserMessageItem {
  const question = item.content.length - 1;
  const content = item.content.map((part, index) =>
    index < question && files.includes(index) ? ({ type: 'input_text', text: leftOut } as const) : part,
  );
  return { ...item, content };
}

export function isQuestion(item: HistoryItem): item is UserMessageItem {
  return item.type === 'message' && item.role === 'user';
}

function withoutCiphertext(item: HistoryItem): HistoryItem {
  if (item.type !== 'reasoning' || item.encrypted_content === undefined) return item;
  const { encrypted_content: _ciphertext, ...rest } = item;
  return rest;
}

/** Puts behind each run of neighbouring calls their outputs. Ids are unique within a response only. */
function answered(items: readonly HistoryItem[], outputs: readonly OutputItem[]): readonly HistoryItem[] {
  return items.flatMap((item, index) => {
    const following = items[index + 1];
    if (!isCall(item) || (following !== undefined && isCall(following))) return [item];
    const start = items.findLastIndex((earlier, at) => at < index && !isCall(earlier)) + 1;
    const calls = items.slice(start, index + 1).filter(isCall);
    const answers = calls.map(
      (call) =>
        outputs.find((output) => output.call_id === call.call_id) ?? outputItem(call, unansweredOutput),
    );
    return [item, ...answers];
  });
}

function isCall(item: HistoryItem): item is CallItem {
  return item.type === 'function_call' || item.type === 'custom_tool_call';
}

function isOutput(item: HistoryItem): item is OutputItem {
  return item.type === 'function_call_output' || item.type === 'custom_tool_call_output';
}
