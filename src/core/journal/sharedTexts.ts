/**
 * What the model is sent of a turn has the same texts as what people see of it: answers, what tools gave back, what went into them. Read from
 * a journal they are twice in memory, unless one takes the place of the other here. Pure.
 */
import type { Turn } from '../conversation/conversation.ts';
import type { HistoryItem } from '../responses/wire.ts';

/** UTF-16 units from which it is worth looking. */
const leastLength = 200;

/** The same items; their long texts are those of the turn where they are equal. */
export function sharedWith(turn: Turn, items: readonly HistoryItem[]): readonly HistoryItem[] {
  return items.map((item): HistoryItem => {
    switch (item.type) {
      case 'function_call_output':
      case 'custom_tool_call_output':
        return { ...item, output: shared(turn, item.output) };
      case 'custom_tool_call':
        return { ...item, input: shared(turn, item.input) };
      case 'function_call':
        return { ...item, arguments: shared(turn, item.arguments) };
      case 'message':
        if (item.role !== 'assistant') return item;
        return { ...item, content: item.content.map((part) => ({ ...part, text: shared(turn, part.text) })) };
      case 'reasoning':
      case 'web_search_call':
        return item;
    }
  });
}

/** Lengths are compared first by the engine, so that nearly all of them cost nothing. */
function shared({ parts }: Turn, text: string): string {
  if (text.length < leastLength) return text;
  for (const part of parts) {
    if (part.kind === 'search') continue;
    const known = part.kind === 'tool' ? [part.outcome?.text, part.input] : part.sections;
    const found = known.find((one) => one === text);
    if (found !== undefined) return found;
  }
  return text;
}
