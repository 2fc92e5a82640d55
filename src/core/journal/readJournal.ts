/** From the lines of a journal to the conversation that they tell of, as far as they go. Never throws and drops nothing that came before. */
import { decodeRecord, type JournalRecord } from './record.ts';
import { beginState, StateBuilder, type JournalState } from './state.ts';

export interface ReadJournal {
  /** Undefined when the beginning is lost, or was cut off. */
  readonly state: JournalState | undefined;
  /** Some lines are of a later version: it can be read and not gone on with. */
  readonly isNewer: boolean;
  /** Lines that could not be read, the last one, which may have been cut off, left out. */
  readonly damaged: number;
  /** The last line is not ended, and no record: what is written next must begin a line. */
  readonly isTorn: boolean;
}

/** Takes lines one by one, so that a long journal need not be in memory as text. */
export class JournalReader {
  #builder: StateBuilder | undefined;
  #isNewer = false;
  #damaged = 0;
  /** Pieces of the beginning that are still to come. */
  #awaited = 0;

  /** A line that was ended, without its end. */
  take(line: string): void {
    if (line.trim() === '') return;
    if (this.#awaited > 0) this.#awaited -= 1;
    const read = decodeRecord(line);
    switch (read.kind) {
      case 'damaged':
        this.#damaged += 1;
        return;
      case 'newer':
        this.#isNewer = true;
        if (read.record !== undefined) this.#takeRecord(read.record);
        // Its beginning is not lost, it is not understood: it is there all the same.
        this.#builder ??= new StateBuilder(beginState({ kind: 'conversation', id: '', at: 0 })!);
        return;
      case 'record':
        this.#takeRecord(read.record);
    }
  }

  /** @param rest what stands behind the last line end */
  end(rest: string): ReadJournal {
    const isTorn = rest.trim() !== '';
    // It may be whole and lack nothing but its end.
    if (isTorn && decodeRecord(rest).kind !== 'damaged') this.take(rest);
    const state = this.#awaited > 0 ? undefined : this.#builder?.state;
    return {
      ...{ state, isNewer: this.#isNewer, damaged: this.#damaged },
      isTorn,
    };
  }

  #takeRecord(record: JournalRecord): void {
    if (this.#builder !== undefined) {
      // Nothing else is written before all of them are.
      if (record.kind !== 'seeded') this.#awaited = 0;
      this.#builder.take(record);
      return;
    }
    const state = beginState(record);
    if (state === undefined) return;
    this.#builder = new StateBuilder(state);
    if (record.kind === 'conversation') this.#awaited = record.pieces ?? 0;
  }
}

export function readJournal(text: string): ReadJournal {
  const reader = new JournalReader();
  const end = text.lastIndexOf('\n') + 1;
  for (const line of text.slice(0, end).split('\n')) reader.take(line);
  return reader.end(text.slice(end));
}
