/**
 * What the model has seen of files in a conversation, so that it can be told when they are others by now. Read from the conversation
 * itself: from what was attached to its questions, and from what its reading tool answered. Pure.
 */
import { askedQuestion } from './branch.ts';
import type { AttachmentSummary, Conversation, ToolPart } from './conversation.ts';
import type { History } from './history.ts';
import { attachedContent } from './userMessage.ts';

/** Lines of a file, or all of it, as the model knows them. */
export interface SeenText {
  /** As the model knows the file. */
  readonly path: string;
  /** Where the file is, when that was told with the chip; found by the path otherwise. */
  readonly uri?: string;
  /** One-based, both inclusive; absent for the whole file. */
  readonly range?: { readonly from: number; readonly to: number };
  /** With LF, without the last line end. */
  readonly text: string;
  /** It may begin and end in the middle of a line: it was copied so. */
  readonly isPiece?: true;
}

/** Whether lines of a file, as they are now and without their last line end, are what was seen of them. */
export function isSeenIn(now: string, { text, isPiece }: Pick<SeenText, 'text' | 'isPiece'>): boolean {
  return isPiece === true ? now.includes(text) : now === text;
}

/** What a chip shows of a file; undefined for one of anything else. */
export function seenOfChip(attachment: AttachmentSummary, text: string): SeenText | undefined {
  return isOfFile(attachment) ? seenOf(attachment, text) : undefined;
}

/** What a tool reads with, by the name of the tool. */
const readingTool = 'read_file';

/** The newest last; what it saw again later, as part of more or not, only as it was then. What it no longer sees is left out. */
export function seenTexts(conversation: Conversation, history: History): readonly SeenText[] {
  let seen: readonly SeenText[] = [];
  for (const turn of conversation.turns) {
    // What is named there may be anything on this machine: nobody allowed that it is looked at.
    if (turn.elsewhere === true || turn.removed === true || turn.cut?.whole === true) continue;
    const asked = askedQuestion(history, turn);
    const { attachments } = turn.question;
    const { cut } = turn;
    attachments.forEach((attachment, index) => {
      const part = asked?.message.content[index];
      if (part === undefined || cut?.attachments === true || cut?.files?.includes(index) === true) return;
      const content = attachedContent(part);
      const shown = 'text' in content ? seenOfChip(attachment, content.text) : undefined;
      if (shown !== undefined) seen = seenToo(seen, shown);
    });
    if (cut?.toolOutputs === true) continue;
    for (const part of turn.parts) {
      const read = part.kind === 'tool' ? readBy(part) : undefined;
      if (read !== undefined) seen = seenToo(seen, read);
    }
  }
  return seen;
}

function seenToo(before: readonly SeenText[], text: SeenText): readonly SeenText[] {
  return [...before.filter((one) => !covers(text, one)), text];
}

/** Whether one shows all that the other does. */
export function covers(
  { path, range }: Pick<SeenText, 'path' | 'range'>,
  other: Pick<SeenText, 'path' | 'range'>,
): boolean {
  if (path !== other.path) return false;
  if (range === undefined) return true;
  return other.range !== undefined && range.from <= other.range.from && range.to >= other.range.to;
}

function isOfFile({ kind, range }: AttachmentSummary): boolean {
  switch (kind) {
    case 'file':
    case 'selection':
    case 'symbol':
      return true;
    case 'pasted':
      return range !== undefined;
    default:
      return false;
  }
}

function seenOf({ kind, path, uri, range }: AttachmentSummary, text: string): SeenText {
  return {
    ...{ path, uri, text: withoutLastEnd(text) },
    ...(range !== undefined && { range }),
    ...(kind === 'pasted' && { isPiece: true }),
  };
}

/** From the numbered lines of a result; undefined for one that shows no lines, or not all of one. */
function readBy({ name, namespace, outcome }: ToolPart): SeenText | undefined {
  if (name !== readingTool || namespace !== undefined || outcome?.kind !== 'done') return undefined;
  const [head = '', ...lines] = outcome.text.split('\n');
  const [, path, from, to, all] =
    /^(.+?)(?: \(with changes that are not saved yet\))?, lines (\d+) to (\d+) of (\d+):$/.exec(head) ?? [];
  if (path === undefined) return undefined;
  const range = { from: Number(from), to: Number(to) };
  const texts: string[] = [];
  for (let line = range.from; line <= range.to; line += 1) {
    const shown = lines[line - range.from] ?? '';
    const start = `${line}|`;
    if (!shown.startsWith(start) || /… \[[\d,]+ more characters? in this line\]$/.test(shown))
      return undefined;
    texts.push(shown.slice(start.length));
  }
  const isWhole = from === '1' && to === all;
  return { path, ...(!isWhole && { range }), text: texts.join('\n') };
}

/** As the lines of a result are: each with LF, whatever it ends with in the file. */
export function withoutLastEnd(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/\n$/, '');
}

/** A file that the model knows as it is no more. */
export interface ChangedFile {
  readonly path: string;
  readonly change: 'changed' | 'gone';
  /** It is attached to the question that is about to be asked, as it was when that was done. */
  readonly isAttached?: boolean;
}

/** Paths that the model is told of at most, of each kind. */
const mostPaths = 50;

/** What the model is to be told, before the question; undefined when nothing changed. */
export function changedNote(files: readonly ChangedFile[]): string | undefined {
  const attached = files.filter(({ isAttached }) => isAttached === true);
  const others = files.filter(({ isAttached }) => isAttached !== true);
  const sentences = [
    ...(others.length === 0
      ? []
      : [
          `Changed since you saw them, and not by your patches: ${namesOf(others)}. What you know of these files may be out of date.`,
        ]),
    ...(attached.length === 0
      ? []
      : [
          `Changed after they were attached to the question that follows: ${namesOf(attached)}. What it shows of these files may be out of date.`,
        ]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

function namesOf(files: readonly ChangedFile[]): string {
  const named = files
    .slice(0, mostPaths)
    .map(({ path, change }) => `${JSON.stringify(path)}${change === 'gone' ? ' (no longer there)' : ''}`);
  return named.join(', ') + (files.length > mostPaths ? ` and ${files.length - mostPaths} others` : '');
}
