/** The product's client against a server of the test, and servers that answer with whatever bytes a test wants. */
import { once } from 'node:events';
import * as http from 'node:http';
import * as net from 'node:net';

import type { ModelChunk } from '../../src/core/conversation/modelPort.ts';
import type { RequestBody } from '../../src/core/responses/wire.ts';
import { readAddress } from '../../src/host/address.ts';
import { KimiClient, type KimiClientPorts } from '../../src/host/kimiClient.ts';
import { Network, type NetworkSettings } from '../../src/host/network.ts';

export const plainNetwork: NetworkSettings = {
  proxySupport: true,
  proxy: '',
  noProxy: [],
  environment: {},
  proxyAuthorization: undefined,
  strictSsl: true,
  systemCertificates: false,
};

export interface ClientOptions extends Partial<KimiClientPorts> {
  readonly settings?: Partial<NetworkSettings>;
  /** Milliseconds for opening a connection. */
  readonly connectTimeout?: number;
}

export function clientFor(baseUrl: string, options: ClientOptions = {}): KimiClient {
  const { settings, connectTimeout, ...more } = options;
  return new KimiClient({
    address: () => readAddress(baseUrl),
    key: async () => 'sk-simulator',
    silenceSeconds: () => 60,
    network: new Network(() => ({ ...plainNetwork, ...settings }), connectTimeout),
    userAgent: 'kimi-chat/test',
    log: { info: () => undefined, warn: () => undefined },
    ...more,
  });
}

export const smallBody: RequestBody = {
  model: 'kimi-k3.1-pro',
  stream: true,
  instructions: 'i',
  input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'q' }] }],
};

export async function collect(
  client: KimiClient,
  signal: AbortSignal = new AbortController().signal,
  onChunk: (chunk: ModelChunk) => void = () => undefined,
): Promise<readonly ModelChunk[]> {
  const chunks: ModelChunk[] = [];
  for await (const chunk of client.send(smallBody, signal)) {
    chunks.push(chunk);
    onChunk(chunk);
  }
  return chunks;
}

/** The text of all chunks; a chunk that is no text is named instead. */
export function textOf(chunks: readonly ModelChunk[]): string {
  return chunks.map((chunk) => (chunk.kind === 'failed' ? `<${chunk.failure.kind}>` : chunk.text)).join('');
}

export interface TestServer {
  readonly url: string;
  readonly sockets: ReadonlySet<net.Socket>;
  /** Resolves when no connection is open any more. */
  allClosed(): Promise<void>;
  close(): Promise<void>;
}

/** A server that speaks HTTP properly. */
export async function httpServer(handler: http.RequestListener): Promise<TestServer> {
  return await listen(http.createServer(handler));
}

/** A server that is handed each connection once the whole request has come. */
export async function rawServer(handler: (socket: net.Socket, request: string) => void): Promise<TestServer> {
  return await listen(
    net.createServer((socket) => {
      let request = '';
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      const onData = (chunk: Buffer): void => {
        request += chunk.toString('latin1');
        const head = request.indexOf('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(request)?.[1] ?? 0);
        if (head === -1 || request.length < head + 4 + length) return;
        socket.off('data', onData);
        socket.resume();
        handler(socket, request);
      };
      socket.on('data', onData);
    }),
  );
}

export const streamHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n';

/** Keeps count of a server's connections, so that a test can see that none is left. */
export async function listen(server: net.Server, scheme = 'http'): Promise<TestServer> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    sockets,
    allClosed: async () => {
      await Promise.all(
        [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))),
      );
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
