import assert from 'node:assert/strict';
import { LLMock } from '@copilotkit/aimock';

import { historyItems } from '../../src/core/conversation/history.ts';
import { mostAttempts } from '../../src/core/conversation/retry.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import { clientFor } from '../support/client.ts';
import { ask, ports, run, shown, usages, type Outcome } from '../support/turns.ts';

/** A function that the mock's model can call. */
function tool(name: string): Tool {
  return {
    declaration: { type: 'function', name, description: name, parameters: { type: 'object' }, strict: false },
    run: async ({ input }) => ({ kind: 'done', text: `${name} got ${input}` }),
  };
}

describe('wire: the client and a server not written here', () => {
  let mock: LLMock;

  before(async () => {
    mock = new LLMock({ port: 0, chunkSize: 4 });
    await mock.start();
  });
  after(async () => {
    await mock.stop();
  });
  beforeEach(() => {
    mock.clearFixtures();
    mock.clearRequests();
  });

  async function play(
    question: string,
    tools: readonly Tool[] = [],
    more: Parameters<typeof ask>[1] = {},
  ): Promise<Outcome> {
    return await run(ports(clientFor(mock.url), tools), ask(question, more));
  }

  it('shows text', async () => {
    mock.onMessage('hello', { content: 'Hi 你好 👩‍👩‍👧‍👦, this is a longer answer.' });
    const { turn } = await play('hello');
    assert.deepEqual(shown(turn), ['answer: Hi 你好 👩‍👩‍👧‍👦, this is a longer answer.']);
    assert.deepEqual(turn.end, { kind: 'completed' });
  });

  it('shows a reasoning summary apart from the answer, and its usage', async () => {
    mock.onMessage('think', {
      content: 'Done.',
      reasoning: 'First this, then that.',
      usage: { input_tokens: 100, output_tokens: 20, total_tokens: 120 },
    });
    const { turn } = await play('think');
    assert.deepEqual(shown(turn), ['reasoning: First this, then that.', 'answer: Done.']);
    assert.deepEqual(usages(turn), [{ input: 100, cached: 0, cacheWrite: 0, output: 20, reasoning: 0 }]);
  });

  it('runs parallel function calls, and sends back whatever the model needs to go on', async () => {
    mock.on({ userMessage: 'tools', hasToolResult: true }, { content: 'Both are done.' });
    mock.onMessage('tools', {
      reasoning: 'Two things.',
      toolCalls: [
        { name: 'read_file', arguments: { path: 'a 文' } },
        { name: 'list_dir', arguments: {} },
      ],
    });
    const outcome = await play('tools', [tool('read_file'), tool('list_dir')]);
    assert.deepEqual(shown(outcome.turn), [
      'reasoning: Two things.',
      'tool read_file({"path":"a 文"})',
      'tool list_dir({})',
      'answer: Both are done.',
    ]);
    const sent = mock.getLastRequest()?.body as { messages: readonly { role: string; content: unknown }[] };
    assert.deepEqual(
      sent.messages.flatMap(({ role, content }) => (role === 'tool' ? content : [])),
      ['read_file got {"path":"a 文"}', 'list_dir got {}'],
    );
    assert.deepEqual(
      historyItems(outcome.history).map(({ type }) => type),
      [
        'message',
        'reasoning',
        'function_call',
        'function_call',
        'function_call_output',
        'function_call_output',
        'message',
      ],
    );
  });

  it('goes on over several turns with the whole conversation', async () => {
    mock.onMessage('one', { content: 'First.', reasoning: 'R' });
    mock.onMessage('two', { content: 'Second.' });
    const first = await play('one');
    const second = await play('two', [], { turn: 'turn-2', history: first.history });
    assert.equal(second.turn.end?.kind, 'completed');
    const sent = mock.getLastRequest()?.body as { messages: readonly { role: string }[] };
    assert.deepEqual(
      sent.messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'user'],
    );
  });

  it('tells a rate limit and how long to wait', async () => {
    mock.on(
      { userMessage: 'limit' },
      {
        error: { message: 'slow down', type: 'rate_limit_error', code: 'rate_limit_exceeded' },
        status: 429,
        retryAfter: 2,
      },
    );
    assert.deepEqual((await play('limit')).turn.end, {
      kind: 'failed',
      failure: { kind: 'rateLimited', message: 'slow down', retryAfter: 2000 },
    });
  });

  it('tells other errors by their status', async () => {
    for (const [status, kind] of [
      [401, 'badKey'],
      [403, 'forbidden'],
      [500, 'serverError'],
      [503, 'overloaded'],
    ] as const) {
      const attempts = status === 503 ? mostAttempts : 1;
      for (let n = 0; n < attempts; n++) mock.nextRequestError(status, { message: 'm' });
      const { end } = (await play('x')).turn;
      assert.ok(end?.kind === 'failed');
      assert.equal(end.failure.kind, kind);
    }
  });

  it('ends as incomplete at a limit, which this server calls completed', async () => {
    mock.onMessage('long', { content: 'As far as it goes', finishReason: 'length' });
    const { turn } = await play('long');
    assert.equal(turn.end?.kind, 'incomplete');
    assert.deepEqual(shown(turn), ['answer: As far as it goes']);
  });

  describe('a stream that is cut', () => {
    it('is a failure that keeps what came', async () => {
      // Without a pause this server sends nothing at all before the cut.
      mock.onMessage(
        'cut',
        { content: 'abcdefghijklmnopqrstuvwxyz' },
        { truncateAfterChunks: 8, latency: 5 },
      );
      const { turn } = await play('cut');
      assert.ok(turn.end?.kind === 'failed');
      assert.match(turn.end.failure.kind, /^(network|brokenStream)$/);
      assert.match(shown(turn)[0] ?? '', /^answer: abcd/);
      assert.equal(turn.broken?.length, 1);
    });

    it('is a failure also before anything came', async () => {
      for (const chaos of [{ disconnectRate: 1 }, { dropRate: 1 }, { malformedRate: 1 }]) {
        mock.clearFixtures();
        mock.onMessage('chaos', { content: 'x' }, { chaos });
        const { turn } = await play('chaos');
        assert.ok(turn.end?.kind === 'failed', JSON.stringify(chaos));
        assert.match(turn.end.failure.kind, /^(network|brokenStream|serverError)$/);
      }
    });
  });
});
