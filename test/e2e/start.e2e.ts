/** `npm start`, as a person runs it: it prints an address that only they can use, shows the panel there, and leaves nothing running. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  access,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../run/browser.ts';
import { fetchBrowser } from '../run/fetchBrowser.ts';
import { fetchVsCode } from '../run/fetchVsCode.ts';
import { repository, samplePath, screenshotsPath, testFolder } from '../run/places.ts';

describe('npm start', function () {
  if (process.platform === 'win32') return;
  let data: string;
  /** A copy of the project: `npm start` builds the extension anew, under the feet of whatever else is running. */
  let project: string;
  const started = new Set<ChildProcess>();

  before('copy the project', async () => {
    project = await copyOfProject();
  });
  after(() => rm(project, { recursive: true, force: true, maxRetries: 3 }));

  beforeEach(async () => {
    data = await realpath(await mkdtemp(path.join(tmpdir(), 'kimi-chat-start-')));
  });
  afterEach(async () => {
    for (const child of started) if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
    started.clear();
    await rm(data, { recursive: true, force: true, maxRetries: 3 });
  });

  interface Running {
    readonly child: ChildProcess;
    output(): string;
    /** Waits until this has been printed. */
    prints(pattern: RegExp): Promise<RegExpExecArray>;
    /** Presses Ctrl+C, waits for the end, and checks that all it had started is gone. */
    interrupt(): Promise<void>;
  }

  function start(...args: readonly string[]): Running {
    const child = spawn(
      process.execPath,
      ['test/run/node24.mjs', 'test/run/start.ts', '--no-open', `--data=${data}`, ...args],
      // A group of its own, as a terminal gives to what is started in it.
      { cwd: project, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    started.add(child);
    let output = '';
    const listeners = new Set<() => void>();
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        for (const listener of listeners) listener();
      });
    }
    const closed = once(child, 'close');
    return {
      child,
      output: () => output,
      prints: (pattern) =>
        new Promise((resolve, reject) => {
          const look = (): void => {
            const found = pattern.exec(output);
            if (found === null) return;
            listeners.delete(look);
            resolve(found);
          };
          listeners.add(look);
          void closed.then(() => reject(new Error(`it ended and had printed:\n${output}`)));
          look();
        }),
      interrupt: async () => {
        const family = await descendants(child.pid ?? 0);
        process.kill(-(child.pid ?? 0), 'SIGINT');
        await closed;
        assert.equal(child.exitCode, 0, output);
        assert.deepEqual(await stillAlive(family), [], output);
      },
    };
  }

  it('shows the panel under an address with a secret, answers there, and ends with all that it started', async () => {
    const port = await freePort();
    const running = start(`--port=${port}`);
    const [, address = ''] = await running.prints(/^ {2}(http:\/\/\S+)$/m);
    await running.prints(/Answers come from the simulator at http:\/\/127\.0\.0\.1:\d+/);
    await running.prints(/Ctrl\+C ends everything/);
    const url = new URL(address);
    assert.equal(url.origin, `http://127.0.0.1:${port}`);
    url.searchParams.delete('tkn');
    assert.equal((await fetch(url)).status, 403);
    url.searchParams.set('tkn', '0'.repeat(32));
    assert.equal((await fetch(url)).status, 403);

    const browser = await launchBrowser();
    try {
      await asks(browser, address);
    } finally {
      await browser.close();
    }
    await running.interrupt();
    await assert.rejects(fetch(address));
  });

  async function asks(browser: Browser, address: string): Promise<void> {
    const page = await browser.newPage();
    await page.goto(address);
    const panel = page
      .frameLocator('iframe.webview[src*="extensionId=kimi-chat-unofficial.kimi-chat"]')
      .frameLocator('iframe#active-frame');
    await panel.locator('.composer').waitFor({ timeout: 60_000 });
    await page.locator('.tab', { hasText: 'cart.ts' }).waitFor();
    const question = panel.getByRole('textbox', { name: 'Question' });
    await question.fill('Hello');
    await question.press('Enter');
    await panel.locator('article.turn .footer').waitFor();
    assert.notEqual(await panel.locator('article.turn .answer').innerText(), '');
    await mkdir(screenshotsPath, { recursive: true });
    await page.screenshot({ path: path.join(screenshotsPath, 'start.png') });
  }

  it('says what becomes of the key with the real service in the browser', async () => {
    const running = start(`--port=${await freePort()}`, '--service');
    await running.prints(/Answers come from the real service\. Set your key/);
    await running.prints(/your key is kept by the browser.*\n.*--service --desktop/);
    await running.prints(/Ctrl\+C ends everything/);
    assert.doesNotMatch(running.output(), /simulator/);
    await running.interrupt();
  });

  it('starts a desktop VS Code of one’s own with the copy of the sample, the simulator, and an open door for a debugger', async () => {
    // In the place of VS Code: it says how it was started, and listens as an extension host under a debugger does.
    const code = path.join(data, 'code');
    const seen = path.join(data, 'arguments.json');
    await writeFile(
      code,
      `#!${process.execPath}
const args = process.argv.slice(2);
require('node:fs').writeFileSync(${JSON.stringify(seen)}, JSON.stringify(args));
const port = Number(args.find((arg) => arg.startsWith('--inspect-extensions=')).split('=')[1]);
require('node:net').createServer((socket) => socket.on('error', () => {})).listen(port, '127.0.0.1');
`,
      { mode: 0o755 },
    );
    const port = await freePort();
    const running = start('--code', code, '--debug', String(port));
    await running.prints(new RegExp(`A debugger can attach to 127\\.0\\.0\\.1:${port}\\.`));
    const args = JSON.parse(await readFile(seen, 'utf8')) as readonly string[];
    const folder = path.join(data, 'sample/corner-shop');
    assert.equal(args[0], folder);
    assert.ok(!folder.startsWith(samplePath));
    const userFolder = args.find((arg) => arg.startsWith('--user-data-dir='))?.split('=')[1] ?? '';
    assert.ok(userFolder.startsWith(data), userFolder);
    const settings = await readFile(path.join(userFolder, 'User/settings.json'), 'utf8');
    assert.match(settings, /"kimiChat\.baseUrl": "http:\/\/127\.0\.0\.1:\d+"/);
    await running.interrupt();
  });

  it('makes the sample new and says where the changed one went, or keeps it', async () => {
    const code = path.join(data, 'code');
    await writeFile(code, '#!/bin/sh\n', { mode: 0o755 });
    const folder = path.join(data, 'sample/corner-shop');
    const file = path.join(folder, 'src/cart.ts');
    const run = async (...args: readonly string[]): Promise<string> => {
      const running = start('--code', code, ...args);
      await once(running.child, 'close');
      assert.equal(running.child.exitCode, 0, running.output());
      return running.output();
    };
    assert.doesNotMatch(await run(), /The sample is/);
    const shipped = await readFile(file, 'utf8');
    assert.equal(shipped, await readFile(path.join(samplePath, 'src/cart.ts'), 'utf8'));
    await writeFile(file, 'mine\n');
    assert.match(await run('--keep'), /The sample is as you left it\./);
    assert.equal(await readFile(file, 'utf8'), 'mine\n');
    // A start that fails leaves the sample as it is.
    const failed = start('--code', '/no/such/code');
    await once(failed.child, 'close');
    assert.equal(failed.child.exitCode, 1);
    assert.match(failed.output(), /^--code \/no\/such\/code: there is no program/m);
    assert.equal(await readFile(file, 'utf8'), 'mine\n');
    const before = path.join(data, 'sample/before-1');
    assert.ok(
      (await run()).includes(`The sample is as shipped again. What you had made of it is in ${before}`),
    );
    assert.equal(await readFile(file, 'utf8'), shipped);
    assert.equal(await readFile(path.join(before, 'src/cart.ts'), 'utf8'), 'mine\n');
    assert.match(await run('--folder', before), /They are about the sample: of other folders it knows only/);
  });

  it('says what is wrong with its options, and starts nothing', async () => {
    for (const [args, sentence] of [
      [['--port=no'], '--port takes a number from 1 to 65535, not no.'],
      [['--debug=0', '--desktop'], '--debug takes a number from 1 to 65535, not 0.'],
      [['--debug=9229'], '--debug is for desktop VS Code: add --desktop, or --code PATH.'],
      [['--folder=/no/such/folder'], '--folder /no/such/folder: there is no folder /no/such/folder.'],
      [['--nothing'], "Unknown option '--nothing'"],
    ] as const) {
      const running = start(...args);
      await once(running.child, 'close');
      assert.equal(running.child.exitCode, 1);
      assert.ok(running.output().trim().startsWith(sentence), running.output());
    }
  });
});

