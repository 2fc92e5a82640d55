/**
 * What a screen reader is told while an answer arrives: whole sentences, in order, and nothing while the person types.
 * Pure but for the timer it is given.
 */

export interface AnnouncerPorts {
  /** Shows sentences where a screen reader finds them. */
  say(sentences: readonly string[]): void;
  now(): number;
  /** Runs `act` after `milliseconds`; returns how to call it off. */
  later(act: () => void, milliseconds: number): () => void;
}

/** Silence after a key before anything is said. */
const typingPause = 1500;
/** Sentences are collected for so long, so that one is not cut off by the next. */
const collect = 250;

export class Announcer {
  readonly #ports: AnnouncerPorts;
  #waiting: string[] = [];
  #lastKey = -Infinity;
  #cancel: (() => void) | undefined;

  constructor(ports: AnnouncerPorts) {
    this.#ports = ports;
  }

  /** The person typed something, into whatever field. */
  typed(): void {
    this.#lastKey = this.#ports.now();
    if (this.#waiting.length > 0) this.#plan();
  }

  announce(sentence: string): void {
    const text = sentence.trim();
    if (text === '') return;
    this.#waiting.push(text);
    if (this.#cancel === undefined) this.#plan();
  }

  /** Forgets what was not said yet: another conversation is shown. */
  clear(): void {
    this.#waiting = [];
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #plan(): void {
    this.#cancel?.();
    const quietIn = this.#lastKey + typingPause - this.#ports.now();
    this.#cancel = this.#ports.later(() => this.#speak(), Math.max(collect, quietIn));
  }

  #speak(): void {
    this.#cancel = undefined;
    const sentences = this.#waiting;
    this.#waiting = [];
    if (sentences.length > 0) this.#ports.say(sentences);
  }
}
