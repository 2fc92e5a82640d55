/** Which text is a formula: what only looks like one stays text, and what is one keeps its source. */
import assert from 'node:assert/strict';
import type { Token } from 'marked';
import { advance, known, noBlocks, type ShownToken } from '../../src/webview/markdown/blocks.ts';
import { typeset } from '../../src/webview/markdown/typeset.ts';

/** The formulas of a text, in order: displayed ones in brackets. */
function formulas(text: string): string[] {
  const found: string[] = [];
  const look = (token: ShownToken): void => {
    if (token.type === 'formula') found.push(token.display ? `[${token.text}]` : token.text);
    for (const key of ['tokens', 'items'] as const) {
      const inner = (token as unknown as Record<string, readonly Token[] | undefined>)[key];
      for (const each of inner ?? []) look(known(each));
    }
  };
  for (const { token } of advance(noBlocks, text, true).settled.flat()) look(token);
  return found;
}

interface Element {
  readonly type: unknown;
  readonly props: Readonly<Record<string, unknown>>;
}

function elementsOf(tree: unknown): Element[] {
  if (Array.isArray(tree)) return tree.flatMap(elementsOf);
  if (typeof tree !== 'object' || tree === null) return [];
  const element = tree as Element;
  return [element, ...elementsOf(element.props['children'])];
}

describe('formulas', () => {
  for (const [text, expected] of [
    ['$5 and $6', []],
    ['it costs $20,000 or US$30$', []],
    ['`echo $HOME $PATH` and $HOME/$USER', []],
    ['the shell is $$ and its log /tmp/$$.log, $$', []],
    ['pid=$$ and ppid=$$', []],
    ['between $$ and $$$', []],
    ['$$ 5 and $$ 6', []],
    ['PID $$ is 5; $$ again', []],
    ['echo "$$" "$$"', []],
    ['echo $$ > file; cat $$ and $$ or $HOME_DIR $$', []],
    ['array\\[0\\] = a\\[i\\] and f\\(x, y\\)', []],
    ['\\[1\\] says, see \\[2\\]\\[3\\]', []],
    ['- \\[x\\] done\n- \\[ \\] open', []],
    ['it is $$ 5 + x $$ or $$ a = b $$', ['[5 + x]', '[a = b]']],
    ['it is $$ \\text{speed} = v $$ and \\[ a + b \\]', ['[\\text{speed} = v]', '[a + b]']],
    ['$x^2$ is not one', []],
    ['`$$a$$` and `\\(b\\)`', []],
    ['    $$\n    a\n    $$', []],
    ['```\n$$\na\n$$\n```', []],
    ['\\\\(a\\\\)', []],
    ['\\(see the note above\\)', []],
    ['\\[a link\\](https://example.com)', []],
    ['$$\nnever closed\n\n\\[ nor this', []],
    ['$$\na\n\nb\n$$', []],
    ['\\(x\\)', ['x']],
    ['so \\(a*b*c\\) and *\\(d*e\\)*', ['a*b*c', 'd*e']],
    ['we have $$E = mc^2$$.', ['[E = mc^2]']],
    ['公式$$x$$是', ['[x]']],
    ['$$\nx\n=\n- y\n# z\n$$', ['[x\n=\n- y\n# z]']],
    ['text\n\\[\na\n\\]\nmore', ['[a]']],
    ['\\[ a \\\\[2pt] b \\]', ['[a \\\\[2pt] b]']],
    ['1. one\n   $$\n   a\n   + b\n   $$\n2. \\(c\\)', ['[a\n+ b]', 'c']],
    ['> \\[\n> q\n> \\]', ['[q]']],
    ['# \\(h\\)', ['h']],
  ] as const) {
    it(`finds ${JSON.stringify(expected)} in ${JSON.stringify(text)}`, () =>
      assert.deepEqual(formulas(text), expected));
  }

  it('are typeset as elements of MathML', () => {
    const types = elementsOf(typeset('\\frac{a}{\\sqrt{b}} \\text{ if } x_1^2', true)).map(
      ({ type }) => type,
    );
    assert.equal(types[0], 'math');
    for (const type of ['mfrac', 'msqrt', 'mtext', 'msubsup']) assert.ok(types.includes(type), type);
  });

  it('lead nowhere, load nothing and style nothing but themselves', () => {
    for (const tex of [
      '\\href{https://evil.test}{x}',
      '\\url{https://evil.test}',
      '\\includegraphics{https://evil.test/a.png}',
      '\\class{composer}{x}',
      '\\id{root}{x}',
      '\\style{position:fixed}{x}',
      '\\data{a=b}{x}',
      '\\htmlClass{a}{x}',
      '\\label{a}\\ref{a}',
      '\\color{url(https://evil.test)}{x}',
    ]) {
      assert.equal(typeset(tex, true), undefined, tex);
    }
    for (const { type, props } of elementsOf(typeset('\\color{red}{x}\\label{a}\\tag{1}', true))) {
      assert.ok(typeof type === 'function' || /^m|^semantics$/.test(String(type)), String(type));
      for (const name of Object.keys(props)) assert.doesNotMatch(name, /^(?:on|href|src|id$|dangerously)/);
    }
  });

  it('that turn the order of what is read, or go far out of their place, are not typeset', () => {
    for (const tex of [
      '\\char"202E abc',
      '\\text{\u202eabc}',
      'a\u2067b',
      '\\hspace{-500em}x',
      '\\mskip-9999mu x',
      '\\lower 9999em{x}',
      '\\rule{-9999em}{1em}',
      '\\def\\arraystretch{9999}\\begin{array}{c}a\\\\b\\end{array}',
    ]) {
      assert.equal(typeset(tex, true), undefined, tex);
    }
    for (const tex of [
      '\\hspace{3em}x',
      '\\rule{1em}{2em}',
      '\\mathbf{x}\\tag{1}',
      'f(x)\\,2x',
      '\\begin{cases}a\\\\[2em]b\\end{cases}',
    ]) {
      assert.notEqual(typeset(tex, true), undefined, tex);
    }
  });

  it('that can’t be read, or are too large, are not typeset', () => {
    const many = '\\b'.repeat(9);
    for (const tex of [
      '\\frac{a}{',
      '\\nosuchcommand',
      '\\def\\a{\\a}\\a',
      `\\def\\a#1{#1#1#1#1}${'\\a{'.repeat(12)}x${'}'.repeat(12)}`,
      `\\def\\b{${'x'.repeat(400)}}\\def\\c{${many}}${'\\c'.repeat(500)}`,
      `${'{'.repeat(2_400)}${'}'.repeat(2_400)}`,
      `${'\\sqrt{'.repeat(600)}${'}'.repeat(600)}`,
      'x'.repeat(5_000),
    ]) {
      assert.equal(typeset(tex, true), undefined, tex.slice(0, 40));
    }
  });
});
