/**
 * What the simulator has answered, so that it can tell whether an answer comes back unaltered and whole. It knows only its
 * own life: items of an earlier run, and items whose ids were left out, are taken as they are.
 */
import { isJsonObject, type JsonObject, type OutputItem } from '../wire.ts';
import { isCall, itemsOf, longestId, typeOf } from './items.ts';
import { complain } from './shape.ts';
import type { Complaint } from './violation.ts';

interface Issued {
  readonly item: OutputItem;
  readonly model: string;
  /** The items of its response so far, in order. */
  readonly siblings: readonly OutputItem[];
}

export class Memory {
  readonly #byId = new Map<string, Issued>();

  /** To be told of a response's items again with each item that is finished. */
  record(output: readonly OutputItem[], model: string): void {
    const siblings = output.filter((item) => item.type !== 'web_search_call');
    for (const item of siblings) this.#byId.set(item.id, { item, model, siblings });
  }

  /** True for a call the simulator made without any reasoning before it, as scripts may. */
  hasNoReasoning(id: unknown): boolean {
    const issued = typeof id === 'string' ? this.#byId.get(id) : undefined;
    return issued !== undefined && issued.siblings.every(({ type }) => type !== 'reasoning');
  }

  /** Replayed items are those that were sent, byte for byte. */
  *unaltered(body: JsonObject): Iterable<Complaint> {
    for (const [param, item] of itemsOf(body)) {
      const issued = this.#byId.get(String(item['id']))?.item;
      if (issued === undefined) continue;
      for (const field of comparedFields(issued)) {
        const given = item[field];
        const sent = (issued as unknown as JsonObject)[field];
        if (field === 'encrypted_content' && given === undefined) continue;
        // It is not taken back as long as that.
        if (field === 'call_id' && typeof sent === 'string' && sent.length > longestId) continue;
        if (JSON.stringify(given) !== JSON.stringify(sent)) {
          yield* complain(`${param}.${field}`, `differs from what was sent as ${issued.id}`);
        }
      }
    }
  }

  /** Ciphertext can be read only by the model that made it. */
  *sameModel(body: JsonObject): Iterable<Complaint> {
    for (const [param, item] of itemsOf(body)) {
      const issued = this.#byId.get(String(item['id']));
      if (issued === undefined || item['encrypted_content'] === undefined) continue;
      if (issued.model !== body['model']) {
        yield* complain(
          `${param}.encrypted_content`,
          `was made by ${issued.model}; leave it out for another model`,
        );
      }
    }
  }

  /**
   * Items of a response stand one behind the other. A client that stopped an answer may leave out its end and may have only the
   * beginning of its text, but nothing may be missing in between.
   */
  *whole(body: JsonObject): Iterable<Complaint> {
    const items = [...itemsOf(body)].filter(([, , type]) => type !== 'web_search_call');
    for (const [index, [param, item]] of items.entries()) {
      const issued = this.#byId.get(String(item['id']));
      const next = items[index + 1]?.[1];
      const expected = issued?.siblings[issued.siblings.indexOf(issued.item) + 1];
      if (expected === undefined || next === undefined || !isOfAssistant(next)) continue;
      if (!isReplayOf(expected, next)) {
        yield* complain(param, `the ${expected.type} that followed it in the answer does not follow`);
      }
    }
  }
}

function isOfAssistant(item: JsonObject): boolean {
  const type = typeOf(item);
  return isCall(type) || type === 'reasoning' || (type === 'message' && item['role'] === 'assistant');
}

function comparedFields(item: OutputItem): readonly string[] {
  switch (item.type) {
    case 'reasoning':
      return item.encrypted_content === null ? ['summary'] : ['summary', 'encrypted_content'];
    case 'function_call':
      return ['call_id', 'name', 'namespace', 'arguments'];
    case 'custom_tool_call':
      return ['call_id', 'name', 'namespace', 'input'];
    case 'message':
    case 'web_search_call':
      return [];
  }
}

/** Messages come back without their id, so their text tells. */
function isReplayOf(issued: OutputItem, item: JsonObject): boolean {
  const type = typeOf(item);
  // A custom call of a tool that was not offered can only come back as a function's.
  if (issued.type === 'custom_tool_call' && type === 'function_call') {
    return item['id'] === undefined && item['call_id'] === issued.call_id;
  }
  if (type !== issued.type) return false;
  if (issued.type === 'message') {
    return issued.content
      .map(({ text }) => text)
      .join('')
      .startsWith(textOf(item['content']));
  }
  if (item['id'] !== undefined) return item['id'] === issued.id;
  return !isCall(type) || item['call_id'] === (issued as { readonly call_id?: string }).call_id;
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return String(content);
  return content.map((part: unknown) => (isJsonObject(part) ? String(part['text']) : '')).join('');
}
