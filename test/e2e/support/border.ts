/** A proxy that lets nothing through and remembers what wanted out. Given to VS Code as `http.proxy`, it sees each attempt to leave loopback. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Border {
  readonly url: string;
  /** `host:port` of each attempt to leave, in order. */
  readonly attempts: readonly string[];
  close(): void;
}

export async function startBorder(): Promise<Border> {
  const attempts: string[] = [];
  const server = createServer((request, response) => {
    attempts.push(request.url ?? '');
    response.writeHead(403).end();
  });
  server.on('connect', (request, socket) => {
    attempts.push(request.url ?? '');
    socket.on('error', () => {});
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    attempts,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
