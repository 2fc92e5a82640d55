/** Names of tools and namespaces as the service takes them. Knows no tool. */

/** Letters, digits, `_` and `-`, of which the first is no digit and no `-`; up to 128 of them. */
const taken = /^[a-zA-Z_][a-zA-Z0-9_-]{0,127}$/;

/** Characters. */
export const longestName = 128;

/** The name itself where the service takes it, else one like it. Two names may become the same. */
export function wireName(name: string): string {
  if (taken.test(name)) return name;
  return `_${name.replace(/[^a-zA-Z0-9_-]/g, '_')}`.slice(0, longestName);
}
