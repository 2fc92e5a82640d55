/** Checks a request body against the rules of a mode; the first broken rule is the answer. */
import type { JsonObject } from '../wire.ts';
import type { Violation } from './violation.ts';

export type Mode = 'strict' | 'lenient';

export function validate(_body: JsonObject, _mode: Mode): Violation | undefined {
  return undefined;
}
