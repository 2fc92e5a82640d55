/** A question with what was attached, as the message item that is sent and kept. */
import type { UserMessageItem } from '../responses/wire.ts';
import { shownName } from '../shownName.ts';
import { fenceFor } from './contextTexts.ts';
import type { AttachmentSummary } from './conversation.ts';

export interface Attachment extends AttachmentSummary {
  /** The text as it was when it was attached; it does not change afterwards. */
  readonly text: string;
  /** Of an image: a `data:` address with its bytes in base64. Its `text` is empty. */
  readonly image?: string;
  /** What the model is told it is, in English and without a colon behind; by kind, path and lines when absent. */
  readonly heading?: string;
}

/** More chips than these nobody looks through. */
export const mostAttached = 500;
/** Longest texts and images of a question together, in UTF-16 units: far more than the model takes, and less than fills the memory. */
export const longestAttached = 32 * 1024 * 1024;

/** Whether a question can't have all of these. */
export function isTooMuch(attachments: readonly Pick<Attachment, 'text' | 'image'>[]): boolean {
  const length = attachments.reduce((sum, { text, image = '' }) => sum + text.length + image.length, 0);
  return attachments.length > mostAttached || length > longestAttached;
}

/** What a chip shows of an attachment: all but what it sends. */
export function summaryOf({ text: _, image: __, heading: ___, ...summary }: Attachment): AttachmentSummary {
  return summary;
}

const summaryHead = 'Summary of the conversation before this one:\n\n';

/** One content part an attachment, then the question itself as the last part. */
export function userMessage(question: string, attachments: readonly Attachment[]): UserMessageItem {
  return {
    type: 'message',
    role: 'user',
    content: [...attachments.map(contentOf), { type: 'input_text', text: question }],
  };
}

function contentOf(attachment: Attachment): UserMessageItem['content'][number] {
  const { image } = attachment;
  return image === undefined
    ? { type: 'input_text', text: describe(attachment) }
    : { type: 'input_image', image_url: image };
}

/** What an attachment holds, taken back out of the part that was sent of it. */
export function attachedContent(
  part: UserMessageItem['content'][number],
): { readonly text: string } | { readonly image: string } {
  if (part.type === 'input_image') return { image: part.image_url };
  const { text } = part;
  if (text.startsWith(summaryHead)) return { text: text.slice(summaryHead.length) };
  const [, , body] = /^[^\n]*:\n(`{3,})[^\n]*\n([^]*)\1$/.exec(text) ?? [];
  return { text: body ?? text };
}

/** What happened since the model was last told, for it alone. */
export function noteMessage(notes: readonly string[]): UserMessageItem {
  return {
    type: 'message',
    role: 'developer',
    content: notes.map((text) => ({ type: 'input_text', text })),
  };
}

function describe(attachment: Attachment): string {
  const { kind, languageId, text } = attachment;
  if (kind === 'summary') return `${summaryHead}${text}`;
  const fence = fenceFor(text);
  const body = text.endsWith('\n') || text === '' ? text : `${text}\n`;
  return `${headingOf(attachment)}:\n${fence}${languageId}\n${body}${fence}`;
}

/** What the model is told that an attachment is. */
export function headingOf(attachment: Attachment): string {
  return attachment.heading ?? `${nameOf(attachment)} (${attachment.languageId})`;
}

function nameOf({ kind, path, range, name }: Attachment): string {
  // What it is called is for the person.
  if (kind === 'pasted' && range === undefined) return 'Pasted';
  const lines = range === undefined ? '' : `, lines ${range.from}-${range.to}`;
  return `${shownName(path)}${lines}${name === undefined ? '' : `, symbol ${shownName(name)}`}`;
}
