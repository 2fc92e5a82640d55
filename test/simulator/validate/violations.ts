/** One or more bodies that break each rule, with the message that must come. Data for `validate.test.ts`. */
import type { JsonObject } from '../wire.ts';
import type { RuleName } from './validate.ts';

export interface ViolationCase {
  readonly rule: RuleName;
  readonly body: JsonObject;
  readonly message: string;
  readonly status?: number;
}

export const plain = { model: 'kimi-k3.1-pro', input: 'Hello' } as const;
const k3 = { ...plain, model: 'kimi-k3' };

export const readFile = { type: 'function', name: 'read_file', parameters: { type: 'object' } };
export const patchTool = {
  type: 'custom',
  name: 'apply_patch',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
};
export const search = { type: 'web_search' };

export const user = { type: 'message', role: 'user', content: 'Hello' };
export const thought = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] };
export const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi.' }] };
export const patchCall = {
  type: 'custom_tool_call',
  id: 'ctc_1',
  call_id: 'apply_patch:0',
  name: 'apply_patch',
  input: '*** Begin Patch',
};
export const patchOutput = { type: 'custom_tool_call_output', call_id: 'apply_patch:0', output: 'Done' };
export const readCall = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'read_file:1',
  name: 'read_file',
  arguments: '{"path":"a"}',
};
export const readOutput = { type: 'function_call_output', call_id: 'read_file:1', output: 'text' };

function with_(change: JsonObject): JsonObject {
  return { ...plain, ...change };
}
function tools(...list: readonly unknown[]): JsonObject {
  return { ...plain, tools: list };
}
/** With the tool declared that the items may be calls of. */
function input(...items: readonly unknown[]): JsonObject {
  return { ...plain, tools: [patchTool], input: items };
}
function without(value: JsonObject, field: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== field));
}
const namespace = { type: 'namespace', name: 'crm', description: 'Customers', tools: [readFile] };
const domains = Array.from({ length: 101 }, (_, index) => `d${index}.test`);
const json = { type: 'json_schema', schema: { type: 'object' } };

