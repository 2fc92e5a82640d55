/** A chip of what Git knows as changed. */
import * as vscode from 'vscode';

import type { Attachment } from '../../core/conversation/userMessage.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { isBinary } from '../binary.ts';
import { findDiff } from '../tools/gitDiff.ts';
import { closedGate, Places } from '../tools/places.ts';
import { attachedScheme, type SourceParts } from './describe.ts';
import { bytesOf } from './fileSource.ts';
import { maxLength, type AttachProblem } from './problem.ts';

/** A new file that is longer is only named, in UTF-16 units. */
const maxNewFile = 50_000;
/** Most new files whose text is shown. */
const maxNewFiles = 50;

/** Nobody calls it off: Git answers soon, or VS Code gives up. */
const never = new AbortController().signal;

export async function attachDiff(
  what: 'working' | 'staged',
  uri: vscode.Uri | undefined,
  { newId }: SourceParts,
): Promise<Result<readonly Attachment[], AttachProblem>> {
  const places = new Places(closedGate, vscode.workspace.workspaceFolders ?? []);
  const path = uri === undefined ? undefined : places.pathOf(uri)?.display;
  if (uri !== undefined && path === undefined) return err('noRepository');
  const diff = await findDiff(what === 'staged', path, { places, signal: never });
  if (!diff.ok) {
    const { kind } = diff.error;
    return err(kind === 'noGit' || kind === 'noRepository' ? kind : 'diffFailed');
  }
  const { text: changes, untracked, hidden } = diff.value;
  const news = await newFiles(what === 'staged' ? [] : untracked, places);
  const parts = [changes, ...news].filter((part) => part !== '');
  if (parts.length === 0) return err(what === 'staged' ? 'noStaged' : 'noChanges');
  if (hidden > 0) parts.push(`[${hidden} files left out: outside the workspace or ignored]`);
  const text = parts.join('\n');
  if (text.length > maxLength) return err('tooLong');
  const of = path === undefined ? '' : ` of ${path}`;
  const { l10n } = vscode;
  return ok([
    {
      id: newId(),
      kind: 'diff',
      path:
        path === undefined
          ? what === 'staged'
            ? l10n.t('Staged changes')
            : l10n.t('Changes not staged')
          : what === 'staged'
            ? l10n.t('Staged changes of {0}', path)
            : l10n.t('Changes of {0}', path),
      uri: vscode.Uri.from({ scheme: attachedScheme, path: `/diff/${what}`, query: path ?? '' }).toString(),
      languageId: 'diff',
      text,
      heading:
        what === 'staged'
          ? `Staged changes${of}, from git diff --cached`
          : `Changes in the working tree that are not staged${of}, from git diff, with new files`,
    },
  ]);
}

/** Files that Git does not know, written as it would write them were they added. */
async function newFiles(paths: readonly string[], places: Places): Promise<readonly string[]> {
  const sections: string[] = [];
  const named: string[] = [];
  for (const path of paths) {
    const section = sections.length < maxNewFiles ? await newFile(path, places) : undefined;
    if (section === undefined) named.push(path);
    else sections.push(section);
  }
  if (named.length > 0) sections.push(`New files that git does not know, not shown:\n${named.join('\n')}`);
  return sections;
}

async function newFile(path: string, places: Places): Promise<string | undefined> {
  const found = await places.locate(path, 'file');
  if (!found.ok || found.value.size > maxNewFile) return undefined;
  const bytes = await bytesOf(found.value.uri);
  if (!bytes.ok || isBinary(bytes.value)) return undefined;
  const text = await vscode.workspace.decode(bytes.value, { uri: found.value.uri });
  const lines = text.replaceAll('\r\n', '\n').replace(/\n$/, '').split('\n');
  const head = `diff --git a/${path} b/${path}\nnew file\n--- /dev/null\n+++ b/${path}`;
  return text === ''
    ? head
    : `${head}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join('\n')}`;
}
