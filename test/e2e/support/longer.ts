/** A language that nobody speaks: every sentence of the panel as much longer than in English as German or Finnish are. */
import { repository } from '../../run/places.ts';
import { textsIn } from '../../support/shownText.ts';
import { readSources } from '../../support/sourceTree.ts';

/** Translations by English text, as the panel is given them. */
export function longerBundle(): Readonly<Record<string, string>> {
  const sources = readSources(repository, 'src/webview').filter(({ path }) => !path.endsWith('/l10n.ts'));
  const texts = sources.flatMap(({ path, text }) => textsIn(path, text).shown);
  return Object.fromEntries(texts.map(({ text }) => [text, longer(text)]));
}

/** Words get longer by two fifths, not only sentences. */
function longer(text: string): string {
  return text.replace(/\{\d+\}|\p{L}+/gu, (word) =>
    word.startsWith('{') ? word : word + 'einungs'.slice(0, Math.ceil(word.length * 0.4)),
  );
}
