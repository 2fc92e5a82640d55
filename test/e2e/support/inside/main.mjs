/**
 * A second extension beside the tested one, in end-to-end tests only: runs functions that a test sends with VS Code's API, so
 * that a test can read documents and tabs as they are and not as they are drawn. Must not know the tested extension.
 */
import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import { runInThisContext } from 'node:vm';
import * as vscode from 'vscode';

export function activate(context) {
  const port = process.env.KIMI_CHAT_INSIDE_PORT;
  if (port === undefined) return;
  const socket = createConnection(Number(port), '127.0.0.1');
  context.subscriptions.push({ dispose: () => socket.destroy() });
  socket.on('error', () => {});
  const send = (message) => socket.write(`${JSON.stringify(message)}\n`);
  send({ secret: process.env.KIMI_CHAT_INSIDE_SECRET });
  createInterface({ input: socket }).on('line', async (line) => {
    const { id, code, argument } = JSON.parse(line);
    try {
      send({ id, value: await runInThisContext(`(${code})`)(vscode, argument) });
    } catch (error) {
      send({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
}
