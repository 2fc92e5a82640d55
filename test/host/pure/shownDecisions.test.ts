/** A message from a panel decides only about what that panel was told of, and agrees only to prices that it was told. */
import assert from 'node:assert/strict';

import type { Approval, ProposalSummary, Turn } from '../../../src/core/conversation/conversation.ts';
import { emptyConversation, reduce } from '../../../src/core/conversation/reduce.ts';
import type { ShownEvent } from '../../../src/core/conversation/turnEvent.ts';
import type { Forecast } from '../../../src/core/cost/forecast.ts';
import { ShownDecisions } from '../../../src/host/chat/shownDecisions.ts';
import type { DearIntent, Intent } from '../../../src/protocol/toHost.ts';
import type { PanelState } from '../../../src/protocol/toWebview.ts';

const panel: PanelState = {
  ...{ key: 'present', model: 'kimi-k3', effort: 'max', patchMode: 'ask' },
  ...{ attachments: [], suggestions: [] },
};
const proposal = (id: string): ProposalSummary => ({ id, files: [] });
const approval = (id: string): Approval => ({
  id,
  request: { kind: 'read', why: 'ignored', path: 'a' },
  askedAt: 1,
});

function events(suffix: string): readonly ShownEvent[] {
  const at = { turn: `t${suffix}`, part: `p${suffix}` };
  return [
    {
      kind: 'turnStarted',
      turn: at.turn,
      question: { text: '?', attachments: [] },
      model: 'kimi-k3',
      effort: 'high',
      at: 1,
    },
    { kind: 'toolOpened', ...at, name: 'apply_patch', at: 2 },
    { kind: 'approvalAsked', ...at, approval: approval(`ask${suffix}`) },
    { kind: 'toolReviewed', ...at, proposal: proposal(`patch${suffix}`) },
  ];
}

const conversation = (...suffixes: string[]): ReturnType<typeof emptyConversation> =>
  suffixes.flatMap(events).reduce(reduce, emptyConversation('k'));

describe('what a panel may decide', () => {
  let shown: ShownDecisions;
  beforeEach(() => {
    shown = new ShownDecisions();
  });

  const may = (intent: Intent): boolean => shown.obeyed(intent) !== undefined;
  const decisions = (suffix: string): readonly Intent[] => [
    { kind: 'accept', proposal: `patch${suffix}` },
    { kind: 'accept', proposal: `patch${suffix}`, file: 0 },
    { kind: 'reject', proposal: `patch${suffix}` },
    { kind: 'takeBack', proposal: `patch${suffix}` },
    { kind: 'takeBackChange', proposal: `patch${suffix}`, problem: 0 },
    { kind: 'answerApproval', approval: `ask${suffix}`, answer: 'allow' },
    { kind: 'answerApproval', approval: `ask${suffix}`, answer: 'deny' },
  ];
  const allOf = (suffix: string, expected: boolean): void => {
    for (const intent of decisions(suffix)) assert.equal(may(intent), expected, `${intent.kind} ${suffix}`);
  };

  it('is nothing before it was told anything, and what it was told with the conversation', () => {
    allOf('1', false);
    shown.posted({ kind: 'snapshot', seq: 0, conversation: conversation('1'), panel, draft: '' });
    allOf('1', true);
    allOf('2', false);
  });

  it('is what came while it was there, and what stands earlier', () => {
    shown.posted({ kind: 'snapshot', seq: 0, conversation: emptyConversation('k'), panel, draft: '' });
    shown.posted({ kind: 'events', seq: 1, events: events('1') });
    allOf('1', true);
    const earlier: readonly Turn[] = conversation('2').turns;
    shown.posted({ kind: 'earlier', conversation: 'k', turns: earlier });
    allOf('2', true);
    const [restored] = conversation('3').turns;
    assert.ok(restored);
    shown.posted({
      kind: 'events',
      seq: 2,
      events: [{ kind: 'turnRestored', turn: 't3', content: restored }],
    });
    allOf('3', true);
  });

  it('is nothing of another conversation once that is no longer shown', () => {
    shown.posted({ kind: 'snapshot', seq: 0, conversation: conversation('1'), panel, draft: '' });
    shown.posted({ kind: 'conversation', seq: 1, conversation: conversation('2') });
    allOf('1', false);
    allOf('2', true);
  });

  it('is what stands beside the conversation as long as it does', () => {
    const accept: readonly Intent[] = [
      { kind: 'accept', proposal: 'code' },
      { kind: 'reject', proposal: 'orphan' },
    ];
    assert.deepEqual(accept.map(may), [false, false]);
    const code = [{ from: 'x', proposal: proposal('code') }];
    shown.posted({ kind: 'panel', panel: { ...panel, code, orphans: [proposal('orphan')] } });
    assert.deepEqual(accept.map(may), [true, true]);
    shown.posted({ kind: 'panel', panel: { ...panel, code } });
    assert.deepEqual(accept.map(may), [true, false]);
  });

  it('is the last of what looked secret, and no other', () => {
    const asked: DearIntent = { kind: 'send', id: 'q', text: '?' };
    const decide = (check: string): Intent => ({ kind: 'decideSecrets', check, choice: 'send' });
    assert.equal(may(decide('one')), false);
    for (const check of ['one', 'two']) shown.posted({ kind: 'secrets', check, asked, places: [], more: 0 });
    assert.deepEqual([may(decide('one')), may(decide('two'))], [false, true]);
  });

  it('agrees to no price but one that was told for the same, and to no more than that', () => {
    const forms: readonly DearIntent[] = [
      { kind: 'send', id: 'q', text: '?' },
      { kind: 'resume', turn: 'q' },
      { kind: 'summarize' },
      { kind: 'edit', id: 'q', turn: 't', text: '?', attachments: [] },
      { kind: 'answerAgain', id: 'q', turn: 't', model: 'kimi-k3', effort: 'high' },
      { kind: 'sendQueued', question: 'q' },
    ];
    const range = (likely: number): Forecast['money'] => ({ least: 1, likely, most: 3 });
    const next: Forecast = {
      ...{ input: 1, cached: 0, output: range(1), money: range(2) },
      ...{ basis: 'effort', isEstimate: true },
    };
    for (const asked of forms) {
      assert.deepEqual(shown.obeyed({ ...asked, agreed: 1000 }), asked, 'nothing was told');
      shown.posted({ kind: 'confirm', asked, next });
      assert.deepEqual(shown.obeyed({ ...asked, agreed: 1000 }), { ...asked, agreed: 2 });
      assert.deepEqual(shown.obeyed({ ...asked, agreed: 1 }), { ...asked, agreed: 1 });
      assert.deepEqual(shown.obeyed(asked), asked);
    }
    // Old ones are forgotten.
    for (let count = 0; count < 100; count += 1)
      shown.posted({ kind: 'confirm', asked: { kind: 'resume', turn: String(count) }, next });
    assert.deepEqual(shown.obeyed({ kind: 'summarize', agreed: 2 }), { kind: 'summarize' });
  });

  it('is all that decides nothing', () => {
    assert.equal(may({ kind: 'stop' }), true);
    assert.equal(may({ kind: 'review', proposal: 'unknown' }), true);
    for (const message of [{ kind: 'notice', text: 'x' }, { kind: 'focusComposer' }] as const)
      shown.posted(message);
  });
});
