/**
 * The path under which VS Code gets the extension: a link to the repository. Given the repository itself, VS Code would take the
 * themes of its own extensions, fetched into a folder below, for themes of the extension, and select them.
 */
import { mkdir, readlink, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { repository, testFolder } from './places.ts';

/** Makes the link when it is not there. Returns its path. */
export async function extensionLink(): Promise<string> {
  const link = path.join(testFolder, 'extension');
  if (await leadsHere(link)) return link;
  await mkdir(testFolder, { recursive: true });
  await rm(link, { force: true });
  // Of all links to folders, a junction is the one that Windows lets everybody make.
  await symlink(repository, link, 'junction').catch(async (error: unknown) => {
    // Another run was faster.
    if (!(await leadsHere(link))) throw error;
  });
  return link;
}

async function leadsHere(link: string): Promise<boolean> {
  const target = await readlink(link).catch(() => undefined);
  return target !== undefined && path.resolve(target) === repository;
}
