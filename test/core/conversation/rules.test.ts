import assert from 'node:assert/strict';

import type {
  AttachmentSummary,
  Conversation,
  ContextCut,
  Turn,
} from '../../../src/core/conversation/conversation.ts';
import {
  dueRules,
  ruleIndices,
  toldRules,
  type RuleChoice,
  type RuleState,
} from '../../../src/core/conversation/rules.ts';

const chip = (kind: AttachmentSummary['kind'], path: string, digest?: string): AttachmentSummary => ({
  id: path,
  kind,
  path,
  uri: `file:///${path}`,
  languageId: 'markdown',
  ...(digest !== undefined && { digest }),
});
const rule = (path: string, digest: string): AttachmentSummary => chip('instructions', path, digest);

function turn(
  attachments: readonly AttachmentSummary[],
  more: { cut?: ContextCut; removed?: true } = {},
): Turn {
  return {
    id: 't',
    question: { text: 'Why?', attachments },
    model: 'kimi-k3',
    effort: 'max',
    startedAt: 0,
    parts: [],
    requests: [],
    ...more,
  };
}

function told(...turns: readonly Turn[]): Readonly<Record<string, string>> {
  const conversation: Conversation = { id: 'c', turns };
  return Object.fromEntries(
    [...toldRules(conversation)].map(([uri, state]) => [
      uri.slice('file:///'.length),
      state.kind === 'told' ? state.digest : state.kind,
    ]),
  );
}

describe('what a conversation was told of standing instructions', () => {
  it('is what stands in its questions, the newest wording last', () => {
    assert.deepEqual(told(), {});
    assert.deepEqual(told(turn([chip('file', 'a.ts'), rule('AGENTS.md', '1')])), { 'AGENTS.md': '1' });
    assert.deepEqual(told(turn([rule('AGENTS.md', '1'), rule('own', '5')]), turn([rule('AGENTS.md', '2')])), {
      'AGENTS.md': '2',
      own: '5',
    });
    assert.deepEqual(told(turn([chip('instructions', 'old')])), { old: '' });
  });

  it('is forgotten with turns that the model no longer sees', () => {
    const first = [rule('AGENTS.md', '1'), rule('own', '5')];
    assert.deepEqual(told(turn(first, { removed: true })), {});
    assert.deepEqual(told(turn(first, { cut: { whole: true } })), {});
    assert.deepEqual(told(turn(first, { cut: { attachments: true } })), {});
    assert.deepEqual(told(turn(first), turn([rule('own', '6')], { cut: { whole: true } })), {
      'AGENTS.md': '1',
      own: '5',
    });
  });

  it('is left out where the person left it out by itself', () => {
    const first = turn([rule('AGENTS.md', '1'), rule('own', '5')], { cut: { files: [1], reasoning: true } });
    assert.deepEqual(told(first), { 'AGENTS.md': '1', own: 'leftOut' });
    assert.deepEqual(told(first, turn([rule('own', '5')])), { 'AGENTS.md': '1', own: '5' });
  });

  it('is found among other attachments', () => {
    assert.deepEqual(ruleIndices(turn([rule('a', '1'), chip('file', 'b'), rule('c', '1')])), [0, 2]);
  });
});

describe('what a conversation is to be told of standing instructions', () => {
  const now = [
    { uri: 'a', digest: '1' },
    { uri: 'b', digest: '2' },
    { uri: 'gone', digest: '' },
  ];
  const due = (
    told: Readonly<Record<string, string>>,
    choices: Readonly<Record<string, RuleChoice>> = {},
  ): Readonly<Record<string, readonly string[]>> => {
    const states = Object.entries(told).map(([uri, digest]): [string, RuleState] => [
      uri,
      digest === 'leftOut' ? { kind: 'leftOut' } : { kind: 'told', digest },
    ]);
    const { goes, left } = dueRules(new Map(states), now, new Map(Object.entries(choices)));
    const shown = ({ uri, changed }: { uri: string; changed?: true }): string =>
      changed ? `${uri} changed` : uri;
    return { goes: goes.map(shown), left: left.map(shown) };
  };

  it('is what it was not told, or in another wording', () => {
    assert.deepEqual(due({}), { goes: ['a', 'b'], left: [] });
    assert.deepEqual(due({ a: '1', b: '2' }), { goes: [], left: [] });
    assert.deepEqual(due({ a: '0', b: '2' }), { goes: ['a changed'], left: [] });
    assert.deepEqual(due({ a: '' }), { goes: ['a', 'b'], left: [] });
  });

  it('is that they no longer hold, once', () => {
    assert.deepEqual(due({ a: '1', b: '2', gone: '3' }), { goes: ['gone changed'], left: [] });
    assert.deepEqual(due({ a: '1', b: '2', gone: '' }), { goes: [], left: [] });
  });

  it('is not what the person left out, until they take it in again', () => {
    assert.deepEqual(due({ a: '0', b: 'leftOut' }), { goes: ['a changed'], left: ['b'] });
    assert.deepEqual(due({}, { a: 'leave' }), { goes: ['b'], left: ['a'] });
    assert.deepEqual(due({ a: '0', b: 'leftOut' }, { a: 'leave', b: 'send' }), {
      goes: ['b'],
      left: ['a changed'],
    });
    assert.deepEqual(due({ a: '1', b: '2' }, { a: 'leave' }), { goes: [], left: [] });
  });
});
