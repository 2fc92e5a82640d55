import assert from 'node:assert/strict';

import type { Conversation, Turn } from '../../../src/core/conversation/conversation.ts';
import { emptyConversation, reduce } from '../../../src/core/conversation/reduce.ts';
import { noSearch } from '../../../src/core/responses/webSearch.ts';
import type { ShownEvent } from '../../../src/core/conversation/turnEvent.ts';

const started: ShownEvent = {
  kind: 'turnStarted',
  turn: 't',
  question: { text: 'q', attachments: [] },
  model: 'kimi-k3.1-pro',
  effort: 'max',
  at: 1,
};
const opened = (part: string, what: 'reasoning' | 'answer' = 'answer'): ShownEvent => ({
  kind: 'partOpened',
  turn: 't',
  part,
  what,
  at: 2,
});
const added = (part: string, text: string, section = 0): ShownEvent => ({
  kind: 'textAdded',
  turn: 't',
  part,
  section,
  text,
});
const toolOpened: ShownEvent = { kind: 'toolOpened', turn: 't', part: 'c', name: 'f', at: 2 };

function fold(...events: readonly ShownEvent[]): Conversation {
  return events.reduce(reduce, emptyConversation('id'));
}

function turnOf(...events: readonly ShownEvent[]): Turn {
  return fold(started, ...events).turns[0] ?? assert.fail('no turn');
}

