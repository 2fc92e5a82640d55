/** Makes the schema that somebody else wrote for the input of their tool one that can be declared. Knows no tool. */
import type { Schema } from './parameters.ts';
import { isSchema, listOf, nodeOf, objectNode, top, type Walk } from './schemaNode.ts';

export interface AcceptableSchema {
  readonly parameters: Schema;
  /** What the schema also asks for and could not be declared, for the description; undefined when that is nothing. */
  readonly note?: string;
}

/** What may not stand at the top of a schema: that has to be one object. */
const combined = ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', 'dependentRequired'];

/** Longest schema, in UTF-16 units of its JSON: about 15,000 tokens in each request. */
export const longestSchema = 50_000;
/** Of all objects in a schema together. */
export const mostProperties = 100;

/** Many more than properties: each may have several. */
const mostNodes = 1_000;

/** `schema` is whatever the owner of the tool declared. */
export function acceptableSchema(schema: unknown): AcceptableSchema {
  if (!isSchema(schema)) return { parameters: empty };
  const length = lengthOf(schema);
  if (length === undefined || length > longestSchema) {
    const how = length === undefined ? 'can’t be' : 'is too long to be';
    return { parameters: empty, note: `The schema of its input ${how} shown.` };
  }
  // Nothing can be told of it where it is no object.
  if (schema['type'] !== undefined && schema['type'] !== 'object') return { parameters: empty };
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => listOf(schema[name])).filter(isSchema);
  const walk: Walk = {
    root: schema,
    defs: new Map(
      [schema['definitions'], schema['$defs']].flatMap((defs) =>
        isSchema(defs) ? Object.entries(defs) : [],
      ),
    ),
    used: new Set(),
    left: mostProperties,
    nodes: mostNodes,
  };
  const properties = Object.assign({}, ...branches.map(propertiesOf), propertiesOf(schema)) as Schema;
  const root = objectNode({ ...schema, properties }, walk, top);
  const { description } = schema;
  const defs: [string, Schema][] = [];
  // Those that these refer to come up on the way.
  for (const name of walk.used) defs.push([name, nodeOf(walk.defs.get(name), walk, { objects: 1, all: 1 })]);
  const left = Object.fromEntries(combined.flatMap((name) => (name in schema ? [[name, schema[name]]] : [])));
  return {
    parameters: {
      ...root,
      ...(typeof description === 'string' && root['description'] === undefined && { description }),
      ...(defs.length > 0 && { $defs: Object.fromEntries(defs) }),
    },
    ...(Object.keys(left).length > 0 && { note: `Its input must also fit ${JSON.stringify(left)}.` }),
  };
}

/** Undefined where it can't be written as JSON: nested too deep, or within itself. */
function lengthOf(schema: Schema): number | undefined {
  try {
    return JSON.stringify(schema).length;
  } catch {
    return undefined;
  }
}

const empty: Schema = { type: 'object', properties: {} };

function propertiesOf({ properties }: Schema): Schema {
  return isSchema(properties) ? properties : {};
}
