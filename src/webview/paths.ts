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

/** `src/cart.ts:12-31`, `src/cart.ts:12`, `src/cart.ts`, in their two parts. */
export function chipParts(
  path: string,
  range: { readonly from: number; readonly to: number } | undefined,
): PathParts {
  const { folder, name } = pathParts(path);
  if (range === undefined) return { folder, name };
  const lines = range.from === range.to ? `${range.from}` : `${range.from}-${range.to}`;
  return { folder, name: `${name}:${lines}` };
}
