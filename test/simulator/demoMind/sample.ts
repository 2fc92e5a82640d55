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
  const patched = reading.patches.reduce(
    (files, { patch, result }) => applyToKnown(files, patch, (path) => wasTaken(result, path)),
    sampleFiles(),
  );
  return patched.map((file) => {
    const whole = reading.attached.find((excerpt) => excerpt.whole && excerpt.path === file.path);
    return whole === undefined ? file : { path: file.path, lines: withoutLastBlank(whole.lines) };
  });
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
