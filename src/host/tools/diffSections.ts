/** Takes a unified diff of git apart by its files. Knows no git. */

interface Section {
  readonly text: string;
  /** Relative to the repository: the old name and the new one, as far as there are two. */
  readonly paths: readonly string[];
}

/** A unified diff taken apart by its files. */
export function sectionsOf(diff: string): readonly Section[] {
  return diff
    .split(/^(?=diff --git )/m)
    .filter((text) => text.startsWith('diff --git '))
    .map((text) => ({ text: text.endsWith('\n') ? text : `${text}\n`, paths: pathsOf(text) }));
}

/** From the lines of the head, for the first line can't be taken apart where names have blanks. */
function pathsOf(section: string): readonly string[] {
  const hunks = section.search(/^(?:@@ |GIT binary patch)/m);
  const head = hunks < 0 ? section : section.slice(0, hunks);
  const named = [
    ...[...head.matchAll(/^(?:---|\+\+\+) (.+?)\t?$/gm)].map(([, name = '']) => withoutSide(unquoted(name))),
    ...[...head.matchAll(/^(?:rename|copy) (?:from|to) (.+)$/gm)].map(([, name = '']) => unquoted(name)),
  ].filter((name) => name !== '');
  if (named.length > 0) return [...new Set(named)];
  // A mode or a binary file: both names are the same, so that each is half of the line.
  const both = /^diff --git (.+)$/m.exec(head)?.[1] ?? '';
  const half = both.slice(0, (both.length - 1) / 2);
  return [withoutSide(unquoted(half))].filter((name) => name !== '');
}

/** Without `a/` or `b/` in front; empty for `/dev/null`. */
function withoutSide(name: string): string {
  if (name === '/dev/null') return '';
  return name.replace(/^[a-z]\//, '');
}

/** Git quotes names with control characters as C does, and by default each byte that is no ASCII. */
function unquoted(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  const bytes: number[] = [];
  const escapes: Readonly<Record<string, string>> = {
    a: '\u0007',
    b: '\b',
    t: '\t',
    n: '\n',
    v: '\v',
    f: '\f',
    r: '\r',
  };
  for (const [part] of name.slice(1, -1).matchAll(/\\[0-7]{3}|\\.|[^\\]+/gs)) {
    if (/^\\[0-7]{3}$/.test(part)) bytes.push(Number.parseInt(part.slice(1), 8));
    else if (part.startsWith('\\'))
      bytes.push(...new TextEncoder().encode(escapes[part.slice(1)] ?? part.slice(1)));
    else bytes.push(...new TextEncoder().encode(part));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
