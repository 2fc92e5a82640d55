/** What is written of a conversation, and what is not. */
import assert from 'node:assert/strict';

import type { AttachmentSummary, Turn } from '../../../src/core/conversation/conversation.ts';
import { ExportWriter } from '../../../src/core/journal/exportFile.ts';
import type { JournalState } from '../../../src/core/journal/state.ts';
import { mustRead, written } from '../../support/exporting.ts';

const attachment: AttachmentSummary = {
  ...{ id: 'chip-1', kind: 'file', path: 'src/a.ts', uri: 'file:///home/jane/shop/src/a.ts' },
  languageId: 'typescript',
};

function turn(id: string, text: string, more: Partial<Turn> = {}): Turn {
  return {
    ...{ id, question: { text, attachments: [attachment] }, model: 'kimi-k3', effort: 'max' },
    ...{ startedAt: 1, endedAt: 2, parts: [], requests: [], end: { kind: 'completed' } },
    ...more,
  };
}

function state(...turns: readonly Turn[]): JournalState {
  const groups = turns.map(({ id, question, removed }) => ({
    ...{ turn: id, model: 'kimi-k3', partial: false },
    items: [
      {
        ...{ type: 'message', role: 'user' },
        content: [{ type: 'input_text', text: removed === true ? 'Deleted secret' : question.text }],
      } as const,
    ],
    ...(removed === true && { removed }),
  })) as JournalState['history']['groups'];
  return {
    ...{ conversation: { id: 'c', turns }, history: { groups }, createdAt: 7, begunWith: new Map() },
    ...{ requests: { requests: [], last: [] }, removed: [], reports: [] },
  };
}

describe('a conversation in a file', () => {
  it('stands there with its format, its version and the time, readable line by line', () => {
    const text = written(state(turn('t', 'Why?\uD800')));
    const file = JSON.parse(text) as { format: string; version: number; exportedAt: string; shown: string };
    assert.equal(file.format, 'kimi-chat-conversations');
    assert.equal(file.version, 1);
    assert.equal(file.exportedAt, '2026-11-30T12:00:00.000Z');
    assert.equal(file.shown, 'c');
    assert.ok(text.endsWith('}\n'));
    assert.ok(text.isWellFormed() && text.includes('Why?\uFFFD'));
    assert.deepEqual((JSON.parse(text) as { conversations: { costs: unknown }[] }).conversations[0]?.costs, [
      { turn: 't', usd: 0, isEstimate: true, unknown: 0 },
    ]);
  });

  it('says what files are called and not where they lie', () => {
    const text = written(state(turn('t', 'Why?')));
    assert.ok(text.includes('src/a.ts'));
    assert.ok(!text.includes('jane') && !text.includes('chip-1'));
  });

  it('has of a deleted turn what it cost, and no word', () => {
    const deleted = turn('gone', '', { removed: true });
    const reports = [
      { text: 'Deleted report', about: 'gone' },
      { text: 'A report' },
      { text: 'B', about: 't' },
    ];
    const before = {
      ...state(turn('t', 'Why?'), deleted),
      removed: [turn('gone', 'Deleted question')],
      reports,
    };
    const text = written(before);
    assert.ok(!text.includes('Deleted'));
    assert.ok(text.includes('"gone"') && text.includes('A report') && text.includes('"B"'));
  });

  it('can be read in again where lines of the conversation were lost', () => {
    const whole = state(turn('t', 'Why?'), turn('lost', 'How?'));
    const left = { ...whole, conversation: { id: 'c', turns: whole.conversation.turns.slice(0, 1) } };
    const [one] = mustRead(written(left)).conversations;
    assert.deepEqual([one?.seed.conversation.turns.length, one?.seed.history.groups.length], [1, 1]);
  });

  it('has its title and where it branched off, where there is that', () => {
    const parent = { conversation: 'b', turn: 't', kind: 'version' } as const;
    const text = written({ ...state(turn('t', 'Why?')), parent, title: { text: 'Title', by: 'person' } });
    const [one] = (JSON.parse(text) as { conversations: object[] }).conversations;
    assert.deepEqual(
      [(one as { parent: unknown }).parent, (one as { title: unknown }).title],
      [parent, { text: 'Title', by: 'person' }],
    );
  });

  it('goes through what cleans it, every text by itself', () => {
    const writer = new ExportWriter({
      ...{ shown: 'c', at: 0, costOf: () => ({ usd: 0, isEstimate: false, unknown: 0 }) },
      clean: (part) => part.replaceAll('sk-12345678', '•'),
    });
    const one = state(turn('t', 'My key is sk-12345678, "sk-12345678"'));
    const text = `${[...writer.pieces(one)].join('')}${writer.end}`;
    assert.ok(!text.includes('sk-'));
    assert.ok(JSON.stringify(JSON.parse(text)).includes('My key is •, \\"•\\"'));
  });

  it('has all of them, the one that it is about first', () => {
    const text = written(state(turn('t', 'Why?')), state(turn('u', 'How?')));
    const file = JSON.parse(text) as { conversations: { turns: { id: string }[] }[] };
    assert.deepEqual(
      file.conversations.map(({ turns }) => turns.map(({ id }) => id)),
      [['t'], ['u']],
    );
    assert.equal(text, `${JSON.stringify(file, undefined, 1)}\n`);
  });

  it('comes in pieces that are no longer than what a person or a model said at once', () => {
    const long = 'x'.repeat(10_000);
    const writer = new ExportWriter({
      ...{ shown: 'c', at: 0, costOf: () => ({ usd: 0, isEstimate: false, unknown: 0 }), clean: String },
    });
    const answers = turn('t', long, {
      parts: Array.from({ length: 50 }, (_, at) => ({
        ...{ kind: 'answer', id: `0.${at}`, sections: [long], openedAt: 1 },
      })),
    });
    const pieces = [...writer.pieces(state(answers, turn('u', 'Why?')))];
    assert.ok(pieces.length > 50);
    assert.ok(pieces.every(({ length }) => length < 11_000));
    const text = `${pieces.join('')}${writer.end}`;
    assert.equal(text, `${JSON.stringify(JSON.parse(text), undefined, 1)}\n`);
  });
});
