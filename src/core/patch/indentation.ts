/**
 * What the difference between the indentation of a patch and that of the file is, where it can be told for certain, and how new
 * lines follow it. Used only where a block was found by ignoring indentation: an exact match is never touched.
 */

export type Indentation =
  /** There is none. */
  | { readonly kind: 'same' }
  /** The file's lines stand deeper by this much. */
  | { readonly kind: 'deeper'; readonly by: string }
  /** The patch's lines stand deeper by this much. */
  | { readonly kind: 'shallower'; readonly by: string }
  /** The file has a tab where the patch has so many spaces. */
  | { readonly kind: 'tabs'; readonly spaces: number }
  /** The file has so many spaces where the patch has a tab. */
  | { readonly kind: 'spaces'; readonly spaces: number }
  /** No one rule explains all lines. */
  | { readonly kind: 'unclear' };

/** Leading spaces of any kind: a block can also be found by taking typographic spaces for plain ones. */
function leading(line: string): string {
  return /^[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]*/.exec(line)?.[0] as string;
}

/** The rule by which every line of the patch became its line in the file. Blank lines say nothing. */
export function observeIndentation(
  pairs: readonly { readonly patch: string; readonly file: string }[],
): Indentation {
  const indents = pairs
    .map(({ patch, file }) => ({
      patch: leading(patch),
      file: leading(file),
      blank: leading(patch) === patch,
    }))
    .filter(({ blank }) => !blank);
  if (indents.every(({ patch, file }) => patch === file)) return { kind: 'same' };
  const first = indents[0] as (typeof indents)[number];
  if (first.file.endsWith(first.patch)) {
    const by = first.file.slice(0, first.file.length - first.patch.length);
    if (indents.every(({ patch, file }) => file === by + patch)) return { kind: 'deeper', by };
  }
  if (first.patch.endsWith(first.file)) {
    const by = first.patch.slice(0, first.patch.length - first.file.length);
    if (indents.every(({ patch, file }) => patch === by + file)) return { kind: 'shallower', by };
  }
  const tabs = factor(indents.map(({ patch, file }) => ({ tabs: file, spaces: patch })));
  if (tabs) return { kind: 'tabs', spaces: tabs };
  const spaces = factor(indents.map(({ patch, file }) => ({ tabs: patch, spaces: file })));
  return spaces ? { kind: 'spaces', spaces } : { kind: 'unclear' };
}

/** A new line of the patch as the file would indent it; undefined where the rule does not tell. */
export function followIndentation(rule: Indentation, line: string): string | undefined {
  const indent = leading(line);
  if (indent === line) return line;
  const rest = line.slice(indent.length);
  switch (rule.kind) {
    case 'same':
      return line;
    case 'deeper':
      return rule.by + line;
    case 'shallower':
      return line.startsWith(rule.by) ? line.slice(rule.by.length) : undefined;
    case 'tabs':
      if (!/^ *$/.test(indent)) return undefined;
      return (
        '\t'.repeat(Math.floor(indent.length / rule.spaces)) + ' '.repeat(indent.length % rule.spaces) + rest
      );
    case 'spaces':
      return indent.replaceAll('\t', ' '.repeat(rule.spaces)) + rest;
    case 'unclear':
      return undefined;
  }
}

/** How many spaces stand for one tab, if that is the same number in every line. */
function factor(indents: readonly { readonly tabs: string; readonly spaces: string }[]): number | undefined {
  let perTab: number | undefined;
  for (const { tabs, spaces } of indents) {
    if (!/^\t*$/.test(tabs) || !/^ *$/.test(spaces)) return undefined;
    if (tabs === '' && spaces === '') continue;
    perTab ??= spaces.length / tabs.length;
    if (spaces.length !== perTab * tabs.length) return undefined;
  }
  return perTab !== undefined && Number.isInteger(perTab) && perTab > 0 ? perTab : undefined;
}
