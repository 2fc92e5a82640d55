/** Tells the host about the draft, but not at every key: at the next pause, or at once when the page may be about to go. */

export interface DraftPorts {
  tell(text: string): void;
  /** Runs `act` after `milliseconds`; returns how to call it off. */
  later(act: () => void, milliseconds: number): () => void;
}

const pause = 200;

export class DraftKeeper {
  readonly #ports: DraftPorts;
  #told: string | undefined;
  #latest: string | undefined;
  #cancel: (() => void) | undefined;

  constructor(ports: DraftPorts) {
    this.#ports = ports;
  }

  changed(text: string): void {
    this.#latest = text;
    this.#cancel?.();
    this.#cancel = this.#ports.later(() => this.flush(), pause);
  }

  /** The host made it another: what it was told before it has no more. */
  replaced(text: string): void {
    this.#told = undefined;
    this.changed(text);
  }

  /** The host said what it has: where something else stands here, it is to have that at once. */
  compared(text: string, told: string): void {
    if (text === told) return;
    this.replaced(text);
    this.flush();
  }

  /** Tells what was not told yet. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#latest === undefined || this.#latest === this.#told) return;
    this.#told = this.#latest;
    this.#ports.tell(this.#latest);
  }
}
