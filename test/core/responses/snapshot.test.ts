import assert from 'node:assert/strict';

import { decodeEvent } from '../../../src/core/responses/decode.ts';
import { maxItems, ResponseSnapshot, type Change } from '../../../src/core/responses/snapshot.ts';

function feed(snapshot: ResponseSnapshot, ...events: readonly object[]): readonly Change[] {
  return events.flatMap((event) => snapshot.apply(decodeEvent(JSON.stringify(event))));
}

function fresh(...events: readonly object[]): { snapshot: ResponseSnapshot; changes: readonly Change[] } {
  const snapshot = new ResponseSnapshot();
  return { snapshot, changes: feed(snapshot, ...events) };
}

/** The last state of what was told, one line an item. */
function told(changes: readonly Change[]): readonly string[] {
  const slots = new Map<number, { head: string; texts: string[] }>();
  for (const change of changes) {
    switch (change.kind) {
      case 'opened':
        slots.set(change.slot, { head: change.what, texts: [] });
        break;
      case 'callOpened':
        slots.set(change.slot, { head: `call ${change.call.name}`, texts: [''] });
        break;
      case 'textAdded': {
        const texts = slots.get(change.slot)?.texts ?? assert.fail('text before its item');
        texts[change.section] = (texts[change.section] ?? '') + change.text;
        break;
      }
      case 'textReplaced': {
        const texts = slots.get(change.slot)?.texts ?? assert.fail('text before its item');
        texts[change.section] = change.text;
        break;
      }
      case 'inputAdded': {
        const texts = slots.get(change.slot)?.texts ?? assert.fail('input before its call');
        texts[0] += change.text;
        break;
      }
      case 'searched':
      case 'cited':
      case 'closed':
        break;
    }
  }
  return [...slots.values()].map(({ head, texts }) => `${head}: ${texts.join('|')}`);
}

function calls(snapshot: ResponseSnapshot): readonly string[] {
  return snapshot
    .items()
    .flatMap(({ item, whole }) =>
      item.kind === 'call' ? `${item.callId} ${item.input} ${whole ? 'whole' : 'cut'}` : [],
    );
}

const message = { type: 'message', id: 'm', role: 'assistant' };
const text = (value: string): object => ({ type: 'output_text', text: value });
const added = (index: number, item: object): object => ({
  type: 'response.output_item.added',
  output_index: index,
  item,
});
const done = (index: number, item: object): object => ({
  type: 'response.output_item.done',
  output_index: index,
  item,
});
const delta = (index: number | undefined, id: string | undefined, piece: string, section = 0): object => ({
  type: 'response.output_text.delta',
  output_index: index,
  item_id: id,
  content_index: section,
  delta: piece,
});
const final = (index: number | undefined, id: string | undefined, whole: string, section = 0): object => ({
  type: 'response.output_text.done',
  output_index: index,
  item_id: id,
  content_index: section,
  text: whole,
});
const call = (id: string | undefined, callId: string, args = ''): object => ({
  type: 'function_call',
  id,
  call_id: callId,
  name: 'f',
  arguments: args,
});
const args = (index: number | undefined, id: string | undefined, piece: string): object => ({
  type: 'response.function_call_arguments.delta',
  output_index: index,
  item_id: id,
  delta: piece,
});
const argsDone = (index: number | undefined, id: string | undefined, whole: string): object => ({
  type: 'response.function_call_arguments.done',
  output_index: index,
  item_id: id,
  arguments: whole,
});
const ended = (output: readonly object[], status = 'completed'): object => ({
  type: `response.${status}`,
  response: { status, output },
});

