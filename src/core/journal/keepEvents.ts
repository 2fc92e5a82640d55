/** From the events of a conversation to the records that are kept of it. Holds back nothing and looks at no clock. */
import { joinEvents } from '../conversation/joinEvents.ts';
import { isShown, type ShownEvent, type TurnEvent } from '../conversation/turnEvent.ts';
import type { RequestBody } from '../responses/wire.ts';
import type { JournalRecord } from './record.ts';

export class EventKeeper {
  #head: string | undefined;

  /** @param last the head of the request that was kept last, when the conversation goes on */
  constructor(last?: Omit<RequestBody, 'input'>) {
    this.#head = last === undefined ? undefined : JSON.stringify(last);
  }

  /** What is to be written of events that came one after the other. */
  records(events: readonly TurnEvent[]): readonly JournalRecord[] {
    const records: JournalRecord[] = [];
    let shown: ShownEvent[] = [];
    const flush = (): void => {
      records.push(...joinEvents(shown).map((event): JournalRecord => ({ kind: 'event', event })));
      shown = [];
    };
    for (const event of events) {
      if (isShown(event)) {
        shown.push(event);
        continue;
      }
      flush();
      records.push({ kind: 'event', event: event.kind === 'requestMade' ? this.#request(event) : event });
    }
    flush();
    return records;
  }

  #request({
    turn,
    origin,
    body,
  }: Extract<TurnEvent, { kind: 'requestMade' }>): Extract<JournalRecord, { kind: 'event' }>['event'] {
    const { input, ...head } = body;
    const before = this.#head;
    this.#head = JSON.stringify(head);
    return {
      kind: 'requestMade',
      turn,
      ...(origin !== undefined && { origin }),
      ...(this.#head !== before && { head }),
      items: input.length,
    };
  }
}
