/** What the arrow keys make of the composer: questions that were asked before. Pure. */

export interface Field {
  readonly text: string;
  /** The selection; both are the same where there is only a cursor. */
  readonly start: number;
  readonly end: number;
}

/** The question that stands in the composer because it was recalled. */
export interface Recalled {
  readonly index: number;
  readonly text: string;
  /** Where the cursor was put. */
  readonly caret: number;
}

/**
 * Only an empty composer, or one with a recalled question as it was, gives its text away: nothing that a person wrote is replaced. The
 * cursor must be where it can't go further, or where the last recalling put it. Behind the newest question the composer is empty again.
 * Undefined when the key is to do what it always does.
 */
export function recall(
  direction: 'back' | 'forth',
  { text, start, end }: Field,
  asked: readonly string[],
  last: Recalled | undefined,
): Recalled | undefined {
  if (start !== end) return undefined;
  const shown = last !== undefined && last.text === text && asked[last.index] === text ? last : undefined;
  if (shown === undefined && text !== '') return undefined;
  const edge = direction === 'back' ? 0 : text.length;
  if (start !== edge && start !== shown?.caret) return undefined;
  const index = (shown?.index ?? asked.length) + (direction === 'back' ? -1 : 1);
  if (index < 0 || index > asked.length) return undefined;
  const next = asked[index] ?? '';
  return { index, text: next, caret: direction === 'back' ? 0 : next.length };
}
