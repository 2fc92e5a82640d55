/** Conversations as they are written to a file, and what has to come back of them. */
import { turnFromElsewhere, elsewhereReport } from '../../src/core/conversation/fromElsewhere.ts';
import type { Turn } from '../../src/core/conversation/conversation.ts';
import { ExportWriter } from '../../src/core/journal/exportFile.ts';
import {
  readExport,
  type ImportedConversation,
  type ImportedFile,
  type ImportProblem,
} from '../../src/core/journal/importFile.ts';
import type { Result } from '../../src/core/result.ts';
import type { JournalState } from '../../src/core/journal/state.ts';

export const exportedAt = Date.UTC(2026, 10, 30, 12);

/** The first one is what the file is about. */
export function written(...states: readonly JournalState[]): string {
  const writer = new ExportWriter({
    ...{ shown: states[0]?.conversation.id ?? '', at: exportedAt, clean: (text) => text },
    costOf: ({ requests }) => ({ usd: requests.length / 1000, isEstimate: true, unknown: 0 }),
  });
  return `${states.flatMap((state) => [...writer.pieces(state)]).join('')}${writer.end}`;
}

/** What long work comes to, without anything in between. */
export function finished<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

export function readIn(text: string, now = exportedAt): Result<ImportedFile, ImportProblem> {
  let count = 0;
  return finished(readExport(text, { newId: () => `new-${(count += 1)}`, now }));
}

/** Throws when it can't be read. */
export function mustRead(text: string): ImportedFile {
  const read = readIn(text);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
}

/** What is compared: without ids and without what is left out of files on purpose. */
export function comparable({ seed, createdAt, title }: ImportedConversation, ids: readonly string[]): object {
  const { conversation, history, reports } = seed;
  return named({ createdAt, title, turns: conversation.turns.map(bare), history, reports }, ids);
}

/** As `comparable` is to be, of what was written. */
export function expected(state: JournalState, ids: readonly string[]): object {
  const { conversation, history, reports, createdAt, title } = state;
  const removed = conversation.turns.filter((turn) => turn.removed === true).map(({ id }) => id);
  const kept = reports.filter(({ about }) => about === undefined || !removed.includes(about));
  const groups = history.groups.filter(({ turn }) => !removed.includes(turn));
  const turns = conversation.turns.map(turnFromElsewhere).map(bare);
  const known = kept.some(({ text }) => text === elsewhereReport.text) ? [] : [elsewhereReport];
  return named({ createdAt, title, turns, history: { groups }, reports: [...kept, ...known] }, ids);
}

function bare(turn: Turn): object {
  const { retry: _retry, ...rest } = turn;
  const attachments = turn.question.attachments.map((one) => ({ ...one, id: '', uri: '' }));
  const parts = turn.parts.map((part) =>
    part.kind === 'tool' && part.proposal !== undefined
      ? { ...part, proposal: { ...part.proposal, id: '' } }
      : part,
  );
  return { ...rest, question: { ...turn.question, attachments }, parts };
}

/** Turns by their number, whatever they are called. */
function named(value: object, ids: readonly string[]): object {
  const text = JSON.stringify(value, (name, one: unknown) =>
    ['id', 'turn', 'about', 'told'].includes(name) && typeof one === 'string' && ids.includes(one)
      ? `turn ${ids.indexOf(one)}`
      : one,
  );
  return JSON.parse(text) as object;
}

export function turnIds({ turns }: { readonly turns: readonly Turn[] }): readonly string[] {
  return turns.map(({ id }) => id);
}
