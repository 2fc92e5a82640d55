/** The open connections of a server: counted for tests that look for leaks, ended when the simulator closes. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export class Sockets {
  readonly #open = new Set<Socket>();
  #watchers: (() => void)[] = [];

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      socket.setNoDelay(true);
      this.#open.add(socket);
      socket.once('close', () => this.#closed(socket));
    });
  }

  get count(): number {
    return this.#open.size;
  }

  /** Resolves when none is open. */
  async allClosed(): Promise<void> {
    if (this.#open.size > 0) await new Promise<void>((tell) => this.#watchers.push(tell));
  }

  end(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #closed(socket: Socket): void {
    this.#open.delete(socket);
    if (this.#open.size > 0) return;
    const watchers = this.#watchers;
    this.#watchers = [];
    for (const tell of watchers) tell();
  }
}
