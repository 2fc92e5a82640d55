import assert from 'node:assert/strict';

import { sectionsOf } from '../../../src/host/tools/diffSections.ts';

function paths(diff: string): readonly (readonly string[])[] {
  return (sectionsOf(diff) ?? []).map((section) => section.paths);
}

describe('the sections of a diff', () => {
  it('are its files, each with its text', () => {
    const one = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-diff --git a/no b/no\n+++ b/trick\n';
    const two = 'diff --git a/y b/y\nnew file mode 100644\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+y';
    const sections = sectionsOf(`warning: x\n${one}${two}`);
    assert.deepEqual(
      sections?.map(({ text }) => text),
      [one, `${two}\n`],
    );
    assert.deepEqual(paths(one + two), [['x'], ['y']]);
    assert.deepEqual(paths(''), []);
  });

  it('begin where a line of the diff does, not within a line of a file', () => {
    const one = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+a';
    for (const end of ['\r', '\u2028', '\u2029'])
      assert.deepEqual(paths(`${one}${end}diff --git a/y b/y${end}--- a/y\n`), [['x']]);
    assert.deepEqual(
      paths('diff --git a/x\u2028y b/x\u2028y\n--- a/x\u2028y\n+++ b/x\u2028y\n@@ -1 +1 @@\n'),
      [['x\u2028y']],
    );
  });

  it('are not known of what is no diff of git', () => {
    assert.deepEqual(sectionsOf(''), []);
    assert.equal(sectionsOf('src/a.ts --- TypeScript\n1 a 1 b\n'), undefined);
    assert.equal(sectionsOf('\u001b[1mdiff --git a/x b/x\u001b[m\n'), undefined);
  });

  it('have whole names where git is told to put nothing before them', () => {
    assert.deepEqual(paths('diff --git a/x.ts a/x.ts\n--- a/x.ts\n+++ a/x.ts\n@@ -1 +1 @@\n'), [['a/x.ts']]);
    assert.deepEqual(paths('diff --git b/x.png b/x.png\nBinary files b/x.png and b/x.png differ\n'), [
      ['b/x.png'],
    ]);
  });

  it('know both names of a renamed file, and the name of one without lines', () => {
    assert.deepEqual(paths('diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n'), [
      ['o', 'n'],
    ]);
    assert.deepEqual(paths('diff --git a/a b/x b/a b/x\nold mode 100644\nnew mode 100755\n'), [['a b/x']]);
    assert.deepEqual(paths('diff --git a/p.png b/p.png\nBinary files a/p.png and b/p.png differ\n'), [
      ['p.png'],
    ]);
  });

  it('read names with blanks, quotes and letters that git writes as numbers', () => {
    assert.deepEqual(paths('diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n@@ -1 +1 @@\n'), [['a b']]);
    const quoted = '"a/\\303\\244\\n\\"\\\\x"';
    assert.deepEqual(
      paths(
        `diff --git ${quoted} ${quoted.replace('a/', 'b/')}\n--- ${quoted}\n+++ ${quoted.replace('a/', 'b/')}\n@@ -1 +1 @@\n`,
      ),
      [['ä\n"\\x']],
    );
    assert.deepEqual(paths(`diff --git ${quoted} ${quoted.replace('a/', 'b/')}\nold mode 100644\n`), [
      ['ä\n"\\x'],
    ]);
  });
});
