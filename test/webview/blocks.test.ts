/** Streamed Markdown must look as if it had come at once, at every length. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Lexer, type Token, type Tokens } from 'marked';
import {
  advance,
  codePieces,
  codeText,
  noBlocks,
  type Block,
  type Blocks,
} from '../../src/webview/markdown/blocks.ts';
import { footnotes, noFootnotes } from '../../src/webview/markdown/footnotes.ts';

const seed = Number(process.env['FC_SEED'] ?? Date.now());

/** What a reader sees of the blocks: their tokens, and for code its text. */
function seen(blocks: Blocks): unknown[] {
  const { notes, used } = footnotes(blocks, noFootnotes);
  return [...[...blocks.settled.flat(), ...blocks.tail].map(seenBlock), withoutRaw(notes), [...used]];
}

function seenBlock(block: Block): unknown {
  if (block.token.type === 'code')
    return { type: 'code', lang: block.token.lang ?? '', text: codeText(block) };
  return withoutRaw(block.token);
}

/** `raw` of the last token includes blank lines that may or may not have come yet. */
function withoutRaw(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRaw);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== 'raw')
      .map(([key, inner]) => [key, withoutRaw(inner)]),
  );
}

function atOnce(text: string): Blocks {
  return advance(noBlocks, text, true);
}

/** Feeds `text` in pieces that end at `cuts` and checks each state on the way. */
function checkEveryCut(text: string, cuts: readonly number[]): void {
  let blocks = noBlocks;
  for (const cut of [...cuts, text.length]) {
    const prefix = text.slice(0, cut);
    const before = blocks;
    blocks = advance(blocks, prefix, false);
    assert.deepEqual(seen(blocks), seen(atOnce(prefix)), `at ${cut} of ${JSON.stringify(text)}`);
    keepsWhatIsSettled(before, blocks);
  }
  assert.deepEqual(seen(advance(blocks, text, true)), seen(atOnce(text)));
}

function keepsWhatIsSettled(before: Blocks, after: Blocks): void {
  const earlier = before.settled.flat();
  const later = after.settled.flat();
  earlier.forEach((block, index) => assert.equal(later[index], block, 'a settled block changed'));
}

function everyLength(text: string): number[] {
  return Array.from({ length: text.length }, (_, index) => index + 1);
}

