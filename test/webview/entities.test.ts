/** Character references are read once, and nothing else is. */
import assert from 'node:assert/strict';
import { decodeEntities } from '../../src/webview/markdown/entities.ts';

describe('character references', () => {
  it('reads names and numbers', () => {
    assert.equal(decodeEntities('a &lt; b &amp;&amp; c &gt; d'), 'a < b && c > d');
    assert.equal(decodeEntities('&copy; &hellip; &#8212; &#x2014; &#X1F600;'), '© … — — 😀');
  });

  it('reads each once', () => assert.equal(decodeEntities('&amp;lt;'), '&lt;'));

  it('leaves what is no reference', () => {
    for (const text of ['AT&T', '&unknown;', '&lt', '& lt;', '&#;', '&#x;', '&toString;', '&constructor;']) {
      assert.equal(decodeEntities(text), text);
    }
  });

  it('replaces what is no character', () => {
    assert.equal(decodeEntities('&#0;&#xD800;&#x110000;'), '\ufffd\ufffd\ufffd');
  });
});
