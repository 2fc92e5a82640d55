import assert from 'node:assert/strict';

import { outputItem } from '../../../src/core/conversation/history.ts';
import { keepItems } from '../../../src/core/conversation/keep.ts';
import type { CallOutput, OutputItem, SearchOutput } from '../../../src/core/responses/events.ts';
import { noSearch, type WebSearch } from '../../../src/core/responses/webSearch.ts';
import type { HistoryItem, ToolDeclaration } from '../../../src/core/responses/wire.ts';

const tools: readonly ToolDeclaration[] = [
  {
    type: 'custom',
    name: 'apply_patch',
    description: 'd',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
  },
  { type: 'function', name: 'f', description: 'd', parameters: {}, strict: false },
];

function keep(items: readonly OutputItem[], completed = true, whole = true): readonly HistoryItem[] {
  const read = items.map((item, slot) => ({ slot, item, whole, inputDiffers: false }));
  return keepItems(read, completed, tools).items;
}

const said: OutputItem = { kind: 'message', id: 'msg_1', content: ['a'] };
const saidItem: HistoryItem = {
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'a' }],
};
const thought: OutputItem = { kind: 'reasoning', id: 'rs_1', summary: ['s'], content: [] };
const thoughtItem: HistoryItem = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 's' }],
};
const call = (more: Partial<CallOutput> = {}): CallOutput => ({
  kind: 'call',
  type: 'function_call',
  id: 'fc_1',
  callId: 'f:0',
  name: 'f',
  input: '{ }',
  whole: true,
  ...more,
});

