/**
 * The arguments of a function tool: each is described once, and from that come the JSON schema that is declared and the check of
 * what the model sent. Knows no tool.
 */
import { err, ok, type Result } from '../result.ts';

export interface Field<T> {
  /** JSON schema of the value. */
  readonly schema: Schema;
  /** What is wanted instead, as in `must be …`, where the value does not fit. */
  read(value: unknown): Result<T, string>;
}

export type Schema = Readonly<Record<string, unknown>>;
export type Fields = Readonly<Record<string, Field<unknown>>>;
export type ArgumentsOf<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer T> ? T : never;
};

/** Longest text of an argument, in UTF-16 units: a path or a pattern is never longer. */
const maxText = 4_096;
/** Most entries of a list. */
const maxEntries = 50;

/** A text that is not empty. */
export function text(description: string): Field<string> {
  return {
    schema: { type: 'string', description },
    read: (value) =>
      typeof value === 'string' && value !== '' && value.length <= maxText
        ? ok(value)
        : err(`a text of 1 to ${maxText} characters`),
  };
}

/** A whole number, counted from 1. */
export function counted(description: string): Field<number> {
  return {
    schema: { type: 'integer', description },
    read: (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= 1
        ? ok(value)
        : err('a whole number of at least 1'),
  };
}

export function flag(description: string): Field<boolean> {
  return {
    schema: { type: 'boolean', description },
    read: (value) => (typeof value === 'boolean' ? ok(value) : err('true or false')),
  };
}

/** Texts that are not empty. */
export function texts(description: string): Field<readonly string[]> {
  const entry = text('');
  return {
    schema: { type: 'array', items: { type: 'string' }, description },
    read: (value) =>
      Array.isArray(value) && value.length <= maxEntries && value.every((each) => entry.read(each).ok)
        ? ok(value as readonly string[])
        : err(`a list of at most ${maxEntries} texts`),
  };
}

/**
 * May be left out. A strict schema has every argument required, so that leaving out is written `null`; an argument that is not there
 * and an empty text mean the same.
 */
export function optional<T>(field: Field<T>): Field<T | undefined> {
  return {
    schema: orNull(field.schema),
    read(value) {
      if (value === undefined || value === null || value === '') return ok(undefined);
      const read = field.read(value);
      return read.ok ? read : err(`${read.error} or null`);
    },
  };
}

/** Kimi models take a list of types only where nothing but a description stands beside it. */
function orNull({ type, description, ...rest }: Schema): Schema {
  return Object.keys(rest).length === 0
    ? { type: [type, 'null'], description }
    : { anyOf: [{ type, ...rest }, { type: 'null' }], description };
}

/** The schema of all arguments, in the strict form. */
export function parametersOf(fields: Fields): Schema {
  const named = Object.entries(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(named.map(([name, { schema }]) => [name, schema])),
    required: named.map(([name]) => name),
    additionalProperties: false,
  };
}

/** What the model sent, or a sentence on everything that is wrong with it. `json` is valid JSON. */
export function readArguments<F extends Fields>(fields: F, json: string): Result<ArgumentsOf<F>, string> {
  const names = Object.keys(fields).map((name) => JSON.stringify(name));
  const known = names.length === 0 ? 'It takes no arguments.' : `It takes ${names.join(', ')}.`;
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return err(`The arguments must be a JSON object. ${known}`);
  const sent = new Map(Object.entries(value));
  const problems: string[] = [];
  const read = Object.entries(fields).map(([name, field]) => {
    const result = field.read(sent.get(name));
    if (result.ok) return [name, result.value] as const;
    const what = sent.has(name) ? `not ${brief(sent.get(name))}` : 'and is missing';
    problems.push(`${JSON.stringify(name)} must be ${result.error}, ${what}.`);
    return [name, undefined] as const;
  });
  const strange = [...sent.keys()].filter((name) => !Object.hasOwn(fields, name));
  if (strange.length > 0) problems.push(`There is no argument ${strange.map(brief).join(', ')}. ${known}`);
  // The fields were read one by one, each by its own description.
  return problems.length > 0 ? err(problems.join(' ')) : ok(Object.fromEntries(read) as ArgumentsOf<F>);
}

function brief(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > 80 ? `${json.slice(0, 80)}…` : json;
}
