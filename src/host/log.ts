/** The output channel "Kimi Chat". What goes in: ids, counts, durations, kinds of failures. Never: content, file texts, keys. */
import * as vscode from 'vscode';

import { DisposableStore } from './disposables.ts';

/** Figures and names beside a message. Strings are ids and kinds, not content. */
export type LogFigures = Readonly<Record<string, string | number | boolean | undefined>>;

/** Messages are for whoever looks for a fault: English, not translated. */
export class Log implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #channel: vscode.LogOutputChannel;

  constructor(name = 'Kimi Chat') {
    this.#channel = this.#store.add(vscode.window.createOutputChannel(name, { log: true }));
  }

  info(message: string, figures?: LogFigures): void {
    this.#channel.info(line(message, figures));
  }

  debug(message: string, figures?: LogFigures): void {
    this.#channel.debug(line(message, figures));
  }

  /** Something did not go as it should and was dealt with. Of an error only its kind is kept: messages quote what was read. */
  warn(message: string, cause?: unknown): void {
    this.#channel.warn(cause === undefined ? message : `${message} (${kindOf(cause)})`);
  }

  /**
   * Something that can't happen did. The stack is kept, for it names our own code; the message of the error is not.
   * @param where the part of the extension that noticed
   */
  bug(where: string, error: unknown): void {
    const stack = error instanceof Error ? (error.stack ?? '').replace(`${error.message}\n`, '\n') : '';
    this.#channel.error(
      `Unexpected in ${where}: ${kindOf(error)}${stack === '' ? '' : `\n${frames(stack)}`}`,
    );
  }

  show(): void {
    this.#channel.show(true);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

function line(message: string, figures: LogFigures | undefined): string {
  const written = Object.entries(figures ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${String(value)}`],
  );
  return written.length === 0 ? message : `${message} ${written.join(' ')}`;
}

/** `Error`, `TypeError ENOENT`, `FileNotFound`: what an error is, without what it says. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[\w-]{1,60}$/.test(code) ? `${error.name} ${code}` : error.name;
}

function frames(stack: string): string {
  return stack
    .split('\n')
    .filter((each) => /^\s+at /.test(each))
    .join('\n');
}
