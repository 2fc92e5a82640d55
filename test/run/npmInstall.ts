/**
 * Installs npm packages into a folder of their own, with the npm and the registry the person has set up. Runs no install scripts,
 * so that it does the same whatever npm allows. Must not know what the packages are for.
 */
import { spawn } from 'node:child_process';
import { access, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ProblemForPerson } from './problem.ts';
import { seconds } from './fetchOnce.ts';

export interface NpmInstall {
  readonly folder: string;
  /** `name@version`; none installs what the folder's package.json and lock say. */
  readonly packages: readonly string[];
  /** What a person calls it, in front of progress lines. */
  readonly title: string;
}

const tellEvery = 10_000;

/** Rejects with a `ProblemForPerson` that says what npm could not do, and why when that is known. */
export async function npmInstall(install: NpmInstall): Promise<void> {
  const manifest = path.join(install.folder, 'package.json');
  const hasManifest = await access(manifest).then(
    () => true,
    () => false,
  );
  if (!hasManifest) await writeFile(manifest, '{ "private": true }\n');

  // Each option that a surrounding `npm run`, the environment or an npmrc might have set otherwise is said outright.
  const options = [
    'install',
    ...install.packages,
    `--prefix=${install.folder}`,
    '--ignore-scripts',
    '--omit=dev',
    '--include=optional',
    '--global=false',
    '--workspaces=false',
    '--dry-run=false',
    '--package-lock=true',
    '--engine-strict=false',
    '--audit=false',
    '--fund=false',
    '--update-notifier=false',
    '--progress=false',
    '--loglevel=error',
  ];
  let result = await run(options, install);
  if (result.code !== 0 && isPassing(result.output)) {
    console.log(`${install.title}: the connection failed, trying once more`);
    result = await run(options, install);
  }
  if (result.code !== 0) throw failure(install, result.output);
}

function run(options: readonly string[], install: NpmInstall): Promise<{ code: number; output: string }> {
  const { command, first, shell } = npmCommand();
  const started = Date.now();
  const teller = setInterval(
    () => console.log(`${install.title}: still installing, ${seconds(started)}`),
    tellEvery,
  );
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, ...options], {
      cwd: install.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell,
    });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-20_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => {
      clearInterval(teller);
      reject(new ProblemForPerson(`npm could not be started (${error.message}). It must be on PATH.`));
    });
    child.on('close', (code) => {
      clearInterval(teller);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Under `npm run` the same npm again, whatever PATH says; otherwise the one on PATH. */
function npmCommand(): { command: string; first: string[]; shell: boolean } {
  const running = process.env['npm_execpath'];
  if (running !== undefined && /npm-cli\.[cm]?js$/.test(running)) {
    return { command: process.execPath, first: [running], shell: false };
  }
  return { command: 'npm', first: [], shell: process.platform === 'win32' };
}

/** Faults that may be gone a moment later. */
function isPassing(output: string): boolean {
  return /\b(ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|EAI_AGAIN|EPIPE|EINTEGRITY|E50\d)\b/.test(output);
}

function failure(install: NpmInstall, output: string): ProblemForPerson {
  const what = install.packages.length > 0 ? install.packages.join(', ') : `the packages of ${install.title}`;
  const causes: readonly [RegExp, string][] = [
    [
      /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH|EHOSTUNREACH)\b/,
      'npm could not reach its registry. Look at the network, and at the settings `registry`, `proxy` and `https-proxy` of npm.',
    ],
    [/\b(E404|ETARGET)\b/, "npm's registry does not have a package or version that is needed."],
    [
      /\b(E401|E403|ENEEDAUTH)\b/,
      "npm's registry refused the request; it may need a login or block the package.",
    ],
    [/\bENOSPC\b/, 'The disk is full: about 2 GB are needed.'],
    [/\b(EACCES|EPERM|EROFS)\b/, `Files could not be written in ${install.folder}.`],
    [/\bEINTEGRITY\b/, 'What arrived is not what was published. Try again after `npm cache verify`.'],
  ];
  const cause = causes.find(([pattern]) => pattern.test(output))?.[1] ?? 'npm failed.';
  const tail = output.trim().split('\n').slice(-12).join('\n  ');
  return new ProblemForPerson(`${install.title}: ${what} could not be installed. ${cause}\n  ${tail}`);
}
