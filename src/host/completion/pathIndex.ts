/** All paths of a workspace, to be found by what a person types of them, at each key. Pure; knows no file system. */
import {
  fitInOnePiece,
  fitScattered,
  fitScatteredInName,
  fold,
  hasInOrder,
  mostScattered,
  mostScatteredInName,
  type Name,
} from './fuzzy.ts';

export interface PathMatch {
  readonly path: string;
  readonly score: number;
}

/** So many paths are taken in between two pauses. */
const bundle = 10_000;

export class PathIndex {
  readonly #names: Name[] = [];
  /** Which letters each has, in bits. */
  readonly #letters: number[] = [];
  /** Of the last query, those that can fit what it goes on as. */
  #narrowed: { readonly query: string; readonly among: readonly number[] } | undefined;

  /** @param pause awaited now and then, so that others have their turn */
  static async of(paths: readonly string[], pause: () => Promise<void>): Promise<PathIndex> {
    const index = new PathIndex();
    for (const [at, path] of paths.entries()) {
      if (at > 0 && at % bundle === 0) await pause();
      index.add(path);
    }
    return index;
  }

  get size(): number {
    return this.#names.length;
  }

  add(path: string): void {
    const folded = fold(path);
    // Mostly they are one, and then the same text is kept once.
    const name = { text: path === folded ? folded : path, folded, nameAt: path.lastIndexOf('/') + 1 };
    this.#names.push(name);
    this.#letters.push(lettersOf(folded));
    this.#narrowed = undefined;
  }

  has(path: string): boolean {
    return this.#names.some(({ text }) => text === path);
  }

  /** Takes out the path itself and all below it. */
  remove(path: string): void {
    const inside = `${path}/`;
    let kept = 0;
    for (const [at, name] of this.#names.entries()) {
      if (name.text === path || name.text.startsWith(inside)) continue;
      this.#names[kept] = name;
      this.#letters[kept] = this.#letters[at]!;
      kept += 1;
    }
    this.#names.length = kept;
    this.#letters.length = kept;
    this.#narrowed = undefined;
  }

  /** The best ones, best first; the shorter one of two that fit alike. `query` is folded and not empty. */
  find(query: string, most: number): readonly PathMatch[] {
    const wanted = lettersOf(query);
    const best = new Best(most);
    const among: number[] = [];
    const names = this.#names;
    const letters = this.#letters;
    const consider = (at: number): void => {
      if ((letters[at]! & wanted) !== wanted) return;
      const name = names[at]!;
      const together = fitInOnePiece(name, query);
      if (together > 0) {
        among.push(at);
        best.offer(name.text, together);
        return;
      }
      // What can't come among the best any more is only remembered, for what is typed next.
      if (best.least >= mostScatteredInName) {
        among.push(at);
        return;
      }
      if (!hasInOrder(name.folded, query, 0)) return;
      among.push(at);
      const inName = fitScatteredInName(name, query);
      if (inName > 0) best.offer(name.text, inName);
      else if (best.least < mostScattered) best.offer(name.text, fitScattered(name, query));
    };
    const before = this.#narrowed;
    if (before !== undefined && query.startsWith(before.query)) for (const at of before.among) consider(at);
    else for (let at = 0; at < names.length; at += 1) consider(at);
    this.#narrowed = { query, among };
    return best.matches;
  }
}

/** Keeps the best of many in order. */
class Best {
  readonly matches: PathMatch[] = [];
  readonly #most: number;
  /** What the worst of them has, once there are enough. */
  least = 0;

  constructor(most: number) {
    this.#most = most;
  }

  offer(path: string, score: number): void {
    if (score < this.least) return;
    const { matches } = this;
    let at = matches.length;
    while (at > 0 && isBetter(path, score, matches[at - 1]!)) at -= 1;
    if (at >= this.#most) return;
    matches.splice(at, 0, { path, score });
    if (matches.length > this.#most) matches.pop();
    if (matches.length === this.#most) this.least = matches.at(-1)!.score;
  }
}

function isBetter(path: string, score: number, than: PathMatch): boolean {
  if (score !== than.score) return score > than.score;
  return path.length !== than.path.length ? path.length < than.path.length : path < than.path;
}

/** A bit a letter of `a` to `z`; one for all digits, and one each for a few signs and for all else. */
function lettersOf(folded: string): number {
  let bits = 0;
  for (let at = 0; at < folded.length; at += 1) {
    const code = folded.charCodeAt(at);
    if (code >= 97 && code <= 122) bits |= 1 << (code - 97);
    else if (code >= 48 && code <= 57) bits |= 1 << 26;
    else if (code === 47) bits |= 1 << 27;
    else if (code === 46) bits |= 1 << 28;
    else if (code === 45) bits |= 1 << 29;
    else if (code === 95) bits |= 1 << 30;
    else bits |= 1 << 31;
  }
  return bits;
}
