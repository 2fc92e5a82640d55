/** What a prompt file says: its front matter, and the text in which what is only known at the moment of asking is filled in. Pure. */
import { basename } from 'node:path/posix';

import {
  effortFor,
  modelRow,
  models,
  type Effort,
  type ModelId,
} from '../../core/conversation/conversation.ts';

export interface PromptFile {
  /** What it wants to be called, without a slash. */
  readonly name?: string;
  readonly description?: string;
  /** What may be typed behind its name, in the words of its author. */
  readonly argumentHint?: string;
  readonly asks?: { readonly model?: ModelId; readonly effort?: Effort };
  /** Keys of the front matter that ask for what does not happen here. */
  readonly ignored: readonly string[];
  readonly body: string;
}

/** Keys that other chats act on. */
const foreignKeys = ['agent', 'mode', 'tools'];

/** What is read is `key: value`, and a text or a list below its key; deeper YAML belongs to keys that are not used. */
export function readPromptFile(written: string): PromptFile {
  const text = written.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const front = /^---[ \t]*\n(?<lines>(?:.*\n)*?)---[ \t]*(?:\n|$)/.exec(text);
  if (front === null) return { ignored: [], body: text.trim() };
  const values = frontValues(front.groups?.['lines'] ?? '');
  const known = (key: string): string | undefined => values.get(key) || undefined;
  const [name, description, argumentHint] = [known('name'), known('description'), known('argument-hint')];
  const row = listOf(known('model'))
    .map(modelCalled)
    .find((one) => one !== undefined);
  const effort = effortCalled(known('effort'), row?.id);
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(argumentHint !== undefined && { argumentHint }),
    ...((row !== undefined || effort !== undefined) && {
      asks: { ...(row !== undefined && { model: row.id }), ...(effort !== undefined && { effort }) },
    }),
    ignored: [
      ...foreignKeys.filter((key) => values.has(key)),
      ...(values.has('model') && row === undefined ? ['model'] : []),
      ...(values.has('effort') && effort === undefined ? ['effort'] : []),
    ],
    body: text.slice(front[0].length).trim(),
  };
}

function frontValues(written: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const lines = written.split('\n');
  lines.forEach((line, index) => {
    const found = keyLine.exec(line)?.groups;
    if (found === undefined) return;
    const below = (): readonly string[] => {
      let end = index + 1;
      while (end < lines.length && !keyLine.test(lines[end] ?? '')) end += 1;
      return lines.slice(index + 1, end);
    };
    const value = found['value'] ?? '';
    values.set((found['key'] ?? '').toLowerCase(), blockOf(value, below) ?? scalar(value));
  });
  return values;
}

const keyLine = /^(?<key>[A-Za-z][\w-]*)[ \t]*:[ \t]*(?<value>.*)$/;

