/** The schemas of others, rewritten in the part of the language that is known to be taken. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

import { acceptableSchema, longestSchema, mostProperties } from '../../../src/core/tools/foreignSchema.ts';
import { seed } from '../../simulator/arbitraries.ts';

const nothing = { parameters: { type: 'object', properties: {} } };
const anything = {
  anyOf: ['string', 'number', 'boolean', 'object', 'array', 'null'].map((type) => ({ type })),
};

/** What becomes of a property of this schema. */
function property(schema: unknown, more: object = {}): unknown {
  const { parameters } = acceptableSchema({ type: 'object', properties: { p: schema }, ...more });
  return (parameters['properties'] as Record<string, unknown>)['p'];
}

describe('the schema of somebody else’s tool', () => {
  it('stays as it is where it says nothing that is not taken', () => {
    const schema = {
      type: 'object',
      properties: {
        at: { $ref: '#/$defs/place' },
        either: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'Or none.' },
        all: { type: 'array', items: { type: 'integer' } },
        some: { type: 'string', enum: ['a', 'b'] },
        inner: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
      },
      required: ['at'],
      additionalProperties: false,
      description: 'A place.',
      $defs: {
        place: { type: 'object', properties: { next: { $ref: '#/$defs/place' }, up: { $ref: '#' } } },
      },
    };
    assert.deepEqual(acceptableSchema(schema), { parameters: schema });
  });

  it('is an empty object where it is no object, or describes none', () => {
    for (const schema of [
      undefined,
      null,
      true,
      'object',
      [],
      { type: 'string' },
      { type: ['object', 'null'] },
    ])
      assert.deepEqual(acceptableSchema(schema), nothing, JSON.stringify(schema));
  });

  it('becomes one where it only does not say so, and loses what it says of itself', () => {
    assert.deepEqual(acceptableSchema({}), nothing);
    assert.deepEqual(acceptableSchema({ properties: null }), nothing);
    const said = { $schema: 'http://json-schema.org/draft-07/schema#', $id: 'x', $comment: 'y', title: 'z' };
    assert.deepEqual(acceptableSchema({ ...said, type: 'object' }), nothing);
    assert.deepEqual(property({ ...said, type: 'string' }), { type: 'string' });
  });

  it('tells in words what it combines at its top, and has all properties of that', () => {
    const either = [
      { properties: { id: { type: 'number' } } },
      { properties: { name: { type: 'string' } } },
      true,
    ];
    const { parameters, note } = acceptableSchema({
      type: 'object',
      properties: { name: { type: 'string', enum: ['x'] } },
      anyOf: either,
      not: { required: ['id', 'name'] },
    });
    assert.deepEqual(parameters, {
      type: 'object',
      properties: { id: { type: 'number' }, name: { type: 'string', enum: ['x'] } },
    });
    assert.equal(
      note,
      `Its input must also fit ${JSON.stringify({ anyOf: either, not: { required: ['id', 'name'] } })}.`,
    );
    assert.deepEqual(acceptableSchema({ oneOf: 'nonsense' }).parameters, nothing.parameters);
  });

  it('is left out when it would fill the request', () => {
    const { parameters, note } = acceptableSchema({ type: 'object', description: 'x'.repeat(longestSchema) });
    assert.deepEqual(parameters, nothing.parameters);
    assert.match(note ?? '', /too long/);
  });

  for (const [what, schema, expected] of [
    ['anything', {}, anything],
    ['anything, in words', { description: 'Whatever.' }, { ...anything, description: 'Whatever.' }],
    ['a schema that is no object', true, anything],
    ['a type that does not exist', { type: 'date' }, anything],
    [
      'several types',
      { type: ['string', 'null'], description: 'd' },
      { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'd' },
    ],
    ['one type in a list', { type: ['string', 'string'] }, { type: 'string' }],
    ['a choice without a type', { enum: ['a', 'a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
    [
      'a choice of several types',
      { enum: ['a', 1, null] },
      { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'number', enum: [1] }, { type: 'null' }] },
    ],
    ['a choice that does not fit', { type: 'integer', enum: [1, 1.5, 'x'] }, { type: 'integer', enum: [1] }],
    ['a choice of yes', { type: 'boolean', enum: [true] }, { type: 'boolean' }],
    ['one value', { const: 'a' }, { type: 'string', description: '(const: "a")' }],
    [
      'properties without a type',
      { properties: { x: { type: 'null' } } },
      { type: 'object', properties: { x: { type: 'null' } } },
    ],
    ['entries without a type', { items: { type: 'null' } }, { type: 'array', items: { type: 'null' } }],
    ['a form without a type', { format: 'uri' }, { type: 'string', description: '(format: "uri")' }],
    ['a pattern without a type', { pattern: '^a' }, { type: 'string', description: '(pattern: "^a")' }],
    [
      'conditions',
      { type: 'integer', minimum: 1, maximum: 9, default: 3, description: 'How many.' },
      { type: 'integer', description: 'How many. (default: 3, minimum: 1, maximum: 9)' },
    ],
    [
      'a condition that is long',
      { type: 'string', pattern: 'x'.repeat(500), minLength: 1 },
      { type: 'string', description: '(minLength: 1)' },
    ],
    ['entries of any kind', { type: 'array', items: {} }, { type: 'array' }],
    ['entries of no kind', { type: 'array', items: false }, { type: 'array' }],
    [
      'entries each of its own kind',
      { type: 'array', items: [{ type: 'string' }, { type: 'number' }] },
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    ],
    [
      'entries in front',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'string' }] },
      { type: 'array', items: { type: 'string' } },
    ],
    [
      'a type beside its branches',
      { type: 'string', title: 't', description: 'd', anyOf: [{ enum: ['a'] }, { format: 'uri' }] },
      {
        anyOf: [
          { type: 'string', enum: ['a'] },
          { type: 'string', description: '(format: "uri")' },
        ],
        description: 'd',
      },
    ],
    [
      'branches of which one is to fit',
      { oneOf: [{ type: 'string' }, { oneOf: [{ type: 'null' }, { type: 'number' }] }] },
      { anyOf: [{ type: 'string' }, { type: 'null' }, { type: 'number' }] },
    ],
    [
      'branches that are the same',
      { default: 1, anyOf: [{ type: 'string' }, { type: 'string' }] },
      { type: 'string', description: '(default: 1)' },
    ],
    ['no branches', { type: 'string', anyOf: [] }, { type: 'string' }],
    ['too many branches', { anyOf: Array.from({ length: 11 }, (_, at) => ({ const: `${at}` })) }, anything],
    ['one part', { allOf: [{ type: 'string' }], description: 'd' }, { type: 'string', description: 'd' }],
    [
      'parts',
      {
        type: 'object',
        properties: { a: { type: 'string' } },
        required: ['a'],
        allOf: [{ allOf: [{ properties: { b: { type: 'null' } }, required: ['b', 'c'] }] }, 1],
      },
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'null' } }, required: ['a', 'b'] },
    ],
    [
      'parts with branches',
      { allOf: [{ description: 'd' }], anyOf: [{ type: 'string' }, { type: 'null' }] },
      { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'd' },
    ],
    [
      'further members',
      { type: 'object', additionalProperties: { type: ['string'] } },
      { type: 'object', properties: {}, additionalProperties: { type: 'string' } },
    ],
    [
      'any further members',
      { type: 'object', additionalProperties: {}, required: 'x' },
      { type: 'object', properties: {} },
    ],
    [
      'names that none may have',
      {
        type: 'object',
        properties: { anyOf: { type: 'string' } },
        additionalProperties: false,
        description: 'd',
      },
      { type: 'object', properties: {}, description: 'd It also takes: anyOf.' },
    ],
  ] as const) {
    it(`says in what is taken: ${what}`, () => assert.deepEqual(property(schema), expected));
  }

  it('keeps what can be referred to, and writes out what can’t', () => {
    const more = {
      definitions: { a: { type: 'string', maxLength: 3 }, unused: {} },
      $defs: { b: { anyOf: [{ $ref: '#/definitions/a' }, { type: 'null' }] } },
    };
    const schema = {
      type: 'object',
      properties: { p: { $ref: '#/$defs/b', type: 'string', description: 'd' } },
      ...more,
    };
    assert.deepEqual(acceptableSchema(schema).parameters, {
      type: 'object',
      properties: { p: { $ref: '#/$defs/b', description: 'd' } },
      $defs: {
        b: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'null' }] },
        a: { type: 'string', description: '(maxLength: 3)' },
      },
    });
    const other = {
      properties: {
        q: { type: 'string', description: 'q' },
        p: { $ref: '#/properties/q', description: 'p' },
      },
    };
    assert.deepEqual((acceptableSchema(other).parameters['properties'] as Record<string, unknown>)['p'], {
      type: 'string',
      description: 'p',
    });
    for (const $ref of ['#/$defs/none', '#/properties/none/x', 'https://example.test/schema', ''])
      assert.deepEqual(property({ $ref }), anything, $ref);
  });

  it('ends, however it refers to itself', () => {
    const twice = { anyOf: [{ $ref: '#/properties/p' }, { $ref: '#/properties/p' }] };
    assert.deepEqual(property(twice), anything);
    assert.deepEqual(property({ $ref: '#/properties/p' }), anything);
    let deep: object = { type: 'string' };
    for (let depth = 0; depth < 1_000; depth++) deep = { items: deep };
    assert.match(JSON.stringify(property(deep)), /^(?:\{"type":"array","items":){10}/);
  });

  it('declares no more properties, and no deeper ones, than are taken', () => {
    const names = Array.from({ length: mostProperties + 50 }, (_, at) => `property${at}`);
    const wide = acceptableSchema({
      properties: Object.fromEntries(names.map((name) => [name, { type: 'null' }])),
    });
    assert.equal(Object.keys(wide.parameters['properties'] as object).length, mostProperties);
    assert.match(String(wide.parameters['description']), /^It also takes: property100, property101, /);
    let deep: object = { type: 'string' };
    for (let depth = 0; depth < 8; depth++) deep = { type: 'object', properties: { x: deep } };
    assert.equal(JSON.stringify(acceptableSchema(deep)).match(/"x":\{/g)?.length, 5);
    const long = {
      properties: { anyOf: {}, ...Object.fromEntries(names.map((name) => [name.repeat(20), {}])) },
    };
    assert.ok(String(acceptableSchema(long).parameters['description']).length <= 1_001);
  });

  it('is one that is taken, whatever it was', () => {
    const leaf = fc.constantFrom<unknown>(true, null, 1, 'string', 'object', 'array', [], {}, '#/$defs/a', [
      'a',
      1,
      null,
    ]);
    const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.dictionary(
          fc.constantFrom(
            ...[
              'type',
              'properties',
              'items',
              'anyOf',
              'oneOf',
              'allOf',
              'enum',
              'const',
              '$ref',
              'required',
            ],
            ...['additionalProperties', 'description', '$defs', 'a', 'minimum'],
          ),
          fc.oneof(leaf, tie('schema'), fc.array(tie('schema'), { maxLength: 3 })),
          { maxKeys: 4 },
        ),
      ),
    }));
    fc.assert(
      fc.property(schema, (any) => {
        const { parameters } = acceptableSchema(any);
        assert.equal(parameters['type'], 'object');
        const { $defs = {}, ...root } = parameters as { $defs?: Record<string, unknown> };
        for (const one of [root, ...Object.values($defs)]) check(one, Object.keys($defs));
      }),
      { seed, numRuns: 2_000 },
    );
  });
});

