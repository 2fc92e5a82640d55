/** Who owns what must be let go of. Knows nothing of what is owned. */

export interface Disposable {
  dispose(): unknown;
}

/** Owns any number of things and lets go of them together, the last added first. */
export class DisposableStore implements Disposable {
  readonly #owned = new Set<Disposable>();
  #disposed = false;

  get isDisposed(): boolean {
    return this.#disposed;
  }

  /** How many things are owned right now. */
  get size(): number {
    return this.#owned.size;
  }

  /** Owns `one` from now on. A store that was disposed already disposes of it at once: what comes late must not leak. */
  add<T extends Disposable>(one: T): T {
    if (this.#disposed) one.dispose();
    else this.#owned.add(one);
    return one;
  }

  /** Lets go of one thing early. Nothing happens when it is not owned. */
  delete(one: Disposable): void {
    if (this.#owned.delete(one)) one.dispose();
  }

  /** Lets go of everything and stays usable. Each thing is disposed of even when another one throws. */
  clear(): void {
    const owned = [...this.#owned].reverse();
    this.#owned.clear();
    const thrown: unknown[] = [];
    for (const one of owned) {
      try {
        one.dispose();
      } catch (error) {
        thrown.push(error);
      }
    }
    if (thrown.length === 1) throw thrown[0];
    if (thrown.length > 1) throw new AggregateError(thrown, 'Several things could not be disposed of');
  }

  /** Lets go of everything for good. Calling it again does nothing. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.clear();
  }
}

/** Owns at most one thing; setting another lets go of the one before. */
export class MutableDisposable<T extends Disposable = Disposable> implements Disposable {
  #value: T | undefined;
  #disposed = false;

  get value(): T | undefined {
    return this.#value;
  }

  set value(next: T | undefined) {
    if (next === this.#value) return;
    const previous = this.#value;
    if (this.#disposed) {
      next?.dispose();
      return;
    }
    this.#value = next;
    previous?.dispose();
  }

  dispose(): void {
    this.#disposed = true;
    const previous = this.#value;
    this.#value = undefined;
    previous?.dispose();
  }
}