describe('conversation/reduce', () => {
  it('starts empty', () => {
    assert.deepEqual(emptyConversation('id'), { id: 'id', turns: [] });
  });

  it('begins a turn with its question', () => {
    assert.deepEqual(fold(started), {
      id: 'id',
      turns: [
        {
          id: 't',
          question: { text: 'q', attachments: [] },
          model: 'kimi-k3.1-pro',
          effort: 'max',
          startedAt: 1,
          parts: [],
          requests: [],
        },
      ],
    });
  });

  it('fills the sections of a part by index, gaps being empty', () => {
    const turn = turnOf(opened('r', 'reasoning'), added('r', 'a'), added('r', 'c', 2), added('r', 'b'));
    assert.deepEqual(turn.parts, [{ kind: 'reasoning', id: 'r', sections: ['ab', '', 'c'], openedAt: 2 }]);
  });

  it('replaces a section', () => {
    const turn = turnOf(opened('a'), added('a', 'Helo'), {
      kind: 'textReplaced',
      turn: 't',
      part: 'a',
      section: 0,
      text: 'Hello',
    });
    assert.deepEqual(turn.parts, [{ kind: 'answer', id: 'a', sections: ['Hello'], openedAt: 2 }]);
  });

  it('takes in what is known of a search, and the sources that an answer names', () => {
    const search = { ...noSearch, sources: [{ url: 'https://a.test/' }] };
    const citation = { section: 0, from: 0, to: 1, url: 'https://a.test/' };
    const told: ShownEvent = { kind: 'searchTold', turn: 't', part: 's', search };
    const cited: ShownEvent = { kind: 'citationsAdded', turn: 't', part: 'a', citations: [citation] };
    const turn = turnOf(
      { kind: 'partOpened', turn: 't', part: 's', what: 'search', at: 2 },
      told,
      { kind: 'partClosed', turn: 't', part: 's', at: 3 },
      opened('a'),
      cited,
      cited,
    );
    assert.deepEqual(turn.parts, [
      { kind: 'search', id: 's', search, openedAt: 2, closedAt: 3 },
      { kind: 'answer', id: 'a', sections: [], openedAt: 2, citations: [citation, citation] },
    ]);
    // They mean nothing to parts of another kind.
    const before = fold(started, opened('a'), {
      kind: 'partOpened',
      turn: 't',
      part: 's',
      what: 'search',
      at: 2,
    });
    for (const event of [
      { ...told, part: 'a' },
      { ...cited, part: 's' },
      added('s', 'x'),
      { kind: 'textReplaced', turn: 't', part: 's', section: 0, text: 'x' } as const,
    ])
      assert.equal(reduce(before, event), before);
  });

  it('closes a part once', () => {
    const turn = turnOf(
      opened('a'),
      { kind: 'partClosed', turn: 't', part: 'a', at: 5 },
      { kind: 'partClosed', turn: 't', part: 'a', at: 9 },
    );
    assert.deepEqual(turn.parts, [{ kind: 'answer', id: 'a', sections: [], openedAt: 2, closedAt: 5 }]);
  });

  it('follows a tool call from its first piece to its outcome', () => {
    const progress = {
      files: [
        { path: 'a', change: 'move', added: 1, removed: 2 },
        { path: 'b', change: 'add', added: 3, removed: 0 },
      ],
    } as const;
    const proposal = { id: 'p', files: [] };
    const outcome = { kind: 'done', text: 'ok' } as const;
    const turn = turnOf(
      { ...toolOpened, namespace: 'n' },
      { kind: 'toolInputAdded', turn: 't', part: 'c', text: '{' },
      { kind: 'toolInputAdded', turn: 't', part: 'c', text: '}' },
      {
        kind: 'toolProgressed',
        turn: 't',
        part: 'c',
        files: [{ index: 0, path: 'a', change: 'update', added: 1, removed: 0 }],
      },
      {
        kind: 'toolProgressed',
        turn: 't',
        part: 'c',
        files: [
          { index: 0, change: 'move', removed: 2 },
          { index: 1, path: 'b', change: 'add', added: 2, removed: 0 },
        ],
      },
      { kind: 'toolProgressed', turn: 't', part: 'c', files: [{ index: 1, added: 3 }] },
      { kind: 'toolAsked', turn: 't', part: 'c', at: 3 },
      { kind: 'toolReviewed', turn: 't', part: 'c', proposal },
      { kind: 'toolSettled', turn: 't', part: 'c', outcome, at: 4 },
    );
    assert.deepEqual(turn.parts, [
      {
        kind: 'tool',
        id: 'c',
        name: 'f',
        namespace: 'n',
        input: '{}',
        openedAt: 2,
        progress,
        askedAt: 3,
        proposal,
        outcome,
        closedAt: 4,
      },
    ]);
  });

  it('takes the input of a call as it turned out', () => {
    const turn = turnOf(
      toolOpened,
      { kind: 'toolInputAdded', turn: 't', part: 'c', text: 'x' },
      { kind: 'toolAsked', turn: 't', part: 'c', input: 'y', at: 3 },
    );
    assert.deepEqual(turn.parts, [{ kind: 'tool', id: 'c', name: 'f', input: 'y', openedAt: 2, askedAt: 3 }]);
  });

  it('ends a turn, naming what broke off', () => {
    const end = { kind: 'stopped' } as const;
    const turn = turnOf(opened('a'), { kind: 'turnEnded', turn: 't', end, broken: ['a'], at: 7 });
    assert.deepEqual([turn.end, turn.endedAt, turn.broken], [end, 7, ['a']]);
    assert.ok(!('broken' in turnOf({ kind: 'turnEnded', turn: 't', end, at: 7 })));
  });

  it('takes the end back and drops what broke off when a turn is resumed', () => {
    const turn = turnOf(
      opened('a'),
      opened('b'),
      { kind: 'turnEnded', turn: 't', end: { kind: 'stopped' }, broken: ['b'], at: 7 },
      { kind: 'turnResumed', turn: 't', drop: ['b'], model: 'kimi-k3', effort: 'high', at: 8 },
    );
    assert.deepEqual(
      turn.parts.map(({ id }) => id),
      ['a'],
    );
    assert.deepEqual([turn.model, turn.effort], ['kimi-k3', 'high']);
    for (const key of ['end', 'endedAt', 'broken']) assert.ok(!(key in turn), key);
    const unchanged = turnOf({ kind: 'turnResumed', turn: 't', drop: [], at: 8 });
    assert.deepEqual([unchanged.model, unchanged.effort], ['kimi-k3.1-pro', 'max']);
  });

  describe('a request', () => {
    const usage = { input: 1, cached: 0, cacheWrite: 0, output: 2, reasoning: 0 };
    const sent = {
      kind: 'requestSent',
      turn: 't',
      round: 0,
      model: 'kimi-k3',
      effort: 'max',
      expectedInput: 12,
      beginning: { kind: 'first' },
      at: 5,
    } as const;
    const record = {
      round: 0,
      model: 'kimi-k3',
      effort: 'max',
      expectedInput: 12,
      beginning: { kind: 'first' },
      sentAt: 5,
    };
    const retry = {
      failure: { kind: 'rateLimited', message: 'm' },
      attempt: 2,
      of: 4,
      since: 6,
      until: 9,
      via: 'other.test',
    } as const;

    it('is on record from the moment it was sent, with what it took once that is told', () => {
      assert.deepEqual(turnOf(sent).requests, [record]);
      const ended = turnOf(sent, { kind: 'requestEnded', turn: 't', usage, cacheTtl: '1h', at: 8 });
      assert.deepEqual(ended.requests, [{ ...record, usage, cacheTtl: '1h', endedAt: 8 }]);
      const second = turnOf(sent, { kind: 'requestEnded', turn: 't', usage, at: 8 }, sent, {
        kind: 'requestEnded',
        turn: 't',
        usage: null,
        unbilled: true,
        at: 9,
      });
      assert.deepEqual(second.requests, [
        { ...record, usage, endedAt: 8 },
        { ...record, usage: null, unbilled: true, endedAt: 9 },
      ]);
    });

    it('that is sent again says so until it is, and where it went', () => {
      const waiting = turnOf(sent, { kind: 'retryScheduled', turn: 't', retry });
      assert.deepEqual(waiting.retry, retry);
      const again = turnOf(
        sent,
        { kind: 'retryScheduled', turn: 't', retry },
        { kind: 'retryStarted', turn: 't', via: 'other.test', at: 9 },
      );
      assert.ok(!('retry' in again));
      assert.deepEqual(again.requests, [{ ...record, via: 'other.test' }]);
      const back = turnOf(
        sent,
        { kind: 'retryStarted', turn: 't', via: 'other.test', at: 9 },
        { kind: 'retryStarted', turn: 't', at: 12 },
      );
      assert.deepEqual(back.requests, [record]);
    });

    it('no longer waits once it or the turn has ended', () => {
      const wait = { kind: 'retryScheduled', turn: 't', retry } as const;
      const ended = turnOf(sent, wait, { kind: 'requestEnded', turn: 't', usage: null, at: 9 });
      assert.ok(!('retry' in ended));
      const stopped = turnOf(sent, wait, { kind: 'turnEnded', turn: 't', end: { kind: 'stopped' }, at: 9 });
      assert.ok(!('retry' in stopped));
    });

    it('that was never sent changes nothing when it ends', () => {
      assert.deepEqual(turnOf({ kind: 'requestEnded', turn: 't', usage, at: 8 }).requests, []);
    });
  });

  it('tells what the model no longer sees, until it sees all again', () => {
    const cut = turnOf({ kind: 'contextCut', turn: 't', cut: { attachments: true } });
    assert.deepEqual(cut.cut, { attachments: true });
    const back = turnOf(
      { kind: 'contextCut', turn: 't', cut: { attachments: true } },
      { kind: 'contextCut', turn: 't', cut: {} },
    );
    assert.ok(!('cut' in back));
  });

  describe('a deleted turn', () => {
    const sent = {
      kind: 'requestSent',
      turn: 't',
      round: 0,
      model: 'kimi-k3',
      effort: 'max',
      beginning: { kind: 'first' },
      at: 2,
    } as const;
    const failure = { kind: 'brokenStream', detail: 'd' } as const;
    const whole = turnOf(
      sent,
      opened('a'),
      added('a', 'secret'),
      { kind: 'contextCut', turn: 't', cut: { attachments: true } },
      { kind: 'turnEnded', turn: 't', end: { kind: 'failed', failure }, broken: ['a'], at: 7 },
    );
    const removed = { kind: 'turnRemoved', turn: 't' } as const;
    const stub = reduce({ id: 'id', turns: [whole] }, removed).turns[0] ?? assert.fail();

    it('leaves what it took, and nothing of what was said', () => {
      assert.deepEqual(stub, {
        id: 't',
        question: { text: '', attachments: [] },
        model: 'kimi-k3.1-pro',
        effort: 'max',
        startedAt: 1,
        endedAt: 7,
        parts: [],
        requests: whole.requests,
        end: { kind: 'completed' },
        removed: true,
      });
      assert.equal(whole.requests.length, 1);
    });

    it('keeps what naming the conversation took, also when it comes back and that ended meanwhile', () => {
      const naming = (event: ShownEvent): Turn['naming'] =>
        reduce({ id: 'id', turns: [whole] }, event).turns[0]?.naming;
      const asked: ShownEvent = {
        ...{ kind: 'namingSent', turn: 't', model: 'kimi-k3.1-pro', effort: 'low' },
        ...{ expectedInput: 200, room: 1024, at: 8 },
      };
      const begun = {
        ...{ round: 0, beginning: { kind: 'first' }, model: 'kimi-k3.1-pro', effort: 'low' },
        ...{ expectedInput: 200, room: 1024, sentAt: 8 },
      };
      const told: ShownEvent = { kind: 'namingEnded', turn: 't', usage: null, unbilled: true, at: 9 };
      assert.deepEqual(naming(asked), begun);
      assert.equal(naming(told), undefined);
      const left = [asked, removed, told].reduce<Conversation>(reduce, { id: 'id', turns: [whole] });
      const ended = { ...begun, usage: null, unbilled: true, endedAt: 9 };
      assert.deepEqual(left.turns[0], { ...stub, naming: ended });
      const back = reduce(left, { kind: 'turnRestored', turn: 't', content: whole });
      assert.deepEqual(back.turns[0], { ...whole, naming: ended });
    });

    it('comes back as it was', () => {
      const back = reduce({ id: 'id', turns: [stub] }, { kind: 'turnRestored', turn: 't', content: whole });
      assert.equal(back.turns[0], whole);
    });

    it('is not deleted twice, cut, or brought back without having been deleted; nor is a running one deleted', () => {
      const deleted = { id: 'id', turns: [stub] };
      assert.equal(reduce(deleted, removed), deleted);
      assert.equal(reduce(deleted, { kind: 'contextCut', turn: 't', cut: { whole: true } }), deleted);
      const there = { id: 'id', turns: [whole] };
      assert.equal(reduce(there, { kind: 'turnRestored', turn: 't', content: stub }), there);
      const running = fold(started);
      assert.equal(reduce(running, removed), running);
    });

    it('may have no end on record', () => {
      const { endedAt: _endedAt, ...rest } = whole;
      assert.ok(!('endedAt' in (reduce({ id: 'id', turns: [rest] }, removed).turns[0] ?? {})));
    });
  });

  it('changes nothing for what it can not place', () => {
    const before = fold(started, opened('a'), toolOpened);
    for (const event of [
      started,
      opened('a'),
      added('nowhere', 'x'),
      added('c', 'x'),
      { kind: 'textReplaced', turn: 't', part: 'c', section: 0, text: 'x' },
      { kind: 'toolInputAdded', turn: 't', part: 'a', text: 'x' },
      { ...opened('b'), turn: 'other' },
      { kind: 'turnEnded', turn: 'other', end: { kind: 'completed' }, at: 3 },
    ] satisfies ShownEvent[]) {
      assert.equal(reduce(before, event), before, JSON.stringify(event));
    }
  });

  it('leaves turns and parts that an event does not concern the same objects', () => {
    const before = fold(started, opened('a'), opened('b'), { ...started, turn: 'u' }, added('a', 'x'));
    const after = reduce(before, added('b', 'y'));
    assert.notEqual(after, before);
    assert.equal(after.turns[1], before.turns[1]);
    assert.equal(after.turns[0]?.parts[0], before.turns[0]?.parts[0]);
    assert.notEqual(after.turns[0]?.parts[1], before.turns[0]?.parts[1]);
    assert.equal(after.turns[0]?.question, before.turns[0]?.question);
  });

  it('does not change what it was given', () => {
    const before = fold(started, opened('a'), added('a', 'x'));
    const copy = structuredClone(before);
    reduce(before, added('a', 'y'));
    reduce(before, opened('b'));
    assert.deepEqual(before, copy);
  });
});
