/** Takes a unified diff of git apart by its files. Knows no git. */

interface Section {
  readonly text: string;
  /** Relative to the repository: the old name and the new one, as far as there are two. */
  readonly paths: readonly string[];
}

/**
 * A unified diff taken apart by its files; undefined when it is none. Only a line feed ends a line of it: other line ends stand within the
 * lines of the files.
 */
export function sectionsOf(diff: string): readonly Section[] | undefined {
  const sections = diff.split(/(?<=^|\n)(?=diff --git )/).filter((text) => text.startsWith('diff --git '));
  if (sections.length === 0 && diff.trim() !== '') return undefined;
  return sections.map((text) => ({ text: text.endsWith('\n') ? text : `${text}\n`, paths: pathsOf(text) }));
}

/** From the lines of the head, for the first line can't be taken apart where names have blanks. */
function pathsOf(section: string): readonly string[] {
  const lines = section.split('\n');
  const hunks = lines.findIndex((line) => /^(?:@@ |GIT binary patch)/.test(line));
  const [first = '', ...head] = hunks < 0 ? lines : lines.slice(0, hunks);
  const both = first.slice('diff --git '.length);
  const isBare = hasNoSides(both);
  const named = head
    .flatMap((line) => {
      const sided = /^(?:---|\+\+\+) (.+?)\t?$/s.exec(line)?.[1];
      if (sided !== undefined) return withoutSide(unquoted(sided), isBare);
      const moved = /^(?:rename|copy) (?:from|to) (.+)$/s.exec(line)?.[1];
      return moved === undefined ? [] : unquoted(moved);
    })
    .filter((name) => name !== '');
  if (named.length > 0) return [...new Set(named)];
  // A mode or a binary file: both names are the same, so that each is half of the line.
  return [withoutSide(unquoted(both.slice(0, halfOf(both))), isBare)].filter((name) => name !== '');
}

/** By the setting `diff.noprefix` there is no `a/` and `b/`: then both names in the first line are alike to the letter. */
function hasNoSides(both: string): boolean {
  return both.slice(0, halfOf(both)) === both.slice(halfOf(both) + 1);
}

function halfOf(both: string): number {
  return (both.length - 1) / 2;
}

/** Without `a/` or `b/` in front; empty for `/dev/null`. */
function withoutSide(name: string, isBare: boolean): string {
  if (name === '/dev/null') return '';
  return isBare ? name : name.replace(/^[a-z]\//, '');
}

/** Git quotes names with control characters as C does, and by default each byte that is no ASCII. */
function unquoted(name: string): string {
  if (!/^".*"$/s.test(name)) return name;
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
