/** The texts of a turn that can be searched, in the order in which they stand on the screen. Pure; knows no elements. */
import type { Approval, Part, ToolPart, Turn } from '../../core/conversation/conversation.ts';
import { openApproval } from '../../core/conversation/waiting.ts';
import { inputText, wasAskedWhole } from '../callWords.ts';
import { advance, groupsOf, noBlocks, type Block, type Blocks } from '../markdown/blocks.ts';
import { footnotes, noFootnotes, type Footnotes } from '../markdown/footnotes.ts';
import { noSources, TurnSources, withReferences, type Sources } from '../sources.ts';
import { blockText } from './blockText.ts';

/** Where a text stands. */
export type Where =
  | { readonly kind: 'question' }
  /** Of Markdown: the group of blocks that begins at `start`. */
  | {
      readonly kind: 'text';
      readonly part: string;
      readonly section: number;
      readonly start: number;
    }
  /** What went into a tool or came out of it, a search, files of a patch. */
  | { readonly kind: 'line'; readonly part: string; readonly index: number };

export interface Field {
  readonly where: Where;
  readonly text: string;
}

interface Section {
  readonly blocks: Blocks;
  readonly notes: Footnotes;
}

/** Characters that are parsed in one step. */
const stepLength = 64_000;

/** Reads a turn step by step: each `next` does some milliseconds of work. What did not change since the last reading is not read again. */
export class TurnReader {
  /** Of parts that may still grow. */
  readonly #growing = new Map<string, readonly Section[]>();
  /** What was read stands while the turn has the same sources: their numbers are written into it. */
  readonly #read = new WeakMap<Part, { readonly sources: Sources; readonly fields: readonly Field[] }>();
  readonly #fields = new WeakMap<readonly Block[], { readonly notes: Footnotes['numbers']; field: Field }>();
  /** By turn, of those that have any. */
  readonly #sources = new Map<string, TurnSources>();

  *read(turn: Turn): Generator<undefined, readonly Field[]> {
    const fields: Field[] = [{ where: { kind: 'question' }, text: turn.question.text }];
    const sources = this.#sourcesOf(turn);
    for (const part of turn.parts) {
      let own = this.#read.get(part);
      if (own?.sources !== sources) {
        const read =
          part.kind === 'answer' || part.kind === 'reasoning'
            ? yield* this.#sections(turn, part, sources)
            : linesOf(part);
        own = { sources, fields: read };
        this.#read.set(part, own);
      }
      fields.push(...own.fields);
    }
    return fields;
  }

  #sourcesOf({ id, parts }: Turn): Sources {
    const known = this.#sources.get(id) ?? new TurnSources();
    const sources = known.of(parts);
    if (sources !== noSources) this.#sources.set(id, known);
    return sources;
  }

  *#sections(
    turn: Turn,
    part: Extract<Part, { kind: 'answer' | 'reasoning' }>,
    sources: Sources,
  ): Generator<undefined, readonly Field[]> {
    const key = `${turn.id}/${part.id}`;
    const closed = part.closedAt !== undefined || turn.end !== undefined;
    // Of reasoning, empty sections are not drawn.
    const sections =
      part.kind === 'reasoning' ? part.sections.filter((section) => section.trim() !== '') : part.sections;
    const before = this.#growing.get(key) ?? [];
    const after: Section[] = [];
    const fields: Field[] = [];
    for (const [section, written] of sections.entries()) {
      const done = closed || section < sections.length - 1;
      const citations =
        part.kind === 'answer' ? (part.citations ?? []).filter((one) => one.section === section) : [];
      // As it is shown: places in it are told by offsets.
      const text =
        citations.length === 0 ? written : withReferences({ text: written, citations, sources, done });
      let { blocks, notes } = before[section] ?? { blocks: noBlocks, notes: noFootnotes };
      for (let length = blocks.text.length + stepLength; length < text.length; length += stepLength) {
        blocks = advance(blocks, text.slice(0, length), false);
        yield;
      }
      blocks = advance(blocks, text, done);
      notes = footnotes(blocks, notes);
      after.push({ blocks, notes });
      const field = (start: number, of: readonly Block[]): Field =>
        this.#field(of, notes.numbers, { kind: 'text', part: part.id, section, start });
      for (const group of groupsOf(blocks)) fields.push(field(group[0]?.start ?? 0, group));
      yield;
    }
    if (closed) this.#growing.delete(key);
    else this.#growing.set(key, after);
    return fields;
  }

  /** The same value for the same blocks: what was searched in it is still true. */
  #field(blocks: readonly Block[], notes: Footnotes['numbers'], where: Where): Field {
    let known = this.#fields.get(blocks);
    if (known?.notes !== notes) {
      const text = blocks.map((block) => blockText(block, notes)).join('\n');
      known = { notes, field: { where, text } };
      this.#fields.set(blocks, known);
    }
    return known.field;
  }
}

function linesOf(part: Exclude<Part, { kind: 'answer' | 'reasoning' }>): readonly Field[] {
  const texts = part.kind === 'tool' ? toolTexts(part) : searchTexts(part);
  return texts.map((text, index) => ({ where: { kind: 'line', part: part.id, index }, text }));
}

function toolTexts(part: ToolPart): readonly string[] {
  const open = openApproval(part);
  const asked = open === undefined ? [] : [askedText(open)];
  const files = part.proposal?.files ?? part.progress?.files;
  if (files !== undefined) return [...files.map(({ path }) => path), ...asked];
  if (open !== undefined) return asked;
  // Its line says again what went in.
  return [
    ...(wasAskedWhole(part) ? [] : [inputText(part.input)]),
    ...(part.approvals ?? []).map(askedText),
    part.outcome?.text ?? '',
  ];
}

/** What stands in the box of a question; the words around it are ours. */
function askedText({ request }: Approval): string {
  switch (request.kind) {
    case 'command':
      return request.command;
    case 'read':
      return request.path;
    case 'foreignTool':
      return inputText(request.input);
    case 'secrets':
      return '';
  }
}

function searchTexts({ search }: Extract<Part, { kind: 'search' }>): readonly string[] {
  const { action, sources } = search;
  return [
    ...(action.kind === 'search' ? action.queries : []),
    ...sources.map(({ title, url }) => title ?? url),
  ];
}
