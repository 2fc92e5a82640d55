/** The panel's mirror of the host: snapshots, batches, gaps, drafts. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Conversation } from '../../src/core/conversation/conversation.ts';
import { reduce } from '../../src/core/conversation/reduce.ts';
import type { ShownEvent } from '../../src/core/conversation/turnEvent.ts';
import type { PanelState, ToWebview } from '../../src/protocol/toWebview.ts';
import { defaultPrices } from '../../src/core/cost/prices.ts';
import { noUsage } from '../../src/core/cost/usageSums.ts';
import {
  apply,
  askedAgain,
  composed,
  firstState,
  heardAt,
  hostNow,
  isFromHost,
  isRunning,
  toSave,
  waitedTooLong,
  withDraft,
  withoutNotice,
  withSent,
  type State,
} from '../../src/webview/store.ts';

const seed = Number(process.env['FC_SEED'] ?? Date.now());

const panel: PanelState = {
  key: 'present',
  model: 'kimi-k3.1-pro',
  effort: 'max',
  patchMode: 'ask',
  attachments: [],
  suggestions: [],
};
const empty: Conversation = { id: 'c', turns: [] };
const snapshot = (
  conversation = empty,
  seq = 0,
  draft = '',
  taken?: string,
): Extract<ToWebview, { kind: 'snapshot' }> => ({
  kind: 'snapshot',
  seq,
  conversation,
  panel,
  draft,
  ...(taken !== undefined && { taken }),
});
const started = (turn: string, text = 'Why?', at = 1000): ShownEvent => ({
  kind: 'turnStarted',
  turn,
  question: { text, attachments: [] },
  model: 'kimi-k3.1-pro',
  effort: 'max',
  at,
});
const opened = (turn: string, part: string): ShownEvent => ({
  kind: 'partOpened',
  turn,
  part,
  what: 'answer',
  at: 1001,
});
const text = (turn: string, part: string, added: string): ShownEvent => ({
  kind: 'textAdded',
  turn,
  part,
  section: 0,
  text: added,
});

function feed(state: State, ...messages: ToWebview[]): { state: State; asked: number; effects: string[] } {
  let asked = 0;
  const effects: string[] = [];
  for (const message of messages) {
    const step = apply(state, message, 2000);
    state = step.state;
    for (const effect of step.effects) {
      effects.push(effect.kind);
      if (effect.kind === 'askSnapshot') asked += 1;
    }
  }
  return { state, asked, effects };
}

describe('the panel’s mirror', () => {
  it('shows a snapshot and what comes after it', () => {
    const { state, effects } = feed(
      firstState(undefined),
      snapshot(empty, 7),
      { kind: 'events', seq: 8, events: [started('t'), opened('t', 'a')] },
      { kind: 'events', seq: 9, events: [text('t', 'a', 'Because.')] },
    );
    assert.equal(state.mirror?.seq, 9);
    assert.deepEqual(state.mirror.conversation.turns[0]?.parts[0], {
      kind: 'answer',
      id: 'a',
      sections: ['Because.'],
      openedAt: 1001,
    });
    assert.equal(isRunning(state), true);
    assert.deepEqual(effects, ['showEnd']);
  });

  it('asks once for a snapshot when a batch is missing, and folds nothing until it comes', () => {
    const before = feed(firstState(undefined), snapshot(), {
      kind: 'events',
      seq: 1,
      events: [started('t')],
    }).state;
    const lost = feed(
      before,
      { kind: 'events', seq: 3, events: [opened('t', 'a')] },
      { kind: 'events', seq: 4, events: [text('t', 'a', 'x')] },
      { kind: 'conversation', seq: 4, conversation: { id: 'other', turns: [] } },
    );
    assert.equal(lost.asked, 1);
    assert.deepEqual(lost.state.mirror?.conversation, before.mirror?.conversation);
    const truth = [started('t'), opened('t', 'a'), text('t', 'a', 'xy')].reduce(reduce, empty);
    const again = feed(lost.state, snapshot(truth, 5), {
      kind: 'events',
      seq: 6,
      events: [text('t', 'a', 'z')],
    });
    assert.equal(again.asked, 0);
    assert.deepEqual(again.state.mirror?.conversation, reduce(truth, text('t', 'a', 'z')));
  });

  it('tells the host’s messages from those of others', () => {
    assert.equal(isFromHost(snapshot()), true);
    for (const other of [null, 'x', 3, {}, { kind: 1 }, { kind: 'toString' }, { kind: 'else' }, []]) {
      assert.equal(isFromHost(other), false);
    }
  });

  it('ignores what comes before the first snapshot', () => {
    const first = firstState(undefined);
    const { state, asked } = feed(
      first,
      { kind: 'events', seq: 1, events: [started('t')] },
      { kind: 'conversation', seq: 1, conversation: empty },
      { kind: 'panel', panel },
    );
    assert.equal(state, first);
    assert.equal(asked, 0);
  });

  it('puts earlier turns in front of those that are there, each once, and only of the conversation that is shown', () => {
    const [b, a] = ['b', 'a'].map((id) => reduce(empty, started(id)).turns[0]!);
    const { state } = feed(firstState(undefined), {
      ...snapshot(),
      conversation: { id: 'c', turns: [b!] },
      earlier: true,
    });
    assert.equal(state.mirror?.earlier, true);
    const more = feed(state, { kind: 'earlier', conversation: 'other', turns: [a!], more: true });
    assert.equal(more.state.mirror?.conversation.turns.length, 1);
    const all = feed(
      state,
      { kind: 'earlier', conversation: 'c', turns: [b!], more: true },
      { kind: 'earlier', conversation: 'c', turns: [a!] },
    );
    assert.deepEqual(all.state.mirror?.conversation.turns, [a, b]);
    assert.equal(all.state.mirror.earlier, false);
    const waiting = { ...state, awaiting: true };
    assert.equal(feed(waiting, { kind: 'earlier', conversation: 'c', turns: [a!] }).state, waiting);
    const next = feed(state, { kind: 'conversation', seq: 1, conversation: empty });
    assert.equal(next.state.mirror?.earlier, false);
  });

  it('equals the host at every moment, wherever the snapshot was taken and however batches were cut', () => {
    const event = fc.oneof(
      fc.constantFrom('t1', 't2', 't3').map((turn) => started(turn)),
      fc
        .tuple(fc.constantFrom('t1', 't2'), fc.constantFrom('a', 'b'))
        .map(([turn, part]) => opened(turn, part)),
      fc
        .tuple(fc.constantFrom('t1', 't2'), fc.constantFrom('a', 'b'), fc.string())
        .map(([turn, part, added]) => text(turn, part, added)),
    );
    const batches = fc.array(fc.array(event, { maxLength: 5 }), { maxLength: 12 });
    fc.assert(
      fc.property(batches, fc.nat(), (list, at) => {
        const cut = list.length === 0 ? 0 : at % (list.length + 1);
        const host = (count: number): Conversation => list.slice(0, count).flat().reduce(reduce, empty);
        let state = feed(firstState(undefined), snapshot(host(cut), cut)).state;
        for (let seq = cut + 1; seq <= list.length; seq++) {
          state = feed(state, { kind: 'events', seq, events: list[seq - 1] ?? [] }).state;
          assert.deepEqual(state.mirror?.conversation, host(seq));
        }
      }),
      { seed },
    );
  });

  it('keeps what did not change as it is', () => {
    const one = feed(firstState(undefined), snapshot(), {
      kind: 'events',
      seq: 1,
      events: [started('t1'), opened('t1', 'a'), started('t2'), opened('t2', 'b')],
    }).state;
    const two = feed(one, { kind: 'events', seq: 2, events: [text('t2', 'b', 'x')] }).state;
    assert.equal(two.mirror?.conversation.turns[0], one.mirror?.conversation.turns[0]);
    assert.equal(two.mirror?.panel, one.mirror?.panel);
  });

  it('replaces the conversation and goes on counting', () => {
    const { state, asked } = feed(
      firstState(undefined),
      snapshot(empty, 3),
      { kind: 'conversation', seq: 3, conversation: { id: 'new', turns: [] } },
      { kind: 'events', seq: 4, events: [started('t')] },
    );
    assert.equal(asked, 0);
    assert.equal(state.mirror?.conversation.id, 'new');
    assert.equal(state.mirror.conversation.turns.length, 1);
  });

  it('takes panel, focus and notice as they come', () => {
    const { state, effects } = feed(
      firstState(undefined),
      snapshot(),
      { kind: 'panel', panel: { ...panel, key: 'missing' } },
      { kind: 'focusComposer' },
      { kind: 'notice', text: 'No editor is open.' },
    );
    assert.equal(state.mirror?.panel.key, 'missing');
    assert.deepEqual(effects, ['focusComposer']);
    assert.equal(state.notice, 'No editor is open.');
    assert.equal(withoutNotice(state).notice, undefined);
  });

  it('tells a host that does not answer from one that does', () => {
    const late = waitedTooLong(firstState(undefined));
    assert.equal(late.late, true);
    assert.equal(askedAgain(late).late, false);
    const answered = feed(late, snapshot()).state;
    assert.equal(answered.late, false);
    assert.equal(waitedTooLong(answered), answered);
  });

  it('learns by how much the host’s clock differs, not counting the way of a message', () => {
    const step = (state: State, at: number, now: number, seq: number): State =>
      apply(state, { kind: 'events', seq, events: [started(`t${seq}`, 'q', at)] }, now).state;
    let state = feed(firstState(undefined), snapshot()).state;
    assert.equal(hostNow(state, 5000), 5000);
    state = step(state, 1000, 61_040, 1);
    state = step(state, 2000, 62_005, 2);
    state = step(state, 3000, 63_900, 3);
    assert.equal(hostNow(state, 70_005), 10_000);
  });
});

describe('the draft', () => {
  const draftAfter = (state: State, kept: string, run?: string): string =>
    feed(state, { ...snapshot(empty, 0, kept), ...(run !== undefined && { run }) }).state.draft;

  it('is what the page kept in the same run of the host, which may be a moment behind', () => {
    assert.equal(draftAfter(firstState({ draft: 'mine', run: 'a' }), 'host’s', 'a'), 'mine');
    assert.equal(draftAfter(firstState({ draft: '', run: 'a' }), 'host’s', 'a'), '');
  });

  it('is what the host kept after a reload of the window, for the page may have been kept long before', () => {
    assert.equal(draftAfter(firstState({ draft: 'old', run: 'a' }), 'host’s', 'b'), 'host’s');
    assert.equal(draftAfter(firstState({ draft: 'old' }), 'host’s', 'b'), 'host’s');
    assert.equal(draftAfter(firstState(undefined), 'host’s', 'b'), 'host’s');
  });

  it('is what the page kept where the host has nothing: it could not be written there', () => {
    assert.equal(draftAfter(firstState({ draft: 'mine', run: 'a' }), '', 'b'), 'mine');
  });

  it('is gone after a reload of the window when it was sent and the host has nothing of it any more', () => {
    const asked = { id: 'q1', text: 'Why?' };
    const after = (draft: string): string =>
      draftAfter(firstState({ draft, sent: asked, run: 'a' }), '', 'b');
    assert.deepEqual([after('Why?'), after('Why? And'), after('Other')], ['', ' And', 'Other']);
    for (const [draft, expected] of [
      ['Wh', ''],
      ['Who', 'Who'],
    ] as const) {
      const told = { ...snapshot(), run: 'b', asked: ['Who?', 'Why?'] };
      assert.equal(feed(firstState({ draft, run: 'a' }), told).state.draft, expected);
    }
    assert.equal(draftAfter(firstState({ draft: 'Why?', sent: asked, run: 'a' }), 'Why?', 'b'), 'Why?');
  });

  it('is kept by the host alone when it is long, and comes back from there', () => {
    const long = 'x'.repeat(2_000_000);
    const { state } = feed(firstState(undefined), { ...snapshot(), run: 'a' });
    const saved = toSave(withSent(withDraft(state, long), long, 'q1'));
    assert.deepEqual(saved, { draft: '' });
    assert.equal(draftAfter(firstState(saved), long, 'a'), long);
    assert.equal(toSave(withDraft(state, 'x'.repeat(10_000))).draft.length, 10_000);
  });

  it('is what the host exchanged it for when the page went away before it heard of that', () => {
    const after = (draft: string): string =>
      feed(firstState({ draft, run: 'a' }), { ...snapshot(empty, 0, 'queued'), run: 'a', instead: 'typed' })
        .state.draft;
    assert.deepEqual([after('typed'), after('queued'), after('other')], ['queued', 'queued', 'other']);
  });

  it('is what was typed before the host answered', () => {
    assert.equal(
      draftAfter(withDraft(firstState({ draft: 'old', run: 'a' }), 'typed'), 'host’s', 'b'),
      'typed',
    );
  });

  it('is kept together with the run of the host', () => {
    const { state } = feed(firstState(undefined), { ...snapshot(empty, 0, 'kept'), run: 'b' });
    assert.deepEqual(toSave(state), { draft: 'kept', run: 'b' });
  });

  it('is not touched by a later snapshot', () => {
    const typed = withDraft(feed(firstState(undefined), snapshot()).state, 'typing');
    assert.equal(feed(typed, snapshot(empty, 4, 'older')).state.draft, 'typing');
  });

  it('is cleared when the host took it, unless something else was typed meanwhile', () => {
    const base = feed(firstState(undefined), snapshot()).state;
    const sent = withSent(withDraft(base, 'Why?\n'), 'Why?\n', 'q1');
    assert.deepEqual(toSave(sent), { draft: 'Why?\n', sent: { id: 'q1', text: 'Why?\n' } });
    const taken = feed(sent, { kind: 'questionTaken', id: 'q1', text: 'Why?' }).state;
    assert.equal(taken.draft, '');
    assert.deepEqual(toSave(taken), { draft: '' });
    const other = feed(withDraft(sent, 'What?'), { kind: 'questionTaken', id: 'q1', text: 'Why?' }).state;
    assert.deepEqual(toSave(other), { draft: 'What?' });
  });

  it('leaves what was typed behind it before the host took it', () => {
    const base = feed(firstState(undefined), snapshot()).state;
    const sent = withSent(withDraft(base, 'Why?'), 'Why?', 'q1');
    const taken = { kind: 'questionTaken', id: 'q1', text: 'Why?' } as const;
    const more = feed(withDraft(sent, 'Why?And now'), taken).state;
    assert.deepEqual(toSave(more), { draft: 'And now' });
    // Not under the hands of an input method, which would lose what it holds.
    const composing = feed(withDraft(sent, 'Why?왜', true), taken).state;
    assert.equal(composing.draft, 'Why?왜');
    const further = withDraft(composing, 'Why?왜그', true);
    assert.equal(further.draft, 'Why?왜그');
    const done = withDraft(further, 'Why?왜그');
    assert.deepEqual(toSave(done), { draft: '왜그' });
    assert.deepEqual(toSave(withDraft(done, 'Why?왜그')), { draft: 'Why?왜그' });
  });

  it('is cleared too when it holds what UTF-8 can’t hold', () => {
    const odd = 'half \ud83d, \u0000 and \u202e';
    const base = withDraft(feed(firstState(undefined), snapshot()).state, odd);
    const sent = withSent(base, odd, 'q1');
    const taken = feed(sent, { kind: 'questionTaken', id: 'q1', text: odd.toWellFormed() }).state;
    assert.deepEqual(toSave(taken), { draft: '' });
  });

  it('takes the text of a chip once, and the chip goes', () => {
    const chip = { id: 'c', kind: 'pasted', path: 'p', uri: 'u', languageId: 'ts' } as const;
    const there = snapshot();
    const base = feed(firstState(undefined), {
      ...there,
      panel: { ...there.panel, attachments: [chip] },
    }).state;
    const message = { kind: 'insertText', text: 'x', attachment: 'c' } as const;
    const first = feed(base, message);
    assert.deepEqual(first.effects, ['insertText']);
    assert.deepEqual(first.state.mirror?.panel.attachments, []);
    assert.deepEqual(feed(first.state, message).effects, []);
  });

  it('keeps what was written when another text is proposed', () => {
    assert.equal(composed(' \n', 'Explain a.ts'), 'Explain a.ts');
    assert.equal(composed('Why?\n', 'Explain a.ts'), 'Why?\nExplain a.ts');
    assert.equal(composed('Explain a.ts', 'Explain a.ts'), 'Explain a.ts');
  });

  it('stays when the host could not take it, and is then sent as the same question', () => {
    const base = withDraft(feed(firstState(undefined), snapshot()).state, 'Why?');
    const refused = feed(withSent(base, 'Why?', 'q1'), { kind: 'notice', text: 'No.' }).state;
    assert.equal(refused.draft, 'Why?');
    const again = withSent(refused, 'Why?', 'q2');
    assert.deepEqual(again.sent, { id: 'q1', text: 'Why?' });
    assert.equal(again.notice, undefined);
    assert.deepEqual(withSent(refused, 'Why not?', 'q2').sent, { id: 'q2', text: 'Why not?' });
    const taken = feed(again, { kind: 'questionTaken', id: 'q1', text: 'Why?' }).state;
    assert.deepEqual(withSent(taken, 'Why?', 'q3').sent, { id: 'q3', text: 'Why?' });
  });

  const sent = { id: 'q1', text: 'Why?' };
  const elsewhere = reduce(empty, started('t', 'Something else'));

  it('does not come back when the page went away between sending and taking', () => {
    for (const conversation of [reduce(empty, started('t', 'Why?')), empty, elsewhere]) {
      const back = feed(firstState({ draft: 'Why?', sent }), snapshot(conversation, 3, '', 'q1')).state;
      assert.deepEqual(toSave(back), { draft: '' });
      const typed = feed(firstState({ draft: 'And?', sent }), snapshot(conversation, 3, '', 'q1')).state;
      assert.deepEqual(toSave(typed), { draft: 'And?' });
    }
  });

  it('comes back when the question was not taken, whatever was asked before', () => {
    const before = reduce(empty, started('t', 'Why?'));
    for (const taken of [undefined, 'q0']) {
      const back = feed(firstState({ draft: 'Why?', sent }), snapshot(before, 3, 'Why?', taken)).state;
      assert.deepEqual(toSave(back), { draft: 'Why?', sent });
      const late = feed(back, { kind: 'questionTaken', ...sent }).state;
      assert.deepEqual(toSave(late), { draft: '' });
    }
  });

  it('is cleared by a later snapshot too when the news of the taking was lost', () => {
    const asked = withSent(withDraft(feed(firstState(undefined), snapshot()).state, 'Why?'), 'Why?', 'q1');
    assert.deepEqual(toSave(feed(asked, snapshot(empty, 5, '', 'q1')).state), { draft: '' });
    assert.deepEqual(toSave(feed(asked, snapshot(empty, 5, 'Why?')).state), { draft: 'Why?', sent });
  });

  describe('about a dear question', () => {
    const next = {
      input: 100,
      cached: 0,
      output: { least: 0, likely: 10, most: 40 },
      basis: 'effort',
      money: { least: 0.1, likely: 0.42, most: 1 },
      isEstimate: true,
    } as const;
    const ask: ToWebview = { kind: 'confirm', asked: { kind: 'send', id: 'q', text: 'Why?' }, next };
    const written = withDraft(feed(firstState(undefined), snapshot()).state, 'Why?');

    it('asks as long as it stands in the composer, and keeps it', () => {
      const { state } = feed(written, ask);
      assert.deepEqual(state.confirm, { asked: { kind: 'send', id: 'q', text: 'Why?' }, next });
      assert.equal(state.draft, 'Why?');
      assert.equal(withDraft(state, 'Why not?').confirm, undefined);
      assert.equal(feed(state, { kind: 'questionTaken', id: 'q', text: 'Why?' }).state.confirm, undefined);
      assert.equal(
        feed(state, { kind: 'conversation', seq: 0, conversation: empty }).state.confirm,
        undefined,
      );
      assert.equal(withSent(state, 'Why?', 'r').confirm, undefined);
    });

    it('asks about going on with a turn, and about a summary, until something is begun', () => {
      const turns = reduce(reduce(empty, started('t')), {
        kind: 'turnEnded',
        turn: 't',
        end: { kind: 'stopped' },
        at: 2,
      });
      const there = feed(firstState(undefined), snapshot(turns)).state;
      const resume: ToWebview = { kind: 'confirm', asked: { kind: 'resume', turn: 't' }, next };
      const held = feed(there, resume).state;
      assert.deepEqual(held.confirm?.asked, { kind: 'resume', turn: 't' });
      // What is typed meanwhile is for later.
      assert.ok(withDraft(held, 'And then?').confirm);
      const resumed: ShownEvent = { kind: 'turnResumed', turn: 't', drop: [], at: 3 };
      const going = feed(held, { kind: 'events', seq: 1, events: [resumed] }).state;
      assert.equal(going.confirm, undefined);
      assert.equal(feed(going, resume).state.confirm, undefined);
      const other: ToWebview = { kind: 'confirm', asked: { kind: 'resume', turn: 'u' }, next };
      assert.equal(feed(there, other).state.confirm, undefined);

      const summary: ToWebview = { kind: 'confirm', asked: { kind: 'summarize' }, next };
      const asked = feed(there, summary).state;
      assert.ok(asked.confirm);
      assert.ok(feed(asked, snapshot(turns)).state.confirm);
      assert.equal(feed(asked, snapshot({ ...turns, id: 'd' })).state.confirm, undefined);
    });

    it('asks about a queued question as long as it waits', () => {
      const queue = { questions: [{ id: 'w', text: 'And?', attachments: [] }] };
      const told = { kind: 'queue', conversation: empty.id, queue } as const;
      const queued: ToWebview = { kind: 'confirm', asked: { kind: 'sendQueued', question: 'w' }, next };
      const held = feed(feed(written, told).state, queued).state;
      assert.ok(held.confirm);
      assert.ok(feed(held, told).state.confirm);
      const gone = { ...told, queue: { questions: [{ ...queue.questions[0]!, removed: true as const }] } };
      assert.equal(feed(held, gone).state.confirm, undefined, 'the person took it out');
      assert.equal(feed(held, { ...told, queue: { questions: [] } }).state.confirm, undefined);
    });

    describe('because of what looks secret', () => {
      const file = { id: 'x', kind: 'file', path: '.env', uri: 'file:///.env', languageId: 'ini' } as const;
      const other = { ...file, id: 'y', path: 'b' };
      const found = [{ what: 'token', line: 1, hint: 'ghp_…', length: 36 }];
      const secrets = {
        check: 'k',
        asked: { kind: 'send', id: 'q', text: 'Why?' },
        places: [{ chip: file, found }, { found }],
        more: 0,
      } as const;
      const message: ToWebview = { kind: 'secrets', ...secrets };
      const attached = (...attachments: PanelState['attachments']): ToWebview => ({
        kind: 'panel',
        panel: { ...panel, attachments },
      });
      const withFile = feed(written, attached(file, other)).state;

      it('asks as long as the question stands in the composer, in the place of its price', () => {
        const { state } = feed(feed(withFile, ask).state, message);
        assert.deepEqual(state.secrets, secrets);
        assert.equal(state.confirm, undefined);
        const priced = feed(state, ask).state;
        assert.ok(priced.confirm);
        assert.equal(priced.secrets, undefined, 'one question at a time');
        assert.equal(withDraft(state, 'Why not?').secrets, undefined);
        assert.equal(feed(state, { kind: 'questionTaken', id: 'q', text: 'Why?' }).state.secrets, undefined);
        assert.equal(withSent(state, 'Why?', 'r').secrets, undefined);
        assert.equal(feed(withDraft(written, 'Else'), message).state.secrets, undefined);
        assert.ok(isFromHost(message));
      });

      it('is answered by taking off the chip that it stands in', () => {
        const { state } = feed(withFile, message);
        assert.ok(feed(state, attached(file)).state.secrets);
        assert.equal(feed(state, attached(other)).state.secrets, undefined);
      });

      it('asks about a queued question as long as it waits', () => {
        const queue = { questions: [{ id: 'w', text: 'And?', attachments: [file] }] };
        const told = { kind: 'queue', conversation: empty.id, queue } as const;
        const held = feed(feed(written, told).state, {
          ...message,
          asked: { kind: 'sendQueued', question: 'w' },
        }).state;
        assert.ok(held.secrets);
        // What is typed meanwhile is for later.
        assert.ok(withDraft(held, 'And then?').secrets);
        assert.equal(feed(held, { ...told, queue: { questions: [] } }).state.secrets, undefined);
      });
    });

    it('does not ask about what is no longer there', () => {
      assert.equal(feed(withDraft(written, 'Something else'), ask).state.confirm, undefined);
    });
  });

  it('knows when something was heard last, by the host’s clock', () => {
    const { state } = feed(firstState(undefined), snapshot());
    assert.equal(heardAt(state, 9000), 2000);
    const ahead = apply(state, { kind: 'events', seq: 1, events: [started('t', 'Why?', 1500)] }, 3000).state;
    // This clock is 1.5 s ahead.
    assert.equal(heardAt(ahead, 9000), 1500);
  });

  it('keeps the table of prices as long as it says the same', () => {
    const withPrices = (input: number): PanelState => ({
      ...panel,
      spending: {
        today: noUsage,
        limits: {},
        prices: { ...defaultPrices, 'kimi-k3': { ...defaultPrices['kimi-k3'], input } },
        next: {
          input: 1,
          cached: 0,
          output: { least: 0, likely: 0, most: 0 },
          basis: 'effort',
          money: { least: 0, likely: 0, most: 0 },
          isEstimate: true,
        },
      },
    });
    const prices = (state: State): unknown => state.mirror?.panel.spending?.prices;
    const first = feed(firstState(undefined), snapshot(), { kind: 'panel', panel: withPrices(3) }).state;
    const same = feed(first, { kind: 'panel', panel: withPrices(3) }).state;
    assert.equal(prices(same), prices(first));
    assert.notEqual(prices(feed(same, { kind: 'panel', panel: withPrices(4) }).state), prices(first));
  });

  it('keeps who is asked as long as it is the same, and has always what was told last', () => {
    const asked = (origin: string, model: PanelState['model']): PanelState => ({
      ...panel,
      model,
      service: { origin, evolink: true },
      orphans: [{ id: 'o', files: [] }],
    });
    const { state } = feed(firstState(undefined), snapshot(), {
      kind: 'panel',
      panel: asked('https://a.example', 'kimi-k3'),
    });
    for (const [origin, kept] of [
      ['https://a.example', true],
      ['https://b.example', false],
    ] as const) {
      const told = asked(origin, 'kimi-k3.1-pro');
      const next = feed(state, { kind: 'panel', panel: told }).state.mirror?.panel;
      assert.deepEqual(next, told);
      assert.equal(next.service === state.mirror?.panel.service, kept);
      assert.equal(next.orphans, state.mirror?.panel.orphans);
      // What is no longer told is no longer there.
      assert.deepEqual(feed(state, { kind: 'panel', panel }).state.mirror?.panel, panel);
    }
  });
});
