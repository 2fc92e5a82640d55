/**
 * What VS Code calls to run the host tests: every `*.host.ts` beside this file, or those that are handed out when several VS Codes share
 * them, in this extension host, with mocha. Built into `dist/test/host.cjs`. What it prints goes to whoever started VS Code, over loopback, or else to the console.
 */
import { readdirSync } from 'node:fs';
import { createConnection } from 'node:net';
import type { Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { format } from 'node:util';
import type MochaClass from 'mocha';
import type { HostTestMessage } from '../run/hostTestMessage.ts';
import { joinRecords, watchRun } from '../support/testRecords.ts';

/** Called by VS Code. Rejects when a test failed or none ran, by which desktop VS Code knows its exit code. */
export async function run(): Promise<void> {
  const channel = await openChannel();
  try {
    channel.tell({ kind: 'began' });
    const ended = await runTests(channel);
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

/** What several runs came to together. */
type Ended = Extract<HostTestMessage, { kind: 'ended' }>;

/** Where files are handed out each is run by itself, as long as there are some; otherwise all that there are at once. */
async function runTests({ tell, next }: Channel): Promise<Ended> {
  // An import that stays one in the bundle: what `require` makes of mocha's modules differs from Node 22 to Node 24.
  const { default: Mocha } = await import('mocha');
  Mocha.reporters.Base.consoleLog = (...parts: unknown[]) => tell({ kind: 'text', text: format(...parts) });
  // The list is read and not written, so that no file can be forgotten.
  if (next === undefined)
    return runFiles(
      Mocha,
      readdirSync(folder).filter((name) => name.endsWith(ending)),
    );
  const all: Ended[] = [];
  for (let file = await next(); file !== undefined; file = await next()) {
    all.push(await runFiles(Mocha, [file]));
  }
  const sum = (field: 'passed' | 'failed'): number => all.reduce((total, one) => total + one[field], 0);
  return { kind: 'ended', passed: sum('passed'), failed: sum('failed'), ...joinRecords(all) };
}

const ending = '.host.ts';
const folder = path.resolve(__dirname, '../../test/host');

async function runFiles(Mocha: typeof MochaClass, files: readonly string[]): Promise<Ended> {
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
  for (const file of files) {
    // This is what defines `describe` and `it`, which know of which file they are.
    mocha.suite.emit(
      Mocha.Suite.constants.EVENT_FILE_PRE_REQUIRE,
      globalThis,
      path.join(folder, file),
      mocha,
    );
    await import(`./${path.basename(file, ending)}.host.ts`);
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
  readonly tell: (message: HostTestMessage) => void;
  /** The next file for this VS Code, by its name; resolves with undefined when there are no more. */
  readonly next?: () => Promise<string | undefined>;
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
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const next = async (): Promise<string | undefined> => {
    send({ kind: 'next' } satisfies HostTestMessage);
    const line = await lines.next();
    return line.done === true ? undefined : ((JSON.parse(line.value) as string | null) ?? undefined);
  };
  return {
    tell: send,
    ...(process.env['KIMI_CHAT_TEST_HANDED_OUT'] === '1' && { next }),
    // The extension host exits when `run` settles, so everything has to be on its way by then.
    close: () => new Promise((resolve) => socket.end(resolve)),
  };
}
