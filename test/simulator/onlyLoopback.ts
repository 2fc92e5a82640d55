/** Watches every connection this process opens, so that a test can say that none went beyond loopback. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { objectOf } from './wire.ts';

export interface LoopbackWatch {
  /** Addresses and names of all other machines asked for so far. */
  readonly strangers: readonly string[];
  stop(): void;
}

export function watchConnections(): LoopbackWatch {
  const strangers: string[] = [];
  const note = (address: string | undefined) => {
    if (address !== undefined && !/^(?:127\.|::1$|::ffff:127\.|localhost$)/.test(address))
      strangers.push(address);
  };
  const listen = (message: unknown) => {
    const socket = objectOf(message)['socket'] as Socket;
    socket.once('lookup', (_error: Error | null, address: string, _family: number, host: string) => {
      note(host);
      note(address);
    });
    socket.once('connect', () => note(socket.remoteAddress));
  };
  subscribe('net.client.socket', listen);
  return { strangers, stop: () => void unsubscribe('net.client.socket', listen) };
}
