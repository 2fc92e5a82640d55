/**
 * `npm start`: builds the extension and shows it in a real VS Code, against the simulator or the real service. Everything it
 * starts ends with it. Must not know what the extension does, beyond the name of the setting for the service's address.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startSimulator } from '../simulator/main.ts';
import { desktopArguments, fetchDesktop, hasDisplay } from './desktop.ts';
import { extensionLink } from './extensionLink.ts';
import { repository, testFolder } from './places.ts';
import { ProblemForPerson, tellAndFail } from './problem.ts';
import { startGroup } from './processGroup.ts';
import { installExtensions, newToken, quietSettings, startServer, withoutOuterVsCode } from './server.ts';
import { withSetting } from './settingsText.ts';
import { openableSample } from './workspace.ts';

const defaultPort = 47300;
const showPanel = path.join(import.meta.dirname, 'showPanel');

const help = `Shows Kimi Chat in a real VS Code. Needs no key: a simulator stands in for the service.

npm start -- [OPTIONS]

  --service      use the real service, with your own API key
  --desktop      use desktop VS Code (downloaded from Microsoft once) instead of VS Code in the browser
  --code PATH    use the desktop VS Code with this executable
  --debug N      let a debugger attach to the extension at this port, in desktop VS Code
  --folder PATH  open your own folder instead of a copy of the sample; what you accept there changes your files
  --keep         open the sample as you left it; without this it is as it was shipped
  --data PATH    keep the sample, settings and conversations in this folder
  --port N       use this port instead of ${defaultPort}
  --no-open      print the address, open no browser
  --help         print this

Ctrl+C ends everything it started.`;

interface Options {
  readonly service: boolean;
  readonly desktop: boolean;
  /** Of a desktop VS Code to use instead of one that is downloaded. */
  readonly executable: string | undefined;
  readonly debugPort: number | undefined;
  readonly folder: string | undefined;
  readonly keep: boolean;
  /** Absolute path. */
  readonly data: string;
  readonly port: number;
  readonly open: boolean;
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === 'help') return console.log(help);
  // What can be wrong with the options is said before anything of the person's is touched.
  const executable =
    options.executable === undefined ? undefined : await executableAt('--code', options.executable);
  const own = options.folder === undefined ? undefined : await folderAt(options.folder);

  const ends: (() => Promise<unknown>)[] = [];
  const asked = askedToEnd();
  try {
    await build();
    const folder = own ?? (await openableSample(path.join(options.data, 'sample'), options.keep));
    let simulator: { readonly url: string } | undefined;
    if (!options.service) {
      const started = await startSimulator({ mind: 'demo', auth: 'optional' });
      ends.push(() => started.close());
      simulator = started;
    }
    // Settings and conversations of one way of starting are not mixed with those of another.
    const name = `${simulator ? 'simulator' : 'service'}${options.desktop ? '-desktop' : ''}${options.folder === undefined ? '' : '-folder'}`;
    const dataFolder = path.join(options.data, name);
    await writeSettings(path.join(dataFolder, 'user/User/settings.json'), options, simulator?.url);
    const shown = options.desktop
      ? await showDesktop(folder, dataFolder, { ...options, executable }, ends)
      : await showInBrowser(folder, dataFolder, options, ends);
    console.log(
      simulator
        ? `Answers come from the simulator at ${simulator.url}: rules written down beforehand, no model, no key, no cost.`
        : 'Answers come from the real service. Set your key with "Kimi Chat: Set API Key" in the command palette.',
    );
    if (simulator && options.folder !== undefined) {
      console.log(
        'They are about the sample: of other folders it knows only what you attach, and little of that.',
      );
    }
    if (!simulator && !options.desktop) {
      console.log(
        'In the browser, your key is kept by the browser, under this address. Better:\n' +
          '  npm start -- --service --desktop\n' +
          'keeps it in the keychain of your system.',
      );
    }
    console.log('\nCtrl+C ends everything.');
    await Promise.race([shown.ended, asked]);
  } finally {
    for (const end of ends.toReversed()) await end();
  }
}

