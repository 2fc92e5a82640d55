/**
 * What VS Code keeps for the workspace, and no more of it than is good: it reads and writes all values of all extensions together, so that a
 * long one costs everybody. Knows nothing of what is kept.
 */
import type * as vscode from 'vscode';

/** Bytes of a value as JSON in UTF-8. */
export const mostBytes = 64 * 1024;

/**
 * Of a list that is too long, entries are left out: the oldest, and what is too long by itself. Any other value that is too long is not kept,
 * and what was there is gone.
 */
export function smallMemento(memento: vscode.Memento): vscode.Memento {
  return {
    keys: () => memento.keys(),
    get: <T>(key: string, otherwise?: T) => memento.get(key, otherwise) as T,
    update: (key, value: unknown) => memento.update(key, small(value)),
  };
}

function small(value: unknown): unknown {
  if (value === undefined || bytesOf(value) <= mostBytes) return value;
  if (!Array.isArray(value)) return undefined;
  const kept: unknown[] = [];
  // The brackets, and with each entry its comma, of which there is one less.
  let left = mostBytes - 1;
  for (const entry of value.toReversed() as readonly unknown[]) {
    const bytes = bytesOf(entry) + 1;
    if (bytes > left) continue;
    left -= bytes;
    kept.unshift(entry);
  }
  return kept;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? 'null');
}
