/** A chip of a folder: the names of its files, or their texts. How much that is the person is told before it is taken. */
import { posix } from 'node:path';
import * as vscode from 'vscode';

import type { CancelSignal } from '../../core/cancel.ts';
import { fileSection, folderNames, folderTexts } from '../../core/conversation/contextTexts.ts';
import type { Attachment } from '../../core/conversation/userMessage.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Listing } from '../../core/tools/readingPorts.ts';
import { labelOf } from '../../core/workspacePath.ts';
import { openDocument } from '../edits/files/documentText.ts';
import { fewAtOnce } from '../edits/files/fewAtOnce.ts';
import { listFiles } from '../tools/listing.ts';
import { closedGate, Places } from '../tools/places.ts';
import { attachmentTokens } from './attachmentTokens.ts';
import { foldersOf, pathOf, withLineFeeds, type SourceParts } from './describe.ts';
import { bytesOf } from './fileSource.ts';
import { maxLength, type AttachProblem } from './problem.ts';
import { textIn } from './textNow.ts';

export type FolderForm = 'listing' | 'whole';

/** Most names that are listed; of the others it is said how many are where. */
const maxNames = 3_000;
/** Most files that are looked at for their texts. */
const maxFiles = 5_000;
/** A file that is longer is only named, in UTF-16 units. */
const maxFileLength = 200_000;
/** In UTF-16 units, some 60,000 tokens: so much is attached without asking. */
const unasked = 200_000;

interface Folder {
  readonly uri: vscode.Uri;
  /** As a person names it, without a slash behind. */
  readonly path: string;
  readonly listing: Listing;
  /** Where a listed file is. */
  readonly at: (file: string) => vscode.Uri;
}

interface Texts {
  /** Each with its name. */
  readonly sections: readonly string[];
  readonly leftOut: readonly string[];
  /** There are more files than fit. */
  readonly isCut: boolean;
}

/** Of a chip of either form. */
export interface FolderTokens {
  readonly names: number;
  /** Absent where no text can be read, or where they are more than fits: then it is asked what to attach. */
  readonly texts?: number;
}

/** What attaching a folder would take, told to nobody. Undefined where nothing of it can be attached, or after an abort. */
export async function folderTokens(
  uri: vscode.Uri,
  parts: SourceParts & { readonly worker: string; readonly signal: CancelSignal },
): Promise<FolderTokens | undefined> {
  const gathered = await gather(uri, 'whole', parts);
  if (!gathered.ok) return undefined;
  const { folder, texts } = gathered.value;
  const names = attachmentTokens(listingChip(folder, parts));
  return texts === undefined || texts.isCut || texts.sections.length === 0
    ? { names }
    : { names, texts: attachmentTokens(wholeChip(folder, texts, parts)) };
}

export function aboutTokens(count: number): string {
  return vscode.l10n.t('about {0} tokens', count.toLocaleString(vscode.env.language));
}

export async function attachFolder(
  uri: vscode.Uri,
  form: FolderForm | undefined,
  parts: SourceParts & { readonly worker: string },
): Promise<Result<readonly Attachment[], AttachProblem>> {
  const gathered = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Reading {0}', pathOf(uri, parts)),
      cancellable: true,
    },
    (_, cancelled) => gather(uri, form, { ...parts, signal: signalOf(cancelled) }),
  );
  if (!gathered.ok) return gathered;
  const { folder, texts } = gathered.value;
  const listing = listingChip(folder, parts);
  if (texts === undefined) return ok([listing]);
  const whole = texts.sections.length === 0 ? undefined : wholeChip(folder, texts, parts);
  if (form === 'whole' && whole !== undefined && !texts.isCut && whole.text.length <= unasked)
    return ok([whole]);
  const chosen = await choose(folder, { listing, whole, texts });
  return chosen === undefined ? err('cancelled') : ok([chosen]);
}

async function gather(
  uri: vscode.Uri,
  form: FolderForm | undefined,
  parts: SourceParts & { readonly worker: string; readonly signal: CancelSignal },
): Promise<Result<{ readonly folder: Folder; readonly texts?: Texts }, AttachProblem>> {
  const type = await vscode.workspace.fs.stat(uri).then(
    (stat) => stat.type,
    () => undefined,
  );
  if (type === undefined) return err('missing');
  if ((type & vscode.FileType.Directory) === 0) return err('notFolder');
  const folder = await walk(uri, parts);
  if (parts.signal.aborted) return err('cancelled');
  if (folder === undefined) return err('missing');
  if (folder.listing.files.length === 0) return err('emptyFolder');
  if (form === 'listing') return ok({ folder });
  const texts = await readTexts(folder, parts.signal);
  return parts.signal.aborted ? err('cancelled') : ok({ folder, texts });
}

