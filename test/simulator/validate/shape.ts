/** The small checks rules are made of. Each yields complaints that name the field. */
import { isJsonObject, type JsonObject } from '../wire.ts';
import type { Complaint } from './violation.ts';

type Complaints = Generator<Complaint, void, void>;

export function* complain(param: string, says: string): Complaints {
  yield { param, says };
}

/** `name` inside `param`: `reasoning.effort`. */
export function inside(param: string, name: string): string {
  return param === '' ? name : `${param}.${name}`;
}

export function* onlyFields(param: string, value: JsonObject, allowed: readonly string[]): Complaints {
  for (const name of Object.keys(value)) {
    if (!allowed.includes(name)) yield { param: inside(param, name), says: 'is not supported' };
  }
}

export function* required(param: string, value: JsonObject, names: readonly string[]): Complaints {
  for (const name of names) {
    if (value[name] === undefined) yield { param: inside(param, name), says: 'is required' };
  }
}

export function* isString(param: string, value: unknown): Complaints {
  if (typeof value !== 'string') yield { param, says: `must be a string, not ${nameOf(value)}` };
}

export function* isFilledString(param: string, value: unknown): Complaints {
  yield* isString(param, value);
  if (value === '') yield { param, says: 'must not be empty' };
}

export function* isBoolean(param: string, value: unknown): Complaints {
  if (typeof value !== 'boolean') yield { param, says: `must be a boolean, not ${nameOf(value)}` };
}

export function* isNumber(param: string, value: unknown): Complaints {
  if (typeof value !== 'number') yield { param, says: `must be a number, not ${nameOf(value)}` };
}

export function* isIntegerIn(param: string, value: unknown, from: number, to: number): Complaints {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    yield { param, says: `must be an integer, not ${nameOf(value)}` };
  } else if (value < from || value > to) {
    yield { param, says: `must be from ${from} to ${to}, not ${value}` };
  }
}

export function* isOneOf(param: string, value: unknown, allowed: readonly string[]): Complaints {
  if (typeof value !== 'string' || !allowed.includes(value)) {
    yield { param, says: `must be ${listOf(allowed)}, not ${nameOf(value)}` };
  }
}

export function* isObject(param: string, value: unknown): Complaints {
  if (!isJsonObject(value)) yield { param, says: `must be an object, not ${nameOf(value)}` };
}

export function* isArray(param: string, value: unknown): Complaints {
  if (!Array.isArray(value)) yield { param, says: `must be an array, not ${nameOf(value)}` };
}

/** The elements with their places; none when the value is not an array. */
export function* elements(param: string, value: unknown): Generator<readonly [string, unknown], void, void> {
  if (!Array.isArray(value)) return;
  for (const [index, element] of value.entries()) yield [`${param}[${index}]`, element];
}

/** A value as a message names it. */
export function nameOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === 'object' && value !== null) return 'an object';
  return JSON.stringify(value);
}

function listOf(allowed: readonly string[]): string {
  const quoted = allowed.map((each) => `"${each}"`);
  if (quoted.length < 2) return quoted.join('');
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}
