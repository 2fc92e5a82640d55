/** What a slash command at the start of a question adds to it: its prompt, with everything filled in, and the code that it is about. */
import { basename } from 'node:path/posix';
import * as vscode from 'vscode';

import { promptHeading } from '../../core/conversation/commandPrompts.ts';
import { modelRow, type AttachmentSummary } from '../../core/conversation/conversation.ts';
import type { Attachment } from '../../core/conversation/userMessage.ts';
import { cutAt } from '../../core/cutAt.ts';
import { weighed } from '../context/attachmentTokens.ts';
import { commandCode, type CodeSources } from './commandCode.ts';
import {
  filled,
  givenInputs,
  inputsOf,
  invocationOf,
  type Invocation,
  type PromptInput,
  type PromptSurroundings,
} from './promptFile.ts';
import type { Prompt, Prompts } from './prompts.ts';
import { referencedFiles, type FileSources } from './referencedFiles.ts';

export interface CommandSources extends CodeSources, FileSources {
  readonly prompts: Pick<Prompts, 'find'>;
  surroundings(): PromptSurroundings;
  /** Asks the person for a value; undefined when they think better of it. */
  ask(prompt: Prompt, input: PromptInput): PromiseLike<string | undefined>;
}

export type CommandParts =
  | {
      readonly kind: 'ready';
      readonly prompt?: Attachment;
      readonly code: readonly Attachment[];
      readonly note?: string;
    }
  /** A sentence for people. */
  | { readonly kind: 'problem'; readonly text: string }
  /** The person thought better of it. */
  | { readonly kind: 'cancelled' };

export interface CommandQuestion {
  readonly text: string;
  /** By the person. */
  readonly attached: readonly AttachmentSummary[];
}

const nothing: CommandParts = { kind: 'ready', code: [] };

/**
 * Nothing for a question that begins with no command that there is: a path or a comment begins with a slash, too.
 * @param asks whether the person is asked for what the prompt wants to know; what is not known stays as it is written otherwise
 */
export async function commandParts(
  { text, attached }: CommandQuestion,
  sources: CommandSources,
  asks: boolean,
): Promise<CommandParts> {
  const invocation = invocationOf(text);
  const prompt = invocation && (await sources.prompts.find(invocation.name));
  if (invocation === undefined || prompt === undefined) return nothing;
  const { argument } = invocation;
  const code = await commandCode(prompt.name, { attached, argument, sources });
  if (!code.ok) return { kind: 'problem', text: code.error };
  const inputs = await inputValues(prompt, invocation, asks ? sources : undefined);
  if (inputs === undefined) return { kind: 'cancelled' };
  const body = filled(prompt.file.body, inputs, sources.surroundings());
  const { files, missing } = await referencedFiles(prompt, [...attached, ...code.value], sources);
  const note = noteOf(prompt, missing);
  return {
    kind: 'ready',
    prompt: attachmentOf(prompt, body),
    code: [...code.value, ...files],
    ...(note !== undefined && { note }),
  };
}

async function inputValues(
  prompt: Prompt,
  { argument }: Invocation,
  sources: Pick<CommandSources, 'ask'> | undefined,
): Promise<ReadonlyMap<string, string> | undefined> {
  const inputs = inputsOf(prompt.file.body);
  const values = new Map(givenInputs(inputs, argument));
  for (const input of inputs) {
    if (sources === undefined || values.has(input.name)) continue;
    const value = await sources.ask(prompt, input);
    if (value === undefined) return undefined;
    values.set(input.name, value);
  }
  return values;
}

function attachmentOf({ name, source, path, uri, file }: Prompt, body: string): Attachment {
  return weighed({
    id: `prompt-${name}`,
    kind: 'prompt',
    path,
    uri,
    languageId: 'markdown',
    text: body,
    heading: promptHeading(name, source === 'builtIn' ? undefined : path),
    ...(file.asks !== undefined && { asks: file.asks }),
  });
}

/** Files that can't be attached, of which a person is told, and of each so many UTF-16 units. */
const mostNamed = 5;
const longestNamed = 100;

/** What is to be known of a prompt before it is sent; undefined when that is nothing. */
function noteOf({ path, file: { asks, ignored } }: Prompt, missing: readonly string[]): string | undefined {
  const { l10n } = vscode;
  const file = basename(path);
  const notes: string[] = [];
  const { model, effort } = asks ?? {};
  const asked = [model && (modelRow(model)?.label ?? model), effort].filter((one) => one !== undefined);
  if (asked.length > 0) notes.push(l10n.t('{0} asks with {1}.', file, asked.join(', ')));
  if (ignored.length > 0) notes.push(l10n.t('In {0}, this is not used here: {1}.', file, ignored.join(', ')));
  if (missing.length > 0) {
    const named = missing.slice(0, mostNamed).map((path) => cutAt(path, longestNamed));
    const list = [...named, ...(missing.length > mostNamed ? ['…'] : [])].join(', ');
    notes.push(l10n.t('{0} names files that can’t be attached: {1}.', file, list));
  }
  return notes.length === 0 ? undefined : notes.join(' ');
}