const nasty: Record<string, string> = {
  'fences in fences': '````md\n```ts\nconst a = 1;\n```\n````\n\nafter\n\n~~~\n```\n~~~\n',
  'a fence in a list':
    '1. one\n\n   ```sh\n   npm ci\n   ```\n\n2. two\n   - deep\n     ```\n     x\n     ```\n\nend\n',
  'an indented fence': '  ```js\n  a\n    b\n\n c\n  ```\nend',
  'a fence that never ends': 'text\n\n```py\ndef f():\n\n    return 1\n\n\n',
  'an empty fence': '```\n```\n\n```\n\n```\nx',
  tables: 'intro\n| a | b |\n|---|:-:|\n| `x|y` | **z** |\n| 1 |\n\nnot | a table\n-|\n\n| a |\n| - |\n',
  'what looks like a table': 'foo\nx | y\n--|-x\n\nbar\nx | y\n--|-\nz',
  'setext headings': 'Title\n=====\n\nSub\n---\ntext\n- item\n---\n',
  'things that interrupt, or not':
    'para\n#tag\npara\n# head\npara\n1.\npara\n1. x\npara\n-\npara\n***\npara\n***bold***\n',
  'lazy lists': '- a\n\n  more\n- b\nlazy\n\n\n- c\n\n      code\n\n  > quote\n  lazy\n\n1) x\n2) y\n',
  'task lists': '- [ ] open\n- [x] done\n  - [ ] inner\n\ntext',
  quotes: '> a\n> > b\nlazy\n>\n> ```\n> code\n> ```\n\n> c\n---\n',
  html: 'a\n<div>\n*x*\n\n*y*</div>\n\n<!-- c\n\n d -->\nafter <b>x</b> <a href="https://x.y">https://z.w</a> https://q.r\n\n<script>\n\nalert()\n</script>\nz',
  'an anchor left open': '<a href="x">\n\nhttps://example.com\n\n<pre>\n\n& <kbd>x\n\nafter & more\n',
  footnotes: 'text[^1] more[^note].\n\n[^1]: The first.\n[^note]: Second\n    continued\n',
  'footnotes with blocks':
    'a[^b] *[^a]*\n[^a]: para\n\n    - item[^c]\n\n    ```js\n    x\n    ```\nnext\n\n[^b]: > quote\n\nend [^none] [^a-z]+\n[^c]: last',
  'footnotes before their use':
    '[^1]: one\n\n  more\n\ntext[^2]\n\nmore [^1]\n\n[^2]: two[^1]\n[^1]: again\n\nend',
  'formulas on their own':
    'text\n$$\nx\n=\ny\n- z\n# a\n$$\nafter\n\n\\[ a \\\\[2pt] b \\]\n\n$$ x^2 $$\n---\n\n- item\n  $$\n  a\n  + b\n  $$\n\n> \\[\n> c\n> \\]\nend',
  'formulas in a line':
    'so \\(a*b*c\\) and *\\(x_1 * y\\)* and $$E=mc^2$$, or `\\(no\\)` \\\\(no\\\\) **\\(a**b\\)** | \\[x\\](y)\n\n| \\(a\\) |\n|-|\n| $$b$$ |\n',
  'formulas that are none':
    'pid $$ and $$ again, /tmp/$$.log x.$$.y, $5 and $$6, `$$a$$`\n\n$$\nopen\n\n# head\n\n$$ more\n```\n$$\n```\n\\[\n\nnever\n\\]\n\ntext\n$$\n# a\nfoo\n',
  'a formula that closes late':
    'a\n\n$$\nx\n# y\nz\n\\frac{a}{b}\n- c\n1. d\n$$\nb\n\nc\n\\[\n| a |\n|---|\n| b |\n\\]\n\nd',
  'prices and variables': 'It costs $5 and $6, run `echo $HOME` or $PATH_TO *x* a_b_c.\n',
  emphasis: '**bold *both* ** ~~gone~~ _x_ __y__ `a``b` ``c`d``\\*no\\*\nnew line  \nbreak\\\nbreak\n',
  'line ends': 'a\r\nb\r\n\r\n- c\rd\r\n\r\n```\r\ncode\r\nmore\r\n```\r\nend\r',
  'indented code': 'x\n\n    code\n\n    more\n\ny\n    not code\n\n\tcode\n',
  unicode: '日本語の**太字**です。\n\n한국어 _기울임_\n\n👩‍👩‍👧 `コード`\n\n- ‮abc\n',
  links: '[a](https://x.y "t") <https://a.b> www.c.d me@x.y ![i](https://e.vil/?d=1) [b](<x y>)\n',
};

