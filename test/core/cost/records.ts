/** Requests as a conversation keeps them, made short. */
import type { RequestRecord, Turn } from '../../../src/core/conversation/conversation.ts';
import type { Usage } from '../../../src/core/responses/usage.ts';

export const minute = 60_000;

export function usage(input: number, more: Partial<Usage> = {}): Usage {
  return { input, cached: 0, cacheWrite: 0, output: 0, reasoning: 0, ...more };
}

/** Sent at 0 and ended one second later unless said otherwise. */
export function record(more: Partial<RequestRecord> = {}): RequestRecord {
  return {
    round: 0,
    model: 'kimi-k3.1-pro',
    effort: 'max',
    sentAt: 0,
    endedAt: (more.sentAt ?? 0) + 1000,
    beginning: { kind: 'grown' },
    ...more,
  };
}

export function running(more: Partial<RequestRecord> = {}): RequestRecord {
  const { endedAt: _, ...rest } = record(more);
  return rest;
}

export function turn(requests: readonly RequestRecord[]): Turn {
  return {
    id: 'turn',
    question: { text: 'Why?', attachments: [] },
    model: 'kimi-k3.1-pro',
    effort: 'max',
    startedAt: 0,
    parts: [],
    requests,
  };
}
