import assert from 'node:assert/strict';

import { emptyHistory, reduceHistory } from '../../../src/core/conversation/history.ts';
import { buildRequest, termsOf, type RequestParts } from '../../../src/core/conversation/request.ts';
import { models, type ModelId, type ModelRow } from '../../../src/core/responses/models.ts';
import { webSearchDeclaration } from '../../../src/core/responses/webSearchTool.ts';
import type { RequestBody, ToolDeclaration } from '../../../src/core/responses/wire.ts';
import { userMessage } from '../../support/turns.ts';

const tool: ToolDeclaration = {
  type: 'function',
  name: 'f',
  description: 'd',
  parameters: { type: 'object' },
  strict: true,
};
const row = (id: ModelId): ModelRow => models.find((each) => each.id === id) ?? assert.fail(id);

const history = [
  {
    kind: 'turnStarted',
    turn: 't',
    question: { text: 'q', attachments: [] },
    model: 'kimi-k3.1-pro',
    effort: 'max',
    at: 1,
  } as const,
  { kind: 'itemsKept', turn: 't', items: [userMessage('q')] } as const,
].reduce(reduceHistory, emptyHistory());

function build(more: Partial<RequestParts> = {}): RequestBody {
  return buildRequest({
    model: row('kimi-k3.1-pro'),
    effort: 'max',
    instructions: 'i',
    tools: [tool],
    history,
    ...more,
  });
}

describe('conversation/request', () => {
  it('sends the fields in one order, what grows last', () => {
    assert.deepEqual(Object.keys(build({ maxOutputTokens: 5 })), [
      'model',
      'stream',
      'instructions',
      'reasoning',
      'max_output_tokens',
      'tools',
      'tool_choice',
      'input',
    ]);
    assert.equal(
      JSON.stringify(build({ tools: [] })),
      '{"model":"kimi-k3.1-pro","stream":true,"instructions":"i","reasoning":{"effort":"max"},"input":[{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]}]}',
    );
  });

  it('asks for sources and images only where the web may be searched', () => {
    const body = build({ tools: [tool, webSearchDeclaration({ domains: [] })] });
    assert.deepEqual(Object.keys(body).slice(-4), ['tools', 'tool_choice', 'include', 'input']);
    assert.deepEqual(body.include, ['web_search_call.action.sources', 'web_search_call.results']);
    assert.equal(build().include, undefined);
  });

  it('asks for JSON of a schema only where the model takes that, in front of what grows', () => {
    const format = { type: 'json_schema', name: 'n', strict: true, schema: { type: 'object' } } as const;
    const body = build({ format });
    assert.deepEqual(Object.keys(body).slice(-2), ['text', 'input']);
    assert.deepEqual(body.text, { format });
    assert.equal(build({ format, model: row('kimi-k3') }).text, undefined);
  });

  for (const { id, efforts } of models) {
    describe(id, () => {
      it('is asked by its own name', () => {
        assert.equal(build({ model: row(id) }).model, id);
      });

      it('is sent the effort only where there is a choice', () => {
        for (const effort of ['low', 'high', 'max'] as const) {
          const { reasoning } = build({ model: row(id), effort });
          if (efforts.length === 1) assert.equal(reasoning, undefined);
          else assert.deepEqual(reasoning, { effort });
        }
      });

      it('is sent output limits within what it can do, and none when none is set', () => {
        const limit = (maxOutputTokens?: number): number | undefined =>
          build({ model: row(id), maxOutputTokens }).max_output_tokens;
        assert.equal(limit(), undefined);
        assert.equal(limit(1024), 1024);
        assert.equal(limit(0), 1);
        assert.equal(limit(2 ** 30), 1_048_576);
        assert.equal(limit(1.5), 1);
      });

      it('has the documented window', () => {
        assert.equal(row(id).contextWindow, 1_048_576);
      });

      it('is never sent what it fixes, refuses or would have to remember', () => {
        const body = build({ model: row(id), maxOutputTokens: 5 });
        for (const field of [
          'text',
          'prompt_cache_options',
          'temperature',
          'top_p',
          'store',
          'previous_response_id',
          'conversation',
          'background',
          'parallel_tool_calls',
          'metadata',
          'truncation',
          'service_tier',
          'stream_options',
          'include',
          'prompt_cache_key',
          'safety_identifier',
        ]) {
          assert.ok(!(field in body), field);
        }
        assert.deepEqual(Object.keys(body.reasoning ?? { effort: '' }), ['effort']);
      });
    });
  }

  it('documents what only the K3.1 series takes', () => {
    const able = models.map((each) => [
      each.id,
      each.structuredOutput,
      each.cacheOptions,
      each.cacheWritesBilled,
    ]);
    assert.deepEqual(able, [
      ['kimi-k3.1-pro', true, true, true],
      ['kimi-k3.1-pro-highspeed', true, true, true],
      ['kimi-k3', false, false, false],
    ]);
  });

  it('only ever lets the model choose the tool, and says nothing of tools without any', () => {
    assert.equal(build().tool_choice, 'auto');
    const without = build({ tools: [] });
    assert.ok(!('tools' in without) && !('tool_choice' in without));
  });

  it('sends no tool of a type that the service refuses', () => {
    const patch: ToolDeclaration = {
      type: 'custom',
      name: 'apply_patch',
      description: 'd',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
    };
    const types = build({ tools: [tool, patch] }).tools?.map(({ type }) => type);
    assert.deepEqual(types, ['function', 'custom']);
  });

  it('leaves another model’s ciphertext out when the model is switched', () => {
    const secret = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 's' }],
      encrypted_content: 'x',
    } as const;
    const said = {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'a' }],
    } as const;
    const longer = reduceHistory(history, { kind: 'itemsKept', turn: 't', items: [secret, said] });
    const sent = (id: ModelId): unknown => build({ model: row(id), history: longer }).input[1];
    const { encrypted_content: _, ...clear } = secret;
    assert.deepEqual(sent('kimi-k3.1-pro'), secret);
    assert.deepEqual(sent('kimi-k3.1-pro-highspeed'), clear);
    assert.deepEqual(sent('kimi-k3'), clear);
  });

  it('tells what was asked for, also where a model is not sent its only choice', () => {
    assert.deepEqual(termsOf(build({ effort: 'low' })), { effort: 'low' });
    assert.deepEqual(termsOf(build({ maxOutputTokens: 20, cacheTtl: '1h' })), {
      effort: 'max',
      room: 20,
      cacheTtl: '1h',
    });
    const k3 = build({ model: row('kimi-k3'), effort: 'low', cacheTtl: '1h' });
    assert.deepEqual(termsOf(k3), { effort: 'max' });
    assert.deepEqual(termsOf({ ...k3, model: 'another' as ModelId }), { effort: undefined });
  });
});
