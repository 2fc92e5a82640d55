import assert from 'node:assert/strict';

import type { ApprovalRequest, Failure, Turn } from '../../../src/core/conversation/conversation.ts';
import type { ShownEvent, TurnEvent } from '../../../src/core/conversation/turnEvent.ts';
import { EventKeeper } from '../../../src/core/journal/keepEvents.ts';
import { readJournal } from '../../../src/core/journal/readJournal.ts';
import {
  beginning,
  decodeRecord,
  encodeRecord,
  type JournalRecord,
} from '../../../src/core/journal/record.ts';
import { foldRecord } from '../../../src/core/journal/state.ts';
import type { HistoryItem, RequestBody } from '../../../src/core/responses/wire.ts';

const start: JournalRecord = { kind: 'conversation', id: 'c', at: 5 };
const question = { text: 'Why?\nReally.', attachments: [] };
const at = 7;
const started: ShownEvent = { kind: 'turnStarted', turn: 't', question, model: 'kimi-k3', effort: 'max', at };
const head: Omit<RequestBody, 'input'> = { model: 'kimi-k3', stream: true, instructions: 'Be brief.' };

function event(shown: ShownEvent): JournalRecord {
  return { kind: 'event', event: shown };
}

function journal(...records: readonly JournalRecord[]): string {
  return records.map((record) => `${encodeRecord(record)}\n`).join('');
}

function stateOf(...records: readonly JournalRecord[]) {
  const { state } = readJournal(journal(start, ...records));
  assert.ok(state !== undefined);
  return state;
}

const removedTurn: Turn = {
  id: 't',
  question,
  model: 'kimi-k3',
  effort: 'max',
  startedAt: at,
  endedAt: 9,
  parts: [],
  requests: [],
  end: { kind: 'completed' },
};

describe('a record', () => {
  it('is one line, and comes back as it was', () => {
    const records: readonly JournalRecord[] = [
      { ...start, parent: { conversation: 'b', turn: 't', kind: 'fork' } },
      event(started),
      { kind: 'event', event: { kind: 'itemsKept', turn: 't', items: [], partial: true } },
      { kind: 'event', event: { kind: 'requestMade', turn: 't', origin: 'https://a.test', head, items: 1 } },
      { kind: 'reports', reports: [{ text: 'Taken back.', about: 't' }] },
      { kind: 'webSearch', on: true },
      { kind: 'ruleChosen', uri: 'file:///w/AGENTS.md', choice: 'leave' },
      { kind: 'ruleChosen', uri: 'file:///w/AGENTS.md', choice: null },
      { kind: 'title', title: 'About\u2028carts', by: 'model' },
      { kind: 'pinned', pinned: true },
    ];
    for (const record of records) {
      const line = encodeRecord(record);
      assert.equal(line.split('\n').length, 1);
      assert.deepEqual(decodeRecord(line), { kind: 'record', record });
    }
  });

  it('of a question to the person comes back with all that was asked', () => {
    const requests: readonly ApprovalRequest[] = [
      { kind: 'command', command: 'npm test', folder: '/w', seconds: 120 },
      { kind: 'read', why: 'leadsOut', path: '/w/link', target: '/etc/app', folder: true },
      { kind: 'foreignTool', owner: 'o', name: 'n', description: 'd', input: '{}' },
      {
        kind: 'secrets',
        from: '.env',
        found: [{ what: 'token', service: 'GitHub', line: 3, hint: 'ghp_ab…', length: 36 }],
      },
    ];
    for (const request of requests) {
      const approval = { id: 'a', request, askedAt: at, answer: { kind: 'allow' } } as const;
      const record = event({ kind: 'approvalAsked', turn: 't', part: '0.0', approval });
      assert.deepEqual(decodeRecord(encodeRecord(record)), { kind: 'record', record });
    }
  });

  it('of a later version is told apart from a damaged one', () => {
    assert.deepEqual(decodeRecord('{"v":2,"kind":"hologram"}'), { kind: 'newer' });
    for (const line of [
      // Read as infinite, and never to be written back.
      '{"v":1,"kind":"conversation","id":"c","at":1e400}',
      '{"v":1,"kind":"event","event":{"kind":"partClosed","turn":"t","part":"0.0","at":1e400}}',
      '',
      '{',
      'null',
      '[]',
      '{"v":0}',
      '{"v":1.5}',
      '{"kind":"pinned","pinned":true}',
      '{"v":1,"kind":"pinned"}',
      // So many sections, and files, would take all the memory there is.
      '{"v":1,"kind":"event","event":{"kind":"textAdded","turn":"t","part":"0.0","section":4000000000,"text":""}}',
      '{"v":1,"kind":"event","event":{"kind":"toolProgressed","turn":"t","part":"0.0","files":[{"index":4000000000}]}}',
    ]) {
      assert.deepEqual(decodeRecord(line), { kind: 'damaged' }, line);
    }
  });

  it('tells of a failure that this version does not know by its name', () => {
    const failed = (failure: object): unknown => {
      const line = JSON.stringify({
        v: 1,
        kind: 'event',
        event: { kind: 'turnEnded', turn: 't', end: { kind: 'failed', failure }, at },
      });
      const read = decodeRecord(line);
      assert.ok(read.kind === 'record' && read.record.kind === 'event');
      const { event: told } = read.record;
      return told.kind === 'turnEnded' && told.end.kind === 'failed' && told.end.failure;
    };
    const known: Failure = { kind: 'overloaded', message: 'm', status: 503, retryAfter: 9 };
    assert.deepEqual(failed(known), known);
    assert.deepEqual(failed({ kind: 'sunspots', strength: 9 }), { kind: 'bug', detail: 'sunspots' });
  });
});

