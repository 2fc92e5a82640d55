/**
 * Recognises formulas in Markdown: `\(…\)` in a line, `\[…\]` and `$$…$$` displayed. A single `$` is money or a variable and never
 * begins one. Pure, and linear in the text; knows no typesetting.
 */

export interface Formula {
  /** With its delimiters; of a displayed one that stands by itself, with the line end. */
  readonly raw: string;
  /** TeX, without delimiters. */
  readonly tex: string;
  readonly display: boolean;
}

/** A formula that is longer is shown as it was written. */
const longest = 5_000;

/** An opening delimiter where a line begins. Behind it come lines without a blank one, and without the fence of code. */
const blockStart = /^ {0,3}(\$\$(?!\$)|\\\[)/;
const blockEnd = /^[ \t]*(?:\n|$)/;
const interrupts = /\n(?:[ \t]*\n| {0,3}(?:```|~~~))/y;

/** The displayed formula with which `src` begins, on lines of its own; undefined when it begins with anything else. */
export function formulaBlock(src: string): Formula | undefined {
  const start = blockStart.exec(src);
  if (start === null) return undefined;
  const from = start[0].length;
  const end = closing(src, from, start[1] ?? '');
  if (end === undefined) return undefined;
  const tex = src.slice(from, end);
  const rest = blockEnd.exec(src.slice(end + 2, end + 2 + longest));
  if (rest === null || !isFormula(tex, start[1] ?? '')) return undefined;
  return { raw: src.slice(0, end + 2 + rest[0].length), tex: tex.trim(), display: true };
}

/** Where the first line is, after the last blank one, that may come to begin a formula; undefined when none does. */
export function possibleFormula(text: string): number | undefined {
  const blank = [...text.matchAll(/\n(?=[ \t]*\n)/g)].at(-1)?.index ?? -1;
  const found = /(?<=^|\n) {0,3}(?:\$|\\(?:\[|$))/.exec(text.slice(blank + 1));
  return found === null ? undefined : blank + 1 + found.index;
}

/** @param before the character in front of `src` in its line; empty when there is none */
export function formulaInLine(src: string, before: string): Formula | undefined {
  const mark = /^(?:\$\$(?!\$)|\\[([])/.exec(src)?.[0];
  if (mark === undefined) return undefined;
  if (mark === '$$' && /[\w./\\=$-]/.test(before)) return undefined;
  // Escaped brackets behind a name: an index, a call.
  if (mark !== '$$' && /\w/.test(before)) return undefined;
  const end = closing(src, 2, mark);
  if (end === undefined) return undefined;
  const tex = src.slice(2, end);
  const after = src.charAt(end + 2);
  if (mark === '$$' && /[\w$]/.test(after)) return undefined;
  // An escaped bracket of a link that is to be none.
  if (mark === '\\[' && /[([:]/.test(after)) return undefined;
  if (!isFormula(tex, mark) || isProse(tex, mark)) return undefined;
  return { raw: src.slice(0, end + 2), tex: tex.trim(), display: mark !== '\\(' };
}

const ends: Readonly<Record<string, string>> = { '\\(': '\\)', '\\[': '\\]', $$: '$$' };

/** Where the closing delimiter stands. A formula holds no second opening one, which keeps the search linear. */
function closing(src: string, from: number, mark: string): number | undefined {
  const end = ends[mark];
  const limit = Math.min(src.length, from + longest);
  for (let at = from; at < limit; at += 1) {
    const char = src.charAt(at);
    if (char === '\\') {
      const pair = src.slice(at, at + 2);
      if (pair === end) return at;
      if (pair === mark) return undefined;
      at += 1;
    } else if (char === '$' && mark === '$$' && src.charAt(at + 1) === '$') {
      return src.charAt(at + 2) === '$' ? undefined : at;
    } else if (char === '\n') {
      interrupts.lastIndex = at;
      if (interrupts.test(src)) return undefined;
    }
  }
  return undefined;
}

const texMark = /[\\^_{}=<>]/;

/** What the same marks may also stand around: a process number in a shell, escaped parentheses around words. */
function isFormula(tex: string, mark: string): boolean {
  if (tex.trim() === '') return false;
  if (mark === '$$') {
    const open = /^[ \t]/.test(tex);
    const close = /[ \t]$/.test(tex);
    return open === close && (!open || texMark.test(tex) || /\d/.test(tex));
  }
  if (texMark.test(tex) || /[\d+*/|-]/.test(tex)) return true;
  const words = tex.trim().split(/[\s,;]+/);
  return words.every((word) => word.length <= 3) && words.length <= 4;
}

/** In a line of text: what stands between two prices or process numbers, and what only is in escaped brackets. */
function isProse(tex: string, mark: string): boolean {
  if (mark === '\\(') return false;
  // A box to be ticked, the number of a note.
  if (mark === '\\[') return !texMark.test(tex) && !/[+*/|-]/.test(tex);
  if (/^(["'`])[^]*\1$/.test(tex)) return true;
  if (!/^[ \t]/.test(tex) || /[\\^{}]/.test(tex)) return false;
  const words = /[A-Za-z]{3,}/.test(tex) || (!texMark.test(tex) && /[A-Za-z]{2,}/.test(tex));
  return words || /[;$]/.test(tex);
}
