import assert from 'node:assert/strict';

import type { TurnEnd } from '../../../src/core/conversation/conversation.ts';
import { historyItems } from '../../../src/core/conversation/history.ts';
import type { ModelChunk } from '../../../src/core/conversation/modelPort.ts';
import type { HistoryItem } from '../../../src/core/responses/wire.ts';
import type { Tool, ToolCall } from '../../../src/core/tools/tool.ts';
import {
  ask,
  fixture,
  ports,
  response,
  run,
  scriptedModel,
  shown,
  stream,
  usages,
  type Outcome,
} from '../../support/turns.ts';

const answerText = 'Найдено: 循环 越界 👩‍👩‍👧‍👦 — `i <= n`\n\n```ts\nfor (;;) {}\n```\n';
const thoughts = 'reasoning: The bound is wrong.|One line will do: 等号 needed 🧮.';
const patch = '*** Begin Patch\n*** Add File: a.txt\n+hi 你好\n*** End Patch';

/** Answers the first request with a fixture and a later one, if there is one, with an empty answer. */
async function play(
  name: string,
  tools: readonly Tool[] = [],
): Promise<Outcome & { readonly bodies: readonly string[] }> {
  const model = scriptedModel(fixture(name), response([]));
  return { ...(await run(ports(model, tools), ask('q'))), bodies: model.bodies };
}

function kept(outcome: Outcome): readonly HistoryItem[] {
  return historyItems(outcome.history).slice(1);
}

function types(outcome: Outcome): readonly string[] {
  return kept(outcome).map(({ type }) => type);
}

function tool(name: string, calls: ToolCall[], custom = false): Tool {
  return {
    declaration: custom
      ? {
          type: 'custom',
          name: 'apply_patch',
          description: '',
          format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
        }
      : { type: 'function', name, description: '', parameters: {}, strict: false },
    run: async (call) => {
      calls.push(call);
      return { kind: 'done', text: `did ${call.input}` };
    },
  };
}

async function brokenBy(...chunks: readonly ModelChunk[]): Promise<TurnEnd | undefined> {
  return (await run(ports(scriptedModel(chunks)), ask('q'))).turn.end;
}

