/** What the reader makes of a text: sections and hunks with their lines, and for each fault its line. */
import assert from 'node:assert/strict';
import { maxPatchLength, parsePatch } from '../../../src/core/patch/parse.ts';
import { pathsOf, type FileSection, type Hunk } from '../../../src/core/patch/patch.ts';
import { enveloped, updating } from './texts.ts';

function sections(text: string): readonly FileSection[] {
  const patch = parsePatch(text);
  assert.ok(patch.ok, JSON.stringify(patch));
  return patch.value.sections;
}

function hunks(...body: readonly string[]): readonly Hunk[] {
  const [section] = sections(updating(...body));
  assert.equal(section?.kind, 'update');
  return section.hunks;
}

function fault(text: string): string {
  const patch = parsePatch(text);
  assert.ok(!patch.ok && patch.error.kind === 'bad-format', JSON.stringify(patch));
  return `${patch.error.why} ${patch.error.line} ${patch.error.found}`;
}

function notes(text: string): readonly string[] {
  const patch = parsePatch(text);
  assert.ok(patch.ok, JSON.stringify(patch));
  return patch.value.notes;
}

describe('parsePatch', () => {
  it('reads every kind of section with its line', () => {
    const text = enveloped(
      '*** Add File: new.txt',
      '+one',
      '+',
      '*** Delete File: old.txt',
      '*** Update File: from.txt',
      '*** Move to: to.txt',
      '@@ class A',
      '@@   def b',
      ' kept',
      '-gone',
      '+come',
      '*** End of File',
    );
    assert.deepEqual(sections(text), [
      { kind: 'add', path: 'new.txt', line: 2, lines: ['one', ''] },
      { kind: 'delete', path: 'old.txt', line: 5 },
      {
        kind: 'update',
        path: 'from.txt',
        line: 6,
        moveTo: { path: 'to.txt', line: 7 },
        hunks: [
          {
            line: 8,
            anchors: [
              { text: 'class A', line: 8, advisory: false },
              { text: '  def b', line: 9, advisory: false },
            ],
            lines: [
              { kind: 'context', text: 'kept', line: 10, bare: false },
              { kind: 'remove', text: 'gone', line: 11, bare: false },
              { kind: 'add', text: 'come', line: 12, bare: false },
            ],
            atEnd: true,
            numbered: false,
          },
        ],
      },
    ]);
  });

  it('names every path once, in order', () => {
    const patch = parsePatch(
      enveloped('*** Update File: a', '*** Move to: b', '*** Add File: c', '*** Update File: a', '@@', '+x'),
    );
    assert.ok(patch.ok);
    assert.deepEqual(pathsOf(patch.value), ['a', 'b', 'c']);
  });

  it('takes off blanks, quotes and backticks around a path, once', () => {
    const paths = ['  a.txt\t', '"a b"', "'c'", '`d` ', '"e\'', '""f""', 'g\u00A0'];
    assert.deepEqual(
      sections(enveloped(...paths.map((path) => `*** Delete File: ${path}`))).map(({ path }) => path),
      ['a.txt', 'a b', 'c', 'd', '"e\'', '"f"', 'g\u00A0'],
    );
    assert.equal(sections(enveloped('*** Delete File:x'))[0]?.path, 'x');
  });

  it('reads headers of hunks', () => {
    const text = (header: string) => hunks(header, '-x')[0];
    assert.deepEqual(text('@@')?.anchors, []);
    assert.deepEqual(text('@@  ')?.anchors, []);
    assert.deepEqual(text('@@ @@')?.anchors, []);
    assert.equal(text('@@a')?.anchors[0]?.text, 'a');
    assert.equal(text('@@   a  ')?.anchors[0]?.text, '  a');
    assert.equal(text('@@ a @@')?.anchors[0]?.text, 'a');
    assert.equal(text('@@ a@@')?.anchors[0]?.text, 'a@@');
    assert.deepEqual(text('@@ -1,2 +3 @@'), { ...text('@@'), numbered: true });
    assert.deepEqual(text('@@ -1 +3'), { ...text('@@'), numbered: true });
    assert.deepEqual(text('@@ -1,2 +3,4 @@ f()')?.anchors, [{ text: 'f()', line: 3, advisory: true }]);
    assert.equal(text('@@ -1 +3 words')?.anchors[0]?.text, '-1 +3 words');
  });

  it('lets blank context be layout: its headers go with the next hunk', () => {
    const all = hunks(
      '',
      '@@ a',
      '',
      ' ',
      '@@ b',
      '-x',
      '',
      '@@',
      '-y',
      '*** End of File',
      '',
      '@@',
      '+z',
      '',
    );
    assert.deepEqual(
      all.map(({ line, anchors, lines }) => [
        line,
        anchors.map(({ text }) => text),
        lines.map(({ text }) => text),
      ]),
      [
        [4, ['a', 'b'], ['x', '']],
        [10, [], ['y']],
        [14, [], ['z']],
      ],
    );
  });

  it('ignores the remark about a missing newline anywhere', () => {
    assert.equal(hunks('-a', '\\ No newline at end of file', '+b')[0]?.lines.length, 2);
    const [section] = sections(enveloped('*** Add File: a', '+x', '\\ No newline at end of file'));
    assert.deepEqual(section, { kind: 'add', path: 'a', line: 2, lines: ['x'] });
    assert.equal(hunks('-a', '\\section{b}')[0]?.lines[1]?.text, '\\section{b}');
  });

  it('keeps blanks inside a hunk as content', () => {
    assert.deepEqual(
      hunks('-a ', '   ', '+\t', '\tb')[0]?.lines.map(({ kind, text }) => [kind, text]),
      [
        ['remove', 'a '],
        ['context', '  '],
        ['add', '\t'],
        ['context', '\tb'],
      ],
    );
  });

  it('takes blank lines and a header with blanks in front between sections', () => {
    assert.deepEqual(
      sections(
        enveloped(
          '',
          '*** Delete File: a',
          '',
          '  *** Add File: b',
          '+x',
          '',
          ' ',
          '\t*** Delete File: c',
          '',
        ),
      ),
      [
        { kind: 'delete', path: 'a', line: 3 },
        { kind: 'add', path: 'b', line: 5, lines: ['x'] },
        { kind: 'delete', path: 'c', line: 9 },
      ],
    );
    assert.equal(
      sections(enveloped('*** Update File: a', '', '*** Move to: b', ' *** Delete File: c')).length,
      2,
    );
    assert.equal(sections(updating('-a', '*** End of File', ' *** Delete File: c')).length, 2);
  });

  it('ignores the name of an environment, blank lines before it included', () => {
    assert.equal(sections(enveloped('', ' *** Environment ID: x', '', '*** Delete File: a')).length, 1);
    assert.equal(
      fault(enveloped('*** Delete File: a', '*** Environment ID: x')),
      'deleteWithBody 3 *** Environment ID: x',
    );
  });

  it('finds a patch inside a JSON object, by any of three names', () => {
    for (const name of ['input', 'patch', 'patchText']) {
      const text = ` ${JSON.stringify({ other: 1, [name]: enveloped('*** Delete File: a') })}`;
      assert.equal(sections(text).length, 1);
      assert.deepEqual(notes(text), ['The patch came inside a JSON object; its text was taken out.']);
    }
    assert.equal(fault('{"input": 1}'), 'noBegin 1 {"input": 1}');
    assert.equal(fault('{"input": "*** Begin'), 'noBegin 1 {"input": "*** Begin');
    assert.equal(sections(`{\n${enveloped('*** Delete File: a')}}`).length, 1);
  });

  it('says what it tolerated, each once', () => {
    assert.deepEqual(notes(updating('a', 'b', '-c')), [
      'Lines without a leading "+", "-" or space were taken as context.',
    ]);
    assert.deepEqual(notes(enveloped('*** Add File: a', '+x', '', '', '+y', '', '+z')), [
      'Empty lines without their "+" were taken as empty lines of the added file.',
    ]);
    assert.deepEqual(notes(`\uFEFF${enveloped('*** Delete File: a')}\n\n`), []);
    assert.deepEqual(notes(`sure\n${enveloped('*** Delete File: a')}`), [
      'Text around the patch was ignored: the input must be the patch alone.',
    ]);
  });

  describe('names the fault and its line', () => {
    const table: readonly (readonly [string, string])[] = [
      ['', 'noBegin 1 '],
      ['hello', 'noBegin 1 hello'],
      ['*** Begin Patch\n*** Delete File: a', 'noEnd 2 '],
      ['*** End Patch\n*** Begin Patch\n*** Delete File: a', 'noEnd 3 '],
      [`*** Begin Patch\n*** Update File: a\n-x\n *** End Patch\n+y`, 'noEnd 5 '],
      [`${enveloped('*** Delete File: a')}*** Begin Patch\n`, 'behindEnd 4 *** Begin Patch'],
      [`${enveloped('*** Delete File: a')}\n *** Update File: b\n-x`, 'behindEnd 5  *** Update File: b'],
      [enveloped('*** Begin Patch', '*** Delete File: a'), 'secondEnvelope 2 *** Begin Patch'],
      [enveloped('*** Delete File: a', ' *** End Patch'), 'secondEnvelope 3  *** End Patch'],
      [enveloped('*** Add File: a', '+x', '*** Begin Patch'), 'secondEnvelope 4 *** Begin Patch'],
      [updating('-x', '*** End Patch', '+y'), 'secondEnvelope 4 *** End Patch'],
      [enveloped(), 'noSection 2 *** End Patch'],
      [enveloped('', ''), 'noSection 4 *** End Patch'],
      [enveloped('hello'), 'outsideSection 2 hello'],
      [enveloped('*** Move File: a'), 'unknownMarker 2 *** Move File: a'],
      [enveloped('*** Move to: a'), 'misplacedMove 2 *** Move to: a'],
      [updating('-x', '***', '+y'), 'unknownMarker 4 ***'],
      [enveloped('*** Add File:  '), 'pathMissing 2 *** Add File:  '],
      [enveloped('*** Update File: a', '*** Move to:'), 'pathMissing 3 *** Move to:'],
      [updating(), 'noHunk 2 *** Update File: a.txt'],
      [updating('', ' '), 'noHunk 2 *** Update File: a.txt'],
      [updating('@@'), 'emptyHunk 3 @@'],
      [updating('-x', '@@ a', '@@ b', ''), 'emptyHunk 4 @@ a'],
      [updating('@@', '*** End of File'), 'misplacedEndOfFile 4 *** End of File'],
      [updating('*** End of File'), 'misplacedEndOfFile 3 *** End of File'],
      [updating('-x', '*** End of File', '*** End of File'), 'misplacedEndOfFile 5 *** End of File'],
      [updating('-x', '*** End of File', '+y'), 'linesAfterEndOfFile 5 +y'],
      [updating('@@ a', '', '+x'), 'blankOnlyContext 4 '],
      [updating('+x', '', '+y', ''), 'blankOnlyContext 4 '],
      [updating('+x', '', '+y', '*** End of File'), 'blankOnlyContext 4 '],
      [updating('+x', '', '+y', '@@', '-z'), 'blankOnlyContext 4 '],
      [updating('-x', '*** Move to: b'), 'misplacedMove 4 *** Move to: b'],
      [updating('*** Move to: b', '*** Move to: c'), 'misplacedMove 4 *** Move to: c'],
      [enveloped('*** Add File: a', '*** Move to: b'), 'misplacedMove 3 *** Move to: b'],
      [enveloped('*** Delete File: a', '*** Move to: b'), 'misplacedMove 3 *** Move to: b'],
      [enveloped('*** Add File: a', '+x', 'y'), 'addWithoutPlus 4 y'],
      [enveloped('*** Add File: a', ' x'), 'addWithoutPlus 3  x'],
      [enveloped('*** Delete File: a', '-x'), 'deleteWithBody 3 -x'],
      [
        `bash -lc "cd x && apply_patch <<'EOF'\n${enveloped('*** Delete File: a')}`,
        `changesDirectory 1 bash -lc "cd x && apply_patch <<'EOF'`,
      ],
    ];
    for (const [text, expected] of table) {
      it(`${expected.split(' ')[0]} in ${JSON.stringify(text)}`, () => assert.equal(fault(text), expected));
    }
  });

  it('names the file in whose section a fault lies', () => {
    const patch = parsePatch(enveloped('*** Delete File: a', '*** Add File: b', 'x'));
    assert.ok(!patch.ok && patch.error.kind === 'bad-format');
    assert.equal(patch.error.file, 'b');
  });

  it('keeps only the beginning of a very long line', () => {
    const patch = parsePatch(enveloped('x'.repeat(10_000)));
    assert.ok(!patch.ok && patch.error.kind === 'bad-format');
    assert.equal(patch.error.found.length, 161);
  });

  it('closes a padded end only before nothing, a fence or the word of a heredoc', () => {
    for (const rest of ['', '\n', '\n```', '\nEOF\n', '\n~~~\n']) {
      assert.equal(sections(`*** Begin Patch\n*** Update File: a\n-x\n *** End Patch${rest}`).length, 1);
    }
  });

  it('refuses more than two million characters', () => {
    assert.deepEqual(parsePatch('x'.repeat(maxPatchLength + 1)), {
      ok: false,
      error: { kind: 'too-large', what: 'patch' },
    });
  });
});
