/** What a branch takes along of the turns before it, and what it leaves behind. */
import assert from 'node:assert/strict';

import {
  askedQuestion,
  exchanged,
  firstTurns,
  leftBehind,
  type Origin,
} from '../../../src/core/conversation/branch.ts';
import type { ProposedFile, Turn } from '../../../src/core/conversation/conversation.ts';
import { historyItems } from '../../../src/core/conversation/history.ts';
import { requestBody } from '../../../src/core/conversation/requestLog.ts';
import { noteMessage, userMessage, type Attachment } from '../../../src/core/conversation/userMessage.ts';
import { ask, ports, response, run, scriptedModel } from '../../support/turns.ts';

const attachment = (id: string): Attachment => ({
  id,
  kind: 'file',
  path: `${id}.ts`,
  uri: `file:///${id}.ts`,
  languageId: 'typescript',
  text: `text of ${id}\n`,
});
const summaryOf = ({ text: _, ...summary }: Attachment): Omit<Attachment, 'text'> => summary;
const message = (text: string): object => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});

/** Three turns; the second one with a note and two files. */
async function threeTurns(): Promise<Origin> {
  const model = ports(
    scriptedModel(response([message('one')]), response([message('two')]), response([message('three')])),
  );
  const files = [attachment('a'), attachment('b')];
  const first = await run(model, ask('first', { turn: 't1' }));
  const question = { text: 'second', attachments: files.map(summaryOf) };
  const second = await run(
    model,
    ask('', {
      ...first,
      turn: 't2',
      start: {
        kind: 'ask',
        question,
        message: userMessage('second', files),
        note: noteMessage(['by the way']),
      },
    }),
    first.conversation,
  );
  const third = await run(model, ask('third', { ...second, turn: 't3' }), second.conversation);
  return { conversation: third.conversation, history: third.history, requests: third.requests };
}

describe('conversation/branch', () => {
  let origin: Origin;
  before(async () => {
    origin = await threeTurns();
  });

  describe('the first turns', () => {
    it('are there as they were seen, as the model saw them, and as they were asked', () => {
      const branch = firstTurns(origin, 2, 'other') ?? assert.fail();
      assert.equal(branch.conversation.id, 'other');
      assert.deepEqual(branch.conversation.turns, origin.conversation.turns.slice(0, 2));
      assert.ok(branch.conversation.turns.every((turn, index) => turn === origin.conversation.turns[index]));
      const all = historyItems(origin.history);
      const begin = historyItems(branch.history);
      assert.deepEqual(begin, all.slice(0, begin.length));
      assert.equal(begin.length, 5);
      assert.deepEqual(branch.requests.requests, origin.requests.requests.slice(0, 2));
      assert.deepEqual(branch.requests.last, requestBody(origin.requests, 1)?.input);
    });

    it('may be none, or all', () => {
      const none = firstTurns(origin, 0, 'n') ?? assert.fail();
      assert.deepEqual(none, {
        conversation: { id: 'n', turns: [] },
        history: { groups: [] },
        requests: { requests: [], last: [] },
      });
      const all = firstTurns(origin, 3, 'a') ?? assert.fail();
      assert.deepEqual(all, { ...origin, conversation: { ...origin.conversation, id: 'a' } });
    });

    it('are not known while one of them runs', () => {
      const { end: _end, ...running } = origin.conversation.turns[1] ?? assert.fail();
      const conversation = { ...origin.conversation, turns: origin.conversation.turns.with(1, running) };
      assert.equal(firstTurns({ ...origin, conversation }, 2, 'x'), undefined);
      assert.ok(firstTurns({ ...origin, conversation }, 1, 'x'));
    });
  });

  describe('a question that is asked once more', () => {
    const second = (): Turn => origin.conversation.turns[1] ?? assert.fail();
    const files = [attachment('a'), attachment('b')];

    it('is the very same, without what the model was told before it', () => {
      assert.deepEqual(askedQuestion(origin.history, second()), {
        question: { text: 'second', attachments: files.map(summaryOf) },
        message: userMessage('second', files),
      });
    });

    it('has another text and the chips that stay, with their texts of then', () => {
      const edit = { text: 'better', attachments: new Set(['b', 'unknown']) };
      assert.deepEqual(askedQuestion(origin.history, second(), edit), {
        question: { text: 'better', attachments: [summaryOf(attachment('b'))] },
        message: userMessage('better', [attachment('b')]),
      });
      assert.deepEqual(
        askedQuestion(origin.history, second(), { text: 'bare', attachments: new Set() })?.message,
        userMessage('bare', []),
      );
    });

    it('is not known when the history does not have it, or has another one', () => {
      assert.equal(askedQuestion({ groups: [] }, second()), undefined);
      const other = { ...second(), question: { text: 'second', attachments: [] } };
      assert.equal(askedQuestion(origin.history, other), undefined);
    });
  });

  describe('a question with other attachments', () => {
    it('keeps the very texts of those that stay, in the order of before, between, after', () => {
      const asked = {
        question: { text: 'q', attachments: ['a', 'b', 'c'].map((id) => summaryOf(attachment(id))) },
        message: userMessage('q', ['a', 'b', 'c'].map(attachment)),
      };
      const all = ['x', 'a', 'c', 'y', 'z'].map(attachment);
      const now = exchanged(asked, {
        drop: new Set(['b', 'unknown']),
        before: [attachment('x')],
        after: [attachment('y'), attachment('z')],
      });
      assert.deepEqual(now, {
        question: { text: 'q', attachments: all.map(summaryOf) },
        message: userMessage('q', all),
      });
      assert.equal(now.message.content[1], asked.message.content[0]);
      assert.deepEqual(exchanged(asked, { drop: new Set(), before: [], after: [] }), asked);
    });
  });

  describe('what is left behind', () => {
    const file = (path: string, state: ProposedFile['state'], to?: string): ProposedFile => ({
      index: 0,
      path,
      change: to === undefined ? 'update' : 'move',
      ...(to !== undefined && { to }),
      added: 1,
      removed: 0,
      state,
      seen: true,
      amended: false,
    });
    const turnWith = (...files: readonly ProposedFile[]): Turn => ({
      ...(origin.conversation.turns[0] ?? assert.fail()),
      parts: [
        { kind: 'answer', id: '0.0', sections: ['Here.'], openedAt: 1 },
        { kind: 'tool', id: '0.1', name: 'apply_patch', input: '', openedAt: 1 },
        {
          kind: 'tool',
          id: '0.2',
          name: 'apply_patch',
          input: '',
          openedAt: 1,
          proposal: { id: 'p', files },
        },
      ],
    });

    it('is told when it is in the files', () => {
      const turns = [
        turnWith(file('a.ts', 'accepted'), file('b.ts', 'rejected'), file('c.ts', 'takenBack')),
        turnWith(file('a.ts', 'accepted'), file('d "1".ts', 'accepted', 'e.ts')),
      ];
      assert.equal(
        leftBehind(turns),
        'The user went back to an earlier point of this conversation. Changes that were accepted after that point are still in these files: "a.ts", "d \\"1\\".ts", "e.ts". What you know of these files may be out of date.',
      );
    });

    it('is nothing when nothing was accepted', () => {
      assert.equal(leftBehind([]), undefined);
      assert.equal(leftBehind([turnWith(file('a.ts', 'pending'), file('b.ts', 'conflict'))]), undefined);
    });

    it('is not told without end', () => {
      const many = Array.from({ length: 60 }, (_, index) => file(`${index}.ts`, 'accepted'));
      assert.match(leftBehind([turnWith(...many)]) ?? '', /"49\.ts" and 10 others\. What/);
    });
  });
});
