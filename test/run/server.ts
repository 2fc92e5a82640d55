/** Starts a real VS Code server and says under which address it shows what. Must not know the extension or the tests. */
import { randomBytes } from 'node:crypto';
import {
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { fetchVsCode } from './fetchVsCode.ts';
import { ProblemForPerson } from './problem.ts';
import { startGroup } from './processGroup.ts';
import type { VsCodeVersion } from './versions.ts';

export interface ServerOptions {
  readonly version?: VsCodeVersion;
  /** What the person has in settings.json, over `quietSettings`. Without it, what is in `dataFolder` stays as it is. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** A free one by default. */
  readonly port?: number;
  /** For people: without one, every user of the machine could open a terminal through the server. Tests go without. */
  readonly token?: string;
  /** Keeps settings and state from one start to the next; by default they live in a temporary folder. */
  readonly dataFolder?: string;
  /** Folders of extensions to install beside the one under development, which can be only one. */
  readonly install?: readonly string[];
  /** Added to the environment of the server, and so of the extension host and of terminals. */
  readonly env?: Readonly<Record<string, string>>;
  /** Modules that are loaded before VS Code's own code, in the server and in its extension hosts. */
  readonly preload?: readonly string[];
  /**
   * All of VS Code's own extensions by default; `plain` leaves out those that run code, Git aside: the language servers take more time
   * than all else in a window.
   */
  readonly builtIn?: BuiltIn;
}

export type BuiltIn = 'all' | 'plain';

export interface WhatToOpen {
  /** Absolute paths on this machine. */
  readonly folder?: string;
  /** In the place of a folder: a `.code-workspace` file. */
  readonly workspace?: string;
  /** Folder of the extension under development. */
  readonly extension?: string;
  /** A file to open, at a line (one-based) when given. */
  readonly file?: { readonly path: string; readonly line?: number };
  /** A CommonJS module whose `run()` is called in the extension host, which ends afterwards. */
  readonly tests?: string;
}

export interface VsCodeServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** As `vscode.version` reports it. */
  readonly exactVersion: string;
  /** Settings, logs, storage. */
  readonly dataFolder: string;
  address(what: WhatToOpen): string;
  output(): string;
  /** Called when an extension host has ended otherwise than by itself, with a line that says how. */
  onHostCrash(listener: (how: string) => void): void;
  /** Settles when the server has ended, asked to or not. */
  readonly exited: Promise<void>;
  /** Ends all processes and removes the temporary folder. May be called again. */
  stop(): Promise<void>;
}

/** Settings in which VS Code stays out of the way: nothing looked up, nothing greeted, no chat of its own. */
export const quietSettings: Readonly<Record<string, unknown>> = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'telemetry.telemetryLevel': 'off',
  'typescript.disableAutomaticTypeAcquisition': true,
  'update.mode': 'none',
  'workbench.enableExperiments': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/**
 * By default the model names a conversation after its first answer, with one more request. Tests say which answer each request gets and
 * count requests: those that are not about titles go without, those that are say `model`.
 */
const withoutTitles: Readonly<Record<string, unknown>> = { 'kimiChat.titles': 'firstWords' };

const startLimit = 60_000;

