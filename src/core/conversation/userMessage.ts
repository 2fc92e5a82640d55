/** A question with what was attached, as the message item that is sent and kept. */
import type { UserMessageItem } from '../responses/wire.ts';
import type { AttachmentSummary } from './conversation.ts';

export interface Attachment extends AttachmentSummary {
  /** The text as it was when it was attached; it does not change afterwards. */
  readonly text: string;
  /** Of an image: a `data:` address with its bytes in base64. Its `text` is empty. */
  readonly image?: string;
  /** What the model is told it is, in English and without a colon behind; by kind, path and lines when absent. */
  readonly heading?: string;
}

/** What a chip shows of an attachment: all but what it sends. */
export function summaryOf({ text: _, image: __, heading: ___, ...summary }: Attachment): AttachmentSummary {
  return summary;
}

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

/** What happened since the model was last told, for it alone. */
export function noteMessage(notes: readonly string[]): UserMessageItem {
  return {
    type: 'message',
    role: 'developer',
    content: notes.map((text) => ({ type: 'input_text', text })),
  };
}

function describe(attachment: Attachment): string {
  const { kind, languageId, text, heading } = attachment;
  if (kind === 'summary') return `Summary of the conversation before this one:\n\n${text}`;
  const fence = fenceFor(text);
  const body = text.endsWith('\n') || text === '' ? text : `${text}\n`;
  return `${heading ?? `${nameOf(attachment)} (${languageId})`}:\n${fence}${languageId}\n${body}${fence}`;
}

function nameOf({ kind, path, range, name }: Attachment): string {
  // What it is called is for the person.
  if (kind === 'pasted' && range === undefined) return 'Pasted';
  const lines = range === undefined ? '' : `, lines ${range.from}-${range.to}`;
  return `${path}${lines}${name === undefined ? '' : `, symbol ${name}`}`;
}

/** A fence longer than any run of backticks inside, so that the text cannot close it. */
function fenceFor(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  return '`'.repeat(Math.max(3, longest + 1));
}
