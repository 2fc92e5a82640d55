/** Rules for the shape of each input item. What may follow what is in `order.ts`. */
import { isJsonObject, type JsonObject } from '../wire.ts';
import {
  complain,
  elements,
  isArray,
  isFilledString,
  isObject,
  isOneOf,
  isString,
  nameOf,
  onlyFields,
  required,
} from './shape.ts';
import { declaresCustom, isName } from './tools.ts';
import type { Complaint } from './violation.ts';

type Complaints = Generator<Complaint, void, void>;

/** What an item of each type may carry. `annotations`, `phase`, `logprobs` and a message's `id` belong to answers. */
const itemFields: Readonly<Record<string, readonly string[]>> = {
  message: ['type', 'role', 'content', 'status'],
  reasoning: ['type', 'id', 'summary', 'content', 'encrypted_content', 'status'],
  function_call: ['type', 'id', 'call_id', 'name', 'namespace', 'arguments', 'status'],
  function_call_output: ['type', 'call_id', 'output', 'status'],
  custom_tool_call: ['type', 'id', 'call_id', 'name', 'namespace', 'input', 'status'],
  custom_tool_call_output: ['type', 'call_id', 'output', 'status'],
  web_search_call: ['type', 'id', 'status', 'action'],
};

const idPrefixes: Readonly<Record<string, string>> = {
  reasoning: 'rs_',
  function_call: 'fc_',
  custom_tool_call: 'ctc_',
  web_search_call: 'ws_',
};

export const longestId = 64;

/** Items with their places, as far as they are objects. */
export function* itemsOf(
  body: JsonObject,
): Generator<readonly [param: string, item: JsonObject, type: string], void, void> {
  for (const [param, item] of elements('input', body['input'])) {
    if (isJsonObject(item)) yield [param, item, typeOf(item)];
  }
}

/** Messages may leave their type out. */
export function typeOf(item: JsonObject): string {
  const type = item['type'];
  if (type === undefined && item['role'] !== undefined) return 'message';
  return typeof type === 'string' ? type : '';
}

export function* itemTypesKnown(body: JsonObject): Iterable<Complaint> {
  for (const [param, item, type] of itemsOf(body)) {
    if (itemFields[type] !== undefined) continue;
    const says =
      item['type'] === undefined
        ? 'is required for everything but messages'
        : `${nameOf(item['type'])} is not supported`;
    yield { param: `${param}.type`, says };
  }
}

export function* itemFieldsKnown(body: JsonObject): Iterable<Complaint> {
  for (const [param, item, type] of itemsOf(body)) {
    const allowed = itemFields[type];
    if (allowed !== undefined) yield* onlyFields(param, item, allowed);
  }
}

/** Items of an interrupted answer have to be finished or dropped before they are sent again. */
export function* itemsCompleted(body: JsonObject): Iterable<Complaint> {
  for (const [param, item] of itemsOf(body)) {
    if (item['status'] !== undefined) yield* isOneOf(`${param}.status`, item['status'], ['completed']);
  }
}

export function* itemIds(body: JsonObject): Iterable<Complaint> {
  for (const [param, item, type] of itemsOf(body)) {
    const prefix = idPrefixes[type];
    const id = item['id'];
    if (prefix === undefined || id === undefined) continue;
    yield* isString(`${param}.id`, id);
    if (typeof id !== 'string') continue;
    if (!id.startsWith(prefix))
      yield* complain(`${param}.id`, `must start with "${prefix}", not be ${nameOf(id)}`);
    if (id.length > longestId) {
      yield* complain(`${param}.id`, `may have up to ${longestId} characters, not ${id.length}`);
    }
  }
}

export function* messageRoles(body: JsonObject): Iterable<Complaint> {
  for (const [param, item, type] of itemsOf(body)) {
    if (type !== 'message') continue;
    yield* required(param, item, ['role']);
    if (item['role'] === 'system') {
      yield* complain(`${param}.role`, '"system" is not a role; use instructions, or the role "developer"');
    }
    yield* isOneOf(`${param}.role`, item['role'], ['user', 'assistant', 'developer']);
  }
}

export function* messageContents(body: JsonObject): Iterable<Complaint> {
  for (const [param, item, type] of itemsOf(body)) {
    if (type !== 'message') continue;
    yield* required(param, item, ['content']);
    yield* isContent(`${param}.content`, item['content'], partTypes[String(item['role'])] ?? []);
    if (item['content'] === '') yield* complain(`${param}.content`, 'must not be empty');
    if (Array.isArray(item['content']) && item['content'].length === 0) {
      yield* complain(`${param}.content`, 'must not be empty');
    }
  }
}

const partTypes: Readonly<Record<string, readonly string[]>> = {
  user: ['input_text', 'input_image'],
  developer: ['input_text'],
  assistant: ['output_text'],
};

export function* reasoningItems(body: JsonObject): Iterable<Complaint> {
  for (const [param, item, type] of itemsOf(body)) {
    if (type !== 'reasoning') continue;
    if (item['summary'] === undefined && item['content'] === undefined) {
      yield* complain(`${param}.summary`, 'is required; an empty summary is []');
    }
    if (item['summary'] !== undefined) {
      yield* isPartList(`${param}.summary`, item['summary'], ['summary_text']);
    }
    if (item['content'] !== undefined) {
      yield* isPartList(`${param}.content`, item['content'], ['reasoning_text']);
    }
    if (item['encrypted_content'] !== undefined) {
      yield* isFilledString(`${param}.encrypted_content`, item['encrypted_content']);
    }
  }
}

