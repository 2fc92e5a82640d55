/** Walks a folder of a file system that is no disk, through the editor. Follows no links. */
import * as vscode from 'vscode';

import type { CancelSignal } from '../../core/cancel.ts';
import { globFits, parseGlobs } from '../../core/tools/glob.ts';
import { admit } from './ignoreRules.ts';
import type { Scope } from './scopes.ts';

export interface VirtualFile {
  readonly uri: vscode.Uri;
  /** Relative to the workspace folder. */
  readonly relative: string;
}

/** Most files that are asked for over what may be a network. */
const maxVirtualFiles = 20_000;

export interface VirtualWalk {
  readonly signal: CancelSignal;
  /** Told when the walk is ended before it is through, because there are too many files. */
  readonly onCut: () => void;
}

/** Every file below the start that is not left out. What can't be read is passed over. */
export async function* walkVirtual(
  { root, start, ignoring, unsearched }: Scope,
  { signal, onCut }: VirtualWalk,
): AsyncGenerator<VirtualFile, void, undefined> {
  const hidden = parseGlobs(unsearched);
  const folders = [start];
  let count = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const rules = await ignoring.inside(folder);
    if (rules === undefined) continue;
    const uri = vscode.Uri.joinPath(root, folder.replace(/\/$/, ''));
    const entries = await vscode.workspace.fs.readDirectory(uri).then(
      (all) => all,
      () => [],
    );
    for (const [name, type] of entries) {
      if (signal.aborted) return;
      const relative = folder + name;
      const isFolder = type === vscode.FileType.Directory;
      if ((!isFolder && type !== vscode.FileType.File) || !admit(rules, rules.prefix + relative, isFolder))
        continue;
      if (hidden.some((glob) => globFits(glob, relative))) continue;
      if (isFolder) folders.push(`${relative}/`);
      else {
        if (count >= maxVirtualFiles) return onCut();
        count += 1;
        yield { uri: vscode.Uri.joinPath(uri, name), relative };
      }
    }
  }
}
