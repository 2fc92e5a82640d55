/** Where hunks may go: passes, anchors and scopes, blank lines at the end. What whole patches do is in the scenarios. */
import assert from 'node:assert/strict';
import { firstProblem, onlyUpdate, plan, updating } from './texts.ts';

/** The text of `a.txt` after the patch; fails with the problems if there is no plan. */
function after(text: string, ...body: readonly string[]): string {
  return onlyUpdate(plan({ 'a.txt': text }, updating(...body))).after;
}

function passes(text: string, ...body: readonly string[]): readonly string[] {
  return onlyUpdate(plan({ 'a.txt': text }, updating(...body))).places.map(({ pass }) => pass);
}

function problem(text: string, ...body: readonly string[]) {
  return firstProblem(plan({ 'a.txt': text }, updating(...body)));
}

function notes(text: string, ...body: readonly string[]): readonly string[] {
  const planned = plan({ 'a.txt': text }, updating(...body));
  assert.ok(planned.ok, JSON.stringify(planned));
  return planned.value.notes;
}

describe('passes', () => {
  it('are tried from strict to loose, and the first that finds anything counts', () => {
    assert.deepEqual(passes('x\n', '-x', '+y'), ['exact']);
    assert.deepEqual(passes('x \n', '-x', '+y'), ['trailingBlanks']);
    assert.deepEqual(passes('“x” \n', '-"x"', '+y'), ['punctuation']);
    assert.deepEqual(passes('  x\n', '-x', '+y'), ['indentation']);
    assert.deepEqual(passes('  “x”\n', '-"x"', '+y'), ['indentationAndPunctuation']);
    assert.equal(after('x \nx\n', '-x', '+y'), 'x \ny\n');
    assert.equal(after('“x”\n  "x"\n', '-"x"', '+y'), 'y\n  "x"\n');
  });

  it('fold all dashes, quotes and spaces, and composed letters', () => {
    const file =
      '\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\uFE58\uFE63\uFF0D \u2018\u2019\u201A\u201B\u2039\u203A \u201C\u201D\u201E\u201F\u00AB\u00BB';
    assert.deepEqual(passes(`${file}\n`, `-${'-'.repeat(11)} ${"'".repeat(6)} ${'"'.repeat(6)}`), [
      'punctuation',
    ]);
    assert.deepEqual(passes('a\u00A0\u1680\u2000\u200A\u202F\u205F\u3000b\n', '-a       b'), ['punctuation']);
    assert.deepEqual(passes('cafe\u0301\n', '-caf\u00E9'), ['punctuation']);
    assert.deepEqual(passes('x\n', '-x\u00A0'), ['punctuation']);
    assert.deepEqual(passes('\u3000x\n', '-x'), ['indentationAndPunctuation']);
  });

  it('never take two line separators or an accent for nothing', () => {
    assert.equal(problem('a\u2028b\n', '-a b').kind, 'context-not-found');
    assert.equal(problem('e\u0301\n', '-e').kind, 'context-not-found');
    assert.equal(problem('\uFEFF\uFEFFx\n', '-x').kind, 'context-not-found');
  });

  it('find lines by their folded form even among much longer ones', () => {
    const text = `${'–'.repeat(500)}\n–\n${'a\u0301'.repeat(30)}\n`;
    assert.deepEqual(passes(text, '--'), ['punctuation']);
    assert.deepEqual(passes(text, `-${'\u00E1'.repeat(30)}`), ['punctuation']);
  });

  it('compare every line', () => {
    assert.equal(problem('a\nb\nc\n', ' a', ' x', '-c').kind, 'context-not-found');
    assert.equal(problem('a\nb\n', ' b', '-c').kind, 'context-not-found');
    assert.equal(problem('b\nc\n', ' a', '-b').kind, 'context-not-found');
  });
});