describe('a journal', () => {
  it('is empty without its first record, and has only one', () => {
    assert.equal(readJournal('').state, undefined);
    assert.equal(readJournal(journal(event(started))).state, undefined);
    const again: JournalRecord = { kind: 'conversation', id: 'other', at: 9 };
    assert.deepEqual(stateOf(again), stateOf());
    assert.equal(stateOf().createdAt, 5);
  });

  it('of a later version can be read as far as it is understood', () => {
    const read = readJournal(`${journal(start, event(started))}{"v":2,"kind":"hologram"}\n`);
    assert.equal(read.isNewer, true);
    assert.equal(read.state?.conversation.turns.length, 1);
  });

  it('that a later version began is there, as far as it is understood', () => {
    const later = (text: string): string => text.replaceAll('{"v":1', '{"v":2');
    const whole = journal(start, event(started));
    assert.deepEqual(readJournal(later(whole)), { ...readJournal(whole), isNewer: true });
    const unheard = '{"v":2,"kind":"beginning"}\n';
    const read = readJournal(`${unheard}${later(journal(event(started)))}`);
    assert.deepEqual([read.isNewer, read.damaged], [true, 0]);
    assert.equal(read.state?.conversation.turns.length, 1);
    assert.deepEqual(readJournal(unheard).state?.conversation.turns, []);
  });

  it('passes over what belongs to no turn', () => {
    const kept: JournalRecord = { kind: 'event', event: { kind: 'itemsKept', turn: 'none', items: [] } };
    assert.deepEqual(stateOf(kept), stateOf());
  });

  it('keeps for the model what comes after a beginning of a turn that is lost', () => {
    const items: readonly HistoryItem[] = [{ type: 'reasoning', summary: [], encrypted_content: 'cipher' }];
    const resumed = event({ kind: 'turnResumed', turn: 't', drop: [], model: 'kimi-k3', at });
    const kept: JournalRecord = { kind: 'event', event: { kind: 'itemsKept', turn: 't', items } };
    const { conversation, history } = stateOf(resumed, kept);
    assert.deepEqual(conversation.turns, []);
    assert.deepEqual(
      history.groups.map((group) => group.items),
      [[], items],
    );
  });

  it('takes a last line that lacks nothing but its end', () => {
    const read = readJournal(journal(start, event(started)).trimEnd());
    assert.deepEqual([read.isTorn, read.damaged], [true, 0]);
    assert.equal(read.state?.conversation.turns.length, 1);
    const cut = readJournal(journal(start, event(started)).slice(0, -2));
    assert.deepEqual([cut.isTorn, cut.damaged], [true, 0]);
    assert.deepEqual(cut.state?.conversation.turns, []);
  });

  it('knows a request of which no turn is known', () => {
    const { requests, inexact } = stateOf({
      kind: 'event',
      event: { kind: 'requestMade', turn: 'lost', head, items: 0 },
    });
    assert.deepEqual([requests.requests.length, requests.last, inexact], [1, [], undefined]);
  });

  it('goes on from a state as from its records', () => {
    const first = stateOf(event(started));
    const ended = event({ kind: 'turnEnded', turn: 't', end: { kind: 'completed' }, at });
    assert.deepEqual(foldRecord(first, ended), stateOf(event(started), ended));
    assert.equal(first.conversation.turns[0]?.end, undefined);
  });

  it('counts the lines that it can’t read, and passes empty ones over', () => {
    const read = readJournal(`${journal(start)}\n  \nrubbish\n${journal(event(started))}`);
    assert.equal(read.damaged, 1);
    assert.equal(read.state?.conversation.turns.length, 1);
  });

  it('keeps what the person made of the conversation', () => {
    const pin = (pinned: boolean): JournalRecord => ({ kind: 'pinned', pinned });
    const state = stateOf(
      pin(true),
      { kind: 'title', title: 'A', by: 'model' },
      { kind: 'title', title: 'B', by: 'person' },
      { kind: 'webSearch', on: true },
      { kind: 'ruleChosen', uri: 'a', choice: 'leave' },
      { kind: 'ruleChosen', uri: 'b', choice: 'leave' },
      { kind: 'ruleChosen', uri: 'a', choice: 'send' },
      { kind: 'ruleChosen', uri: 'b', choice: null },
      { kind: 'reports', reports: [{ text: 'r' }] },
    );
    assert.deepEqual(state.ruleChoices, [{ uri: 'a', choice: 'send' }]);
    assert.equal(state.pinned, true);
    assert.deepEqual(state.title, { text: 'B', by: 'person' });
    assert.equal(state.webSearch, true);
    assert.deepEqual(state.reports, [{ text: 'r' }]);
    assert.equal('pinned' in stateOf(pin(true), pin(false)), false);
  });

  describe('of a branch', () => {
    const parent = { conversation: 'b', turn: 't', kind: 'version' } as const;
    const sent = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Why?' }] } as const;
    const seed = {
      conversation: { id: 'c', turns: [removedTurn] },
      history: {
        groups: [
          { turn: 't', model: 'kimi-k3', items: [], partial: false, cut: { whole: true }, removed: true },
        ],
      },
      requests: { requests: [{ turn: 't', head, same: 0, added: [] }], last: [sent] },
      removed: [removedTurn],
      reports: [{ text: 'r', told: 't' }],
      webSearch: false,
      ruleChoices: [{ uri: 'a', choice: 'leave' }],
    } as const;
    const begun = { ...seed, createdAt: 5, begunWith: new Map([['t', 0]]), parent };
    const records = beginning({ id: 'c', at: 5, parent, seed });

    it('begins with what that began with, in one line or in many', () => {
      assert.deepEqual(readJournal(journal({ ...start, parent, seed })).state, begun);
      assert.deepEqual(
        records.map((record) => Object.keys(record).slice(1)),
        [['id', 'at', 'parent', 'seed', 'pieces'], ['group'], ['request'], ['sent'], ['removed'], ['turn']],
      );
      assert.deepEqual(readJournal(journal(...records)).state, begun);
      assert.deepEqual(beginning({ id: 'c', at: 5 }), [start]);
    });

    it('goes on from there', () => {
      const made: JournalRecord = {
        kind: 'event',
        event: { kind: 'requestMade', turn: 'u', items: 1 },
      };
      const asked: JournalRecord = event({ ...started, turn: 'u' });
      const item = { type: 'message', role: 'user', content: [] } as const;
      const kept: JournalRecord = { kind: 'event', event: { kind: 'itemsKept', turn: 'u', items: [item] } };
      const whole = [{ ...start, parent, seed }, asked, kept, made];
      const { state } = readJournal(journal(...records, asked, kept, made));
      assert.deepEqual(state, readJournal(journal(...whole)).state);
      // What is too late is passed over, and nothing is there twice.
      const late: JournalRecord = { kind: 'seeded', sent: item, turn: removedTurn };
      assert.deepEqual(readJournal(journal(...records, asked, kept, made, late)).state, state);
    });

    it('was not begun when the beginning was cut off', () => {
      for (let count = 1; count < records.length; count++)
        assert.equal(readJournal(journal(...records.slice(0, count))).state, undefined);
      // But whatever goes on was begun, however many it says that there are.
      const [first, ...pieces] = records;
      const told = { ...start, ...first, pieces: 99 } as JournalRecord;
      assert.equal(readJournal(journal(told, ...pieces)).state, undefined);
      assert.ok(readJournal(journal(told, ...pieces, event({ ...started, turn: 'u' }))).state);
      // A piece that can't be read takes nothing else with it.
      const text = journal(...records).replace('{"v":1,"kind":"seeded","removed"', '{');
      assert.deepEqual(readJournal(text).state, { ...begun, removed: [] });
    });
  });

  it('keeps deleted turns as they were, and what became of their proposals', () => {
    const proposal = { id: 'p', files: [] };
    const opened: ShownEvent = { kind: 'toolOpened', turn: 't', part: '0.0', name: 'apply_patch', at };
    const ended: ShownEvent = { kind: 'turnEnded', turn: 't', end: { kind: 'completed' }, at: 9 };
    const removed: ShownEvent = { kind: 'turnRemoved', turn: 't' };
    const records = [started, opened, ended, removed].map(event);
    const state = stateOf(...records, event(removed), event({ kind: 'turnRemoved', turn: 'none' }), {
      kind: 'removedReviewed',
      event: { kind: 'toolReviewed', turn: 't', part: '0.0', proposal },
    });
    assert.equal(state.conversation.turns[0]?.removed, true);
    assert.equal(state.removed.length, 1);
    const [part] = state.removed[0]?.parts ?? [];
    assert.deepEqual(part?.kind === 'tool' && part.proposal, proposal);
    const content = state.removed[0]!;
    const restored = stateOf(...records, event({ kind: 'turnRestored', turn: 't', content }));
    assert.deepEqual(restored.removed, []);
    assert.deepEqual(restored.conversation.turns, [content]);
  });

  it('says so when a request can’t be rebuilt as it was sent', () => {
    const made = (more: object): JournalRecord => ({
      kind: 'event',
      event: { kind: 'requestMade', turn: 't', items: 0, ...more },
    });
    assert.equal(stateOf(event(started), made({ head })).inexact, undefined);
    assert.equal(stateOf(event(started), made({ head }), made({})).requests.requests.length, 2);
    assert.equal(stateOf(event(started), made({ head, items: 3 })).inexact, true);
    const lost = stateOf(event(started), made({}));
    assert.equal(lost.inexact, true);
    assert.equal(lost.requests.requests.length, 0);
  });
});

describe('what is kept of events', () => {
  const text = (piece: string): ShownEvent => ({
    kind: 'textAdded',
    turn: 't',
    part: '0.0',
    section: 0,
    text: piece,
  });

  it('is text in one piece, and the head of a request only when it is another', () => {
    const made: TurnEvent = {
      kind: 'requestMade',
      turn: 't',
      body: { ...head, input: [] },
      origin: 'https://a.test',
    };
    const kinds = (keeper: EventKeeper): readonly unknown[] =>
      keeper
        .records([text('a'), text('b'), made, text('c')])
        .map((record) => record.kind === 'event' && record.event);
    const keeper = new EventKeeper();
    const kept = { kind: 'requestMade', turn: 't', origin: 'https://a.test', items: 0 };
    assert.deepEqual(kinds(keeper), [text('ab'), { ...kept, head }, text('c')]);
    assert.deepEqual(kinds(keeper), [text('ab'), kept, text('c')]);
    assert.deepEqual(kinds(new EventKeeper(head)), [text('ab'), kept, text('c')]);
  });
});
