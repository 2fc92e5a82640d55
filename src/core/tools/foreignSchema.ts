/**
 * Makes the schema that somebody else wrote for the input of their tool one that can be declared. Knows no tool.
 *
 * The service takes an object alone, and models of this family are known to refuse schemas that are anything else but an object at
 * their top, or that combine several there.
 */
import type { Schema } from './parameters.ts';

export interface AcceptableSchema {
  readonly parameters: Schema;
  /** What the schema also asks for and could not be declared, for the description; undefined when that is nothing. */
  readonly note?: string;
}

/** What may not stand at the top of a schema. */
const combined = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', 'if', 'then', 'else'];
/** What says something of the schema itself. */
const about = ['$schema', '$id', '$comment'];

/** Longest schema, in UTF-16 units of its JSON: about 15,000 tokens in each request. */
export const longestSchema = 50_000;

/** `schema` is whatever the owner of the tool declared. */
export function acceptableSchema(schema: unknown): AcceptableSchema {
  if (!isObject(schema)) return { parameters: empty };
  const json = JSON.stringify(schema);
  if (json.length > longestSchema) {
    return { parameters: empty, note: 'The schema of its input is too long to be shown.' };
  }
  // Nothing but the names of what it takes is to be told of it where it is no object.
  if (schema['type'] !== undefined && schema['type'] !== 'object') return { parameters: empty };
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => listOf(schema[name])).filter(isObject);
  const properties = Object.assign({}, ...branches.map(propertiesOf), propertiesOf(schema)) as Schema;
  const rest = Object.entries(schema).filter(
    ([name]) => !['type', 'properties', ...about, ...combined].includes(name),
  );
  const left = Object.fromEntries(combined.flatMap((name) => (name in schema ? [[name, schema[name]]] : [])));
  return {
    parameters: { type: 'object', properties, ...Object.fromEntries(rest) },
    ...(Object.keys(left).length > 0 && { note: `Its input must also fit ${JSON.stringify(left)}.` }),
  };
}

const empty: Schema = { type: 'object', properties: {} };

function propertiesOf(schema: Schema): Schema {
  const { properties } = schema;
  return isObject(properties) ? properties : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
