/** Where a walk begins: all folders of the workspace, or the folder or file that was named. */
import { err, ok, type Result } from '../../core/result.ts';
import type { Refusal } from '../../core/tools/readingPorts.ts';
import type * as vscode from 'vscode';

import type { Ignoring } from './ignoring.ts';
import type { Located, Places } from './places.ts';

export interface Scope {
  readonly root: vscode.Uri;
  readonly ignoring: Ignoring;
  /** In front of each path as the model knows it, with a slash behind, or empty. */
  readonly display: string;
  /** With a slash behind; empty for the whole folder. */
  readonly start: string;
}

export type Scopes =
  | { readonly kind: 'folders'; readonly scopes: readonly Scope[] }
  | { readonly kind: 'file'; readonly file: Located };

export async function scopesOf(path: string | undefined, places: Places): Promise<Result<Scopes, Refusal>> {
  const { roots } = places;
  if (roots.length === 0) return err({ kind: 'noFolder' });
  const scopeAt = (root: number, start: string): readonly Scope[] => {
    const uri = places.folders[root]?.uri;
    const ignoring = places.ignoring(root);
    const name = roots[root]?.name;
    if (uri === undefined || ignoring === undefined || name === undefined) return [];
    return [{ root: uri, ignoring, start, display: roots.length > 1 ? `${name}/` : '' }];
  };
  if (path === undefined || (roots.length > 1 && /^\.?\/?$/.test(path)))
    return ok({ kind: 'folders', scopes: roots.flatMap((_, root) => scopeAt(root, '')) });
  const found = await places.locate(path, 'any');
  if (!found.ok) return found;
  const { type, at } = found.value;
  if (type === 'file') return ok({ kind: 'file', file: found.value });
  // A folder outside: nobody walks there.
  if (at === undefined) return err({ kind: 'outside', path });
  return ok({ kind: 'folders', scopes: scopeAt(at.root, at.relative === '' ? '' : `${at.relative}/`) });
}
