/** Builds what ships and packs it. Knows neither what is in it nor how it is built: the manifest's own script does that. */
import { spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { fetchVsce } from './fetchLocked.ts';
import { ProblemForPerson } from './problem.ts';

export interface PackageOrder {
  /** A folder with everything of the project in it. */
  readonly from: string;
  /** The file to make; named after the version, in `from`, when absent. */
  readonly out?: string | undefined;
  /** Shows what vsce says while it works. */
  readonly print?: boolean;
}

/** Rejects with what vsce said. */
export async function makePackage({ from, out, print = false }: PackageOrder): Promise<void> {
  const options = [
    ...['package', '--no-dependencies', '--readme-path', 'dist/readme.md'],
    ...['--no-rewrite-relative-links', '--allow-missing-repository'],
    ...(out === undefined ? [] : ['--out', out]),
  ];
  const script = await fetchVsce();
  // It builds by the manifest's script, with the Node of this process.
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
  const { NODE_V8_COVERAGE: _, ...env } = process.env;
  const child = spawn(process.execPath, [script, ...options], {
    cwd: from,
    env: { ...env, PATH },
    stdio: print ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new ProblemForPerson(`The VSIX could not be made. ${said.slice(-4_000)}`);
}
