/** Which files of host tests there are, in the order in which VS Codes take them. Must not know what is in them. */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { repository } from './places.ts';

const folder = path.join(repository, 'test/host');

/** They take long for their size: what takes longest is not to begin when all else is done. */
const longest = ['reviewFollow', 'terminal', 'leaks', 'applyCode', 'prompts', 'editsApply', 'reviewStack'];

/**
 * Left out of a short run in an older VS Code: they speak to it only in ways that other files do as well. The long run has them.
 */
const ageless: ReadonlySet<string> = new Set([
  'applyCode.host.ts',
  'asking.host.ts',
  'branches.host.ts',
  'changedFiles.host.ts',
  'chat.host.ts',
  'chatSession.host.ts',
  'composer.host.ts',
  'cost.host.ts',
  'costPanel.host.ts',
  'editsTool.host.ts',
  'filesDisk.host.ts',
  'filesFaults.host.ts',
  'filesLineEnds.host.ts',
  'kept.host.ts',
  'later.host.ts',
  'leaks.host.ts',
  'problems.host.ts',
  'prompts.host.ts',
  'readingGate.host.ts',
  'reviewFollow.host.ts',
  'reviewHunks.host.ts',
  'reviewStack.host.ts',
  'secretGuard.host.ts',
  'takeBack.host.ts',
  'toolsLoop.host.ts',
  'waiting.host.ts',
  'webSearch.host.ts',
]);

/** Names, those first that take longest. The list is read and not written, so that no file can be forgotten. */
export async function hostFiles(isShort: boolean): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter(
    (name) => name.endsWith('.host.ts') && !(isShort && ageless.has(name)),
  );
  const sized = await Promise.all(
    names.map(async (name) => ({
      name,
      isLong: longest.includes(name.slice(0, -'.host.ts'.length)),
      size: (await stat(path.join(folder, name))).size,
    })),
  );
  return sized
    .toSorted((a, b) => Number(b.isLong) - Number(a.isLong) || b.size - a.size)
    .map(({ name }) => name);
}