describe('blank lines at the end of a hunk', () => {
  it('count if they fit', () => {
    assert.equal(after('x\ny\nx\n\n', '-x', '+z', ''), 'x\ny\nz\n\n');
  });

  it('are dropped if they do not, where they lack even their space', () => {
    assert.equal(after('x\ny\n', '-x', '+z', '', ''), 'z\ny\n');
    assert.equal(problem('x\ny\n', '-x', '+z', ' ').kind, 'context-not-found');
  });

  it('are dropped with their space only behind the last line', () => {
    assert.equal(after('y\nx\n', '-x', '+z', ' ', ''), 'y\nz\n');
    assert.equal(after('x\ny\nx\n', '-x', '+z', ' '), 'x\ny\nz\n');
  });
});

describe('anchors', () => {
  const python =
    'def f():\n    a()\n    b()\n\nclass K:\n    def f(self):\n        a()\n        b()\n\n    def g(self):\n        a()\n';

  it('without indentation stand for a line of any depth', () => {
    const text = 'def f():\n    b()\nclass K:\n    def f():\n        a()\ndef g():\n    a()\n';
    assert.equal(
      after(text, '@@ class K:', '@@ def f():', '-        a()', '+        c()'),
      text.replace('        a()', '        c()'),
    );
    assert.equal(
      problem(`${text}class L:\n    def f():\n        a()\n`, '@@ def f():', '-        a()', '+        c()')
        .kind,
      'ambiguous',
    );
  });

  it('with indentation stand for a line of that depth', () => {
    assert.equal(
      after(python, '@@     def f(self):', '-        a()', '+        c()'),
      python.replace('        a()', '        c()'),
    );
  });

  it('also match loosely', () => {
    assert.equal(after('“A”\nx\nB\nx\n', '@@ "A"', '-x', '+y'), '“A”\ny\nB\nx\n');
    assert.equal(after('  “A”\nx\nB\nx\n', '@@    "A"', '-x', '+y'), '  “A”\ny\nB\nx\n');
  });

  it('hold what is indented deeper, whatever stands between', () => {
    assert.equal(
      after(python, '@@ def g(self):', '-        a()', '+        c()'),
      python.replace(/a\(\)\n$/, 'c()\n'),
    );
    assert.equal(problem(python, '@@ class K:', '-        a()', '+        c()').kind, 'ambiguous');
  });

  it('hold a body behind a head of several lines', () => {
    const text = 'def f(\n    x,\n):\n    a()\n    a()\n';
    assert.equal(problem(text, '@@ def f(', '-    a()', '+    b()').kind, 'ambiguous');
    const typescript = 'function f(\n  x: X,\n) {\n  a();\n  a();\n}\n';
    assert.equal(problem(typescript, '@@ function f(', '-  a();', '+  b();').kind, 'ambiguous');
  });

  it('hold what stands behind a label inside of braces', () => {
    const text = 'class A {\npublic:\n  int x;\nprivate:\n  int x;\n};\nint x;\n';
    assert.equal(problem(text, '@@ class A {', '-  int x;', '+  int y;').kind, 'ambiguous');
    assert.equal(
      after(text, '@@ class A {', '@@ private:', '-  int x;', '+  int y;'),
      text.replace('private:\n  int x', 'private:\n  int y'),
    );
  });

  it('measure tabs and spaces against each other only where that is certain', () => {
    // However wide a tab is, the last line is no deeper than the first.
    const text = '\tif a:\n\t\tb()\n\tb()\n';
    assert.equal(after(text, '@@ if a:', '-\t\tb()', '+\t\tc()'), '\tif a:\n\t\tc()\n\tb()\n');
    assert.equal(problem('    if a:\n\tb()\n\tb()\n', '@@ if a:', '-\tb()', '+\tc()').kind, 'ambiguous');
  });

  it('that open nothing mean the nearest line', () => {
    assert.equal(after('a\nx\nx\nb\nx\n', '@@ a', '-x', '+y'), 'a\ny\nx\nb\nx\n');
    assert.equal(after('a\n\nx\nb\nx\n', '@@ a', '-x', '+y'), 'a\n\ny\nb\nx\n');
  });

  it('may stand in several places, if only one has the lines', () => {
    assert.equal(after('f {\n  a\n}\nf {\n  b\n}\n', '@@ f {', '-  b', '+  c'), 'f {\n  a\n}\nf {\n  c\n}\n');
    assert.equal(problem('f {\n  b\n}\nf {\n  b\n}\n', '@@ f {', '-  b', '+  c').kind, 'ambiguous');
    assert.equal(problem('f\nx\nf\nx\n', '@@ f', '-x', '+y').kind, 'ambiguous');
  });

  it('may be the first line of the hunk, or another one', () => {
    assert.equal(after('f\nx\ng\nx\n', '@@ g', ' g', '-x', '+y'), 'f\nx\ng\ny\n');
    assert.equal(after('q\nf\nx\nq\ng\nx\n', '@@ g', ' q', ' g', '-x', '+y'), 'q\nf\nx\nq\ng\ny\n');
  });

  it('vouch for nothing outside of what they open, unless it is the only place', () => {
    const text = 'def f():\n    a()\ndef g():\n    b()\n    c()\n';
    assert.equal(after(text, '@@ def f():', '-    b()', '+    d()'), text.replace('b()', 'd()'));
    assert.deepEqual(notes(text, '@@ def f():', '-    b()', '+    d()'), [
      'a.txt: hunk 1: The lines are not within "def f():", but further down, in one place only.',
    ]);
    const found = problem(`${text}def h():\n    b()\n`, '@@ def f():', '-    b()', '+    d()');
    assert.ok(found.kind === 'context-not-found');
    assert.deepEqual([found.why, found.anchor, found.foundAt], ['notBelowAnchor', 'def f():', [4, 7]]);
    const above = problem(text, '@@ def g():', '-    a()', '+    d()');
    assert.ok(above.kind === 'context-not-found' && above.why === 'notBelowAnchor');
  });

  it('may be the beginning of the one line that has it', () => {
    const text = 'class A(B):\n    x = 1\nclass C(B):\n    x = 1\n';
    assert.equal(after(text, '@@ class C', '-    x = 1', '+    x = 2'), text.replace(/x = 1\n$/, 'x = 2\n'));
    assert.equal(problem(`${text}class C2:\n`, '@@ class', '-    x = 1', '+    x = 2').kind, 'ambiguous');
    assert.deepEqual(notes(text, '@@ class C', '+    y = 1'), [
      'a.txt: hunk 1: An "@@" line was taken for the one line of the file that begins with it.',
    ]);
    assert.equal(
      after(
        'class A:\n    def f(self):\n        x\nclass B:\n    def f(self):\n        x\n',
        '@@ class B:',
        '@@ def f',
        '-        x',
        '+        y',
      ),
      'class A:\n    def f(self):\n        x\nclass B:\n    def f(self):\n        y\n',
    );
  });

  it('that are missing leave what stands in one place only, unless there are several', () => {
    assert.equal(after('a\nb\n', '@@ nowhere', '-b', '+c'), 'a\nc\n');
    const found = problem('b\nb\n', '@@ nowhere', '-b', '+c');
    assert.ok(found.kind === 'ambiguous' && found.anchorMissing === 'nowhere' && found.total === 2);
    const absent = problem('b\n', '@@ nowhere', '-x', '+c');
    assert.ok(absent.kind === 'context-not-found' && absent.why === 'absent' && absent.anchor === 'nowhere');
    const chain = problem('a\n  b\n', '@@ a', '@@ nowhere', '-  b', '+c');
    assert.ok(
      chain.kind === 'context-not-found' && chain.why === 'anchorMissing' && chain.anchor === 'nowhere',
    );
    assert.deepEqual(notes('b\nb\nx\n', '@@ nowhere', ' b', '@@', '-x', '+y').length, 1);
  });

  it('behind line numbers are remarks', () => {
    assert.equal(after('f\nx\ng\nx\n', '@@ -4,1 +4,1 @@ g', '-x', '+y'), 'f\nx\ng\ny\n');
    assert.deepEqual(notes('x\n', '@@ -4 +4 @@ nowhere', '-x', '+y'), [
      'a.txt: hunk 1: The remark "nowhere" behind line numbers is not in the file and was ignored.',
    ]);
    assert.deepEqual(notes('x\nf\n', '@@ -4 +4 @@ f', '-x', '+y'), [
      'a.txt: hunk 1: The remark behind line numbers did not fit and was ignored.',
    ]);
    assert.equal(problem('f\n', '@@ -4 +4 @@ f', '-x', '+y').kind, 'context-not-found');
  });
});

