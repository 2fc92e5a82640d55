/** The source files of a tree and what each of them imports, read as text: independent of compiler, bundler and linter. */
import { readdirSync, readFileSync } from 'node:fs';
import { posix, sep } from 'node:path';

export interface SourceFile {
  /** From the top of the tree, with forward slashes: `src/core/result.ts`. */
  readonly path: string;
  readonly text: string;
  /** The text with every comment blanked out; line numbers stay. */
  readonly code: string;
  readonly imports: readonly Import[];
}

export interface Import {
  /** One-based. */
  readonly line: number;
  /** As written. */
  readonly specifier: string;
  /** A path of the tree for a relative import, the specifier itself for a package. */
  readonly target: string;
  /** Names taken as values; `*` for a namespace or a dynamic import; empty where only types or side effects are taken. */
  readonly values: readonly string[];
}

/** Every `.ts` and `.tsx` file below `root/folder`. */
export function readSources(root: string, folder: string): SourceFile[] {
  return readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name.split(sep).join('/')))
    .filter((path) => /\.tsx?$/.test(path))
    .toSorted()
    .map((path) => parseSource(path, readFileSync(`${root}/${path}`, 'utf8')));
}

export function parseSource(path: string, text: string): SourceFile {
  const code = withoutComments(text);
  return { path, text, code, imports: importsOf(path, code) };
}

/** @returns the one-based line on which `index` lies */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/**
 * Blanks comments. Strings and templates are stepped over, so that `https://…` inside one is not taken for a comment. A
 * regular expression holding a quote is the one thing it can misread; it then stops at the line's end.
 */
function withoutComments(text: string): string {
  const token =
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"|`(?:[^`\\]|\\[\s\S])*`/g;
  return text.replace(token, (found) => (/^\/[/*]/.test(found) ? found.replace(/[^\n]/g, ' ') : found));
}

function importsOf(path: string, code: string): Import[] {
  const found: Import[] = [];
  const add = (index: number, specifier: string, values: string[]): void => {
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
    found.push({ line: lineAt(code, index), specifier, target, values });
  };
  for (const { index, groups } of code.matchAll(
    /^[ \t]*(?:import|export)\s+(?<clause>(?:type\s+)?(?:[\w$*{][^'";]*?))\s*from\s*['"](?<specifier>[^'"]+)['"]/gm,
  )) {
    add(index, groups?.['specifier'] ?? '', valuesOf(groups?.['clause'] ?? ''));
  }
  for (const { index, groups } of code.matchAll(/^[ \t]*import\s*['"](?<specifier>[^'"]+)['"]/gm)) {
    add(index, groups?.['specifier'] ?? '', []);
  }
  for (const { index, groups } of code.matchAll(
    /\b(?:import|require)\s*\(\s*['"`](?<specifier>[^'"`]+)['"`]/g,
  )) {
    add(index, groups?.['specifier'] ?? '', ['*']);
  }
  return found;
}

/** @param clause what stands between `import` (or `export`) and `from` */
function valuesOf(clause: string): string[] {
  if (/^type\b(?!\s*,)/.test(clause)) return [];
  const braced = /\{([^}]*)\}/.exec(clause)?.[1] ?? '';
  const named = braced
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith('type '))
    .map((part) => part.split(/\s+as\s+/)[0] ?? part);
  const before = clause
    .replace(/\{[^}]*\}/, '')
    .replaceAll(',', ' ')
    .trim();
  if (before.startsWith('*')) return ['*'];
  return before === '' ? named : ['default', ...named];
}
