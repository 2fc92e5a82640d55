/** Rules for the fields of the body itself. */
import { findModel, fixedTemperature, fixedTopP, simulatedModels } from '../models.ts';
import { isJsonObject, type JsonObject } from '../wire.ts';
import {
  elements,
  isArray,
  isBoolean,
  isFilledString,
  isIntegerIn,
  isNumber,
  isObject,
  isOneOf,
  isString,
  nameOf,
  onlyFields,
  required,
} from './shape.ts';
import type { Complaint } from './violation.ts';

/** Everything the reference names. `store`, `previous_response_id` and their like are answers only. */
const bodyFields = [
  'model',
  'input',
  'instructions',
  'stream',
  'max_output_tokens',
  'reasoning',
  'text',
  'tools',
  'tool_choice',
  'include',
  'prompt_cache_options',
  'temperature',
  'top_p',
];

export function* fieldsKnown(body: JsonObject): Iterable<Complaint> {
  yield* onlyFields('', body, bodyFields);
}

export function* modelGiven(body: JsonObject): Iterable<Complaint> {
  yield* required('', body, ['model']);
  yield* isFilledString('model', body['model']);
}

export function* modelKnown(body: JsonObject): Iterable<Complaint> {
  if (findModel(body['model']) !== undefined) return;
  const names = simulatedModels.map(({ id }) => id).join(', ');
  yield {
    param: 'model',
    says: `${nameOf(body['model'])} does not exist, or the key has no access to it; there are ${names}`,
    status: 404,
    type: 'resource_not_found_error',
    code: 'model_not_found',
  };
}

export function* inputGiven(body: JsonObject): Iterable<Complaint> {
  const input = body['input'];
  yield* required('', body, ['input']);
  if (typeof input !== 'string' && !Array.isArray(input)) {
    yield { param: 'input', says: `must be a string or an array, not ${nameOf(input)}` };
  } else if (input.length === 0) {
    yield { param: 'input', says: 'must not be empty' };
  }
  for (const [param, item] of elements('input', input)) yield* isObject(param, item);
}

export function* instructionsText(body: JsonObject): Iterable<Complaint> {
  if (body['instructions'] !== undefined) yield* isString('instructions', body['instructions']);
}

export function* streamBoolean(body: JsonObject): Iterable<Complaint> {
  if (body['stream'] !== undefined) yield* isBoolean('stream', body['stream']);
}

export function* maxOutputTokens(body: JsonObject): Iterable<Complaint> {
  const value = body['max_output_tokens'];
  if (value === undefined) return;
  yield* isIntegerIn('max_output_tokens', value, 1, findModel(body['model'])?.maxOutput ?? 1_048_576);
}

export function* reasoningEffort(body: JsonObject): Iterable<Complaint> {
  const reasoning = body['reasoning'];
  if (reasoning === undefined) return;
  yield* isObject('reasoning', reasoning);
  if (!isJsonObject(reasoning)) return;
  yield* onlyFields('reasoning', reasoning, ['effort']);
  const model = findModel(body['model']);
  if (reasoning['effort'] === undefined || model === undefined) return;
  yield* isOneOf('reasoning.effort', reasoning['effort'], model.efforts);
}

export function* textFormat(body: JsonObject): Iterable<Complaint> {
  const text = body['text'];
  if (text === undefined) return;
  if (findModel(body['model'])?.structuredOutput === false) {
    yield { param: 'text', says: `is not supported by ${String(body['model'])}` };
  }
  yield* isObject('text', text);
  if (!isJsonObject(text)) return;
  yield* onlyFields('text', text, ['format']);
  const format = text['format'];
  yield* isObject('text.format', format);
  if (!isJsonObject(format)) return;
  yield* isOneOf('text.format.type', format['type'], ['json_schema']);
  yield* onlyFields('text.format', format, ['type', 'schema', 'name', 'strict']);
  yield* required('text.format', format, ['schema']);
  yield* isObject('text.format.schema', format['schema']);
  if (format['name'] !== undefined) yield* isFilledString('text.format.name', format['name']);
  if (format['strict'] !== undefined) yield* isBoolean('text.format.strict', format['strict']);
}

/** The models always think, so no call can be forced. */
export function* toolChoiceAuto(body: JsonObject): Iterable<Complaint> {
  if (body['tool_choice'] !== undefined) yield* isOneOf('tool_choice', body['tool_choice'], ['auto']);
}

export function* includeForWebSearch(body: JsonObject): Iterable<Complaint> {
  const include = body['include'];
  if (include === undefined) return;
  yield* isArray('include', include);
  for (const [param, value] of elements('include', include)) {
    yield* isOneOf(param, value, ['web_search_call.results', 'web_search_call.action.sources']);
  }
  const tools = Array.isArray(body['tools']) ? body['tools'] : [];
  const searches = tools.some((tool: unknown) => isJsonObject(tool) && tool['type'] === 'web_search');
  if (!searches) yield { param: 'include', says: 'is for requests with the web_search tool' };
}

export function* cacheOptions(body: JsonObject): Iterable<Complaint> {
  const options = body['prompt_cache_options'];
  if (options === undefined) return;
  if (findModel(body['model'])?.cacheOptions === false) {
    yield { param: 'prompt_cache_options', says: `is not supported by ${String(body['model'])}` };
  }
  yield* isObject('prompt_cache_options', options);
  if (!isJsonObject(options)) return;
  yield* onlyFields('prompt_cache_options', options, ['mode', 'ttl']);
  if (options['mode'] !== undefined) {
    yield* isOneOf('prompt_cache_options.mode', options['mode'], ['implicit']);
  }
  if (options['ttl'] !== undefined) yield* isOneOf('prompt_cache_options.ttl', options['ttl'], ['5m', '1h']);
}

/** Fixed by the model: some ignore another value, some refuse it. */
export function* samplingFixed(body: JsonObject): Iterable<Complaint> {
  const ignored = findModel(body['model'])?.ignoresSampling ?? true;
  const fixed = [
    ['temperature', fixedTemperature],
    ['top_p', fixedTopP],
  ] as const;
  for (const [name, only] of fixed) {
    const value = body[name];
    if (value === undefined) continue;
    yield* isNumber(name, value);
    if (!ignored && value !== only) {
      yield { param: name, says: `must be ${only} for ${String(body['model'])}; leave it out` };
    }
  }
}
