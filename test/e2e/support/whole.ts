/**
 * How much is looked at. `npm run test:look` has every state of the panel in every theme, width and language; otherwise each of them comes up
 * at least once, in turns, so that the tests stay quick. Must not know what is looked at.
 */
import { env } from 'node:process';

export const isWhole = env['KIMI_CHAT_WHOLE'] === '1';

/** All of them, or those whose turn it is at this place of a longer list. */
export function turnOf<T>(all: readonly T[], at: number, count = 1): readonly T[] {
  return isWhole ? all : all.filter((_, index) => (index + at * count) % all.length < count);
}
