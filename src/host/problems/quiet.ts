/** Waits for languages to begin or to stop telling of problems. They tell late, in pieces, and never that they are done. */
import * as vscode from 'vscode';

export interface QuietTimes {
  /** Milliseconds in which a language is given to begin. */
  readonly least: number;
  /** Milliseconds without anything told that count as the end. */
  readonly calm: number;
  /** Milliseconds after which it is waited no longer. */
  readonly limit: number;
}

export const usualTimes: QuietTimes = { least: 2_000, calm: 1_200, limit: 15_000 };

/** Resolves also when the signal aborts. */
export function untilQuiet({ least, calm, limit }: QuietTimes, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      clearTimeout(last);
      listener.dispose();
      signal.removeEventListener('abort', end);
      resolve();
    };
    let timer = setTimeout(end, least);
    const begun = Date.now();
    const last = setTimeout(end, limit);
    const listener = vscode.languages.onDidChangeDiagnostics(() => {
      clearTimeout(timer);
      timer = setTimeout(end, Math.max(calm, begun + least - Date.now()));
    });
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

/** False when nothing more is told in this many milliseconds, or before the signal aborts. */
export function somethingMore(limit: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (more: boolean): void => {
      clearTimeout(timer);
      listener.dispose();
      signal.removeEventListener('abort', stop);
      resolve(more);
    };
    const stop = (): void => end(false);
    const timer = setTimeout(stop, limit);
    const listener = vscode.languages.onDidChangeDiagnostics(() => end(true));
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });
}
