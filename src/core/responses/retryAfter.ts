/** The `Retry-After` header: seconds or an HTTP date. */

/**
 * Milliseconds to wait from `now` (milliseconds since the epoch), or undefined when the header is missing or can't be read.
 * A moment that has passed gives 0. Not capped: how long is too long is for whoever waits.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? '';
  // Of a number with hundreds of digits nothing finite is left, and what is not finite can't be told to the panel.
  if (/^\d+(\.\d+)?$/.test(value)) return Math.min(Number.MAX_SAFE_INTEGER, Math.round(Number(value) * 1000));
  // A date has letters; without this check "-5" and "2" with junk would be read as years.
  if (!/[A-Za-z]{3}/.test(value)) return undefined;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
