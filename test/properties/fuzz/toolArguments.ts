/**
 * Whatever a model calls a tool with, the tool answers with a text of a bounded length, and nothing is run that the person did not see.
 * The calls come as they come from the service; what the tools ask of the workspace is answered with whatever.
 */
import assert from 'node:assert/strict';

import type { ApprovalAnswer, ApprovalRequest } from '../../../src/core/conversation/approval.ts';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { err, ok, type Result } from '../../../src/core/result.ts';
import { foreignTool } from '../../../src/core/tools/foreignTool.ts';
import type { ReadingPorts, Refusal } from '../../../src/core/tools/readingPorts.ts';
import { readingTools } from '../../../src/core/tools/readingTools.ts';
import { maxResult, roomForNotes } from '../../../src/core/tools/resultText.ts';
import { runCommandTool } from '../../../src/core/tools/runCommand.ts';
import { TerminalText } from '../../../src/core/tools/terminalText.ts';
import type { Tool } from '../../../src/core/tools/tool.ts';
import { Memory } from '../../simulator/validate/memory.ts';
import { validate } from '../../simulator/validate/validate.ts';
import { plain } from '../../simulator/validate/violations.ts';
import { ask, ports, response, run, scriptedModel } from '../../support/turns.ts';
import type { Chance } from './chance.ts';
import { anyJson, deepJson, spoiledText, spoiledValue, strangeText } from './spoil.ts';

const refusals: readonly Refusal[] = [
  { kind: 'outside', path: '../x', answer: { kind: 'deny', reason: 'no' } },
  { kind: 'ignored', path: '.env' },
  { kind: 'noFolder' },
  { kind: 'whichFolder', path: 'x', candidates: ['a/x', 'b/x'] },
  { kind: 'missing', path: 'x', folder: '', names: ['a', 'b/'] },
  { kind: 'binary', path: 'x', bytes: 10 },
  { kind: 'tooLarge', path: 'x', bytes: 1e9, limit: 1e6 },
  { kind: 'protected', path: '.git/config' },
];

/** The workspace says anything that it can say. */
function anyWorkspace(chance: Chance): ReadingPorts {
  const text = (): string =>
    chance.once(10) ? strangeText(chance).repeat(chance.below(100)) : strangeText(chance);
  const path = (): string => `a/${strangeText(chance)}`;
  const line = (): number => 1 + chance.below(1_000);
  const many = <T>(make: () => T): T[] =>
    Array.from({ length: chance.once(20) ? 500 : chance.below(5) }, make);
  const or = async <T>(make: () => T): Promise<Result<T, Refusal>> =>
    chance.once(4) ? err(chance.pick(refusals)) : ok(make());
  const some = <T>(make: () => T): { found: T[]; total: number } => {
    const found = many(make);
    return { found, total: found.length + chance.below(3) };
  };
  const place = () => ({ path: path(), line: line(), text: text() });
  return {
    readText: () => or(() => ({ path: path(), text: text(), unsaved: chance.once(2) })),
    listFiles: () =>
      or(() => ({
        files: many(path),
        total: chance.below(1e6),
        places: many(() => ({ name: path(), files: line() })),
        unfinished: chance.once(2),
      })),
    searchText: () =>
      or(() => ({
        hits: many(place),
        end: chance.pick(['complete', 'limit', 'timeout'] as const),
        seconds: 5,
        tooLarge: 1,
      })),
    problems: () =>
      or(() => ({
        found: many(() => ({
          ...{ path: path(), line: line(), column: line(), severity: 'error' as const },
          ...{ message: text(), source: text() },
        })),
        hidden: chance.below(3),
        unopened: chance.once(2),
      })),
    symbols: () => or(() => some(() => ({ name: text(), kind: 'class', container: text(), place: place() }))),
    places: () => or(() => some(place)),
    hover: () => or(() => many(text)),
    openEditors: async () => ({
      editors: many(() => ({ path: path(), active: false, unsaved: false })),
      hidden: 0,
    }),
    diff: () => or(() => ({ text: text(), untracked: many(path), hidden: 0 })),
  };
}

/** Arguments that fit what was declared, as far as that is simple. */
function argumentsFor(chance: Chance, { declaration }: Tool): object {
  if (declaration.type !== 'function') return {};
  const { properties = {} } = declaration.parameters as { properties?: Record<string, unknown> };
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const json = JSON.stringify(schema);
      if (chance.once(4) && json.includes('"null"')) return [name, null];
      if (json.includes('"array"')) return [name, chance.list(4, () => strangeText(chance))];
      if (json.includes('"boolean"')) return [name, chance.once(2)];
      if (json.includes('"integer"')) return [name, 1 + chance.below(50)];
      return [
        name,
        chance.once(3) ? strangeText(chance) : chance.pick(['a.ts', 'src', '*.ts', 'echo 1', '(a+)+$']),
      ];
    }),
  );
}

