import assert from 'node:assert/strict';

import {
  canAnswer,
  type Approval,
  type ApprovalAnswer,
  type ApprovalRequest,
} from '../../../src/core/conversation/approval.ts';
import type { ToolPart } from '../../../src/core/conversation/conversation.ts';
import { emptyConversation, reduce } from '../../../src/core/conversation/reduce.ts';
import type { TurnSpec } from '../../../src/core/conversation/turn.ts';
import type { ShownEvent } from '../../../src/core/conversation/turnEvent.ts';
import type { Tool, ToolContext } from '../../../src/core/tools/tool.ts';
import { ask, ports, response, run, scriptedModel } from '../../support/turns.ts';

const wish: ApprovalRequest = { kind: 'read', why: 'ignored', path: '.env' };
const call = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'look', arguments: '{}' };
const answer = { type: 'message', content: [{ type: 'output_text', text: 'Done.' }] };

function tool(act: (context: ToolContext) => Promise<string>): Tool {
  return {
    declaration: { type: 'function', name: 'look', description: '', parameters: {}, strict: true },
    run: async (_call, context) => ({ kind: 'done', text: await act(context) }),
  };
}

async function turn(
  act: (context: ToolContext) => Promise<string>,
  decide: (approval: Approval) => Promise<ApprovalAnswer>,
  more: Partial<TurnSpec> = {},
): Promise<{ readonly part: ToolPart; readonly kinds: readonly string[] }> {
  const model = scriptedModel(response([call]), response([answer]));
  const outcome = await run(ports(model, [tool(act)], decide), ask('Look.', more));
  const part = outcome.turn.parts.find((one) => one.kind === 'tool');
  assert.ok(part !== undefined);
  return {
    part,
    kinds: outcome.events.map(({ kind }) => kind).filter((kind) => kind.startsWith('approval')),
  };
}

const asking = async ({ ask: askPerson }: ToolContext): Promise<string> => (await askPerson(wish)).kind;
const never = (): Promise<ApprovalAnswer> => new Promise(() => undefined);

describe('a tool that asks the person', () => {
  it('goes on with the answer, and both are shown', async () => {
    const { part, kinds } = await turn(asking, () => Promise.resolve({ kind: 'allow' }));
    assert.equal(part.outcome?.text, 'allow');
    assert.deepEqual(kinds, ['approvalAsked', 'approvalAnswered']);
    assert.deepEqual(
      part.approvals?.map(({ request, answer: given }) => ({ request, given })),
      [{ request: wish, given: { kind: 'allow' } }],
    );
  });

  it('may ask again', async () => {
    const { part } = await turn(
      async ({ ask: askPerson }) => {
        const answers = [await askPerson(wish), await askPerson(wish)];
        return answers.map(({ kind }) => kind).join();
      },
      ({ id }) => Promise.resolve(id === 'call-2' ? { kind: 'allow' } : { kind: 'deny', reason: 'No.' }),
    );
    assert.equal(part.outcome?.text, 'allow,deny');
    assert.equal(part.approvals?.length, 2);
  });

  it('asks nobody what was answered before', async () => {
    const model = scriptedModel(response([call]), response([answer]));
    const stage = ports(model, [tool(asking)]);
    const answered = (request: ApprovalRequest): ApprovalAnswer | undefined =>
      request === wish ? { kind: 'allow' } : undefined;
    const outcome = await run({ ...stage, answered }, ask('Look.'));
    const part = outcome.turn.parts.find((one) => one.kind === 'tool');
    assert.equal(part?.outcome?.text, 'allow');
    assert.equal(part.approvals, undefined);
  });

  it('is denied when nobody can be asked', async () => {
    const { part } = await turn(asking, () => Promise.reject(new Error('no panel')));
    assert.equal(part.outcome?.text, 'deny');
  });

  it('hears at once that the turn is stopped, whether it asks before or after', async () => {
    const stopping = new AbortController();
    const { part, kinds } = await turn(
      async ({ ask: askPerson }) => {
        const asked = askPerson(wish);
        stopping.abort();
        return [(await asked).kind, (await askPerson(wish)).kind].join();
      },
      never,
      { signal: stopping.signal },
    );
    assert.equal(part.outcome?.text, 'cancelled,cancelled');
    assert.deepEqual(kinds, ['approvalAsked', 'approvalAnswered', 'approvalAsked', 'approvalAnswered']);
  });

  it('hears at once that the person goes on without an answer', async () => {
    const leaving = new AbortController();
    const { part } = await turn(
      async ({ ask: askPerson }) => {
        const asked = askPerson(wish);
        leaving.abort();
        return [(await asked).kind, (await askPerson(wish)).kind].join();
      },
      never,
      { later: leaving.signal },
    );
    assert.equal(part.outcome?.text, 'later,later');
  });

  it('got no answer when it did not wait for one, and asks nobody any more', async () => {
    let kept: ToolContext | undefined;
    const { part } = await turn((context) => {
      kept = context;
      void context.ask(wish);
      return Promise.resolve('not waited for');
    }, never);
    assert.deepEqual(part.approvals?.at(0)?.answer, { kind: 'cancelled' });
    assert.deepEqual(await kept?.ask(wish), { kind: 'cancelled' });
  });
});

describe('the view of a call', () => {
  it('survives an answer to what was never asked', () => {
    const at = 1;
    const events: readonly ShownEvent[] = [
      {
        kind: 'turnStarted',
        turn: 't',
        question: { text: '', attachments: [] },
        model: 'kimi-k3',
        effort: 'max',
        at,
      },
      { kind: 'toolOpened', turn: 't', part: '0.0', name: 'look', at },
      { kind: 'approvalAnswered', turn: 't', part: '0.0', approval: 'none', answer: { kind: 'deny' } },
    ];
    const [part] = events.reduce(reduce, emptyConversation('c')).turns[0]?.parts ?? [];
    assert.deepEqual(part?.kind === 'tool' && part.approvals, []);
  });
});

describe('an answer', () => {
  const command: ApprovalRequest = { kind: 'command', command: 'ls', folder: '.', seconds: 1 };
  const secrets: ApprovalRequest = { kind: 'secrets', from: 'a', found: [] };

  it('can only be one that the question takes', () => {
    for (const request of [wish, command, secrets]) {
      assert.equal(canAnswer(request, { kind: 'allow' }), true);
      assert.equal(canAnswer(request, { kind: 'deny' }), true);
      assert.equal(canAnswer(request, { kind: 'later' }), false);
      assert.equal(canAnswer(request, { kind: 'cancelled' }), false);
      assert.equal(canAnswer(request, { kind: 'mask' }), request === secrets);
      assert.equal(canAnswer(request, { kind: 'allow', remember: true }), request === command);
    }
  });
});
