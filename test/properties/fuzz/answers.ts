/** Whatever a service sends, a turn comes to its end, what is kept of it can be sent again, and what is written down can be read. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

import type { ModelChunk } from '../../../src/core/conversation/modelPort.ts';
import { buildRequest } from '../../../src/core/conversation/request.ts';
import type { TurnEvent } from '../../../src/core/conversation/turnEvent.ts';
import { isShown } from '../../../src/core/conversation/turnEvent.ts';
import { EventKeeper } from '../../../src/core/journal/keepEvents.ts';
import { encodeRecord } from '../../../src/core/journal/record.ts';
import { readJournal } from '../../../src/core/journal/readJournal.ts';
import { modelRow } from '../../../src/core/responses/models.ts';
import { ok } from '../../../src/core/result.ts';
import { applyPatchTool } from '../../../src/core/tools/applyPatch.ts';
import { readingTools } from '../../../src/core/tools/readingTools.ts';
import { Memory } from '../../simulator/validate/memory.ts';
import { validate } from '../../simulator/validate/validate.ts';
import { ports as readingPorts } from '../../core/tools/calling.ts';
import { ask, fixtureBytes, fixtureNames, ports, response, run } from '../../support/turns.ts';
import type { Chance } from './chance.ts';
import { anyJson, cut, deepJson, spoiledBytes, spoiledValue, strangeText } from './spoil.ts';

const samples = fixtureNames.map(fixtureBytes);
const encoder = new TextEncoder();

/** The events of all samples as values, so that one can be spoiled without its JSON. */
const events = samples.flatMap((bytes) =>
  [...bytes.toString('utf8').matchAll(/^data: ?(\{.*\})$/gm)].map(
    ([, json = '']) => JSON.parse(json) as object,
  ),
);
const types = [...new Set(events.map((event) => ('type' in event ? event.type : undefined)))];

function stream(list: readonly unknown[], chance: Chance): Uint8Array {
  return encoder.encode(list.map((event) => `data: ${written(chance, event)}\n\n`).join(''));
}

/** Now and then with something so deep in the place of a text that it can't be gone into. */
function written(chance: Chance, event: unknown): string {
  const json = JSON.stringify(event);
  return chance.once(500) ? json.replace(/(?<=:)"[^"]*"(?=[,}])/, () => deepJson(chance)) : json;
}

/** Several events, each of them perhaps spoiled, in whatever order. */
function spoiledStream(chance: Chance): Uint8Array {
  const list = Array.from({ length: 1 + chance.below(12) }, (): unknown => {
    const event = chance.pick(events);
    switch (chance.below(5)) {
      case 0:
        return event;
      case 1:
        return {
          type: chance.pick(types),
          item: anyJson(chance),
          delta: anyJson(chance),
          response: anyJson(chance),
        };
      case 2:
        return anyJson(chance);
      default:
        return spoiledValue(chance, event);
    }
  });
  return stream(list, chance);
}

function chunksOf(chance: Chance): readonly ModelChunk[] {
  if (chance.once(20)) {
    const body = chance.once(2) ? JSON.stringify(anyJson(chance)) : strangeText(chance);
    return [{ kind: 'json', text: body }];
  }
  const bytes = chance.once(2)
    ? spoiledStream(chance)
    : spoiledBytes(chance, chance.pick(samples), chance.pick(samples));
  const decoder = new TextDecoder();
  const chunks = cut(chance, bytes).map((piece): ModelChunk => ({
    kind: 'text',
    text: decoder.decode(piece, { stream: true }),
  }));
  chunks.push({ kind: 'text', text: decoder.decode() });
  if (chance.once(10)) chunks.push({ kind: 'failed', failure: { kind: 'silence', seconds: 1 } });
  return chunks;
}

