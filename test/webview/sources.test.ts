/** Sources of an answer: their numbers, their list, and the references in the text. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

import type {
  AnswerPart,
  Citation,
  SearchPart,
  WebSearch,
} from '../../src/core/conversation/conversation.ts';
import { searchText, sourcesText } from '../../src/webview/searchText.ts';
import {
  listedSources,
  noSources,
  referencedSource,
  ReferencedText,
  sourceHost,
  sourcesOf,
  TurnSources,
  withReferences,
} from '../../src/webview/sources.ts';

const seed = Number(process.env['FC_SEED'] ?? Date.now());

const search = (id: string, more: Partial<WebSearch> = {}): SearchPart => ({
  kind: 'search',
  id,
  search: { action: { kind: 'search', queries: ['carts'] }, sources: [], images: [], ...more },
  openedAt: 0,
});
const cite = (to: number, url = 'https://a.test/', section = 0): Citation => ({ section, from: 0, to, url });
const answer = (citations?: readonly Citation[]): AnswerPart => ({
  kind: 'answer',
  id: 'a',
  sections: ['x'],
  openedAt: 0,
  ...(citations !== undefined && { citations }),
});
const a = { url: 'https://a.test/', title: 'A' };
const b = { url: 'https://b.test/x' };

describe('sources of a turn', () => {
  const first = search('1', { sources: [a, b, a] });
  const second = search('2', { sources: [{ url: 'https://a.test/#top' }, { url: 'https://c.test' }] });
  const parts = [
    first,
    second,
    answer([cite(1, 'https://b.test/x?utm_source=openai'), cite(1, 'https://d.test')]),
  ];

  it('have numbers that go through the turn, each page once', () => {
    const sources = sourcesOf(parts);
    assert.deepEqual(
      sources.byNumber.map(({ number, url }) => `${number} ${url}`),
      ['1 https://a.test/', '2 https://b.test/x', '3 https://c.test', '4 https://d.test'],
    );
    assert.deepEqual(
      listedSources(first, sources).map(({ number }) => number),
      [1, 2],
    );
    assert.deepEqual(
      listedSources(second, sources).map(({ number }) => number),
      [1, 3],
    );
    assert.deepEqual(
      sources.unlisted.map(({ number }) => number),
      [4],
    );
    assert.equal(sourcesOf([answer(), search('1')]), noSources);
  });

  it('stay the same value while nothing of them changes', () => {
    const known = new TurnSources();
    const sources = known.of(parts);
    assert.equal(known.of([first, second, { ...(parts[2] as AnswerPart), sections: ['more'] }]), sources);
    assert.notEqual(known.of([first]), sources);
    assert.equal(new TurnSources().of([answer()]), noSources);
  });

  it('are referred to by a link of their own, and by no other', () => {
    const sources = sourcesOf(parts);
    assert.equal(referencedSource('source:2', '2', sources)?.url, b.url);
    for (const [href, label] of [
      ['source:2', 'click'],
      ['source:9', '9'],
      ['source:0', '0'],
      ['https://b.test/x', '2'],
    ] as const)
      assert.equal(referencedSource(href, label, sources), undefined);
  });

  it('tell their host, unless they can’t be opened', () => {
    assert.equal(sourceHost('https://paypal.com@evil.test/x'), 'evil.test');
    assert.equal(sourceHost('javascript:alert(1)'), undefined);
    assert.equal(sourceHost('no address'), undefined);
  });
});

describe('references in an answer', () => {
  const sources = sourcesOf([search('1', { sources: [a, b] })]);
  const marked = (text: string, citations: readonly Citation[], done = true): string =>
    withReferences({ text, citations, sources, done });
  /** With the reference where the sign stands. */
  const at = (text: string, sign = '^'): void => {
    const place = text.indexOf(sign);
    const plain = text.replace(sign, '');
    assert.equal(
      marked(plain, [cite([...plain.slice(0, place)].length)]),
      text.replace(sign, '[1](source:1)'),
    );
  };

  it('stand behind what has the source', () => {
    at('One.^ Two.');
    at('**One.**^ Two.');
    at('Ends here.^');
    at('👩‍👩‍👧‍👦 counts as its code points.^ More.');
    assert.equal(
      marked('One. Two.', [cite(4), cite(4), cite(4, b.url)]),
      'One.[1](source:1) [2](source:2) Two.',
    );
    assert.equal(marked('One.\nTwo.', [cite(5)]), 'One.[1](source:1)\nTwo.');
    assert.equal(marked('One.', [cite(4, 'https://unknown.test')]), 'One.');
  });

  it('never break what they stand in', () => {
    const inside = (text: string, place: string, expected: string): void =>
      assert.equal(marked(text, [cite(text.indexOf(place) + 1)]), expected);
    inside('See `a b` now.', 'a b', 'See `a b`[1](source:1) now.');
    inside('See [text](https://x.test/y) now.', 'x.test', 'See [text](https://x.test/y)[1](source:1) now.');
    inside('See https://x.test/y now.', 'x.test', 'See https://x.test/y[1](source:1) now.');
    inside('The $$a + b$$ is it.', 'a + b', 'The $$a + b$$[1](source:1) is it.');
    inside('A note[^n] here.', '^n', 'A note[^n][1](source:1) here.');
    inside('A **bold** word.', '** word', 'A **bold**[1](source:1) word.');
    inside('```ts\ncode\n```\n\nText.', 'code', '```ts\ncode\n```\n\n\n[1](source:1)\n\n\nText.');
    inside('```ts\ncode', 'code', '```ts\ncode\n\n[1](source:1)\n\n');
    inside('~~~\na\n~~~', 'a', '~~~\na\n~~~\n\n[1](source:1)\n\n');
  });

  it('are seen in a table, and leave it and headings what they are', () => {
    const table = '| a | b |\n|---|---|\n| 1 | 2 |';
    const head = '| a | b[1](source:1) |\n|---|---|\n| 1 | 2 |';
    assert.equal(marked(table, [cite(table.length)]), '| a | b |\n|---|---|\n| 1 | 2[1](source:1) |');
    for (const to of [9, 13, 19]) assert.equal(marked(table, [cite(to)]), head, String(to));
    assert.equal(marked(table, [cite(23)]), '| a | b |\n|---|---|\n| 1[1](source:1) | 2 |');
    assert.equal(marked('Title\n=====\nText', [cite(8)]), 'Title[1](source:1)\n=====\nText');
    assert.equal(marked('---', [cite(2)]), '[1](source:1)---');
    assert.equal(marked('[a [b](c) d', [cite(7)]), '[a [b](c)[1](source:1) d');
  });

  for (const mark of ['`a ', '\\(a ', '\\[a ', '$$a ', '[a', '![[', '<a', '[a](', '[a][', '``a`', '\\']) {
    it(`are placed in a long text of ${mark} without end`, () => {
      const text = mark.repeat(400_000 / mark.length);
      const citations = Array.from({ length: 200 }, (_, index) => cite(5_000 + index * 1_900));
      const all = marked(text, citations);
      assert.equal(all.replaceAll('[1](source:1)', ''), text);
    });
  }

  it('come out in any text as if it came at once', () => {
    const piece = fc.constantFrom(
      ...['a ', 'word ', '`', '``', '```\n', '\n```\n', '\n\n', '\n', '[x](y)', '[', '](z)', '$$', '\\('],
      ...[
        '\\)',
        '**',
        '😀',
        '🇩🇪',
        'https://a.b/c ',
        '<b>',
        '> ',
        '- ',
        '&amp;',
        '| a | b |\n',
        '|---|---|\n',
      ],
    );
    const places = fc.array(fc.nat(40), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 15 }), places, (pieces, ends) => {
        const citations = ends.map((end) => cite(end));
        const streams = new ReferencedText();
        for (let count = 1; count <= pieces.length; count++) {
          const next = { text: pieces.slice(0, count).join(''), citations, sources, done: false };
          assert.equal(streams.of(next), withReferences(next));
        }
      }),
      { seed, numRuns: 300 },
    );
  });

  it('wait for the text that they stand behind', () => {
    assert.equal(marked('One.', [cite(9)], false), 'One.');
    assert.equal(marked('One.', [cite(9)], true), 'One.[1](source:1)');
    assert.equal(marked('🙂', [cite(9)], false), '🙂');
  });

  it('come out the same, piece by piece', () => {
    const text = 'One. Two `code` three.\n\n```\nfence\n```\n\nFour 🙂 five.';
    const citations = [cite(4), cite(12), cite(9999, b.url)];
    const grows = new ReferencedText();
    for (let length = 0; length <= text.length; length++) {
      const piece = text.slice(0, length);
      const few = length < 30 ? citations.slice(0, 1) : citations;
      grows.of({ text: piece, citations: few, sources, done: false });
    }
    const done = { text, citations, sources, done: true };
    assert.equal(grows.of(done), withReferences(done));
    assert.equal(grows.of(done), withReferences(done));
    const one = [cite(4)];
    const streams = new ReferencedText();
    for (let length = 6; length <= text.length; length++) {
      const next = { text: text.slice(0, length), citations: one, sources, done: false };
      assert.equal(streams.of(next), withReferences(next));
    }
    assert.equal(new ReferencedText().of({ text, citations: [], sources, done: true }), text);
  });
});

