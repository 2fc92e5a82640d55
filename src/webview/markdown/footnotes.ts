/** Which footnotes a text has, and how they are numbered: by the order in which the text first names them. Pure. */
import type { Token } from 'marked';
import { known, type Block, type Blocks, type NoteToken, type ShownToken } from './blocks.ts';

export interface Footnotes {
  /** In the order of their numbers, the first of which is 1. Those that nothing refers to come last. */
  readonly notes: readonly NoteToken[];
  /** By label. Keeps its identity as long as it says the same. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Labels that the text refers to, beside those in footnotes alone, each with where the block begins that does so first. */
  readonly used: ReadonlyMap<string, number>;
}

export const noFootnotes: Footnotes = { notes: [], numbers: new Map(), used: new Map() };

interface Found {
  /** Labels that are referred to, in order, each with where its block begins. */
  readonly marks: readonly (readonly [label: string, start: number])[];
  readonly notes: readonly NoteToken[];
}

const nothing: Found = { marks: [], notes: [] };

/** By group of settled blocks: those are many, and stay as they are. */
const found = new WeakMap<readonly Block[], Found>();

/** @param previous for an earlier state of the same text */
export function footnotes(blocks: Blocks, previous: Footnotes): Footnotes {
  const parts = [...blocks.settled.map(inSettled), inBlocks(blocks.tail)].filter((part) => part !== nothing);
  const byLabel = new Map<string, NoteToken>();
  for (const part of parts) {
    for (const note of part.notes) if (!byLabel.has(note.label)) byLabel.set(note.label, note);
  }
  if (byLabel.size === 0) return previous.notes.length === 0 ? previous : noFootnotes;

  const used = new Map<string, number>();
  for (const { marks } of parts) {
    for (const [label, start] of marks) if (byLabel.has(label) && !used.has(label)) used.set(label, start);
  }
  const order = new Set(used.keys());
  // What a note refers to is read after what the text refers to. A set goes on with what is added meanwhile.
  for (const label of order) {
    const note = byLabel.get(label);
    if (note === undefined) continue;
    for (const mark of marksIn(note.tokens)) if (byLabel.has(mark)) order.add(mark);
  }
  for (const label of byLabel.keys()) order.add(label);

  const notes = [...order].flatMap((label) => byLabel.get(label) ?? []);
  const same = notes.length === previous.notes.length;
  if (same && notes.every((note, index) => note === previous.notes[index]) && isSame(used, previous.used)) {
    return previous;
  }
  const keeps = same && notes.every(({ label }, index) => label === previous.notes[index]?.label);
  const numbers = keeps ? previous.numbers : new Map(notes.map(({ label }, index) => [label, index + 1]));
  return { notes, numbers, used };
}

function isSame(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): boolean {
  return one.size === other.size && [...one].every(([label, start]) => other.get(label) === start);
}

function inSettled(group: readonly Block[]): Found {
  let known = found.get(group);
  if (known === undefined) {
    known = inBlocks(group);
    found.set(group, known);
  }
  return known;
}

function inBlocks(blocks: readonly Block[]): Found {
  const marks: [string, number][] = [];
  const notes: NoteToken[] = [];
  for (const { raw, token, start } of blocks) {
    if (!raw.includes('[^')) continue;
    const labels: string[] = [];
    collect(token, labels, notes);
    for (const label of labels) marks.push([label, start]);
  }
  return marks.length === 0 && notes.length === 0 ? nothing : { marks, notes };
}

function marksIn(tokens: readonly Token[]): string[] {
  const marks: string[] = [];
  for (const token of tokens) collect(known(token), marks, []);
  return marks;
}

function collect(token: ShownToken, marks: string[], notes: NoteToken[]): void {
  switch (token.type) {
    case 'noteMark':
      marks.push(token.label);
      return;
    case 'note':
      notes.push(token);
      // A note within a note counts as one of the text.
      for (const child of token.tokens) collect(known(child), [], notes);
      return;
    case 'table':
      for (const row of [token.header, ...token.rows]) {
        for (const cell of row) for (const child of cell.tokens) collect(known(child), marks, notes);
      }
      return;
    case 'list':
      for (const item of token.items) collect(item, marks, notes);
      return;
    default: {
      if (!('tokens' in token) || token.tokens === undefined) return;
      for (const child of token.tokens) collect(known(child), marks, notes);
    }
  }
}
