/**
 * Puts a block of code into the text of a file as a person would: with the file's line ends, as deep as its place and indented as the
 * file is. Pure.
 */

/** How a file is indented. */
export interface Indentation {
  /** With blanks; with tabs otherwise. */
  readonly insertSpaces: boolean;
  /** Blanks of one step, or the width of a tab. */
  readonly tabSize: number;
}

/** UTF-16 offsets; empty for a cursor. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The text with the code at the cursor, or in the place of what is selected. Behind text of a line it stands in that line. */
export function withCode(text: string, range: TextRange, code: string, indentation: Indentation): string {
  const eol = lineEndOf(text);
  const lines = reindented(codeLines(code), indentation);
  const { start, end } = range;
  const above = text.slice(0, start);
  const lineStart = Math.max(above.lastIndexOf('\n'), above.lastIndexOf('\r')) + 1;
  const before = text.slice(lineStart, start);
  const depth = /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? '';
  if (before.trim() !== '') {
    const [first = '', ...rest] = lines;
    const put = [first, ...rest.map((line) => deeper(line, depth))].join(eol);
    // The line end that was selected too stays: the next line is not drawn up to the code.
    return text.slice(0, start) + put + (endsLine(text.slice(start, end)) ? eol : '') + text.slice(end);
  }
  const put = lines.map((line) => deeper(line, depth === '' ? before : depth)).join(eol);
  const head = text.slice(0, lineStart);
  // Of whole lines; or of a line on which more stands: the code stands above it.
  if (endsLine(text.slice(start, end))) return head + put + eol + text.slice(end);
  const rest = /^[^\r\n]*/.exec(text.slice(end))?.[0] ?? '';
  if (rest.trim() === '') return head + put + text.slice(end + rest.length);
  if (end > start) return head + put + text.slice(end);
  return head + put + eol + text.slice(lineStart);
}

/** The code as a whole file. `before` is what stands in it, and tells how its lines end. */
export function asWholeFile(before: string | undefined, code: string): string {
  const eol = lineEndOf(before ?? '');
  const mark = before?.startsWith('\uFEFF') === true ? '\uFEFF' : '';
  const body = withoutMark(code)
    .split(/\r\n|\r|\n/)
    .join(eol);
  const ends = before === undefined || before === '' || endsLine(before);
  return mark + (ends && !body.endsWith(eol) ? body + eol : body);
}

function endsLine(text: string): boolean {
  return /[\r\n]$/.test(text);
}

/** Code has no mark of a file's encoding; the file has its own. */
function withoutMark(code: string): string {
  return code.startsWith('\uFEFF') ? code.slice(1) : code;
}

function lineEndOf(text: string): string {
  return /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
}

/** Without what all lines are indented by, and without empty lines around. */
function codeLines(code: string): string[] {
  const lines = withoutMark(code).split(/\r\n|\r|\n/);
  while (lines.length > 1 && lines.at(-1)?.trim() === '') lines.pop();
  while (lines.length > 1 && lines[0]?.trim() === '') lines.shift();
  const full = lines.filter((line) => line.trim() !== '');
  let common = blanksOf(full[0] ?? '');
  for (const line of full) while (!line.startsWith(common)) common = common.slice(0, -1);
  return lines.map((line) => line.slice(Math.min(common.length, blanksOf(line).length)));
}

/** In the steps of the file. Lines that are indented by other steps than the rest keep what is over. */
function reindented(lines: readonly string[], { insertSpaces, tabSize }: Indentation): string[] {
  const step = stepOf(lines);
  if (step === undefined) return [...lines];
  const unit = insertSpaces ? ' '.repeat(tabSize) : '\t';
  return lines.map((line) => {
    const blanks = blanksOf(line);
    const tabs = /^\t*/.exec(blanks)?.[0].length ?? 0;
    const spaces = blanks.length - tabs;
    const deep = step === 'tab' ? tabs : Math.floor(spaces / step);
    const over = step === 'tab' ? spaces : spaces % step;
    return unit.repeat(deep) + ' '.repeat(over) + line.slice(blanks.length);
  });
}

/** Undefined where it can't be told: nothing is indented, or by tabs here and blanks there, or by single blanks. */
function stepOf(lines: readonly string[]): 'tab' | number | undefined {
  // Lines of a comment stand one blank deeper than what it belongs to.
  const indented = lines
    .filter((line) => !/^[ \t]*\*/.test(line))
    .map(blanksOf)
    .filter((blanks) => blanks !== '');
  if (indented.length === 0) return undefined;
  if (indented.every((blanks) => blanks.startsWith('\t'))) return 'tab';
  if (indented.some((blanks) => blanks.includes('\t'))) return undefined;
  const least = Math.min(...indented.map(({ length }) => length));
  return least >= 2 && least <= 8 ? least : undefined;
}

function blanksOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** An empty line stays empty. */
function deeper(line: string, by: string): string {
  return line === '' ? '' : by + line;
}
