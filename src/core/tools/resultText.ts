/** How results are written for the model: one entry a line, capped, with a note of what was cut. Knows no tool. */

/** Longest result, in UTF-16 units: about 12,000 tokens, of which several have room in a context. */
export const maxResult = 40_000;
/** For what stands around it: a head, notes on what was left out. */
export const roomForNotes = 8_000;
/** Longest line of a file that is shown whole. */
const maxLine = 2_000;
/** How much of a line is shown around what was found in it. */
const maxExcerpt = 300;

/** As many of the first entries as fit together, a line break after each. The first always fits: entries are short. */
export function fitting(entries: readonly string[], room: number = maxResult): readonly string[] {
  let left = room;
  const past = entries.findIndex((entry) => {
    left -= entry.length + 1;
    return left < 0;
  });
  return past < 0 ? entries : entries.slice(0, Math.max(1, past));
}

/** The last resort, for text from elsewhere. Cuts in the middle: begin and end say most. */
export function capped(text: string, room: number = maxResult): string {
  if (text.length <= room) return text;
  const head = whole(text.slice(0, Math.ceil(room * 0.7)));
  const tail = whole(text.slice(text.length - Math.floor(room * 0.3)));
  const cut = text.length - head.length - tail.length;
  return `${head}\n[${count(cut, 'character')} left out here]\n${tail}`;
}

/** The beginning of a line, and how much follows. */
export function shortLine(line: string, room: number = maxLine): string {
  if (line.length <= room) return line;
  const shown = whole(line.slice(0, room));
  return `${shown}… [${count(line.length - shown.length, 'more character')} in this line]`;
}

/** A line around what was found at `start`, blanks at its ends left out. */
export function excerpt(line: string, start: number, room: number = maxExcerpt): string {
  const from = line.length <= room ? 0 : Math.max(0, Math.min(start - room / 4, line.length - room));
  const shown = whole(line.slice(from, from + room)).trim();
  return `${from > 0 ? '…' : ''}${shown}${from + room < line.length ? '…' : ''}`;
}

/** `1 file`, `2,000 files` */
export function count(amount: number, noun: string): string {
  return `${amount.toLocaleString('en')} ${noun}${amount === 1 ? '' : 's'}`;
}

/** `1.5 GB` */
export function sizeText(bytes: number): string {
  for (const [unit, size] of [
    ['GB', 2 ** 30],
    ['MB', 2 ** 20],
    ['KB', 2 ** 10],
  ] as const)
    if (bytes >= size) return `${(bytes / size).toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;
  return count(bytes, 'byte');
}

/** Half a character at either end is left out. */
function whole(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '');
}
