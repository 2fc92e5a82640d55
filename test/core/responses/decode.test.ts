import assert from 'node:assert/strict';

import { noSearch } from '../../../src/core/responses/webSearch.ts';
import { decodeBody, decodeEvent } from '../../../src/core/responses/decode.ts';
import type { ResponseEvent } from '../../../src/core/responses/events.ts';

function decode(event: object): ResponseEvent {
  return decodeEvent(JSON.stringify(event));
}

const at = { item_id: 'i1', output_index: 2 };
const where = { itemId: 'i1', outputIndex: 2 };
const nowhere = { itemId: undefined, outputIndex: undefined };

describe('responses/decode', () => {
  describe('documented events', () => {
    it('reads what carries text', () => {
      const cases: readonly (readonly [object, ResponseEvent])[] = [
        [
          { type: 'response.output_text.delta', ...at, content_index: 1, delta: 'a', logprobs: [] },
          { kind: 'textDelta', channel: 'message', section: 1, text: 'a', ...where },
        ],
        [
          { type: 'response.output_text.done', ...at, content_index: 1, text: 'ab', logprobs: [] },
          { kind: 'textDone', channel: 'message', section: 1, text: 'ab', ...where },
        ],
        [
          { type: 'response.reasoning_summary_text.delta', ...at, summary_index: 3, delta: 'a' },
          { kind: 'textDelta', channel: 'summary', section: 3, text: 'a', ...where },
        ],
        [
          { type: 'response.reasoning_summary_text.done', ...at, summary_index: 3, text: 'ab' },
          { kind: 'textDone', channel: 'summary', section: 3, text: 'ab', ...where },
        ],
        [
          { type: 'response.reasoning_text.delta', ...at, content_index: 0, delta: 'a' },
          { kind: 'textDelta', channel: 'reasoning', section: 0, text: 'a', ...where },
        ],
        [
          { type: 'response.reasoning_text.done', ...at, content_index: 0, text: 'a' },
          { kind: 'textDone', channel: 'reasoning', section: 0, text: 'a', ...where },
        ],
        [
          { type: 'response.refusal.delta', ...at, content_index: 0, delta: 'a' },
          { kind: 'textDelta', channel: 'message', section: 0, text: 'a', ...where },
        ],
        [
          { type: 'response.refusal.done', ...at, content_index: 0, refusal: 'a' },
          { kind: 'textDone', channel: 'message', section: 0, text: 'a', ...where },
        ],
        [
          {
            type: 'response.content_part.done',
            ...at,
            content_index: 1,
            part: { type: 'output_text', text: 'a' },
          },
          { kind: 'textDone', channel: 'message', section: 1, text: 'a', ...where },
        ],
        [
          {
            type: 'response.content_part.done',
            ...at,
            content_index: 1,
            part: { type: 'refusal', refusal: 'a' },
          },
          { kind: 'textDone', channel: 'message', section: 1, text: 'a', ...where },
        ],
        [
          {
            type: 'response.content_part.done',
            ...at,
            content_index: 1,
            part: { type: 'reasoning_text', text: 'a' },
          },
          { kind: 'textDone', channel: 'reasoning', section: 1, text: 'a', ...where },
        ],
        [
          {
            type: 'response.reasoning_summary_part.done',
            ...at,
            summary_index: 1,
            status: 'incomplete',
            part: { type: 'summary_text', text: 'a' },
          },
          { kind: 'textDone', channel: 'summary', section: 1, text: 'a', ...where },
        ],
      ];
      for (const [event, expected] of cases) assert.deepEqual(decode(event), expected);
    });

    it('reads what carries tool input', () => {
      const function_call = { type: 'function_call', ...where } as const;
      const custom_tool_call = { type: 'custom_tool_call', ...where } as const;
      assert.deepEqual(decode({ type: 'response.function_call_arguments.delta', ...at, delta: '{' }), {
        kind: 'inputDelta',
        text: '{',
        ...function_call,
      });
      assert.deepEqual(
        decode({ type: 'response.function_call_arguments.done', ...at, arguments: '{}', name: 'x' }),
        {
          kind: 'inputDone',
          text: '{}',
          ...function_call,
        },
      );
      assert.deepEqual(decode({ type: 'response.custom_tool_call_input.delta', ...at, delta: '*' }), {
        kind: 'inputDelta',
        text: '*',
        ...custom_tool_call,
      });
      assert.deepEqual(decode({ type: 'response.custom_tool_call_input.done', ...at, input: '***' }), {
        kind: 'inputDone',
        text: '***',
        ...custom_tool_call,
      });
    });

    it('passes over an annotation that it can’t place', () => {
      const type = 'response.output_text.annotation.added';
      const annotation = { type: 'url_citation', url: 'https://a.test/' };
      assert.equal(decode({ type, annotation, item_id: 'm' }).kind, 'cited');
      assert.deepEqual(decode({ type, annotation, content_index: 'x' }), {
        kind: 'ignored',
        type,
        known: true,
      });
    });

    it('passes over what only frames the rest', () => {
      for (const type of [
        'response.created',
        'response.in_progress',
        'response.queued',
        'response.content_part.added',
        'response.reasoning_summary_part.added',
        'response.output_text.annotation.added',
      ]) {
        assert.deepEqual(decode({ type, response: {} }), { kind: 'ignored', type, known: true });
      }
    });

    it('reads the three endings', () => {
      const usage = {
        input_tokens: 9,
        input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 3 },
        total_tokens: 14,
      };
      assert.deepEqual(
        decode({
          type: 'response.completed',
          response: { status: 'completed', output: [], usage, error: null },
        }),
        {
          kind: 'ended',
          ending: {
            status: 'completed',
            output: [],
            unreadable: false,
            usage: { input: 9, cached: 4, cacheWrite: 2, output: 5, reasoning: 3 },
            reason: 'unknown',
            error: { type: '', code: '', message: '' },
          },
        },
      );
      const incomplete = decode({
        type: 'response.incomplete',
        response: { status: 'incomplete', incomplete_details: { reason: 'content_filter' }, usage: null },
      });
      assert.ok(incomplete.kind === 'ended');
      assert.equal(incomplete.ending.reason, 'content_filter');
      assert.equal(incomplete.ending.usage, null);
      const failed = decode({
        type: 'response.failed',
        response: { status: 'failed', error: { code: 'server_error', message: 'm' } },
      });
      assert.ok(failed.kind === 'ended');
      assert.deepEqual(failed.ending.error, { type: '', code: 'server_error', message: 'm' });
    });

    it('reads an error flat and nested', () => {
      const error = { type: '', code: 'c', message: 'm' };
      assert.deepEqual(decode({ type: 'error', code: 'c', message: 'm', param: null }), {
        kind: 'errored',
        error,
      });
      assert.deepEqual(
        decode({ type: 'error', error: { type: 't', code: 'c', message: 'm', param: null } }),
        {
          kind: 'errored',
          error: { ...error, type: 't' },
        },
      );
      assert.deepEqual(decode({ type: 'error', error: 'm' }), {
        kind: 'errored',
        error: { type: '', code: '', message: 'm' },
      });
      assert.deepEqual(decode({ error: { message: 'm', code: 429 } }), {
        kind: 'errored',
        error: { type: '', code: '429', message: 'm' },
      });
    });
  });

  it('knows the events of tools that are never declared, and passes over them and over unknown ones', () => {
    for (const type of [
      'response.audio.delta',
      'response.audio.transcript.done',
      'response.code_interpreter_call.in_progress',
      'response.code_interpreter_call_code.delta',
      'response.compaction.compacting',
      'response.file_search_call.searching',
      'response.image_generation_call.partial_image',
      'response.mcp_call.failed',
      'response.mcp_call_arguments.delta',
      'response.mcp_list_tools.completed',
      'response.shell_call_command.delta',
      'response.shell_call_output_content.done',
    ]) {
      assert.deepEqual(decode({ type, delta: 'x' }), { kind: 'ignored', type, known: true });
    }
    assert.deepEqual(decode({ type: 'ping' }), { kind: 'ignored', type: 'ping', known: false });
    const part = { type: 'hologram' };
    assert.equal(
      decode({ type: 'response.content_part.done', ...at, content_index: 0, part }).kind,
      'ignored',
    );
  });

  describe('items', () => {
    const item = (value: object): ResponseEvent =>
      decode({ type: 'response.output_item.done', output_index: 0, item: value });

    it('reads each documented type', () => {
      assert.deepEqual(
        item({
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'a' }],
          content: [{ type: 'reasoning_text', text: 'b' }],
          encrypted_content: 'c',
          status: 'completed',
        }),
        {
          kind: 'itemDone',
          itemId: 'rs_1',
          outputIndex: 0,
          item: { kind: 'reasoning', id: 'rs_1', summary: ['a'], content: ['b'], encrypted: 'c' },
        },
      );
      assert.deepEqual(
        item({
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          content: [
            { type: 'output_text', text: 'a', annotations: [] },
            { type: 'refusal', refusal: 'b' },
            { type: 'output_image' },
          ],
        }),
        {
          kind: 'itemDone',
          itemId: 'msg_1',
          outputIndex: 0,
          item: { kind: 'message', id: 'msg_1', content: ['a', 'b', ''] },
        },
      );
      assert.deepEqual(
        item({
          type: 'function_call',
          id: 'fc_1',
          call_id: 'f:0',
          name: 'f',
          namespace: 'n',
          arguments: '{ }',
        }),
        {
          kind: 'itemDone',
          itemId: 'fc_1',
          outputIndex: 0,
          item: {
            kind: 'call',
            type: 'function_call',
            id: 'fc_1',
            callId: 'f:0',
            name: 'f',
            namespace: 'n',
            input: '{ }',
            whole: true,
          },
        },
      );
      assert.deepEqual(
        item({ type: 'custom_tool_call', call_id: 'p:0', name: 'p', input: '***', status: 'incomplete' }),
        {
          kind: 'itemDone',
          itemId: undefined,
          outputIndex: 0,
          item: {
            kind: 'call',
            type: 'custom_tool_call',
            callId: 'p:0',
            name: 'p',
            input: '***',
            whole: false,
          },
        },
      );
      assert.deepEqual(item({ type: 'web_search_call', id: 'ws_1', action: {} }), {
        kind: 'itemDone',
        itemId: 'ws_1',
        outputIndex: 0,
        item: { kind: 'search', id: 'ws_1', search: noSearch },
      });
    });

    it('fills in what is missing or null', () => {
      const empty = { kind: 'itemDone', itemId: undefined, outputIndex: 0 } as const;
      assert.deepEqual(item({ type: 'reasoning', summary: null, content: null, encrypted_content: null }), {
        ...empty,
        item: { kind: 'reasoning', summary: [], content: [] },
      });
      assert.deepEqual(item({ type: 'reasoning', encrypted_content: '' }), {
        ...empty,
        item: { kind: 'reasoning', summary: [], content: [] },
      });
      assert.deepEqual(item({ type: 'reasoning', summary: 'plain' }), {
        ...empty,
        item: { kind: 'reasoning', summary: ['plain'], content: [] },
      });
      assert.deepEqual(item({ type: 'message', content: null }), {
        ...empty,
        item: { kind: 'message', content: [] },
      });
      assert.deepEqual(item({ type: 'message', content: 'plain' }), {
        ...empty,
        item: { kind: 'message', content: ['plain'] },
      });
      assert.deepEqual(item({ type: 'message', content: ['bare', null, 5] }), {
        ...empty,
        item: { kind: 'message', content: ['bare', '', '5'] },
      });
      assert.deepEqual(item({ type: 'function_call', id: 'fc_1', name: 'f' }), {
        ...empty,
        itemId: 'fc_1',
        item: {
          kind: 'call',
          type: 'function_call',
          id: 'fc_1',
          callId: 'fc_1',
          name: 'f',
          input: '',
          whole: true,
        },
      });
      assert.deepEqual(item({ type: 'telepathy', id: 7 }), {
        ...empty,
        item: { kind: 'other', type: 'telepathy' },
      });
    });

    it('can not do with an item that would be shown or kept wrongly', () => {
      for (const bad of [
        { type: 'function_call', name: 'f' },
        { type: 'function_call', call_id: 'c' },
        { type: 'custom_tool_call', call_id: 'c', name: 'f', input: 5 },
        { type: 'message', content: 5 },
        { type: 'reasoning', summary: 5 },
        { id: 'x' },
      ]) {
        assert.equal(item(bad).kind, 'malformed', JSON.stringify(bad));
      }
      assert.equal(decode({ type: 'response.output_item.added', item: null }).kind, 'malformed');
    });
  });

  describe('what is not as it should be', () => {
    it('is an event, never an exception', () => {
      for (const data of [
        '',
        '{',
        'null',
        '[]',
        '5',
        '"text"',
        '{}',
        '{"type":7}',
        '{"type":"response.output_text.delta"}',
      ]) {
        assert.equal(decodeEvent(data).kind, 'malformed', data);
      }
      assert.deepEqual(decodeEvent('{', 'response.completed'), {
        kind: 'malformed',
        detail: 'response.completed is not JSON',
      });
    });

    it('takes the type from the event line only when the JSON has none', () => {
      assert.deepEqual(decodeEvent('{"delta":"a"}', 'response.output_text.delta'), {
        kind: 'textDelta',
        channel: 'message',
        section: 0,
        text: 'a',
        ...nowhere,
      });
      assert.deepEqual(decodeEvent('{"type":"ping"}', 'response.completed'), {
        kind: 'ignored',
        type: 'ping',
        known: false,
      });
    });

    it('does without ids and indexes that are no ids and indexes', () => {
      for (const output_index of [-1, 1.5, '0', 1e9, null]) {
        assert.deepEqual(
          decode({ type: 'response.output_text.delta', item_id: 3, output_index, delta: 'a' }),
          {
            kind: 'textDelta',
            channel: 'message',
            section: 0,
            text: 'a',
            ...nowhere,
          },
        );
      }
    });

    it('refuses a section that would need a list of endless length', () => {
      for (const content_index of [-1, 1e9, 'x']) {
        assert.equal(
          decode({ type: 'response.output_text.delta', delta: 'a', content_index }).kind,
          'malformed',
        );
        const part = { type: 'output_text', text: '' };
        assert.equal(decode({ type: 'response.content_part.done', content_index, part }).kind, 'malformed');
      }
      assert.equal(decode({ type: 'response.content_part.done', part: null }).kind, 'malformed');
      assert.equal(decode({ type: 'response.function_call_arguments.delta', delta: {} }).kind, 'malformed');
      const part = { type: 'output_text' };
      assert.equal(decode({ type: 'response.content_part.done', content_index: 0, part }).kind, 'malformed');
    });

    it('lets the status inside the response win over the name of the event', () => {
      const status = (type: string, inner: unknown): string => {
        const event = decode({ type, response: { status: inner } });
        return event.kind === 'ended' ? event.ending.status : event.kind;
      };
      assert.equal(status('response.completed', 'incomplete'), 'incomplete');
      assert.equal(status('response.completed', 'failed'), 'failed');
      assert.equal(status('response.completed', 'in_progress'), 'completed');
      assert.equal(status('response.failed', undefined), 'failed');
      assert.equal(status('response.incomplete', 'cancelled'), 'incomplete');
      assert.equal(decode({ type: 'response.completed' }).kind, 'ended');
    });

    it('gives up a final output of which one item can not be read', () => {
      const output = [{ type: 'message', content: 'a' }, { type: 'function_call' }];
      const event = decode({ type: 'response.completed', response: { output } });
      assert.ok(event.kind === 'ended');
      assert.deepEqual(event.ending.output, []);
      assert.equal(event.ending.unreadable, true);
    });

    it('takes no more texts of one item than a list may have', () => {
      const body = (texts: number): string =>
        JSON.stringify({
          status: 'completed',
          output: [{ type: 'message', content: Array.from({ length: texts }, () => 'a') }],
        });
      for (const [texts, unreadable] of [
        [10_000, false],
        [10_001, true],
      ] as const) {
        const event = decodeBody(body(texts));
        assert.ok(event.kind === 'ended');
        assert.equal(event.ending.unreadable, unreadable);
      }
    });

    it('takes usage without details as zero there, and unreadable usage as unknown', () => {
      const usage = (value: unknown): unknown => {
        const event = decode({ type: 'response.completed', response: { usage: value } });
        return event.kind === 'ended' ? event.ending.usage : event;
      };
      assert.deepEqual(usage({ input_tokens: 5, output_tokens: 7 }), {
        input: 5,
        cached: 0,
        cacheWrite: 0,
        output: 7,
        reasoning: 0,
      });
      assert.deepEqual(
        usage({
          input_tokens: 5,
          input_tokens_details: { cached_tokens: 2 },
          output_tokens: 7,
          output_tokens_details: null,
        }),
        { input: 5, cached: 2, cacheWrite: 0, output: 7, reasoning: 0 },
      );
      for (const bad of [
        null,
        undefined,
        {},
        { input_tokens: '5', output_tokens: 7 },
        { input_tokens: -5, output_tokens: 7 },
        { input_tokens: 5.5, output_tokens: 7 },
        { input_tokens: 1e300, output_tokens: 7 },
        { input_tokens: 5, output_tokens: 7, input_tokens_details: { cached_tokens: -1 } },
        { input_tokens: 5, output_tokens: 7, output_tokens_details: { reasoning_tokens: '3' } },
        { input_tokens: 5, output_tokens: 7, output_tokens_details: 3 },
      ]) {
        assert.equal(usage(bad), null);
      }
    });
  });

  describe('a whole body', () => {
    it('is read like the terminal event', () => {
      const output = [{ type: 'message', id: 'm', content: [{ type: 'output_text', text: 'a' }] }];
      const event = decodeBody(JSON.stringify({ object: 'response', status: 'completed', output }));
      assert.ok(event.kind === 'ended');
      assert.deepEqual(event.ending.output, [{ kind: 'message', id: 'm', content: ['a'] }]);
    });

    it('is an error when it says so', () => {
      assert.deepEqual(decodeBody('{"error":{"message":"m","code":"c"}}'), {
        kind: 'errored',
        error: { type: '', code: 'c', message: 'm' },
      });
    });

    it('is nothing when it is neither', () => {
      for (const body of ['', '[1]', '{"choices":[]}', '{"status":"in_progress","error":null}']) {
        assert.equal(decodeBody(body).kind, 'malformed', body);
      }
    });
  });
});
