/** Calls of tools in namespaces over a turn: which one runs, what is kept and sent again, and what is declared. */
import assert from 'node:assert/strict';

import type { HistoryItem, RequestBody } from '../../../src/core/responses/wire.ts';
import type { Tool, ToolCall } from '../../../src/core/tools/tool.ts';
import { ask, ports, response, run, scriptedModel } from '../../support/turns.ts';

const answer = { type: 'message', content: [{ type: 'output_text', text: 'Done.' }] };

function tool(name: string, namespace: string, calls: ToolCall[]): Tool {
  return {
    declaration: { type: 'function', name, description: '', parameters: {}, strict: false },
    namespace: { name: namespace, description: `About ${namespace}.` },
    run: (call) => {
      calls.push(call);
      return Promise.resolve({ kind: 'done', text: `${namespace} ${call.input}` });
    },
  };
}

describe('a call of a tool in a namespace', () => {
  it('runs that one, and is sent again as it came', async () => {
    const calls: ToolCall[] = [];
    const tools = [tool('search', 'docs', calls), tool('search', 'shop', calls), tool('now', 'time', calls)];
    const call = (id: string, name: string, namespace?: string): object => ({
      ...{ type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: '{"q":1}' },
      ...(namespace !== undefined && { namespace }),
    });
    const made = [
      call('a', 'search', 'shop'),
      call('b', 'search'),
      call('c', 'now'),
      call('d', 'docs__search'),
      call('e', 'now', 'docs'),
    ];
    const model = scriptedModel(response(made), response([answer]));
    const outcome = await run(ports(model, tools), ask('Look.'));
    assert.deepEqual(outcome.turn.end, { kind: 'completed' });
    assert.deepEqual(
      calls.map(({ name, namespace }) => [name, namespace]),
      [
        ['search', 'shop'],
        ['now', undefined],
        ['docs__search', undefined],
      ],
    );
    const [first, second] = model.bodies.map((body) => JSON.parse(body) as RequestBody);
    assert.deepEqual(
      first?.tools?.map((each) => (each.type === 'namespace' ? each.name : each.type)),
      ['docs', 'shop', 'time'],
    );
    const sent: readonly HistoryItem[] = second?.input ?? [];
    assert.deepEqual(sent.slice(1, 6), made);
    assert.deepEqual(
      sent.slice(6).map((item) => (item.type === 'function_call_output' ? item.output : item.type)),
      [
        'shop {"q":1}',
        '"search" could be several tools: "search" in namespace "docs", "search" in namespace "shop". Nothing was done. Call again, with the namespace.',
        'time {"q":1}',
        'docs {"q":1}',
        'There is no tool "now" in namespace "docs". It has: search.',
      ],
    );
  });
});