/** A value that stands in the lines below its key: a text, or a list, which is given as one in brackets. Undefined when it is none. */
function blockOf(value: string, below: () => readonly string[]): string | undefined {
  const sign = /^(?<sign>[|>])[-+\d]*[ \t]*(?:#.*)?$/.exec(value)?.groups?.['sign'];
  if (sign !== undefined) {
    const lines = below().map((line) => line.trim());
    return lines.join(sign === '|' ? '\n' : ' ').trim();
  }
  if (!/^[ \t]*(?:#.*)?$/.test(value)) return undefined;
  const items = below().flatMap((line) => /^[ \t]*-[ \t]+(?<item>.*)$/.exec(line)?.groups?.['item'] ?? []);
  return items.length === 0 ? undefined : `[${items.map(scalar).join(', ')}]`;
}

/** As YAML has it on one line: in quotes, or up to a comment. */
function scalar(written: string): string {
  const value = written.trim();
  const single = /^'((?:[^']|'')*)'/.exec(value)?.[1];
  if (single !== undefined) return single.replaceAll("''", "'");
  const double = /^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1];
  if (double !== undefined)
    return double.replaceAll(/\\(.)/g, (_, escaped: string) => escapes[escaped] ?? escaped);
  return value.replace(/(?:^|\s)#.*$/, '').trim();
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t' };

/** One value, or several in brackets. */
function listOf(value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  const inside = /^\[(.*)\]$/.exec(value)?.[1];
  return inside === undefined ? [value] : inside.split(',').map(scalar);
}

function modelCalled(name: string): ReturnType<typeof modelRow> {
  const wanted = name.toLowerCase();
  // `Kimi K3` is the whole name of what is called `K3` here.
  const label = wanted.replace(/^kimi /, '');
  return modelRow(wanted) ?? models.find((row) => row.label.toLowerCase() === label);
}

function effortCalled(name: string | undefined, model: ModelId | undefined): Effort | undefined {
  const wanted = name?.toLowerCase();
  const rows = model === undefined ? models : models.filter(({ id }) => id === model);
  const found = rows.flatMap(({ efforts }) => efforts).find((one) => one === wanted);
  const row = rows.length === 1 ? rows[0] : undefined;
  return found === undefined || row === undefined ? found : effortFor(row, found);
}

/** What may be typed as the name of a prompt; undefined when nothing of it may. */
export function promptName(written: string): string | undefined {
  const name = written
    .normalize('NFC')
    .replaceAll(/\s+/g, '-')
    .replaceAll(/[^\p{L}\p{N}\p{M}._-]/gu, '')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  return name === '' || name.length > longestName ? undefined : name;
}

const longestName = 100;

/** A slash command at the start of a question. */
export interface Invocation {
  readonly name: string;
  /** What is typed behind it, without blanks around. */
  readonly argument: string;
}

/** Undefined when the question begins with no such thing; whether there is a command of this name is for others to say. */
export function invocationOf(question: string): Invocation | undefined {
  const found = /^\s*\/(?<name>[\p{L}\p{N}\p{M}._-]+)(?:\s+(?<argument>[^]*))?$/u.exec(question)?.groups;
  if (found === undefined) return undefined;
  return { name: (found['name'] ?? '').normalize('NFC'), argument: (found['argument'] ?? '').trim() };
}

/** What a prompt wants to be told when it is used: `${input:name:Which one?}`. */
export interface PromptInput {
  readonly name: string;
  /** What its author wrote to explain it. */
  readonly placeholder?: string;
}

const inputPattern = /\$\{input:(?<name>[^:}]{1,200})(?::(?<placeholder>[^}]{0,1000}))?\}/g;

/** Each name once, in the order in which they stand. */
export function inputsOf(body: string): readonly PromptInput[] {
  const inputs = new Map<string, PromptInput>();
  for (const { groups } of body.matchAll(inputPattern)) {
    const name = (groups?.['name'] ?? '').trim();
    const placeholder = groups?.['placeholder']?.trim();
    if (!inputs.has(name)) inputs.set(name, { name, ...(placeholder && { placeholder }) });
  }
  return [...inputs.values()];
}

/** Values that are given behind the name: `name=value`, in quotes when it has blanks; what is left is the first one that is not named. */
export function givenInputs(inputs: readonly PromptInput[], argument: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const names = new Set(inputs.map(({ name }) => name));
  const rest = argument
    .replaceAll(
      /(?<=^|\s)(?<name>[^\s="]+)=(?:"(?<quoted>[^"]*)"|(?<plain>\S*))/g,
      (all, name: string, quoted: string | undefined, plain: string | undefined) => {
        if (!names.has(name)) return all;
        values.set(name, quoted ?? plain ?? '');
        return '';
      },
    )
    .trim();
  const first = inputs.find(({ name }) => !values.has(name));
  if (first !== undefined && rest !== '') values.set(first.name, rest);
  return values;
}

/** What is known of the editor in front; undefined where nothing fit stands there. */
export interface PromptSurroundings {
  /** Its path, as the model is to write it. */
  readonly file?: string;
  readonly selection?: string;
  /** Name of the workspace folder. */
  readonly folder?: string;
}

/** The text with everything filled in that is known. What is not known stays as it is written. */
export function filled(
  body: string,
  inputs: ReadonlyMap<string, string>,
  { file, selection, folder }: PromptSurroundings,
): string {
  const variables = new Map<string, string | undefined>([
    ['file', file],
    ['relativeFile', file],
    ['fileBasename', file && basename(file)],
    ['fileBasenameNoExtension', file && basename(file).replace(/(?<=.)\.[^.]*$/, '')],
    ['fileDirname', file && file.slice(0, Math.max(0, file.lastIndexOf('/')))],
    ['selection', selection],
    ['selectedText', selection],
    ['workspaceFolder', folder],
    ['workspaceFolderBasename', folder],
  ]);
  // In one go: what was filled in is not looked into.
  return body.replaceAll(
    /\$\{(?:input:(?<input>[^:}]{1,200})(?::[^}]{0,1000})?|(?<variable>\w+))\}/g,
    (all, input: string | undefined, variable: string | undefined) =>
      (input === undefined ? variables.get(variable ?? '') : inputs.get(input.trim())) ?? all,
  );
}