describe('markdown blocks', () => {
  for (const [name, text] of Object.entries(nasty)) {
    it(`streams ${name} as if it came at once`, () => checkEveryCut(text, everyLength(text)));
  }

  it('streams all of them after each other as if they came at once', () => {
    const text = Object.values(nasty).join('\n\n');
    checkEveryCut(
      text,
      everyLength(text).filter((cut) => cut % 7 === 0),
    );
  });

  it('streams documents made of random pieces as if they came at once', () => {
    const pieces = fc.constantFrom(
      ...[
        '# ',
        '## h',
        '- ',
        '* ',
        '1. ',
        '2) ',
        '> ',
        '```',
        '````',
        '~~~',
        '---',
        '***',
        '===',
        '| a | b |',
        '|---|---|',
        '-|',
        '|',
      ],
      ...[
        '\n',
        '\n',
        '\n',
        '\n\n',
        '\n\n',
        '  ',
        '    ',
        '\t',
        'word',
        'two words',
        '**',
        '*',
        '_',
        '`',
        '~~',
        '\\',
        '[ ] ',
        '[x](y)',
        'https://x.y',
      ],
      ...[
        '<div>',
        '</div>',
        '<b>',
        '<!--',
        '-->',
        '<a>',
        '&amp;',
        '$',
        '#',
        '-',
        '+',
        '1.',
        ':',
        '日',
        '\r\n',
      ],
      ...[
        '$$',
        '$$',
        '\\(',
        '\\)',
        '\\[',
        '\\]',
        '\n$$\n',
        'x^2',
        '[^a]',
        '[^a]: ',
        '\n[^b]: ',
        '[^b]',
        '=\n',
      ],
    );
    const documents = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(documents, (text) => checkEveryCut(text, everyLength(text))),
      { seed, numRuns: 400 },
    );
  });

  const withLinks =
    'See [one] and [two][b].\n\n- [one] again\n\nmore\n\n[one]: https://one.example\n  "title"\n[B]: <https://two.example> \'two\nlines\'\n\nend [one]\n\nlast\n';

  it('resolves link definitions that come after their use', () => {
    let blocks = noBlocks;
    for (const cut of everyLength(withLinks)) blocks = advance(blocks, withLinks.slice(0, cut), false);
    assert.deepEqual(seen(blocks), seen(atOnce(withLinks)));
    assert.deepEqual(seen(advance(blocks, withLinks, true)), seen(atOnce(withLinks)));
  });

  it('ends with the right links however definitions and uses are mixed', () => {
    const pieces = fc.constantFrom(
      ...['[a]', '[b]', '[x][a]', '[A]', '![a]', 'word', '\n', '\n\n', '\n\n', '- ', '> ', ' '],
      ...[
        '\n\n[a]: /one\n\n',
        '\n[a]: /two "t"\n',
        '\n[b]: <',
        'x>',
        '\n[b]: ',
        '/y',
        " 'title",
        "'\n",
        '(',
        '"',
      ],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        let blocks = noBlocks;
        for (const cut of everyLength(text)) blocks = advance(blocks, text.slice(0, cut), false);
        assert.deepEqual(seen(advance(blocks, text, true)), seen(atOnce(text)));
      }),
      { seed, numRuns: 400 },
    );
  });

  it('relinks only what refers to a definition, however many there are', () => {
    const count = 3_000;
    const definitions = Array.from({ length: count }, (_, index) => `[a${index}]: /${index}`).join('\n');
    const { settled } = advance(noBlocks, `[ A7 ] and [b]\n\n${definitions}`, true);
    const [first] = settled.flat();
    assert.ok(first?.token.type === 'paragraph');
    assert.deepEqual(
      first.token.tokens.map(({ type, raw }) => [type, raw]),
      [
        ['link', '[ A7 ]'],
        ['text', ' and [b]'],
      ],
    );
    assert.equal(settled.flat().length, count + 1);
  });

  /** The lexer alone takes seconds to minutes for each of these, or the whole stack. */
  const hostile: Readonly<Record<string, string>> = {
    quotes: `${'>'.repeat(20_000)}a`,
    lists: `${'- '.repeat(5_000)}a`,
    numbers: `${'1. '.repeat(5_000)}a`,
    'indented lists': Array.from({ length: 300 }, (_, index) => `${'  '.repeat(index)}- a`).join('\n'),
    stars: `${'*'.repeat(10_000)}a${'*'.repeat(10_000)}`,
    emphasis: '**a '.repeat(3_000) + 'a** '.repeat(3_000),
    brackets: `${'['.repeat(20_000)}a${'](x)'.repeat(20_000)}`,
    underscores: '_a'.repeat(20_000),
    addresses: `${'a.'.repeat(30_000)}@`,
    'many addresses': `${'a._'.repeat(60)}@ `.repeat(200),
    comments: `a ${'<!--'.repeat(20_000)}`,
    'formulas in one paragraph': 'a\n$$x$$\n'.repeat(30_000),
    'formulas never closed': 'a \\[\n'.repeat(20_000),
    'dollars in a line': `a ${'$$ '.repeat(100_000)}`,
    'parentheses never closed': `a ${'\\( '.repeat(100_000)}`,
    'footnotes in footnotes': '[^a]: '.repeat(20_000),
    backticks: '`'.repeat(100_000),
    tildes: '~'.repeat(100_000),
    'headings between lines': 'a\n# b\n'.repeat(30_000),
    'fences in a quote': '> ```\n> a\n'.repeat(10_000),
    'many footnotes': '[^a]: x\n'.repeat(30_000),
  };
  for (const [name, text] of Object.entries(hostile)) {
    it(`reads ${name} without end, and loses nothing`, () => {
      const { settled } = advance(noBlocks, text, true);
      const raw = settled.flat().map((block) => block.raw);
      assert.equal(raw.join(''), text);
    });
  }

  it('takes what is nested too deep as text', () => {
    const [block] = advance(noBlocks, `${'>'.repeat(100)}a`, true).settled.flat();
    let depth = 0;
    let token: Token | undefined = block?.token;
    for (; token?.type === 'blockquote'; depth++) token = (token as Tokens.Blockquote).tokens[0];
    assert.equal(depth, 40);
    assert.equal(token?.raw, `${'>'.repeat(60)}a`);
  });

  it('takes as text what is no prose, and marks everything else', () => {
    const data = 'x'.repeat(2_001);
    const tokens = advance(noBlocks, `**a** ${data}\n\n**b**`, true).settled.flat();
    const types = tokens.map(({ token }) => 'tokens' in token && token.tokens?.map(({ type }) => type));
    assert.deepEqual(types, [['text'], ['strong']]);
  });

  it('starts anew when the text was replaced', () => {
    const first = advance(noBlocks, 'one\n\ntwo\n\nthree\n\nfour', false);
    const text = 'one\n\n2\n\nthree';
    assert.deepEqual(seen(advance(first, text, false)), seen(atOnce(text)));
    assert.deepEqual(seen(advance(advance(first, text, true), 'x', false)), seen(atOnce('x')));
  });

  it('returns the same value when nothing came', () => {
    const blocks = advance(noBlocks, 'one\n\ntwo\n\nthree', false);
    assert.equal(advance(blocks, 'one\n\ntwo\n\nthree', false), blocks);
    const done = advance(blocks, 'one\n\ntwo\n\nthree', true);
    assert.equal(advance(done, 'one\n\ntwo\n\nthree', true), done);
  });

  it('does not parse what goes into an open fence', () => {
    let blocks = advance(noBlocks, 'intro\n\n```ts\n', false);
    const lexed = countLexing(() => {
      let text = 'intro\n\n```ts\n';
      for (let line = 0; line < 500; line++) {
        text += `const x${line} = \`${line}\`;\n`;
        blocks = advance(blocks, text, false);
      }
    });
    assert.equal(lexed, 0);
    const open = blocks.tail.at(-1)?.open;
    assert.ok(open !== undefined && open.settled.length > 5 && open.rest.length < 4096);
  });

  it('cuts code that is complete as it was cut while it came', () => {
    let blocks = noBlocks;
    let text = '```ts\n';
    for (let line = 0; line < 300; line += 7) {
      text += `const x${line} = 1;\n`.repeat(7);
      blocks = advance(blocks, text, false);
    }
    const open = blocks.tail.at(-1)?.open;
    blocks = advance(blocks, `${text}\`\`\`\n\nEnd.\n\nMore`, false);
    const code = blocks.settled.flat()[0] ?? blocks.tail[0];
    assert.ok(open !== undefined && code !== undefined && code.open === undefined);
    const pieces = codePieces(codeText(code));
    assert.deepEqual(pieces.slice(0, -1), open.settled);
    assert.equal(pieces.join(''), codeText(code));
    assert.deepEqual(codePieces(''), ['']);
  });

  it('parses only the tail of a long answer', () => {
    const paragraphs = Array.from(
      { length: 400 },
      (_, index) => `Paragraph ${index} with **words** and \`code\`.\n\n`,
    );
    let blocks = noBlocks;
    let text = '';
    let longest = 0;
    const original = Lexer.prototype.lex;
    Lexer.prototype.lex = function lex(this: Lexer, src: string) {
      longest = Math.max(longest, src.length);
      return original.call(this, src);
    };
    try {
      for (const paragraph of paragraphs) {
        text += paragraph;
        blocks = advance(blocks, text, false);
      }
    } finally {
      Lexer.prototype.lex = original;
    }
    assert.ok(longest < 300, `${longest} characters parsed at once`);
    assert.equal(blocks.settled.flat().length + blocks.tail.length, 400);
  });
});

function countLexing(run: () => void): number {
  const original = Lexer.prototype.lex;
  let count = 0;
  Lexer.prototype.lex = function lex(this: Lexer, src: string) {
    count += 1;
    return original.call(this, src);
  };
  try {
    run();
  } finally {
    Lexer.prototype.lex = original;
  }
  return count;
}
