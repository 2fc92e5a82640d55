/**
 * Fetches ahead what tests and `npm start` would fetch when first needed: `fetch.ts [1.139] [browser] [mcp] [codex] [ripgrep] [vsce] [1.106]`. Without
 * names what `npm test` needs, or all of it where everything is tested (`CI` is set).
 */
import { fetchBrowser } from './fetchBrowser.ts';
import { fetchCodex } from './fetchCodex.ts';
import { fetchMcpServer, fetchVsce } from './fetchLocked.ts';
import { fetchRipgrep } from './fetchRipgrep.ts';
import { fetchVsCode } from './fetchVsCode.ts';
import { ProblemForPerson, tellAndFail } from './problem.ts';

const parts: Readonly<Record<string, () => Promise<string>>> = {
  '1.139': async () => (await fetchVsCode('1.139')).main,
  browser: async () => {
    const { title, executable } = await fetchBrowser();
    return `${title}: ${executable}`;
  },
  mcp: fetchMcpServer,
  codex: fetchCodex,
  ripgrep: fetchRipgrep,
  vsce: fetchVsce,
  '1.106': async () => (await fetchVsCode('1.106')).main,
};

function usual(): readonly string[] {
  return process.env['CI'] === undefined ? ['1.139', 'browser', 'mcp'] : Object.keys(parts);
}

async function main(names: readonly string[]): Promise<void> {
  for (const name of names.length > 0 ? names : usual()) {
    const part = parts[name];
    if (!part)
      throw new ProblemForPerson(`There is no "${name}" to fetch, only: ${Object.keys(parts).join(', ')}.`);
    console.log(`${name}: ${await part()}`);
  }
}

await main(process.argv.slice(2)).catch(tellAndFail);
