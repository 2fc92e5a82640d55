/**
 * Writes a JSON schema that somebody else made in the part of the language that Kimi models are declared tools in: every node has
 * one type, or is an `anyOf` or a `$ref` with nothing but a description beside it. The service refuses a request over any other, and
 * with it the whole conversation. What can't be said so is said in the description. Knows no tool.
 *
 * The rules are those of Moonshot's specification of its JSON schemas (MFJS) and of the errors that its validator is known to give.
 */
import type { Schema } from './parameters.ts';

/** What is known of the schema that a node is in. */
export interface Walk {
  readonly root: Schema;
  /** What nodes may refer to, by name. */
  readonly defs: ReadonlyMap<string, unknown>;
  /** What they do refer to. Added to. */
  readonly used: Set<string>;
  /** How many properties may still be declared. Counted down. */
  left: number;
  /** How many nodes may still be looked at: what refers to itself twice would never come to an end. Counted down. */
  nodes: number;
}

/** How far down a node is: in objects alone, and in all. */
export interface Depth {
  readonly objects: number;
  readonly all: number;
}

export const top: Depth = { objects: 0, all: 0 };

const mostObjects = 5;
/** Deeper schemas could not be walked through, and nobody could fill them in. */
const deepest = 40;
const mostBranches = 10;

const scalars = ['string', 'number', 'boolean', 'null'];
const types = ['object', 'array', 'integer', ...scalars];
/** No property may be called so. */
const reserved = ['$defs', '$ref', 'anyOf', 'required', 'additionalProperties'];

