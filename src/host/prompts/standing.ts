/** The standing instructions that hold for a question: the person's own, and those of files that stand for it in the workspace. */
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';

import { weighed } from '../context/attachmentTokens.ts';
import {
  changedRulesHeading,
  goneRulesHeading,
  ownRulesHeading,
  rulesCutOff,
  rulesHeading,
} from '../../core/conversation/ruleTexts.ts';
import type { Attachment } from '../../core/conversation/userMessage.ts';
import { cutAt } from '../../core/cutAt.ts';
import type { Refusal } from '../../core/tools/readingPorts.ts';
import { openDocument } from '../edits/files/documentText.ts';
import { closedGate, Places } from '../tools/places.ts';
import { readText } from '../tools/readText.ts';
import { ownRulesUri } from './promptUris.ts';

/** Instructions, with what tells one wording from another: empty where there are none any more. */
export type Rules = Attachment & { readonly digest: string };

/** Instructions of a file that is there, and that may not or can't be read. */
export interface SkippedRules {
  /** As people are shown it. */
  readonly path: string;
  readonly why: 'ignored' | 'leadsOut' | 'unreadable';
}

export interface Standing {
  readonly rules: readonly Rules[];
  readonly skipped: readonly SkippedRules[];
}

export interface StandingParts {
  readonly own: string;
  readonly folders: readonly vscode.WorkspaceFolder[];
  readonly trusted: boolean;
}

/** Most folders from a file up to its workspace folder that are looked into. */
const mostFolders = 64;
/** In UTF-16 units. They go with each conversation without being looked at. */
const longest = 100_000;

const agentsFile = 'AGENTS.md';
const copilotFile = '.github/copilot-instructions.md';

/**
 * Those of the files that are nearest to what the question is about first. Empty ones stand there too, for a conversation may have been
 * told what they said before.
 * @param near the files and folders that it is about; of folders, what is in them
 */
export async function standingRules(near: readonly Near[], parts: StandingParts): Promise<Standing> {
  const { own, folders, trusted } = parts;
  const rules = [ownRules(own)];
  const skipped: SkippedRules[] = [];
  // Somebody else's words: they say nothing before the person trusts their folder.
  if (!trusted) return { rules, skipped };
  const places = new Places(closedGate, folders);
  const add = async (root: number, relative: string, folder: string): Promise<void> => {
    const found = await fileRules(root, relative, folder, places);
    if (found === undefined) return;
    if ('why' in found) skipped.push(found);
    else rules.push(found);
  };
  for (const { root, folder } of foldersOf(near, places))
    await add(root, folder === '' ? agentsFile : `${folder}/${agentsFile}`, folder);
  for (const root of rootsOf(near, places)) await add(root, copilotFile, '');
  return { rules, skipped };
}

/** What a person is told of instructions that are not sent, and what they can do about it. */
export function skippedText({ path, why }: SkippedRules): string {
  const { l10n } = vscode;
  switch (why) {
    case 'ignored':
      return l10n.t('{0} is not sent: ignore rules keep it from being read. Attach it to send it.', path);
    case 'leadsOut':
      return l10n.t(
        '{0} is not sent: it is a link that leads out of the workspace. Attach it to send it.',
        path,
      );
    case 'unreadable':
      return l10n.t('{0} is not sent: it can’t be read as text.', path);
  }
}

export interface Near {
  readonly uri: vscode.Uri;
  readonly isFolder: boolean;
}

/** A file of instructions that a conversation was told of is no longer there. */
export async function isGone(uri: vscode.Uri, { folders, trusted }: StandingParts): Promise<boolean> {
  const places = new Places(closedGate, folders);
  if (!trusted || places.pathOf(uri) === undefined) return false;
  return !(await isThere(uri));
}

function ownRules(written: string): Rules {
  const text = written.trim();
  return made({
    uri: ownRulesUri,
    path: vscode.l10n.t('Your instructions'),
    heading: ownRulesHeading,
    text,
  });
}

