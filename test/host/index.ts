/**
 * What VS Code calls to run the host tests: every `*.host.ts` beside this file, or one part of them when several VS Codes share them, in
 * this extension host, with mocha. Built into `dist/test/host.cjs`. What it prints goes to whoever started VS Code, over loopback, or else to the console.
 */
import { readdirSync, statSync } from 'node:fs';
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

/**
 * Left out of a short run in an older VS Code: they speak to it only in ways that other files do as well. The long run has them.
 */
const ageless: ReadonlySet<string> = new Set([
  'applyCode.host.ts',
  'asking.host.ts',
  'branches.host.ts',
  'changedFiles.host.ts',
  'chat.host.ts',
  'chatSession.host.ts',
  'composer.host.ts',
  'cost.host.ts',
  'costPanel.host.ts',
  'editsTool.host.ts',
  'filesDisk.host.ts',
  'filesFaults.host.ts',
  'filesLineEnds.host.ts',
  'kept.host.ts',
  'later.host.ts',
  'leaks.host.ts',
  'prompts.host.ts',
  'readingGate.host.ts',
  'reviewHunks.host.ts',
  'reviewStack.host.ts',
  'secretGuard.host.ts',
  'takeBack.host.ts',
  'toolsLoop.host.ts',
  'waiting.host.ts',
  'webSearch.host.ts',
]);

async function runTests(print: (text: string) => void): Promise<Extract<HostTestMessage, { kind: 'ended' }>> {
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
  // The list is read and not written, so that no file can be forgotten.
  const folder = path.resolve(__dirname, '../../test/host');
  const short = process.env['KIMI_CHAT_TEST_SHORT'] === '1';
  const all = readdirSync(folder).filter(
    (name) => name.endsWith('.host.ts') && !(short && ageless.has(name)),
  );
  for (const file of shareOf(process.env['KIMI_CHAT_TEST_PART'], folder, all)) {
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

/** Every file is in one part, and the parts are about as large as one another. `part` is `2/3` for the second of three. */
function shareOf(part: string | undefined, folder: string, files: readonly string[]): readonly string[] {
  const [index = 1, count = 1] = (part ?? '').split('/').filter(Boolean).map(Number);
  const shares = Array.from({ length: count }, () => ({ size: 0, files: [] as string[] }));
  const sized = files.map((file) => ({ file, size: statSync(path.join(folder, file)).size }));
  for (const { file, size } of sized.toSorted((a, b) => b.size - a.size)) {
    const least = shares.reduce((one, other) => (other.size < one.size ? other : one));
    least.size += size;
    least.files.push(file);
  }
  return shares[index - 1]?.files.toSorted() ?? [];
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