describe('the end-of-file mark', () => {
  it('prefers the end, with the anchor if there is one', () => {
    assert.equal(after('x\nx\n \n', '-x', '+y', '*** End of File'), 'x\ny\n \n');
    assert.equal(after('f\nx\ng\nx\n', '@@ g', '-x', '+y', '*** End of File'), 'f\nx\ng\ny\n');
    assert.equal(after('x\n  x\n', '-x', '+y', '*** End of File'), 'x\n  y\n');
  });

  it('is ignored where the lines stand elsewhere only', () => {
    assert.deepEqual(notes('x\ny\n', '-x', '+z', '*** End of File'), [
      'a.txt: hunk 1: The end-of-file mark was ignored: the lines stand elsewhere.',
    ]);
    assert.equal(problem('x\nx\ny\n', '-x', '+z', '*** End of File').kind, 'ambiguous');
    assert.equal(problem('y\n', '-x', '+z', '*** End of File').kind, 'context-not-found');
  });
});

describe('added lines alone', () => {
  it('go to the end, below their anchor, or nowhere', () => {
    assert.deepEqual(passes('a\n', '+b'), ['endOfFile']);
    assert.equal(after('', '+b'), 'b\n');
    assert.equal(after('\uFEFF', '@@ -0,0 +1 @@', '+b'), '\uFEFFb\n');
    assert.equal(after('a\nb\n', '@@ a', '+c', '', ''), 'a\nc\nb\n');
    assert.equal(after('a\nb\n', '@@ a', '+c', '*** End of File'), 'a\nb\nc\n');
    const missing = problem('a\n', '@@ nowhere', '+b');
    assert.ok(missing.kind === 'context-not-found' && missing.why === 'anchorMissing');
    const numbered = problem('a\n', '@@ -1 +1 @@ a', '+b');
    assert.ok(numbered.kind === 'context-not-found' && numbered.why === 'onlyLineNumbers');
    assert.equal(problem('a\nb\na\n', '@@ a', '+c').kind, 'ambiguous');
  });
});