/** By the rules of the workspace; a folder outside of it, or one that they leave out, by its own: somebody who names it wants what is in it. */
async function walk(
  uri: vscode.Uri,
  parts: SourceParts & { readonly worker: string; readonly signal: CancelSignal },
): Promise<Folder | undefined> {
  const { worker, signal } = parts;
  const request = { pattern: undefined, limit: Math.max(maxNames, maxFiles) };
  const path = pathOf(uri, parts);
  const places = new Places(closedGate, foldersOf(parts));
  const at = places.pathOf(uri);
  const root = at && places.folders[at.root];
  if (at !== undefined && root !== undefined) {
    const found = await listFiles({ ...request, folder: at.display }, { places, worker, signal });
    const prefix = places.roots.length > 1 ? `${labelOf(places.roots[at.root]!, places.roots)}/` : '';
    if (found.ok) {
      return {
        ...{ uri, path: at.display === '.' ? root.name : at.display, listing: found.value },
        at: (file) => vscode.Uri.joinPath(root.uri, file.slice(prefix.length)),
      };
    }
  }
  const alone = { uri, name: posix.basename(uri.path), index: 0 };
  const own = new Places(closedGate, [alone]);
  const found = await listFiles({ ...request, folder: '.' }, { places: own, worker, signal });
  if (!found.ok) return undefined;
  return { uri, path, listing: found.value, at: (file) => vscode.Uri.joinPath(uri, file) };
}

async function readTexts({ listing, at }: Folder, signal: CancelSignal): Promise<Texts> {
  const sections: string[] = [];
  const leftOut: string[] = [];
  const files = listing.files.slice(0, maxFiles);
  let length = 0;
  let isCut = listing.total > files.length;
  for (let from = 0; from < files.length && !isCut && !signal.aborted; from += 16) {
    const read = await fewAtOnce(files.slice(from, from + 16), async (file) => ({
      file,
      text: await readFile(at(file)),
    }));
    for (const { file, text } of read) {
      if (text === undefined) {
        leftOut.push(file);
        continue;
      }
      const section = fileSection(file, text);
      if (length + section.length > maxLength) {
        isCut = true;
        break;
      }
      length += section.length;
      sections.push(section);
    }
  }
  return { sections, leftOut, isCut };
}

/** Undefined for what is no text, or too much. */
async function readFile(uri: vscode.Uri): Promise<string | undefined> {
  const open = openDocument(uri);
  if (open?.isDirty === true) return shortEnough(open.getText());
  const bytes = await bytesOf(uri);
  const text = bytes.ok ? await textIn(bytes.value, uri) : undefined;
  return text === undefined ? undefined : shortEnough(text);
}

function shortEnough(text: string): string | undefined {
  return text.length > maxFileLength ? undefined : withLineFeeds(text);
}

function listingChip({ uri, path, listing }: Folder, { newId }: SourceParts): Attachment {
  const names = { ...listing, path, files: listing.files.slice(0, maxNames) };
  return {
    ...{ id: newId(), kind: 'folder', path: vscode.l10n.t('{0}/ (names)', path), uri: uri.toString() },
    languageId: 'plaintext',
    ...folderNames(names),
  };
}

function wholeChip({ uri, path }: Folder, texts: Texts, { newId }: SourceParts): Attachment {
  return {
    ...{ id: newId(), kind: 'folder', path: vscode.l10n.t('{0}/ (texts)', path), uri: uri.toString() },
    languageId: 'markdown',
    ...folderTexts({ path, ...texts }),
  };
}

/** What is to be attached; undefined when the person thinks better of it. */
async function choose(
  { path, listing }: Folder,
  {
    listing: names,
    whole,
    texts,
  }: {
    readonly listing: Attachment;
    readonly whole: Attachment | undefined;
    readonly texts: Texts;
  },
): Promise<Attachment | undefined> {
  const { l10n } = vscode;
  const number = (count: number): string => count.toLocaleString(vscode.env.language);
  const tokens = (chip: Attachment): string => aboutTokens(attachmentTokens(chip));
  const files = number(texts.sections.length);
  const total = number(listing.total);
  const items: (vscode.QuickPickItem & { readonly chip: Attachment })[] = [
    { label: l10n.t('Names of its files'), description: tokens(names), chip: names },
  ];
  if (whole !== undefined) {
    items.push({
      label: texts.isCut
        ? l10n.t('As many texts as fit: {0} of {1} files', files, total)
        : l10n.t('Texts of its files: {0} of {1}', files, total),
      description: tokens(whole),
      chip: whole,
    });
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: l10n.t('Attach {0}', `${path}/`),
    placeHolder: l10n.t('What the model is to get of this folder'),
  });
  return picked?.chip;
}

function signalOf(token: vscode.CancellationToken): CancelSignal {
  const controller = new AbortController();
  token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
