/**
 * Brings a real VS Code server from npm: its web workbench and its Node extension host are those of the desktop.
 * Install scripts are not run, so what they would have built or downloaded is put in place here. Must not know who starts it.
 */
import { access, chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fetchOnce } from './fetchOnce.ts';
import { npmInstall } from './npmInstall.ts';
import { ownNode } from './places.ts';
import { ProblemForPerson } from './problem.ts';
import { parcelWatcherVersion, ripgrepVersion, vsCodePins } from './versions.ts';
import type { VsCodePin, VsCodeVersion } from './versions.ts';

export interface VsCodeServerFiles {
  readonly version: VsCodeVersion;
  /** As `vscode.version` reports it. */
  readonly exactVersion: string;
  /** The Node binary to run it with. */
  readonly node: string;
  /** The script that starts the server. */
  readonly main: string;
  /** The folder of VS Code's own extensions. */
  readonly extensions: string;
}

/** Resolves at once when it was fetched before. Rejects with a `ProblemForPerson` when it can't be had. */
export async function fetchVsCode(version: VsCodeVersion): Promise<VsCodeServerFiles> {
  const pin = vsCodePins[version];
  const node = await nodeFor(pin);
  const title = `VS Code ${pin.vscode}`;
  const folder = await fetchOnce({ name: `vscode-${pin.vscode}`, recipe: 2, title }, async (part) => {
    console.log(`${title}: fetching it from npm (once, some ${pin.megabytes} MB)`);
    await npmInstall({
      folder: part,
      packages: [`code-server@${pin.codeServer}`],
      title: `${title}, 1 of 3`,
    });
    const server = serverFolder(part);
    if (version === '1.106') await replaceGitDependency(server);
    await npmInstall({ folder: server, packages: [], title: `${title}, 2 of 3` });
    // What VS Code's own extensions share: the TypeScript server.
    await npmInstall({ folder: path.join(server, 'extensions'), packages: [], title: `${title}, 3 of 3` });
    await standInForWatchdog(server);
    await standInForLog(server);
    if (version === '1.106') await addRipgrep(part, server, title);
  });
  return {
    version,
    exactVersion: pin.vscode,
    node,
    main: path.join(serverFolder(folder), 'out/server-main.js'),
    extensions: path.join(serverFolder(folder), 'extensions'),
  };
}

function serverFolder(folder: string): string {
  return path.join(folder, 'node_modules/code-server/lib/vscode');
}

async function nodeFor(pin: VsCodePin): Promise<string> {
  if (pin.node === 'own') {
    if (Number.parseInt(process.versions.node, 10) === 24) return process.execPath;
    if (await exists(ownNode)) return ownNode;
    throw new ProblemForPerson(`VS Code ${pin.vscode} runs on Node 24, which is missing: run \`npm ci\`.`);
  }
  const { version } = pin.node;
  const name = nodePackage();
  const title = `Node ${version}`;
  const folder = await fetchOnce({ name: `node-${version}`, recipe: 1, title }, async (part) => {
    console.log(`${title}: fetching it from npm (once), for VS Code ${pin.vscode}`);
    await npmInstall({ folder: part, packages: [`${name}@${version}`], title });
  });
  return path.join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** The package with Node's binary for this machine, named as the package `node` names it. */
function nodePackage(): string {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${platform}-${process.arch}`;
}

/** One package of 1.106 is locked to a git address, which a registry can't serve. All others stay as locked. */
async function replaceGitDependency(server: string): Promise<void> {
  const name = '@parcel/watcher';
  await changeJson(path.join(server, 'package.json'), (manifest) => {
    record(manifest['dependencies'])[name] = parcelWatcherVersion;
  });
  await changeJson(path.join(server, 'npm-shrinkwrap.json'), (lock) => {
    const packages = record(lock['packages']);
    record(record(packages[''])['dependencies'])[name] = parcelWatcherVersion;
    delete packages[`node_modules/${name}`];
  });
}

/** Without this native module the extension host dies at start. It ends the host when the server is gone, and so does this. */
async function standInForWatchdog(server: string): Promise<void> {
  const modules = path.join(server, 'node_modules');
  const candidates = [path.join(modules, '@vscode/native-watchdog'), path.join(modules, 'native-watchdog')];
  for (const folder of candidates) {
    if (!(await exists(folder))) continue;
    await write(
      path.join(folder, 'build/Release/watchdog.js'),
      `exports.start = (pid) => {
  setInterval(() => {
    try {
      process.kill(pid, 0);
    } catch (error) {
      if (error.code !== 'EPERM') process.exit(87);
    }
  }, 1000).unref();
};
exports.exit = (code) => process.exit(code);
`,
    );
    return;
  }
  throw new Error(`no native-watchdog in ${modules}`);
}

/** Without this native module VS Code writes no log files, and says so at length for each of them. */
async function standInForLog(server: string): Promise<void> {
  await write(
    path.join(server, 'node_modules/@vscode/spdlog/index.js'),
    `const fs = require('fs');
const path = require('path');
const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];
class Logger {
  constructor(file) {
    this.file = file;
    this.level = 2;
    this.plain = false;
    fs.mkdirSync(path.dirname(file), { recursive: true });
  }
  write(level, message) {
    if (this.file === undefined || level < this.level) return;
    const text = this.plain ? message : new Date().toISOString() + ' [' + levels[level] + '] ' + message + '\\n';
    try {
      fs.appendFileSync(this.file, text);
    } catch {
      this.file = undefined;
    }
  }
  trace(message) { this.write(0, message); }
  debug(message) { this.write(1, message); }
  info(message) { this.write(2, message); }
  warn(message) { this.write(3, message); }
  error(message) { this.write(4, message); }
  critical(message) { this.write(5, message); }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  setPattern() {}
  clearFormatters() { this.plain = true; }
  flush() {}
  drop() { this.file = undefined; }
}
const create = async (name, file) => new Logger(file);
exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
`,
  );
}

/** 1.106 downloads its search binary while installing; npm has the same as a package for each platform. */
async function addRipgrep(part: string, server: string, title: string): Promise<void> {
  const name = `@vscode/ripgrep-${process.platform}-${process.arch}`;
  const folder = path.join(part, 'ripgrep');
  await mkdir(folder);
  await npmInstall({ folder, packages: [`${name}@${ripgrepVersion}`], title: `${title}, search` });
  const binary = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const target = path.join(server, 'node_modules/@vscode/ripgrep/bin', binary);
  await mkdir(path.dirname(target), { recursive: true });
  await copyFile(path.join(folder, 'node_modules', name, 'bin', binary), target);
  await chmod(target, 0o755);
  await rm(folder, { recursive: true });
}

async function changeJson(file: string, change: (value: Record<string, unknown>) => void): Promise<void> {
  const value = record(JSON.parse(await readFile(file, 'utf8')));
  change(value);
  await writeFile(file, JSON.stringify(value, null, 2));
}

function record(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error('expected a JSON object');
  return value as Record<string, unknown>;
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
