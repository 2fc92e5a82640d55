/** What an API key looks like when a person pastes it. Knows neither where keys are kept nor how they are sent. */
import { err, ok, type Result } from '../core/result.ts';

export type KeyProblem = 'empty' | 'inside' | 'characters' | 'short' | 'long' | 'url';

const minLength = 8;
const maxLength = 512;

/**
 * The key in a pasted text: blanks around it, quotes, and a leading `Bearer ` are taken off. What remains must be one run of
 * visible ASCII, since it becomes a header value.
 */
export function readKey(pasted: string): Result<string, KeyProblem> {
  const key = pasted
    .trim()
    .replace(/^(["'`])(.*)\1$/s, '$2')
    .replace(/^bearer\s+/i, '')
    .trim();
  if (key === '') return err('empty');
  if (/^[a-z]+:\/\//i.test(key)) return err('url');
  if (/\s/.test(key)) return err('inside');
  if (!/^[\x21-\x7e]+$/.test(key)) return err('characters');
  if (key.length < minLength) return err('short');
  if (key.length > maxLength) return err('long');
  return ok(key);
}
