/** Measures a page in a browser: the main thread's work, long tasks, keys until they are seen, memory. Must not know what is on the page. */
import type { CDPSession, Page } from 'playwright-core';
import { percentile } from '../bench.ts';

/** Milliseconds. */
export interface KeyTime {
  /** From the key press until the frame that shows it has been painted. */
  readonly whole: number;
  /** What of that is work: all but the wait for the screen's next frame, which no page can shorten. */
  readonly work: number;
}

/** Of the page, not of the bench. */
interface Watched {
  longTasks: number[];
  keys: KeyTime[];
}

export class PageMeter {
  readonly #page: Page;
  readonly #session: CDPSession;

  private constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
  }

  static async of(page: Page): Promise<PageMeter> {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.evaluate(() => {
      const watched: Watched = { longTasks: [], keys: [] };
      Object.assign(globalThis, { watched });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) watched.longTasks.push(duration);
      }).observe({ type: 'longtask' });
      addEventListener(
        'keydown',
        ({ timeStamp }) => {
          const delay = performance.now() - timeStamp;
          // A message that is sent within a frame arrives when that frame has been painted.
          requestAnimationFrame(() => {
            const begun = performance.now();
            const { port1, port2 } = new MessageChannel();
            port1.addEventListener(
              'message',
              () => {
                const now = performance.now();
                watched.keys.push({ whole: now - timeStamp, work: delay + now - begun });
              },
              { once: true },
            );
            port1.start();
            port2.postMessage(undefined);
          });
        },
        { capture: true },
      );
    });
    return new PageMeter(page, session);
  }

  /** Milliseconds of processor time of the page's main thread so far. */
  async work(): Promise<number> {
    const { metrics } = await this.#session.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  }

  /** Milliseconds of each task over 50 ms since the last call. */
  longTasks(): Promise<readonly number[]> {
    return this.#page.evaluate(() =>
      (globalThis as unknown as { watched: Watched }).watched.longTasks.splice(0),
    );
  }

  /** Of each key press since the last call. */
  keys(): Promise<readonly KeyTime[]> {
    return this.#page.evaluate(() => (globalThis as unknown as { watched: Watched }).watched.keys.splice(0));
  }

  /** After a collection: bytes of JavaScript's heap, and elements and texts of the document. */
  async memory(): Promise<{ readonly heap: number; readonly nodes: number; readonly listeners: number }> {
    await this.#session.send('HeapProfiler.enable');
    for (let round = 0; round < 3; round += 1) await this.#session.send('HeapProfiler.collectGarbage');
    const { usedSize: heap } = await this.#session.send('Runtime.getHeapUsage');
    const { nodes, jsEventListeners: listeners } = await this.#session.send('Memory.getDOMCounters');
    return { heap, nodes, listeners };
  }
}

/** `median (p10 to p90)` in milliseconds. */
export function spread(values: readonly number[]): string {
  const at = (part: number): string => percentile(values, part).toFixed(2);
  return `${at(0.5)} ms (p10 to p90: ${at(0.1)} to ${at(0.9)})`;
}
