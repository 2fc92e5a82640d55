/** A conversation as Markdown, value by value. */
import assert from 'node:assert/strict';

import type { Conversation, ToolPart, Turn } from '../../../src/core/conversation/conversation.ts';
import { conversationText, type ConversationWords } from '../../../src/host/sessions/conversationText.ts';

const words: ConversationWords = {
  title: 'Chat',
  version: (question) => `Version from ${question}`,
  question: 'Question',
  answer: 'Answer',
  attached: 'Attached:',
  sources: 'Sources:',
  facts: ({ model, end }) => `${model} · ${end?.kind ?? 'running'}`,
  place: ({ path, range }) => (range === undefined ? path : `${path}:${range.from}`),
  state: ({ state }) => state,
  approval: ({ request, answer }) => `${request.kind}: ${answer?.kind ?? 'open'}`,
};
const turn = (id: string, more: Partial<Turn>): Turn => ({
  id,
  question: { text: 'Why?', attachments: [] },
  model: 'kimi-k3',
  effort: 'max',
  startedAt: 1,
  parts: [],
  requests: [],
  end: { kind: 'completed' },
  ...more,
});
const textOf = (...turns: readonly Turn[]): string => {
  const conversation: Conversation = { id: 'c', turns };
  return conversationText(conversation, words);
};
const patch = (input: string, more: Partial<ToolPart> = {}): ToolPart => ({
  kind: 'tool',
  id: '0.1',
  name: 'apply_patch',
  input,
  openedAt: 1,
  ...more,
});

