/** What becomes of what is pasted. Pure: the one place where the rule stands. */

export interface Pasted {
  readonly text: string;
  /** What an editor of VS Code puts beside the text: JSON. Empty when it was copied elsewhere. */
  readonly editorData: string;
  /** The person asked for text, with Ctrl+Shift+V. */
  readonly plain: boolean;
  /** Names of the files that come along: an image that was copied is one. */
  readonly files?: readonly string[];
}

export type Paste =
  | { readonly kind: 'text' }
  /** The files, which are the whole of it. */
  | { readonly kind: 'files' }
  | { readonly kind: 'chip'; readonly languageId?: string };

/** Lines from which a text from elsewhere is a chip. */
const manyLines = 3;
/** UTF-16 units from which a single line is one. */
const longLine = 2_000;

/**
 * Text from an editor is a chip when it has a line break: a name or an expression goes into the sentence that is being written, lines
 * of code do not. Text from elsewhere may be a sentence of two lines as well: it is a chip from three lines on, or when it is long.
 */
export function pasteOf({ text, editorData, plain, files = [] }: Pasted): Paste {
  // Some systems give the names of copied files as text; some programs give a picture of the text beside it.
  const isNames = text.trim() === '' || files.join('\n') === text.trim().replaceAll('\r\n', '\n');
  if (files.length > 0 && isNames && !plain) return { kind: 'files' };
  if (plain || text.trim() === '') return { kind: 'text' };
  const lines = text.replace(/\r?\n$/, '').split('\n').length;
  const fromEditor = editorData !== '';
  const isChip = fromEditor ? text.includes('\n') : lines >= manyLines || text.length >= longLine;
  if (!isChip) return { kind: 'text' };
  const languageId = /"mode":"([\w+#.-]{1,50})"/.exec(editorData)?.[1];
  return { kind: 'chip', ...(languageId !== undefined && { languageId }) };
}
