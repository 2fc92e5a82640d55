import assert from 'node:assert/strict';

import type { ProposalSummary, ProposedFile } from '../../../src/core/conversation/conversation.ts';
import {
  isSameProposal,
  proposalAfter,
  settledUnseen,
} from '../../../src/core/conversation/laterProposal.ts';

const file = (path: string, index: number, more: Partial<ProposedFile> = {}): ProposedFile => ({
  ...{ index, path, change: 'update', added: 1, removed: 1, state: 'pending', seen: false, amended: false },
  ...more,
});

describe('a proposal that waits again in another window', () => {
  it('is known by its name, whatever number stands behind it', () => {
    assert.ok(isSameProposal('p', 'p'));
    assert.ok(isSameProposal('p', 'p (3)'));
    assert.ok(isSameProposal('p (12)', 'p (3)'));
    assert.ok(!isSameProposal('p', 'q (3)'));
  });

  it('is what is told of it, with what was decided before behind it', () => {
    const before: ProposalSummary = {
      id: 'p',
      files: [
        file('a', 0, { state: 'accepted', canTakeBack: true }),
        file('b', 1),
        file('c', 2, { to: 'd' }),
      ],
    };
    const whole = { id: 'p', files: [...before.files] };
    assert.equal(proposalAfter(before, whole), whole);
    assert.deepEqual(
      proposalAfter(before, { id: 'p (1)', files: [file('b', 0), file('c', 1, { to: 'd' })] }),
      {
        id: 'p (1)',
        files: [file('b', 0), file('c', 1, { to: 'd' }), file('a', 2, { state: 'accepted' })],
      },
    );
    assert.deepEqual(proposalAfter({ id: 'p', files: [file('a', 0)] }, { id: 'p (1)', files: [] }).files, [
      file('a', 0),
    ]);
  });

  it('is settled where it waits nowhere, as what was written of it tells', () => {
    const files = [
      file('a', 0, { state: 'rejected' }),
      file('b', 1, { state: 'applying' }),
      file('c', 2, { note: 'Moved.' }),
    ];
    const settled = settledUnseen({ id: 'p', files }, new Set([1]));
    assert.deepEqual(settled.proposal.files, [
      file('a', 0, { state: 'rejected' }),
      file('b', 1, { state: 'accepted', canTakeBack: true }),
      file('c', 2, { state: 'cancelled' }),
    ]);
    assert.match(settled.report, /any more\.\n"b": written\.\n"c": nothing was written\.$/);
  });
});