async function fileRules(
  root: number,
  relative: string,
  folder: string,
  places: Places,
): Promise<Rules | SkippedRules | undefined> {
  const rootUri = places.folders[root]?.uri;
  if (rootUri === undefined) return undefined;
  const uri = vscode.Uri.joinPath(rootUri, relative);
  const path = places.pathOf(uri)?.display;
  if (path === undefined || !(await isThere(uri))) return undefined;
  const found = await places.locate(path, 'file');
  const read = found.ok ? await readText(found.value) : found;
  if (!read.ok) return { path, why: reasonOf(read.error) };
  // In one of several workspace folders they hold for that one alone.
  const several = places.folders.length > 1;
  const about = several ? places.pathOf(vscode.Uri.joinPath(rootUri, folder))?.display : folder;
  const heading = rulesHeading(path, about ?? folder);
  return made({
    uri: uri.toString(),
    path,
    heading,
    text: read.value.text.replaceAll('\r\n', '\n').trim(),
  });
}

function reasonOf({ kind }: Refusal): SkippedRules['why'] {
  return kind === 'ignored' || kind === 'leadsOut' ? kind : kind === 'protected' ? 'ignored' : 'unreadable';
}

/** What is said of instructions that no longer hold, in the place of what they said. */
export function gone({ uri, path }: Pick<Attachment, 'uri' | 'path'>): Rules {
  return made({
    uri,
    path,
    heading: goneRulesHeading(path),
    text: '',
  });
}

/** As the model is told them in the place of what it was told before. */
export function inPlaceOfEarlier(rules: Rules): Rules {
  if (rules.changed !== true) return rules;
  if (rules.digest === '') return withTokens({ ...gone(rules), changed: true });
  return withTokens({ ...rules, heading: changedRulesHeading(rules.heading ?? '') });
}

function withTokens({ tokens: _, ...rules }: Rules): Rules {
  return { ...rules, ...weighed(rules) };
}

function made({
  uri,
  path,
  heading,
  text,
}: Required<Pick<Attachment, 'uri' | 'path' | 'heading' | 'text'>>): Rules {
  const kept = text.length > longest ? `${cutAt(text, longest)}\n${rulesCutOff}` : text;
  return withTokens({
    id: `rules-${digestOf(uri)}`,
    kind: 'instructions',
    path,
    uri,
    languageId: 'markdown',
    heading,
    text: kept,
    digest: kept === '' ? '' : digestOf(kept),
  });
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

async function isThere(uri: vscode.Uri): Promise<boolean> {
  // Unsaved text counts as the file.
  if (openDocument(uri)?.isDirty === true) return true;
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

interface FolderAt {
  readonly root: number;
  /** Without a slash behind; empty for the workspace folder itself. */
  readonly folder: string;
}

/** From each of them up to its workspace folder, the deepest first. */
function foldersOf(near: readonly Near[], places: Places): readonly FolderAt[] {
  const found = new Map<string, FolderAt>();
  const add = (at: FolderAt): void => void found.set(`${at.root} ${at.folder}`, at);
  for (const { uri, isFolder } of near) {
    const path = places.pathOf(uri);
    if (path === undefined) continue;
    const names = path.relative.split('/').filter((name) => name !== '');
    const folders = isFolder ? names : names.slice(0, -1);
    for (let depth = Math.min(folders.length, mostFolders); depth > 0; depth -= 1)
      add({ root: path.root, folder: folders.slice(0, depth).join('/') });
  }
  for (const root of rootsOf(near, places)) add({ root, folder: '' });
  const depthOf = ({ folder }: FolderAt): number => (folder === '' ? 0 : folder.split('/').length);
  return [...found.values()].toSorted((a, b) => depthOf(b) - depthOf(a));
}

/** The workspace folders that it is about; all of them when that is none. */
function rootsOf(near: readonly Near[], places: Places): readonly number[] {
  const roots = new Set(near.flatMap(({ uri }) => places.pathOf(uri)?.root ?? []));
  return roots.size > 0 ? [...roots].toSorted((a, b) => a - b) : places.folders.map((_, index) => index);
}