describe('conversation/keep', () => {
  it('keeps what the service takes of each item, in its order', () => {
    const items = keep([
      { kind: 'reasoning', id: 'rs_1', summary: ['a', 'b'], content: ['c'], encrypted: 'e' },
      said,
      call({ namespace: 'n' }),
      call({ type: 'custom_tool_call', id: 'ctc_1', callId: 'p:0', name: 'apply_patch', input: '***' }),
    ]);
    assert.equal(
      JSON.stringify(items),
      JSON.stringify([
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [
            { type: 'summary_text', text: 'a' },
            { type: 'summary_text', text: 'b' },
          ],
          content: [{ type: 'reasoning_text', text: 'c' }],
          encrypted_content: 'e',
        },
        saidItem,
        { type: 'function_call', id: 'fc_1', call_id: 'f:0', name: 'f', namespace: 'n', arguments: '{ }' },
        { type: 'custom_tool_call', id: 'ctc_1', call_id: 'p:0', name: 'apply_patch', input: '***' },
      ]),
    );
  });

  it('keeps an empty summary, without which servers refuse the item', () => {
    const [item] = keep([{ kind: 'reasoning', summary: [], content: [''] }, said]);
    assert.equal(JSON.stringify(item), '{"type":"reasoning","summary":[]}');
  });

  it('keeps the parts of a summary as they came, empty ones too', () => {
    const [item] = keep([{ kind: 'reasoning', summary: ['', 'a'], content: [] }, said]);
    assert.deepEqual(item, {
      type: 'reasoning',
      summary: [
        { type: 'summary_text', text: '' },
        { type: 'summary_text', text: 'a' },
      ],
    });
  });

  it('says in output_text what the assistant said, refusals too', () => {
    assert.deepEqual(keep([{ kind: 'message', content: ['a', 'I can’t.'] }]), [
      {
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'a' },
          { type: 'output_text', text: 'I can’t.' },
        ],
      },
    ]);
  });

  it('leaves out a message without text, and the reasoning that led only to it', () => {
    assert.deepEqual(keep([thought, { kind: 'message', content: [] }]), []);
    assert.deepEqual(keep([thought, { kind: 'message', content: [''] }]), []);
    assert.deepEqual(keep([thought, { kind: 'message', content: [] }, said]), [thoughtItem, saidItem]);
    assert.deepEqual(keep([said, thought, { kind: 'message', content: [''] }]), [saidItem]);
  });

  it('keeps an empty message in front of a call, where the service wants all that was said', () => {
    const types = keep([thought, { kind: 'message', content: [''] }, call()]).map(({ type }) => type);
    assert.deepEqual(types, ['reasoning', 'message', 'function_call']);
  });

  it('leaves out reasoning that nothing follows', () => {
    assert.deepEqual(keep([thought]), []);
    assert.deepEqual(keep([thought, said, thought, thought]), [thoughtItem, saidItem]);
  });

  it('leaves out unknown items', () => {
    assert.deepEqual(keep([{ kind: 'other', type: 'image_call' }, thought, said]), [thoughtItem, saidItem]);
  });

  it('sends a search back with its question, and none of what it found', () => {
    const search: SearchOutput = {
      kind: 'search',
      id: 'ws_1',
      search: {
        action: { kind: 'search', queries: ['carts', 'more carts'] },
        sources: [{ url: 'https://example.test/' }],
        images: [],
      },
    };
    const item = {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type: 'search', query: 'carts' },
    };
    assert.deepEqual(keep([search, thought, said]), [item, thoughtItem, saidItem]);
    const { id: _, ...nameless } = item;
    assert.deepEqual(keep([{ ...search, id: 'x' }, said]), [nameless, saidItem]);
    // Nothing follows it.
    assert.deepEqual(keep([said, search]), [saidItem]);
    assert.deepEqual(keep([search, thought]), []);
    // It was not whole when the answer broke off.
    assert.deepEqual(keep([search, said], false, false), [saidItem]);
  });

  it('leaves out a search that failed, that says nothing, or of which the service takes no account', () => {
    const others: readonly WebSearch[] = [
      noSearch,
      { ...noSearch, action: { kind: 'search', queries: ['x'] }, failed: true },
      { ...noSearch, action: { kind: 'openPage' } },
    ];
    for (const search of others) assert.deepEqual(keep([{ kind: 'search', search }, said]), [saidItem]);
  });

  it('leaves out a half-written call of a response that did not complete, what follows it and the reasoning that led to it', () => {
    assert.deepEqual(keep([thought, call()], false, false), []);
    assert.deepEqual(keep([thought, said, call()], false, false), [thoughtItem, saidItem]);
    assert.equal(keep([thought, call()], false, true).length, 2);
    assert.equal(keep([thought, call()], true, false).length, 2);
    const items = [thought, call(), call({ callId: 'f:1' })].map((item, slot) => ({
      slot,
      item,
      whole: slot !== 1,
      inputDiffers: false,
    }));
    assert.deepEqual(keepItems(items, false, tools), { items: [], calls: [] });
  });

  it('leaves out ids that the service did not make or would not take', () => {
    const ids = (id: string): unknown =>
      keep([{ ...thought, id }, call({ id })]).map((item) => ('id' in item ? item.id : undefined));
    assert.deepEqual(ids('rs_'.padEnd(64, 'x')), ['rs_'.padEnd(64, 'x'), undefined]);
    assert.deepEqual(ids('rs_'.padEnd(400, 'x')), [undefined, undefined]);
    assert.deepEqual(ids('fc_1'), [undefined, 'fc_1']);
  });

  it('keeps arguments byte for byte, blank ones too, unless they are no JSON', () => {
    const argumentsOf = (input: string): unknown => {
      const [item] = keep([call({ input })]);
      return item?.type === 'function_call' ? item.arguments : undefined;
    };
    assert.equal(argumentsOf('{ "a" : 1.0 }'), '{ "a" : 1.0 }');
    assert.equal(argumentsOf(''), '');
    assert.equal(argumentsOf('{"a":'), '{}');
  });

  it('takes arguments that are no JSON object for none, without the id of the item that was sent otherwise', () => {
    for (const input of ['{"a":', '[1]', '"a"', '7', 'null']) {
      const [item] = keep([call({ id: 'fc_1', input })]);
      assert.ok(item?.type === 'function_call');
      assert.deepEqual([item.id, item.arguments], [undefined, '{}'], input);
    }
    const [item] = keep([call({ id: 'fc_1', input: ' {}' })]);
    assert.ok(item?.type === 'function_call');
    assert.deepEqual([item.id, item.arguments], ['fc_1', ' {}']);
  });

  it('keeps a call under a name that the service takes', () => {
    const nameOf = (name: string): unknown => {
      const [item] = keep([call({ name, namespace: name })]);
      return item?.type === 'function_call' ? [item.name, item.namespace] : undefined;
    };
    assert.deepEqual(nameOf('read-file_2'), ['read-file_2', 'read-file_2']);
    assert.deepEqual(nameOf('functions.read'), ['_functions_read', '_functions_read']);
    assert.deepEqual(nameOf(''), ['_', '_']);
    assert.deepEqual(nameOf('x'.repeat(200)), [`_${'x'.repeat(127)}`, `_${'x'.repeat(127)}`]);
  });

  it('keeps a custom call of any other name as a function’s, since the service takes only those that are declared', () => {
    assert.deepEqual(keep([call({ type: 'custom_tool_call', name: 'exec', input: 'ls "a"' })]), [
      { type: 'function_call', call_id: 'f:0', name: 'exec', arguments: '{"input":"ls \\"a\\""}' },
    ]);
  });

  it('keeps a custom call of a tool that was not offered as a function’s, too', () => {
    const patch = call({ type: 'custom_tool_call', id: 'ctc_1', name: 'apply_patch', input: '***' });
    const sameName: ToolDeclaration = {
      type: 'function',
      name: 'apply_patch',
      description: 'd',
      parameters: {},
      strict: false,
    };
    for (const offered of [[], tools.slice(1), [sameName]]) {
      const kept = keepItems([{ slot: 0, item: patch, whole: true, inputDiffers: false }], true, offered);
      assert.deepEqual(kept.items, [
        { type: 'function_call', call_id: 'f:0', name: 'apply_patch', arguments: '{"input":"***"}' },
      ]);
    }
  });

  it('keeps a custom call in a namespace as a function’s: no tool is declared in one', () => {
    const [item] = keep([
      call({ type: 'custom_tool_call', name: 'apply_patch', namespace: 'n', input: '***' }),
    ]);
    assert.deepEqual(item, {
      type: 'function_call',
      call_id: 'f:0',
      name: 'apply_patch',
      namespace: 'n',
      arguments: '{"input":"***"}',
    });
  });

  it('keeps apply_patch as the kind of call that it came as', () => {
    const [item] = keep([call({ name: 'apply_patch', input: '{"patch":"x"}' })]);
    assert.equal(item?.type, 'function_call');
  });

  it('tells calls of one response apart, though the server gave them one id', () => {
    const ids = keep([call(), call(), call()]).map((item) => ('call_id' in item ? item.call_id : ''));
    assert.deepEqual(ids, ['f:0', 'f:0-2', 'f:0-3']);
  });

  it('tells them apart also where the server made up such ids itself, and however many they are', () => {
    const callIds = ['f:0', 'f:0-2', 'f:0', 'f:0-2', ...Array.from({ length: 20_000 }, () => 'f:0')];
    const ids = keep(callIds.map((callId) => call({ callId }))).map((item) =>
      'call_id' in item ? item.call_id : '',
    );
    assert.deepEqual(ids.slice(0, 5), ['f:0', 'f:0-2', 'f:0-3', 'f:0-2-2', 'f:0-4']);
    assert.equal(new Set(ids).size, callIds.length);
  });

  it('cuts an id that is longer than the service takes back, for the call and its output alike', () => {
    const [item] = keep([call({ callId: 'f'.repeat(65) })]);
    assert.ok(item?.type === 'function_call');
    const callId = 'f'.repeat(64);
    assert.equal(item.call_id, callId);
    assert.deepEqual(outputItem(item, 'x'), { type: 'function_call_output', call_id: callId, output: 'x' });
    const [whole] = keep([call({ callId })]);
    assert.ok(whole?.type === 'function_call' && whole.call_id === callId);
  });

  it('tells long ids apart that differ only in what is cut, and cuts no character in two', () => {
    const long = 'f'.repeat(63);
    const ids = keep(
      [...Array.from({ length: 12 }, (_, n) => `${long}-${n}`), `${long}😀`].map((callId) =>
        call({ callId }),
      ),
    ).map((item) => ('call_id' in item ? item.call_id : ''));
    assert.equal(new Set(ids).size, 13);
    assert.deepEqual(ids.slice(0, 3), [`${long}-`, `${'f'.repeat(62)}-2`, `${'f'.repeat(62)}-3`]);
    assert.equal(ids.at(-1), `${long}\ufffd`);
    for (const id of ids) assert.ok(id.length <= 64 && id.isWellFormed());
  });

  it('returns the calls beside what is kept of them', () => {
    const { calls } = keepItems([{ slot: 4, item: call(), whole: true, inputDiffers: true }], true, tools);
    assert.deepEqual(
      calls.map(({ slot, inputDiffers, item }) => [slot, inputDiffers, item.call_id]),
      [[4, true, 'f:0']],
    );
  });
});