describe('responses/snapshot', () => {
  describe('where a piece belongs', () => {
    it('is told by the id first, whatever the index says', () => {
      const { snapshot, changes } = fresh(
        added(0, call('a', 'f:0')),
        added(0, call('b', 'f:1')),
        args(0, 'b', '{"n":'),
        args(0, 'a', '{"n":'),
        args(0, 'b', '2}'),
        args(0, 'a', '1}'),
        done(0, call('b', 'f:1', '{"n":2}')),
        done(0, call('a', 'f:0', '{"n":1}')),
        ended([]),
      );
      assert.deepEqual(told(changes), ['call f: {"n":1}', 'call f: {"n":2}']);
      assert.deepEqual(calls(snapshot), ['f:0 {"n":1} whole', 'f:1 {"n":2} whole']);
    });

    it('is told by the index where there are no ids', () => {
      const { snapshot } = fresh(
        added(0, call(undefined, 'f:0')),
        added(1, call(undefined, 'f:1')),
        args(1, undefined, '2'),
        args(0, undefined, '1'),
        argsDone(0, undefined, '1'),
        argsDone(1, undefined, '2'),
        ended([]),
      );
      assert.deepEqual(calls(snapshot), ['f:0 1 whole', 'f:1 2 whole']);
    });

    it('is the open item where there is neither', () => {
      const { changes } = fresh(delta(undefined, undefined, 'a'), delta(undefined, undefined, 'b'));
      assert.deepEqual(told(changes), ['answer: ab']);
    });

    it('is found under the id of the call too', () => {
      const { snapshot } = fresh(
        added(0, call('a', 'f:0')),
        args(5, 'f:0', '1'),
        argsDone(5, 'f:0', '1'),
        ended([]),
      );
      assert.deepEqual(calls(snapshot), ['f:0 1 whole']);
    });

    it('is found under an id that only the pieces have', () => {
      const { changes } = fresh(
        added(0, message),
        delta(0, 'other', 'a'),
        delta(0, 'other', 'b'),
        done(0, { ...message, id: 'third', content: [text('ab')] }),
        ended([{ ...message, id: 'fourth', content: [text('ab')] }]),
      );
      assert.deepEqual(told(changes), ['answer: ab']);
    });

    it('is never an item whose pieces come under another id', () => {
      const { snapshot } = fresh(
        args(0, 'a', '1'),
        args(0, 'b', '2'),
        args(0, 'a', '1'),
        done(0, call('a', 'f:0', '11')),
        done(0, call('b', 'f:1', '2')),
        done(0, call('c', 'f:2', '3')),
        ended([]),
      );
      assert.deepEqual(calls(snapshot), ['f:0 11 whole', 'f:1 2 whole', 'f:2 3 whole']);
    });

    it('is a new item when a later one of the same kind stands under the same index', () => {
      const { changes } = fresh(
        delta(0, undefined, 'a'),
        done(0, { ...message, content: [text('a')] }),
        delta(0, undefined, 'b'),
      );
      assert.deepEqual(told(changes), ['answer: a', 'answer: b']);
    });

    it('is the closed item when the end of a text is told once more', () => {
      const { changes } = fresh(
        delta(0, undefined, 'a'),
        done(0, { type: 'message', content: [text('a')] }),
        final(0, undefined, 'a'),
        argsDone(3, undefined, ''),
      );
      assert.deepEqual(told(changes), ['answer: a']);
    });

    it('is no item of another kind, though the id is the same', () => {
      const { changes } = fresh(
        added(0, { type: 'reasoning', id: 'x' }),
        delta(0, 'x', 'a'),
        done(0, { type: 'reasoning', id: 'x', summary: [{ text: 's' }] }),
      );
      assert.deepEqual(told(changes), ['reasoning: s', 'answer: a']);
    });
  });

  describe('an item', () => {
    it('opens with its first text when it was never announced', () => {
      const { changes } = fresh(delta(0, 'm', 'a'));
      assert.deepEqual(changes, [
        { kind: 'opened', slot: 0, what: 'answer' },
        { kind: 'textAdded', slot: 0, section: 0, text: 'a' },
      ]);
    });

    it('that was announced after its first piece is the same one', () => {
      const { changes } = fresh(
        delta(0, undefined, 'a'),
        added(0, message),
        delta(0, 'm', 'b'),
        added(0, message),
      );
      assert.deepEqual(told(changes), ['answer: ab']);
    });

    it('that is announced twice without ids is two when the calls differ', () => {
      const { snapshot } = fresh(
        added(0, call(undefined, 'f:0')),
        added(0, call(undefined, 'f:1')),
        done(0, call(undefined, 'f:0', '1')),
        done(0, call(undefined, 'f:1', '2')),
        ended([]),
      );
      assert.deepEqual(calls(snapshot), ['f:0 1 whole', 'f:1 2 whole']);
    });

    it('opens reasoning at once and an answer only with text', () => {
      const { changes } = fresh(added(0, { type: 'reasoning', id: 'r' }), added(1, message));
      assert.deepEqual(changes, [{ kind: 'opened', slot: 0, what: 'reasoning' }]);
    });

    it('shows a call once its name is known, with what came before', () => {
      const { changes } = fresh(args(0, 'a', '{'), args(0, 'a', '}'), done(0, call('a', 'f:0', '{}')));
      assert.deepEqual(changes, [
        { kind: 'callOpened', slot: 0, call: { type: 'function_call', name: 'f' } },
        { kind: 'inputAdded', slot: 0, text: '{}' },
      ]);
    });

    it('that has no id is the one whose pieces came under its index', () => {
      const { snapshot } = fresh(args(0, 'a', '{}'), done(0, call(undefined, 'f:0', '{}')), ended([]));
      assert.deepEqual(calls(snapshot), ['f:0 {} whole']);
    });

    it('names the namespace of a call', () => {
      const { changes } = fresh(added(0, { ...call('a', 'f:0'), namespace: 'n' }));
      assert.deepEqual(changes, [
        { kind: 'callOpened', slot: 0, call: { type: 'function_call', name: 'f', namespace: 'n' } },
      ]);
    });

    it('closes once, and takes nothing more afterwards', () => {
      const item = { ...message, content: [text('a')] };
      const { changes } = fresh(
        added(0, message),
        delta(0, 'm', 'a'),
        done(0, item),
        done(0, item),
        delta(0, 'm', 'x'),
        added(0, item),
        done(1, call('c', 'f:0', '1')),
        args(1, 'c', 'x'),
        done(1, call(undefined, 'f:0', 'y')),
      );
      assert.deepEqual(
        changes.filter(({ kind }) => kind === 'closed'),
        [{ kind: 'closed', slot: 0 }],
      );
      assert.deepEqual(told(changes), ['answer: a', 'call f: 1']);
    });

    it('of an unknown type changes nothing', () => {
      const { snapshot, changes } = fresh(
        added(0, { type: 'telepathy', id: 't' }),
        done(0, { type: 'telepathy', id: 't' }),
        ended([{ type: 'telepathy', id: 't' }]),
      );
      assert.deepEqual(changes, []);
      assert.deepEqual(
        snapshot.items().map(({ item }) => item),
        [{ kind: 'other', id: 't', type: 'telepathy' }],
      );
    });
  });

  describe('a text', () => {
    it('is shown once though it is told three times', () => {
      const { changes } = fresh(
        delta(0, 'm', 'ab'),
        final(0, 'm', 'ab'),
        {
          type: 'response.content_part.done',
          item_id: 'm',
          output_index: 0,
          content_index: 0,
          part: text('ab'),
        },
        done(0, { ...message, content: [text('ab')] }),
        ended([{ ...message, content: [text('ab')] }]),
      );
      assert.deepEqual(told(changes), ['answer: ab']);
      assert.equal(changes.filter(({ kind }) => kind === 'textAdded').length, 1);
    });

    it('is what the end says where the pieces differ', () => {
      const { changes } = fresh(delta(0, 'm', 'Helo'), final(0, 'm', 'Hello'));
      assert.deepEqual(changes.at(-1), { kind: 'textReplaced', slot: 0, section: 0, text: 'Hello' });
    });

    it('only grows where the end says more', () => {
      const { changes } = fresh(delta(0, 'm', 'Hel'), final(0, 'm', 'Hello'));
      assert.deepEqual(changes.at(-1), { kind: 'textAdded', slot: 0, section: 0, text: 'lo' });
    });

    it('is not lost to a blank end', () => {
      const { snapshot, changes } = fresh(
        delta(0, 'm', 'a'),
        final(0, 'm', ''),
        done(0, { ...message, content: [] }),
        ended([{ ...message, content: [text('')] }]),
      );
      assert.deepEqual(told(changes), ['answer: a']);
      assert.deepEqual(snapshot.items()[0]?.item, { kind: 'message', id: 'm', content: ['a'] });
    });

    it('loses the sections that the end does not have', () => {
      const { snapshot, changes } = fresh(
        delta(0, 'm', 'a', 0),
        delta(0, 'm', 'b', 2),
        done(0, { ...message, content: [text('a')] }),
      );
      assert.deepEqual(told(changes), ['answer: a||']);
      assert.deepEqual(snapshot.items()[0]?.item, { kind: 'message', id: 'm', content: ['a', '', ''] });
    });

    it('of reasoning that comes in two forms is shown in the first and kept in both', () => {
      const at = { item_id: 'r', output_index: 0 };
      const { snapshot, changes } = fresh(
        { type: 'response.reasoning_summary_text.delta', ...at, summary_index: 0, delta: 's' },
        { type: 'response.reasoning_text.delta', ...at, content_index: 0, delta: 'full' },
        { type: 'response.reasoning_text.delta', ...at, content_index: 1, delta: 'more' },
        done(0, { type: 'reasoning', id: 'r', summary: [{ text: 's' }], content: [{ text: 'full' }] }),
      );
      assert.deepEqual(told(changes), ['reasoning: s']);
      assert.deepEqual(snapshot.items()[0]?.item, {
        kind: 'reasoning',
        id: 'r',
        summary: ['s'],
        content: ['full', ''],
      });
    });
  });

  describe('a tool input', () => {
    it('is what the end says where the pieces differ, which is noted because they can not be taken back', () => {
      const { snapshot, changes } = fresh(
        added(0, call('a', 'f:0')),
        args(0, 'a', '{"a":1'),
        argsDone(0, 'a', '{"b":2}'),
        done(0, call('a', 'f:0', '{"b":2} ')),
        ended([]),
      );
      assert.deepEqual(told(changes), ['call f: {"a":1']);
      assert.deepEqual(calls(snapshot), ['f:0 {"b":2}  whole']);
      assert.equal(snapshot.items()[0]?.inputDiffers, true);
    });

    it('can differ without notice while nothing of it was shown', () => {
      const { snapshot } = fresh(args(0, 'a', 'x'), argsDone(0, 'a', 'y'), done(0, call('a', 'f:0', 'y')));
      assert.equal(snapshot.items()[0]?.inputDiffers, false);
      assert.deepEqual(calls(snapshot), ['f:0 y whole']);
    });

    it('may come whole at the end', () => {
      const { changes } = fresh(added(0, call('a', 'f:0')), argsDone(0, 'a', '{}'));
      assert.deepEqual(changes.at(-1), { kind: 'inputAdded', slot: 0, text: '{}' });
    });
  });

  describe('the end', () => {
    it('counts with its own output, and shows what was never streamed', () => {
      const { snapshot, changes } = fresh(
        ended([
          { type: 'reasoning', id: 'r', summary: [{ text: 's' }], encrypted_content: 'e' },
          { ...message, content: [text('a')] },
          call('c', 'f:0', '{}'),
        ]),
      );
      assert.deepEqual(told(changes), ['reasoning: s', 'answer: a', 'call f: {}']);
      assert.deepEqual(
        snapshot.items().map(({ item }) => item.kind),
        ['reasoning', 'message', 'call'],
      );
      assert.deepEqual(snapshot.items()[0]?.item, {
        kind: 'reasoning',
        id: 'r',
        summary: ['s'],
        content: [],
        encrypted: 'e',
      });
    });

    it('counts with what was closed when its output is empty, in the order of the indexes', () => {
      const { snapshot } = fresh(
        done(1, { ...message, content: [text('a')] }),
        done(0, { type: 'reasoning', id: 'r', summary: [{ text: 's' }] }),
        ended([]),
      );
      assert.deepEqual(
        snapshot.items().map(({ item }) => item.kind),
        ['reasoning', 'message'],
      );
    });

    it('keeps the order of arrival where the indexes can not be trusted', () => {
      const { snapshot } = fresh(
        done(1, { type: 'reasoning', id: 'r', summary: [{ text: 's' }] }),
        done(1, { ...message, content: [text('a')] }),
        ended([]),
      );
      assert.deepEqual(
        snapshot.items().map(({ item }) => item.kind),
        ['reasoning', 'message'],
      );
    });

    it('counts with what was streamed when nothing was closed', () => {
      const { snapshot } = fresh(
        added(0, message),
        delta(0, 'm', 'a'),
        added(1, call('c', 'f:0')),
        args(1, 'c', '{}'),
        ended([]),
      );
      assert.deepEqual(
        snapshot.items().map(({ item }) => item.kind),
        ['message', 'call'],
      );
      assert.deepEqual(calls(snapshot), ['f:0 {} whole']);
    });

    it('closes what was left open', () => {
      const { changes } = fresh(delta(0, 'm', 'a'), ended([]));
      assert.deepEqual(changes.at(-1), { kind: 'closed', slot: 0 });
    });

    it('replaces what was shown of an item that the output has otherwise', () => {
      const { changes } = fresh(
        delta(0, 'm', 'a'),
        done(0, { ...message, content: [text('a')] }),
        ended([{ ...message, content: [text('b')] }]),
      );
      assert.deepEqual(told(changes), ['answer: b']);
    });

    it('finds the calls of its output again by id, else by call, else by order', () => {
      const { snapshot, changes } = fresh(
        added(0, call('a', 'f:0')),
        added(1, call('b', 'f:0')),
        added(2, call('c', 'f:2')),
        args(3, undefined, '4'),
        ended([
          call('b', 'f:0', '2'),
          call('a', 'f:0', '1'),
          call('x', 'f:2', '3'),
          call(undefined, 'f:9', '4'),
        ]),
      );
      assert.deepEqual(told(changes), ['call f: 1', 'call f: 2', 'call f: 3', 'call f: 4']);
      assert.deepEqual(calls(snapshot), ['f:0 2 whole', 'f:0 1 whole', 'f:2 3 whole', 'f:9 4 whole']);
    });

    it('does not mistake one call for another', () => {
      const { snapshot, changes } = fresh(added(0, call('a', 'f:0')), ended([call('b', 'f:1', '1')]));
      assert.deepEqual(told(changes), ['call f: ', 'call f: 1']);
      assert.deepEqual(calls(snapshot), ['f:1 1 whole']);
    });

    it('takes calls as whole when the response completed, and else as the server says', () => {
      const cut = { ...call('a', 'f:0', '{'), status: 'in_progress' };
      assert.deepEqual(calls(fresh(ended([cut])).snapshot), ['f:0 { whole']);
      assert.deepEqual(calls(fresh(ended([cut], 'incomplete')).snapshot), ['f:0 { cut']);
      assert.deepEqual(calls(fresh(added(0, cut), ended([], 'incomplete')).snapshot), ['f:0 { cut']);
      assert.deepEqual(calls(fresh(done(0, call('a', 'f:0', '{}')), ended([], 'incomplete')).snapshot), [
        'f:0 {} whole',
      ]);
    });

    it('is the first one; nothing after it counts', () => {
      const { snapshot, changes } = fresh(
        ended([{ ...message, content: [text('a')] }]),
        delta(0, 'm', 'b'),
        { type: 'error', message: 'late' },
        ended([], 'failed'),
      );
      assert.deepEqual(told(changes), ['answer: a']);
      assert.ok(snapshot.end?.kind === 'ended' && snapshot.end.ending.status === 'completed');
    });

    it('may be an error', () => {
      const { snapshot } = fresh({ type: 'error', code: 'c', message: 'm' });
      assert.deepEqual(snapshot.end, { kind: 'errored', error: { type: '', code: 'c', message: 'm' } });
    });

    it('is not there before it came', () => {
      const { snapshot } = fresh({ type: 'response.created' }, delta(0, 'm', 'a'));
      assert.equal(snapshot.end, undefined);
      assert.deepEqual(snapshot.items(), [
        { slot: 0, item: { kind: 'message', id: 'm', content: ['a'] }, whole: false, inputDiffers: false },
      ]);
    });
  });

  describe('damage', () => {
    const unreadable = { type: 'response.output_text.delta' };

    it('is named when an event could not be read and nothing repeats it', () => {
      const { snapshot } = fresh(delta(0, 'm', 'a'), unreadable, unreadable, ended([]));
      assert.match(snapshot.damage ?? '', /^response\.output_text\.delta lacks/);
    });

    it('is undone by a final output', () => {
      const { snapshot, changes } = fresh(
        delta(0, 'm', 'a'),
        unreadable,
        ended([{ ...message, content: [text('ab')] }]),
      );
      assert.equal(snapshot.damage, undefined);
      assert.deepEqual(told(changes), ['answer: ab']);
    });

    it('is a final output that can not be read, unless all was streamed', () => {
      assert.match(fresh(ended([{ type: 'message', content: 5 }])).snapshot.damage ?? '', /final output/);
      assert.equal(
        fresh(delta(0, 'm', 'a'), ended([{ type: 'message', content: 5 }])).snapshot.damage,
        undefined,
      );
    });

    it('is a call of which nobody ever said the name', () => {
      const { snapshot } = fresh(args(0, 'a', '{}'), ended([]));
      assert.equal(snapshot.damage, 'a tool call has no name');
      assert.deepEqual(snapshot.items(), []);
    });
  });

  describe('searches of the web', () => {
    const at = { item_id: 'ws', output_index: 0 };
    const search = (action: object, more: object = {}): object => ({
      type: 'web_search_call',
      id: 'ws',
      action,
      ...more,
    });
    const sources = [{ url: 'https://a.test/' }];

    it('open with their first event of any kind, and are told again when more is known', () => {
      const { changes } = fresh(
        { type: 'response.web_search_call.in_progress', ...at },
        added(0, search({ type: 'search', query: 'a' })),
        { type: 'response.web_search_call.searching', ...at },
        {
          type: 'response.output_item.done',
          output_index: 0,
          item: search({ type: 'search', query: 'a', sources }),
        },
        { type: 'response.web_search_call.completed', ...at },
      );
      const action = { kind: 'search', queries: ['a'] };
      assert.deepEqual(changes, [
        { kind: 'opened', slot: 0, what: 'search' },
        { kind: 'searched', slot: 0, search: { action, sources: [], images: [] } },
        { kind: 'searched', slot: 0, search: { action, sources, images: [] } },
        { kind: 'closed', slot: 0 },
      ]);
    });

    it('lose nothing that the final output leaves out', () => {
      const images = [{ image_url: 'https://a.test/i.png' }];
      const { snapshot, changes } = fresh(
        added(0, search({ type: 'search', query: 'a', sources }, { results: images })),
        ended([search({})]),
      );
      const told = {
        action: { kind: 'search', queries: ['a'] },
        sources,
        images: [{ url: 'https://a.test/i.png' }],
      };
      assert.deepEqual(changes, [
        { kind: 'opened', slot: 0, what: 'search' },
        { kind: 'searched', slot: 0, search: told },
        { kind: 'closed', slot: 0 },
      ]);
      assert.deepEqual(snapshot.items(), [
        { slot: 0, item: { kind: 'search', id: 'ws', search: told }, whole: true, inputDiffers: false },
      ]);
    });
  });

  describe('citations', () => {
    const annotation = { type: 'url_citation', url: 'https://a.test/', start_index: 0, end_index: 1 };
    const event = {
      type: 'response.output_text.annotation.added',
      item_id: 'm',
      output_index: 0,
      content_index: 0,
      annotation,
    };
    const citation = { section: 0, from: 0, to: 1, url: 'https://a.test/' };

    it('are told once, whether they come with the stream or with the item', () => {
      const { changes } = fresh(
        event,
        event,
        {
          type: 'response.output_item.done',
          output_index: 0,
          item: { ...message, content: [{ ...text('a'), annotations: [annotation] }] },
        },
        event,
      );
      assert.deepEqual(
        changes.filter(({ kind }) => kind === 'cited'),
        [{ kind: 'cited', slot: 0, citations: [citation] }],
      );
      assert.equal(changes[0]?.kind, 'opened');
    });

    it('are bounded', () => {
      const annotations = Array.from({ length: 150 }, (_, index) => ({ ...annotation, start_index: index }));
      const content = Array.from({ length: 20 }, () => ({ ...text('a'), annotations }));
      const { changes } = fresh(ended([{ ...message, content }]));
      const told = changes.flatMap((change) => (change.kind === 'cited' ? change.citations : []));
      assert.equal(told.length, maxItems);
    });
  });

  it('gives up an answer of more items than any has, and keeps what came of it', () => {
    const many = Array.from({ length: maxItems }, (_, index) =>
      added(index, { ...message, id: `m${index}` }),
    );
    const { snapshot } = fresh(...many);
    assert.deepEqual([snapshot.end], [undefined]);
    feed(snapshot, added(0, { ...message, id: 'one more' }), added(0, { ...message, id: 'and more' }));
    const { end } = snapshot;
    assert.ok(end?.kind === 'errored');
    assert.match(end.error.message, /more than 2000 parts/);
    assert.equal(snapshot.items().length, maxItems + 1);
  });

  it('gives up an answer that is longer than any, in text or in what a tool is called with, and keeps what came of it', () => {
    const give = (...events: readonly object[]): ResponseSnapshot => {
      const snapshot = new ResponseSnapshot(10);
      feed(snapshot, ...events);
      return snapshot;
    };
    const delta = (type: string, index: number, piece: string): object => ({
      ...{ type, output_index: index, item_id: `i${index}`, content_index: 0, delta: piece },
    });
    const texts = [
      delta('response.output_text.delta', 0, '12345'),
      delta('response.output_text.delta', 1, '67890'),
    ];
    assert.equal(give(...texts).end, undefined);
    const input = delta('response.function_call_arguments.delta', 2, '1');
    const { end } = give(...texts, input);
    assert.ok(end?.kind === 'errored');
    assert.match(end.error.message, /longer than \d+ characters/);
    assert.equal(give(...texts, input).items().length, 2);
    const call = { type: 'function_call', id: 'i2', call_id: 'c', name: 'a', status: 'completed' };
    const done = {
      type: 'response.output_item.done',
      output_index: 2,
      item: { ...call, arguments: '{"a":12345}' },
    };
    assert.equal(give(input, done).end?.kind, 'errored');
  });

  it('takes a final output as it is, however long', () => {
    const output = Array.from({ length: maxItems + 1 }, () => ({ ...message, content: [text('a')] }));
    const { snapshot } = fresh(ended(output));
    assert.equal(snapshot.end?.kind, 'ended');
    assert.equal(snapshot.items().length, maxItems + 1);
  });
});
