/** The ids of parts: which round of the turn one was made in, and as which item of its response. */

/** Unique within a turn, as rounds are. */
export function partId(round: number, slot: number): string {
  return `${round}.${slot}`;
}

/** The round in which a part was made. */
export function roundOf(part: string): number {
  return Number.parseInt(part, 10);
}
