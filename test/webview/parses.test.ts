/** How much of an answer is parsed for a piece of it, counted where the lexer starts. */
import assert from 'node:assert/strict';
import { Lexer } from 'marked';
import { advance, noBlocks } from '../../src/webview/markdown/blocks.ts';
import { markdown } from '../support/longConversations.ts';

describe('the parsing of an answer that arrives', () => {
  const { lex } = Lexer.prototype;
  let calls = 0;
  let characters = 0;
  before(() => {
    Lexer.prototype.lex = function counted(this: Lexer, source: string) {
      calls += 1;
      characters += source.length;
      return lex.call(this, source);
    };
  });
  after(() => {
    Lexer.prototype.lex = lex;
  });

  /** A piece, on average, after so much of an answer. */
  function perPiece(size: number): { calls: number; characters: number } {
    let text = markdown(size);
    let blocks = advance(noBlocks, text, false);
    calls = 0;
    characters = 0;
    const more = markdown(6_000);
    const pieces = 200;
    for (let piece = 0; piece < pieces; piece += 1) {
      text += more.slice(piece * 27, (piece + 1) * 27);
      blocks = advance(blocks, text, false);
    }
    return { calls: calls / pieces, characters: characters / pieces };
  }

  it('costs as much after 1 MB as after 10 KB', () => {
    const small = perPiece(10_000);
    const large = perPiece(1_000_000);
    assert.ok(small.calls > 0.2 && small.calls <= 2, `${small.calls} parses a piece`);
    assert.ok(large.calls <= small.calls * 1.3, `${large.calls} parses a piece, ${small.calls} before`);
    assert.ok(
      large.characters <= small.characters * 1.3,
      `${large.characters} characters a piece, ${small.characters} before`,
    );
    assert.ok(large.characters < 2_000, `${large.characters} characters a piece`);
  });
});
