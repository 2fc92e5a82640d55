/** Fetches ahead what tests and `npm start` would fetch when first needed: `fetch.ts [1.139] [1.106] [browser] [codex]`. */
import { fetchBrowser } from './fetchBrowser.ts';
import { fetchCodex } from './fetchCodex.ts';
import { fetchVsCode } from './fetchVsCode.ts';
import { ProblemForPerson, tellAndFail } from './problem.ts';

const parts: Readonly<Record<string, () => Promise<string>>> = {
  '1.139': async () => (await fetchVsCode('1.139')).main,
  '1.106': async () => (await fetchVsCode('1.106')).main,
  browser: async () => {
    const { title, executable } = await fetchBrowser();
    return `${title}: ${executable}`;
  },
  codex: fetchCodex,
};

async function main(names: readonly string[]): Promise<void> {
  for (const name of names.length > 0 ? names : Object.keys(parts)) {
    const part = parts[name];
    if (!part)
      throw new ProblemForPerson(`There is no "${name}" to fetch, only: ${Object.keys(parts).join(', ')}.`);
    console.log(`${name}: ${await part()}`);
  }
}

await main(process.argv.slice(2)).catch(tellAndFail);