describe('hunks together', () => {
  it('may share context but no changed line', () => {
    assert.equal(after('a\nb\nc\n', '-a', '+A', ' b', '@@', ' b', '-c', '+C'), 'A\nb\nC\n');
    assert.equal(after('a\nb\n', ' a', '+x', '@@', ' a', '+y'), 'a\nx\ny\nb\n');
    assert.equal(problem('a\nb\nc\n', '-a', '-b', '@@', '-b', '-c').kind, 'context-not-found');
  });

  it('may come in any order only if each has one place', () => {
    assert.equal(after('a\nb\nc\n', '-c', '+C', '@@', '-a', '+A'), 'A\nb\nC\n');
    const found = problem('a\nb\nb\nc\n', '-c', '+C', '@@', '-b', '+B');
    assert.ok(found.kind === 'context-not-found' && found.why === 'outOfOrder');
    assert.deepEqual(found.foundAt, [2, 3]);
  });

  it('leave fences where they are', () => {
    assert.equal(after('x\nf\nx\n', ' f', '@@', '-x', '+y'), 'x\nf\ny\n');
    assert.equal(after('x\nf\nx\n', '-x', '+y', '@@', ' f'), 'y\nf\nx\n');
    assert.equal(problem('f\n', ' g', '@@', '-f').kind, 'context-not-found');
  });
});
