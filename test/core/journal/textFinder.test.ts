/** What words are found in, line by line of a journal. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

import {
  beginning,
  encodeRecord,
  type JournalRecord,
  type KeptEvent,
} from '../../../src/core/journal/record.ts';
import { TextFinder, Words, type FoundText } from '../../../src/core/journal/textFinder.ts';
import type { Turn } from '../../../src/core/conversation/conversation.ts';
import { seed } from '../../simulator/arbitraries.ts';

function found(query: string, ...records: readonly (KeptEvent | JournalRecord)[]): FoundText | undefined {
  const finder = new TextFinder(new Words(query));
  for (const record of records)
    finder.take(encodeRecord(isRecord(record) ? record : { kind: 'event', event: record }));
  return finder.found;
}

function isRecord(record: KeptEvent | JournalRecord): record is JournalRecord {
  return ['conversation', 'seeded', 'title', 'pinned', 'reports'].includes(record.kind);
}

function asked(text: string, turn = 't'): KeptEvent {
  const question = { text, attachments: [] };
  return { kind: 'turnStarted', turn, question, model: 'kimi-k3', effort: 'max', at: 1 };
}

function answered(text: string, turn = 't'): KeptEvent {
  const content = [{ type: 'output_text', text }] as const;
  return { kind: 'itemsKept', turn, items: [{ type: 'message', role: 'assistant', content }] };
}

/** What is marked in the line. */
function marked(place: FoundText | undefined): string | undefined {
  return place?.line.slice(place.from, place.to);
}

