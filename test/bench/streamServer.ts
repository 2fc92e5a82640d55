/**
 * A server in a thread of its own, so that what it costs is not counted: answers every request with the stream that it was given.
 * Knows nothing of what is in it.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

export interface ServedStream {
  readonly frames: readonly string[];
  /** Bytes a write; a frame a write when a pace is given. */
  readonly piece?: number;
  /** Milliseconds between frames. `@now@` in a frame becomes the moment at which it is written. */
  readonly pace?: number;
}

export interface StreamServer {
  readonly url: string;
  close(): Promise<void>;
}

export async function serveStream(stream: ServedStream): Promise<StreamServer> {
  const worker = new Worker(new URL(import.meta.url), { workerData: stream });
  const [port] = (await once(worker, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      await worker.terminate();
    },
  };
}

/** Milliseconds since the epoch, of the same clock in every thread. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

if (!isMainThread) {
  const { frames, piece = 16_384, pace } = workerData as ServedStream;
  const whole = Buffer.from(frames.join(''));
  const answer = async (response: ServerResponse): Promise<void> => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (pace === undefined) {
      for (let at = 0; at < whole.length && !response.destroyed; at += piece) {
        // Whoever has left is not waited for.
        if (!response.write(whole.subarray(at, at + piece)))
          await new Promise<void>((resolve) => response.once('drain', resolve));
      }
    } else {
      for (const frame of frames) {
        if (frame.includes('@now@')) await pause(pace);
        response.write(frame.replace('@now@', String(now())));
      }
    }
    response.end();
  };
  const server = createServer((request, response) => {
    request.resume().on('end', () => void answer(response));
  });
  server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
}
