/**
 * A text together with everything that a section's hunks look for in it. Each pass walks the text once, for all hunks at once, and
 * only when some hunk gets that far.
 */
import type { LineIndex } from '../lines.ts';
import { lineEnd, lineStart } from '../lines.ts';
import { isBlank } from './blanks.ts';
import type { Budget } from './budget.ts';
import { occurrences } from './occurrences.ts';
import type { Hunk } from './patch.ts';
import type { LinePass } from './passes.ts';
import { scan, type Scan } from './scan.ts';
import { Scopes } from './scopes.ts';

const nonAscii = /[^\u0000-\u007f]/;

export class Haystack {
  readonly lines: LineIndex;
  readonly budget: Budget;
  readonly #wanted: ReadonlySet<string>;
  readonly #scans = new Map<LinePass, Scan>();
  readonly #blocks = new Map<LinePass, Map<string, readonly number[]>>();
  #contentEnd: number | undefined;
  #plain: boolean | undefined;
  #scopes: Scopes | undefined;

  /** `wanted` are all lines that will ever be asked for. */
  constructor(lines: LineIndex, wanted: ReadonlySet<string>, budget: Budget) {
    this.lines = lines;
    this.#wanted = wanted;
    this.budget = budget;
  }

  scan(pass: LinePass): Scan {
    let made = this.#scans.get(pass);
    if (!made) {
      this.budget.spend(walkCost(this.lines) + 20 * this.#wanted.size);
      const same = this.#samePass(pass);
      made = same ? this.scan(same) : scan(this.lines, pass, this.#wanted);
      this.#scans.set(pass, made);
    }
    return made;
  }

  /** A stricter pass that finds just the same, because there is nothing that this one would overlook. */
  #samePass(pass: LinePass): LinePass | undefined {
    switch (pass) {
      case 'exact':
      case 'indentation':
        return undefined;
      case 'trailingBlanks':
        return this.#hasTrailingBlanks() ? undefined : 'exact';
      case 'punctuation':
        return this.#isPlain() ? 'trailingBlanks' : undefined;
      case 'indentationAndPunctuation':
        return this.#isPlain() ? 'indentation' : undefined;
    }
  }

  #hasTrailingBlanks(): boolean {
    const { lines } = this;
    for (let line = 0; line < lines.count; line += 1) {
      const end = lineEnd(lines, line);
      if (end > lineStart(lines, line) && isBlank(lines.text.charCodeAt(end - 1))) return true;
    }
    return [...this.#wanted].some((line) => isBlank(line.charCodeAt(line.length - 1)));
  }

  #isPlain(): boolean {
    this.#plain ??= !nonAscii.test(this.lines.text) && ![...this.#wanted].some((line) => nonAscii.test(line));
    return this.#plain;
  }

  /** All places of a single line. */
  placesOf(pass: LinePass, line: string): readonly number[] {
    const { places, idOf } = this.scan(pass);
    return places[idOf(line)] as readonly number[];
  }

  /** First lines of all places of a block of lines, at least one long. Blocks that come again are not sought again. */
  placesOfBlock(pass: LinePass, block: readonly string[]): readonly number[] {
    const scan = this.scan(pass);
    const known = this.#blocks.get(pass) ?? new Map<string, readonly number[]>();
    this.#blocks.set(pass, known);
    const key = block.join('\n');
    let places = known.get(key);
    this.budget.spend(100 + block.length);
    if (!places) {
      this.budget.spend(10 * block.length);
      places = occurrences(scan, Int32Array.from(block, scan.idOf), this.budget);
      known.set(key, places);
    }
    return places;
  }

  /** Line behind the last one that is not blank. */
  get contentEnd(): number {
    if (this.#contentEnd === undefined) {
      let end = this.lines.count;
      while (end > 0 && this.scopes.isBlank(end - 1)) end -= 1;
      this.#contentEnd = end;
    }
    return this.#contentEnd;
  }

  /** Made when first asked for. */
  get scopes(): Scopes {
    this.#scopes ??= new Scopes(this.lines);
    return this.#scopes;
  }
}

/** Units of a budget that one walk over a text costs. */
export function walkCost(lines: LineIndex): number {
  return (lines.text.length >>> 3) + 8 * lines.count;
}

/** Every line that seeking these hunks may ask for. */
export function wantedLines(hunks: readonly Hunk[]): Set<string> {
  const wanted = new Set<string>();
  for (const hunk of hunks) {
    for (const anchor of hunk.anchors) wanted.add(anchor.text);
    for (const line of hunk.lines) if (line.kind !== 'add') wanted.add(line.text);
  }
  return wanted;
}
