/**
 * Where all windows of a workspace find the same. VS Code gives each window that has a workspace open a folder of its own: the first one that of
 * the workspace, further ones the same name with a number behind it, and so for a window that is loaded anew while its extension host still ends.
 * What is shared must be safe to be used by several at once. Pure.
 */
import { basename, dirname, join } from 'node:path';

/** @param storage the folder that VS Code gives an extension for the workspace: `…/<workspace>/<extension>` */
export function folderOfAllWindows(storage: string): string {
  const workspace = dirname(storage);
  const [, first] = /^(.*[0-9a-f]{6,})-[1-9]$/i.exec(basename(workspace)) ?? [];
  return first === undefined ? storage : join(dirname(workspace), first, basename(storage));
}
