/** Asks before many files are attached at once, and attaches them one after the other. What becomes of the chips is not known here. */
import * as vscode from 'vscode';

import { err } from '../../core/result.ts';
import { fewAtOnce } from '../edits/files/fewAtOnce.ts';
import { hasImageName } from './imageSource.ts';
import type { Attached } from './sources.ts';

/** So many are attached without a word. */
const unasked = 20;
/** Tokens of several up to which they are: more would fill a large part of the context window. */
const unaskedTokens = 200_000;
/** Each is a chip of its own, and is kept with the draft: of more, a folder is attached, which is one. */
const mostAtOnce = 200;
/** Tokens of an image, and bytes of a token of text, before anything is read. */
const imageTokens = 1_024;
const bytesOfToken = 4;

export interface ManyFiles {
  /** What is attached are the files themselves: how much that is, their sizes tell. */
  readonly isWhole: boolean;
}

/** Those that the person wants; undefined when they think better of it. */
export async function wantedOf(
  uris: readonly vscode.Uri[],
  { isWhole }: ManyFiles,
): Promise<readonly vscode.Uri[] | undefined> {
  if (uris.length < 2) return uris;
  const first = uris.slice(0, mostAtOnce);
  const sizes = isWhole ? await fewAtOnce(first, likelyTokens) : [];
  const tokens = sizes.reduce((sum, size) => sum + size, 0);
  if (uris.length <= unasked && tokens <= unaskedTokens) return uris;
  const { l10n } = vscode;
  const number = (count: number): string => count.toLocaleString(vscode.env.language);
  const label =
    first.length < uris.length
      ? l10n.t('The first {0} of {1}', number(first.length), number(uris.length))
      : l10n.t('All {0}', number(uris.length));
  const picked = await vscode.window.showQuickPick(
    [{ label, ...(isWhole && { description: l10n.t('about {0} tokens', number(tokens)) }) }],
    {
      title: l10n.t('Attach many files'),
      placeHolder: l10n.t('Each becomes a chip of its own. A folder becomes one chip.'),
    },
  );
  return picked === undefined ? undefined : first;
}

/** One after the other, for each may ask. Of many it is shown how far it is, and they can be called off. */
export async function attachMany(
  uris: readonly vscode.Uri[],
  make: (uri: vscode.Uri) => Attached,
  { isWhole }: ManyFiles = { isWhole: true },
): Promise<readonly { readonly uri: vscode.Uri; readonly result: Awaited<Attached> }[]> {
  const wanted = await wantedOf(uris, { isWhole });
  if (wanted === undefined) return [];
  const one = async (uri: vscode.Uri): Promise<{ uri: vscode.Uri; result: Awaited<Attached> }> => ({
    uri,
    result: await make(uri),
  });
  const results: Awaited<ReturnType<typeof one>>[] = [];
  if (wanted.length <= unasked) {
    for (const uri of wanted) results.push(await one(uri));
    return results;
  }
  return await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Attaching files'),
      cancellable: true,
    },
    async (progress, token) => {
      for (const uri of wanted) {
        if (token.isCancellationRequested) return [{ uri, result: err('cancelled') }];
        results.push(await one(uri));
        progress.report({ increment: 100 / wanted.length });
      }
      return results;
    },
  );
}

/** By the size alone; 0 of what is no file. */
async function likelyTokens(uri: vscode.Uri): Promise<number> {
  if (hasImageName(uri)) return imageTokens;
  return await vscode.workspace.fs.stat(uri).then(
    ({ type, size }) => ((type & vscode.FileType.File) === 0 ? 0 : Math.round(size / bytesOfToken)),
    () => 0,
  );
}
