/** What was started together ends together, whoever ends it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import path from 'node:path';
import { startGroup } from './processGroup.ts';

describe('a process group', function () {
  this.timeout(20_000);
  if (process.platform === 'win32') return;

  /** A program whose child, deaf to polite requests, holds a connection: when that closes, the child is gone. */
  const parent = (port: number): string =>
    `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(
      `process.on('SIGTERM', () => {}); require('net').connect(${port}, '127.0.0.1').on('error', () => {})`,
    )}], { stdio: 'inherit' }); setInterval(() => {}, 1000)`;

  async function listen(): Promise<{ port: number; connected: Promise<Socket>; close(): void }> {
    const server = createServer();
    const connected = once(server, 'connection').then(([socket]) => socket as Socket);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { port: (server.address() as AddressInfo).port, connected, close: () => void server.close() };
  }

  function closed(socket: Socket): Promise<unknown> {
    socket.on('error', () => {});
    return new Promise((resolve) => socket.on('close', resolve).resume());
  }

  it('ends on request with all that it started', async () => {
    const { port, connected, close } = await listen();
    const group = startGroup(process.execPath, ['-e', parent(port)]);
    const gone = closed(await connected);
    await group.stop();
    await gone;
    close();
  });

  it('ends when whoever started it is killed', async () => {
    const { port, connected, close } = await listen();
    const module = path.join(import.meta.dirname, 'processGroup.ts');
    const starter = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `const { startGroup } = await import(${JSON.stringify(module)});
       startGroup(process.execPath, ['-e', ${JSON.stringify(parent(port))}]);`,
    ]);
    const gone = closed(await connected);
    starter.kill('SIGKILL');
    await gone;
    close();
  });

  it('ends what is left when the program itself has ended', async () => {
    const { port, connected, close } = await listen();
    const group = startGroup(process.execPath, [
      '-e',
      `${parent(port)}; process.stdin.on('error', () => {}); setTimeout(() => process.exit(), 500)`,
    ]);
    const gone = closed(await connected);
    await group.exited;
    await gone;
    close();
  });

  it('keeps what is printed, and says why a program could not be started', async () => {
    const talking = startGroup(process.execPath, ['-e', 'console.log("out"); console.error("err")']);
    await talking.exited;
    assert.deepEqual(talking.output().trim().split('\n').toSorted(), ['err', 'out']);
    const missing = startGroup('/no/such/program', []);
    await missing.exited;
    assert.match(missing.output(), /\/no\/such\/program could not be started/);
  });
});