describe('conversation/answer', () => {
  for (const name of [
    'answer',
    'answer-crlf',
    'answer-lone-cr',
    'answer-bom',
    'answer-data-only-unnumbered',
    'answer-done-literal-and-comments',
    'answer-without-last-blank-line',
    'answer-multi-line-data',
  ]) {
    it(`shows reasoning and answer apart, and keeps both: ${name}`, async () => {
      const outcome = await play(name);
      assert.deepEqual(shown(outcome.turn), [thoughts, `answer: ${answerText}`]);
      assert.deepEqual(outcome.turn.end, { kind: 'completed' });
      assert.deepEqual(usages(outcome.turn), [
        { input: 1200, cached: 768, cacheWrite: 256, output: 96, reasoning: 40 },
      ]);
      assert.deepEqual(kept(outcome), [
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [
            { type: 'summary_text', text: 'The bound is wrong.' },
            { type: 'summary_text', text: 'One line will do: 等号 needed 🧮.' },
          ],
        },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: answerText }] },
      ]);
    });
  }

  describe('streams of other shapes', () => {
    it('shows text that came with nothing around it but a ping', async () => {
      const outcome = await play('deltas-and-a-ping-only');
      assert.deepEqual(shown(outcome.turn), ['answer: Shown all the same.']);
      assert.deepEqual(outcome.turn.end, { kind: 'completed' });
      assert.deepEqual(types(outcome), ['message']);
      assert.deepEqual(usages(outcome.turn), [null]);
    });

    it('shows deltas of a part that was never announced', async () => {
      assert.deepEqual(shown((await play('no-content-part-added')).turn), [`answer: ${answerText}`]);
    });

    it('shows text once though its end repeats it', async () => {
      const { events } = await play('answer');
      const length = events
        .flatMap((event) => (event.kind === 'textAdded' && event.part === '0.1' ? event.text : []))
        .join('').length;
      assert.equal(length, answerText.length);
    });

    it('takes the final text where the pieces differ', async () => {
      const outcome = await play('final-text-differs');
      assert.deepEqual(shown(outcome.turn), ['answer: Hello world']);
      assert.deepEqual(outcome.events.filter(({ kind }) => kind === 'textReplaced').length, 1);
    });

    it('keeps the arguments of interleaved calls apart though all carry the index 0', async () => {
      for (const name of ['parallel-calls-all-numbered-zero', 'parallel-calls-final-output-empty']) {
        const calls: ToolCall[] = [];
        const outcome = await play(name, [tool('read_file', calls)]);
        assert.deepEqual(
          calls.map(({ input }) => input),
          ['{"path":"a.ts"}', '{"path":"b.ts"}'],
        );
        assert.deepEqual(shown(outcome.turn), [
          'tool read_file({"path":"a.ts"})',
          'tool read_file({"path":"b.ts"})',
        ]);
      }
    });

    it('gives every call its own arguments, in whatever order they come and end', async () => {
      const calls: ToolCall[] = [];
      await play('parallel-calls-by-index-in-mixed-order', [tool('read_file', calls)]);
      assert.deepEqual(
        calls.map(({ input }) => input),
        ['{"path":"a.ts"}', '{"path":"b.ts"}'],
      );
    });

    it('runs a call that the server never closed, once the response is complete', async () => {
      const calls: ToolCall[] = [];
      await play('parallel-calls-first-never-closed', [tool('read_file', calls)]);
      assert.deepEqual(
        calls.map(({ input }) => input),
        ['{"path":"a.ts"}', '{"path":"b.ts"}'],
      );
    });

    it('takes blank arguments as an empty object, and sends them back as they came', async () => {
      const calls: ToolCall[] = [];
      const outcome = await play('call-without-arguments', [tool('list_open_files', calls)]);
      assert.deepEqual(
        calls.map(({ input }) => input),
        ['{}'],
      );
      const call = kept(outcome).find(({ type }) => type === 'function_call');
      assert.ok(call?.type === 'function_call' && call.arguments === '');
    });

    it('shows and keeps reasoning that comes with ciphertext', async () => {
      const outcome = await play('encrypted-reasoning');
      assert.deepEqual(shown(outcome.turn), ['reasoning: Thinking.', 'answer: Done.']);
      const [reasoning] = kept(outcome);
      assert.ok(reasoning?.type === 'reasoning' && reasoning.encrypted_content === 'gAAAAABo8MKh');
    });

    it('shows reasoning that comes in full text instead of a summary', async () => {
      const outcome = await play('reasoning-as-content');
      assert.deepEqual(shown(outcome.turn), ['reasoning: In the clear.', 'answer: Ok.']);
      assert.deepEqual(kept(outcome)[0], {
        type: 'reasoning',
        id: 'rs_1',
        summary: [],
        content: [{ type: 'reasoning_text', text: 'In the clear.' }],
      });
    });

    it('passes over events, items and fields that no reference names', async () => {
      const outcome = await play('undeclared-events-and-items');
      assert.deepEqual(shown(outcome.turn), [`answer: ${answerText}`]);
      assert.deepEqual(types(outcome), ['message']);
      assert.ok(!JSON.stringify(kept(outcome)).includes('phase'));
    });

    it('shows a refusal as the answer that it is', async () => {
      const outcome = await play('refusal');
      assert.deepEqual(shown(outcome.turn), ['answer: I can’t do that.']);
      assert.deepEqual(kept(outcome), [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I can’t do that.' }] },
      ]);
    });

    it('keeps the reasoning and answer around a search that the server did', async () => {
      const outcome = await play('web-search');
      assert.deepEqual(shown(outcome.turn), [
        'search: {"kind":"search","queries":["x"]}',
        'reasoning: From the web.',
        'answer: 42.',
      ]);
      assert.deepEqual(types(outcome), ['web_search_call', 'reasoning', 'message']);
    });

    it('tells of sources and citations as they come, and each once', async () => {
      const search = {
        type: 'web_search_call',
        id: 'ws_1',
        status: 'completed',
        action: {
          type: 'search',
          query: 'carts',
          sources: [{ type: 'url', url: 'https://a.test/', title: 'A' }],
        },
      };
      const annotation = {
        type: 'url_citation',
        url: 'https://a.test/',
        title: 'A',
        start_index: 0,
        end_index: 2,
      };
      const message = {
        type: 'message',
        id: 'msg_1',
        content: [{ type: 'output_text', text: 'Hi', annotations: [annotation] }],
      };
      const at = { item_id: 'msg_1', output_index: 1 };
      const text = stream(
        { type: 'response.web_search_call.searching', item_id: 'ws_1', output_index: 0 },
        { type: 'response.output_item.done', output_index: 0, item: search },
        { type: 'response.output_text.delta', ...at, content_index: 0, delta: 'Hi' },
        { type: 'response.output_text.annotation.added', ...at, content_index: 0, annotation },
        {
          type: 'response.completed',
          response: { object: 'response', status: 'completed', output: [search, message], usage: null },
        },
      );
      const outcome = await run(ports(scriptedModel(text)), ask('q'));
      const [found, answered] = outcome.turn.parts;
      assert.ok(found?.kind === 'search' && answered?.kind === 'answer');
      assert.deepEqual(found.search.sources, [{ url: 'https://a.test/', title: 'A' }]);
      assert.ok(found.closedAt !== undefined);
      assert.deepEqual(answered.citations, [
        { section: 0, from: 0, to: 2, url: 'https://a.test/', title: 'A' },
      ]);
      const told = outcome.events.filter(({ kind }) => kind === 'searchTold' || kind === 'citationsAdded');
      assert.equal(told.length, 2);
    });

    it('takes a whole JSON body in place of a stream', async () => {
      const body = JSON.stringify({
        object: 'response',
        status: 'completed',
        output: [{ type: 'message', id: 'msg_1', content: [{ type: 'output_text', text: 'Hi' }] }],
        usage: { input_tokens: 1, output_tokens: 2 },
      });
      const outcome = await run(ports(scriptedModel([{ kind: 'json', text: body }])), ask('q'));
      assert.deepEqual(shown(outcome.turn), ['answer: Hi']);
      assert.deepEqual(outcome.turn.end, { kind: 'completed' });
      assert.equal(outcome.turn.requests.length, 1);
    });
  });

  describe('apply_patch', () => {
    it('gets the text of the patch as it streamed in', async () => {
      const calls: ToolCall[] = [];
      const outcome = await play('apply-patch', [tool('', calls, true)]);
      assert.deepEqual(calls, [{ id: 'call-1', name: 'apply_patch', input: patch, complete: true }]);
      assert.deepEqual(types(outcome), ['reasoning', 'custom_tool_call', 'custom_tool_call_output']);
      assert.deepEqual(shown(outcome.turn), ['reasoning: Need a new file.', `tool apply_patch(${patch})`]);
    });

    it('gets it also when the server sends no pieces', async () => {
      const calls: ToolCall[] = [];
      const outcome = await play('apply-patch-without-deltas', [tool('', calls, true)]);
      assert.equal(calls[0]?.input, patch);
      assert.deepEqual(shown(outcome.turn).at(-1), `tool apply_patch(${patch})`);
    });

    it('gets it also out of a function call, which is answered as a function call', async () => {
      const calls: ToolCall[] = [];
      const outcome = await play('apply-patch-as-function', [tool('', calls, true)]);
      assert.equal(calls[0]?.input, patch);
      assert.deepEqual(types(outcome), ['reasoning', 'function_call', 'function_call_output']);
      assert.deepEqual(shown(outcome.turn).at(-1), `tool apply_patch(${patch})`);
    });
  });

  describe('a namespace', () => {
    it('that was never declared is an error for the model, whatever the bare name is, and stays with its call', async () => {
      const calls: ToolCall[] = [];
      const outcome = await play('namespaced-call', [tool('exec', calls), tool('execexec', calls)]);
      assert.deepEqual(calls, []);
      assert.deepEqual(outcome.turn.end, { kind: 'completed' });
      const [, call, output] = kept(outcome);
      assert.ok(call?.type === 'function_call' && call.namespace === 'exec' && call.name === 'exec');
      assert.ok(output?.type === 'function_call_output');
      assert.equal(output.output, 'There is no tool "exec" in namespace "exec". Available: exec, execexec.');
    });
  });

  describe('endings', () => {
    it('is a failure when the stream ends without a terminal event; what came is kept and marked', async () => {
      for (const name of ['ends-early', 'ends-early-inside-an-event']) {
        const outcome = await play(name);
        assert.deepEqual(outcome.turn.end, {
          kind: 'failed',
          failure: { kind: 'brokenStream', detail: 'the stream ended before the answer did' },
        });
        assert.deepEqual(shown(outcome.turn)[0], thoughts);
        assert.match(shown(outcome.turn)[1] ?? '', /^answer: Найдено: 循环 /);
        assert.deepEqual(outcome.turn.broken, ['0.0', '0.1']);
        assert.deepEqual(usages(outcome.turn), [null]);
        assert.ok(outcome.turn.parts.every(({ closedAt }) => closedAt !== undefined));
        assert.deepEqual(types(outcome), ['reasoning', 'message']);
        assert.ok(outcome.events.some((event) => event.kind === 'itemsKept' && event.partial === true));
      }
    });

    it('is a failure too when only [DONE] comes, and null is no event', async () => {
      const outcome = await play('done-literal-without-an-end');
      assert.equal(outcome.turn.end?.kind, 'failed');
      assert.match(shown(outcome.turn)[0] ?? '', /^answer: Найдено/);
    });

    it('is no failure when the server stops at a limit; the answer stands and is gone on from', async () => {
      const outcome = await play('incomplete');
      assert.deepEqual(outcome.turn.end, { kind: 'incomplete', reason: 'max_output_tokens' });
      assert.deepEqual(shown(outcome.turn), [thoughts, 'answer: Найдено: 循环 越界 👩‍👩‍👧‍👦']);
      assert.deepEqual(types(outcome), ['reasoning', 'message']);
      assert.equal(outcome.turn.broken, undefined);
      assert.ok(!outcome.events.some((event) => event.kind === 'itemsKept' && event.partial === true));
      assert.equal(usages(outcome.turn)[0]?.input, 1200);
    });

    it('is told by the status inside the response, not by the name of the event', async () => {
      const outcome = await play('incomplete-named-completed');
      assert.deepEqual(outcome.turn.end, { kind: 'incomplete', reason: 'unknown' });
      assert.deepEqual(usages(outcome.turn), [
        { input: 5, cached: 0, cacheWrite: 0, output: 7, reasoning: 0 },
      ]);
    });

    it('keeps nothing of an answer that got no further than reasoning', async () => {
      const outcome = await play('incomplete-with-reasoning-only');
      assert.deepEqual(outcome.turn.end, { kind: 'incomplete', reason: 'max_output_tokens' });
      assert.deepEqual(kept(outcome), []);
      assert.deepEqual(shown(outcome.turn), ['reasoning: The bound ']);
    });

    it('surfaces a failed response, partial answer and all', async () => {
      const outcome = await play('failed');
      assert.deepEqual(outcome.turn.end, {
        kind: 'failed',
        failure: { kind: 'serverError', message: 'The engine stopped.', status: 200 },
      });
      assert.equal(outcome.turn.parts.length, 2);
      assert.deepEqual(usages(outcome.turn), [null]);
      assert.deepEqual(outcome.turn.broken, ['0.0', '0.1']);
    });

    it('knows a context that is too long though it is told inside a stream', async () => {
      assert.deepEqual((await play('context-too-long')).turn.end, {
        kind: 'failed',
        failure: { kind: 'contextTooLong', message: 'Too long.' },
      });
    });

    it('reads an error event flat and nested', async () => {
      for (const name of ['error-flat', 'error-nested']) {
        const outcome = await play(name);
        assert.deepEqual(outcome.turn.end, {
          kind: 'failed',
          failure: { kind: 'overloaded', message: 'Busy.', status: 200 },
        });
        assert.deepEqual(usages(outcome.turn), [null]);
      }
    });

    it('ignores whatever comes after the terminal event', async () => {
      const outcome = await play('events-after-the-end');
      assert.deepEqual(shown(outcome.turn), ['answer: Once.']);
      assert.deepEqual(outcome.turn.end, { kind: 'completed' });
    });

    it('does not read on after the terminal event, so a socket that fails then changes nothing', async () => {
      let asked = 0;
      const outcome = await run(
        ports(
          scriptedModel(async function* () {
            asked += 1;
            yield { kind: 'text', text: fixture('answer') };
            asked += 1;
            yield {
              kind: 'failed',
              failure: { kind: 'network', code: 'ECONNRESET', message: '', sent: true },
            };
          }),
        ),
        ask('q'),
      );
      assert.equal(asked, 1);
      assert.deepEqual(outcome.turn.end, { kind: 'completed' });
    });

    it('takes a terminal event that is whole though the socket failed before its blank line', async () => {
      assert.deepEqual(
        await brokenBy(
          { kind: 'text', text: fixture('answer-without-last-blank-line') },
          { kind: 'failed', failure: { kind: 'network', code: 'ECONNRESET', message: '', sent: true } },
        ),
        { kind: 'completed' },
      );
    });

    it('passes on what the connection says went wrong', async () => {
      const failure = {
        kind: 'network',
        code: 'ECONNRESET',
        message: 'read ECONNRESET',
        sent: true,
      } as const;
      assert.deepEqual(await brokenBy({ kind: 'failed', failure }), { kind: 'failed', failure });
    });

    it('undoes an unreadable event by a final output, and else says that something is lost', async () => {
      const whole = await play('unreadable-event-final-output-whole');
      assert.deepEqual(shown(whole.turn), [`answer: ${answerText}`]);
      assert.deepEqual(whole.turn.end, { kind: 'completed' });
      const lost = await play('unreadable-event-final-output-empty');
      assert.ok(lost.turn.end?.kind === 'failed' && lost.turn.end.failure.kind === 'brokenStream');
    });

    it('shows the start of what came where an event stream was expected', async () => {
      const detail = async (...chunks: readonly ModelChunk[]): Promise<string> => {
        const end = await brokenBy(...chunks);
        assert.ok(end?.kind === 'failed' && end.failure.kind === 'brokenStream');
        return end.failure.detail;
      };
      assert.equal(await detail(), 'the answer is empty');
      assert.equal(
        await detail({ kind: 'text', text: ': nothing\n\n' }),
        'the answer is not an event stream; it starts with: : nothing',
      );
      assert.match(await detail({ kind: 'text', text: 'upstream error' }), /upstream error$/);
      assert.match(await detail({ kind: 'json', text: '{"choices":[]}' }), /the body is not a response$/);
    });

    it('gives up a message larger than any answer', async () => {
      const end = await run(
        ports(
          scriptedModel(async function* () {
            yield { kind: 'text', text: 'data: "' };
            const piece = 'x'.repeat(1024 * 1024);
            for (;;) yield { kind: 'text', text: piece };
          }),
        ),
        ask('q'),
      );
      assert.ok(end.turn.end?.kind === 'failed' && end.turn.end.failure.kind === 'brokenStream');
      assert.match(end.turn.end.failure.detail, /longer than \d+ characters/);
    });
  });

  it('joins neighbouring pieces of one chunk into one event', async () => {
    const delta = (item_id: string, piece: string): object => ({
      type: 'response.output_text.delta',
      item_id,
      output_index: 0,
      delta: piece,
    });
    const outcome = await run(
      ports(
        scriptedModel(
          stream(delta('a', '1'), delta('a', '2'), delta('b', '3'), delta('a', '4')) + response([]),
        ),
      ),
      ask('q'),
    );
    assert.deepEqual(
      outcome.events.flatMap((event) => (event.kind === 'textAdded' ? event.text : [])),
      ['12', '3', '4'],
    );
  });
});
