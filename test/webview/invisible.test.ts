/** Nothing that can make a text read as something else may stay invisible. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { prosePieces, visiblePieces, visibleText } from '../../src/webview/invisible.ts';

const seed = Number(process.env['FC_SEED'] ?? Date.now());

describe('invisible characters', () => {
  it('leaves ordinary text in one piece', () => {
    for (const text of [
      '',
      'const a = 1;\n\tb();\n',
      'Grüße, 日本語, 한국어, العربية',
      '👩‍👩‍👧 ❤️ 👍🏽',
      'e\u0301',
      'نمی‌خواهم',
      'क्‍ष',
    ]) {
      assert.deepEqual(visiblePieces(text), [{ kind: 'plain', text }]);
    }
  });

  it('names in prose what turns its direction, and leaves alone what scripts are written with', () => {
    const hidden = (text: string): readonly string[] =>
      prosePieces(text).flatMap((piece) => (piece.kind === 'hidden' ? [piece.label] : []));
    assert.deepEqual(hidden('pay \u202e001 \u202cnow \u2066x\u2069'), [
      'U+202E',
      'U+202C',
      'U+2066',
      'U+2069',
    ]);
    for (const text of ['', 'نمی\u200cخواهم', 'a\u200fb', '👩‍👩‍👧 soft\u00adhyphen', 'عربي (abc) 1'])
      assert.deepEqual(prosePieces(text), [{ kind: 'plain', text }]);
  });

  const bad: Record<string, string> = {
    'right-to-left override': '\u202e',
    'left-to-right isolate': '\u2066',
    'pop directional isolate': '\u2069',
    'right-to-left mark': '\u200f',
    'Arabic letter mark': '\u061c',
    'zero width space': '\u200b',
    'word joiner': '\u2060',
    'invisible times': '\u2062',
    'byte order mark': '\ufeff',
    'soft hyphen': '\u00ad',
    'Hangul filler': '\u3164',
    'half-width Hangul filler': '\uffa0',
    'line separator': '\u2028',
    null: '\0',
    escape: '\x1b',
    'carriage return': '\r',
    'tag letter': '\u{e0041}',
    'variation selector 17': '\u{e0100}',
  };
  for (const [name, character] of Object.entries(bad)) {
    it(`names the ${name}`, () => {
      const [before, hidden, after] = visiblePieces(`a${character}b`);
      assert.deepEqual(before, { kind: 'plain', text: 'a' });
      assert.equal(hidden?.kind, 'hidden');
      assert.match(hidden.label, /^U\+[0-9A-F]{4,5}$/);
      assert.equal(Number.parseInt(hidden.label.slice(2), 16), character.codePointAt(0));
      assert.deepEqual(after, { kind: 'plain', text: 'b' });
    });
  }

  it('names joiners between letters that need none', () => {
    assert.equal(visibleText('pass\u200dword'), 'pass‹U+200D›word');
    assert.equal(visibleText('\u200cx'), '‹U+200C›x');
  });

  it('never loses or adds a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.equal(
          visiblePieces(text)
            .map((piece) => piece.text)
            .join(''),
          text,
        );
      }),
      { seed },
    );
  });

  it('leaves no bidirectional control in what it shows as plain', () => {
    const pieces = fc.constantFrom(
      'a',
      ' ',
      '\u202a',
      '\u202e',
      '\u2066',
      '\u2069',
      '\u200e',
      '😀',
      '\u200d',
      'ا',
    );
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        for (const piece of visiblePieces(parts.join(''))) {
          if (piece.kind === 'plain')
            assert.doesNotMatch(piece.text, /[\u202a-\u202e\u2066-\u2069\u200e\u200f]/);
        }
      }),
      { seed },
    );
  });
});