/** Said in words: what a value must be beside its type. */
const conditions = [
  ...['default', 'const', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minProperties', 'maxProperties', 'patternProperties', 'not', 'examples'],
];
/** Longest value of a condition that is worth its tokens, in UTF-16 units of its JSON. */
const longestCondition = 200;

export function nodeOf(raw: unknown, walk: Walk, depth: Depth): Schema {
  walk.nodes -= 1;
  if (!isSchema(raw) || depth.all > deepest || walk.nodes < 0) return anything('');
  const { $ref, allOf, anyOf, oneOf, ...rest } = raw;
  const deeper = { ...depth, all: depth.all + 1 };
  if (typeof $ref === 'string') return referred($ref, rest, walk, deeper);
  const all = listOf(allOf);
  if (all.length > 0) return nodeOf(merged([{ ...rest, ...either(anyOf, oneOf) }, ...all]), walk, deeper);
  const branches = either(anyOf, oneOf)?.anyOf;
  if (branches !== undefined) return branched(branches, rest, walk, deeper);
  const found = typesOf(rest);
  const words = wordsOf(rest);
  const [only, ...others] = found.map((type) => typed(type, rest, walk, depth));
  if (only === undefined) return anything(words);
  return others.length === 0 ? withWords(only, words) : withWords({ anyOf: [only, ...others] }, words);
}

/** An object with these properties, as far as they can be declared. */
export function objectNode(raw: Schema, walk: Walk, { objects, all }: Depth): Schema {
  const given = isSchema(raw['properties']) ? Object.entries(raw['properties']) : [];
  const { required, additionalProperties: more } = raw;
  const properties: [string, Schema][] = [];
  const left: string[] = [];
  for (const [name, value] of given) {
    if (reserved.includes(name) || objects >= mostObjects || walk.left <= 0) {
      left.push(name);
      continue;
    }
    walk.left -= 1;
    properties.push([name, nodeOf(value, walk, { objects: objects + 1, all: all + 1 })]);
  }
  const named = listOf(required).filter((name) => properties.some(([one]) => one === name));
  const node = {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(named.length > 0 && { required: [...new Set(named)] }),
    ...(typeof more === 'boolean' && left.length === 0 && { additionalProperties: more }),
    ...(isSchema(more) &&
      Object.keys(more).length > 0 && {
        additionalProperties: nodeOf(more, walk, { objects: objects + 1, all: all + 1 }),
      }),
  };
  return left.length === 0 ? node : withWords(node, cut(`It also takes: ${left.join(', ')}.`));
}

function typed(type: string, raw: Schema, walk: Walk, depth: Depth): Schema {
  if (type === 'object') return objectNode(raw, walk, depth);
  if (type === 'array') {
    const { items, prefixItems } = raw;
    const all = depth.all + 1;
    const each = listOf(items).length > 0 ? listOf(items) : listOf(prefixItems);
    // Entries of which each has its own schema can only be said to be one of them.
    if (each.length > 0) return { type, items: nodeOf({ anyOf: each }, walk, { ...depth, all }) };
    return isSchema(items) && Object.keys(items).length > 0
      ? { type, items: nodeOf(items, walk, { ...depth, all }) }
      : { type };
  }
  const values = listOf(raw['enum']).filter((value) => isOf(type, value));
  return values.length > 0 && type !== 'boolean' && type !== 'null'
    ? { type, enum: [...new Set(values)] }
    : { type };
}

function referred($ref: string, rest: Schema, walk: Walk, depth: Depth): Schema {
  const words = wordsOf(rest);
  if ($ref === '#') return withWords({ $ref }, words);
  const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec($ref)?.[1];
  if (name !== undefined && walk.defs.has(name)) {
    walk.used.add(name);
    return withWords({ $ref: `#/$defs/${name}` }, words);
  }
  const target = $ref.startsWith('#/') ? found($ref.slice(2).split('/'), walk.root) : undefined;
  return isSchema(target) ? nodeOf({ ...target, ...rest }, walk, depth) : anything(words);
}

function found(path: readonly string[], root: unknown): unknown {
  let value = root;
  for (const name of path) value = isSchema(value) ? value[name] : undefined;
  return value;
}

function branched(branches: readonly unknown[], rest: Schema, walk: Walk, depth: Depth): Schema {
  const { description, title, default: usual, ...shared } = rest;
  const words = wordsOf({ description, title, default: usual });
  const nodes = branches
    .map((branch) => nodeOf(merged([shared, branch]), walk, depth))
    .flatMap((node) => (Array.isArray(node['anyOf']) ? (node['anyOf'] as readonly Schema[]) : [node]));
  const distinct = [...new Map(nodes.map((node) => [JSON.stringify(node), node])).values()];
  // Each branch has become at least one.
  if (distinct.length === 1) return withWords(distinct[0] as Schema, words);
  return distinct.length > mostBranches ? anything(words) : withWords({ anyOf: distinct }, words);
}

/** All of them at once: of what only one can say, the last. */
function merged(parts: readonly unknown[]): Schema {
  const schemas = parts.filter(isSchema);
  const properties = Object.assign({}, ...schemas.map((one) => one['properties'])) as object;
  const required = schemas.flatMap((one) => listOf(one['required']));
  const nested = schemas.flatMap((one) => listOf(one['allOf']));
  return {
    ...(Object.assign({}, ...schemas) as object),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
    ...(nested.length > 0 && { allOf: nested }),
  };
}

function either(anyOf: unknown, oneOf: unknown): { readonly anyOf: readonly unknown[] } | undefined {
  const branches = [...listOf(anyOf), ...listOf(oneOf)];
  return branches.length === 0 ? undefined : { anyOf: branches };
}

/** As they are said, or as they follow from what else is said. */
function typesOf({ type, properties, items, enum: values, ...rest }: Schema): readonly string[] {
  const said = (Array.isArray(type) ? type : [type]).filter((one) =>
    types.includes(one as string),
  ) as string[];
  if (said.length > 0) return [...new Set(said)];
  const choice = 'const' in rest ? [rest['const']] : listOf(values);
  if (choice.length > 0) return scalars.filter((one) => choice.some((value) => isOf(one, value)));
  if (isSchema(properties)) return ['object'];
  if (items !== undefined) return ['array'];
  return 'pattern' in rest || 'format' in rest ? ['string'] : [];
}

function isOf(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  return type === 'integer' ? Number.isSafeInteger(value) : typeof value === type;
}

function wordsOf(raw: Schema): string {
  const { description } = raw;
  const said = conditions.flatMap((name) =>
    raw[name] === undefined ? [] : [`${name}: ${JSON.stringify(raw[name])}`],
  );
  const short = said.filter(({ length }) => length <= longestCondition);
  return [
    ...(typeof description === 'string' && description !== '' ? [description] : []),
    ...(short.length > 0 ? [`(${short.join(', ')})`] : []),
  ].join(' ');
}

function withWords(node: Schema, words: string): Schema {
  const { description } = node;
  const all = [words, ...(typeof description === 'string' ? [description] : [])].filter(
    (text) => text !== '',
  );
  return all.length === 0 ? node : { ...node, description: all.join(' ') };
}

/** A node must say what it may be, also where that is anything. */
function anything(words: string): Schema {
  return withWords(
    { anyOf: ['string', 'number', 'boolean', 'object', 'array', 'null'].map((type) => ({ type })) },
    words,
  );
}

function cut(text: string): string {
  return text.length <= 1_000 ? text : `${text.slice(0, 1_000).toWellFormed()}…`;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
