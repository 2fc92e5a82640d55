/** Which way blocks run that hold others: their marks, their columns and the side on which they are open follow it. */
import assert from 'node:assert/strict';
import { advance, noBlocks } from '../../src/webview/markdown/blocks.ts';
import { directionOf } from '../../src/webview/markdown/direction.ts';

describe('the direction of a block', () => {
  const cases: readonly (readonly [text: string, direction: string | undefined])[] = [
    ['> اقتباس', 'rtl'],
    ['> quoted', 'ltr'],
    // Whatever stands in it.
    ['> - عنصر', 'rtl'],
    ['> # שלום', 'rtl'],
    ['- عنصر\n\n- English', 'rtl'],
    ['1. English\n2. عنصر', 'ltr'],
    ['| عمود | b |\n|---|---|\n| a | b |', 'rtl'],
    // A number has no direction, and what is always from left to right decides nothing.
    ['- 12: שלום', 'rtl'],
    ['- `code` שלום', 'rtl'],
    ['> ```ts\n> let a;\n> ```\n> عربي', 'rtl'],
    ['- <b>שלום</b>', 'rtl'],
    ['- &amp; שלום', 'rtl'],
    ['> **[عربي](https://example.com)**', 'rtl'],
    ['- ![صورة](https://example.com/a.png) a', 'rtl'],
    ['> 12 + 30', undefined],
    ['> `code`', undefined],
  ];
  for (const [text, direction] of cases) {
    it(`is ${direction ?? 'left open'} for ${JSON.stringify(text)}`, () => {
      const { settled, tail } = advance(noBlocks, text, true);
      const [block] = [...settled.flat(), ...tail];
      assert.ok(block);
      assert.equal(directionOf(block.token), direction);
    });
  }
});
