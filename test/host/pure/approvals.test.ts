/** The questions of running tools that wait for the person, with a clock of the test. */
import assert from 'node:assert/strict';

import type { Approval, ApprovalAnswer, ApprovalRequest } from '../../../src/core/conversation/approval.ts';
import { Approvals, deafFor } from '../../../src/host/sessions/approvals.ts';

const read = (path: string, folder?: true): ApprovalRequest => ({
  ...{ kind: 'read', why: 'ignored', path },
  ...(folder && { folder }),
});
const command: ApprovalRequest = { kind: 'command', command: 'make', folder: '/a', seconds: 1 };
const allow: ApprovalAnswer = { kind: 'allow' };
const deny: ApprovalAnswer = { kind: 'deny' };

describe('questions that wait for the person', () => {
  let now: number;
  let approvals: Approvals;
  let given: (readonly [string, ApprovalAnswer])[];
  beforeEach(() => {
    now = 1_000;
    given = [];
    approvals = new Approvals(() => now);
  });

  const open = (id: string, request: ApprovalRequest): void => {
    const approval: Approval = { id, request, askedAt: now };
    void approvals.open(approval).then((answer) => given.push([id, answer]));
  };
  const told = async (): Promise<readonly (readonly [string, ApprovalAnswer])[]> => {
    await Promise.resolve();
    return given;
  };

  it('take no answer for a moment, and one afterwards', async () => {
    open('x', command);
    assert.equal(approvals.answer('x', allow), false);
    now += deafFor - 1;
    assert.equal(approvals.answer('x', allow), false);
    now += 1;
    assert.equal(approvals.answer('x', allow), true);
    assert.equal(approvals.answer('x', deny), false);
    assert.deepEqual(await told(), [['x', allow]]);
  });

  it('are not deaf for as long as a clock was put back', async () => {
    open('x', command);
    now -= 3_600_000;
    assert.equal(approvals.answer('x', allow), true);
    assert.deepEqual(await told(), [['x', allow]]);
  });

  it('take only answers that are offered, and none once they are closed', async () => {
    open('x', read('a'));
    now += deafFor;
    assert.equal(approvals.answer('x', { kind: 'mask' }), false);
    assert.equal(approvals.answer('x', { kind: 'allow', remember: true }), false);
    assert.equal(approvals.answer('y', allow), false);
    approvals.close('x');
    assert.equal(approvals.answer('x', allow), false);
    assert.deepEqual(await told(), []);
  });

  it('are answered together where they ask for the same, or for what is in a folder that was allowed', async () => {
    open('x', read('out', true));
    open('y', read('out/a'));
    open('z', read('other'));
    now += deafFor;
    assert.equal(approvals.answer('x', allow), true);
    assert.deepEqual(await told(), [
      ['x', allow],
      ['y', allow],
    ]);
    assert.equal(approvals.answer('z', deny), true);
    assert.deepEqual((await told()).length, 3);
  });

  it('are not asked again in the turn', () => {
    open('x', read('a'));
    open('y', read('b'));
    now += deafFor;
    approvals.answer('x', allow);
    approvals.answer('y', deny);
    assert.deepEqual(approvals.answered(read('a')), allow);
    assert.deepEqual(approvals.answered(read('b')), deny);
    assert.equal(approvals.answered(read('c')), undefined);
    approvals.restart();
    assert.equal(approvals.answered(read('b')), undefined);
  });

  it('are asked each time where they are no wish to read', async () => {
    open('x', command);
    open('y', command);
    now += deafFor;
    approvals.answer('x', allow);
    assert.deepEqual(await told(), [['x', allow]]);
    assert.equal(approvals.answered(command), undefined);
  });
});