describe('words in a journal', () => {
  it('are found in what was asked and answered, in any case', () => {
    assert.deepEqual(found('CART', asked('Why is the cart empty?')), {
      ...{ in: 'question', line: 'Why is the cart empty?', from: 11, to: 15 },
    });
    assert.deepEqual(found('ÜBER größe', answered('Die Größe, über alles.')), {
      ...{ in: 'answer', line: 'Die Größe, über alles.', from: 4, to: 9 },
    });
    assert.equal(found('cart', asked('Why?'), answered('No.')), undefined);
  });

  it('are all in one text', () => {
    assert.equal(found('cart empty', asked('Why is the cart'), answered('empty?')), undefined);
    assert.equal(marked(found('cart empty', answered('Not empty is the cart.'))), 'empty');
  });

  it('are found as they were written, whatever signs they have', () => {
    for (const text of ['say "no"', String.raw`C:\temp\n`, 'a.*b', '[x](y)', '{$^|?+}', '👩‍💻', 'a/b']) {
      const query = text.split(' ').at(-1)!;
      assert.equal(marked(found(query, answered(`before ${text} after`))), query, text);
    }
    assert.equal(found('a.*b', answered('axxb')), undefined);
  });

  it('are looked for in questions first', () => {
    const events = [asked('One?', 'a'), answered('cart', 'a'), asked('Cart?', 'b')];
    assert.equal(found('cart', ...events)?.in, 'question');
  });

  it('are not found in what was deleted, unless it is back', () => {
    const removed: KeptEvent = { kind: 'turnRemoved', turn: 'a' };
    const events = [asked('The cart?', 'a'), answered('Cart.', 'a'), asked('Another cart?', 'b'), removed];
    assert.equal(found('cart', ...events)?.line, 'Another cart?');
    const content: Turn = {
      ...{ id: 'a', question: { text: 'The cart?', attachments: [] }, model: 'kimi-k3', effort: 'max' },
      ...{ startedAt: 1, parts: [], requests: [] },
    };
    assert.equal(found('cart', ...events, { kind: 'turnRestored', turn: 'a', content })?.line, 'The cart?');
  });

  it('are not found in what the model alone was told, and not in what is no text of people', () => {
    const told: KeptEvent = {
      ...{ kind: 'itemsKept', turn: 't' },
      items: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'cart' }] },
        { type: 'function_call_output', call_id: '1', output: 'cart' },
      ],
    };
    assert.equal(found('cart', told, { kind: 'title', title: 'cart', by: 'model' }), undefined);
    assert.equal(found('turnStarted', asked('Why?')), undefined);
    const finder = new TextFinder(new Words('cart'));
    finder.take('{"v":1,"kind":"pinned","pinned":true,"of":{"kind":"turnStarted","text":"cart"}}');
    finder.take(
      '{"v":1,"kind":"event","event":{"kind":"turnRemoved","turn":"t","kind":"partClosed","part":"cart","at":1}}',
    );
    assert.equal(finder.found, undefined);
  });

  it('are found in what a conversation began with', () => {
    const turn = (id: string, text: string, removed?: true): Turn => ({
      ...{ id, question: { text: '', attachments: [] }, model: 'kimi-k3', effort: 'max', startedAt: 1 },
      parts: [
        { kind: 'reasoning', id: '0', sections: ['cart of reasoning'], openedAt: 1 },
        { kind: 'answer', id: '1', sections: ['', text], openedAt: 1 },
      ],
      requests: [],
      ...(removed !== undefined && { removed }),
    });
    const begun = (...turns: readonly Turn[]): Extract<JournalRecord, { kind: 'conversation' }> => ({
      ...{ kind: 'conversation', id: 'c', at: 1 },
      seed: {
        conversation: { id: 'c', turns },
        ...{ history: { groups: [] }, requests: { requests: [], last: [] }, removed: [], reports: [] },
      },
    });
    assert.equal(found('cart', begun(turn('a', 'cart gone', true), turn('b', 'a cart')))?.line, 'a cart');
    assert.equal(found('cart', begun(turn('a', 'No.'))), undefined);
    assert.equal(found('cart', { kind: 'conversation', id: 'cart', at: 1 }), undefined);
    const pieces = beginning({
      id: 'c',
      at: 1,
      seed: begun(turn('a', 'cart gone', true), turn('b', 'a cart')).seed!,
    });
    assert.equal(found('cart', ...pieces)?.line, 'a cart');
    assert.equal(found('gone', ...pieces), undefined);
    const removed: JournalRecord = { kind: 'seeded', removed: turn('a', 'a cart') };
    assert.equal(found('cart', removed), undefined, 'what was deleted');
  });

  it('are shown in one line, cut on both sides where there is more', () => {
    const text = `${'word '.repeat(100)}\n\n\tthe  cart\u2028is ${'empty '.repeat(100)}`;
    const place = found('cart', answered(text));
    assert.equal(marked(place), 'cart');
    assert.match(place!.line, /^…(word )+the cart is (empty )+[empty]*…$/);
    assert.ok(place!.line.length < 200);
    // Where there is no blank to cut at, no character is cut in two.
    const long = found('cart', answered(`${'👩'.repeat(100)}xcart${'👩'.repeat(100)}`));
    assert.ok(long!.line.isWellFormed());
    assert.equal(marked(long), 'cart');
    assert.equal(marked(found('cart', answered(`${'x'.repeat(100)}cart`))), 'cart');
  });

  it('are at most so many, and without one nothing is found', () => {
    assert.equal(new Words(' \n ').isEmpty, true);
    assert.equal(found('', asked('Why?')), undefined);
    assert.equal(new Words('').findIn('text'), undefined);
    assert.equal(marked(found('cart '.repeat(100_000), asked('cart'))), 'cart');
  });

  it('are found wherever they stand, and nothing breaks it', () => {
    console.log(`      seed ${seed}`);
    const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    const word = text.filter((one) => /^\S+$/u.test(one) && one.isWellFormed());
    fc.assert(
      fc.property(word, text, text, fc.boolean(), (one, before, after, isAnswer) => {
        const whole = `${before} ${one} ${after}`;
        const place = found(one, isAnswer ? answered(whole) : asked(whole));
        assert.ok(place !== undefined);
        assert.equal(marked(place)?.toLowerCase().length, one.toLowerCase().length);
        assert.ok(!/[\r\n\u2028\u2029]/.test(place.line));
      }),
      { seed, numRuns: 500 },
    );
    const broken = new TextFinder(new Words('a'));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
        broken.take(line);
        broken.take(`{"v":1,"kind":"event","event":{"kind":"turnStarted","a":${line}`);
      }),
      { seed, numRuns: 200 },
    );
    assert.equal(broken.found, undefined);
  });
});