/** With what was installed and fetched, which is not copied. */
async function copyOfProject(): Promise<string> {
  await fetchVsCode('1.139');
  await fetchBrowser();
  const copy = await realpath(await mkdtemp(path.join(tmpdir(), 'kimi-chat-project-')));
  const made = ['.git', '.vscode-test', '.tsc', '.screenshots', 'coverage', 'dist', 'node_modules'];
  for (const name of await readdir(repository)) {
    if (!made.includes(name))
      await cp(path.join(repository, name), path.join(copy, name), { recursive: true });
  }
  await symlink(path.join(repository, 'node_modules'), path.join(copy, 'node_modules'));
  const fetched = path.join(copy, path.relative(repository, testFolder));
  await mkdir(fetched);
  for (const name of await readdir(testFolder)) {
    const from = path.join(testFolder, name);
    const isWhole = await access(path.join(from, 'fetched.json')).then(
      () => true,
      () => false,
    );
    if (isWhole && !name.startsWith('.')) await symlink(from, path.join(fetched, name));
  }
  return copy;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  readonly command: string;
}

async function processes(): Promise<readonly ProcessRow[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat=,args=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, parent, state = '', ...command]) => {
      return { pid: Number(pid), parent: Number(parent), state, command: command.join(' ') };
    });
}

/** The process itself and everything below it, whatever groups they are in. */
async function descendants(pid: number): Promise<readonly number[]> {
  const all = await processes();
  const family = [pid];
  for (const one of family) {
    family.push(...all.filter(({ parent }) => parent === one).map((row) => row.pid));
  }
  assert.ok(family.length > 2, 'what it started is seen');
  return family;
}

/**
 * What is left of them, and as what they run. They may take a moment to go once they have been killed; one that has ended and that
 * nobody has asked after yet is gone as well.
 */
async function stillAlive(family: readonly number[]): Promise<readonly string[]> {
  const end = Date.now() + 10_000;
  for (;;) {
    const alive = (await processes()).filter(
      ({ pid, state }) => family.includes(pid) && !state.startsWith('Z'),
    );
    if (alive.length === 0 || Date.now() > end) return alive.map(({ pid, command }) => `${pid} ${command}`);
    await setTimeout(50);
  }
}
