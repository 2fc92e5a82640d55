/** Texts in the person's language. The English sentence is the key; the host hands over the translations with the page. */

/** Translations by English text, as `vscode.l10n.bundle` holds them. */
export type Bundle = Readonly<Record<string, string>>;

class Localizer {
  #bundle: Bundle = {};
  #locale = 'en';
  readonly #numbers = new Map<Intl.NumberFormatOptions, Intl.NumberFormat>();

  /** For number and list formats: a BCP 47 tag. */
  get locale(): string {
    return this.#locale;
  }

  /** Called once, before anything is drawn. A locale the browser does not know falls back to English formats. */
  use(bundle: Bundle, locale: string): void {
    this.#bundle = bundle;
    this.#numbers.clear();
    try {
      this.#locale = Intl.getCanonicalLocales(locale)[0] ?? 'en';
    } catch {
      this.#locale = 'en';
    }
  }

  /** The translation of `message`, or `message` itself, with `{0}`, `{1}` … filled in. */
  t(message: string, ...values: readonly (string | number)[]): string {
    const text = this.#bundle[message] ?? message;
    return text.replace(/\{(\d+)\}/g, (whole, index: string) => String(values[Number(index)] ?? whole));
  }

  /** Numbers written so; made once for each value of `options`, for that takes longer than to write hundreds of them. */
  numbers(options: Intl.NumberFormatOptions): Intl.NumberFormat {
    let format = this.#numbers.get(options);
    if (format === undefined) {
      format = new Intl.NumberFormat(this.#locale, options);
      this.#numbers.set(options, format);
    }
    return format;
  }

  /** Whole sentences after each other, with a blank between them where the language has one. */
  flow(...sentences: readonly string[]): string {
    return sentences.join(/^(?:zh|ja)\b/.test(this.#locale) ? '' : ' ');
  }
}

export const l10n = new Localizer();

/**
 * A translated text whose places are taken by elements, in the order of the language: `pieces(l10n.t('Press {0}.'), <kbd>F1</kbd>)`.
 * A place without an element stays as it is written.
 */
export function pieces<T>(text: string, ...elements: readonly T[]): (string | T)[] {
  return text.split(/(\{\d+\})/).flatMap((piece): (string | T)[] => {
    const index = /^\{(\d+)\}$/.exec(piece)?.[1];
    const element = index === undefined ? undefined : elements[Number(index)];
    if (element !== undefined) return [element];
    return piece === '' ? [] : [piece];
  });
}

/** The bundle from the page's attribute. Unreadable means untranslated, never a blank panel. */
export function readBundle(json: string | null | undefined): Bundle {
  if (json === null || json === undefined || json === '') return {};
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}
