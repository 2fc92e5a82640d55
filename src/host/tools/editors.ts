/** What is open, for `open_editors`. */
import * as vscode from 'vscode';

import type { OpenEditor, OpenEditors } from '../../core/tools/readingPorts.ts';
import type { Places } from './places.ts';

export async function findOpenEditors(places: Places): Promise<OpenEditors> {
  const active = vscode.window.activeTextEditor;
  const front = active?.document.uri.toString();
  const editors = new Map<string, OpenEditor>();
  const hidden = new Set<string>();
  for (const { input, isDirty } of vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs)) {
    const uri = uriOf(input);
    if (uri === undefined) continue;
    const key = uri.toString();
    if (editors.has(key) || hidden.has(key)) continue;
    const { path, closed } = await places.describe(uri);
    if (closed !== undefined) {
      hidden.add(key);
      continue;
    }
    const selection = key === front ? active?.selection : undefined;
    editors.set(key, {
      path,
      active: key === front,
      unsaved: isDirty,
      ...(selection?.isEmpty === false && { selected: linesOf(selection) }),
    });
  }
  return { editors: [...editors.values()], hidden: hidden.size };
}

/** Of a comparison, what it is compared with. */
function uriOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff)
    return input.modified;
  if (
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputNotebook ||
    input instanceof vscode.TabInputCustom
  )
    return input.uri;
  return undefined;
}

/** A selection of whole lines ends before the first character of the next. */
function linesOf({ start, end }: vscode.Selection): { readonly from: number; readonly to: number } {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return { from: start.line + 1, to: last + 1 };
}
