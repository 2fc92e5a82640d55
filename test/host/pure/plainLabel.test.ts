/** What others wrote, in a list that draws icons. */
import assert from 'node:assert/strict';

import { plainLabel } from '../../../src/host/plainLabel.ts';

describe('A label', () => {
  it('shows no icon that it names', () => {
    assert.equal(plainLabel('$(trash) echo $(sync~spin)'), String.raw`\$(trash) echo \$(sync~spin)`);
    // One backslash of two is shown.
    assert.equal(plainLabel(String.raw`\$(trash)`), String.raw`\\$(trash)`);
  });

  it('is left as it is where no icon would be drawn', () => {
    for (const text of ['echo $(cat a.txt)', 'cost: $(', '$HOME $()', '(trash)', ''])
      assert.equal(plainLabel(text), text);
  });
});
