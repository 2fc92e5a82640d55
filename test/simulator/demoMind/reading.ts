/** What the demo mind understands of a request: the question, the code that came with it, what became of its last calls. */
import type { ScriptedRequest } from '../script.ts';
import { isJsonObject, type JsonObject } from '../wire.ts';

/** Code as it was given: a whole file, or lines of it. */
export interface Excerpt {
  readonly path: string;
  readonly language: string;
  /** Number of the first line, counted from 1. */
  readonly firstLine: number;
  readonly whole: boolean;
  readonly lines: readonly string[];
}

export interface ToolResult {
  readonly call: string;
  readonly text: string;
}

/** A call made since the question that only looks or runs something, with what came of it. */
export interface Look {
  readonly tool: string;
  readonly input: JsonObject;
  readonly result: string;
}

/** Something that came along and is no code with a path: changes, problems, what a terminal showed. */
export interface Context {
  readonly heading: string;
  readonly text: string;
}

/** A slash command, and what it asks for. */
export interface Command {
  readonly name: string;
  readonly text: string;
}

/** A patch of this conversation and what the tool said about it. */
export interface PatchTold {
  readonly patch: string;
  readonly result: string;
}

export interface Reading {
  /** The last thing the person wrote, attachments taken out. */
  readonly question: string;
  /** Attached to the last question. */
  readonly attached: readonly Excerpt[];
  /** What else came with the last question. Standing instructions are not in it. */
  readonly contexts: readonly Context[];
  readonly images: number;
  /** The slash command that the last question begins with. */
  readonly command: Command | undefined;
  /** Attached to earlier questions, the latest first. */
  readonly earlier: readonly Excerpt[];
  /** What became of the patches proposed since that question; empty when none was. */
  readonly results: readonly ToolResult[];
  /** What was looked up and run since that question, in order. */
  readonly looks: readonly Look[];
  /** The functions that are offered. */
  readonly offered: ReadonlySet<string>;
  readonly canSearchWeb: boolean;
  /** All patches of the conversation so far, in order. */
  readonly patches: readonly PatchTold[];
  readonly canPatch: boolean;
}

export function readRequest({ body }: ScriptedRequest): Reading {
  const items = inputItems(body['input']);
  const messages = items.filter(
    (item) => (item['type'] ?? 'message') === 'message' && item['role'] === 'user',
  );
  const questions = messages.map((message) => readMessage(message['content']));
  const last = questions.at(-1);
  const lastMessage = messages.at(-1);
  const since = lastMessage === undefined ? items : items.slice(items.lastIndexOf(lastMessage) + 1);
  return {
    question: last?.question ?? '',
    attached: last?.excerpts ?? [],
    contexts: last?.contexts ?? [],
    images: last?.images ?? 0,
    command: last?.command,
    earlier: questions
      .slice(0, -1)
      .toReversed()
      .flatMap(({ excerpts }) => excerpts),
    results: since
      .filter((item, at) => isOutput(item) && lookOf(since, item, at) === undefined)
      .map((item) => ({ call: textOf(item['call_id']), text: contentText(item['output']) })),
    looks: since.flatMap((item, at) => lookOf(since, item, at) ?? []),
    offered: new Set(
      toolsOf(body).flatMap((tool) => (tool['type'] === 'function' ? [textOf(tool['name'])] : [])),
    ),
    canSearchWeb: toolsOf(body).some((tool) => tool['type'] === 'web_search'),
    patches: patchesOf(items),
    canPatch: toolsOf(body).some((tool) => tool['type'] === 'custom' && tool['name'] === 'apply_patch'),
  };
}

const looking: ReadonlySet<string> = new Set([
  'read_file',
  'list_files',
  'search_text',
  'get_problems',
  'run_command',
]);

/** Of an output: the last call in front of it that has its id, if that was one that looks. */
function lookOf(items: readonly JsonObject[], output: JsonObject, at: number): Look | undefined {
  if (output['type'] !== 'function_call_output') return undefined;
  const call = items
    .slice(0, at)
    .findLast((item) => item['type'] === 'function_call' && item['call_id'] === output['call_id']);
  const tool = textOf(call?.['name']);
  if (call === undefined || !looking.has(tool)) return undefined;
  return { tool, input: objectIn(textOf(call['arguments'])), result: contentText(output['output']) };
}