function readOptions(): Options | 'help' {
  const { values } = parseArgs({
    options: {
      service: { type: 'boolean', default: false },
      desktop: { type: 'boolean', default: false },
      code: { type: 'string' },
      debug: { type: 'string' },
      folder: { type: 'string' },
      keep: { type: 'boolean', default: false },
      data: { type: 'string' },
      port: { type: 'string' },
      'no-open': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const desktop = values.desktop || values.code !== undefined;
  if (values.debug !== undefined && !desktop) {
    throw new ProblemForPerson('--debug is for desktop VS Code: add --desktop, or --code PATH.');
  }
  return {
    service: values.service,
    desktop,
    executable: values.code,
    debugPort: values.debug === undefined ? undefined : portOf('--debug', values.debug),
    folder: values.folder,
    keep: values.keep,
    data: values.data === undefined ? path.join(testFolder, 'start') : fromPerson(values.data),
    port: values.port === undefined ? defaultPort : portOf('--port', values.port),
    open: !values['no-open'],
  };
}

function portOf(option: string, given: string): number {
  const port = Number(given);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new ProblemForPerson(`${option} takes a number from 1 to 65535, not ${given}.`);
}

/** Under npm, this process runs in the repository, wherever the person was. */
function fromPerson(file: string): string {
  return path.resolve(process.env['INIT_CWD'] ?? process.cwd(), file);
}

/** Its absolute path; a bare name is looked for on the `PATH`, as a shell does. */
async function executableAt(option: string, given: string): Promise<string> {
  const places = /[\\/]/.test(given)
    ? [fromPerson(given)]
    : [
        ...(process.env['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, given)),
        fromPerson(given),
      ];
  for (const place of places) {
    const isFile = await stat(place).then(
      (entry) => entry.isFile(),
      () => false,
    );
    if (!isFile) continue;
    const runs = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return place;
  }
  throw new ProblemForPerson(`${option} ${given}: there is no program ${places.at(-1)} that can be started.`);
}

async function folderAt(given: string): Promise<string> {
  const absolute = fromPerson(given);
  const isFolder = await stat(absolute).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new ProblemForPerson(`--folder ${given}: there is no folder ${absolute}.`);
  return realpath(absolute);
}

async function build(): Promise<void> {
  const started = Date.now();
  const code = await new Promise<number | null>((resolve, reject) => {
    spawn(process.execPath, ['esbuild.mjs'], { cwd: repository, stdio: 'inherit' })
      .on('error', reject)
      .on('close', resolve);
  });
  if (code !== 0) throw new ProblemForPerson('The extension could not be built; the reason stands above.');
  console.log(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

/** What a person changed is kept; only the service's address follows the simulator, whose port changes. */
async function writeSettings(
  file: string,
  options: Options,
  simulatorUrl: string | undefined,
): Promise<void> {
  const present = await readFile(file, 'utf8').catch(() => undefined);
  const text =
    present ??
    JSON.stringify(
      {
        ...quietSettings,
        // The sample is ours; a folder of one's own is asked about as ever.
        ...(options.folder === undefined && { 'security.workspace.trust.enabled': false }),
        'workbench.secondarySideBar.defaultVisibility': 'hidden',
      },
      null,
      2,
    );
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(
    file,
    simulatorUrl === undefined ? text : withSetting(text, 'kimiChat.baseUrl', simulatorUrl),
  );
}

type Ends = (() => Promise<unknown>)[];

interface Shown {
  /** Settles when VS Code has ended by itself; rejects when it should not have. */
  readonly ended: Promise<void>;
}

async function showInBrowser(
  folder: string,
  dataFolder: string,
  options: Options,
  ends: Ends,
): Promise<Shown> {
  const server = await startServer({
    port: options.port,
    token: await keptToken(options.data),
    dataFolder,
    install: [showPanel],
  });
  ends.push(() => server.stop());
  const address = server.address({
    folder,
    extension: await extensionLink(),
    ...(options.folder === undefined && { file: { path: path.join(folder, 'src/cart.ts'), line: 22 } }),
  });
  console.log(
    `\nVS Code ${server.exactVersion} with Kimi Chat, for you alone (the address holds a secret):\n\n  ${address}\n`,
  );
  if (options.open && hasDisplay() && process.env['CI'] === undefined) openInBrowser(address);
  const ended = server.exited.then(() => {
    throw new ProblemForPerson(
      `VS Code's server has ended. It printed last:\n${server.output().slice(-2000)}`,
    );
  });
  return { ended };
}

/** The same from start to start, so that an open tab finds its way back. */
async function keptToken(data: string): Promise<string> {
  const file = path.join(data, 'token');
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (/^[0-9a-f]{32}$/.test(kept)) return kept;
  const token = newToken();
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, token, { mode: 0o600 });
  return token;
}

/** The address is printed in any case, so it does not matter when this fails. */
function openInBrowser(address: string): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', address]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', address]
        : ['xdg-open', address];
  spawn(command ?? '', args, { stdio: 'ignore', detached: true })
    .on('error', () => console.log('It could not be opened in a browser: open it yourself.'))
    .unref();
}

async function showDesktop(folder: string, dataFolder: string, options: Options, ends: Ends): Promise<Shown> {
  const executable = options.executable ?? (await fetchDesktop('stable'));
  const extensionsFolder = path.join(dataFolder, 'extensions');
  await installExtensions([showPanel], extensionsFolder);
  const group = startGroup(
    executable,
    [
      folder,
      ...(options.folder === undefined ? ['--goto', `${path.join(folder, 'src/cart.ts')}:22`] : []),
      `--extensionDevelopmentPath=${await extensionLink()}`,
      ...desktopArguments(path.join(dataFolder, 'user'), extensionsFolder),
      ...(options.debugPort === undefined ? [] : [`--inspect-extensions=${options.debugPort}`]),
    ],
    { env: withoutOuterVsCode() },
  );
  ends.push(() => group.stop());
  console.log('\nDesktop VS Code with Kimi Chat opens in a window of its own.');
  const ended = group.exited.then(() => {
    if (/could not be started/.test(group.output())) throw new ProblemForPerson(group.output());
    console.log('VS Code was closed.');
  });
  if (options.debugPort !== undefined) await Promise.race([ended, debuggerListens(options.debugPort)]);
  return { ended };
}

/** Says so when a debugger can attach. The text is what `.vscode/tasks.json` waits for. */
async function debuggerListens(port: number): Promise<void> {
  while (!(await takesConnections(port))) await setTimeout(100);
  console.log(`A debugger can attach to 127.0.0.1:${port}.`);
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

/** Settles at the first Ctrl+C or its like; at the second, this process ends at once, and what it started ends with it. */
function askedToEnd(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(130);
        asked = true;
        console.log('\nEnding');
        resolve();
      });
    }
  });
}

await main().catch(tellAndFail);
