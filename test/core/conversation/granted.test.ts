import assert from 'node:assert/strict';

import type { Approval, ApprovalAnswer, ApprovalRequest } from '../../../src/core/conversation/approval.ts';
import type { Conversation, Turn } from '../../../src/core/conversation/conversation.ts';
import { answeredBefore, answerHolds } from '../../../src/core/conversation/granted.ts';

type Read = Extract<ApprovalRequest, { kind: 'read' }>;

const read = (path: string, more: Partial<Read> = {}): Read => ({
  ...{ kind: 'read', why: 'ignored', path },
  ...more,
});
const command: ApprovalRequest = { kind: 'command', command: 'make', folder: '/a', seconds: 1 };
const allow: ApprovalAnswer = { kind: 'allow' };
const deny: ApprovalAnswer = { kind: 'deny', reason: 'Not that.' };

function turn(id: string, ...approvals: readonly Omit<Approval, 'id' | 'askedAt'>[]): Turn {
  return {
    id,
    question: { text: '', attachments: [] },
    ...{ model: 'kimi-k3.1-pro', effort: 'max', startedAt: 0, requests: [] },
    parts: [
      { kind: 'answer', id: '0', sections: [], openedAt: 0 },
      { kind: 'tool', id: '1', name: 'look', input: '', openedAt: 0 },
      {
        ...{ kind: 'tool', id: '2', name: 'look', input: '', openedAt: 0 },
        approvals: approvals.map((one, index) => ({ ...one, id: `${id}${index}`, askedAt: 0 })),
      },
    ],
  };
}

const talk = (...turns: readonly Turn[]): Conversation => ({ id: 'c', turns });

describe('an answer to what may be read', () => {
  it('holds for the conversation when it allows, and for the same place alone', () => {
    const conversation = talk(turn('a', { request: read('dist/a.js'), answer: allow }), turn('b'));
    assert.deepEqual(answeredBefore(conversation, read('dist/a.js')), allow);
    assert.equal(answeredBefore(conversation, read('dist/b.js')), undefined);
    assert.equal(answeredBefore(conversation, read('dist')), undefined);
    assert.equal(answeredBefore(talk(), read('dist/a.js')), undefined);
  });

  it('goes by where a link leads', () => {
    const link = read('data', { why: 'leadsOut', target: '/srv/a' });
    const conversation = talk(turn('a', { request: link, answer: allow }));
    assert.deepEqual(answeredBefore(conversation, link), allow);
    assert.deepEqual(answeredBefore(conversation, read('/srv/a', { why: 'outside' })), allow);
    assert.equal(answeredBefore(conversation, { ...link, target: '/srv/b' }), undefined);
    assert.equal(answeredBefore(conversation, read('data')), undefined);
  });

  it('covers what is in a folder that was allowed as one', () => {
    const conversation = talk(turn('a', { request: read('out', { folder: true }), answer: allow }));
    assert.deepEqual(answeredBefore(conversation, read('out/b/c.js')), allow);
    assert.equal(answeredBefore(conversation, read('outer/c.js')), undefined);
    const file = talk(turn('a', { request: read('out'), answer: allow }));
    assert.equal(answeredBefore(file, read('out/c.js')), undefined);
    const withSlash = talk(turn('a', { request: read('out/', { folder: true }), answer: allow }));
    assert.deepEqual(answeredBefore(withSlash, read('out/c.js')), allow);
  });

  it('holds within its turn when it denies, and for nothing in a folder', () => {
    const denied = turn('a', { request: read('out', { folder: true }), answer: deny });
    assert.deepEqual(answeredBefore(talk(denied), read('out')), deny);
    assert.equal(answeredBefore(talk(denied), read('out/a')), undefined);
    assert.equal(answeredBefore(talk(denied, turn('b')), read('out')), undefined);
  });

  it('is none where nothing was decided, and none to anything else', () => {
    for (const kind of ['later', 'cancelled', 'mask'] as const)
      assert.equal(
        answeredBefore(talk(turn('a', { request: read('x'), answer: { kind } })), read('x')),
        undefined,
      );
    assert.equal(answeredBefore(talk(turn('a', { request: read('x') })), read('x')), undefined);
    assert.equal(answeredBefore(talk(turn('a', { request: command, answer: allow })), command), undefined);
    assert.equal(answerHolds(command, allow, read('x')), false);
    assert.equal(answerHolds(read('x'), allow, command), false);
  });
});
