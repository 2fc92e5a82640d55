import assert from 'node:assert/strict';

import { acceptableSchema, longestSchema } from '../../../src/core/tools/foreignSchema.ts';

const nothing = { parameters: { type: 'object', properties: {} } };

describe('the schema of somebody else’s tool', () => {
  it('stays as it is where it is an object', () => {
    const schema = {
      type: 'object',
      properties: { at: { $ref: '#/$defs/place' }, deep: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      required: ['at'],
      additionalProperties: false,
      $defs: { place: { type: 'string' } },
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

  it('becomes one where it only does not say so', () => {
    assert.deepEqual(acceptableSchema({}), nothing);
    assert.deepEqual(acceptableSchema({ properties: { a: true } }).parameters, {
      type: 'object',
      properties: { a: true },
    });
    assert.deepEqual(acceptableSchema({ type: 'object', properties: null }), nothing);
  });

  it('loses what it says of itself', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'x',
      $comment: 'y',
      type: 'object',
    };
    assert.deepEqual(acceptableSchema(schema), nothing);
  });

  it('tells in words what it combines at its top, and has all properties of that', () => {
    const either = [
      { properties: { id: { type: 'number' } } },
      { properties: { name: { type: 'string' } } },
      true,
    ];
    const { parameters, note } = acceptableSchema({
      type: 'object',
      properties: { name: { type: 'string', maxLength: 3 } },
      anyOf: either,
      not: { required: ['id', 'name'] },
    });
    assert.deepEqual(parameters, {
      type: 'object',
      properties: { id: { type: 'number' }, name: { type: 'string', maxLength: 3 } },
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
});
