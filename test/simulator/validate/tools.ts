/** Rules for the tools a request declares: function, custom (only apply_patch), namespace and web search. */
import { readGrammar } from '../lark.ts';
import { isJsonObject, type JsonObject } from '../wire.ts';
import {
  complain,
  elements,
  isArray,
  isBoolean,
  isFilledString,
  isIntegerIn,
  isObject,
  isOneOf,
  isString,
  nameOf,
  onlyFields,
  required,
} from './shape.ts';
import type { Complaint } from './violation.ts';

type Complaints = Generator<Complaint, void, void>;
type Placed = readonly [param: string, tool: JsonObject];

const toolTypes = ['function', 'custom', 'namespace', 'web_search'];
export const namePattern = /^[a-zA-Z_][a-zA-Z0-9_-]{0,127}$/;

export function* toolsList(body: JsonObject): Iterable<Complaint> {
  const tools = body['tools'];
  if (tools === undefined) return;
  yield* isArray('tools', tools);
  let searches = 0;
  for (const [param, tool] of elements('tools', tools)) {
    yield* isObject(param, tool);
    if (!isJsonObject(tool)) continue;
    const type = tool['type'];
    if (typeof type !== 'string' || !toolTypes.includes(type)) {
      yield { param, says: `tool type ${nameOf(type)} is not supported` };
    }
    if (type === 'web_search') searches += 1;
    if (searches > 1) yield { param, says: 'web_search may be declared only once' };
  }
}

export function* functionTools(body: JsonObject): Iterable<Complaint> {
  for (const [param, tool] of callable(body)) {
    if (tool['type'] !== 'function') continue;
    if (tool['function'] !== undefined) {
      yield* complain(`${param}.function`, 'is not supported: name and parameters stand beside type');
    }
    yield* onlyFields(param, tool, ['type', 'name', 'description', 'parameters', 'strict']);
    yield* isName(`${param}.name`, tool['name']);
    if (tool['description'] !== undefined) yield* isString(`${param}.description`, tool['description']);
    if (tool['parameters'] !== undefined) yield* isObject(`${param}.parameters`, tool['parameters']);
    if (tool['strict'] !== undefined) yield* isBoolean(`${param}.strict`, tool['strict']);
  }
}

export function* customTools(body: JsonObject): Iterable<Complaint> {
  for (const [param, tool] of callable(body)) {
    if (tool['type'] !== 'custom') continue;
    yield* onlyFields(param, tool, ['type', 'name', 'description', 'format']);
    if (tool['name'] !== 'apply_patch') {
      yield* complain(
        `${param}.name`,
        `must be "apply_patch", the only custom tool, not ${nameOf(tool['name'])}`,
      );
    }
    if (tool['description'] !== undefined) yield* isString(`${param}.description`, tool['description']);
    yield* required(param, tool, ['format']);
    yield* isObject(`${param}.format`, tool['format']);
    if (isJsonObject(tool['format'])) yield* isLark(`${param}.format`, tool['format']);
  }
}

export function* namespaceTools(body: JsonObject): Iterable<Complaint> {
  for (const [param, tool] of declared(body)) {
    if (tool['type'] !== 'namespace') continue;
    yield* onlyFields(param, tool, ['type', 'name', 'description', 'tools']);
    yield* required(param, tool, ['name', 'description', 'tools']);
    yield* isName(`${param}.name`, tool['name']);
    yield* isString(`${param}.description`, tool['description']);
    yield* isArray(`${param}.tools`, tool['tools']);
    if (Array.isArray(tool['tools']) && tool['tools'].length === 0) {
      yield* complain(`${param}.tools`, 'must not be empty');
    }
    for (const [place, nested] of elements(`${param}.tools`, tool['tools'])) {
      yield* isObject(place, nested);
      if (isJsonObject(nested)) yield* isOneOf(`${place}.type`, nested['type'], ['function', 'custom']);
    }
  }
}

export function* webSearchTools(body: JsonObject): Iterable<Complaint> {
  for (const [param, tool] of declared(body)) {
    if (tool['type'] !== 'web_search') continue;
    yield* onlyFields(param, tool, [
      'type',
      'filters',
      'search_content_types',
      'image_settings',
      // Taken and without effect.
      'user_location',
      'external_web_access',
      'indexed_web_access',
    ]);
    if (tool['filters'] !== undefined) yield* searchFilters(`${param}.filters`, tool['filters']);
    if (tool['search_content_types'] !== undefined) {
      yield* isArray(`${param}.search_content_types`, tool['search_content_types']);
      for (const [place, type] of elements(`${param}.search_content_types`, tool['search_content_types'])) {
        yield* isOneOf(place, type, ['text', 'image']);
      }
    }
    if (tool['image_settings'] !== undefined) {
      yield* imageSettings(`${param}.image_settings`, tool['image_settings']);
    }
  }
}

