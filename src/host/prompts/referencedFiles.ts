/** Attaches the files that a prompt file names: those of the workspace that may be read, and those that stand with a person's own prompt. */
import * as vscode from 'vscode';

import type { AttachmentSummary } from '../../core/conversation/conversation.ts';
import type { Attachment } from '../../core/conversation/userMessage.ts';
import { maxLength } from '../context/problem.ts';
import type { Attached } from '../context/sources.ts';
import { closedGate, isIn, Places } from '../tools/places.ts';
import { referencesIn } from './promptReferences.ts';
import type { Prompt } from './prompts.ts';

export interface FileSources {
  file(uri: vscode.Uri): Attached;
  folders(): readonly vscode.WorkspaceFolder[];
}

export interface ReferencedFiles {
  readonly files: readonly Attachment[];
  /** As the prompt names them: they are not there, are no text, or may not be read. */
  readonly missing: readonly string[];
}

/** @param attached what goes with the question already */
export async function referencedFiles(
  { source, uri, file }: Prompt,
  attached: readonly AttachmentSummary[],
  sources: FileSources,
): Promise<ReferencedFiles> {
  const files: Attachment[] = [];
  const missing: string[] = [];
  if (source === 'builtIn') return { files, missing };
  const prompt = vscode.Uri.parse(uri, true);
  const own = vscode.Uri.joinPath(prompt, '..');
  const places = new Places(closedGate, sources.folders());
  const around = places.folders.filter(({ uri: root }) => source === 'user' || isIn(prompt, root));
  let room = maxLength;
  for (const { path, isSure } of referencesIn(file.body)) {
    const bases = [...(path.startsWith('/') ? [] : [own]), ...around.map(({ uri: root }) => root)];
    let found: 'absent' | 'closed' | readonly Attachment[] = 'absent';
    for (const base of bases) {
      const place = vscode.Uri.joinPath(base, path);
      const isOwn = source === 'user' && isIn(place, own);
      if (!(await isThere(place))) continue;
      found = 'closed';
      if (!isOwn && (await places.describe(place)).closed !== undefined) continue;
      const one = await sources.file(place);
      if (one.ok) found = one.value;
      break;
    }
    const known = [...attached, ...files];
    const news =
      typeof found === 'string' ? [] : found.filter((one) => !known.some((old) => isSame(old, one)));
    const length = news.reduce((sum, { text }) => sum + text.length, 0);
    if (typeof found === 'string' ? isSure || found === 'closed' : length > room) missing.push(path);
    else {
      files.push(...news);
      room -= length;
    }
  }
  return { files, missing };
}

function isSame(one: AttachmentSummary, other: AttachmentSummary): boolean {
  return one.uri === other.uri && one.range === undefined && other.range === undefined;
}

async function isThere(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}
