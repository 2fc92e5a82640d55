/** Turns with nothing but these parts. */
import type { Part, Turn } from '../../src/core/conversation/conversation.ts';

export function openTurn(parts: readonly Part[]): Turn {
  return {
    ...{ id: 't', question: { text: '', attachments: [] }, model: 'kimi-k3', effort: 'max' },
    ...{ startedAt: 0, parts, requests: [] },
  };
}

export function turnOf(parts: readonly Part[]): Turn {
  return { ...openTurn(parts), end: { kind: 'completed' } };
}
