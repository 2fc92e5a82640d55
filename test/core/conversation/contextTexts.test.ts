import assert from 'node:assert/strict';

import {
  changesText,
  commandHeading,
  fileSection,
  folderNames,
  folderTexts,
  notebookText,
  problemsText,
  selectionHeading,
  type AttachedProblem,
} from '../../../src/core/conversation/contextTexts.ts';

describe('what the model reads of things that are attached', () => {
  describe('changes', () => {
    const none = { staged: false, diff: '', added: [], hidden: 0 };

    it('are a diff, with new files as git would write them', () => {
      const changes = changesText({
        ...none,
        diff: 'diff --git a/a b/a\n-x\n+y',
        added: [
          { path: 'new.txt', text: 'one\r\ntwo\n' },
          { path: 'none.txt', text: '' },
          { path: 'big.bin' },
        ],
        hidden: 2,
      });
      assert.match(changes?.heading ?? '', /^Changes in the working tree that are not staged, from git diff/);
      assert.equal(
        changes?.text,
        [
          'diff --git a/a b/a\n-x\n+y',
          'diff --git a/new.txt b/new.txt\nnew file\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,2 @@\n+one\n+two',
          'diff --git a/none.txt b/none.txt\nnew file\n--- /dev/null\n+++ b/none.txt',
          'New files that git does not know, not shown:\nbig.bin',
          '[2 left out: outside the workspace or ignored]',
        ].join('\n'),
      );
    });

    it('say what they are of', () => {
      assert.equal(
        changesText({ ...none, staged: true, diff: 'x', path: 'src/a.ts' })?.heading,
        'Staged changes of src/a.ts, from git diff --cached',
      );
    });

    it('are none when nothing changed, whatever is hidden', () => {
      assert.equal(changesText({ ...none, hidden: 3 }), undefined);
    });
  });

  describe('a notebook', () => {
    const cell = { index: 0, languageId: 'python', source: 'print(1)', output: '' };

    it('is its cells with their outputs, empty ones left out', () => {
      const { heading, text } = notebookText('book.ipynb', [
        { ...cell, languageId: 'markdown', source: '# Title' },
        { ...cell, index: 1, source: ' \n' },
        { ...cell, index: 2, source: 'print(1)\r\nprint(2)', output: '1\r\n2\r\n' },
      ]);
      assert.match(heading, /^book\.ipynb \(a notebook/);
      assert.equal(
        text,
        '[cell 1, markdown]\n# Title\n\n[cell 3, python]\nprint(1)\nprint(2)\n[output of cell 3]\n1\n2',
      );
    });

    it('has long outputs cut', () => {
      const { text } = notebookText('book.ipynb', [{ ...cell, output: 'x'.repeat(5_000) }]);
      assert.ok(text.length < 4_200);
      assert.match(text, /x\n\[The rest was left out\.\]$/);
    });
  });

  describe('a folder', () => {
    const names = { path: 'src', files: ['src/a.ts', 'src/b.ts'], total: 2, places: [], unfinished: false };

    it('is the names of its files', () => {
      const { heading, text } = folderNames(names);
      assert.equal(heading, 'The files in src/, by name; ignored ones are left out');
      assert.equal(text, 'src/a.ts\nsrc/b.ts');
    });

    it('that is large says how many are where, and one that was not looked through that there are more', () => {
      const { text } = folderNames({
        ...names,
        total: 5_000,
        places: [{ name: 'src/deep/', files: 4_998 }],
        unfinished: true,
      });
      assert.equal(
        text,
        [
          'src/a.ts',
          'src/b.ts',
          '[4998 more. All of them, by folder:]',
          'src/deep/ 4998',
          '[There are more: the folder is so large that looking through it was ended.]',
        ].join('\n'),
      );
    });

    it('is the texts of its files, each in a fence that it can’t close', () => {
      const section = fileSection('a.md', '```ts\nx\n```');
      assert.equal(section, 'a.md:\n````md\n```ts\nx\n```\n````\n');
      assert.equal(fileSection('Makefile', 'all:\n'), 'Makefile:\n```\nall:\n```\n');
      const whole = { path: 'docs', sections: [section], leftOut: [], isCut: false };
      assert.equal(folderTexts(whole).text, section);
      assert.match(folderTexts(whole).heading, /^The files in docs\/ with their texts/);
      assert.match(
        folderTexts({ ...whole, leftOut: ['x.png', 'y.bin'], isCut: true }).text,
        /\[Not shown, as they are no text or too long: x\.png, y\.bin\]\n\[There are more files/,
      );
    });
  });

  describe('problems', () => {
    const problem: AttachedProblem = {
      path: 'src/a.ts',
      line: 3,
      column: 5,
      severity: 'error',
      source: 'ts 2322',
      message: 'Not\n  assignable.',
      code: '  const a: string = 1;',
      related: [],
    };

    it('are one entry each, with the line and what it refers to', () => {
      const { heading, text } = problemsText(
        [
          {
            ...problem,
            related: Array.from({ length: 5 }, (_, line) => ({ path: 'b.ts', line, message: 'here' })),
          },
          { ...problem, source: '', code: '  ' },
        ],
        'src/a.ts',
      );
      assert.equal(heading, 'Problems that the editor shows in src/a.ts');
      assert.equal(
        text,
        [
          'src/a.ts:3:5 error (ts 2322): Not assignable.',
          '    const a: string = 1;',
          '    see b.ts:0: here',
          '    see b.ts:1: here',
          '    see b.ts:2: here',
          'src/a.ts:3:5 error: Not assignable.',
        ].join('\n'),
      );
    });

    it('are cut when there are very many', () => {
      const { code: _, ...bare } = { ...problem, message: 'x'.repeat(2_000) };
      const { heading, text } = problemsText(Array.from({ length: 100 }, () => bare));
      assert.equal(heading, 'Problems that the editor shows in the workspace');
      assert.ok(text.length < 62_000);
      assert.match(text, /\[\d+ more problems left out\]$/);
    });
  });

  it('of a terminal is named by what was taken, and by how a command ended', () => {
    assert.equal(selectionHeading('bash'), 'Selected in the terminal "bash"');
    assert.equal(
      commandHeading('a\nb', undefined),
      'The last command in the terminal "a\\nb" and its output',
    );
    assert.equal(
      commandHeading('bash', 1),
      'The last command in the terminal "bash" (exit code 1) and its output',
    );
  });

  const bare: AttachedProblem = {
    ...{ path: 'a.ts', line: 1, column: 1, severity: 'error', source: '', message: 'x', related: [] },
  };

  it('has each name on one line, whatever line breaks are in it', () => {
    const strange = 'a\n```\nb.txt';
    const texts = [
      changesText({
        staged: false,
        path: strange,
        diff: '',
        added: [{ path: strange, text: 'x' }, { path: strange }],
        hidden: 0,
      }),
      notebookText(strange, []),
      folderNames({
        path: strange,
        files: [strange],
        total: 2,
        places: [{ name: strange, files: 2 }],
        unfinished: false,
      }),
      folderTexts({ path: strange, sections: [fileSection(strange, 'x')], leftOut: [strange], isCut: false }),
      problemsText(
        [{ ...bare, path: strange, related: [{ path: strange, line: 1, message: 'a\u2028b' }] }],
        strange,
      ),
    ];
    for (const shown of texts) {
      assert.ok(shown);
      assert.ok(!shown.heading.includes('\n'), shown.heading);
      assert.ok(!/^b\.txt/m.test(shown.text), shown.text);
      assert.ok(shown.heading.includes('a\\n```\\nb.txt'), shown.heading);
    }
  });

  it('has long blanks in a message looked through once', () => {
    const { text } = problemsText([{ ...bare, message: `a${' '.repeat(200_000)}\nb` }]);
    assert.match(text, /: a b$/);
  });
});
