/**
 * VS Code's own themes as the panel gets them: the variables that its style sheet uses, as a real workbench sets them. They are
 * compared with those of the real one where pictures are taken, which also writes them anew: see `look.e2e.ts`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { repository } from '../../run/places.ts';

export type Theme = 'dark' | 'light' | 'highContrastDark' | 'highContrastLight';

export const themes: readonly Theme[] = ['dark', 'light', 'highContrastDark', 'highContrastLight'];

/** By name; one that a theme does not set is absent. */
export type Variables = Readonly<Record<string, string>>;

/** Classes by which a page can tell what kind of theme it stands in. */
export const bodyClass: Readonly<Record<Theme, string>> = {
  dark: 'vscode-dark',
  light: 'vscode-light',
  highContrastDark: 'vscode-high-contrast',
  highContrastLight: 'vscode-high-contrast-light vscode-high-contrast',
};

const file = path.join(repository, 'test/fixtures/themes.json');

/** In the file each variable has a value for each theme, in the order of `themes`. */
type Rows = Record<string, (string | null)[]>;

/** All that `media/chat.css` names, in alphabetical order. */
export async function usedVariables(): Promise<string[]> {
  const css = await readFile(path.join(repository, 'media/chat.css'), 'utf8');
  return [...new Set(css.match(/--vscode-[\w-]+/g))].toSorted();
}

export async function readThemes(): Promise<Readonly<Record<Theme, Variables>>> {
  const rows = JSON.parse(await readFile(file, 'utf8')) as Rows;
  const of = (index: number): Variables =>
    Object.fromEntries(
      Object.entries(rows).flatMap(([name, values]): [string, string][] => {
        const value = values[index];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    );
  return { dark: of(0), light: of(1), highContrastDark: of(2), highContrastLight: of(3) };
}

/** Those of `names`. */
export async function writeThemes(
  all: Readonly<Record<Theme, Variables>>,
  names: readonly string[],
): Promise<void> {
  const lines = names.map((name) => {
    const values = themes.map((theme) => all[theme][name] ?? null);
    return `  ${JSON.stringify(name)}: ${JSON.stringify(values)}`;
  });
  await writeFile(file, `{\n${lines.join(',\n')}\n}\n`);
}
