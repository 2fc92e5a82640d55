/** How long the service keeps what it cached, and in what steps it counts. Knows no conversation. */

/** What is cached is counted in whole steps of so many tokens, from the start of a request; a shorter request is not cached at all. */
export const cacheStep = 256;

const minute = 60_000;

/** What the service keeps by itself. Milliseconds. */
export const defaultCacheLife = 5 * minute;

/** Milliseconds for the service's own words (`5m`, `1h`); its default when it said nothing that can be read. */
export function cacheLife(said: string | undefined): number {
  const [, count, unit] = /^(\d{1,6})([smh])$/.exec(said ?? '') ?? [];
  if (count === undefined || count === '0') return defaultCacheLife;
  return Number(count) * (unit === 's' ? 1000 : unit === 'm' ? minute : 60 * minute);
}

/** Tokens of the whole steps in a beginning of so many tokens. */
export function wholeSteps(tokens: number): number {
  return Math.floor(Math.max(0, tokens) / cacheStep) * cacheStep;
}
