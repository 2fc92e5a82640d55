import assert from 'node:assert/strict';

import type { Turn } from '../../../src/core/conversation/conversation.ts';
import { emptyHistory, historyItems } from '../../../src/core/conversation/history.ts';
import type { ModelChunk, ModelPort } from '../../../src/core/conversation/modelPort.ts';
import { emptyConversation } from '../../../src/core/conversation/reduce.ts';
import { runTurn, type TurnPorts, type TurnSpec } from '../../../src/core/conversation/turn.ts';
import type { TurnEvent } from '../../../src/core/conversation/turnEvent.ts';
import { noteMessage } from '../../../src/core/conversation/userMessage.ts';
import { webSearchDeclaration } from '../../../src/core/responses/webSearchTool.ts';
import type { HistoryItem, RequestBody } from '../../../src/core/responses/wire.ts';
import type { Tool, ToolCall, ToolContext, ToolOutcome } from '../../../src/core/tools/tool.ts';
import {
  ask,
  fixture,
  ports,
  response,
  run,
  scriptedModel,
  shown,
  stream,
  userMessage,
  type Outcome,
  type ScriptedAnswer,
} from '../../support/turns.ts';

const reasoning = (id = 'rs_1'): object => ({
  type: 'reasoning',
  id,
  summary: [{ type: 'summary_text', text: 'Hm.' }],
});
const said = (text: string): object => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
});
const call = (name: string, n = 0, args = '{}'): object => ({
  type: 'function_call',
  id: `fc_${n}`,
  call_id: `${name}:${n}`,
  name,
  arguments: args,
});

function failureOf(chunk: ModelChunk): unknown {
  return chunk.kind === 'failed' && chunk.failure;
}

type Runner = (call: ToolCall, context: ToolContext) => Promise<ToolOutcome>;

function tool(name: string, runner: Runner, more: Partial<Tool> = {}): Tool {
  return {
    declaration: { type: 'function', name, description: '', parameters: {}, strict: false },
    run: runner,
    ...more,
  };
}

const echo = tool('echo', async ({ input }) => ({ kind: 'done', text: `echo ${input}` }));

function kinds(outcome: Outcome): readonly string[] {
  return outcome.events.map(({ kind }) => kind);
}

function kept(outcome: Outcome): readonly HistoryItem[] {
  return historyItems(outcome.history).slice(1);
}

function outputs(outcome: Outcome): readonly string[] {
  return kept(outcome).flatMap((item) => ('output' in item ? `${item.call_id} ${item.output}` : []));
}

function outcomes(turn: Turn): readonly unknown[] {
  return turn.parts.flatMap((part) => (part.kind === 'tool' ? (part.outcome ?? 'none') : []));
}

/** A response of which the events come one by one, and which then never ends unless it is aborted. */
function endless(...events: readonly object[]): ScriptedAnswer {
  return async function* (_body, signal) {
    for (const event of events) yield { kind: 'text', text: stream(event) };
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', resolve, { once: true });
    });
  };
}

