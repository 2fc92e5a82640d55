/** From the events of a conversation to the records that are kept of it. Holds back nothing and looks at no clock. */
import type { Conversation } from '../conversation/conversation.ts';
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

/**
 * What ends the turns that were running when the window went: they can be gone on with. Their open calls are told to have ended without
 * a result. Empty when nothing ran.
 */
export function endingsOf({ turns }: Conversation, at: number): readonly ShownEvent[] {
  return turns.flatMap((turn): readonly ShownEvent[] => {
    if (turn.end !== undefined) return [];
    const open = turn.parts.filter((part) => part.closedAt === undefined);
    const last = turn.requests.at(-1);
    const broken = brokenParts(turn);
    return [
      ...open.map((part): ShownEvent =>
        part.kind === 'tool'
          ? {
              kind: 'toolSettled',
              turn: turn.id,
              part: part.id,
              outcome: { kind: 'cancelled', text: interrupted },
              at,
            }
          : { kind: 'partClosed', turn: turn.id, part: part.id, at },
      ),
      ...(last !== undefined && last.endedAt === undefined
        ? [{ kind: 'requestEnded', turn: turn.id, usage: null, at } as const]
        : []),
      {
        kind: 'turnEnded',
        turn: turn.id,
        end: { kind: 'stopped' },
        ...(broken.length > 0 && { broken }),
        at,
      },
    ];
  });
}

const interrupted = 'The window was closed while this was going on. It may or may not have taken effect.';

/** Those of a response that had not ended: nothing of it was kept for the model. */
function brokenParts(turn: Conversation['turns'][number]): readonly string[] {
  const last = turn.requests.at(-1);
  if (last === undefined || last.endedAt !== undefined) return [];
  const round = `${last.round}.`;
  return turn.parts.filter(({ id }) => id.startsWith(round)).map(({ id }) => id);
}
