/**
 * Every limit on what comes from outside, in one table: the most that is taken is taken, and of more something is said. Limits of what only
 * the editor can measure (files, attachments, results of other extensions) are tested where they are.
 */
import assert from 'node:assert/strict';

import { isTooMuch, longestAttached, mostAttached } from '../../src/core/conversation/userMessage.ts';
import { longestArguments, mostLevels } from '../../src/core/conversation/runCalls.ts';
import { maxPatchLength } from '../../src/core/patch/parse.ts';
import { decodeEvent } from '../../src/core/responses/decode.ts';
import { maxItems, ResponseSnapshot } from '../../src/core/responses/snapshot.ts';
import { maxMessageSize, streamReader } from '../../src/core/responses/sse.ts';
import { applyPatchTool } from '../../src/core/tools/applyPatch.ts';
import { resultOf } from '../../src/core/tools/foreignResult.ts';
import { acceptableSchema, longestSchema } from '../../src/core/tools/foreignSchema.ts';
import { readArguments, text, texts } from '../../src/core/tools/parameters.ts';
import { maxPaths } from '../../src/core/tools/patchFiles.ts';
import { maxResult, shortLine } from '../../src/core/tools/resultText.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import { resolvePath } from '../../src/core/workspacePath.ts';
import {
  imageTypes,
  maxImageLength,
  maxTextLength,
  mostPlaces,
  readIntent,
} from '../../src/protocol/toHost.ts';
import { textOf, call } from './tools/calling.ts';
import { ask, ports, response, run, scriptedModel } from '../support/turns.ts';

/** What is said of so much; undefined when it is taken. */
type Complaint = (amount: number) => string | undefined | Promise<string | undefined>;

const echo: Tool = {
  declaration: {
    ...{ type: 'function', name: 'echo', description: 'Echoes.', strict: true },
    parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
  },
  run: async ({ input }) => ({ kind: 'done', text: `taken ${input.length}` }),
};

/** What a tool that takes everything answers to these arguments. */
async function called(args: string): Promise<string | undefined> {
  const item = { type: 'function_call', id: 'f', call_id: 'c', name: 'echo', arguments: args };
  const { turn } = await run(ports(scriptedModel(response([item]), response([])), [echo]), ask('q'));
  const part = turn.parts.find(({ kind }) => kind === 'tool');
  assert.ok(part?.kind === 'tool');
  return part.outcome?.kind === 'failed' ? part.outcome.text : undefined;
}

/** What is said of a patch; one that does not fit the files is taken. */
async function patched(input: string): Promise<string | undefined> {
  const tool = applyPatchTool(
    {
      roots: () => [{ name: 'app', path: '/app', caseInsensitive: false }],
      read: () => Promise.resolve({ kind: 'missing' }),
    },
    { review: ({ plan }) => Promise.resolve({ files: plan.files.map(() => ({ kind: 'rejected' })) }) },
  );
  const said = await textOf(
    tool
      .run(
        { id: 'call', name: 'apply_patch', input, complete: true },
        { signal: new AbortController().signal, proposal: () => undefined, ask: () => assert.fail() },
      )
      .then(({ text: told }) => ({ kind: 'done' as const, text: told })),
  );
  return said.includes('too-large') ? said : undefined;
}

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `*** Add File: f${index}.txt\n+x`).join('\n');
const envelope = (body: string): string => `*** Begin Patch\n${body}\n*** End Patch`;
const added = envelope('*** Add File: a.txt\n+').length;

