/** Brings ripgrep from npm, a search written by others. Must not know what it is compared with. */
import { access } from 'node:fs/promises';
import path from 'node:path';
import { fetchOnce } from './fetchOnce.ts';
import { npmInstall } from './npmInstall.ts';
import { ripgrepVersion } from './versions.ts';

/** Path of the native binary. */
export async function fetchRipgrep(): Promise<string> {
  const title = `ripgrep (@vscode/ripgrep ${ripgrepVersion})`;
  const folder = await fetchOnce({ name: `ripgrep-${ripgrepVersion}`, recipe: 1, title }, async (part) => {
    console.log(`${title}: fetching it from npm (once)`);
    await npmInstall({ folder: part, packages: [`@vscode/ripgrep@${ripgrepVersion}`], title });
    await access(binaryIn(part));
  });
  return binaryIn(folder);
}

function binaryIn(folder: string): string {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  return path.join(folder, `node_modules/@vscode/ripgrep-${process.platform}-${process.arch}/bin`, name);
}
