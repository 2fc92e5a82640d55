/**
 * What a call of a tool does, in words, from its name and its arguments as far as they have come. Pure. Knows common names of reading
 * and running tools; of any other tool it says the name, for a guess could hide what is done.
 */
import type { ToolPart } from '../core/conversation/conversation.ts';
import { visibleText } from './invisible.ts';
import { l10n } from './l10n.ts';
import { pathParts } from './paths.ts';
import { headingOf } from './turnFacts.ts';

export type CallKind = 'read' | 'list' | 'search' | 'problems' | 'symbols' | 'run' | 'other';

export type Call = Pick<ToolPart, 'name' | 'namespace' | 'input' | 'approvals'>;

const kindsByName: ReadonlyMap<string, CallKind> = new Map<string, CallKind>([
  ...named('read', 'read', 'read_file', 'read_files', 'open_file', 'view_file', 'get_file'),
  ...named('list', 'list', 'list_dir', 'list_directory', 'list_files', 'ls'),
  ...named('search', 'search', 'search_text', 'search_files', 'find_text', 'find_files', 'glob', 'grep'),
  ...named('problems', 'get_problems', 'get_diagnostics', 'read_problems'),
  ...named('symbols', 'find_symbol', 'find_symbols', 'get_symbols', 'find_definition', 'get_definition'),
  ...named('symbols', 'find_references', 'get_references'),
  ...named('run', 'run_command', 'run', 'exec', 'shell', 'bash', 'run_in_terminal'),
]);

function named(kind: CallKind, ...names: readonly string[]): readonly (readonly [string, CallKind])[] {
  return names.map((name) => [name, kind]);
}

/**
 * A tool in a namespace is somebody else's: whatever it is called, it is no tool of ours. So is one of which the person was asked as
 * of somebody else's, when the model left the namespace out.
 */
export function callKind(call: Call): CallKind {
  return ownerOf(call) === undefined ? (kindsByName.get(call.name) ?? 'other') : 'other';
}

/** Whose a tool is that is not ours, as the person was told; before they were, what it is declared in. */
function ownerOf({ namespace, approvals = [] }: Call): string | undefined {
  for (const { request } of approvals) if (request.kind === 'foreignTool') return request.owner;
  return namespace;
}

/** Neighbours with the same key are told in one line. */
export function callKey(call: Call): string {
  const kind = callKind(call);
  return kind === 'other' ? `other ${call.namespace ?? ''} ${call.name}` : kind;
}

/** `going`: it is being done, or it was not done to its end. */
export type Tense = 'going' | 'done';

/** Beyond so many, they are counted. */
const mostNamed = 3;

/** Calls of one key, one line: `Read cart.ts, tax.ts`, `Searching for “total”`. */
export function callText(calls: readonly Call[], tense: Tense): string {
  const first = calls[0];
  if (first === undefined) return '';
  const kind = callKind(first);
  if (kind === 'other') return otherText(first, calls.length, tense);
  const objects = [...new Set(calls.flatMap((call) => objectsOf(kind, call.input)))];
  const named = objects.length > 0 && objects.length <= mostNamed;
  const text = named ? objects.map((object) => objectText(kind, object)).join(l10n.t(', ')) : undefined;
  return sentence(kind, text, Math.max(calls.length, objects.length), tense === 'done');
}

/** The whole of what a line names, for its tooltip: paths in full. Undefined when that is nothing more. */
export function callDetail(calls: readonly Call[]): string | undefined {
  const first = calls[0];
  if (first === undefined) return undefined;
  const objects = [...new Set(calls.flatMap((call) => objectsOf(callKind(first), call.input)))];
  return objects.length === 0
    ? undefined
    : objects
        .slice(0, 20)
        .map((object) => visibleText(headingOf(object, 200)))
        .join('\n');
}

/** Whole sentences, for languages that put them together otherwise. `text` is absent while it is not known what it is about. */
function sentence(
  kind: Exclude<CallKind, 'other'>,
  text: string | undefined,
  count: number,
  done: boolean,
): string {
  switch (kind) {
    case 'read':
      if (text !== undefined) return done ? l10n.t('Read {0}', text) : l10n.t('Reading {0}', text);
      if (count === 1) return done ? l10n.t('Read a file') : l10n.t('Reading a file');
      return done ? l10n.t('Read {0} files', count) : l10n.t('Reading {0} files', count);
    case 'list':
      if (text !== undefined) return done ? l10n.t('Listed {0}', text) : l10n.t('Listing {0}', text);
      if (count === 1) return done ? l10n.t('Listed files') : l10n.t('Listing files');
      return done ? l10n.t('Listed {0} folders', count) : l10n.t('Listing {0} folders', count);
    case 'search':
      if (text !== undefined)
        return done ? l10n.t('Searched for {0}', text) : l10n.t('Searching for {0}', text);
      if (count === 1) return done ? l10n.t('Searched the files') : l10n.t('Searching the files');
      return done ? l10n.t('Searched {0} times', count) : l10n.t('Searching {0} times', count);
    case 'problems':
      if (text !== undefined)
        return done ? l10n.t('Read the problems of {0}', text) : l10n.t('Reading the problems of {0}', text);
      return done ? l10n.t('Read the problems') : l10n.t('Reading the problems');
    case 'symbols':
      if (text !== undefined) return done ? l10n.t('Looked up {0}', text) : l10n.t('Looking up {0}', text);
      if (count === 1) return done ? l10n.t('Looked up a symbol') : l10n.t('Looking up a symbol');
      return done ? l10n.t('Looked up {0} symbols', count) : l10n.t('Looking up {0} symbols', count);
    case 'run':
      if (text !== undefined) return done ? l10n.t('Ran {0}', text) : l10n.t('Running {0}', text);
      if (count === 1) return done ? l10n.t('Ran a command') : l10n.t('Running a command');
      return done ? l10n.t('Ran {0} commands', count) : l10n.t('Running {0} commands', count);
  }
}