/** The rules themselves, from the other side. */
function check(node: unknown, defs: readonly string[]): void {
  assert.ok(typeof node === 'object' && node !== null && !Array.isArray(node));
  const { description = '', ...said } = node as Record<string, unknown>;
  assert.equal(typeof description, 'string');
  const only = (...names: readonly string[]): void => {
    for (const name of Object.keys(said)) assert.ok(names.includes(name), name);
  };
  if ('$ref' in said) {
    only('$ref');
    assert.ok(said['$ref'] === '#' || defs.includes(String(said['$ref']).slice('#/$defs/'.length)));
  } else if ('anyOf' in said) {
    only('anyOf');
    const { anyOf } = said;
    assert.ok(Array.isArray(anyOf) && anyOf.length >= 1 && anyOf.length <= 10);
    for (const one of anyOf) check(one, defs);
  } else {
    switch (said['type']) {
      case 'object': {
        only('type', 'properties', 'required', 'additionalProperties');
        const { properties = {}, required = [], additionalProperties: more } = said;
        for (const [name, one] of Object.entries(properties as object)) {
          assert.ok(!['$defs', '$ref', 'anyOf', 'required', 'additionalProperties'].includes(name), name);
          check(one, defs);
        }
        for (const name of required as string[]) assert.ok(Object.hasOwn(properties as object, name), name);
        if (typeof more !== 'boolean' && more !== undefined) check(more, defs);
        break;
      }
      case 'array':
        only('type', 'items');
        if ('items' in said) check(said['items'], defs);
        break;
      case 'boolean':
      case 'null':
        only('type');
        break;
      case 'string':
      case 'number':
      case 'integer': {
        only('type', 'enum');
        const is = said['type'] === 'string' ? 'string' : 'number';
        for (const value of (said['enum'] ?? []) as unknown[]) assert.equal(typeof value, is);
        break;
      }
      default:
        assert.fail(`type ${String(said['type'])}`);
    }
  }
}
