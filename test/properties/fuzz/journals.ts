/** Whatever stands in a journal, it is read, nothing that came before is lost, and what was read can be gone on with. */
import assert from 'node:assert/strict';

import { historyItems } from '../../../src/core/conversation/history.ts';
import { endingsOf } from '../../../src/core/journal/endings.ts';
import { factsOf } from '../../../src/core/journal/facts.ts';
import { EventKeeper } from '../../../src/core/journal/keepEvents.ts';
import { readJournal } from '../../../src/core/journal/readJournal.ts';
import { lastTurns } from '../../../src/core/journal/lastTurns.ts';
import { encodeRecord, type JournalRecord } from '../../../src/core/journal/record.ts';
import { ask, fixture, fixtureNames, ports, response, run, scriptedModel } from '../../support/turns.ts';
import type { Chance } from './chance.ts';
import { anyJson, deepJson, spoiledBytes, spoiledValue, strangeText } from './spoil.ts';

const beginning = { kind: 'conversation', id: 'conversation', at: 1 } as const;

/** What is written beside the events of a turn. */
const beside: readonly JournalRecord[] = [
  { kind: 'title', title: 'Sums', by: 'person' },
  { kind: 'pinned', pinned: true },
  { kind: 'webSearch', on: false },
  { kind: 'reports', reports: [] },
  { kind: 'event', event: { kind: 'contextCut', turn: 'turn-1', cut: { reasoning: true } } },
  { kind: 'event', event: { kind: 'turnRemoved', turn: 'turn-1' } },
];

/** A conversation of one turn for each answer that was recorded; every third one begins with another's turns. */
export const samples: readonly (readonly string[])[] = await Promise.all(
  fixtureNames.map(async (name, at) => {
    const rest = Array.from({ length: 8 }, () => response([]));
    const spec = ask('q', { turn: at % 3 === 0 ? 'turn-2' : 'turn-1' });
    const { events, conversation, history, requests } = await run(
      ports(scriptedModel(fixture(name), ...rest)),
      spec,
    );
    const seed = { conversation, history, requests, removed: [], reports: [] };
    return [
      encodeRecord(at % 3 === 0 ? { ...beginning, seed } : beginning),
      ...new EventKeeper().records(events).map(encodeRecord),
      ...beside.map(encodeRecord),
    ];
  }),
);
const bytesOf = (lines: readonly string[]): Uint8Array => new TextEncoder().encode(`${lines.join('\n')}\n`);

export function tryJournal(chance: Chance): void {
  if (chance.once(2)) tryLines(chance);
  else {
    const bytes = spoiledBytes(chance, bytesOf(chance.pick(samples)), bytesOf(chance.pick(samples)));
    goOnWith(new TextDecoder().decode(bytes));
  }
}

/** Lines behind which others are spoiled tell the same as without those. */
function tryLines(chance: Chance): void {
  const lines = chance.pick(samples);
  const whole = chance.below(lines.length + 1);
  const before = lines.slice(0, whole);
  const after = Array.from({ length: 1 + chance.below(4) }, (): string => {
    const line = chance.pick(chance.pick(samples));
    if (chance.once(6)) return strangeText(chance).replaceAll(/[\n\r]/g, ' ');
    if (chance.once(100)) return line.replace(/(?<=:)"[^"]*"(?=[,}])/, () => deepJson(chance));
    return JSON.stringify(chance.once(6) ? anyJson(chance) : spoiledValue(chance, JSON.parse(line)));
  });
  const { state: told } = readJournal(before.map((line) => `${line}\n`).join(''));
  const { state } = goOnWith(
    [...before, ...after, ...lines.slice(whole)].map((line) => `${line}\n`).join(''),
  );
  if (told === undefined) return;
  assert.equal(state?.conversation.id, told.conversation.id);
  assert.deepEqual(
    state.conversation.turns.map(({ id }) => id).slice(0, told.conversation.turns.length),
    told.conversation.turns.map(({ id }) => id),
  );
}

/** As it is opened: what ran is ended, a list tells of it, a question can be asked, and a branch can begin with it. */
function goOnWith(text: string): ReturnType<typeof readJournal> {
  for (const { end } of lastTurns(text.split('\n'), 'conversation', 2).turns) assert.ok(end !== undefined);
  const read = readJournal(text);
  const { state } = read;
  if (state === undefined) return read;
  factsOf(state);
  const ended = endingsOf(state, 2);
  historyItems(state.history, 'kimi-k3.1-pro');
  historyItems(state.history, 'kimi-k3');
  const { conversation, history, requests, removed, reports } = state;
  const seed = { conversation, history, requests, removed, reports };
  const branch = readJournal(
    [
      encodeRecord({ ...beginning, seed }),
      ...ended.map((event) => encodeRecord({ kind: 'event', event })),
    ].join('\n'),
  );
  assert.equal(branch.damaged, 0, 'what was read can’t be written down');
  assert.ok(
    branch.state?.conversation.turns.every(({ end }) => end !== undefined),
    'a turn has no end',
  );
  return read;
}
