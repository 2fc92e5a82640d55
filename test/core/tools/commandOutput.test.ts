import assert from 'node:assert/strict';

import { CommandOutput } from '../../../src/core/tools/commandOutput.ts';

const begin = '\u001b]633;C\u0007';
const line = "printf 'a\\n'; sleep 1";

function output(...pieces: readonly string[]): string {
  return told(pieces).text();
}

function told(pieces: readonly string[]): CommandOutput {
  const all = new CommandOutput(line);
  for (const piece of pieces) all.feed(piece);
  return all;
}

describe('the output of a command', () => {
  it('is what follows where it begins, with the typed line in front or without it', () => {
    assert.equal(output(`${begin}one\r\ntwo\r\n`), 'one\ntwo');
    assert.equal(output(begin, 'one\r\n', 'two\r\n'), 'one\ntwo');
    assert.equal(output(`$ ${line}\r\n\u001b]633;E;${line};id\u0007${begin}one\r\n`), 'one');
    assert.equal(output('\u001b]133;C;\u0007one\r\n'), 'one');
    assert.equal(output('\u001b]133;C\u001b\\one\r\n'), 'one');
  });

  it('leaves out the typed line in pieces, and where the terminal wrapped it', () => {
    assert.equal(output("printf 'a", "\\n'; sle", '\r\nep 1\r\n', `${begin}one\r\n`), 'one');
  });

  it('leaves out what was called off before, and what a slow shell let the terminal show meanwhile', () => {
    assert.equal(output(begin, `${line}\r\n`, '', `${begin}one\r\n`), 'one');
    assert.equal(output(begin, `${begin}one\r\n`), 'one');
    assert.equal(
      output(
        begin,
        `${line}\r\n\u001b]633;D\u0007\u001b]633;A\u0007~$ \u001b]633;B\u0007${line}\r\n`,
        `${begin}one`,
      ),
      'one',
    );
  });

  it('is known to begin again only before there is any', () => {
    assert.equal(told([begin]).begins, 1);
    assert.equal(told([begin, `${line}\r\n`, begin]).begins, 2);
    const late = told([begin, 'one\r\n', `${begin}two\r\n`]);
    assert.equal(late.begins, 1);
    assert.equal(late.text(), 'one\ntwo');
    assert.equal(output(`${begin}one\r\n${begin}two\r\n`), 'one\ntwo');
  });

  it('ends where the shell tells its end, and knows how it ended', () => {
    const all = told([begin, 'one\r\n', '\u001b]633;D;3\u0007', '\u001b]633;A\u0007~$ ', 'more']);
    assert.equal(all.text(), 'one');
    assert.equal(all.exitCode, 3);
    const quiet = told([begin, '\u001b]133;D\u001b\\~$ ']);
    assert.equal(quiet.text(), '');
    assert.equal(quiet.exitCode, undefined);
  });

  it('has nothing of how zsh begins a line for its prompt', () => {
    const mark = '\u001b[1m\u001b[7m%\u001b[27m\u001b[1m\u001b[0m';
    const fill = (width: number): string => `${' '.repeat(80 - width)}\r${' '.repeat(width)}\r`;
    assert.equal(output(begin, `abc${mark}${fill(1)}`), 'abc');
    assert.equal(output(begin, 'abc', mark, fill(1).slice(0, 40), fill(1).slice(40)), 'abc');
    assert.equal(output(begin, `one\r\n${mark}${fill(1)}`), 'one');
    assert.equal(output(begin, `${mark}${fill(1)}`), '');
    assert.equal(output(begin, `abc⏎⏎${fill(2)}`), 'abc');
    assert.equal(output(begin, `abc${fill(0)}`), 'abc');
    assert.equal(output(begin, `50%${' '.repeat(20)}\rdone`), 'done');
    const long = 'x'.repeat(3_000);
    assert.equal(output(begin, `${long}${mark}${fill(1)}`), long);
  });

  it('is all there where it begins as the typed line does, or is nothing else', () => {
    assert.equal(output(begin, "printf 'a"), "printf 'a");
    assert.equal(output(begin, `${line}\r\n`, 'one\r\n'), `${line}\none`);
    const long = 'x'.repeat(3_000);
    assert.equal(
      output(begin, `${line}\r\n`, ...Array.from({ length: 4 }, () => `${long}\r\n`)).length,
      12_025,
    );
    assert.equal(output(), '');
    assert.equal(output(begin), '');
  });
});
