/** What was typed into a field and is not drawn yet. Pure. */

/**
 * The page is drawn once a frame. Whatever else has a field drawn before that must not give it back the text that it had before the
 * key: letters would be lost.
 */
export class TypedText {
  #text = '';
  #over: string | undefined;

  /** @param over what is drawn at the moment */
  typed(text: string, over: string): void {
    this.#text = text;
    this.#over = over;
  }

  /** The text for the field, when this is to be drawn. */
  shown(text: string): string {
    if (text === this.#over) return this.#text;
    // It is drawn: when the same comes again, as after sending, it is meant.
    this.#over = undefined;
    return text;
  }

  /** What was typed is no longer for the field. */
  forget(): void {
    this.#over = undefined;
  }
}