/** A name may come again only in another namespace. */
export function* toolNamesDistinct(body: JsonObject): Iterable<Complaint> {
  const seen = new Set<string>();
  for (const [param, tool, scope] of named(body)) {
    const key = JSON.stringify([scope, tool['name']]);
    if (seen.has(key)) yield* complain(`${param}.name`, `${nameOf(tool['name'])} is declared twice`);
    seen.add(key);
  }
}

function* searchFilters(param: string, filters: unknown): Complaints {
  yield* isObject(param, filters);
  if (!isJsonObject(filters)) return;
  yield* onlyFields(param, filters, ['allowed_domains']);
  const domains = filters['allowed_domains'];
  if (domains === undefined) return;
  yield* isArray(`${param}.allowed_domains`, domains);
  if (Array.isArray(domains) && domains.length > 100) {
    yield* complain(`${param}.allowed_domains`, `may hold up to 100 domains, not ${domains.length}`);
  }
  for (const [place, domain] of elements(`${param}.allowed_domains`, domains)) {
    yield* isFilledString(place, domain);
  }
}

function* imageSettings(param: string, settings: unknown): Complaints {
  yield* isObject(param, settings);
  if (!isJsonObject(settings)) return;
  yield* onlyFields(param, settings, ['max_results', 'caption']);
  if (settings['max_results'] !== undefined) {
    yield* isIntegerIn(`${param}.max_results`, settings['max_results'], 1, 10);
  }
  if (settings['caption'] !== undefined) yield* isBoolean(`${param}.caption`, settings['caption']);
}

/** A grammar that Lark can read and that begins at `start`. */
function* isLark(param: string, format: JsonObject): Complaints {
  yield* onlyFields(param, format, ['type', 'syntax', 'definition']);
  yield* isOneOf(`${param}.type`, format['type'], ['grammar']);
  yield* isOneOf(`${param}.syntax`, format['syntax'], ['lark']);
  yield* isFilledString(`${param}.definition`, format['definition']);
  for (const fault of readGrammar(String(format['definition'])).complaints) {
    yield* complain(`${param}.definition`, fault);
  }
}

export function* isName(param: string, name: unknown): Complaints {
  yield* isString(param, name);
  if (typeof name === 'string' && !namePattern.test(name)) {
    yield* complain(
      param,
      `must be 1 to 128 letters, digits, "_" or "-", starting with a letter or "_", not ${nameOf(name)}`,
    );
  }
}

/** Is there a custom tool of this name, in the namespace where one is given? */
export function declaresCustom(body: JsonObject, name: unknown, namespace: unknown): boolean {
  const lists =
    namespace === undefined
      ? [body['tools']]
      : [...declared(body)].flatMap(([, tool]) =>
          tool['type'] === 'namespace' && tool['name'] === namespace ? [tool['tools']] : [],
        );
  return lists.some((tools) =>
    [...elements('tools', tools)].some(
      ([, tool]) => isJsonObject(tool) && tool['type'] === 'custom' && tool['name'] === name,
    ),
  );
}

function* declared(body: JsonObject): Generator<Placed, void, void> {
  for (const [param, tool] of elements('tools', body['tools'])) if (isJsonObject(tool)) yield [param, tool];
}

/** Function and custom tools, those in namespaces too. */
function* callable(body: JsonObject): Generator<Placed, void, void> {
  for (const [param, tool] of declared(body)) {
    yield [param, tool];
    if (tool['type'] !== 'namespace') continue;
    for (const [place, nested] of elements(`${param}.tools`, tool['tools'])) {
      if (isJsonObject(nested)) yield [place, nested];
    }
  }
}

function* named(body: JsonObject): Generator<readonly [...Placed, scope: string], void, void> {
  for (const [param, tool] of declared(body)) {
    if (tool['type'] === 'namespace') {
      yield [param, tool, 'namespaces'];
      for (const [place, nested] of elements(`${param}.tools`, tool['tools'])) {
        if (isJsonObject(nested)) yield [place, nested, `in ${String(tool['name'])}`];
      }
    } else if (tool['type'] !== 'web_search') {
      yield [param, tool, 'top'];
    }
  }
}