describe('conversation/turn', () => {
  describe('the order of events', () => {
    it('is one start first, one end last', async () => {
      const outcome = await run(ports(scriptedModel(response([reasoning(), said('Hi')]))), ask('q'));
      assert.deepEqual(kinds(outcome), [
        'turnStarted',
        'itemsKept',
        'requestMade',
        'requestSent',
        'partOpened',
        'textAdded',
        'partClosed',
        'partOpened',
        'textAdded',
        'partClosed',
        'requestEnded',
        'itemsKept',
        'turnEnded',
      ]);
    });

    it('carries the time of each event', async () => {
      let now = 0;
      const outcome = await run(
        { ...ports(scriptedModel(response([said('Hi')]))), clock: () => (now += 1) },
        ask('q'),
      );
      assert.deepEqual(
        outcome.events.flatMap((event) => ('at' in event ? event.at : [])),
        [1, 2, 3, 4, 5, 6],
      );
    });
  });

  describe('the loop', () => {
    it('tells the model what its tools did, until it calls none', async () => {
      const model = scriptedModel(
        response([reasoning('rs_1'), call('echo', 0, '{"a":1}')]),
        response([reasoning('rs_2'), call('echo', 0, '{"a":2}')]),
        response([reasoning('rs_3'), said('Done.')]),
      );
      const outcome = await run(ports(model, [echo]), ask('q'));
      assert.deepEqual(outcome.turn.end, { kind: 'completed' });
      assert.deepEqual(
        kept(outcome).map(({ type }) => type),
        [
          'reasoning',
          'function_call',
          'function_call_output',
          'reasoning',
          'function_call',
          'function_call_output',
          'reasoning',
          'message',
        ],
      );
      assert.deepEqual(outputs(outcome), ['echo:0 echo {"a":1}', 'echo:0 echo {"a":2}']);
      assert.deepEqual(
        outcome.turn.parts.map(({ id }) => id),
        ['0.0', '0.1', '1.0', '1.1', '2.0', '2.1'],
      );
      assert.equal(outcome.turn.requests.length, 3);
    });

    it('tells the model before the question what happened since the last one', async () => {
      const message = userMessage('q');
      const note = noteMessage(['Something was taken back.']);
      const start = { kind: 'ask', question: { text: 'q', attachments: [] }, message, note } as const;
      const outcome = await run(ports(scriptedModel(response([said('Fine.')]))), { ...ask('q'), start });
      assert.deepEqual(historyItems(outcome.history).slice(0, 2), [note, message]);
    });

    it('begins every request with the bytes of the one before', async () => {
      const model = scriptedModel(
        response([reasoning(), call('echo')]),
        response([reasoning(), said('One.')]),
        response([reasoning(), call('echo'), call('echo', 1)]),
        response([said('Two.')]),
      );
      const turnPorts = ports(model, [echo]);
      const first = await run(turnPorts, ask('one'));
      await run(turnPorts, ask('two', { turn: 'turn-2', history: first.history }));
      assert.equal(model.bodies.length, 4);
      for (const [index, body] of model.bodies.slice(1).entries()) {
        const before = model.bodies[index] ?? '';
        // Without the end of the list and of the object.
        assert.equal(body.slice(0, before.length - 2), before.slice(0, -2));
      }
    });

    it('sends what the turn was asked with', async () => {
      const model = scriptedModel(response([said('Hi')]));
      await run(
        ports(model, [echo]),
        ask('q', { effort: 'low', maxOutputTokens: 9, instructions: 'Rules.' }),
      );
      assert.equal(
        model.bodies[0],
        JSON.stringify({
          model: 'kimi-k3.1-pro',
          stream: true,
          instructions: 'Rules.',
          reasoning: { effort: 'low' },
          max_output_tokens: 9,
          tools: [echo.declaration],
          tool_choice: 'auto',
          input: [userMessage('q')],
        }),
      );
    });

    it('offers the service’s own search behind the tools, in every request of the turn', async () => {
      const model = scriptedModel(response([call('echo')]), response([]));
      await run(ports(model, [echo]), ask('q', { webSearch: { domains: ['nodejs.org'] } }));
      const declared = model.bodies.map((body) => (JSON.parse(body) as RequestBody).tools);
      const search = webSearchDeclaration({ domains: ['nodejs.org'] });
      assert.deepEqual(declared, [
        [echo.declaration, search],
        [echo.declaration, search],
      ]);
    });

    it('ends after as many requests as it may make, with every call answered', async () => {
      const again = response([reasoning(), call('echo')]);
      const outcome = await run(ports(scriptedModel(again, again), [echo]), ask('q', { maxRounds: 2 }));
      assert.deepEqual(outcome.turn.end, { kind: 'failed', failure: { kind: 'tooManyRounds', rounds: 2 } });
      assert.equal(outputs(outcome).length, 2);
      assert.equal(outcome.turn.broken, undefined);
    });

    it('ends a turn whose answer is empty', async () => {
      const outcome = await run(ports(scriptedModel(response([]))), ask('q'));
      assert.deepEqual(outcome.turn.end, { kind: 'completed' });
      assert.deepEqual(kept(outcome), []);
    });

    it('never throws: a bug of a port ends the turn', async () => {
      const outcome = await run(
        ports({
          // oxlint-disable-next-line require-yield
          async *send() {
            throw new TypeError('no such thing');
          },
        }),
        ask('q'),
      );
      assert.deepEqual(outcome.turn.end, {
        kind: 'failed',
        failure: { kind: 'bug', detail: 'TypeError: no such thing' },
      });
      const odd = await run(ports(scriptedModel(response([]))), ask('q', { model: 'kimi-k9' as 'kimi-k3' }));
      assert.ok(odd.turn.end?.kind === 'failed' && odd.turn.end.failure.kind === 'bug');
      const thrown = await run(
        ports({
          send() {
            // oxlint-disable-next-line typescript/only-throw-error
            throw 'a text';
          },
        }),
        ask('q'),
      );
      assert.deepEqual(thrown.turn.end, { kind: 'failed', failure: { kind: 'bug', detail: 'a text' } });
    });

    it('closes the answer when its reader goes away', async () => {
      let closed = false;
      const model = scriptedModel(async function* () {
        try {
          for (;;) yield { kind: 'text', text: stream({ type: 'response.output_text.delta', delta: 'a' }) };
        } finally {
          closed = true;
        }
      });
      for await (const event of runTurn(ports(model), ask('q'))) if (event.kind === 'textAdded') break;
      assert.equal(closed, true);
    });
  });

  describe('tool calls', () => {
    it('run at the same time, and are answered in the order of the calls', async () => {
      const arrived: string[] = [];
      let release = (): void => undefined;
      const both = new Promise<void>((resolve) => {
        release = resolve;
      });
      const slow = tool('slow', async ({ input }) => {
        arrived.push(input);
        if (arrived.length === 2) release();
        await both;
        // The second one settles first.
        if (input === '{"n":0}') await new Promise(setImmediate);
        return { kind: 'done', text: input };
      });
      const model = scriptedModel(
        response([reasoning(), call('slow', 0, '{"n":0}'), call('slow', 1, '{"n":1}')]),
        response([]),
      );
      const outcome = await run(ports(model, [slow]), ask('q'));
      assert.deepEqual(outputs(outcome), ['slow:0 {"n":0}', 'slow:1 {"n":1}']);
      assert.deepEqual(
        outcome.events.flatMap((event) => (event.kind === 'toolSettled' ? event.part : [])),
        ['0.2', '0.1'],
      );
    });

    it('of a tool that wants them in order wait for one another', async () => {
      let running = 0;
      const one = tool(
        'one',
        async ({ input }) => {
          running += 1;
          assert.equal(running, 1);
          await new Promise(setImmediate);
          running -= 1;
          return { kind: 'done', text: input };
        },
        { inOrder: true },
      );
      const model = scriptedModel(
        response([reasoning(), call('one', 0), call('one', 1), call('echo', 2), call('one', 3)]),
        response([]),
      );
      const outcome = await run(ports(model, [one, echo]), ask('q'));
      assert.deepEqual(
        outcomes(outcome.turn).map((each) => (each as ToolOutcome).kind),
        ['done', 'done', 'done', 'done'],
      );
      const asked = outcome.events.flatMap((event) =>
        event.kind === 'toolAsked' || event.kind === 'toolSettled' ? `${event.kind} ${event.part}` : [],
      );
      assert.ok(asked.indexOf('toolAsked 0.2') > asked.indexOf('toolSettled 0.1'));
      assert.ok(asked.indexOf('toolSettled 0.3') < asked.indexOf('toolSettled 0.1'));
    });

    it('have ids of our own, because the server’s repeat', async () => {
      const ids: string[] = [];
      const idTool = tool('id', async ({ id }) => {
        ids.push(id);
        return { kind: 'done', text: '' };
      });
      const again = response([reasoning(), call('id')]);
      await run(ports(scriptedModel(again, again, response([])), [idTool]), ask('q'));
      assert.deepEqual(ids, ['call-1', 'call-2']);
    });

    it('of an unknown tool are an error that the model can read', async () => {
      const model = scriptedModel(
        response([reasoning(), call('nope'), call('bad name!', 1)]),
        response([said('Ok.')]),
      );
      const outcome = await run(ports(model, [echo]), ask('q'));
      assert.deepEqual(outcome.turn.end, { kind: 'completed' });
      assert.deepEqual(outputs(outcome), [
        'nope:0 There is no tool "nope". Available: echo.',
        'bad name!:1 There is no tool "bad name!". Available: echo.',
      ]);
      const none = await run(ports(scriptedModel(response([call('nope')]), response([]))), ask('q'));
      assert.deepEqual(outputs(none), ['nope:0 There is no tool "nope". No tools are available.']);
    });

    it('with arguments that are no JSON are refused before the tool sees them', async () => {
      const model = scriptedModel(response([reasoning(), call('echo', 0, '{"a":')]), response([]));
      const outcome = await run(ports(model, [echo]), ask('q'));
      assert.deepEqual(outputs(outcome), [
        'echo:0 The arguments of echo are not valid JSON. Nothing was done.',
      ]);
    });

    it('with arguments nested so deep that nobody could write them down are refused, too', async () => {
      const deep = (levels: number): string =>
        `{"a":"[{\\"[","b":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
      const calls = [call('echo', 0, deep(100_000)), call('echo', 1, deep(101)), call('echo', 2, deep(100))];
      const model = scriptedModel(response([reasoning(), ...calls]), response([]));
      const outcome = await run(ports(model, [echo]), ask('q'));
      const refused = 'The arguments of echo are nested more than 100 levels deep. Nothing was done.';
      assert.deepEqual(outputs(outcome).slice(0, 2), [`echo:0 ${refused}`, `echo:1 ${refused}`]);
      assert.ok(outputs(outcome)[2]?.includes(deep(100)));
    });

    it('that throw are failed, and the turn goes on', async () => {
      const broken = tool('broken', async () => {
        throw new RangeError('out of it');
      });
      const model = scriptedModel(response([reasoning(), call('broken')]), response([said('Ok.')]));
      const outcome = await run(ports(model, [broken]), ask('q'));
      assert.deepEqual(outcome.turn.end, { kind: 'completed' });
      assert.deepEqual(outcomes(outcome.turn), [
        { kind: 'failed', text: 'The tool failed because of a bug: RangeError: out of it' },
      ]);
    });

    it('show their proposals until they have an outcome', async () => {
      const contexts: ToolContext[] = [];
      const review = tool('review', async (_call, context) => {
        contexts.push(context);
        context.proposal({ id: 'p', files: [] });
        await new Promise(setImmediate);
        context.proposal({ id: 'p2', files: [] });
        return { kind: 'rejected', text: 'The person said no.' };
      });
      const model = scriptedModel(
        response([reasoning(), call('review'), call('echo', 1)]),
        async function* () {
          contexts[0]?.proposal({ id: 'late', files: [] });
          yield { kind: 'text', text: response([]) };
        },
      );
      const outcome = await run(ports(model, [review, echo]), ask('q'));
      assert.deepEqual(
        outcome.events.flatMap((event) => (event.kind === 'toolReviewed' ? event.proposal.id : [])),
        ['p', 'p2'],
      );
      assert.deepEqual(outcomes(outcome.turn)[0], { kind: 'rejected', text: 'The person said no.' });
    });

    it('that only wait for the person are left when the person goes on: the turn ends without another request', async () => {
      const later = new AbortController();
      const review = tool('review', async (_call, context) => {
        setImmediate(() => later.abort());
        await new Promise<void>((resolve) => {
          context.later?.addEventListener('abort', resolve, { once: true });
        });
        return { kind: 'undecided', text: 'Not decided yet.' };
      });
      const model = scriptedModel(response([reasoning(), call('review')]));
      const outcome = await run(ports(model, [review]), { ...ask('q'), later: later.signal });
      assert.deepEqual(outcome.turn.end, { kind: 'completed' });
      assert.deepEqual(outputs(outcome), ['review:0 Not decided yet.']);
      assert.equal(outcome.turn.requests.length, 1);
    });

    it('take in a function what a custom tool is sent, and the other way round', async () => {
      const inputs: string[] = [];
      const patch: Tool = {
        declaration: {
          type: 'custom',
          name: 'apply_patch',
          description: '',
          format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
        },
        run: async ({ input }) => {
          inputs.push(input);
          return { kind: 'done', text: '' };
        },
      };
      const wrapped = [
        '{"input":"a"}',
        '{"x":1,"patch":"b"}',
        '{"anything":"c"}',
        '"d"',
        '{"x":"1","y":"2"}',
        '{}',
        '[',
        '7',
      ];
      const model = scriptedModel(
        response([reasoning(), ...wrapped.map((text, n) => call('apply_patch', n, text))]),
        response([{ type: 'custom_tool_call', call_id: 'e:0', name: 'echo', input: '{"a":1}' }]),
        response([]),
      );
      const outcome = await run(ports(model, [patch, echo]), ask('q'));
      assert.deepEqual(inputs, ['a', 'b', 'c', 'd', '{"x":"1","y":"2"}', '{}', '[', '7']);
      assert.equal(outputs(outcome).at(-1), 'e:0 echo {"a":1}');
    });

    it('show their input as it turned out, when that is not what was streamed', async () => {
      const at = { item_id: 'fc_0', output_index: 0 };
      const model = scriptedModel(
        stream(
          { type: 'response.output_item.added', output_index: 0, item: call('echo', 0, '') },
          { type: 'response.function_call_arguments.delta', ...at, delta: '{"x"' },
          { type: 'response.function_call_arguments.done', ...at, arguments: '{"y":1}' },
        ) + response([]),
        response([]),
      );
      const outcome = await run(ports(model, [echo]), ask('q'));
      assert.deepEqual(shown(outcome.turn), ['tool echo({"y":1})']);
    });

    it('that the final output does not have are never run', async () => {
      const model = scriptedModel(
        stream({ type: 'response.output_item.added', output_index: 0, item: call('echo') }) +
          response([said('Hi')]),
      );
      const outcome = await run(ports(model, [echo]), ask('q'));
      assert.deepEqual(outcome.turn.end, { kind: 'completed' });
      assert.deepEqual(outcomes(outcome.turn), [
        {
          kind: 'cancelled',
          text: 'Not run: the answer ended before this call was complete. Nothing was done.',
        },
      ]);
    });

    it('of an answer that is not complete are never run, and those that are whole are answered', async () => {
      let ran = 0;
      const counting = tool('echo', async () => {
        ran += 1;
        return { kind: 'done', text: '' };
      });
      for (const status of ['incomplete', 'failed']) {
        const whole = call('echo', 0);
        const half = { ...call('echo', 1, '{"a"'), status: 'incomplete' };
        const text = stream({
          type: `response.${status}`,
          response: { status, output: [reasoning(), whole, half] },
        });
        const outcome = await run(ports(scriptedModel(text), [counting]), ask('q'));
        assert.deepEqual(
          outcomes(outcome.turn).map((each) => (each as ToolOutcome).kind),
          ['cancelled', 'cancelled'],
        );
        assert.deepEqual(outputs(outcome), [
          'echo:0 Not run: the answer ended before this call was complete. Nothing was done.',
        ]);
        assert.ok(outcome.turn.parts.every(({ closedAt }) => closedAt !== undefined));
      }
      assert.equal(ran, 0);
    });

    it('tell while they stream in what is certain of them', async () => {
      const fed: string[] = [];
      const news = { index: 0, path: 'a', change: 'add', added: 1, removed: 0 } as const;
      const watched = tool('echo', async () => ({ kind: 'done', text: '' }), {
        watch: () => ({
          feed: (text) => {
            fed.push(text);
            return fed.length === 2 ? [news] : undefined;
          },
        }),
      });
      const at = { item_id: 'fc_0', output_index: 0 };
      const pieces = [
        { type: 'response.output_item.added', output_index: 0, item: call('echo', 0, '') },
        { type: 'response.function_call_arguments.delta', ...at, delta: '{' },
        { type: 'response.function_call_arguments.delta', ...at, delta: '}' },
      ].map((event): ModelChunk => ({ kind: 'text', text: stream(event) }));
      const model = scriptedModel([...pieces, { kind: 'text', text: response([]) }], response([]));
      const outcome = await run(ports(model, [watched]), ask('q'));
      assert.deepEqual(fed, ['{', '}']);
      assert.deepEqual(
        outcome.turn.parts.map((part) => part.kind === 'tool' && part.progress),
        [{ files: [{ path: 'a', change: 'add', added: 1, removed: 0 }] }],
      );
    });

    it('are not watched when their input is wrapped', async () => {
      let watchers = 0;
      const patch: Tool = {
        declaration: {
          type: 'custom',
          name: 'apply_patch',
          description: '',
          format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
        },
        watch: () => {
          watchers += 1;
          return { feed: () => undefined };
        },
        run: async () => ({ kind: 'done', text: '' }),
      };
      for (const name of ['apply-patch', 'apply-patch-as-function']) {
        await run(ports(scriptedModel(fixture(name), response([])), [patch]), ask('q'));
      }
      assert.equal(watchers, 1);
    });
  });

  describe('stopping', () => {
    it('before anything was sent leaves the question', async () => {
      const model = scriptedModel();
      const outcome = await run(ports(model), ask('q', { signal: AbortSignal.abort() }));
      assert.deepEqual(outcome.turn.end, { kind: 'stopped' });
      assert.deepEqual(historyItems(outcome.history), [userMessage('q')]);
      assert.equal(model.bodies.length, 0);
    });

    it('in the reasoning leaves it in the view and out of the history', async () => {
      const abort = new AbortController();
      const outcome = await run(
        ports(
          scriptedModel(
            endless(
              {
                type: 'response.output_item.added',
                output_index: 0,
                item: { type: 'reasoning', id: 'rs_1' },
              },
              { type: 'response.reasoning_summary_text.delta', item_id: 'rs_1', delta: 'Hm' },
            ),
          ),
        ),
        ask('q', { signal: abort.signal }),
        undefined,
        ({ kind }) => {
          if (kind === 'textAdded') abort.abort();
        },
      );
      assert.deepEqual(outcome.turn.end, { kind: 'stopped' });
      assert.deepEqual(shown(outcome.turn), ['reasoning: Hm']);
      assert.deepEqual(kept(outcome), []);
      assert.deepEqual(outcome.turn.broken, ['0.0']);
      assert.ok(outcome.turn.parts[0]?.closedAt !== undefined);
    });

    it('in the answer keeps it as far as it came, after its reasoning', async () => {
      const abort = new AbortController();
      const outcome = await run(
        ports(
          scriptedModel(
            endless(
              { type: 'response.output_item.done', output_index: 0, item: reasoning() },
              { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 1, delta: 'Half a' },
            ),
          ),
        ),
        ask('q', { signal: abort.signal }),
        undefined,
        (event) => {
          if (event.kind === 'textAdded' && event.text === 'Half a') abort.abort();
        },
      );
      assert.deepEqual(kept(outcome), [
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Half a' }] },
      ]);
      assert.ok(outcome.events.some((event) => event.kind === 'itemsKept' && event.partial === true));
    });

    it('in the input of a call leaves the call out, and says that it did not run', async () => {
      const abort = new AbortController();
      const outcome = await run(
        ports(
          scriptedModel(
            endless(
              { type: 'response.output_item.done', output_index: 0, item: reasoning() },
              { type: 'response.output_item.done', output_index: 1, item: call('echo', 0) },
              { type: 'response.output_item.added', output_index: 2, item: call('echo', 1, '') },
              { type: 'response.function_call_arguments.delta', item_id: 'fc_1', delta: '{"a' },
            ),
          ),
          [echo],
        ),
        ask('q', { signal: abort.signal }),
        undefined,
        (event) => {
          if (event.kind === 'toolInputAdded' && event.text === '{"a') abort.abort();
        },
      );
      const cancelled = { kind: 'cancelled', text: 'Cancelled by the user.' };
      assert.deepEqual(outcomes(outcome.turn), [cancelled, cancelled]);
      assert.deepEqual(outputs(outcome), ['echo:0 Cancelled by the user.']);
      assert.equal(kept(outcome).length, 3);
    });

    it('while a tool runs waits for what the tool says it has done', async () => {
      const abort = new AbortController();
      const patient = tool('patient', async (_call, { signal }) => {
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', resolve, { once: true });
        });
        return { kind: 'done', text: 'Half of it was done.' };
      });
      const lazy = tool('lazy', async () => ({ kind: 'done', text: '' }), { inOrder: true });
      const first = tool(
        'first',
        async (_call, { signal }) => {
          await new Promise<void>((resolve) => {
            signal.addEventListener('abort', resolve, { once: true });
          });
          return { kind: 'cancelled', text: 'Nothing was done.' };
        },
        { inOrder: true },
      );
      const model = scriptedModel(
        response([reasoning(), call('patient', 0), call('first', 1), call('first', 2), call('lazy', 3)]),
      );
      const outcome = await run(
        ports(model, [patient, lazy, first]),
        ask('q', { signal: abort.signal }),
        undefined,
        (event) => {
          if (event.kind === 'toolSettled' && event.part === '0.4') abort.abort();
        },
      );
      assert.deepEqual(outcome.turn.end, { kind: 'stopped' });
      assert.deepEqual(outputs(outcome), [
        'patient:0 Half of it was done.',
        'first:1 Nothing was done.',
        'first:2 Cancelled by the user.',
        'lazy:3 ',
      ]);
      assert.equal(outcome.turn.broken, undefined);
      assert.equal(model.bodies.length, 1);
    });

    it('between the answer and its tools runs none of them', async () => {
      const abort = new AbortController();
      const outcome = await run(
        ports(scriptedModel(response([reasoning(), call('echo')])), [echo]),
        ask('q', { signal: abort.signal, maxRounds: 1 }),
        undefined,
        ({ kind }) => {
          if (kind === 'requestEnded') abort.abort();
        },
      );
      assert.deepEqual(outcome.turn.end, { kind: 'stopped' });
      assert.deepEqual(outputs(outcome), ['echo:0 Cancelled by the user.']);
      assert.ok(!kinds(outcome).includes('toolAsked'));
    });

    it('counts only when the answer was not there yet', async () => {
      const abort = new AbortController();
      const outcome = await run(
        ports(scriptedModel(response([said('Hi')]))),
        ask('q', { signal: abort.signal }),
        undefined,
        ({ kind }) => {
          if (kind === 'partClosed') abort.abort();
        },
      );
      assert.deepEqual(outcome.turn.end, { kind: 'completed' });
    });
  });

  describe('resuming', () => {
    const again = (before: Outcome, more: object = {}): ReturnType<typeof ask> =>
      ask('', { start: { kind: 'resume', shown: before.turn }, history: before.history, ...more });

    it('asks again for an answer that broke, as if that had not been', async () => {
      const model = scriptedModel(
        response([reasoning('rs_0'), call('echo')]),
        fixture('ends-early'),
        response([reasoning('rs_2'), said('Whole.')]),
      );
      const turnPorts = ports(model, [echo]);
      const first = await run(turnPorts, ask('q'));
      assert.deepEqual(first.turn.broken, ['1.0', '1.1']);
      const second = await run(turnPorts, again(first), first.conversation);
      assert.equal(model.bodies[2], model.bodies[1]);
      assert.deepEqual(second.turn.end, { kind: 'completed' });
      assert.deepEqual(shown(second.turn), [
        'reasoning: Hm.',
        'tool echo({})',
        'reasoning: Hm.',
        'answer: Whole.',
      ]);
      assert.deepEqual(
        second.turn.parts.map(({ id }) => id),
        ['0.0', '0.1', '2.0', '2.1'],
      );
      assert.equal(second.conversation.turns.length, 1);
    });

    it('goes on from an answer that the server cut off at a limit', async () => {
      const model = scriptedModel(fixture('incomplete'), response([said('…and the rest.')]));
      const first = await run(ports(model), ask('q'));
      const second = await run(
        ports(model),
        again(first, { start: { kind: 'resume', shown: first.turn, message: userMessage('Go on.') } }),
        first.conversation,
      );
      assert.equal(second.turn.parts.length, 3);
      assert.deepEqual(
        historyItems(second.history).map((item) => ('role' in item ? item.role : item.type)),
        ['user', 'reasoning', 'assistant', 'user', 'assistant'],
      );
    });

    it('goes on after a stop while tools ran, with their outputs', async () => {
      const abort = new AbortController();
      const model = scriptedModel(response([reasoning(), call('echo')]), response([said('Ok.')]));
      const turnPorts = ports(model, [echo]);
      const first = await run(turnPorts, ask('q', { signal: abort.signal }), undefined, ({ kind }) => {
        if (kind === 'requestEnded') abort.abort();
      });
      const second = await run(turnPorts, again(first), first.conversation);
      assert.deepEqual(second.turn.end, { kind: 'completed' });
      assert.deepEqual(shown(second.turn), ['reasoning: Hm.', 'tool echo({})', 'answer: Ok.']);
    });

    it('can be with another model and effort, which the turn then has', async () => {
      const model = scriptedModel(
        [{ kind: 'failed', failure: { kind: 'modelUnknown', message: 'm' } }],
        response([said('Ok.')]),
      );
      const first = await run(ports(model), ask('q'));
      const second = await run(
        ports(model),
        again(first, { model: 'kimi-k3', effort: 'max' }),
        first.conversation,
      );
      assert.equal(second.turn.model, 'kimi-k3');
      assert.equal(JSON.parse(model.bodies[1] ?? '').model, 'kimi-k3');
      const lower = await run(
        ports(scriptedModel(fixture('failed'), response([]))),
        ask('', { start: { kind: 'resume', shown: first.turn }, history: first.history, effort: 'low' }),
        first.conversation,
      );
      assert.equal(lower.turn.effort, 'low');
    });
  });

  describe('a request that was not worked on', () => {
    const busy: ModelChunk = { kind: 'failed', failure: { kind: 'overloaded', message: 'm', status: 503 } };
    const unknownHost: ModelChunk = {
      kind: 'failed',
      failure: { kind: 'network', code: 'ENOTFOUND', message: 'm', sent: false },
    };

    it('is sent again after a wait that is told, and costs nothing', async () => {
      const model = scriptedModel([busy], [busy], response([said('Hi.')]));
      const waits: number[] = [];
      const turnPorts: TurnPorts = {
        ...ports(model),
        wait: async (milliseconds) => void waits.push(milliseconds),
      };
      const retries: unknown[] = [];
      const outcome = await run(turnPorts, ask('q'), undefined, (event) => {
        if (event.kind === 'retryScheduled') retries.push(event.retry);
      });
      assert.deepEqual(outcome.turn.end, { kind: 'completed' });
      assert.deepEqual(waits, [750, 1500]);
      assert.deepEqual(retries, [
        { failure: failureOf(busy), attempt: 2, of: 4, since: 1000, until: 1750 },
        { failure: failureOf(busy), attempt: 3, of: 4, since: 1000, until: 2500 },
      ]);
      assert.deepEqual(new Set(model.bodies).size, 1);
      assert.equal(outcome.turn.requests.length, 1);
      assert.equal(outcome.turn.requests[0]?.unbilled, undefined);
      assert.equal(outcome.turn.retry, undefined);
    });

    it('fails after four attempts, and nothing is owed', async () => {
      const model = scriptedModel([busy], [busy], [busy], [busy]);
      const { turn } = await run(ports(model), ask('q'));
      assert.deepEqual(turn.end, { kind: 'failed', failure: failureOf(busy) });
      assert.equal(turn.requests[0]?.unbilled, true);
      assert.equal(turn.requests[0]?.usage, null);
    });

    it('can be stopped while it waits', async () => {
      const abort = new AbortController();
      const model = scriptedModel([busy]);
      const turnPorts: TurnPorts = { ...ports(model), wait: async () => abort.abort() };
      const { turn } = await run(turnPorts, ask('q', { signal: abort.signal }));
      assert.deepEqual(turn.end, { kind: 'stopped' });
      assert.equal(turn.requests[0]?.unbilled, true);
      assert.equal(model.bodies.length, 1);
    });

    it('tries the other address in turn, says so, and stays where it got an answer', async () => {
      const places: unknown[] = [];
      const inner = scriptedModel(
        [unknownHost],
        response([reasoning(), call('echo')]),
        [unknownHost],
        response([said('Hi.')]),
      );
      const model: ModelPort = {
        otherAddress: () => ({ host: 'other.test' }),
        send: (body, signal, via) => {
          places.push(via?.host);
          return inner.send(body, signal);
        },
      };
      const { turn, events } = await run(ports(model, [echo]), ask('q'));
      assert.deepEqual(places, [undefined, 'other.test', 'other.test', undefined]);
      assert.deepEqual(
        events.flatMap((event) => (event.kind === 'retryScheduled' ? [event.retry.via] : [])),
        ['other.test', undefined],
      );
      assert.deepEqual(
        turn.requests.map(({ via }) => via),
        ['other.test', undefined],
      );
      assert.deepEqual(turn.end, { kind: 'completed' });
    });

    describe('whose certificate is not trusted', () => {
      const untrusted: ModelChunk = {
        kind: 'failed',
        failure: { kind: 'network', code: 'CERT_HAS_EXPIRED', message: 'm', sent: false, untrusted: true },
      };
      const placesOf = async (
        other: string | undefined,
        ...answers: readonly ScriptedAnswer[]
      ): Promise<readonly unknown[]> => {
        const places: unknown[] = [];
        const inner = scriptedModel(...answers);
        const model: ModelPort = {
          ...(other !== undefined && { otherAddress: () => ({ host: other }) }),
          send: (body, signal, via) => {
            places.push(via?.host ?? 'own');
            return inner.send(body, signal);
          },
        };
        const { turn, events } = await run(ports(model), ask('q'));
        const retries = events.filter(({ kind }) => kind === 'retryScheduled').length;
        assert.equal(retries, places.length - 1);
        if (turn.end?.kind === 'failed') assert.equal(turn.requests[0]?.unbilled, true);
        return [...places, turn.end?.kind];
      };

      it('fails at once when there is no other address', async () => {
        assert.deepEqual(await placesOf(undefined, [untrusted]), ['own', 'failed']);
      });

      it('goes to the other address, and nowhere when that is not trusted either', async () => {
        const good = response([said('Hi.')]);
        assert.deepEqual(await placesOf('other', [untrusted], good), ['own', 'other', 'completed']);
        assert.deepEqual(await placesOf('other', [untrusted], [untrusted]), ['own', 'other', 'failed']);
      });

      it('is not asked for again at an address that is not trusted, whatever the other one does', async () => {
        assert.deepEqual(await placesOf('other', [untrusted], [unknownHost], [unknownHost], [unknownHost]), [
          'own',
          'other',
          'other',
          'other',
          'failed',
        ]);
        assert.deepEqual(await placesOf('other', [unknownHost], [untrusted], [untrusted]), [
          'own',
          'other',
          'own',
          'failed',
        ]);
      });
    });

    it('stays at the address of the settings when there is no other, and when the service only wants to be asked more slowly', async () => {
      const slow: ModelChunk = { kind: 'failed', failure: { kind: 'rateLimited', message: 'm' } };
      const places: unknown[] = [];
      const at = (inner: ModelPort, host?: string): ModelPort => ({
        ...(host !== undefined && { otherAddress: () => ({ host }) }),
        send: (body, signal, via) => {
          places.push(via?.host);
          return inner.send(body, signal);
        },
      });
      await run(ports(at(scriptedModel([unknownHost], response([said('Hi.')])))), ask('q'));
      await run(ports(at(scriptedModel([slow], response([said('Hi.')])), 'other.test')), ask('q'));
      assert.deepEqual(places, [undefined, undefined, undefined, undefined]);
    });

    it('is told of even when the service asks for more than anyone waits', async () => {
      const asked = 3_600_000;
      const never: ModelChunk = {
        kind: 'failed',
        failure: { kind: 'rateLimited', message: 'm', retryAfter: asked },
      };
      const { events } = await run(ports(scriptedModel([never], response([said('Hi.')]))), ask('q'));
      const retry = events.find((event) => event.kind === 'retryScheduled')?.retry;
      assert.equal(retry?.asked, asked);
      assert.equal((retry?.until ?? 0) - (retry?.since ?? 0), 120_000);
    });

    it('is not sent again once anything of an answer came, nor when it may have been worked on', async () => {
      for (const answer of [
        [{ kind: 'text', text: ': ping\n\n' }, busy],
        [{ kind: 'failed', failure: { kind: 'serverError', message: 'm', status: 502 } }],
        [{ kind: 'failed', failure: { kind: 'network', code: 'ECONNRESET', message: 'm', sent: true } }],
      ] satisfies (readonly ModelChunk[])[]) {
        const { turn } = await run(ports(scriptedModel(answer)), ask('q'));
        assert.equal(turn.end?.kind, 'failed');
        assert.equal(turn.requests[0]?.unbilled, undefined);
        assert.equal(turn.requests[0]?.usage, null);
      }
    });
  });

  describe('a request that was refused for what is in it', () => {
    const refused: ModelChunk = { kind: 'failed', failure: { kind: 'refused', message: 'no', status: 400 } };
    const again = (before: Outcome, more: Partial<TurnSpec> = {}): TurnSpec =>
      ask('', {
        start: { kind: 'resume', shown: before.turn },
        history: before.history,
        requests: before.requests,
        ...more,
      });

    it('is not sent once more unchanged, however often that is asked for', async () => {
      const model = scriptedModel([refused]);
      let outcome = await run(ports(model), ask('q'));
      for (let n = 0; n < 3; n++) outcome = await run(ports(model), again(outcome), outcome.conversation);
      assert.deepEqual(outcome.turn.end, { kind: 'failed', failure: { kind: 'unchanged', message: 'no' } });
      assert.equal(model.bodies.length, 1);
    });

    it('is sent when anything about it has changed', async () => {
      const changes: readonly Partial<TurnSpec>[] = [
        { effort: 'low' },
        { model: 'kimi-k3' },
        { maxOutputTokens: 5 },
        { cacheTtl: '1h' },
        { instructions: 'Be brief, please.' },
      ];
      for (const change of changes) {
        const first = await run(ports(scriptedModel([refused])), ask('q'));
        const second = await run(
          ports(scriptedModel(response([said('Hi.')]))),
          again(first, change),
          first.conversation,
        );
        assert.deepEqual(second.turn.end, { kind: 'completed' }, JSON.stringify(change));
      }
    });

    it('is sent to another address', async () => {
      const at = (origin: string, ...answers: readonly ScriptedAnswer[]): ModelPort => ({
        ...scriptedModel(...answers),
        origin: () => origin,
      });
      const first = await run(ports(at('https://one.test', [refused])), ask('q'));
      const same = await run(ports(at('https://one.test')), again(first), first.conversation);
      assert.equal(same.turn.end?.kind === 'failed' && same.turn.end.failure.kind, 'unchanged');
      const other = await run(
        ports(at('https://two.test', response([said('Hi.')]))),
        again(first),
        first.conversation,
      );
      assert.deepEqual(other.turn.end, { kind: 'completed' });
    });

    it('is sent again after any other failure', async () => {
      const failure: ModelChunk = { kind: 'failed', failure: { kind: 'badKey', message: 'm' } };
      const model = scriptedModel([failure], response([said('Hi.')]));
      const first = await run(ports(model), ask('q'));
      const second = await run(ports(model), again(first), first.conversation);
      assert.deepEqual(second.turn.end, { kind: 'completed' });
    });
  });

  describe('a request that must not be sent', () => {
    it('ends the turn with the reason, and is not on record', async () => {
      const failure = { kind: 'spendingLimit', scope: 'day', limit: 1, spent: 1, expected: 1 } as const;
      const model = scriptedModel(response([reasoning(), call('echo')]));
      let asked = 0;
      const turnPorts: TurnPorts = {
        ...ports(model, [echo]),
        admit: () => ((asked += 1) === 1 ? { kind: 'go', expectedInput: 77 } : { kind: 'refused', failure }),
      };
      const outcome = await run(turnPorts, ask('q'));
      assert.deepEqual(outcome.turn.end, { kind: 'failed', failure });
      assert.equal(outcome.turn.requests.length, 1);
      assert.equal(outcome.turn.requests[0]?.expectedInput, 77);
      assert.deepEqual(outputs(outcome), ['echo:0 echo {}']);
    });

    it('is told with what it begins, and what it would hold', async () => {
      const seen: string[] = [];
      const turnPorts: TurnPorts = {
        ...ports(scriptedModel(response([reasoning(), call('echo')]), response([said('Hi.')])), [echo]),
        admit: ({ body, beginning }) => {
          seen.push(`${beginning.kind} ${body.input.length}`);
          return { kind: 'go' };
        },
      };
      await run(turnPorts, ask('q'));
      assert.deepEqual(seen, ['first 1', 'grown 4']);
    });
  });

  it('tells how much room an answer had', async () => {
    const outcome = await run(
      ports(scriptedModel(response([said('Hi.')]))),
      ask('q', { maxOutputTokens: 2048 }),
    );
    assert.equal(outcome.turn.requests[0]?.room, 2048);
  });

  it('tells how long the service keeps what it cached, as it says itself', async () => {
    const model = scriptedModel(
      response([said('Hi.')], { prompt_cache_options: { mode: 'implicit', ttl: '1h' } }),
    );
    assert.equal((await run(ports(model), ask('q'))).turn.requests[0]?.cacheTtl, '1h');
  });

  it('goes on in a new turn after one that failed before it said anything', async () => {
    const model = scriptedModel(
      [{ kind: 'failed', failure: { kind: 'outOfQuota', message: 'm' } }],
      response([said('Hi.')]),
    );
    const first = await run(ports(model), ask('one'));
    assert.equal(first.turn.broken, undefined);
    const second = await run(
      ports(model),
      ask('two', { turn: 'turn-2', history: first.history }),
      first.conversation,
    );
    assert.deepEqual(second.turn.end, { kind: 'completed' });
    assert.deepEqual((JSON.parse(model.bodies[1] ?? '') as { input: unknown }).input, [
      userMessage('one'),
      userMessage('two'),
    ]);
  });

  it('is one value from start to end: the same events folded anywhere give the same turn', async () => {
    const model = scriptedModel(response([reasoning(), call('echo')]), response([said('Hi.')]));
    const outcome = await run(ports(model, [echo]), ask('q'), emptyConversation('c'));
    const copy = JSON.parse(JSON.stringify(outcome.events)) as TurnEvent[];
    assert.deepEqual(copy, outcome.events);
    assert.equal(emptyHistory().groups.length, 0);
  });
});