function otherText(call: Call, count: number, tense: Tense): string {
  const owner = ownerOf(call);
  const name = owner === undefined ? toolName(call) : toolName({ name: call.name });
  const done = tense === 'done';
  if (owner === undefined || owner === '') {
    if (count === 1) return done ? l10n.t('Called {0}', name) : l10n.t('Calling {0}', name);
    return done
      ? l10n.t('Called {0}, {1} times', name, count)
      : l10n.t('Calling {0}, {1} times', name, count);
  }
  const whose = visibleText(headingOf(owner, 60));
  if (count === 1)
    return done ? l10n.t('Called {0} of {1}', name, whose) : l10n.t('Calling {0} of {1}', name, whose);
  return done
    ? l10n.t('Called {0} of {1}, {2} times', name, whose, count)
    : l10n.t('Calling {0} of {1}, {2} times', name, whose, count);
}

/** Both names of a tool of somebody else, as the model called it. */
export function toolName({ name, namespace }: Pick<Call, 'name' | 'namespace'>): string {
  const whole = namespace === undefined ? name : `${namespace}.${name}`;
  return visibleText(headingOf(whole, 60)) || l10n.t('a tool without a name');
}

/** What went into a call, as it is shown and searched: JSON on lines of its own, any other text as it is. */
export function inputText(input: string): string {
  if (!/^\s*[[{]/.test(input)) return input;
  try {
    const lines = JSON.stringify(JSON.parse(input), null, 2);
    // What is nested thousands of times is nearly all blanks.
    return lines.length > 4 * input.length + 10_000 ? input : lines;
  } catch {
    return input;
  }
}

/** The person was asked about all that went in: it stands with their answer, and not a second time. */
export function wasAskedWhole({ approvals = [] }: Pick<Call, 'approvals'>): boolean {
  return approvals.some(({ request: { kind } }) => kind === 'command' || kind === 'foreignTool');
}

function objectText(kind: CallKind, object: string): string {
  switch (kind) {
    case 'search':
    case 'symbols':
      return l10n.t('“{0}”', visibleText(headingOf(object, 40)));
    case 'run':
      return visibleText(headingOf(object, 60));
    default: {
      const path = object.replaceAll('\\', '/').replace(/(?<=.)\/+$/, '');
      return visibleText(headingOf(pathParts(path).name || path, 40));
    }
  }
}

const argumentNames: Readonly<Record<CallKind, readonly string[]>> = {
  read: ['path', 'paths', 'file', 'files', 'file_path', 'filePath', 'filename', 'uri'],
  list: ['path', 'directory', 'dir', 'folder', 'uri'],
  search: ['query', 'pattern', 'text', 'regex', 'glob'],
  problems: ['path', 'paths', 'file', 'file_path', 'filePath', 'uri'],
  symbols: ['symbol', 'name', 'query'],
  run: ['command', 'cmd', 'commandLine'],
  other: [],
};

/** What a call is about. Only what has come whole: a name that grows letter by letter would be unrest. */
function objectsOf(kind: CallKind, input: string): readonly string[] {
  const values = firstValues(input);
  for (const name of argumentNames[kind]) {
    const found = values.get(name)?.filter((value) => value.trim() !== '') ?? [];
    if (found.length > 0) return kind === 'run' ? [found.join(' ')] : found;
  }
  return [];
}

/** What names a call stands at its beginning; behind that may come megabytes. UTF-16 units. */
const looksAt = 4000;

const member = /"(\w{1,40})"\s*:\s*("(?:[^"\\]|\\.)*"|\[\s*(?:"(?:[^"\\]|\\.)*"\s*,?\s*)*)/g;
const string = /"(?:[^"\\]|\\.)*"/g;

/** Texts and lists of texts in JSON that may break off anywhere, by name. */
function firstValues(input: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, readonly string[]>();
  for (const [, name = '', value = ''] of input.slice(0, looksAt).matchAll(member)) {
    if (values.has(name)) continue;
    values.set(
      name,
      [...value.matchAll(string)].flatMap(([each]) => unquoted(each)),
    );
  }
  return values;
}

function unquoted(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? [value] : [];
  } catch {
    return [];
  }
}
