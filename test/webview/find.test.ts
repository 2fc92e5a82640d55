/** What find finds in a conversation, and where. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Conversation, Part, Turn } from '../../src/core/conversation/conversation.ts';
import { blockText } from '../../src/webview/find/blockText.ts';
import { Finder, indexOfHit, mostHits } from '../../src/webview/find/finder.ts';
import { isFindKey } from '../../src/webview/find/findKey.ts';
import { longestQuery, matchesIn, type Query } from '../../src/webview/find/query.ts';
import { advance, noBlocks } from '../../src/webview/markdown/blocks.ts';
import { sourcesOf, withReferences } from '../../src/webview/sources.ts';

const seed = Number(process.env['FC_SEED'] ?? Date.now());

function query(text: string, more: Partial<Query> = {}): Query {
  return { text, matchCase: false, wholeWord: false, ...more };
}

function found(text: string, wanted: Query): string[] {
  return matchesIn(text, wanted, 100).map(({ from, to }) => text.slice(from, to));
}

function turnOf(id: string, more: Partial<Turn>): Turn {
  return {
    id,
    question: { text: 'Why?', attachments: [] },
    model: 'kimi-k3',
    effort: 'max',
    startedAt: 0,
    endedAt: 1,
    end: { kind: 'completed' },
    parts: [],
    requests: [],
    ...more,
  };
}

function answered(id: string, text: string, open = false): Turn {
  const { end: _, endedAt: __, ...running } = turnOf(id, {});
  const part = {
    kind: 'answer' as const,
    id: '0.0',
    sections: [text],
    openedAt: 0,
    ...(!open && { closedAt: 1 }),
  };
  return { ...(open ? running : turnOf(id, {})), parts: [part] };
}

const never = (): boolean => false;

describe('find', () => {
  describe('in a text', () => {
    it('takes letters of either case for each other, unless they matter', () => {
      assert.deepEqual(found('Needle, needle, NEEDLE', query('needle')), ['Needle', 'needle', 'NEEDLE']);
      assert.deepEqual(found('Needle, needle', query('needle', { matchCase: true })), ['needle']);
      assert.deepEqual(found('ÄÖ äö', query('äö')), ['ÄÖ', 'äö']);
      // In lower case this letter is two units long: offsets are those of the text all the same.
      assert.deepEqual(found('İİ needle', query('needle')), ['needle']);
    });

    it('takes whole words, of any script', () => {
      assert.deepEqual(
        matchesIn('cart cart2 _cart art Cart.', query('cart', { wholeWord: true }), 9).length,
        2,
      );
      assert.deepEqual(found('über übermut', query('über', { wholeWord: true })), ['über']);
    });

    it('finds marks as they are, and nothing for nothing', () => {
      for (const mark of ['.*', '(a+)+$', '[', '\\', 'a|b', '^', '{1}', '/', '-', '𝄞', '\ud834']) {
        const there = `x ${mark} y`;
        assert.equal(matchesIn(there, query(mark), 9).length, mark === '\ud834' ? 0 : 1, mark);
      }
      assert.deepEqual(matchesIn('text', query(''), 9), []);
    });

    it('finds what is there, as a plain search does', () => {
      fc.assert(
        fc.property(
          fc.string({ unit: 'binary-ascii' }),
          fc.string({ unit: 'binary-ascii', minLength: 1 }),
          (text, wanted) => {
            const all: number[] = [];
            for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length))
              all.push(at);
            const matches = matchesIn(text, query(wanted, { matchCase: true }), Infinity);
            assert.deepEqual(
              matches.map(({ from }) => from),
              all,
            );
          },
        ),
        { seed },
      );
    });

    it('stops after so many, and reads no more of what was pasted than a person types', () => {
      assert.equal(matchesIn('a'.repeat(1000), query('a'), 7).length, 7);
      assert.equal(matchesIn('a'.repeat(1000), query('a'.repeat(900)), 9).length, 1000 / longestQuery);
    });
  });

  it('reads Markdown as it stands on the screen', () => {
    const text = [
      '# A *title*',
      'One **bo**ld [link](https://e.com) &amp; `code`\nnext',
      '- item\n  - inner',
      '> quoted',
      '| a | b |\n| - | - |\n| 1 | 2 |',
      '```ts\nconst x = 1;\n```',
      '<b>html</b>',
    ].join('\n\n');
    const { settled } = advance(noBlocks, text, true);
    assert.equal(
      settled
        .flat()
        .map((block) => blockText(block))
        .join('\n'),
      'A title\nOne bold link & code\nnext\nitem\ninner\nquoted\na\nb\n1\n2\nconst x = 1;\n<b>html</b>',
    );
  });

  it('reads what is shown in the place of images, breaks, references and marks', () => {
    const text =
      'A[2](source:2) ![plan](https://e.com/x.png) [^a-z] [^n] [3](https://e.com)\n\n[^n]: Note.\n\n| a<br>b |\n|-|\n';
    const turn = answered('t', text);
    const finds = (wanted: string): number =>
      new Finder().find({ id: 'c', turns: [turn] }, query(wanted), never).hits.length;
    assert.deepEqual(
      ['A Image: plan [^a-z]', '[^n]', '2', '3', '<br>', 'ab', 'source'].map(finds),
      [1, 0, 0, 1, 0, 0, 0],
    );
  });

  describe('in a conversation', () => {
    it('tells places in an answer with sources as they are shown, also when other numbers come', () => {
      const paragraphs = Array.from({ length: 80 }, (_, at) => `Needle ${at} of a long answer.`);
      const text = paragraphs.join('\n\n');
      const citations = [4, 60, 200].map((to) => ({ section: 0, from: 0, to, url: `https://e.com/${to}` }));
      const [part] = answered('t', text).parts;
      assert.ok(part?.kind === 'answer');
      const cited = { ...part, citations };
      const search = {
        kind: 'search' as const,
        id: '0.1',
        search: {
          action: { kind: 'search' as const, queries: [] },
          sources: Array.from({ length: 12 }, (_, at) => ({ url: `https://f.com/${at}` })),
          images: [],
        },
        openedAt: 0,
      };
      const finder = new Finder();
      for (const parts of [[cited], [search, cited]]) {
        const shown = withReferences({ text, citations, sources: sourcesOf(parts), done: true });
        const starts = advance(noBlocks, shown, true).settled.map((group) => group[0]?.start);
        assert.equal(starts.length, 3);
        const { hits } = finder.find({ id: 'c', turns: [turnOf('t', { parts })] }, query('needle'), never);
        assert.equal(hits.length, 80);
        const told = hits.map(({ where }) => (where.kind === 'text' ? where.start : undefined));
        assert.deepEqual([...new Set(told)], starts);
      }
    });

    it('looks once into what the person was asked about whole, as it is shown once', () => {
      const request = { kind: 'command', command: 'echo needle', folder: 'shop', seconds: 9 } as const;
      const answered = { id: 'x', request, askedAt: 0, answer: { kind: 'allow' } } as const;
      for (const approvals of [[answered], undefined]) {
        const call: Part = {
          ...{
            kind: 'tool',
            id: '0.0',
            name: 'run_command',
            input: '{"command":"echo needle"}',
            openedAt: 0,
          },
          ...{ outcome: { kind: 'done', text: 'needle' } },
          ...(approvals !== undefined && { approvals }),
        };
        const turns = [turnOf('t', { parts: [call] })];
        const { hits } = new Finder().find({ id: 'c', turns }, query('needle'), never);
        assert.deepEqual(
          hits.map(({ where, nth }) => [where.kind === 'line' ? where.index : where.kind, nth]),
          [
            [0, 0],
            [1, 0],
          ],
        );
      }
    });

    it('looks into all of it, in the order of the screen', () => {
      const turn = turnOf('t', {
        question: { text: 'needle?', attachments: [] },
        parts: [
          { kind: 'reasoning', id: '0.0', sections: ['', 'a **nee**dle'], openedAt: 0, closedAt: 1 },
          {
            kind: 'tool',
            id: '0.1',
            name: 'f',
            input: '{"a":"needle"}',
            openedAt: 0,
            outcome: { kind: 'done', text: 'needle needle' },
          },
          {
            kind: 'tool',
            id: '0.2',
            name: 'apply_patch',
            input: 'needle',
            openedAt: 0,
            proposal: {
              id: 'p',
              files: [
                {
                  index: 0,
                  path: 'src/needle.ts',
                  change: 'add',
                  added: 1,
                  removed: 0,
                  state: 'pending',
                  seen: false,
                  amended: false,
                },
              ],
            },
          },
          { kind: 'answer', id: '1.0', sections: ['needle'], openedAt: 0, closedAt: 1 },
        ],
      });
      const { hits, complete } = new Finder().find({ id: 'c', turns: [turn] }, query('needle'), never);
      assert.equal(complete, true);
      assert.deepEqual(
        hits.map(({ where, nth }) => [where.kind === 'question' ? 'question' : where.part, nth]),
        [
          ['question', 0],
          ['0.0', 0],
          ['0.1', 0],
          ['0.1', 0],
          ['0.1', 1],
          ['0.2', 0],
          ['1.0', 0],
        ],
      );
      assert.deepEqual(
        hits.map((hit) => indexOfHit(hits, hit)),
        [0, 1, 2, 3, 4, 5, 6],
      );
    });

    it('reads no turn again that did not change, and of one that grows only what came', () => {
      let reads = 0;
      const watched = (turn: Turn): Turn =>
        new Proxy(turn, {
          get(target, key, receiver) {
            if (key === 'parts' || key === 'question') reads += 1;
            return Reflect.get(target, key, receiver) as unknown;
          },
        });
      const settled = Array.from({ length: 2_000 }, (_, at) =>
        watched(answered(`t${at}`, `A needle, number ${at}.`)),
      );
      const finder = new Finder();
      let text = 'needle\n\n';
      const conversation = (): Conversation => ({ id: 'c', turns: [...settled, answered('r', text, true)] });
      assert.equal(finder.find(conversation(), query('needle'), never).hits.length, 2_001);
      assert.ok(reads > 2_000);
      reads = 0;
      for (let piece = 0; piece < 50; piece += 1) {
        text += 'another needle\n\n';
        assert.equal(finder.find(conversation(), query('needle'), never).hits.length, 2_002 + piece);
      }
      assert.equal(reads, 0);
    });

    it('finds the same in steps as at once', () => {
      const text = 'A paragraph with a needle in it.\n\n'.repeat(8_000);
      const conversation = { id: 'c', turns: [answered('a', text), answered('b', 'needle')] };
      const finder = new Finder();
      let steps = 0;
      let result = finder.find(conversation, query('needle'), () => true);
      for (; !result.complete; steps += 1) result = finder.find(conversation, query('needle'), () => true);
      assert.ok(steps > 3, `${steps} steps`);
      assert.equal(result.hits.length, 8_001);
      assert.deepEqual(result.hits, new Finder().find(conversation, query('needle'), never).hits);
    });

    it('tells at most so many, and that there are more', () => {
      const { hits, more } = new Finder().find(
        { id: 'c', turns: [answered('a', 'a '.repeat(mostHits + 5))] },
        query('a'),
        never,
      );
      assert.deepEqual([hits.length, more], [mostHits, true]);
    });

    it('knows where a match is after others came, and the nearest one when it is gone', () => {
      const before = new Finder().find(
        { id: 'c', turns: [answered('a', 'x'), answered('b', 'x x')] },
        query('x'),
        never,
      );
      const after = new Finder().find(
        { id: 'c', turns: [answered('0', 'x'), answered('b', 'x x')] },
        query('x'),
        never,
      );
      assert.equal(indexOfHit(after.hits, before.hits[2]!), 2);
      assert.equal(indexOfHit(after.hits, before.hits[0]!), -1);
      assert.equal(indexOfHit(after.hits, { ...before.hits[2]!, ordinal: 7 }), 1);
    });
  });

  it('is opened by the key of the platform alone', () => {
    const key = { key: 'f', ctrlKey: true, metaKey: false, altKey: false, shiftKey: false };
    assert.equal(isFindKey(key, false), true);
    assert.equal(isFindKey({ ...key, key: 'F' }, false), true);
    assert.equal(isFindKey(key, true), false);
    assert.equal(isFindKey({ ...key, ctrlKey: false, metaKey: true }, true), true);
    for (const more of [{ shiftKey: true }, { altKey: true }, { metaKey: true }, { key: 'g' }])
      assert.equal(isFindKey({ ...key, ...more }, false), false);
  });
});
