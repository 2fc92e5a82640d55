/** Which key selects all that stands in a field. */
import assert from 'node:assert/strict';

import { isSelectAllKey } from '../../src/webview/selectAllKey.ts';

describe('the key that selects all', () => {
  const key = {
    ...{ key: 'a', ctrlKey: true, metaKey: false, altKey: false, shiftKey: false, isComposing: false },
  };
  it('is Ctrl+A, and ⌘A on a Mac, by what it writes', () => {
    assert.equal(isSelectAllKey(key, false), true);
    assert.equal(isSelectAllKey({ ...key, key: 'A' }, false), true);
    assert.equal(isSelectAllKey(key, true), false);
    assert.equal(isSelectAllKey({ ...key, ctrlKey: false, metaKey: true }, true), true);
    for (const more of [
      { key: 'b' },
      { ctrlKey: false },
      { metaKey: true },
      { altKey: true },
      { shiftKey: true },
      { isComposing: true },
    ])
      assert.equal(isSelectAllKey({ ...key, ...more }, false), false, JSON.stringify(more));
  });
});
