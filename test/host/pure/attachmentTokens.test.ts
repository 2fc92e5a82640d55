import assert from 'node:assert/strict';

import { attachmentTokens, weighed } from '../../../src/host/context/attachmentTokens.ts';
import type { Attachment } from '../../../src/core/conversation/userMessage.ts';

const attachment: Attachment = {
  ...{ id: '1', kind: 'file', path: 'a.ts', uri: 'file:///a.ts', languageId: 'typescript' },
  text: 'const a = 1;\n',
};

describe('the tokens of an attachment', () => {
  it('grow with its text, and count what is written around it', () => {
    const few = attachmentTokens({ ...attachment, text: '' });
    assert.ok(few > 0);
    const many = attachmentTokens({ ...attachment, text: 'word '.repeat(1_000) });
    assert.ok(many > few + 900 && many < few + 1_100, `${many}`);
  });

  it('are those of an image, however long its bytes are', () => {
    const image = { ...attachment, kind: 'image' as const, text: '', image: 'data:image/png;base64,AAAA' };
    assert.equal(
      attachmentTokens(image),
      attachmentTokens({ ...image, image: `data:image/png;base64,${'A'.repeat(100_000)}` }),
    );
  });

  it('stay as they were reckoned when it was attached', () => {
    assert.equal(weighed(attachment).tokens, attachmentTokens(attachment));
    const told = { ...attachment, tokens: 7 };
    assert.equal(weighed(told), told);
  });
});
