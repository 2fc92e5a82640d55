/** Brings a server of the Model Context Protocol from npm, written by others. Must not know what is asked of it. */
import { access } from 'node:fs/promises';
import path from 'node:path';
import { fetchOnce } from './fetchOnce.ts';
import { npmInstall } from './npmInstall.ts';
import { mcpServerVersion } from './versions.ts';

const name = '@modelcontextprotocol/server-everything';

/** Path of the script that node runs. */
export async function fetchMcpServer(): Promise<string> {
  const title = `MCP server (${name} ${mcpServerVersion})`;
  const folder = await fetchOnce(
    { name: `mcp-server-${mcpServerVersion}`, recipe: 1, title },
    async (part) => {
      console.log(`${title}: fetching it from npm (once)`);
      await npmInstall({ folder: part, packages: [`${name}@${mcpServerVersion}`], title });
      await access(scriptIn(part));
    },
  );
  return scriptIn(folder);
}

function scriptIn(folder: string): string {
  return path.join(folder, 'node_modules', name, 'dist/index.js');
}
