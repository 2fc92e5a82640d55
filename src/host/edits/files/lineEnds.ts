/** Line ends of texts: which kinds there are, and how a text that was edited with one kind gets its own back. Knows no files. */
import { diffLines, splitLines, type LineChange } from '../../../core/patch/lineDiff.ts';

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
 * them has gets the first line end of the first model. Which of several equal lines is gone or new the models after the first tell, if
 * they can: they have its end, or have it not.
 * @param text with LF
 */
export function withLineEndsOf(text: string, ...models: readonly string[]): string {
  const lines = splitLines(text);
  const ended: (string | undefined)[] = lines.map(() => undefined);
  let first: string | undefined;
  for (const [index, own] of models.map(splitLines).entries()) {
    first ??= own.map(endOf).find((end) => end !== '');
    const hints = index === 0 && models[1] !== undefined ? matched(lines, splitLines(models[1])) : [];
    for (const [line, model] of matched(lines, own, hints).entries()) ended[line] ??= model;
  }
  let result = '';
  for (const [index, line] of lines.entries()) {
    const next = ended[index] ?? withEnd(line, endOf(line) === '' ? '' : (first ?? '\n'));
    // A CR and the LF of an empty line would be one line end together: as in a plan, a line that was there before keeps its LF.
    const meets = next === '\n' && result.endsWith('\r');
    result += meets ? (ended[index] === undefined ? '\r\n' : '\n\n') : next;
  }
  return result;
}

/**
 * For each line the same line of a text with other line ends, with its end; undefined where that has none.
 * @param hints what each line is expected to be, where that is known
 */
function matched(
  lines: readonly string[],
  own: readonly string[],
  hints: readonly (string | undefined)[] = [],
): (string | undefined)[] {
  const bare = own.map((line) => withEnd(line, endOf(line) === '' ? '' : '\n'));
  const found: (string | undefined)[] = lines.map(() => undefined);
  let line = 0;
  let newLine = 0;
  const match = (from: number, to: number, newFrom: number): void => {
    for (let index = from; index < to; index += 1) found[newFrom + index - from] = own[index];
  };
  for (const change of diffLines(bare, lines)) {
    match(line, change.from, newLine);
    shift(change, { line, own, bare, lines, hints, found });
    line = change.to;
    newLine = change.newTo;
  }
  match(line, own.length, newLine);
  return found;
}

interface Matching {
  /** Lines of the model before this are matched for good. */
  readonly line: number;
  readonly own: readonly string[];
  readonly bare: readonly string[];
  readonly lines: readonly string[];
  readonly hints: readonly (string | undefined)[];
  readonly found: (string | undefined)[];
}

/** Lines that are gone or new among equal ones may as well be those above them: as many above as fit the hints best. */
function shift({ from, to, newFrom, newTo }: LineChange, matching: Matching): void {
  const { line, own, bare, lines, hints, found } = matching;
  if (from < to && newFrom < newTo) return;
  let gain = 0;
  let [most, best] = [0, 0];
  const fits = (model: string | undefined, at: number): number => Number(model === hints[at]);
  for (let by = 1; from - by >= line; by += 1) {
    const [above, last] = [newFrom - by, newTo - by];
    const equal = from < to ? bare[from - by] === bare[to - by] : lines[above] === lines[last];
    if (!equal) break;
    gain += fits(own[to - by], last) - fits(own[from - by], above);
    if (gain > most) [most, best] = [gain, by];
  }
  for (let by = 1; by <= best; by += 1) {
    found[newFrom - by] = undefined;
    found[newTo - by] = own[to - by];
  }
}

function endOf(line: string): string {
  return /(?:\r\n|\r|\n)$/.exec(line)?.[0] ?? '';
}

function withEnd(line: string, end: string): string {
  return `${line.slice(0, line.length - endOf(line).length)}${end}`;
}
