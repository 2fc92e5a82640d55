/** Room for the numbers of a list, which stand outside of it and would be cut off at the edge. Pure. */

/** As the style of a list that ends with this number; the style sheet has room for two figures by itself. */
export function roomForNumbers(last: number): Readonly<Record<'--figures', string>> | undefined {
  const { length } = String(last);
  return length > 2 ? { '--figures': String(length) } : undefined;
}
