/**
 * One conversation with three servers: one not written here, and the simulated service, strict and lenient. People see the same, and
 * the same is sent, but for the ids that each server makes.
 */
import { LLMock } from '@copilotkit/aimock';
import assert from 'node:assert/strict';

import { emptyHistory, historyItems } from '../../src/core/conversation/history.ts';
import { emptyConversation } from '../../src/core/conversation/reduce.ts';
import { emptyRequestLog, requestBody } from '../../src/core/conversation/requestLog.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import {
  answer,
  functionCall,
  incomplete,
  parallel,
  reasoning,
  startSimulator,
  text,
  type Mode,
} from '../simulator/main.ts';
import { clientFor } from '../support/client.ts';
import { ask, ports, run, shown } from '../support/turns.ts';

const hello = 'Hi 你好 👩‍👩‍👧‍👦, this is a longer answer.';
const calls = [
  { name: 'read_file', arguments: { path: 'a 文' } },
  { name: 'list_dir', arguments: {} },
];
const questions = ['hello', 'tools', 'long', 'bye'];

const tools = calls.map(({ name }): Tool => ({
  declaration: { type: 'function', name, description: name, parameters: { type: 'object' }, strict: false },
  run: async ({ input }) => ({ kind: 'done', text: `${name} got ${input}` }),
}));

interface Told {
  /** What people see, turn by turn, and how each ended. */
  readonly shown: readonly unknown[];
  /** The input of each request, and what would go back with the next. */
  readonly sent: readonly unknown[];
}

async function converse(url: string): Promise<Told> {
  let history = emptyHistory();
  let requests = emptyRequestLog();
  let conversation = emptyConversation('c');
  for (const question of questions) {
    const spec = ask(question, { turn: question, history, requests });
    ({ history, requests, conversation } = await run(ports(clientFor(url), tools), spec, conversation));
  }
  const inputs = requests.requests.map((_, index) => requestBody(requests, index)?.input);
  return {
    shown: conversation.turns.map((turn) => [turn.end?.kind, ...shown(turn)]),
    sent: [...inputs, historyItems(history)].map(withoutIds),
  };
}

/** Ids become their order of appearance, so that what belongs together still does. */
function withoutIds(items: unknown): unknown {
  const seen: unknown[] = [];
  return JSON.parse(
    JSON.stringify(items, (key, value: unknown) => {
      if (key === 'id') return undefined;
      if (key !== 'call_id') return value;
      if (!seen.includes(value)) seen.push(value);
      return seen.indexOf(value);
    }),
  );
}

async function withMock(): Promise<Told> {
  const mock = new LLMock({ port: 0, chunkSize: 4 });
  mock.onMessage('hello', { content: hello });
  mock.on({ userMessage: 'tools', hasToolResult: true }, { content: 'Both are done.', reasoning: 'So.' });
  mock.onMessage('tools', { reasoning: 'Two things.', toolCalls: calls });
  mock.onMessage('long', { content: 'As far as it goes', finishReason: 'length' });
  mock.onMessage('bye', { content: 'Bye.', reasoning: 'The end.' });
  await mock.start();
  try {
    return await converse(mock.url);
  } finally {
    await mock.stop();
  }
}

async function withSimulator(mode: Mode): Promise<Told> {
  const simulator = await startSimulator({
    mode,
    callIds: 'counted',
    script: [
      answer(text(hello)),
      answer(
        reasoning('Two things.'),
        parallel(...calls.map((call) => functionCall(call.name, call.arguments))),
      ),
      answer(reasoning('So.'), text('Both are done.')),
      answer(text('As far as it goes', incomplete())),
      answer(reasoning('The end.'), text('Bye.')),
    ],
  });
  try {
    const told = await converse(simulator.url);
    assert.deepEqual(simulator.violations, []);
    assert.equal(simulator.repliesLeft, 0);
    await simulator.allSocketsClosed();
    return told;
  } finally {
    await simulator.close();
  }
}

describe('wire: the same conversation', () => {
  it('is the same with a server not written here and with the simulated service in both modes', async () => {
    const told = await withMock();
    assert.deepEqual(told.shown, [
      ['completed', `answer: ${hello}`],
      [
        'completed',
        'reasoning: Two things.',
        'tool read_file({"path":"a 文"})',
        'tool list_dir({})',
        'reasoning: So.',
        'answer: Both are done.',
      ],
      ['incomplete', 'answer: As far as it goes'],
      ['completed', 'reasoning: The end.', 'answer: Bye.'],
    ]);
    assert.equal(told.sent.length, questions.length + 2);
    for (const mode of ['strict', 'lenient'] as const)
      assert.deepEqual(await withSimulator(mode), told, mode);
  });
});
