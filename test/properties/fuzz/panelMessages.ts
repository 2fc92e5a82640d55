/** Whatever the panel says, it is an intent of the shape that is written down, with nothing beside it, or none at all. */
import assert from 'node:assert/strict';
import * as v from 'valibot';

import { readIntent, toHostSchema } from '../../../src/protocol/toHost.ts';
import type { Chance } from './chance.ts';
import { anyJson, spoiledValue, strangeText } from './spoil.ts';

/** A message that fits the shape, unless it says of itself that it can't be made so easily. */
export function anyMessage(chance: Chance): unknown {
  return valueFor(chance, chance.pick(toHostSchema.options));
}

/** Most of the limits are far away: now and then one is passed by one. */
function valueFor(chance: Chance, schema: v.GenericSchema): unknown {
  const { type } = schema;
  if ('pipe' in schema) return pipedFor(chance, schema.pipe as readonly Step[]);
  if ('entries' in schema && type === 'object') {
    return Object.fromEntries(
      Object.entries(schema.entries as Record<string, v.GenericSchema>).flatMap(([name, field]) =>
        field.type === 'optional' && chance.once(2) ? [] : [[name, valueFor(chance, field)]],
      ),
    );
  }
  if ('wrapped' in schema) return valueFor(chance, schema.wrapped as v.GenericSchema);
  if ('literal' in schema) return schema.literal;
  if (type === 'picklist' && 'options' in schema) return chance.pick(schema.options as readonly unknown[]);
  if (type === 'array' && 'item' in schema)
    return chance.list(5, () => valueFor(chance, schema.item as v.GenericSchema));
  if (type === 'boolean') return chance.once(2);
  if (type === 'number') return chance.below(20);
  if (type === 'string') return chance.once(2) ? strangeText(chance) : `id-${chance.below(5)}`;
  throw new Error(`no value for the shape ${type}`);
}

type Step = v.GenericSchema | { readonly type: string; readonly requirement: number };

function pipedFor(chance: Chance, [base, ...limits]: readonly Step[]): unknown {
  const limit = limits.find(({ type }) => type === 'max_length' || type === 'max_value');
  const most = limit !== undefined && 'requirement' in limit ? limit.requirement : undefined;
  if (most !== undefined && chance.once(40)) {
    const past = most + chance.below(3) - 1;
    if (base?.type === 'string' && past < 2_000_000) return 'x'.repeat(past);
    if (base?.type === 'number') return past;
    if (base?.type === 'array' && past < 10_000) return Array.from({ length: past }, () => 'x');
  }
  const value = valueFor(chance, base as v.GenericSchema);
  return value === '' ? 'x' : value;
}

/** What a message can hold and JSON can't. */
function unclonedValue(chance: Chance): unknown {
  const circle: unknown[] = [];
  circle.push(circle);
  return chance.pick<unknown>([
    ...[
      undefined,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      10n,
      new Date(0),
      new Map([['kind', 'send']]),
      new Set(),
    ],
    ...[new Uint8Array(3), /x/, circle, Object.create(null), new Error('x')],
    { kind: 'send', id: 'x', text: circle },
    Object.assign(Object.create({ kind: 'stop' }) as object, { id: 'x' }),
    {
      get kind() {
        return 'stop';
      },
    },
  ]);
}

/** Fields that no shape has are left out at every depth. */
function isPart(value: unknown, whole: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Object.is(value, whole);
  if (typeof whole !== 'object' || whole === null || Array.isArray(value) !== Array.isArray(whole))
    return false;
  if (Array.isArray(value) && value.length !== (whole as readonly unknown[]).length) return false;
  return Object.entries(value).every(([name, each]) =>
    isPart(each, (whole as Record<string, unknown>)[name]),
  );
}

export function tryMessage(chance: Chance): void {
  const right = anyMessage(chance);
  const message = chance.once(8)
    ? unclonedValue(chance)
    : chance.once(6)
      ? anyJson(chance)
      : chance.once(3)
        ? right
        : spoiledValue(chance, right);
  const intent = readIntent(message);
  if (intent === undefined) return;
  assert.ok(typeof message === 'object' && message !== null);
  assert.ok(v.is(toHostSchema, intent));
  const schema = toHostSchema.options.find(({ entries }) => entries.kind.literal === intent.kind);
  for (const [name, value] of Object.entries(intent)) {
    assert.ok(schema !== undefined && Object.hasOwn(schema.entries, name), `${intent.kind} has ${name}`);
    assert.ok(
      isPart(value, (message as Record<string, unknown>)[name]),
      `${intent.kind}: ${name} is another`,
    );
  }
  assert.equal(Object.getPrototypeOf(intent), Object.prototype);
}