describe('a conversation as Markdown', () => {
  it('has of other versions what was not told before, each under a heading', () => {
    const conversation = (id: string, ...turns: readonly Turn[]): Conversation => ({ id, turns });
    const ask = (id: string, text: string): Turn => turn(id, { question: { text, attachments: [] } });
    const [a, b, c, d] = [ask('1', 'First?'), ask('2', 'Second?'), ask('3', 'Other?'), ask('4', 'More?')];
    const text = conversationText(conversation('x', a, b), { ...words, about: 'Today' }, [
      conversation('y', a, turn('9', { removed: true }), c, d),
      conversation('z', a, b),
    ]);
    assert.deepEqual(
      text.match(/^(?:#.*|_.*_|.*\?)$/gm)?.filter((line) => !/Answer|kimi/.test(line)),
      [
        ...['# Chat', '_Today_', '## Question', 'First?', '## Question', 'Second?'],
        ...['# Version from 2', '## Question', 'Other?', '## Question', 'More?'],
      ],
    );
  });

  it('ends a block of code that a stopped answer or a question leaves open', () => {
    const after = (text: string): readonly string[] => {
      const parts = [{ kind: 'answer', id: '0.0', sections: [text], openedAt: 1 }] as const;
      const [, rest = ''] = textOf(turn('1', { parts, question: { text, attachments: [] } })).split(
        '## Answer\n\n',
      );
      assert.equal(
        textOf(turn('1', { question: { text, attachments: [] } })).split('\n\n')[2],
        rest.split('\n\n')[0],
      );
      return rest.split('\n\n')[0]?.split('\n') ?? [];
    };
    assert.deepEqual(after('```ts\nlet a'), ['```ts', 'let a', '```']);
    assert.deepEqual(after('~~~~\n~~~\n```'), ['~~~~', '~~~', '```', '~~~~']);
    assert.deepEqual(after('- a\n  ````\n  ```'), ['- a', '  ````', '  ```', '  ````']);
    for (const whole of ['```\na\n`````', '```a`b```\nc', '- a\n  ```\nb', 'no `code', '```\r\na\r\n```'])
      assert.equal(after(whole).join('\n'), whole);
  });

  it('ends HTML that would take all that follows with it', () => {
    for (const [text, end] of [
      ['<!-- how is this hidden?\n\nAnd', '-->'],
      ['So:\n<script>\n', '</script>'],
      ['  <PRE class=x>', '</pre>'],
      ['<?php', '?>'],
      ['<![CDATA[', ']]>'],
      ['<!-- a -->\n```\n<!--\n```', ''],
      ['Use `<!--` or <!--', ''],
      ['<!--\n```\n-->', ''],
      ['<prefix>', ''],
    ] as const) {
      const written = textOf(turn('1', { question: { text, attachments: [] } }));
      const whole = end === '' ? text : `${text}${text.endsWith('\n') ? '' : '\n'}${end}`;
      assert.ok(written.includes(`## Question\n\n${whole}\n\n## Answer`), written);
    }
  });

  it('has names and addresses of sources that are nothing else', () => {
    const citation = {
      section: 0,
      from: 0,
      to: 1,
      url: 'https://a.test/\n# <b> c',
      title: '[x](command:y)\n# *z*',
    };
    const text = textOf(
      turn('1', {
        parts: [{ kind: 'answer', id: '0.0', sections: ['So.'], openedAt: 1, citations: [citation] }],
      }),
    );
    const line = String.raw`- \[x\](command:y) # \*z\* <https://a.test/%0A#%20%3Cb%3E%20c>`;
    assert.ok(text.includes(`\n${line}\n`), text);
  });

  it('has questions with their chips and answers as they stand, without reasoning', () => {
    const text = textOf(
      turn('1', {
        question: {
          text: '# Look\n\nat `this`',
          attachments: [
            { id: 'a', kind: 'file', path: 'a.ts', uri: 'u', languageId: 'ts' },
            {
              id: 'b',
              kind: 'selection',
              path: 'odd`name.ts',
              uri: 'u',
              languageId: 'ts',
              range: { from: 3, to: 9 },
            },
          ],
        },
        parts: [
          { kind: 'reasoning', id: '0.0', sections: ['secret'], openedAt: 1 },
          { kind: 'answer', id: '0.1', sections: ['\n\n    indented\n\nlast \n', ' ', 'more'], openedAt: 1 },
        ],
      }),
      turn('2', { removed: true, question: { text: 'gone', attachments: [] } }),
      turn('3', { end: { kind: 'stopped' } }),
    );
    assert.equal(
      text,
      [
        '# Chat',
        '## Question',
        'Attached: `a.ts`, `` odd`name.ts:3 ``',
        '# Look\n\nat `this`',
        '## Answer',
        '    indented\n\nlast',
        'more',
        '_kimi-k3 · completed_',
        '## Question',
        'Why?',
        '## Answer',
        '_kimi-k3 · stopped_\n',
      ].join('\n\n'),
    );
  });

  it('has patches in fences that they can’t close, with what became of each file', () => {
    const text = textOf(
      turn('1', {
        parts: [
          patch('*** Begin Patch\n+````ts\n*** End Patch', {
            proposal: {
              id: 'p',
              files: [
                {
                  index: 0,
                  path: 'a.ts',
                  change: 'update',
                  added: 3,
                  removed: 1,
                  state: 'accepted',
                  seen: true,
                  amended: false,
                },
                {
                  index: 1,
                  path: 'b.ts',
                  to: 'c.ts',
                  change: 'move',
                  added: 0,
                  removed: 0,
                  state: 'rejected',
                  seen: true,
                  amended: false,
                },
              ],
            },
          }),
          patch('', { id: '0.2', progress: { files: [] } }),
          patch('{}\n', { id: '0.3', name: 'read_file' }),
        ],
      }),
    );
    assert.equal(
      text,
      [
        '# Chat',
        '## Question',
        'Why?',
        '## Answer',
        '`````diff\n*** Begin Patch\n+````ts\n*** End Patch\n`````',
        '- `a.ts` +3 −1 (accepted)\n- `b.ts` → `c.ts` +0 −0 (rejected)',
        '`read_file`',
        '```\n{}\n```',
        '_kimi-k3 · completed_\n',
      ].join('\n\n'),
    );
  });

  it('names the sources of an answer once each', () => {
    const cite = (url: string, title?: string) => ({
      section: 0,
      from: 0,
      to: 1,
      url,
      ...(title !== undefined && { title }),
    });
    const text = textOf(
      turn('1', {
        parts: [
          {
            kind: 'answer',
            id: '0.0',
            sections: ['So.'],
            openedAt: 1,
            citations: [cite('https://a.test/'), cite('https://b.test/', 'B\n2'), cite('https://a.test/')],
          },
        ],
      }),
    );
    assert.match(text, /So\.\n\nSources:\n\n- <https:\/\/a\.test\/>\n- B 2 <https:\/\/b\.test\/>\n\n_/);
  });

  it('holds what a call asked, and what was answered to it', () => {
    const parts = [
      {
        ...patch('{}', { name: 'look', namespace: 'db' }),
        approvals: [
          {
            id: 'a',
            request: { kind: 'read', why: 'ignored', path: 'a`b' },
            askedAt: 0,
            answer: { kind: 'allow' },
          },
          {
            ...{ id: 'b', askedAt: 0 },
            request: { kind: 'secrets', from: 'a', found: [] },
            answer: { kind: 'deny', reason: 'It is ```secret```.' },
          },
          { id: 'c', request: { kind: 'secrets', from: 'a', found: [] }, askedAt: 0 },
        ],
      },
    ] as const;
    const [, rest = ''] = textOf(turn('1', { parts })).split('## Answer\n\n');
    assert.equal(
      rest.split('\n\n_')[0],
      [
        '`db.look`',
        '```\n{}\n```',
        '- read: allow `` a`b ``',
        '- secrets: deny',
        '````\nIt is ```secret```.\n````',
        '- secrets: open',
      ].join('\n\n'),
    );
  });
});
