import assert from 'node:assert/strict';

import { sectionsOf } from '../../../src/host/tools/diffSections.ts';

function paths(diff: string): readonly (readonly string[])[] {
  return sectionsOf(diff).map((section) => section.paths);
}

describe('the sections of a diff', () => {
  it('are its files, each with its text', () => {
    const one = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-diff --git a/no b/no\n+++ b/trick\n';
    const two = 'diff --git a/y b/y\nnew file mode 100644\n--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+y';
    const sections = sectionsOf(`warning: x\n${one}${two}`);
    assert.deepEqual(
      sections.map(({ text }) => text),
      [one, `${two}\n`],
    );
    assert.deepEqual(paths(one + two), [['x'], ['y']]);
    assert.deepEqual(paths(''), []);
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
