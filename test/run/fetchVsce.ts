/** Brings the program that makes a VSIX from npm, once: its packages are many, and only needed to package. Must not know what is packaged. */
import { access, copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fetchOnce } from './fetchOnce.ts';
import { npmInstall } from './npmInstall.ts';
import { repository } from './places.ts';
import { vsceVersion } from './versions.ts';

const name = '@vscode/vsce';
/** Of all that it needs, by what others allow a range of versions. To be made anew with its version. */
const lock = path.join(repository, 'test/run/vsce/package-lock.json');

/** Path of the script that node runs. */
export async function fetchVsce(): Promise<string> {
  const title = `vsce (${name} ${vsceVersion})`;
  const folder = await fetchOnce({ name: `vsce-${vsceVersion}`, recipe: 1, title }, async (part) => {
    console.log(`${title}: fetching it from npm (once)`);
    const manifest = { private: true, dependencies: { [name]: vsceVersion } };
    await writeFile(path.join(part, 'package.json'), JSON.stringify(manifest));
    await copyFile(lock, path.join(part, 'package-lock.json'));
    await npmInstall({ folder: part, packages: [], title });
    await access(scriptIn(part));
  });
  return scriptIn(folder);
}

function scriptIn(folder: string): string {
  return path.join(folder, 'node_modules', name, 'vsce');
}