/** Fetches that VS Code first when it is missing. Rejects with a `ProblemForPerson` when it does not start. */
export async function startServer(options: ServerOptions = {}): Promise<VsCodeServer> {
  const files = await fetchVsCode(options.version ?? '1.139');
  const temporary =
    options.dataFolder === undefined ? await mkdtemp(path.join(tmpdir(), 'kimi-chat-vscode-')) : undefined;
  const dataFolder = options.dataFolder ?? temporary ?? '';
  const settingsFile = path.join(dataFolder, 'user/User/settings.json');
  await mkdir(path.dirname(settingsFile), { recursive: true });
  if (options.settings !== undefined || temporary !== undefined) {
    await writeFile(
      settingsFile,
      JSON.stringify({ ...quietSettings, ...withoutTitles, ...options.settings }, null, 2),
    );
  }
  const extensionsFolder = path.join(dataFolder, 'extensions');
  await installExtensions(options.install ?? [], extensionsFolder);
  const builtIn = path.join(dataFolder, 'built-in');
  if (options.builtIn === 'plain') await linkPlainExtensions(files.extensions, builtIn);

  const group = startGroup(
    files.node,
    [
      ...[path.join(import.meta.dirname, 'secretKey.mjs'), ...(options.preload ?? [])].map(
        (file) => `--import=${pathToFileURL(file).href}`,
      ),
      files.main,
      '--host=127.0.0.1',
      `--port=${options.port ?? 0}`,
      ...(options.token === undefined
        ? ['--without-connection-token']
        : [`--connection-token=${options.token}`]),
      '--accept-server-license-terms',
      // Otherwise a built workbench ignores the development extension and the tests in its address.
      '--enable-smoke-test-driver',
      '--disable-telemetry',
      `--server-data-dir=${path.join(dataFolder, 'server')}`,
      `--user-data-dir=${path.join(dataFolder, 'user')}`,
      `--extensions-dir=${extensionsFolder}`,
      ...(options.builtIn === 'plain' ? [`--builtin-extensions-dir=${builtIn}`] : []),
    ],
    { env: { ...withoutOuterVsCode(), ...options.env } },
  );
  const stop = async (): Promise<void> => {
    await group.stop();
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const port = await started(group, options.port);
    const host = `127.0.0.1:${port}`;
    return {
      origin: `http://${host}`,
      exactVersion: files.exactVersion,
      dataFolder,
      address: (what) => addressOf(host, options.token, what),
      output: group.output,
      onHostCrash: (listener) => {
        let rest = '';
        group.onOutput((text) => {
          const lines = (rest + text).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) if (isHostCrash(line)) listener(line);
        });
      },
      exited: group.exited,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What is in VS Code's folder of extensions at its very first start is taken as installed. */
export async function installExtensions(folders: readonly string[], into: string): Promise<void> {
  for (const folder of folders) {
    await cp(folder, path.join(into, path.basename(folder)), { recursive: true });
  }
}

/**
 * They stay with all they contribute, so that the browser does not take its own of the same name in their place; what would run is no
 * longer named.
 */
async function linkPlainExtensions(from: string, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  for (const name of await readdir(from)) {
    const [source, target] = [path.join(from, name), path.join(into, name)];
    const text = await readFile(path.join(source, 'package.json'), 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const { main, browser, activationEvents, ...rest } = JSON.parse(text) as Record<string, unknown>;
    if ((main === undefined && browser === undefined) || name === 'git' || name === 'git-base') {
      await link(source, target);
      continue;
    }
    await mkdir(target, { recursive: true });
    for (const part of await readdir(source)) {
      if (part !== 'package.json') await link(path.join(source, part), path.join(target, part));
    }
    await writeFile(
      path.join(target, 'package.json'),
      JSON.stringify({ ...rest, extensionKind: ['workspace'] }),
    );
  }
}

/** A file is copied: not everybody may make links to files on Windows. */
async function link(from: string, to: string): Promise<void> {
  if ((await stat(from)).isFile()) return copyFile(from, to);
  await symlink(from, to, 'junction').catch((error: unknown) => {
    // From an earlier start with the same data.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
}

function isHostCrash(line: string): boolean {
  const match = /Extension Host Process exited with code: (\w+), signal: (\w+)/.exec(line);
  return match !== null && (match[1] !== '0' || match[2] !== 'null');
}

/** A secret for a person's address. */
export function newToken(): string {
  return randomBytes(16).toString('hex');
}

/** Started from a terminal of VS Code, the variables of that one would confuse ours. */
export function withoutOuterVsCode(): Record<string, undefined> {
  const names = Object.keys(process.env).filter(
    (name) => name.startsWith('VSCODE_') || name === 'ELECTRON_RUN_AS_NODE' || name === 'NODE_OPTIONS',
  );
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

function started(group: ReturnType<typeof startGroup>, wanted: number | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(limit);
      const taken = /EADDRINUSE/.test(group.output());
      reject(
        new ProblemForPerson(
          taken
            ? `Port ${wanted} is taken, perhaps by an earlier start. Choose another one with --port N.`
            : `VS Code's server ${why}. It printed:\n${group.output().slice(-4000)}`,
        ),
      );
    };
    const limit = setTimeout(() => fail(`was not ready after ${startLimit / 1000} s`), startLimit);
    void group.exited.then(() => fail('ended while it started'));
    group.onOutput(() => {
      const text = group.output();
      // It stays up without listening to anybody.
      if (/EADDRINUSE|EACCES: permission denied/.test(text)) return fail('could not listen');
      if (!text.includes('Extension host agent started')) return;
      const port = /Extension host agent listening on (\d+)/.exec(text)?.[1];
      if (port === undefined) return;
      clearTimeout(limit);
      resolve(Number(port));
    });
  });
}

function addressOf(host: string, token: string | undefined, what: WhatToOpen): string {
  const remote = (file: string): string => `vscode-remote://${host}${pathToFileURL(file).pathname}`;
  const payload: [string, string][] = [
    ['skipWelcome', 'true'],
    ['skipReleaseNotes', 'true'],
  ];
  if (what.extension !== undefined) payload.push(['extensionDevelopmentPath', remote(what.extension)]);
  if (what.tests !== undefined) payload.push(['extensionTestsPath', remote(what.tests)]);
  if (what.file) {
    const { path: file, line } = what.file;
    payload.push(['openFile', remote(file) + (line === undefined ? '' : `:${line}`)]);
    if (line !== undefined) payload.push(['gotoLineMode', 'true']);
  }
  const query = new URLSearchParams();
  if (token !== undefined) query.set('tkn', token);
  if (what.folder !== undefined) query.set('folder', pathToFileURL(what.folder).pathname);
  if (what.workspace !== undefined) query.set('workspace', pathToFileURL(what.workspace).pathname);
  query.set('payload', JSON.stringify(payload));
  return `http://${host}/?${query}`;
}
