/**
 * What VS Code calls to run the host tests: every `*.host.ts` beside this file, or those that it is given when several VS Codes share
 * them, in this extension host, with mocha. Built into `dist/test/host.cjs`. What it prints goes to whoever started VS Code, over loopback, or else to the console.
 */
import { readdirSync } from 'node:fs';
import { createConnection } from 'node:net';
import type { Socket } from 'node:net';
import path from 'node:path';
import { format } from 'node:util';
import type { HostTestMessage } from '../run/hostTestMessage.ts';
import { watchRun } from '../support/testRecords.ts';

/** Called by VS Code. Rejects when a test failed or none ran, by which desktop VS Code knows its exit code. */
export async function run(): Promise<void> {
  const channel = await openChannel();
  try {
    channel.tell({ kind: 'began' });
    const ended = await runTests((text) => channel.tell({ kind: 'text', text }));
    channel.tell(ended);
    if (ended.failed > 0 || ended.passed === 0)
      throw new Error(`${ended.passed} passed, ${ended.failed} failed`);
  } catch (error) {
    channel.tell({
      kind: 'broke',
      text: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    throw error;
  } finally {
    await channel.close();
  }
}

type Ended = Extract<HostTestMessage, { kind: 'ended' }>;

async function runTests(print: (text: string) => void): Promise<Ended> {
  // An import that stays one in the bundle: what `require` makes of mocha's modules differs from Node 22 to Node 24.
  const { default: Mocha } = await import('mocha');
  const grep = process.env['KIMI_CHAT_TEST_GREP'];
  const mocha = new Mocha({
    ui: 'bdd',
    reporter: 'spec',
    color: process.env['KIMI_CHAT_TEST_COLOR'] === '1',
    timeout: 60_000,
    forbidOnly: process.env['CI'] !== undefined,
    forbidPending: true,
    ...(grep !== undefined && { grep }),
  });
  Mocha.reporters.Base.consoleLog = (...parts: unknown[]) => print(format(...parts));
  const folder = path.resolve(__dirname, '../../test/host');
  // Several VS Codes share them; otherwise the list is read and not written, so that no file can be forgotten.
  const files = process.env['KIMI_CHAT_TEST_FILES']?.split(',') ?? readdirSync(folder);
  for (const file of files.filter((name) => name.endsWith('.host.ts'))) {
    // This is what defines `describe` and `it`, which know of which file they are.
    mocha.suite.emit(
      Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE,
      globalThis,
      path.join(folder, file),
      mocha,
    );
    await import(`./${path.basename(file, '.host.ts')}.host.ts`);
  }
  return new Promise((resolve) => {
    const runner = mocha.run(() => {
      const { passes = 0, failures = 0 } = runner.stats ?? {};
      resolve({ kind: 'ended', passed: passes, failed: failures, ...records });
    });
    const records = watchRun(runner, Mocha.Runner.constants, path.dirname(path.dirname(folder)));
  });
}

interface Channel {
  tell(message: HostTestMessage): void;
  close(): Promise<void>;
}

async function openChannel(): Promise<Channel> {
  const port = process.env['KIMI_CHAT_TEST_PORT'];
  if (port === undefined) {
    return {
      tell: (message) => {
        if (message.kind === 'text' || message.kind === 'broke') console.log(message.text);
      },
      close: () => Promise.resolve(),
    };
  }
  const socket = await new Promise<Socket>((resolve, reject) => {
    const opening = createConnection(Number(port), '127.0.0.1', () => resolve(opening));
    opening.on('error', reject);
  });
  const send = (value: unknown): void => void socket.write(`${JSON.stringify(value)}\n`);
  send(process.env['KIMI_CHAT_TEST_SECRET']);
  return {
    tell: send,
    // The extension host exits when `run` settles, so everything has to be on its way by then.
    close: () => new Promise((resolve) => socket.end(resolve)),
  };
}
