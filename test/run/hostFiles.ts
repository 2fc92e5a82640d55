/** Which files of host tests there are, and which VS Code runs which. Must not know what is in them. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { repository } from './places.ts';

const folder = path.join(repository, 'test/host');
const ending = '.host.ts';

/** Seconds that files took when they were last looked at, of those that take more than the others. */
const seconds: Readonly<Record<string, number>> = {
  applyCode: 19,
  attachments: 18,
  chatPanel: 14,
  completion: 13,
  composer: 10,
  editsApply: 33,
  editsDiff: 22,
  filesDisk: 13,
  filesFaults: 13,
  filesFull: 16,
  filesLineEnds: 13,
  leaks: 25,
  problems: 14,
  prompts: 26,
  reviewFollow: 44,
  reviewHunks: 10,
  reviewStack: 19,
  settings: 12,
  terminal: 27,
  toolsFiles: 21,
  waiting: 10,
};
/** Of all others. */
const usual = 4;

/** These ask language servers of VS Code's own, which only the first of several VS Codes has. */
const ofLanguages: ReadonlySet<string> = new Set(
  ['attachments', 'completion', 'contextSources', 'problems', 'toolsLanguage'].map((name) => name + ending),
);

/**
 * Left out of a short run in an older VS Code: they speak to it only in ways that other files do as well. The long run has them. What
 * stays meets what has changed since: tabs and diff editors, the panel, terminals, encodings, language features, search, trust in folders.
 */
const ageless: ReadonlySet<string> = new Set([
  'applyCode.host.ts',
  'asking.host.ts',
  'branches.host.ts',
  'changedFiles.host.ts',
  'chat.host.ts',
  'chatSession.host.ts',
  'completion.host.ts',
  'composer.host.ts',
  'contextSources.host.ts',
  'cost.host.ts',
  'costPanel.host.ts',
  'editsApply.host.ts',
  'editsTool.host.ts',
  'filesDisk.host.ts',
  'filesFaults.host.ts',
  'filesFull.host.ts',
  'filesLineEnds.host.ts',
  'kept.host.ts',
  'later.host.ts',
  'leaks.host.ts',
  'modes.host.ts',
  'problems.host.ts',
  'prompts.host.ts',
  'readingGate.host.ts',
  'reviewFollow.host.ts',
  'reviewHunks.host.ts',
  'reviewStack.host.ts',
  'secretGuard.host.ts',
  'takeBack.host.ts',
  'titles.host.ts',
  'toolsLoop.host.ts',
  'waiting.host.ts',
  'webSearch.host.ts',
]);

/**
 * The names of the files of each of `parts` VS Codes, which take about as long as one another; in the order of the alphabet. The list is
 * read and not written, so that no file can be forgotten. The same ones each time: what one leaves behind the next may stumble over.
 */
export async function hostFiles(isShort: boolean, parts: number): Promise<readonly (readonly string[])[]> {
  const names = (await readdir(folder)).filter(
    (name) => name.endsWith(ending) && !(isShort && ageless.has(name)),
  );
  const weighed = names.map((name) => ({ name, took: seconds[name.slice(0, -ending.length)] ?? usual }));
  const shares = Array.from({ length: parts }, () => ({ took: 0, names: [] as string[] }));
  const isFree = ({ name }: { readonly name: string }): number => (ofLanguages.has(name) ? 0 : 1);
  const inOrder = weighed.toSorted(
    (a, b) => isFree(a) - isFree(b) || b.took - a.took || (a.name < b.name ? -1 : 1),
  );
  for (const { name, took } of inOrder) {
    const [first] = shares;
    const least =
      first !== undefined && ofLanguages.has(name)
        ? first
        : shares.reduce((one, other) => (other.took < one.took ? other : one));
    least.took += took;
    least.names.push(name);
  }
  return shares.map((share) => share.names.toSorted());
}
