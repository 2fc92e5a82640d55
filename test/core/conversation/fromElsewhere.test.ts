import assert from 'node:assert/strict';

import type { Approval, Part, ProposedFile, Turn } from '../../../src/core/conversation/conversation.ts';
import { fromElsewhere } from '../../../src/core/conversation/fromElsewhere.ts';
import { answeredBefore } from '../../../src/core/conversation/granted.ts';

const turnOf = (...parts: readonly Part[]): Turn => ({
  id: 't',
  question: { text: 'Why?', attachments: [] },
  model: 'kimi-k3.1-pro',
  effort: 'high',
  startedAt: 1,
  requests: [],
  parts,
});
const tool = (more: Partial<Extract<Part, { kind: 'tool' }>>): Part => ({
  ...{ kind: 'tool', id: 'c', name: 'apply_patch', input: '', openedAt: 2 },
  ...more,
});
const file = (index: number, more: Partial<ProposedFile>): ProposedFile => ({
  ...{ index, path: `${index}`, change: 'update', added: 1, removed: 1, state: 'pending' },
  ...{ seen: false, amended: false },
  ...more,
});

describe('a conversation that comes from another workspace', () => {
  it('has no patch that could be decided or taken back here', () => {
    const files = [
      file(0, { state: 'accepted', canTakeBack: true }),
      file(1, { state: 'conflict', note: 'It was changed.' }),
      file(2, {
        hunks: { open: 1, moved: 0, conflicting: 0, hidden: 0, there: 0, accepted: 0, rejected: 0 },
      }),
      file(3, { state: 'rejected' }),
    ];
    const answer: Part = { kind: 'answer', id: 'a', sections: ['Because.'], openedAt: 1 };
    const before = turnOf(answer, tool({ proposal: { id: 'p', files } }), tool({ id: 'd' }));
    const { id, turns } = fromElsewhere({ id: 'other', turns: [before] });
    assert.equal(id, 'other');
    assert.deepEqual(turns, [
      {
        ...turnOf(
          answer,
          tool({
            proposal: {
              id: 'p',
              files: [
                file(0, { state: 'accepted' }),
                file(1, { state: 'cancelled' }),
                file(2, { state: 'cancelled' }),
                file(3, { state: 'rejected' }),
              ],
            },
          }),
          tool({ id: 'd' }),
        ),
        elsewhere: true,
      },
    ]);
  });

  it('allows nothing to be read here, and still says what else was asked', () => {
    const read = { kind: 'read', why: 'outside', path: '/etc', folder: true } as const;
    const command = { kind: 'command', command: 'ls', folder: '.', seconds: 5 } as const;
    const approvals: readonly Approval[] = [
      { id: '1', request: read, askedAt: 1, answer: { kind: 'allow' } },
      { id: '2', request: command, askedAt: 2, answer: { kind: 'allow', remember: true } },
      { id: '3', request: { ...read, path: '/var' }, askedAt: 3, answer: { kind: 'deny' } },
    ];
    const before = { id: 'c', turns: [turnOf(tool({ approvals }))] };
    const asked = { kind: 'read', why: 'outside', path: '/etc/hosts' } as const;
    assert.deepEqual(answeredBefore(before, asked), { kind: 'allow' });
    const here = fromElsewhere(before);
    assert.equal(answeredBefore(here, asked), undefined);
    assert.deepEqual(here.turns, [{ ...turnOf(tool({ approvals: approvals.slice(1) })), elsewhere: true }]);
    const only = fromElsewhere({ id: 'c', turns: [turnOf(tool({ approvals: approvals.slice(0, 1) }))] });
    assert.deepEqual(only.turns, [{ ...turnOf(tool({})), elsewhere: true }]);
  });
});
