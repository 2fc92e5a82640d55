/** Where a walk begins: all folders of the workspace, or the folder or file that was named. */
import { err, ok, type Result } from '../../core/result.ts';
import { globFits, parseGlobs, type Glob } from '../../core/tools/glob.ts';
import type { Refusal } from '../../core/tools/readingPorts.ts';
import { labelOf } from '../../core/workspacePath.ts';
import type * as vscode from 'vscode';

import { Ignoring, excludedBy } from './ignoring.ts';
import type { Located, Places } from './places.ts';
import type { DiskRoot } from './searchTask.ts';

export interface Scope {
  readonly root: vscode.Uri;
  readonly ignoring: Ignoring;
  /** In front of each path as the model knows it, with a slash behind, or empty. */
  readonly display: string;
  /** With a slash behind; empty for the whole folder. */
  readonly start: string;
  /** Globs of what is left out of a walk, though it may be read: the setting `search.exclude`. None where that is what was asked for. */
  readonly unsearched: readonly string[];
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
    const own = roots[root];
    if (uri === undefined || ignoring === undefined || own === undefined) return [];
    const unsearched = unsearchedIn(uri, start);
    return [
      { root: uri, ignoring, start, display: roots.length > 1 ? `${labelOf(own, roots)}/` : '', unsearched },
    ];
  };
  if (path === undefined || (roots.length > 1 && /^\.?\/?$/.test(path)))
    return ok({ kind: 'folders', scopes: roots.flatMap((_, root) => scopeAt(root, '')) });
  const found = await places.locate(path, 'any');
  if (!found.ok) return found;
  const { type, at, uri, display, granted } = found.value;
  if (type === 'file') return ok({ kind: 'file', file: found.value });
  if (granted === true || at === undefined) {
    const ignoring = new Ignoring(
      uri,
      roots.some(({ caseInsensitive }) => caseInsensitive),
    );
    return ok({
      kind: 'folders',
      scopes: [{ root: uri, ignoring, start: '', display: `${display.replace(/\/$/, '')}/`, unsearched: [] }],
    });
  }
  return ok({ kind: 'folders', scopes: scopeAt(at.root, at.relative === '' ? '' : `${at.relative}/`) });
}

/** For a thread that walks by itself. */
export async function diskRootOf({ ignoring, display, start, unsearched }: Scope): Promise<DiskRoot> {
  const { root } = await ignoring.forThread(display, start);
  return { ...root, hidden: [...root.hidden, ...unsearched] };
}

/** Whether a path, or a folder that it is in, is left out of a walk. */
export function isUnsearched(globs: readonly Glob[], relative: string): boolean {
  const names = relative.split('/');
  return (
    globs.length > 0 &&
    names.some((_, at) => globs.some((glob) => globFits(glob, names.slice(0, at + 1).join('/'))))
  );
}

function unsearchedIn(root: vscode.Uri, start: string): readonly string[] {
  const globs = excludedBy('search', root);
  // Whoever names a folder wants what is in it.
  return start !== '' && isUnsearched(parseGlobs(globs), start.slice(0, -1)) ? [] : globs;
}
