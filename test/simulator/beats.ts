/** The steps of a stream, and how what a script says becomes one. */
import type { Break, Emit, Ending, Gate } from './script.ts';
import type { SentEvent, StreamEvent } from './wire.ts';

/** One step of a stream. `tokens` is what an event costs in output, for pacing. */
export type Beat =
  | { readonly kind: 'event'; readonly event: SentEvent; readonly tokens: number }
  | { readonly kind: 'rawFrame'; readonly text: string }
  | Gate
  | Break;

export function sent(event: StreamEvent): SentEvent {
  return { ...event };
}

export function event(event: StreamEvent): Beat {
  return { kind: 'event', event: sent(event), tokens: 0 };
}

export function* events(list: readonly StreamEvent[]): Generator<Beat, void, void> {
  for (const each of list) yield event(each);
}

export function emitted(emit: Emit): Beat {
  return emit.kind === 'rawFrame' ? emit : { kind: 'event', event: emit.event, tokens: 0 };
}

export function isEnding(step: { readonly kind: string }): step is Ending {
  return ['completed', 'incomplete', 'failed', 'error'].includes(step.kind);
}

export function isBreak(step: { readonly kind: string }): step is Break {
  return ['silence', 'endEarly', 'cutSocket'].includes(step.kind);
}

export function isEmit(step: { readonly kind: string }): step is Emit {
  return step.kind === 'event' || step.kind === 'rawFrame';
}
