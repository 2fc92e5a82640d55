/** Spoils what was right: bytes, texts and values, so that they are nearly right still. Knows no format but JSON. */
import type { Chance } from './chance.ts';

/** Texts that have misled somebody before: names of the language's own, signs that end or turn something, halves of characters. */
const strange = [
  ...['', ' ', '\0', '\n', '\r\n', '\u2028', '\ufeff', '\u202e', '\u200d', '\ud800', 'x\udfff', '👩‍👩‍👧'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', 'then', 'undefined', 'null', 'NaN'],
  ...['[DONE]', 'data: {}', '{', '}', '"', '\\', '```', '*** End Patch', '<img src=x onerror=alert(1)>'],
  ...['../../x', '/etc/passwd', 'C:\\x', '\\\\server\\share', '.git/config', 'a/../../b', 'file:///x', 'CON'],
  ...['command:x', 'javascript:alert(1)', 'data:text/html,x', '%2e%2e%2f', '0', '-1', '1e999', '0x10', '1,5'],
  'e\u0301\u0302\u0303'.repeat(20),
  'a'.repeat(5_000),
] as const;

const numbers = [
  ...[0, -0, 1, -1, 0.5, 2, 7, 1e9, -1e9, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53), 1e300, 5e-324],
  ...[9_999, 10_000, 100_000],
] as const;

export function strangeText(chance: Chance): string {
  return chance.once(3) ? strangeText(chance) + chance.pick(strange) : chance.pick(strange);
}

/** Any value that JSON can hold. */
export function anyJson(chance: Chance, depth = 3): unknown {
  switch (chance.below(depth > 0 ? 8 : 5)) {
    case 0:
      return null;
    case 1:
      return chance.once(2);
    case 2:
      return chance.pick(numbers);
    case 3:
    case 4:
      return strangeText(chance);
    case 5:
      return chance.list(6, () => anyJson(chance, depth - 1));
    case 6:
      return chance.once(20) ? nested(chance.below(3_000)) : {};
    default:
      // Parsed, so that `__proto__` is a field as any other.
      return JSON.parse(
        `{${chance
          .list(
            5,
            () => `${JSON.stringify(strangeText(chance))}:${JSON.stringify(anyJson(chance, depth - 1))}`,
          )
          .join()}}`,
      );
  }
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let at = 0; at < depth; at++) value = at % 2 === 0 ? [value] : { a: value };
  return value;
}

/** JSON that nothing which goes into it step by step comes to the end of. Its text: writing a value so deep down fails by itself. */
export function deepJson(chance: Chance): string {
  const depth = 5_000 + chance.below(200_000);
  const [open, close] = chance.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"path":', '}]'],
  ] as const);
  return open.repeat(depth) + (chance.once(2) ? '1' : '"x"') + close.repeat(depth);
}

/** A copy with one place in it changed: another value there, one of its neighbours', nothing, or one field too many. */
export function spoiledValue(chance: Chance, value: unknown): unknown {
  if (Array.isArray(value)) {
    if (value.length === 0 || chance.once(6))
      return chance.once(2) ? anyJson(chance) : [...value, anyJson(chance)];
    const list: unknown[] = [...(value as unknown[])];
    const at = chance.below(list.length);
    const what = chance.below(8);
    if (what === 0) list.splice(at, 1);
    else if (what === 1) list.splice(at, 0, list[at]);
    else if (what === 2) list.reverse();
    else list[at] = spoiledValue(chance, list[at]);
    return list;
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value);
    const at = chance.below(fields.length);
    const field = fields[at];
    if (field === undefined || chance.once(10)) return anyJson(chance);
    const what = chance.below(10);
    if (what === 0) fields.splice(at, 1);
    else if (what === 1) fields.push([strangeText(chance), anyJson(chance)]);
    else if (what === 2) fields[at] = [field[0], fields[chance.below(fields.length)]?.[1]];
    else fields[at] = [field[0], spoiledValue(chance, field[1])];
    return Object.fromEntries(fields);
  }
  if (typeof value === 'string' && !chance.once(3)) return spoiledText(chance, value);
  return anyJson(chance);
}

/** A text with a few places changed. */
export function spoiledText(chance: Chance, text: string): string {
  let result = text;
  for (let left = 1 + chance.few(4); left > 0; left--) {
    const from = chance.below(result.length + 1);
    const to = Math.min(result.length, from + chance.few(40));
    const what = chance.below(6);
    if (what === 0) result = result.slice(0, from) + result.slice(to);
    else if (what === 1) result = result.slice(0, from) + strangeText(chance) + result.slice(from);
    else if (what === 2) result = result.slice(0, to) + result.slice(from);
    else if (what === 3) result = result.slice(0, from) + strangeText(chance) + result.slice(to);
    else if (what === 4 && chance.once(4)) result = result.slice(0, from);
    else result = result.slice(from, to) + result.slice(0, from) + result.slice(to);
  }
  return result;
}

/** Bytes with a few of them changed, left out, said twice, or exchanged for those of another sample. */
export function spoiledBytes(chance: Chance, bytes: Uint8Array, other: Uint8Array): Uint8Array {
  let result = Uint8Array.from(bytes);
  for (let left = chance.few(5); left >= 0; left--) {
    const from = chance.below(result.length);
    const to = Math.min(result.length, from + 1 + chance.few(60));
    const what = chance.below(7);
    if (what === 0) result[from] = chance.below(256);
    else if (what === 1) result[from] = (result[from] ?? 0) ^ (1 << chance.below(8));
    else if (what === 2) result = joined(result.subarray(0, from), result.subarray(to));
    else if (what === 3) result = joined(result.subarray(0, to), result.subarray(from));
    else if (what === 4)
      result = joined(result.subarray(0, from), encoder.encode(strangeText(chance)), result.subarray(from));
    else if (what === 5) {
      const start = chance.below(other.length);
      result = joined(
        result.subarray(0, from),
        other.subarray(start, start + chance.few(2_000)),
        result.subarray(to),
      );
    } else if (chance.once(3)) result = result.slice(0, from);
  }
  return result;
}

/** In pieces, some of them empty. */
export function cut(chance: Chance, bytes: Uint8Array): readonly Uint8Array[] {
  const places = chance.list(30, () => chance.below(bytes.length + 1)).sort((one, other) => one - other);
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length));
}

const encoder = new TextEncoder();

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}