export async function tryArguments(chance: Chance): Promise<void> {
  const asked: ApprovalRequest[] = [];
  const did: string[] = [];
  const answers: readonly ApprovalAnswer[] = [
    ...([{ kind: 'allow' }, { kind: 'allow', remember: true }, { kind: 'mask' }, { kind: 'deny' }] as const),
    ...([{ kind: 'deny', reason: strangeText(chance) }, { kind: 'later' }, { kind: 'cancelled' }] as const),
  ];
  const answer = chance.pick(answers);
  const command = runCommandTool(
    {
      isOn: () => true,
      locate: async (path) =>
        chance.once(9) ? err(chance.pick(refusals)) : ok({ uri: `file:///w/${path}`, path: `/w/${path}` }),
      isAllowed: () => false,
      allow: async () => undefined,
      run: async ({ command: line, folder }) => {
        did.push(JSON.stringify([line, folder.path]));
        const terminal = new TerminalText();
        for (const piece of chance.list(5, () => strangeText(chance))) terminal.feed(piece);
        return { kind: 'ran', end: { kind: 'exited', code: 0 }, output: terminal.text() };
      },
    },
    'bash on linux',
  );
  const foreign = foreignTool(
    {
      owner: { kind: 'server', name: strangeText(chance) },
      ...{ namespace: 'mcp_server', name: 'do_it', description: strangeText(chance) },
      schema: chance.once(2) ? anyJson(chance) : spoiledValue(chance, someSchema),
      asked: { owner: 'server', name: 'do it' },
    },
    {
      standing: () => 'fine',
      invoke: async (input) => {
        did.push(JSON.stringify(input));
        return {
          kind: 'returned',
          parts: chance.list(5, () => ({ kind: 'elements', value: anyJson(chance) })),
        };
      },
    },
  );
  const tools = [...readingTools(anyWorkspace(chance)), command, foreign];
  const violation = validate({ ...plain, tools: declared(foreign) }, 'strict', new Memory());
  assert.equal(violation, undefined, JSON.stringify(violation));

  const calls = Array.from({ length: 1 + chance.below(3) }, (_, at) => {
    const tool = chance.pick(tools);
    const right = argumentsFor(chance, tool);
    const sent = chance.once(3) ? right : chance.once(6) ? anyJson(chance) : spoiledValue(chance, right);
    const json = JSON.stringify(sent);
    return {
      ...{ type: 'function_call', id: `fc_${at}`, call_id: `c:${at}`, name: tool.declaration.name },
      ...(tool === foreign && { namespace: 'mcp_server' }),
      arguments: chance.once(50) ? deepJson(chance) : chance.once(5) ? spoiledText(chance, json) : json,
    };
  });
  const { turn } = await run(
    ports(scriptedModel(response(calls), response([])), tools, async ({ request }) => {
      asked.push(request);
      return answer;
    }),
    ask('q'),
  );
  checkTurn(turn, calls.length);
  const seen = asked.map((request) => {
    if (request.kind === 'command') return JSON.stringify([request.command, request.folder]);
    return request.kind === 'foreignTool' ? request.input : '';
  });
  if (answer.kind !== 'allow') assert.deepEqual(did, []);
  for (const each of did) assert.ok(seen.includes(each), `${each} was done and not asked about`);
}

function checkTurn({ end, parts }: Conversation['turns'][number], calls: number): void {
  assert.equal(end?.kind, 'completed', JSON.stringify(end));
  const outcomes = parts.flatMap((part) => (part.kind === 'tool' ? [part.outcome] : []));
  assert.equal(outcomes.length, calls);
  for (const outcome of outcomes) {
    assert.ok(outcome !== undefined && outcome.text !== '');
    assert.doesNotMatch(outcome.text, /because of a bug/);
    assert.ok(outcome.text.length <= maxResult + roomForNotes + 1_000, `${outcome.text.length} characters`);
  }
}

function declared({ declaration, namespace }: Tool): readonly object[] {
  return [{ type: 'namespace', ...namespace, tools: [structuredClone(declaration)] }];
}

const someSchema = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'A path', minLength: 1 },
    kinds: { type: 'array', items: { enum: ['a', 'b'] } },
    deep: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
  },
  required: ['path'],
  $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
};
