/** From the frames of an answer to the socket: compression, cutting, waiting where the socket asks for it. */
import type { ServerResponse } from 'node:http';
import { constants, createGzip, type Gzip } from 'node:zlib';
import type { Cutter } from './cutter.ts';
import { aborted } from './signals.ts';

/** Writes through the cutter and waits where the socket asks for it. */
export class Writer {
  readonly #response: ServerResponse;
  readonly #gone: AbortSignal;
  readonly #cutter: Cutter;
  readonly #gzip: Gzip | undefined;
  readonly #left: Promise<void>;
  #flushed: Promise<void> = Promise.resolve();

  constructor(
    { response, gone }: { readonly response: ServerResponse; readonly gone: AbortSignal },
    cutter: Cutter,
    gzip: boolean,
  ) {
    this.#response = response;
    this.#gone = gone;
    this.#left = aborted(gone);
    this.#cutter = cutter;
    this.#gzip = gzip ? createGzip() : undefined;
  }

  async write(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return;
    await this.#cut(this.#gzip === undefined ? bytes : await squeeze(this.#gzip, bytes));
  }

  /** Resolves when the operating system has everything so far, so that not even a reset takes it back. */
  async flush(): Promise<void> {
    for (const piece of this.#cutter.rest()) await this.#send(piece);
    await Promise.race([this.#flushed, this.#left]);
  }

  /** Closes the compression, where there is one. */
  async end(): Promise<void> {
    if (this.#gzip === undefined) return;
    const gzip = this.#gzip;
    const rest: Buffer[] = [];
    gzip.on('data', (chunk: Buffer) => rest.push(chunk));
    await new Promise<void>((resolve) => {
      gzip.once('end', resolve);
      gzip.end();
    });
    await this.#cut(Buffer.concat(rest));
    await this.flush();
  }

  async #cut(bytes: Buffer): Promise<void> {
    for (const piece of this.#cutter.take(bytes)) await this.#send(piece);
  }

  async #send(piece: Buffer): Promise<void> {
    if (this.#gone.aborted) return;
    let goesOn = true;
    this.#flushed = new Promise((resolve) => {
      goesOn = this.#response.write(piece, () => resolve());
    });
    if (!goesOn) await Promise.race([this.#flushed, this.#left]);
  }
}

/** What the compression gives for these bytes, flushed. */
async function squeeze(gzip: Gzip, bytes: Buffer): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const take = (chunk: Buffer) => chunks.push(chunk);
  gzip.on('data', take);
  gzip.write(bytes);
  await new Promise<void>((resolve) => gzip.flush(constants.Z_SYNC_FLUSH, resolve));
  gzip.off('data', take);
  return Buffer.concat(chunks);
}
