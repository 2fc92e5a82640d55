/** What a person would have read in a terminal, from what a program wrote to it. */
import assert from 'node:assert/strict';

import fc from 'fast-check';

import { TerminalText, type TerminalTextLimits } from '../../../src/core/tools/terminalText.ts';

const esc = '\u001b';

function read(data: string, limits?: TerminalTextLimits): string {
  const text = new TerminalText(limits);
  text.feed(data);
  return text.text();
}

/** In one piece and in pieces of one character: where the data is cut must not matter. */
function same(data: string, wanted: string): void {
  assert.equal(read(data), wanted);
  const pieces = new TerminalText();
  for (let at = 0; at < data.length; at += 1) pieces.feed(data.charAt(at));
  assert.equal(pieces.text(), wanted);
}

describe('the text of a terminal', () => {
  it('is what was written, line by line, without what can not be seen', () => {
    same('one\r\ntwo\n\n  three  \r\n\r\n', 'one\ntwo\n\n  three');
    same('', '');
    same('a\u0007b\u0000c\u007fd\u0084e', 'abcde');
    same('a\vb\fc\u0085d', 'a\nb\nc\nd');
    same('tab\there', 'tab\there');
  });

  it('has no colours, titles or links in it', () => {
    same(`${esc}[1;31mred${esc}[0m and ${esc}[38:2::1:2:3mblue${esc}[m`, 'red and blue');
    same(`${esc}]0;a title\u0007text${esc}]8;;https://x.org${esc}\\link${esc}]8;;${esc}\\`, 'textlink');
    same(`${esc}Pdata${esc}\\a\u009b31mb\u009dtitle\u009cc\u0090x\u009cd`, 'abcd');
    same(`${esc}(Ba${esc}7b${esc}=c`, 'abc');
    same(`${esc}]title without an end ${esc}[31mred`, 'red');
    same(`a${esc}`, 'a');
    same(`${esc}\nb`, '\nb');
  });

  it('tells what was written over once', () => {
    same('10%\r50%\rdone\n', 'done');
    same('loading...\rok\n', 'okading...');
    same(`loading...\r${esc}[Kok\n`, 'ok');
    same(`abc\b\bX\n`, 'aXc');
    same(`abc${esc}[2Kd`, '   d');
    same(`abcdef${esc}[3D${esc}[1Kx`, '   xef');
    same(`abc${esc}[1Gx${esc}[1Cy`, 'xby');
    same(`abcdef\r${esc}[2Xx`, 'x cdef');
    same(`ab\r${esc}[9Xx`, 'x');
  });

  it('follows the cursor up and down, as far as lines can still be written over', () => {
    same(`one\ntwo\n${esc}[2Anew\n`, 'new\ntwo');
    same(`one\ntwo\n${esc}[2A${esc}[Jnew\n`, 'new');
    same(`one\ntwo${esc}[Fx${esc}[Ey`, 'xne\nywo');
    same(`one\ntwo${esc}[A${esc}[9Bx`, 'one\ntwox');
    same(`one${esc}[99A${esc}[99Dx`, 'xne');
    same(`one${esc}[2Jtwo`, 'onetwo');
    same(`one${esc}[Htwo${esc}[5;1fthree`, 'one\ntwo\nthree');
    same(`${esc}[Hone`, 'one');
  });

  it('takes what is no sequence for none', () => {
    same(`${esc}[31\nmx`, '\nx');
    same(`${esc}[${esc}[31mx`, 'x');
    same(`${esc}[${'1;'.repeat(200)}mx`, 'x');
    same(`${esc}[99999999Cx`, `${' '.repeat(1_000)}x`);
    same(`${esc}[zx`, 'x');
  });

  it('keeps the beginning and the end of a long output, and says what is left out', () => {
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n');
    const text = read(lines, { head: 20, tail: 30, line: 100 });
    assert.equal(
      text,
      'line 0\nline 1\n[495 lines with 4,349 characters left out here]\nline 497\nline 498\nline 499',
    );
  });

  it('cuts a long line, and says how much more it had', () => {
    const limits = { head: 50, tail: 30, line: 5 };
    assert.equal(read('1234567\n12\n', limits), '12345… [2 more characters in this line]\n12');
    assert.equal(read('12345\n', limits), '12345');
    const cut = new TerminalText(limits);
    for (const piece of ['123', '456', '789']) cut.feed(piece);
    assert.equal(cut.text(), '12345… [4 more characters in this line]');
    // It is the last one, and stays even where it is longer than its room.
    assert.match(read(`a\n${'b'.repeat(200)}`, { head: 1, tail: 10, line: 100 }), /b{100}…/);
  });

  it('has no half characters in it', () => {
    same('😀\b\u001b[Kx', '\uFFFDx');
    same('a😀', 'a😀');
  });

  it('may be asked in between, and goes on', () => {
    const text = new TerminalText();
    text.feed('one\ntw');
    assert.equal(text.text(), 'one\ntw');
    text.feed('o\n');
    assert.equal(text.text(), 'one\ntwo');
  });

  it('takes many short lines, of which the end has room for many', () => {
    const lines = 100_000;
    const text = new TerminalText();
    for (let line = 0; line < lines; line += 1_000) text.feed('y\n'.repeat(1_000));
    const cut = /\[([\d,]+) lines with /.exec(text.text());
    const left = text.text().match(/^y$/gm)?.length ?? 0;
    assert.equal(left + Number(cut?.[1]?.replaceAll(',', '')), lines);
    assert.equal(text.text().length > 29_000, true);
  });

  it('stays within its limits and has no control characters, whatever comes and wherever it is cut', () => {
    const seed = Number(process.env['FC_SEED'] ?? Date.now());
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom(
        '\r',
        '\n',
        '\b',
        `${esc}[A`,
        `${esc}[2J`,
        `${esc}[K`,
        `${esc}]`,
        `${esc}[H`,
        `${esc}\\`,
      ),
      fc.integer({ min: 0, max: 2_000 }).map((steps) => `${esc}[${steps}C`),
    );
    const limits = { head: 100, tail: 200, line: 50 };
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        const cut = new TerminalText(limits);
        for (const each of pieces) cut.feed(each);
        const text = cut.text();
        assert.equal(text, read(pieces.join(''), limits));
        assert.doesNotMatch(text, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Cs}/u);
        assert.ok(text.length < 600, `${text.length}`);
      }),
      { seed, numRuns: 300 },
    );
  });
});
