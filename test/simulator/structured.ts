/** What a strict `text.format` promises of an answer: JSON of that schema. A script that breaks the promise is a mistake of the test. */
import type { Answer } from './script.ts';
import { isJsonObject, type JsonObject } from './wire.ts';

/** Throws when the request wants JSON of a schema, strictly, and the answer, which is to come to its end, is something else. */
export function checkStructured(body: JsonObject, { steps, options }: Answer): void {
  const schema = strictSchema(body);
  if (schema === undefined || options.quirks !== undefined) return;
  const texts = steps.flatMap((step) => (step.kind === 'text' ? step.pieces : []));
  const isWhole = [...steps, ...texts].every(
    (piece) => typeof piece === 'string' || ['reasoning', 'text', 'gate', 'completed'].includes(piece.kind),
  );
  if (!isWhole) return;
  const text = texts.filter((piece) => typeof piece === 'string').join('');
  if (!conforms(parsed(text), schema)) {
    throw new Error(`the script answers a strict text.format with: ${text}`);
  }
}

function strictSchema(body: JsonObject): JsonObject | undefined {
  const text = body['text'];
  const format = isJsonObject(text) ? text['format'] : undefined;
  if (!isJsonObject(format) || format['strict'] !== true) return undefined;
  return isJsonObject(format['schema']) ? format['schema'] : undefined;
}

/** As far as schemas of ours go. */
function conforms(value: unknown, schema: JsonObject): boolean {
  switch (schema['type']) {
    case 'string':
      return typeof value === 'string';
    case 'object': {
      if (!isJsonObject(value)) return false;
      const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
      const names = Object.keys(value);
      const required = Array.isArray(schema['required']) ? schema['required'] : [];
      if (schema['additionalProperties'] === false && !names.every((name) => name in properties))
        return false;
      return (
        required.every((name) => names.includes(String(name))) &&
        names.every((name) => {
          const own = properties[name];
          return !isJsonObject(own) || conforms(value[name], own);
        })
      );
    }
    default:
      throw new Error(`the simulator knows no schema of the type ${JSON.stringify(schema['type'])}`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
