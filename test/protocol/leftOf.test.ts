/** What stays in the composer of a question that was taken. */
import assert from 'node:assert/strict';

import { leftOf } from '../../src/protocol/leftOf.ts';

describe('a question that was taken', () => {
  const rows: readonly (readonly [draft: string, question: string, left: string])[] = [
    ['Why?', 'Why?', ''],
    [' Why?\n', 'Why?', ''],
    ['', 'Why?', ''],
    ['Why?And now', 'Why?', 'And now'],
    ['Why?\nAnd now', 'Why?\n', 'And now'],
    ['What?', 'Why?', 'What?'],
    ['So: Why?', 'Why?', 'So: Why?'],
    ['half \ud83d', 'half \ufffd', ''],
    ['half \ud83d and \ud83d', 'half \ufffd', ' and \ud83d'],
  ];
  for (const [draft, question, left] of rows) {
    it(`leaves ${JSON.stringify(left)} of ${JSON.stringify(draft)}`, () => {
      assert.equal(leftOf(draft, question), left);
    });
  }
});
