import assert from 'node:assert/strict';

import { instructions } from '../../../src/core/conversation/instructions.ts';

describe('instructions', () => {
  it('tells how to patch only when patches are possible', () => {
    assert.match(instructions({ folders: ['shop'], canPatch: true, canRead: false }), /call apply_patch/);
    assert.doesNotMatch(instructions({ folders: ['shop'], canPatch: false, canRead: false }), /apply_patch/);
  });

  it('names the folders, quoted, whatever their names hold', () => {
    assert.match(instructions({ folders: ['a"b\nc'], canPatch: true, canRead: false }), /"a\\"b\\nc"/);
    assert.match(
      instructions({ folders: ['a', 'b'], canPatch: true, canRead: false }),
      /several folders: "a", "b"/,
    );
    assert.match(instructions({ folders: [], canPatch: false, canRead: false }), /No folder is open/);
  });

  it('sends the model looking only where it can look', () => {
    assert.match(
      instructions({ folders: ['shop'], canPatch: true, canRead: true }),
      /Look for yourself in the workspace before you ask/,
    );
    assert.match(instructions({ folders: ['shop'], canPatch: true, canRead: false }), /ask for it by path/);
  });

  it('promises of the review only what holds in every mode', () => {
    const text = instructions({ folders: ['shop'], canPatch: true, canRead: false });
    assert.match(text, /reviews each change, before it is written or, where they chose so, right after it/);
    assert.match(text, /accept, amend, reject or take it back/);
  });

  it('is the same text for the same facts, so that the start of a body does not change', () => {
    const facts = { folders: ['a', 'b'], canPatch: true, canRead: false };
    assert.equal(instructions(facts), instructions({ ...facts }));
  });
});
