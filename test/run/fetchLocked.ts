/** Brings programs written by others from npm, once, each with all that it needs in the versions of a lock. Must not know what is done with them. */
import { access, copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fetchOnce } from './fetchOnce.ts';
import { npmInstall } from './npmInstall.ts';
import { repository } from './places.ts';
import { mcpServerVersion, vsceVersion } from './versions.ts';

interface Locked {
  /** What people call it. */
  readonly what: string;
  /** Of the folder it is kept in, before the version. */
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** As of `fetchOnce`. */
  readonly recipe: number;
  /** Of all that it needs, by what others allow a range of versions; beneath `test/run`. To be made anew with its version. */
  readonly lock: string;
  /** What node runs, in its package. */
  readonly script: string;
}

/** The program that makes a VSIX: its packages are many, and only needed to package. Resolves with the path of its script. */
export function fetchVsce(): Promise<string> {
  return fetchLocked({
    what: 'vsce',
    folder: 'vsce',
    name: '@vscode/vsce',
    version: vsceVersion,
    recipe: 1,
    lock: 'vsce/package-lock.json',
    script: 'vsce',
  });
}

/** A server of the Model Context Protocol. Resolves with the path of its script. */
export function fetchMcpServer(): Promise<string> {
  return fetchLocked({
    what: 'MCP server',
    folder: 'mcp-server',
    name: '@modelcontextprotocol/server-everything',
    version: mcpServerVersion,
    recipe: 2,
    lock: 'mcpServer/package-lock.json',
    script: 'dist/index.js',
  });
}

async function fetchLocked(locked: Locked): Promise<string> {
  const { what, name, version, recipe } = locked;
  const title = `${what} (${name} ${version})`;
  const scriptIn = (folder: string): string => path.join(folder, 'node_modules', name, locked.script);
  const folder = await fetchOnce({ name: `${locked.folder}-${version}`, recipe, title }, async (part) => {
    console.log(`${title}: fetching it from npm (once)`);
    const manifest = { private: true, dependencies: { [name]: version } };
    await writeFile(path.join(part, 'package.json'), JSON.stringify(manifest));
    await copyFile(path.join(repository, 'test/run', locked.lock), path.join(part, 'package-lock.json'));
    await npmInstall({ folder: part, packages: [], title });
    await access(scriptIn(part));
  });
  return scriptIn(folder);
}
