/** Joins what a burst of events says into fewer, equal ones, so that a post to the panel carries text and not bookkeeping. */
import type { ShownEvent } from '../core/conversation/turnEvent.ts';

/**
 * Neighbouring text for the same section becomes one event; of neighbouring progress only the last is kept. Folding the result
 * gives the same conversation as folding the input. The order of everything else is untouched.
 */
export function joinEvents(events: readonly ShownEvent[]): ShownEvent[] {
  const joined: ShownEvent[] = [];
  let pieces: string[] = [];
  const flush = (): void => {
    const last = joined.at(-1);
    if (
      pieces.length > 1 &&
      last !== undefined &&
      (last.kind === 'textAdded' || last.kind === 'toolInputAdded')
    ) {
      joined[joined.length - 1] = { ...last, text: pieces.join('') };
    }
    pieces = [];
  };
  for (const event of events) {
    const last = joined.at(-1);
    if (last !== undefined && continues(last, event)) {
      pieces.push(event.text);
      continue;
    }
    flush();
    if (last !== undefined && supersedes(event, last)) joined[joined.length - 1] = event;
    else joined.push(event);
    if (event.kind === 'textAdded' || event.kind === 'toolInputAdded') pieces = [event.text];
  }
  flush();
  return joined;
}

type TextEvent = Extract<ShownEvent, { kind: 'textAdded' | 'toolInputAdded' }>;

function continues(last: ShownEvent, event: ShownEvent): event is TextEvent {
  if (last.kind === 'textAdded' && event.kind === 'textAdded') {
    return last.turn === event.turn && last.part === event.part && last.section === event.section;
  }
  return (
    last.kind === 'toolInputAdded' &&
    event.kind === 'toolInputAdded' &&
    last.turn === event.turn &&
    last.part === event.part
  );
}

function supersedes(event: ShownEvent, last: ShownEvent): boolean {
  return (
    event.kind === 'toolProgressed' &&
    last.kind === 'toolProgressed' &&
    last.turn === event.turn &&
    last.part === event.part
  );
}
