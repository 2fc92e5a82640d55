/** From an event to the text of its frame. */
import type { SentEvent } from './wire.ts';

/** `event:` line, `data:` line, blank line. */
export function frameOf(event: SentEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