const tools = [
  ...readingTools(
    readingPorts({
      readText: async (path) => ok({ path, text: 'text\n', unsaved: false }),
      openEditors: async () => ({ editors: [], hidden: 0 }),
      listFiles: async () => ok({ files: [], total: 0, places: [], unfinished: false }),
      searchText: async () => ok({ hits: [], end: 'complete', seconds: 1, tooLarge: 0 }),
      problems: async () => ok({ found: [], hidden: 0, unopened: false }),
      symbols: async () => ok({ found: [], total: 0 }),
      places: async () => ok({ found: [], total: 0 }),
      hover: async () => ok([]),
      diff: async () => ok({ text: '', untracked: [], hidden: 0 }),
    }),
  ),
  applyPatchTool(
    {
      roots: () => [{ name: 'work', path: '/work', caseInsensitive: false }],
      read: async () => ({ kind: 'text', text: 'one\ntwo\nthree\n' }),
    },
    { review: async ({ plan }) => ({ files: plan.files.map(() => ({ kind: 'rejected' })) }) },
  ),
];

export async function tryAnswer(chance: Chance): Promise<void> {
  const answers = [chunksOf(chance), chunksOf(chance)];
  const rest: readonly ModelChunk[] = [{ kind: 'text', text: response([]) }];
  let sent = 0;
  const model = {
    async *send(): AsyncIterable<ModelChunk> {
      yield* answers[sent++] ?? rest;
    },
  };
  const outcome = await run(ports(model, tools), ask('q', { maxRounds: 6 }));
  const last = outcome.events.at(-1);
  assert.equal(last?.kind, 'turnEnded');
  assert.ok(last.end.kind !== 'failed' || last.end.failure.kind !== 'bug', JSON.stringify(last.end));
  checkOrder(outcome.events);
  checkNextRequest(outcome.history);
  checkKept(outcome);
}

/** As `turnEvent.ts` promises it. */
function checkOrder(all: readonly TurnEvent[]): void {
  const state = new Map<string, 'open' | 'asked' | 'closed'>();
  for (const [at, event] of all.entries()) {
    if (event.kind === 'turnEnded') assert.equal(at, all.length - 1);
    if (!('part' in event)) continue;
    const { kind, part } = event;
    const was = state.get(part);
    switch (kind) {
      case 'partOpened':
      case 'toolOpened':
        assert.equal(was, undefined, `${part} is opened twice`);
        state.set(part, 'open');
        break;
      case 'partClosed':
      case 'toolSettled':
        assert.ok(was === 'open' || was === 'asked', `${part} is closed and was ${was}`);
        state.set(part, 'closed');
        break;
      case 'toolAsked':
        assert.equal(was, 'open', `${part} is asked for`);
        state.set(part, 'asked');
        break;
      case 'toolInputAdded':
      case 'toolProgressed':
        assert.equal(was, 'open', `${kind} for ${part}`);
        break;
      default:
        assert.ok(was !== undefined, `${kind} for ${part}, which was never opened`);
    }
  }
  for (const [part, is] of state) assert.equal(is, 'closed', `${part} stays open`);
}

/** Broken by nobody but the service itself: it made a call without having thought before. */
const notOurs = 'reasoningBeforeCalls';

function checkNextRequest(history: Parameters<typeof buildRequest>[0]['history']): void {
  const model = modelRow('kimi-k3.1-pro');
  assert.ok(model !== undefined);
  const body = buildRequest({
    model,
    effort: 'max',
    instructions: 'i',
    tools: tools.map(({ declaration }) => declaration),
    history,
  });
  const violation = validate(
    JSON.parse(JSON.stringify(body)) as Record<string, unknown>,
    'strict',
    new Memory(),
  );
  assert.ok(violation === undefined || violation.rule === notOurs, JSON.stringify(violation));
}

function checkKept({ events: all, conversation, history }: Awaited<ReturnType<typeof run>>): void {
  const keeper = new EventKeeper();
  const lines = [
    encodeRecord({ kind: 'conversation', id: conversation.id, at: 1 }),
    ...keeper.records(all).map(encodeRecord),
  ];
  for (const line of lines) assert.ok(!line.includes('\n'));
  const read = readJournal(`${lines.join('\n')}\n`);
  assert.deepEqual([read.damaged, read.isNewer, read.isTorn], [0, false, false]);
  assert.ok(
    isDeepStrictEqual(read.state?.conversation, JSON.parse(JSON.stringify(conversation))),
    'the conversation is read otherwise than it was',
  );
  assert.ok(
    isDeepStrictEqual(read.state?.history, JSON.parse(JSON.stringify(history))),
    'the history is read otherwise',
  );
  assert.equal(all.filter(isShown).at(-1)?.kind, 'turnEnded');
}