export const violationCases: readonly ViolationCase[] = [
  { rule: 'modelGiven', body: without(plain, 'model'), message: 'model: is required' },
  { rule: 'modelGiven', body: with_({ model: 7 }), message: 'model: must be a string, not 7' },
  {
    rule: 'modelKnown',
    body: with_({ model: 'gpt-5.5' }),
    message:
      'model: "gpt-5.5" does not exist, or the key has no access to it; there are kimi-k3.1-pro, kimi-k3.1-pro-highspeed, kimi-k3',
    status: 404,
  },
  { rule: 'inputGiven', body: without(plain, 'input'), message: 'input: is required' },
  { rule: 'inputGiven', body: with_({ input: 7 }), message: 'input: must be a string or an array, not 7' },
  { rule: 'inputGiven', body: with_({ input: [] }), message: 'input: must not be empty' },
  { rule: 'inputGiven', body: with_({ input: '' }), message: 'input: must not be empty' },
  { rule: 'inputGiven', body: input(user, 'Hi'), message: 'input[1]: must be an object, not "Hi"' },
  ...[
    'store',
    'previous_response_id',
    'conversation',
    'background',
    'parallel_tool_calls',
    'metadata',
    'truncation',
    'service_tier',
    'stream_options',
    'prompt_cache_key',
    'safety_identifier',
  ].map((field): ViolationCase => {
    return { rule: 'fieldsKnown', body: with_({ [field]: null }), message: `${field}: is not supported` };
  }),
  {
    rule: 'instructionsText',
    body: with_({ instructions: ['Be brief'] }),
    message: 'instructions: must be a string, not an array',
  },
  {
    rule: 'streamBoolean',
    body: with_({ stream: 'true' }),
    message: 'stream: must be a boolean, not "true"',
  },
  { rule: 'streamBoolean', body: with_({ stream: null }), message: 'stream: must be a boolean, not null' },
  {
    rule: 'maxOutputTokens',
    body: with_({ max_output_tokens: 0 }),
    message: 'max_output_tokens: must be from 1 to 1048576, not 0',
  },
  {
    rule: 'maxOutputTokens',
    body: with_({ max_output_tokens: 1_048_577 }),
    message: 'max_output_tokens: must be from 1 to 1048576, not 1048577',
  },
  {
    rule: 'maxOutputTokens',
    body: with_({ max_output_tokens: 10.5 }),
    message: 'max_output_tokens: must be an integer, not 10.5',
  },
  {
    rule: 'reasoningEffort',
    body: with_({ reasoning: 'high' }),
    message: 'reasoning: must be an object, not "high"',
  },
  {
    rule: 'reasoningEffort',
    body: with_({ reasoning: { summary: 'auto' } }),
    message: 'reasoning.summary: is not supported',
  },
  {
    rule: 'reasoningEffort',
    body: with_({ reasoning: { effort: 'medium' } }),
    message: 'reasoning.effort: must be "low", "high" or "max", not "medium"',
  },
  {
    rule: 'reasoningEffort',
    body: { ...k3, reasoning: { effort: 'high' } },
    message: 'reasoning.effort: must be "max", not "high"',
  },
  {
    rule: 'textFormat',
    body: { ...k3, text: { format: json } },
    message: 'text: is not supported by kimi-k3',
  },
  { rule: 'textFormat', body: with_({ text: 'plain' }), message: 'text: must be an object, not "plain"' },
  {
    rule: 'textFormat',
    body: with_({ text: { format: json, verbosity: 'low' } }),
    message: 'text.verbosity: is not supported',
  },
  { rule: 'textFormat', body: with_({ text: {} }), message: 'text.format: must be an object, not nothing' },
  {
    rule: 'textFormat',
    body: with_({ text: { format: { type: 'json_object' } } }),
    message: 'text.format.type: must be "json_schema", not "json_object"',
  },
  {
    rule: 'textFormat',
    body: with_({ text: { format: { type: 'json_schema' } } }),
    message: 'text.format.schema: is required',
  },
  {
    rule: 'textFormat',
    body: with_({ text: { format: { ...json, strict: 1 } } }),
    message: 'text.format.strict: must be a boolean, not 1',
  },
  {
    rule: 'toolChoiceAuto',
    body: with_({ tool_choice: 'required' }),
    message: 'tool_choice: must be "auto", not "required"',
  },
  {
    rule: 'toolChoiceAuto',
    body: with_({ tool_choice: { type: 'function', name: 'x' } }),
    message: 'tool_choice: must be "auto", not an object',
  },
  {
    rule: 'samplingFixed',
    body: { ...k3, temperature: 0.2 },
    message: 'temperature: must be 1 for kimi-k3; leave it out',
  },
  {
    rule: 'samplingFixed',
    body: { ...k3, top_p: 1 },
    message: 'top_p: must be 0.95 for kimi-k3; leave it out',
  },
  {
    rule: 'samplingFixed',
    body: with_({ temperature: 'hot' }),
    message: 'temperature: must be a number, not "hot"',
  },
  { rule: 'toolsList', body: with_({ tools: readFile }), message: 'tools: must be an array, not an object' },
  { rule: 'toolsList', body: tools('x'), message: 'tools[0]: must be an object, not "x"' },
  {
    rule: 'toolsList',
    body: tools(readFile, { type: 'tool_search' }),
    message: 'tools[1]: tool type "tool_search" is not supported',
  },
  {
    rule: 'toolsList',
    body: tools(search, search),
    message: 'tools[1]: web_search may be declared only once',
  },
  {
    rule: 'functionTools',
    body: tools({ type: 'function', function: { name: 'read_file' } }),
    message: 'tools[0].function: is not supported: name and parameters stand beside type',
  },
  {
    rule: 'functionTools',
    body: tools({ ...readFile, defer_loading: true }),
    message: 'tools[0].defer_loading: is not supported',
  },
  {
    rule: 'functionTools',
    body: tools({ ...readFile, name: 'fs.read' }),
    message:
      'tools[0].name: must be 1 to 128 letters, digits, "_" or "-", starting with a letter or "_", not "fs.read"',
  },
  {
    rule: 'functionTools',
    body: tools({ ...readFile, parameters: [] }),
    message: 'tools[0].parameters: must be an object, not an array',
  },
  {
    rule: 'functionTools',
    body: tools({ ...readFile, strict: 'yes' }),
    message: 'tools[0].strict: must be a boolean, not "yes"',
  },
  {
    rule: 'functionTools',
    body: tools({ ...namespace, tools: [{ ...readFile, description: 3 }] }),
    message: 'tools[0].tools[0].description: must be a string, not 3',
  },
  {
    rule: 'customTools',
    body: tools({ ...patchTool, name: 'run_sql' }),
    message: 'tools[0].name: must be "apply_patch", the only custom tool, not "run_sql"',
  },
  { rule: 'customTools', body: tools(without(patchTool, 'format')), message: 'tools[0].format: is required' },
  {
    rule: 'customTools',
    body: tools({ ...patchTool, format: { type: 'text' } }),
    message: 'tools[0].format.type: must be "grammar", not "text"',
  },
  {
    rule: 'customTools',
    body: tools({ ...patchTool, format: { ...patchTool.format, syntax: 'regex' } }),
    message: 'tools[0].format.syntax: must be "lark", not "regex"',
  },
  {
    rule: 'customTools',
    body: tools({ ...patchTool, format: { ...patchTool.format, definition: 'patch: "x"' } }),
    message: 'tools[0].format.definition: has no rule named start',
  },
  ...(
    [
      ['start: line+', 'start names line, which is not defined'],
      ['start: "a" LF', 'start names LF, which is not defined'],
      ['start: /(/', 'start: /(/ is not a regular expression'],
      ['start: ("a"', 'start: ( has no )'],
    ] as const
  ).map(([definition, fault]): ViolationCase => ({
    rule: 'customTools',
    body: tools({ ...patchTool, format: { ...patchTool.format, definition } }),
    message: `tools[0].format.definition: ${fault}`,
  })),
  {
    rule: 'customTools',
    body: tools({ ...patchTool, parameters: {} }),
    message: 'tools[0].parameters: is not supported',
  },
  {
    rule: 'namespaceTools',
    body: tools(without(namespace, 'description')),
    message: 'tools[0].description: is required',
  },
  {
    rule: 'namespaceTools',
    body: tools({ ...namespace, tools: [] }),
    message: 'tools[0].tools: must not be empty',
  },
  {
    rule: 'namespaceTools',
    body: tools({ ...namespace, tools: [namespace] }),
    message: 'tools[0].tools[0].type: must be "function" or "custom", not "namespace"',
  },
  {
    rule: 'namespaceTools',
    body: tools({ ...namespace, tools: [search] }),
    message: 'tools[0].tools[0].type: must be "function" or "custom", not "web_search"',
  },
  {
    rule: 'webSearchTools',
    body: tools({ ...search, search_context_size: 'low' }),
    message: 'tools[0].search_context_size: is not supported',
  },
  {
    rule: 'webSearchTools',
    body: tools({ ...search, filters: { blocked_domains: [] } }),
    message: 'tools[0].filters.blocked_domains: is not supported',
  },
  {
    rule: 'webSearchTools',
    body: tools({ ...search, filters: { allowed_domains: domains } }),
    message: 'tools[0].filters.allowed_domains: may hold up to 100 domains, not 101',
  },
  {
    rule: 'webSearchTools',
    body: tools({ ...search, search_content_types: ['video'] }),
    message: 'tools[0].search_content_types[0]: must be "text" or "image", not "video"',
  },
  {
    rule: 'webSearchTools',
    body: tools({ ...search, image_settings: { max_results: 11 } }),
    message: 'tools[0].image_settings.max_results: must be from 1 to 10, not 11',
  },
  {
    rule: 'webSearchTools',
    body: tools({ ...search, image_settings: { caption: 'yes' } }),
    message: 'tools[0].image_settings.caption: must be a boolean, not "yes"',
  },
  {
    rule: 'toolNamesDistinct',
    body: tools(readFile, readFile),
    message: 'tools[1].name: "read_file" is declared twice',
  },
  {
    rule: 'toolNamesDistinct',
    body: tools({ ...namespace, tools: [readFile, readFile] }),
    message: 'tools[0].tools[1].name: "read_file" is declared twice',
  },
  {
    rule: 'includeForWebSearch',
    body: { ...tools(search), include: ['reasoning.encrypted_content'] },
    message:
      'include[0]: must be "web_search_call.results" or "web_search_call.action.sources", not "reasoning.encrypted_content"',
  },
  {
    rule: 'includeForWebSearch',
    body: with_({ include: ['web_search_call.results'] }),
    message: 'include: is for requests with the web_search tool',
  },
  {
    rule: 'cacheOptions',
    body: { ...k3, prompt_cache_options: { mode: 'implicit' } },
    message: 'prompt_cache_options: is not supported by kimi-k3',
  },
  {
    rule: 'cacheOptions',
    body: with_({ prompt_cache_options: { mode: 'explicit' } }),
    message: 'prompt_cache_options.mode: must be "implicit", not "explicit"',
  },
  {
    rule: 'cacheOptions',
    body: with_({ prompt_cache_options: { mode: 'implicit', ttl: '30m' } }),
    message: 'prompt_cache_options.ttl: must be "5m" or "1h", not "30m"',
  },
  {
    rule: 'cacheOptions',
    body: with_({ prompt_cache_options: { prewarm: true } }),
    message: 'prompt_cache_options.prewarm: is not supported',
  },
  {
    rule: 'itemTypesKnown',
    body: input(user, { type: 'item_reference', id: 'rs_1' }),
    message: 'input[1].type: "item_reference" is not supported',
  },
  {
    rule: 'itemTypesKnown',
    body: input({ type: 'additional_tools', role: 'developer', tools: [] }),
    message: 'input[0].type: "additional_tools" is not supported',
  },
  {
    rule: 'itemTypesKnown',
    body: input({ call_id: 'x', output: 'y' }),
    message: 'input[0].type: is required for everything but messages',
  },
  {
    rule: 'itemsCompleted',
    body: input(user, { ...thought, status: 'in_progress' }, said),
    message: 'input[1].status: must be "completed", not "in_progress"',
  },
  {
    rule: 'itemsCompleted',
    body: input(user, { ...said, status: 'incomplete' }),
    message: 'input[1].status: must be "completed", not "incomplete"',
  },
  {
    rule: 'itemFieldsKnown',
    body: input(user, { ...said, id: 'msg_1' }),
    message: 'input[1].id: is not supported',
  },
  {
    rule: 'itemFieldsKnown',
    body: input(user, { ...said, phase: 'final_answer' }),
    message: 'input[1].phase: is not supported',
  },
  {
    rule: 'itemFieldsKnown',
    body: input(user, thought, patchCall, { ...patchOutput, id: 'ctco_1' }),
    message: 'input[3].id: is not supported',
  },
  {
    rule: 'itemFieldsKnown',
    body: input(user, { type: 'web_search_call', results: [] }),
    message: 'input[1].results: is not supported',
  },
  {
    rule: 'itemIds',
    body: input(user, { ...thought, id: 'thought' }, said),
    message: 'input[1].id: must start with "rs_", not be "thought"',
  },
  {
    rule: 'itemIds',
    body: input(user, { ...thought, id: 'rs_'.padEnd(400, 'a') }, said),
    message: 'input[1].id: may have up to 64 characters, not 400',
  },
  {
    rule: 'messageRoles',
    body: input({ ...user, role: 'system' }),
    message: 'input[0].role: "system" is not a role; use instructions, or the role "developer"',
  },
  {
    rule: 'messageRoles',
    body: input({ ...user, role: 'tool' }),
    message: 'input[0].role: must be "user", "assistant" or "developer", not "tool"',
  },
  {
    rule: 'messageRoles',
    body: input({ type: 'message', content: 'Hi' }),
    message: 'input[0].role: is required',
  },
  { rule: 'messageContents', body: input({ role: 'user' }), message: 'input[0].content: is required' },
  {
    rule: 'messageContents',
    body: input({ ...user, content: 3 }),
    message: 'input[0].content: must be a string or an array, not 3',
  },
  {
    rule: 'messageContents',
    body: input(user, { ...said, content: [] }),
    message: 'input[1].content: must not be empty',
  },
  {
    rule: 'messageContents',
    body: input(user, { ...said, content: [{ type: 'input_text', text: 'Hi' }] }),
    message: 'input[1].content[0].type: must be "output_text", not "input_text"',
  },
  {
    rule: 'messageContents',
    body: input(user, { ...said, content: [{ type: 'refusal', refusal: 'No' }] }),
    message: 'input[1].content[0].type: must be "output_text", not "refusal"',
  },
  {
    rule: 'messageContents',
    body: input(user, { ...said, content: [{ type: 'output_text', text: 'Hi', annotations: [] }] }),
    message: 'input[1].content[0].annotations: is not supported',
  },
  {
    rule: 'messageContents',
    body: input({ ...user, content: [{ type: 'input_file', file_id: 'f' }] }),
    message: 'input[0].content[0].type: must be "input_text" or "input_image", not "input_file"',
  },
  {
    rule: 'messageContents',
    body: input({ ...user, content: [{ type: 'input_image', image_url: 'https://example.test/a.png' }] }),
    message: 'input[0].content[0].image_url: must be a data URL; addresses are not fetched',
  },
  {
    rule: 'messageContents',
    body: input({
      ...user,
      content: [{ type: 'input_text', text: 'Hi', prompt_cache_breakpoint: { mode: 'explicit' } }],
    }),
    message: 'input[0].content[0].prompt_cache_breakpoint: is not supported',
  },
  {
    rule: 'messageContents',
    body: input({
      ...user,
      content: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'huge' }],
    }),
    message: 'input[0].content[0].detail: must be "auto", "low", "high" or "original", not "huge"',
  },
  {
    rule: 'reasoningItems',
    body: input(user, without(thought, 'summary'), said),
    message: 'input[1].summary: is required; an empty summary is []',
  },
  {
    rule: 'reasoningItems',
    body: input(user, { ...thought, content: null }, said),
    message: 'input[1].content: must be an array, not null',
  },
  {
    rule: 'reasoningItems',
    body: input(user, { ...thought, encrypted_content: null }, said),
    message: 'input[1].encrypted_content: must be a string, not null',
  },
  {
    rule: 'reasoningItems',
    body: input(user, { ...thought, summary: [{ type: 'output_text', text: 'Hm' }] }, said),
    message: 'input[1].summary[0].type: must be "summary_text", not "output_text"',
  },
  {
    rule: 'callIds',
    body: input(user, thought, without(patchCall, 'call_id'), patchOutput),
    message: 'input[2].call_id: is required',
  },
  {
    rule: 'callIds',
    body: input(user, thought, patchCall, { ...patchOutput, call_id: '' }),
    message: 'input[3].call_id: must not be empty',
  },
  {
    rule: 'callIds',
    body: input(user, thought, { ...patchCall, call_id: 'c'.repeat(65) }, patchOutput),
    message: 'input[2].call_id: may have up to 64 characters, not 65',
  },
  {
    rule: 'callNames',
    body: input(user, thought, without(readCall, 'name'), readOutput),
    message: 'input[2].name: is required',
  },
  {
    rule: 'callNames',
    body: input(user, thought, { ...patchCall, name: 'run_sql' }, patchOutput),
    message: 'input[2].name: must be "apply_patch", the only custom tool, not "run_sql"',
  },
  {
    rule: 'callNames',
    body: input(user, thought, { ...readCall, namespace: 'a/b' }, readOutput),
    message:
      'input[2].namespace: must be 1 to 128 letters, digits, "_" or "-", starting with a letter or "_", not "a/b"',
  },
  {
    rule: 'functionArguments',
    body: input(user, thought, { ...readCall, arguments: { path: 'a' } }, readOutput),
    message: 'input[2].arguments: must be a string, not an object',
  },
  {
    rule: 'functionArguments',
    body: input(user, thought, { ...readCall, arguments: '{"path":' }, readOutput),
    message: 'input[2].arguments: must be the text of a JSON object',
  },
  ...['[]', '"a"', '7', 'null'].map((text): ViolationCase => ({
    rule: 'functionArguments',
    body: input(user, thought, { ...readCall, arguments: text }, readOutput),
    message: 'input[2].arguments: must be the text of a JSON object',
  })),
  {
    rule: 'customInputs',
    body: input(user, thought, without(patchCall, 'input'), patchOutput),
    message: 'input[2].input: is required',
  },
  {
    rule: 'toolOutputs',
    body: input(user, thought, patchCall, without(patchOutput, 'output')),
    message: 'input[3].output: is required',
  },
  {
    rule: 'toolOutputs',
    body: input(user, thought, patchCall, { ...patchOutput, output: [{ type: 'output_text', text: 'x' }] }),
    message: 'input[3].output[0].type: must be "input_text" or "input_image", not "output_text"',
  },
  {
    rule: 'webSearchItems',
    body: input(user, { type: 'web_search_call', action: { type: 'open_page', url: 'x' } }),
    message: 'input[1].action.url: is not supported',
  },
  {
    rule: 'webSearchItems',
    body: input(user, { type: 'web_search_call', action: { type: 'search', query: 'x', sources: [] } }),
    message: 'input[1].action.sources: is not supported',
  },
  {
    rule: 'callIdsDistinct',
    body: input(user, thought, readCall, { ...readCall, id: 'fc_2' }, readOutput),
    message: 'input[3].call_id: "read_file:1" is used twice in one turn',
  },
  {
    rule: 'callsHaveOutputs',
    body: input(user, thought, patchCall),
    message: 'input[2].call_id: no output for "apply_patch:0" follows directly after the calls of its turn',
  },
  {
    rule: 'callsHaveOutputs',
    body: input(user, thought, patchCall, { ...user, role: 'developer' }, patchOutput),
    message: 'input[2].call_id: no output for "apply_patch:0" follows directly after the calls of its turn',
  },
  {
    rule: 'callsHaveOutputs',
    body: input(user, thought, patchCall, readCall, readOutput),
    message: 'input[2].call_id: no output for "apply_patch:0" follows directly after the calls of its turn',
  },
  {
    rule: 'outputsHaveCalls',
    body: input(user, readOutput),
    message: 'input[1].call_id: no call "read_file:1" stands before this output',
  },
  {
    rule: 'outputsHaveCalls',
    body: input(user, thought, readCall, readOutput, readOutput),
    message: 'input[4].call_id: "read_file:1" has a second output',
  },
  {
    rule: 'outputsHaveCalls',
    body: input(user, thought, readCall, readOutput, said, readOutput),
    message: 'input[5].call_id: no call "read_file:1" stands before this output',
  },
  {
    rule: 'outputKindsMatch',
    body: input(user, thought, patchCall, { ...patchOutput, type: 'function_call_output' }),
    message: 'input[3].type: must be "custom_tool_call_output", as input[2] is a custom_tool_call',
  },
  {
    rule: 'reasoningBeforeCalls',
    body: input(user, patchCall, patchOutput),
    message: 'input[1]: the reasoning that led to this call is missing before it',
  },
  {
    rule: 'reasoningBeforeCalls',
    body: input(user, thought, readCall, readOutput, patchCall, patchOutput),
    message: 'input[4]: the reasoning that led to this call is missing before it',
  },
  {
    rule: 'reasoningLeadsSomewhere',
    body: input(user, thought),
    message: 'input[1]: no message or call follows this reasoning',
  },
  {
    rule: 'reasoningLeadsSomewhere',
    body: input(user, thought, user),
    message: 'input[1]: no message or call follows this reasoning',
  },
  {
    rule: 'customCallsDeclared',
    body: without(input(user, thought, patchCall, patchOutput), 'tools'),
    message: 'input[2].name: "apply_patch" is not among the tools of this request',
  },
  {
    rule: 'customCallsDeclared',
    body: { ...input(user, thought, patchCall, patchOutput), tools: [{ ...readFile, name: 'apply_patch' }] },
    message: 'input[2].name: "apply_patch" is not among the tools of this request',
  },
  {
    rule: 'customCallsDeclared',
    body: {
      ...input(user, thought, { ...patchCall, namespace: 'erp' }, patchOutput),
      tools: [{ ...namespace, tools: [patchTool] }],
    },
    message: 'input[2].name: "apply_patch" is not among the tools of this request',
  },
];

