/** The sample workspace as the demo mind knows it: the files as they are shipped, then every accepted patch of the conversation. */
import { readFileSync } from 'node:fs';
import { applyToKnown, indexOfLines, type Lines } from './edits.ts';
import type { Excerpt, Reading } from './reading.ts';
import { wasTaken } from './outcome.ts';

const shipped = ['src/cart.ts', 'src/money.ts', 'src/receipt.ts', 'report.py'];

export function sampleFiles(): readonly Lines[] {
  return shipped.map((path) => ({
    path,
    lines: readFileSync(new URL(`../../sample/${path}`, import.meta.url), 'utf8')
      .replace(/\n$/, '')
      .split(/\r?\n/),
  }));
}

/** The files as they should be now: shipped, patched, and where a whole file was attached, as it was attached. */
export function knownFiles(reading: Reading): readonly Lines[] {
  return (states(reading).at(-1) ?? []).map((file) => {
    const whole = reading.attached.find((excerpt) => excerpt.whole && excerpt.path === file.path);
    return whole === undefined ? file : { path: file.path, lines: withoutLastBlank(whole.lines) };
  });
}

/** The files as they were shipped, then as they were after each patch of the conversation. */
function states({ patches }: Reading): readonly (readonly Lines[])[] {
  const all = [sampleFiles()];
  for (const { patch, result } of patches) {
    all.push(applyToKnown(all.at(-1) ?? [], patch, (path) => wasTaken(result, path)));
  }
  return all;
}

/** Does a question name this file, by its path, its name, or its name without the ending? */
export function namesFile(question: string, file: string): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const stem = name.replace(/\..*$/, '');
  return question
    .toLowerCase()
    .split(/[^\w./-]+/)
    .map((word) => word.replace(/\.+$/, ''))
    .some((word) => [file, name, stem].some((each) => each.toLowerCase() === word));
}

export function wholeFile({ path, lines }: Lines): Excerpt {
  return { path, language: path.endsWith('.py') ? 'python' : 'typescript', firstLine: 1, whole: true, lines };
}

/** Code that was attached earlier, with what was accepted since. What is not known is left as it was attached. */
export function asItIsNow(excerpt: Excerpt, reading: Reading): Excerpt {
  const versions = states(reading).flatMap((files) => files.filter(({ path }) => path === excerpt.path));
  const wanted = excerpt.whole ? withoutLastBlank(excerpt.lines) : excerpt.lines;
  const seen = versions.findLastIndex(({ lines }) => indexOfLines(lines, wanted) >= 0);
  const then = versions[seen];
  const now = versions.at(-1);
  if (then === undefined || now === undefined || then.lines === now.lines) return excerpt;
  if (excerpt.whole) return { ...excerpt, lines: now.lines };
  const from = indexOfLines(then.lines, wanted);
  const [first, end] = moved(then.lines, now.lines, from, from + wanted.length);
  return { ...excerpt, firstLine: first + 1, lines: now.lines.slice(first, end) };
}

/** Where the lines from `from` to before `to` are afterwards, with all that was changed around them if they were changed. */
function moved(
  before: readonly string[],
  after: readonly string[],
  from: number,
  to: number,
): readonly [number, number] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const grown = after.length - before.length;
  const place = (at: number, inside: number): number =>
    at <= head ? at : at >= before.length - tail ? at + grown : inside;
  return [place(from, head), place(to, after.length - tail)];
}

/** The widest view of an excerpt: the whole file where it is known to hold these lines, else the lines alone. */
export function widen(
  excerpt: Excerpt,
  files: readonly Lines[],
): { readonly file: Lines; readonly offset: number } {
  const known = files.find(({ path }) => path === excerpt.path);
  const at = known === undefined ? -1 : indexOfLines(known.lines, excerpt.lines);
  if (known === undefined || at < 0) {
    return { file: { path: excerpt.path, lines: excerpt.lines }, offset: 0 };
  }
  return { file: known, offset: at };
}

function withoutLastBlank(lines: readonly string[]): readonly string[] {
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
