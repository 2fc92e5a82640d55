/** A chip of what Git knows as changed. */
import * as vscode from 'vscode';

import { changesText, type AttachedChanges } from '../../core/conversation/contextTexts.ts';
import type { Attachment } from '../../core/conversation/userMessage.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { findDiff } from '../tools/gitDiff.ts';
import { closedGate, Places } from '../tools/places.ts';
import { attachedScheme, foldersOf, type SourceParts } from './describe.ts';
import { bytesOf } from './fileSource.ts';
import { maxLength, type AttachProblem } from './problem.ts';
import { textIn } from './textNow.ts';

/** A new file that is longer is only named, in UTF-16 units. */
const maxNewFile = 50_000;
/** Most new files whose text is shown. */
const maxNewFiles = 50;

/** Nobody calls it off: Git answers soon, or VS Code gives up. */
const never = new AbortController().signal;

export async function attachDiff(
  what: 'working' | 'staged',
  uri: vscode.Uri | undefined,
  parts: SourceParts,
): Promise<Result<readonly Attachment[], AttachProblem>> {
  const places = new Places(closedGate, foldersOf(parts));
  const path = uri === undefined ? undefined : places.pathOf(uri)?.display;
  if (uri !== undefined && path === undefined) return err('noRepository');
  const diff = await findDiff(what === 'staged', path, { places, signal: never });
  if (!diff.ok) {
    const { kind } = diff.error;
    return err(kind === 'noGit' || kind === 'noRepository' ? kind : 'diffFailed');
  }
  const { text: changed, untracked, hidden } = diff.value;
  const staged = what === 'staged';
  const added = staged ? [] : await newFiles(untracked, places);
  const of = path === undefined ? {} : { path };
  const changes = changesText({ staged, ...of, diff: changed, added, hidden });
  if (changes === undefined) return err(staged ? 'noStaged' : 'noChanges');
  if (changes.text.length > maxLength) return err('tooLong');
  return ok([
    {
      id: parts.newId(),
      kind: 'diff',
      path: nameOf(staged, path),
      uri: vscode.Uri.from({ scheme: attachedScheme, path: `/diff/${what}`, query: path ?? '' }).toString(),
      languageId: 'diff',
      ...changes,
    },
  ]);
}

function nameOf(staged: boolean, path: string | undefined): string {
  const { l10n } = vscode;
  if (path === undefined) return staged ? l10n.t('Staged changes') : l10n.t('Changes not staged');
  return staged ? l10n.t('Staged changes of {0}', path) : l10n.t('Changes of {0}', path);
}

async function newFiles(paths: readonly string[], places: Places): Promise<AttachedChanges['added']> {
  const files: { readonly path: string; readonly text?: string }[] = [];
  for (const path of paths) {
    const text = files.length < maxNewFiles ? await newText(path, places) : undefined;
    files.push(text === undefined ? { path } : { path, text });
  }
  return files;
}

async function newText(path: string, places: Places): Promise<string | undefined> {
  const found = await places.locate(path, 'file');
  if (!found.ok || found.value.size > maxNewFile) return undefined;
  const { uri } = found.value;
  const bytes = await bytesOf(uri);
  return bytes.ok ? await textIn(bytes.value, uri) : undefined;
}
