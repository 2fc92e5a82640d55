/** Brings a server of the Model Context Protocol from npm, written by others. Must not know what is asked of it. */
import { access, copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fetchOnce } from './fetchOnce.ts';
import { npmInstall } from './npmInstall.ts';
import { repository } from './places.ts';
import { mcpServerVersion } from './versions.ts';

const name = '@modelcontextprotocol/server-everything';
/** Of all that it needs, by what others allow a range of versions. To be made anew with its version. */
const lock = path.join(repository, 'test/run/mcpServer/package-lock.json');

/** Path of the script that node runs. */
export async function fetchMcpServer(): Promise<string> {
  const title = `MCP server (${name} ${mcpServerVersion})`;
  const folder = await fetchOnce(
    { name: `mcp-server-${mcpServerVersion}`, recipe: 2, title },
    async (part) => {
      console.log(`${title}: fetching it from npm (once)`);
      const manifest = { private: true, dependencies: { [name]: mcpServerVersion } };
      await writeFile(path.join(part, 'package.json'), JSON.stringify(manifest));
      await copyFile(lock, path.join(part, 'package-lock.json'));
      await npmInstall({ folder: part, packages: [], title });
      await access(scriptIn(part));
    },
  );
  return scriptIn(folder);
}

function scriptIn(folder: string): string {
  return path.join(folder, 'node_modules', name, 'dist/index.js');
}
