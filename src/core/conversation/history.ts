/**
 * What the model is told of a conversation: the items that go back with every request. Kept by the host alone; what people see is
 * the `Conversation`. Grouped by who produced them, because ciphertext of one model means nothing to another.
 */
import type { ModelId } from '../responses/models.ts';
import type { HistoryItem } from '../responses/wire.ts';
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
    default:
      return history;
  }
}

/**
 * All items in the order of sending, valid for a request whatever happened: a call without an output (the host went away while a
 * tool ran) is given one, because a server refuses every later request over a missing output.
 *
 * With `model`, ciphertext that another model produced is left out; the clear summary stays.
 */
export function historyItems(history: History, model?: ModelId): readonly HistoryItem[] {
  const items = history.groups.flatMap((group) =>
    model === undefined || group.model === model ? group.items : group.items.map(withoutCiphertext),
  );
  return answered(items);
}

/** What stands for the output of a call nobody answered. */
export const unansweredOutput = 'No result: the call was interrupted and may or may not have taken effect.';

function added(history: History, group: HistoryGroup): History {
  return { groups: [...history.groups, group] };
}

function withoutCiphertext(item: HistoryItem): HistoryItem {
  if (item.type !== 'reasoning' || item.encrypted_content === undefined) return item;
  const { encrypted_content: _ciphertext, ...rest } = item;
  return rest;
}

type Call = Extract<HistoryItem, { type: 'function_call' | 'custom_tool_call' }>;

/** Completes each group of calls; `call_id`s repeat over a conversation, so a call is paired only within its own group. */
function answered(items: readonly HistoryItem[]): readonly HistoryItem[] {
  const result: HistoryItem[] = [];
  let open: Call[] = [];
  const close = (): void => {
    result.push(...open.map((call) => outputItem(call, unansweredOutput)));
    open = [];
  };
  let answering = false;
  for (const item of items) {
    if (item.type === 'function_call' || item.type === 'custom_tool_call') {
      if (answering) close();
      answering = false;
      open.push(item);
    } else if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output') {
      answering = true;
      const index = open.findIndex((call) => call.call_id === item.call_id);
      if (index !== -1) open.splice(index, 1);
    } else {
      close();
      answering = false;
    }
    result.push(item);
  }
  close();
  return result;
}

/** The output that belongs to a call: the kinds must match. */
export function outputItem(call: Call, output: string): HistoryItem {
  return call.type === 'function_call'
    ? { type: 'function_call_output', call_id: call.call_id, output }
    : { type: 'custom_tool_call_output', call_id: call.call_id, output };
}
