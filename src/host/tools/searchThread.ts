/** Runs a task in a thread that can be ended at any moment, whatever it is at. The one file that starts a thread. */
import { Worker } from 'node:worker_threads';

import type { CancelSignal } from '../../core/cancel.ts';
import type { Hit } from '../../core/tools/readingPorts.ts';
import type { FromThread, SearchTask, ToThread } from './searchTask.ts';

export interface ThreadOptions {
  /** The compiled `searchWorker.ts`. */
  readonly file: string;
  /** After this the thread is ended, in milliseconds. */
  readonly limit: number;
  readonly signal: CancelSignal;
}

export interface TextOfFile {
  readonly path: string;
  readonly text: string;
}

export interface ThreadOutcome {
  readonly end: 'done' | 'timeout' | 'aborted';
  /** Those found before an early end too. */
  readonly hits: readonly Hit[];
  readonly files: readonly string[];
  readonly tooLarge: number;
  readonly more: boolean;
}

/** Rejects only where the thread broke, or where `texts` did. */
export function runInThread(
  task: SearchTask,
  texts: AsyncIterable<TextOfFile> | Iterable<TextOfFile>,
  { file, limit, signal }: ThreadOptions,
): Promise<ThreadOutcome> {
  const nothing = { hits: [], files: [], tooLarge: 0, more: false };
  if (signal.aborted) return Promise.resolve({ ...nothing, end: 'aborted' });
  return new Promise((resolve, reject) => {
    // None of what the process was started with: it is for the process.
    const worker = new Worker(file, { execArgv: [], stdin: false });
    const hits: Hit[] = [];
    const settling: { done: boolean } = { done: false };
    const settle = (act: () => void): void => {
      if (settling.done) return;
      settling.done = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      // It does not end by itself where it is in the middle of a pattern.
      void worker.terminate().then(act, reject);
    };
    const early = (end: 'timeout' | 'aborted') => (): void =>
      settle(() => resolve({ ...nothing, hits, end }));
    const onAbort = early('aborted');
    const timer = setTimeout(early('timeout'), limit);
    signal.addEventListener('abort', onAbort);
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'hits') {
        hits.push(...message.hits);
        return;
      }
      const { files, tooLarge, more } = message;
      settle(() => resolve({ end: 'done', hits, files, tooLarge, more }));
    });
    worker.on('error', (error) => settle(() => reject(error)));
    worker.on('exit', (code) =>
      settle(() => reject(new Error(`The search thread ended with code ${code}.`))),
    );
    const tell = (message: ToThread): void => worker.postMessage(message);
    const feed = async (): Promise<void> => {
      tell({ kind: 'task', task });
      for await (const text of texts) {
        if (settling.done) return;
        tell({ kind: 'text', ...text });
      }
      tell({ kind: 'end' });
    };
    feed().catch((error: unknown) => settle(() => reject(error)));
  });
}
