/** Named places where answers wait for the test. */

interface GateState {
  arrivals: number;
  /** Openings nobody has used yet. */
  permits: number;
  readonly waiting: (() => void)[];
  readonly watchers: { readonly times: number; readonly tell: () => void }[];
}

export class Gates {
  readonly #states = new Map<string, GateState>();

  /** Counts the arrival and waits for an opening, or until `gone` is aborted. */
  async arrive(name: string, gone: AbortSignal): Promise<void> {
    const state = this.#state(name);
    state.arrivals += 1;
    for (const watcher of state.watchers.filter(({ times }) => times <= state.arrivals)) watcher.tell();
    if (state.permits > 0) {
      state.permits -= 1;
      return;
    }
    if (gone.aborted) return;
    await new Promise<void>((resolve) => {
      const pass = () => {
        gone.removeEventListener('abort', pass);
        const place = state.waiting.indexOf(pass);
        if (place >= 0) state.waiting.splice(place, 1);
        resolve();
      };
      state.waiting.push(pass);
      gone.addEventListener('abort', pass);
    });
  }

  /** Lets one answer pass: the one that has waited longest, else the next that comes. */
  open(name: string): void {
    const state = this.#state(name);
    const first = state.waiting[0];
    if (first === undefined) state.permits += 1;
    else first();
  }

  /** Resolves when answers have come to the gate `times` times, counted from the start of the simulator. */
  async reached(name: string, times: number): Promise<void> {
    const state = this.#state(name);
    if (state.arrivals >= times) return;
    await new Promise<void>((tell) => state.watchers.push({ times, tell }));
  }

  #state(name: string): GateState {
    let state = this.#states.get(name);
    if (state === undefined) {
      state = { arrivals: 0, permits: 0, waiting: [], watchers: [] };
      this.#states.set(name, state);
    }
    return state;
  }
}