function objectIn(json: string): JsonObject {
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Each call of the custom tool with the first output behind it that carries its call id: ids come again in later turns. */
function patchesOf(items: readonly JsonObject[]): readonly PatchTold[] {
  return items.flatMap((item, index) => {
    if (item['type'] !== 'custom_tool_call') return [];
    const output = items
      .slice(index + 1)
      .find((each) => isOutput(each) && each['call_id'] === item['call_id']);
    return output === undefined
      ? []
      : [{ patch: textOf(item['input']), result: contentText(output['output']) }];
  });
}

interface Message {
  readonly question: string;
  readonly excerpts: readonly Excerpt[];
  readonly contexts: readonly Context[];
  readonly images: number;
  readonly command: Command | undefined;
}

/** What is attached stands in parts of its own, or in front of the question in the same one. */
function readMessage(content: unknown): Message {
  const texts = typeof content === 'string' ? [content] : partTexts(content);
  const excerpts: Excerpt[] = [];
  const contexts: Context[] = [];
  let command: Command | undefined;
  const rest = texts.map((text) => {
    const context = contextIn(text);
    if (context !== undefined) {
      const name = /^What "\/([^"]+)" asks for/.exec(context.heading)?.[1];
      if (name !== undefined) command = { name, text: context.text };
      else if (!isRule(context.heading)) contexts.push(context);
      return '';
    }
    return text.replaceAll(attachment, (...match) => {
      excerpts.push(excerptOf(match.at(-1) as Readonly<Record<string, string | undefined>>));
      return '';
    });
  });
  const images = Array.isArray(content)
    ? content.filter((part) => isJsonObject(part) && part['type'] === 'input_image').length
    : 0;
  return { question: rest.join('\n').trim(), excerpts, contexts, images, command };
}

/** By the headings that the extension gives to what is no file. */
const contextHeads =
  /^(?:What "\/|Standing instructions |The earlier instructions |Changes in the working tree|Staged changes|Problems that |The last command in |Selected in the terminal |The files in [^\n]*, by name|Summary of the conversation )/;

function contextIn(text: string): Context | undefined {
  if (!contextHeads.test(text)) return undefined;
  const [, heading, , fenced] = /^([^\n]*):\n(`{3,})[^\n]*\n([^]*)\2$/.exec(text) ?? [];
  const [first = ''] = text.split('\n', 1);
  return { heading: heading ?? first, text: fenced ?? text.slice(first.length).trim() };
}

function isRule(heading: string): boolean {
  return /^(?:Standing|The earlier) instructions /.test(heading);
}

/**
 * A line that names a path and perhaps lines, then fenced code: `src/cart.ts, lines 12-31 (typescript):`. Variants of the wording
 * are taken too, as long as the path has a dot or a slash in it.
 */
const attachment =
  /^[^\n`]*?`?(?<path>[^\s`,:()]*[./][^\s`,:()]+)`?[^\S\n]*(?:[,:(][^\S\n]*(?:lines?[^\S\n]*)?L?(?<from>\d+)(?:[^\S\n]*(?:-|–|to)[^\S\n]*L?(?<to>\d+))?)?[^\n`]*\n+(?<fence>`{3,})(?<language>[^\n`]*)\n(?<code>[\s\S]*?)\r?\n?\k<fence>[^\S\n]*$/gm;

function excerptOf(groups: Readonly<Record<string, string | undefined>>): Excerpt {
  return {
    path: (groups['path'] ?? '').replaceAll('\\', '/').replace(/^\.\//, ''),
    language: (groups['language'] ?? '').trim(),
    firstLine: Number(groups['from'] ?? 1),
    whole: groups['from'] === undefined,
    lines: (groups['code'] ?? '').split(/\r?\n/),
  };
}

function inputItems(input: unknown): readonly JsonObject[] {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  return Array.isArray(input) ? input.filter(isJsonObject) : [];
}

function toolsOf(body: JsonObject): readonly JsonObject[] {
  return Array.isArray(body['tools']) ? body['tools'].filter(isJsonObject) : [];
}

function isOutput(item: JsonObject): boolean {
  return item['type'] === 'custom_tool_call_output' || item['type'] === 'function_call_output';
}

function partTexts(content: unknown): readonly string[] {
  return Array.isArray(content) ? content.filter(isJsonObject).map((part) => textOf(part['text'])) : [];
}

function contentText(content: unknown): string {
  return typeof content === 'string' ? content : partTexts(content).join('\n');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
