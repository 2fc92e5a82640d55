/** A field keeps what was typed until that is drawn. */
import assert from 'node:assert/strict';

import { TypedText } from '../../src/webview/typedText.ts';

describe('what is typed between two drawings', () => {
  it('stays in the field until another text is to be drawn', () => {
    const field = new TypedText();
    assert.equal(field.shown(''), '');
    field.typed('a', '');
    field.typed('ab', '');
    assert.equal(field.shown(''), 'ab', 'drawn for another reason');
    assert.equal(field.shown('ab'), 'ab');
    assert.equal(field.shown('from the host'), 'from the host');
  });

  it('leaves the field once it was drawn, when the text from before is meant again', () => {
    const field = new TypedText();
    field.typed('hello', '');
    assert.equal(field.shown('hello'), 'hello');
    assert.equal(field.shown(''), '', 'it was sent');
  });

  it('leaves the field when it was sent before it was drawn', () => {
    const field = new TypedText();
    field.typed('hello', '');
    field.forget();
    assert.equal(field.shown(''), '');
  });
});
