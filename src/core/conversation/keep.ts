/**
 * What of a response goes back with later requests, in which form. The server refuses every later request over one item it can't
 * place, so whatever it would not take is left out or put right here, once, when the item is kept.
 */
import type { CallOutput, MessageOutput, ReasoningOutput, SearchOutput } from '../responses/events.ts';
import { isJsonObject } from '../responses/json.ts';
import type { SnapshotItem } from '../responses/snapshot.ts';
import type {
  AssistantMessageItem,
  CustomToolCallItem,
  FunctionCallItem,
  HistoryItem,
  ReasoningItem,
  ToolDeclaration,
  WebSearchCallItem,
} from '../responses/wire.ts';
import { wireName } from '../responses/wireName.ts';

export interface Kept {
  readonly items: readonly HistoryItem[];
  /** The calls among them, in order: each needs an output. */
  readonly calls: readonly KeptCall[];
}

export interface KeptCall {
  readonly slot: number;
  readonly call: CallOutput;
  readonly inputDiffers: boolean;
  /** As it is kept; its output must be of the matching type. */
  readonly item: FunctionCallItem | CustomToolCallItem;
}

/**
 * Converts the items of a response, in the server's order. Of one that did not complete (`completed` false), messages stay as far as
 * they came, and a half-written call is left out with all that follows it. Reasoning and searches that nothing follows are always left out, and so
 * is an empty message at the end, which would stand alone; in front of a call it stays, as part of what was said. `tools` are those
 * that the request declared, and those after it do.
 */
export function keepItems(
  items: readonly SnapshotItem[],
  completed: boolean,
  tools: readonly ToolDeclaration[],
): Kept {
  const kept: HistoryItem[] = [];
  const calls: KeptCall[] = [];
  const distinctId = distinctIds();
  const half = completed ? -1 : items.findIndex(({ item, whole }) => item.kind === 'call' && !whole);
  for (const { slot, item, whole, inputDiffers } of half === -1 ? items : items.slice(0, half)) {
    switch (item.kind) {
      case 'reasoning':
        kept.push(reasoningItem(item));
        break;
      case 'message':
        kept.push(...messageItems(item));
        break;
      case 'call': {
        const call = callItem({ ...item, callId: distinctId(item.callId) }, isDeclared(tools, item));
        calls.push({ slot, call: item, inputDiffers, item: call });
        kept.push(call);
        break;
      }
      case 'search':
        if (whole) kept.push(...searchItems(item));
        break;
      case 'other':
        // Types that the service does not take.
        break;
    }
  }
  while (leadsNowhere(kept.at(-1))) kept.pop();
  return { items: kept, calls };
}

function reasoningItem(item: ReasoningOutput): ReasoningItem {
  const { summary, content } = item;
  return {
    type: 'reasoning',
    ...idOf(item.id, 'rs_'),
    summary: summary.map((text) => ({ type: 'summary_text', text })),
    ...(content.some((text) => text !== '') && {
      content: content.map((text) => ({ type: 'reasoning_text', text }) as const),
    }),
    ...(item.encrypted !== undefined && { encrypted_content: item.encrypted }),
  };
}

/** None for a message without any part. Ids of messages are not among what the service takes. */
function messageItems(item: MessageOutput): readonly AssistantMessageItem[] {
  if (item.content.length === 0) return [];
  const content = item.content.map((text) => ({ type: 'output_text', text }) as const);
  return [{ type: 'message', role: 'assistant', content }];
}

/** None but for a search that worked: the service takes no other action back. */
function searchItems({ id, search }: SearchOutput): readonly WebSearchCallItem[] {
  const { action, failed } = search;
  const query = action.kind === 'search' ? action.queries[0] : undefined;
  if (query === undefined || failed === true) return [];
  return [
    { type: 'web_search_call', ...idOf(id, 'ws_'), status: 'completed', action: { type: 'search', query } },
  ];
}

function leadsNowhere(item: HistoryItem | undefined): boolean {
  if (item?.type === 'reasoning' || item?.type === 'web_search_call') return true;
  return item?.type === 'message' && item.content.every((part) => 'text' in part && part.text === '');
}

/** As a custom tool, of which none is in a namespace. */
function isDeclared(tools: readonly ToolDeclaration[], { name, namespace }: CallOutput): boolean {
  return namespace === undefined && tools.some((tool) => tool.type === 'custom' && tool.name === name);
}

function callItem(call: CallOutput, custom: boolean): FunctionCallItem | CustomToolCallItem {
  const { callId: call_id, namespace, input } = call;
  const rest = {
    call_id,
    // Models do call tools under names that the service itself would not take back.
    name: wireName(call.name),
    ...(namespace !== undefined && { namespace: wireName(namespace) }),
  };
  if (call.type === 'function_call') {
    // Byte for byte as it came, blank included. What is no JSON object would be refused for good, and changed under its id as well.
    return input.trim() === '' || isJsonObject(input)
      ? { type: 'function_call', ...idOf(call.id, 'fc_'), ...rest, arguments: input }
      : { type: 'function_call', ...rest, arguments: '{}' };
  }
  if (custom) return { type: 'custom_tool_call', ...idOf(call.id, 'ctc_'), ...rest, input };
  // Models call tools that they were not offered. The service takes a custom call only of a tool that is declared.
  return { type: 'function_call', ...rest, arguments: JSON.stringify({ input }) };
}

/** Ids of other shapes were not made by this service, which takes up to 64 characters; an item without an id is always taken. */
function idOf(id: string | undefined, prefix: string): { readonly id?: string } {
  return id !== undefined && id.startsWith(prefix) && id.length <= longestId ? { id } : {};
}

/**
 * Within one response two calls of one id could not be told apart; between responses ids do repeat. One that is longer than the
 * service takes back would block the conversation for ever: it is cut, and the call's output says the same.
 */
function distinctIds(): (callId: string) => string {
  const used = new Set<string>();
  /** Where to go on counting: many calls of one id would otherwise each count from the start. */
  const next = new Map<string, number>();
  return (callId) => {
    const wanted = ending(callId, '');
    let id = wanted;
    let n = next.get(wanted) ?? 2;
    for (; used.has(id); n++) id = ending(wanted, `-${n}`);
    next.set(wanted, n);
    used.add(id);
    return id;
  };
}

/** Half a character, that the cut may leave, is sent as the sign for one. */
function ending(id: string, end: string): string {
  return `${id.slice(0, longestId - end.length).toWellFormed()}${end}`;
}

/** Characters. */
const longestId = 64;
