import assert from 'node:assert/strict';

import { shortTitle, titleOf } from '../../../src/host/sessions/conversationTitle.ts';

describe('the title of a conversation', () => {
  it('names each by the first line of its question, as text', () => {
    assert.equal(titleOf('\n  Why is this wrong?\r\nlet a;'), 'Why is this wrong?');
    assert.equal(titleOf('What does $(sync~spin) do?'), 'What does \\$(sync~spin) do?');
    assert.equal(titleOf(''), '');
  });

  it('cuts long ones between characters as people count them', () => {
    assert.equal(titleOf('x'.repeat(100)), 'x'.repeat(100));
    assert.equal(titleOf('x'.repeat(101)), `${'x'.repeat(100)}…`);
    assert.equal(titleOf('👨‍👩‍👧‍👦'.repeat(150)), `${'👨‍👩‍👧‍👦'.repeat(100)}…`);
    assert.equal(titleOf('x'.repeat(5_000_000)).length, 101);
  });

  it('names what would be drawn as nothing or turn the direction of text', () => {
    assert.equal(titleOf('a\u202Eb\u0007c'), 'a‹U+202E›b‹U+0007›c');
    assert.equal(shortTitle('👨‍👩‍👧‍👦 می‌خواهم $(x)\u2028more'), '👨‍👩‍👧‍👦 می‌خواهم $(x)');
  });
});
