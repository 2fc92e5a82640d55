/** The tests' side of the extension in `inside/`: sends it a function, gets what it returns. Must not know the workbench. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type * as vscodeApi from 'vscode';

/** VS Code's API as a value that is handed over; nothing of it is imported here at run time. */
export type VsCodeApi = typeof vscodeApi;

export interface Inside {
  /** Environment for the VS Code server, through which the extension finds its way here. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Runs `work` in the extension host and returns what it returns. It travels as text: it sees only its two arguments, and
   * argument and result must be JSON. Waits for the extension host when that is starting or restarting.
   */
  run<T, A = undefined>(work: (vscode: VsCodeApi, argument: A) => T | Thenable<T>, argument?: A): Promise<T>;
  /** An extension host is there to answer. */
  readonly isConnected: boolean;
  /** Has later calls wait for another extension host: the present one is about to end, and may answer until then. */
  forgetHost(): void;
  close(): void;
}

export const insideExtension = path.join(import.meta.dirname, 'inside');

interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

export async function startInside(): Promise<Inside> {
  const secret = randomBytes(16).toString('hex');
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  const wanting: ((socket: Socket) => void)[] = [];
  let current: Socket | undefined;
  let count = 0;

  const lost = (): void => {
    for (const { reject } of waiting.values()) reject(new Error('the extension host ended during this call'));
    waiting.clear();
  };
  const server = createServer((socket) => {
    let known = false;
    socket.on('error', () => {});
    socket.on('close', () => {
      if (current !== socket) return;
      current = undefined;
      lost();
    });
    createInterface({ input: socket }).on('line', (line) => {
      const message = JSON.parse(line) as Reply & { readonly secret?: string };
      if (!known) {
        known = message.secret === secret;
        if (!known) return void socket.destroy();
        if (current) lost();
        current = socket;
        for (const take of wanting.splice(0)) take(socket);
        return;
      }
      const entry = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error === undefined) entry?.resolve(message.value);
      else entry?.reject(new Error(`in the extension host: ${message.error}`));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    env: { KIMI_CHAT_INSIDE_PORT: String(port), KIMI_CHAT_INSIDE_SECRET: secret },
    get isConnected() {
      return current !== undefined;
    },
    run: async <T, A>(work: (vscode: VsCodeApi, argument: A) => T | Thenable<T>, argument?: A) => {
      const socket = current ?? (await new Promise<Socket>((resolve) => wanting.push(resolve)));
      const id = ++count;
      return new Promise<T>((resolve, reject) => {
        waiting.set(id, { resolve: (value) => resolve(value as T), reject });
        socket.write(`${JSON.stringify({ id, code: work.toString(), argument })}\n`);
      });
    },
    forgetHost: () => {
      current?.destroy();
      current = undefined;
      lost();
    },
    close: () => {
      current?.destroy();
      server.close();
      lost();
    },
  };
}
