/** Line ends of texts: which kinds there are, and how a text that was edited with one kind gets its own back. Knows no files. */
import { diffLines, splitLines } from '../../core/patch/lineDiff.ts';

/**
 * Whether an editor would make the line ends of this text alike: it holds one kind a document, CRLF or LF, and takes a lone CR for
 * a line end too.
 */
export function hasMixedLineEnds(text: string): boolean {
  const crlf = text.includes('\r\n');
  const rest = crlf ? text.replaceAll('\r\n', '') : text;
  return rest.includes('\r') || (crlf && rest.includes('\n'));
}

/**
 * `text` with a line end of its own for each line: that of the same line in the first of `models` which has it. A line that none of
 * them has gets the first line end of the first model.
 * @param text with LF
 */
export function withLineEndsOf(text: string, ...models: readonly string[]): string {
  const lines = splitLines(text);
  const ended: (string | undefined)[] = lines.map(() => undefined);
  let first: string | undefined;
  for (const model of models) {
    const own = splitLines(model);
    first ??= own.map(endOf).find((end) => end !== '');
    const bare = own.map((line) => withEnd(line, endOf(line) === '' ? '' : '\n'));
    const match = (from: number, to: number, newFrom: number): void => {
      for (let index = from; index < to; index += 1) ended[newFrom + index - from] ??= own[index];
    };
    let line = 0;
    let newLine = 0;
    for (const change of diffLines(bare, lines)) {
      match(line, change.from, newLine);
      line = change.to;
      newLine = change.newTo;
    }
    match(line, own.length, newLine);
  }
  let result = '';
  for (const [index, line] of lines.entries()) {
    const next = ended[index] ?? withEnd(line, endOf(line) === '' ? '' : (first ?? '\n'));
    // A CR and the LF of an empty line would be one line end together.
    result += next === '\n' && result.endsWith('\r') ? '\r' : next;
  }
  return result;
}

function endOf(line: string): string {
  return /(?:\r\n|\r|\n)$/.exec(line)?.[0] ?? '';
}

function withEnd(line: string, end: string): string {
  return `${line.slice(0, line.length - endOf(line).length)}${end}`;
}