describe('a search in words', () => {
  const says = (action: WebSearch['action']): readonly string[] =>
    [true, false].map((going) => searchText(search('1', { action }), going));

  it('says what is looked for', () => {
    assert.deepEqual(says({ kind: 'search', queries: [] }), ['Searching the web', 'Searched the web']);
    assert.deepEqual(says({ kind: 'search', queries: ['a', 'b\u202e'] }), [
      'Searching the web for “a”, “b‹U+202E›”',
      'Searched the web for “a”, “b‹U+202E›”',
    ]);
    assert.deepEqual(says({ kind: 'openPage', url: 'https://a.test/x' }), [
      'Opening a.test',
      'Opened a.test',
    ]);
    assert.deepEqual(says({ kind: 'openPage' }), ['Opening a page', 'Opened a page']);
    assert.deepEqual(says({ kind: 'findInPage', pattern: 'x', url: 'https://a.test/' }), [
      'Looking for “x” in a.test',
      'Looked for “x” in a.test',
    ]);
    assert.deepEqual(says({ kind: 'other', name: 'scroll' }), [
      'Using the web: scroll',
      'Used the web: scroll',
    ]);
    assert.deepEqual(says({ kind: 'other', name: '' }), ['Using the web', 'Used the web']);
    assert.deepEqual([sourcesText(1), sourcesText(5)], ['1 source', '5 sources']);
  });
});
