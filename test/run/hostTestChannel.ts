/** The end, outside VS Code, of what host tests tell: hands it on as it comes and says how it ended. Must not know how VS Code was started. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import type { HostTestMessage } from './hostTestMessage.ts';
import { hostTestBundle, repository } from './places.ts';
import type { TestRecords } from '../support/testRecords.ts';
import { ProblemForPerson } from './problem.ts';
import { sourcePlaces } from './sourcePlaces.ts';

export interface HostTestChannel {
  /** For the extension host, through which the tests find their way here. */
  readonly env: Readonly<Record<string, string>>;
  /** Rejects with a `ProblemForPerson` when the tests broke off. */
  readonly ended: Promise<Ended>;
  close(): void;
}

export interface Ended extends TestRecords {
  readonly passed: number;
  readonly failed: number;
}

/** `print` is given the text line by line, as it comes. */
export async function openHostTestChannel(print: (text: string) => void): Promise<HostTestChannel> {
  const readable = await sourcePlaces(hostTestBundle, repository);
  const secret = randomBytes(16).toString('hex');
  let settle: { resolve: (ended: Ended) => void; reject: (error: Error) => void } | undefined;
  const ended = new Promise<Ended>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // It may reject while nobody waits yet.
  ended.catch(() => {});
  let began = false;
  const server = createServer((socket) => {
    let known = false;
    socket.on('error', () => {});
    createInterface({ input: socket })
      .on('line', (line) => {
        const value: unknown = JSON.parse(line);
        if (!known) {
          known = value === secret;
          if (!known) socket.destroy();
          return;
        }
        take(value as HostTestMessage);
      })
      .on('close', () => {
        if (known) settle?.reject(new ProblemForPerson('The extension host ended before the tests did.'));
      });
  });
  const take = (message: HostTestMessage): void => {
    switch (message.kind) {
      case 'began':
        if (began) settle?.reject(new ProblemForPerson('The extension host started anew during the tests.'));
        began = true;
        break;
      case 'text':
        print(readable(message.text));
        break;
      case 'ended':
        settle?.resolve({
          ...message,
          failures: message.failures.map((one) => ({ ...one, error: readable(one.error) })),
        });
        break;
      case 'broke':
        settle?.reject(new ProblemForPerson(`The host tests broke off: ${readable(message.text)}`));
        break;
    }
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      KIMI_CHAT_TEST_PORT: String(port),
      KIMI_CHAT_TEST_SECRET: secret,
      KIMI_CHAT_TEST_COLOR: process.stdout.isTTY ? '1' : '0',
    },
    ended,
    close: () => server.close(),
  };
}
