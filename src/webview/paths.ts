/** Paths as people read them: the name first, its folder muted. Pure. */

export interface PathParts {
  /** With its final slash; empty for a file at the top. */
  readonly folder: string;
  readonly name: string;
}

export function pathParts(path: string): PathParts {
  const at = path.lastIndexOf('/') + 1;
  return { folder: path.slice(0, at), name: path.slice(at) };
}

/** `cart.ts:12-31`, `cart.ts:12`, `cart.ts`. */
export function chipLabel(
  path: string,
  range: { readonly from: number; readonly to: number } | undefined,
): string {
  const { name } = pathParts(path);
  if (range === undefined) return name;
  return range.from === range.to ? `${name}:${range.from}` : `${name}:${range.from}-${range.to}`;
}