/** Every shape the documentation allows, each of which must pass. */
export const legalCases: Readonly<Record<string, JsonObject>> = {
  'a string as input': plain,
  'an array as input': input(user),
  'a message without its type': input({ role: 'user', content: 'Hi' }),
  'the developer role': input({ role: 'developer', content: [{ type: 'input_text', text: 'Be brief' }] }),
  'text parts and a completed status': input({
    ...user,
    content: [{ type: 'input_text', text: 'Hi' }],
    status: 'completed',
  }),
  'an image as data URL': input({
    ...user,
    content: [{ type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'auto' }],
  }),
  'an assistant message as text': input(user, { role: 'assistant', content: 'Hi' }, user),
  'each model': { ...plain, model: 'kimi-k3.1-pro-highspeed' },
  'kimi-k3 with its only effort': { ...k3, reasoning: { effort: 'max' } },
  'kimi-k3 with the fixed sampling': { ...k3, temperature: 1, top_p: 0.95 },
  'every effort of the series': with_({ reasoning: { effort: 'low' } }),
  'no effort in reasoning': with_({ reasoning: {} }),
  'sampling the series ignores': with_({ temperature: 0.2, top_p: 0.1 }),
  instructions: with_({ instructions: 'Be brief' }),
  'stream on and off': with_({ stream: true }),
  'the largest budget': with_({ max_output_tokens: 1_048_576 }),
  'structured output': with_({ text: { format: { ...json, name: 'answer', strict: true } } }),
  'cache options': with_({ prompt_cache_options: { mode: 'implicit', ttl: '1h' } }),
  'tool_choice auto': { ...tools(readFile), tool_choice: 'auto' },
  'a function without parameters': tools({ type: 'function', name: 'now' }),
  'a full function': tools({ ...readFile, description: 'Reads', strict: true }),
  apply_patch: tools({ ...patchTool, description: 'Patches' }),
  'a namespace with both kinds': tools({ ...namespace, tools: [readFile, patchTool] }),
  'the same name in two namespaces': tools(readFile, namespace, { ...namespace, name: 'erp' }),
  'web search with everything': {
    ...tools({
      ...search,
      filters: { allowed_domains: ['example.test'] },
      search_content_types: ['text', 'image'],
      image_settings: { max_results: 10, caption: true },
      user_location: { type: 'approximate' },
      external_web_access: true,
      indexed_web_access: true,
    }),
    include: ['web_search_call.results', 'web_search_call.action.sources'],
  },
  'reasoning and message': input(user, thought, said, user),
  'reasoning with an empty summary': input(user, { type: 'reasoning', summary: [] }, said, user),
  'reasoning with clear content': input(
    user,
    { type: 'reasoning', id: 'rs_2', content: [{ type: 'reasoning_text', text: 'Hm.' }] },
    said,
    user,
  ),
  'reasoning with ciphertext': input(user, { ...thought, encrypted_content: 'gAAA' }, said, user),
  'a message without reasoning': input(user, said, user),
  'a call and its output': input(user, thought, patchCall, patchOutput),
  'ids and types left out where they may be': input(
    user,
    without(thought, 'id'),
    without(patchCall, 'id'),
    patchOutput,
  ),
  'a message before the call': input(user, thought, said, patchCall, patchOutput),
  'parallel calls, then their outputs': input(user, thought, readCall, patchCall, patchOutput, readOutput),
  'a namespaced call': input(user, thought, { ...readCall, namespace: 'crm' }, readOutput),
  'a namespaced custom call': {
    ...input(user, thought, { ...patchCall, namespace: 'crm' }, patchOutput),
    tools: [{ ...namespace, tools: [patchTool] }],
  },
  'a call of a function that is no longer declared': {
    ...input(user, thought, readCall, readOutput),
    tools: [],
  },
  'a call without arguments': input(user, thought, { ...readCall, arguments: '' }, readOutput),
  'an output of parts': input(user, thought, patchCall, {
    ...patchOutput,
    output: [{ type: 'input_text', text: 'Done' }],
  }),
  'the same call id in two turns': input(
    user,
    thought,
    patchCall,
    patchOutput,
    { ...thought, id: 'rs_2' },
    { ...patchCall, id: 'ctc_2' },
    patchOutput,
    { ...thought, id: 'rs_3' },
    said,
    user,
  ),
  'a search in the history': input(
    user,
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } },
    thought,
    said,
    user,
  ),
};
