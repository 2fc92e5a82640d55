/** Names and texts that are not what they look like, and the many of other scripts that are. */
import assert from 'node:assert/strict';
import { hiddenIn, isOfGit, looksLikeAnother, misleads } from '../../src/core/misleadingNames.ts';

describe('a misleading name', () => {
  const bad = [
    ['a line break', 'a\nb'],
    ['a control of the second set', 'a\u0085b'],
    ['a turn of direction', 'invoice\u202Efdp.exe'],
    ['an isolate', 'a\u2066b\u2069'],
    ['a mark of direction', 'a\u200Eb'],
    ['an Arabic mark', 'a\u061Cb'],
    ['no width', 'src/ad\u200Bmin.ts'],
    ['a byte order mark', '\uFEFFa.ts'],
    ['a soft hyphen', 'pass\u00ADwd'],
    ['a filler', 'a\u3164'],
    ['tags', 'a\u{E0061}\u{E0062}.ts'],
    ['a variation selector for data', 'a\u{E0101}'],
    ['half a character', 'a\uD83D.ts'],
    ['a joiner in Latin', 'ad\u200Dmin.ts'],
    ['a joiner at the end', 'می\u200C'],
  ] as const;
  for (const [what, name] of bad) it(`has ${what}`, () => assert.equal(misleads(name), true));

  const good = [
    'a b.ts',
    'café.md',
    'cafe\u0301.md',
    '說明／用法.md',
    'می\u200Cخواهم.txt',
    '👨\u200D👩\u200D👧.png',
    '❤\uFE0F.md',
    '설명.md',
  ];
  for (const name of good)
    it(`is not ${name}`, () => assert.deepEqual([misleads(name), looksLikeAnother(name)], [false, false]));
});

describe('the folder of a repository', () => {
  it('is known in all its spellings', () => {
    for (const name of ['.git', '.GIT', '.Git.', '.git ', '.g\u200Cit', '\uFEFF.git'])
      assert.equal(isOfGit(name, { shortNames: false }), true, name);
    for (const name of ['GIT~1', 'git~12.']) {
      assert.equal(isOfGit(name, { shortNames: true }), true, name);
      assert.equal(isOfGit(name, { shortNames: false }), false, name);
    }
    for (const name of ['.gitignore', '.github', 'git', 'a.git'])
      assert.equal(isOfGit(name, { shortNames: true }), false, name);
  });

  it('is known where it is only drawn, and so is a way out', () => {
    const drawn = [
      '.ɡit',
      '.gіt',
      '.ｇｉｔ',
      '․git',
      '.gıt',
      '.giτ',
      '‥',
      '．．',
      '․․',
      '..∕secret',
      'a∕..∕b',
      '．．＼b',
      'x∖.gіt',
    ];
    for (const name of drawn) assert.equal(looksLikeAnother(name), true, name);
    const other = ['.git', '..', 'a..b', '…', '...', '入力／出力', 'наука', 'git', '.gitа', 'a．b'];
    for (const name of other) assert.equal(looksLikeAnother(name), false, name);
  });
});

describe('hidden signs in a text', () => {
  it('are found in the lines that are new', () => {
    assert.equal(hiddenIn('plain\ntext\t\r\n', ''), undefined);
    assert.deepEqual(hiddenIn('one\nif (a\u202E) {\n', 'one\n'), { line: 2, codePoint: 0x202e });
    assert.equal(hiddenIn('one\nif (a\u202E) {\nmore\n', 'if (a\u202E) {\n'), undefined);
    for (const end of ['\u0085', '\u2028', '\u2029'])
      assert.deepEqual(hiddenIn(`// plain${end}run()`, ''), { line: 1, codePoint: end.codePointAt(0) });
    assert.deepEqual(hiddenIn('a\u{E0041}b', ''), { line: 1, codePoint: 0xe0041 });
    assert.deepEqual(hiddenIn('a\u200Bb', ''), { line: 1, codePoint: 0x200b });
    assert.deepEqual(hiddenIn('red \u001B[31m', ''), { line: 1, codePoint: 0x1b });
  });

  it('are not those that scripts are written with, nor a mark at the beginning', () => {
    for (const text of [
      '\uFEFFa',
      'ភាសា\u200Bខ្មែរ',
      'می\u200Cخواهم',
      'שלום\u200F',
      '👨\u200D👩',
      'soft\u00ADhyphen',
      '\f',
    ])
      assert.equal(hiddenIn(text, ''), undefined, JSON.stringify(text));
    assert.deepEqual(hiddenIn('\uFEFFa\uFEFFb', ''), { line: 1, codePoint: 0xfeff });
  });
});