export function* callIds(body: JsonObject): Iterable<Complaint> {
  for (const [param, item, type] of itemsOf(body)) {
    if (!isCall(type) && !isOutput(type)) continue;
    yield* required(param, item, ['call_id']);
    yield* isFilledString(`${param}.call_id`, item['call_id']);
    const length = typeof item['call_id'] === 'string' ? item['call_id'].length : 0;
    if (length > longestId) {
      yield* complain(`${param}.call_id`, `may have up to ${longestId} characters, not ${length}`);
    }
  }
}

export function* callNames(body: JsonObject): Iterable<Complaint> {
  for (const [param, item, type] of itemsOf(body)) {
    if (!isCall(type)) continue;
    yield* required(param, item, ['name']);
    yield* isName(`${param}.name`, item['name']);
    if (type === 'custom_tool_call' && item['name'] !== 'apply_patch') {
      yield* complain(
        `${param}.name`,
        `must be "apply_patch", the only custom tool, not ${nameOf(item['name'])}`,
      );
    }
    if (item['namespace'] !== undefined) yield* isName(`${param}.namespace`, item['namespace']);
  }
}

/** A JSON object as text. Blank stands for a call without arguments, as models send it. */
export function* functionArguments(body: JsonObject): Iterable<Complaint> {
  for (const [param, item, type] of itemsOf(body)) {
    if (type !== 'function_call') continue;
    yield* required(param, item, ['arguments']);
    yield* isString(`${param}.arguments`, item['arguments']);
    const text = String(item['arguments']);
    if (text.trim() !== '' && !isJsonObject(parsed(text))) {
      yield* complain(`${param}.arguments`, 'must be the text of a JSON object');
    }
  }
}

export function* customInputs(body: JsonObject): Iterable<Complaint> {
  for (const [param, item, type] of itemsOf(body)) {
    if (type !== 'custom_tool_call') continue;
    yield* required(param, item, ['input']);
    yield* isString(`${param}.input`, item['input']);
  }
}

/** A turn of the model with a tool that it does not have makes no sense to it. */
export function* customCallsDeclared(body: JsonObject): Iterable<Complaint> {
  for (const [param, item, type] of itemsOf(body)) {
    if (type !== 'custom_tool_call' || declaresCustom(body, item['name'], item['namespace'])) continue;
    yield* complain(`${param}.name`, `${nameOf(item['name'])} is not among the tools of this request`);
  }
}

export function* toolOutputs(body: JsonObject): Iterable<Complaint> {
  for (const [param, item, type] of itemsOf(body)) {
    if (!isOutput(type)) continue;
    yield* required(param, item, ['output']);
    yield* isContent(`${param}.output`, item['output'], ['input_text', 'input_image']);
  }
}

/** Kept as history only: what the search found is in the message behind it. */
export function* webSearchItems(body: JsonObject): Iterable<Complaint> {
  for (const [param, item, type] of itemsOf(body)) {
    const action = item['action'];
    if (type !== 'web_search_call' || action === undefined) continue;
    yield* isObject(`${param}.action`, action);
    if (!isJsonObject(action)) continue;
    yield* onlyFields(`${param}.action`, action, ['type', 'query']);
    yield* isOneOf(`${param}.action.type`, action['type'], ['search']);
    yield* isString(`${param}.action.query`, action['query']);
  }
}

export function isCall(type: string): boolean {
  return type === 'function_call' || type === 'custom_tool_call';
}

export function isOutput(type: string): boolean {
  return type === 'function_call_output' || type === 'custom_tool_call_output';
}

/** A text, or parts of the given types. */
function* isContent(param: string, content: unknown, types: readonly string[]): Complaints {
  if (typeof content === 'string') return;
  if (!Array.isArray(content)) {
    yield* complain(param, `must be a string or an array, not ${nameOf(content)}`);
  }
  yield* areParts(param, content, types);
}

function* isPartList(param: string, parts: unknown, types: readonly string[]): Complaints {
  yield* isArray(param, parts);
  yield* areParts(param, parts, types);
}

function* areParts(param: string, parts: unknown, types: readonly string[]): Complaints {
  for (const [place, part] of elements(param, parts)) {
    yield* isObject(place, part);
    if (!isJsonObject(part)) continue;
    yield* isOneOf(`${place}.type`, part['type'], types);
    if (part['type'] === 'input_image') {
      yield* isImage(place, part);
    } else {
      yield* onlyFields(place, part, ['type', 'text']);
      yield* isString(`${place}.text`, part['text']);
    }
  }
}

function* isImage(param: string, part: JsonObject): Complaints {
  yield* onlyFields(param, part, ['type', 'image_url', 'detail']);
  yield* isString(`${param}.image_url`, part['image_url']);
  if (!/^data:image\/[a-z0-9.+-]+;base64,[A-Za-z0-9+/]+=*$/i.test(String(part['image_url']))) {
    yield* complain(`${param}.image_url`, 'must be a data URL; addresses are not fetched');
  }
  if (part['detail'] !== undefined) {
    yield* isOneOf(`${param}.detail`, part['detail'], ['auto', 'low', 'high', 'original']);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
