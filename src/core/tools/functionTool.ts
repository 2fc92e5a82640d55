/** Makes a tool of a function over checked arguments. What every function tool has in common is here, and nothing of any. */
import type { CancelSignal } from '../cancel.ts';
import type { Result } from '../result.ts';
import { parametersOf, readArguments, type ArgumentsOf, type Fields } from './parameters.ts';
import { capped, maxResult, roomForNotes } from './resultText.ts';
import type { Tool } from './tool.ts';

export interface FunctionSpec<F extends Fields> {
  readonly name: string;
  readonly description: string;
  readonly fields: F;
  /** Both texts are for the model; an error says what to do instead. Changes nothing, so that nobody waits for it after an abort. */
  readonly run: (args: ArgumentsOf<F>, signal: CancelSignal) => Promise<Result<string, string>>;
}

export function functionTool<F extends Fields>({ name, description, fields, run }: FunctionSpec<F>): Tool {
  return {
    declaration: { type: 'function', name, description, parameters: parametersOf(fields), strict: true },
    async run(call, { signal }) {
      if (!call.complete) {
        return { kind: 'failed', text: 'Nothing was done: the call did not arrive complete. Send it again.' };
      }
      const args = readArguments(fields, call.input);
      if (!args.ok) return { kind: 'failed', text: args.error };
      if (signal.aborted) return cancelled;
      const result = await untilAborted(run(args.value, signal), signal);
      if (result === undefined) return cancelled;
      return result.ok
        ? { kind: 'done', text: capped(result.value, longest) }
        : { kind: 'failed', text: capped(result.error, longest) };
    },
  };
}

/** Tools keep within their room themselves, where they know what is best left out; this is for what they did not foresee. */
const longest = maxResult + roomForNotes;

const cancelled = { kind: 'cancelled', text: 'Cancelled by the user.' } as const;

/** Undefined as soon as the signal is aborted: what others do meanwhile is let go. */
function untilAborted<T>(work: Promise<T>, signal: CancelSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(undefined);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
