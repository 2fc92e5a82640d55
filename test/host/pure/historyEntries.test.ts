import assert from 'node:assert/strict';

import type { ConversationFacts } from '../../../src/core/journal/facts.ts';
import { historyEntries, type KnownConversation } from '../../../src/host/history/historyEntries.ts';

const known = (
  id: string,
  at: number,
  more: Partial<ConversationFacts> = {},
  live?: KnownConversation['live'],
): KnownConversation => ({
  facts: { id, createdAt: at, changedAt: at, question: `Question ${id}?`, turns: 1, usage: [], ...more },
  ...(live !== undefined && { live }),
});
const version = { conversation: 'a', turn: 't', kind: 'version' } as const;

describe('the conversations of the list', () => {
  it('are each once, whatever versions it has, the one that changed last first', () => {
    const entries = historyEntries([
      known('b', 2),
      known('a', 1, { title: { text: 'Sums', by: 'person' }, pinned: true }),
      known('v', 3, { parent: version, title: { text: 'Other sums', by: 'model' }, turns: 4 }),
    ]);
    assert.deepEqual(entries, [
      {
        id: 'v',
        root: 'a',
        members: ['a', 'v'],
        pinned: ['a'],
        title: 'Sums',
        changedAt: 3,
        questions: 4,
        isForked: false,
        isShown: false,
      },
      {
        id: 'b',
        root: 'b',
        members: ['b'],
        pinned: [],
        title: 'Question b?',
        changedAt: 2,
        questions: 1,
        isForked: false,
        isShown: false,
      },
    ]);
  });

  it('are shown in the version that was shown last', () => {
    const shown = { lastShown: 5, isShown: true };
    const [entry] = historyEntries([
      known('a', 1, { question: 'First?' }, shown),
      known('v', 3, { parent: version, question: 'Other?' }, { lastShown: 2, isShown: false }),
      known('w', 4, { parent: version }),
    ]);
    assert.deepEqual([entry?.id, entry?.title, entry?.isShown], ['a', 'First?', true]);
  });

  it('have the title that the model made where the person gave none', () => {
    const model = (text: string): Partial<ConversationFacts> => ({ title: { text, by: 'model' } });
    const titleOf = (...all: readonly KnownConversation[]): string | undefined =>
      historyEntries(all)[0]?.title;
    assert.equal(titleOf(known('a', 1, model('A')), known('v', 2, { parent: version, ...model('V') })), 'V');
    assert.equal(titleOf(known('a', 1, model('A')), known('v', 2, { parent: version })), 'A');
    const unnamed = known('a', 1, { title: { text: '', by: 'person' } });
    assert.equal(titleOf(unnamed, known('v', 2, { parent: version, ...model('V') })), 'Question v?');
  });

  it('say what is going on in any of their versions', () => {
    const stateOf = (...all: readonly KnownConversation[]): string | undefined =>
      historyEntries(all)[0]?.state;
    const live = (doing?: 'answering' | 'waiting'): KnownConversation['live'] => ({
      ...{ lastShown: 0, isShown: false },
      ...(doing !== undefined && { doing }),
    });
    assert.equal(stateOf(known('a', 1)), undefined);
    assert.equal(stateOf(known('a', 1, { unanswered: true })), 'unanswered');
    assert.equal(stateOf(known('a', 1, { unanswered: true }, live('answering'))), 'answering');
    assert.equal(
      stateOf(known('a', 1, {}, live('answering')), known('v', 2, { parent: version }, live('waiting'))),
      'waiting',
    );
    assert.equal(stateOf(known('a', 1, { waiting: ['p'] }, live())), 'waiting');
  });

  it('are told apart from those that they were forked from, and by their workspace', () => {
    const place = { folder: '/x/conversations', name: 'shop' };
    const entries = historyEntries(
      [known('a', 1), known('f', 2, { parent: { ...version, kind: 'fork' } })],
      place,
    );
    assert.deepEqual(
      entries.map(({ id, isForked, place: from }) => [id, isForked, from]),
      [
        ['f', true, place],
        ['a', false, place],
      ],
    );
  });
});
