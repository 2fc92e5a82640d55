/**
 * The text a request becomes before the model reads it, for counting and caching. What comes early in it breaks the cache
 * for everything behind it: effort and output format, tools, instructions, then the items in their order.
 */
import { isJsonObject, type JsonObject } from './wire.ts';

export function renderPrompt(body: JsonObject): string {
  const parts: string[] = [];
  const effort = isJsonObject(body['reasoning']) ? body['reasoning']['effort'] : undefined;
  parts.push(`<effort>${typeof effort === 'string' ? effort : 'max'}`);
  if (body['text'] !== undefined) parts.push(`<text>${JSON.stringify(body['text'])}`);
  if (Array.isArray(body['tools'])) {
    for (const tool of body['tools']) parts.push(`<tool>${JSON.stringify(tool)}`);
  }
  if (typeof body['instructions'] === 'string') parts.push(`<system>${body['instructions']}`);
  const input = body['input'];
  if (typeof input === 'string') parts.push(`<user>${input}`);
  else if (Array.isArray(input)) for (const item of input) parts.push(renderItem(item));
  return parts.join('\n');
}

/** The parts of an item the model sees: ids are left out, as they carry nothing it reads. */
function renderItem(item: unknown): string {
  if (!isJsonObject(item)) return '<unknown>';
  switch (item['type'] ?? 'message') {
    case 'message':
      return `<${String(item['role'])}>${contentText(item['content'])}`;
    case 'reasoning':
      return `<think>${contentText(item['content'] ?? item['summary'])}`;
    case 'function_call':
      return `<call>${callName(item)}${String(item['arguments'])}`;
    case 'custom_tool_call':
      return `<call>${callName(item)}${String(item['input'])}`;
    case 'function_call_output':
    case 'custom_tool_call_output':
      return `<result>${String(item['call_id'])} ${contentText(item['output'])}`;
    case 'web_search_call':
      return '';
    default:
      return `<item>${JSON.stringify(item)}`;
  }
}

function callName(item: JsonObject): string {
  const namespace = typeof item['namespace'] === 'string' ? `${item['namespace']} ` : '';
  return `${namespace}${String(item['name'])} ${String(item['call_id'])} `;
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => {
      if (!isJsonObject(part)) return '';
      if (typeof part['text'] === 'string') return part['text'];
      return JSON.stringify(part);
    })
    .join('\n');
}
