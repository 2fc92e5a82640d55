/**
 * A second extension beside the tested one, in host tests only: hands out what VS Code gives an extension and nobody else, above
 * all a real secret storage, and a view that has no provider yet. Must not know the tested extension.
 */
export function activate(context) {
  return context;
}
