import assert from 'node:assert/strict';

import type { Part, ProposedFile, Turn } from '../../../src/core/conversation/conversation.ts';
import {
  haveOpenPatch,
  openApproval,
  proposalsIn,
  waitsForReview,
} from '../../../src/core/conversation/waiting.ts';

const turn = (parts: readonly Part[], more: Partial<Turn> = {}): Turn => ({
  id: 't',
  question: { text: 'q', attachments: [] },
  model: 'kimi-k3',
  effort: 'max',
  startedAt: 1,
  parts,
  requests: [],
  ...more,
});

const call = (...states: ProposedFile['state'][]): Part => ({
  kind: 'tool',
  id: states.join(),
  name: 'apply_patch',
  input: '',
  openedAt: 2,
  askedAt: 3,
  proposal: {
    id: 'p',
    files: states.map((state, index) => ({
      index,
      path: `${index}.ts`,
      change: 'update',
      added: 1,
      removed: 1,
      state,
      seen: false,
      amended: false,
    })),
  },
});

describe('a turn that waits for the person alone', () => {
  it('is one with nothing open but undecided patches', () => {
    assert.equal(waitsForReview(turn([call('pending')])), true);
    assert.equal(waitsForReview(turn([call('accepted', 'conflict'), call('failed')])), true);
    const answer: Part = { kind: 'answer', id: 'a', sections: [], openedAt: 1, closedAt: 2 };
    assert.equal(waitsForReview(turn([answer, call('pending')])), true);
  });

  it('is one in which a call asks the person', () => {
    const { proposal: _proposal, ...plain } = call() as Extract<Part, { kind: 'tool' }>;
    const request = { kind: 'read', why: 'ignored', path: '.env' } as const;
    const asking = { ...plain, approvals: [{ id: 'a', request, askedAt: 4 }] };
    assert.equal(waitsForReview(turn([asking, call('pending')])), true);
    assert.equal(openApproval(asking)?.id, 'a');
    const answered = {
      ...plain,
      approvals: [{ id: 'a', request, askedAt: 4, answer: { kind: 'deny' } }],
    } as const;
    assert.equal(waitsForReview(turn([answered])), false);
    assert.equal(openApproval({ ...asking, outcome: { kind: 'done', text: '' } }), undefined);
  });

  it('is none when anything else goes on, or nothing does', () => {
    assert.equal(waitsForReview(turn([])), false);
    assert.equal(waitsForReview(turn([call('pending')], { end: { kind: 'completed' } })), false);
    assert.equal(waitsForReview(turn([call('accepted')])), false);
    assert.equal(waitsForReview(turn([call('pending', 'applying')])), false);
    const { proposal: _proposal, ...checking } = call() as Extract<Part, { kind: 'tool' }>;
    assert.equal(waitsForReview(turn([call('pending'), checking])), false);
    const text: Part = { kind: 'answer', id: 'a', sections: [], openedAt: 1 };
    assert.equal(waitsForReview(turn([call('pending'), text])), false);
  });
});

describe('the patches of turns', () => {
  it('are in their order, and wait as long as one of their files is undecided or being written', () => {
    const answer: Part = { kind: 'answer', id: 'a', sections: [], openedAt: 1 };
    const settled = turn([answer, call('accepted', 'rejected')]);
    assert.deepEqual(
      proposalsIn(settled).map(({ files }) => files.length),
      [2],
    );
    assert.equal(haveOpenPatch([settled]), false);
    assert.equal(haveOpenPatch([settled, turn([call('accepted', 'applying')])]), true);
    assert.equal(haveOpenPatch([turn([call('conflict')]), settled]), true);
  });
});
