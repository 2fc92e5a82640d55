/** Where a run of lines stands in a scanned text. Numbers only: a line is its id. */
import type { Budget } from './budget.ts';
import type { Scan } from './scan.ts';

const none: readonly number[] = [];

/**
 * First lines of all places at which the block stands, ascending. Starts from the rarest of its lines; where even that one is
 * everywhere, one walk with the block's own failure table (Knuth, Morris, Pratt) keeps the cost at the length of the text.
 */
export function occurrences(scan: Scan, block: Int32Array, budget: Budget): readonly number[] {
  let rarest = 0;
  let places = none;
  for (let at = 0; at < block.length; at += 1) {
    const here = scan.places[block[at] as number] as readonly number[];
    if (here.length === 0) return none;
    if (at > 0 && here.length >= places.length) continue;
    rarest = at;
    places = here;
  }
  if (block.length === 1) return places;
  const oneByOne = places.length * (block.length + 4);
  const throughout = scan.ids.length * 4;
  if (!budget.spend(block.length + Math.min(oneByOne, throughout))) return none;
  if (oneByOne > throughout) return walk(scan.ids, block);
  const found: number[] = [];
  for (const place of places) if (stands(scan.ids, block, place - rarest)) found.push(place - rarest);
  return found;
}

function stands(ids: Int32Array, block: Int32Array, start: number): boolean {
  if (start < 0 || start + block.length > ids.length) return false;
  for (let at = 0; at < block.length; at += 1) if (ids[start + at] !== block[at]) return false;
  return true;
}

function walk(ids: Int32Array, block: Int32Array): readonly number[] {
  // `back[n]`: how much of the block still fits after n lines of it did and the next one did not.
  const back = new Int32Array(block.length + 1);
  back[0] = -1;
  for (let length = 1, fit = 0; length < block.length; length += 1) {
    back[length] = block[length] === block[fit] ? (back[fit] as number) : fit;
    while (fit >= 0 && block[length] !== block[fit]) fit = back[fit] as number;
    fit += 1;
    back[length + 1] = fit;
  }
  const found: number[] = [];
  for (let line = 0, fit = 0; line < ids.length; line += 1) {
    while (fit >= 0 && ids[line] !== block[fit]) fit = back[fit] as number;
    fit += 1;
    if (fit < block.length) continue;
    found.push(line + 1 - block.length);
    fit = back[fit] as number;
  }
  return found;
}