const table: readonly (readonly [what: string, most: number, says: RegExp, Complaint])[] = [
  [
    'characters of one event',
    1_000,
    /^overflow 1000$/,
    (amount) => {
      const told = streamReader(1_000).feed(`data: ${'x'.repeat(amount - 'data: '.length)}`)[0];
      return told?.kind === 'overflow' ? `${told.kind} ${told.limit}` : undefined;
    },
  ],
  [
    'items of one response',
    maxItems,
    /more than 2000 parts/,
    (amount) => {
      const snapshot = new ResponseSnapshot();
      for (let index = 0; index < amount; index += 1) {
        const item = { type: 'message', id: `m${index}`, role: 'assistant', content: [] };
        snapshot.apply(
          decodeEvent(JSON.stringify({ type: 'response.output_item.added', output_index: index, item })),
        );
      }
      return snapshot.end?.kind === 'errored' ? snapshot.end.error.message : undefined;
    },
  ],
  [
    'characters of one response',
    500,
    /longer than \d+ characters/,
    (amount) => {
      const snapshot = new ResponseSnapshot(500);
      const delta = { type: 'response.output_text.delta', output_index: 0, item_id: 'm', content_index: 0 };
      for (let count = 0; count < amount; count += 1)
        snapshot.apply(decodeEvent(JSON.stringify({ ...delta, delta: 'x' })));
      return snapshot.end?.kind === 'errored' ? snapshot.end.error.message : undefined;
    },
  ],
  [
    'characters of arguments',
    longestArguments,
    /^The arguments of echo are longer than 4000000 characters\. Nothing was done\.$/,
    (amount) => called(`{"a":"${'x'.repeat(amount - '{"a":""}'.length)}"}`),
  ],
  [
    'levels of arguments',
    mostLevels,
    /^The arguments of echo are nested more than 100 levels deep\. Nothing was done\.$/,
    (amount) => called(`${'{"a":'.repeat(amount)}1${'}'.repeat(amount)}`),
  ],
  [
    'characters of a patch',
    maxPatchLength,
    /too-large/,
    (amount) => patched(envelope(`*** Add File: a.txt\n+${'x'.repeat(amount - added)}`)),
  ],
  ['paths of a patch', maxPaths, /too-large/, (amount) => patched(envelope(lines(amount)))],
  [
    'characters of a path',
    4_096,
    /^name$/,
    (amount) => {
      const path = resolvePath('a/'.repeat(amount / 2) + 'a'.repeat(amount % 2), [
        { name: 'app', path: '/app', caseInsensitive: false },
      ]);
      return path.ok || path.error === 'folder' ? undefined : path.error;
    },
  ],
  [
    'characters of one argument',
    4_096,
    /a text of 1 to 4096 characters/,
    (amount) => {
      const read = readArguments({ path: text('') }, JSON.stringify({ path: 'x'.repeat(amount) }));
      return read.ok ? undefined : read.error;
    },
  ],
  [
    'entries of a list among the arguments',
    50,
    /at most 50 texts/,
    (amount) => {
      const read = readArguments({ paths: texts('') }, JSON.stringify({ paths: Array(amount).fill('x') }));
      return read.ok ? undefined : read.error;
    },
  ],
  [
    'characters that a tool of others returned',
    maxResult,
    /\[1 character left out here\]/,
    (amount) => {
      const told = resultOf([{ kind: 'text', text: 'x'.repeat(amount) }]);
      return told.length === amount && !told.includes('left out') ? undefined : told;
    },
  ],
  [
    'characters of a line that a tool shows',
    2_000,
    /1 more character/,
    (amount) => {
      const told = shortLine('x'.repeat(amount));
      return told.length === amount ? undefined : told;
    },
  ],
  [
    'characters of the schema of a tool',
    longestSchema,
    /too long to be shown/,
    (amount) => {
      const schema = { type: 'object', description: '' };
      const description = 'x'.repeat(amount - JSON.stringify(schema).length);
      return acceptableSchema({ ...schema, description }).note;
    },
  ],
  [
    'characters of a question',
    maxTextLength,
    /^refused$/,
    (amount) => (readIntent({ kind: 'send', id: 'q', text: 'x'.repeat(amount) }) ? undefined : 'refused'),
  ],
  [
    'attachments of a question',
    mostAttached,
    /^too much$/,
    (amount) => (isTooMuch(Array.from({ length: amount }, () => ({ text: 'x' }))) ? 'too much' : undefined),
  ],
  [
    'characters of its attachments together',
    longestAttached,
    /^too much$/,
    (amount) => {
      const half = 'x'.repeat(amount / 2);
      const rest = 'x'.repeat(amount - half.length);
      return isTooMuch([{ text: half }, { text: '', image: rest }]) ? 'too much' : undefined;
    },
  ],
  [
    'characters of a picture',
    maxImageLength,
    /^refused$/,
    (amount) =>
      readIntent({ kind: 'attachImage', name: 'a', mime: imageTypes[0], data: 'x'.repeat(amount) })
        ? undefined
        : 'refused',
  ],
  [
    'files of a drop',
    mostPlaces,
    /^refused$/,
    (amount) =>
      readIntent({ kind: 'attachPlaces', uris: Array(amount).fill('file:///a') }) ? undefined : 'refused',
  ],
  [
    'characters of a name that the panel gives',
    200,
    /^refused$/,
    (amount) => (readIntent({ kind: 'accept', proposal: 'x'.repeat(amount) }) ? undefined : 'refused'),
  ],
];

describe('the limit of', function () {
  this.timeout(60_000);

  for (const [what, most, says, complaint] of table) {
    it(`${most} ${what}`, async () => {
      assert.equal(await complaint(most), undefined, 'so much is taken');
      const said = (await complaint(most + 1)) ?? 'nothing';
      assert.match(said.slice(0, 100_000), says);
    });
  }

  it('an event is far above any answer, and holds by itself', () => {
    assert.equal(maxMessageSize, 64 * 1024 * 1024);
    const reader = streamReader();
    const piece = `${'x'.repeat(1024 * 1024 - 1)}y`;
    let overflow = false;
    reader.feed('data: ');
    for (let count = 0; count < 66 && !overflow; count += 1)
      overflow = reader.feed(piece).some(({ kind }) => kind === 'overflow');
    assert.equal(overflow, true);
    assert.deepEqual(reader.feed('\n\ndata: {}\n\n'), [], 'nothing is read after it');
  });

  it('levels of what other extensions give ends in words, too', async () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 50_000; level += 1) deep = { type: 'object', properties: { a: deep } };
    assert.equal(typeof acceptableSchema(deep).note, 'string');
    assert.equal(typeof resultOf([{ kind: 'other', value: deep }]), 'string');
    assert.match(await textOf(call(echo, {})), /taken 2/);
  });
});
