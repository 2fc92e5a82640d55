import assert from 'node:assert/strict';

import type { AttachmentSummary } from '../../../src/core/conversation/conversation.ts';
import { askedWith } from '../../../src/host/sessions/askedWith.ts';

const prompt = (asks?: AttachmentSummary['asks']): AttachmentSummary => ({
  id: 'p',
  kind: 'prompt',
  path: '/p',
  uri: 'u',
  languageId: 'markdown',
  ...(asks !== undefined && { asks }),
});

describe('what a question is asked with', () => {
  const choice = { model: 'kimi-k3.1-pro', effort: 'high', maxOutputTokens: 5 } as const;

  it('is what the settings say, but for what its prompt wants', () => {
    assert.deepEqual(askedWith(choice, []), choice);
    assert.deepEqual(askedWith(choice, [prompt()]), choice);
    assert.deepEqual(askedWith(choice, [prompt({ effort: 'low' })]), { ...choice, effort: 'low' });
    const other = askedWith(choice, [prompt({ model: 'kimi-k3', effort: 'low' }), prompt()]);
    assert.deepEqual([other.model, other.maxOutputTokens], ['kimi-k3', 5]);
    assert.ok(['low', 'max'].includes(other.effort), other.effort);
  });
});
