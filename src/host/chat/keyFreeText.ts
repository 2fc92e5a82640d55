/**
 * Takes keys out of what a turn tells of texts, however the pieces are cut in which a server repeats one: what it says is shown and kept
 * while it comes. Knows no panel and no storage.
 */
import type { TurnEvent } from '../../core/conversation/turnEvent.ts';
import { KeyFilter, withoutKeys } from '../keyFilter.ts';

type TextAdded = Extract<TurnEvent, { readonly kind: 'textAdded' }>;

/** A section of which text may still come. */
interface Open {
  readonly last: TextAdded;
  readonly filters: readonly KeyFilter[];
}

/**
 * The same events in the same order. What may be the beginning of a key is held back until more of its section comes, or the next event
 * that is about its part or about none.
 * @param keys asked anew for each section
 */
export async function* keyFreeText(
  events: AsyncIterable<TurnEvent>,
  keys: () => Iterable<string>,
): AsyncGenerator<TurnEvent, void, undefined> {
  const open = new Map<string, Open>();
  for await (const event of events) {
    if (event.kind === 'textAdded') {
      const name = `${event.part} ${event.section}`;
      const filters = open.get(name)?.filters ?? Array.from(keys(), (key) => new KeyFilter(key));
      open.set(name, { last: event, filters });
      const text = filters.reduce((before, filter) => filter.feed(before), event.text);
      if (text !== '') yield { ...event, text };
      continue;
    }
    yield* ended(open, 'part' in event ? event.part : undefined);
    yield event.kind === 'textReplaced' ? { ...event, text: withoutKeys(event.text, keys()) } : event;
  }
  yield* ended(open, undefined);
}

/** What was held back of a part, or of all of them, and turned out to be no key. */
function* ended(open: Map<string, Open>, part: string | undefined): Generator<TurnEvent, void, undefined> {
  for (const [name, { last, filters }] of open) {
    if (part !== undefined && part !== last.part) continue;
    open.delete(name);
    const text = filters.reduce((before, filter) => filter.feed(before) + filter.end(), '');
    if (text !== '') yield { ...last, text };
  }
}
