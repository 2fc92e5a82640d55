/** Makes a tool of a function over checked arguments. What every function tool has in common is here, and nothing of any. */
import { untilAborted, type CancelSignal } from '../cancel.ts';
import type { Result } from '../result.ts';
import { parametersOf, readArguments, type ArgumentsOf, type Fields } from './parameters.ts';
import { capped, maxResult, roomForNotes } from './resultText.ts';
import type { Tool, ToolContext } from './tool.ts';

export interface FunctionSpec<F extends Fields> {
  readonly name: string;
  readonly description: string;
  readonly fields: F;
  /** Both texts are for the model; an error says what to do instead. Changes nothing, so that nobody waits for it after an abort. */
  readonly run: (
    args: ArgumentsOf<F>,
    signal: CancelSignal,
    ask: ToolContext['ask'],
  ) => Promise<Result<string, string>>;
}

export function functionTool<F extends Fields>({ name, description, fields, run }: FunctionSpec<F>): Tool {
  return {
    declaration: { type: 'function', name, description, parameters: parametersOf(fields), strict: true },
    async run(call, context) {
      const { signal } = context;
      if (!call.complete) {
        return { kind: 'failed', text: 'Nothing was done: the call did not arrive complete. Send it again.' };
      }
      const args = readArguments(fields, call.input);
      if (!args.ok) return { kind: 'failed', text: args.error };
      if (signal.aborted) return cancelled;
      let allowed = true;
      const asking: ToolContext['ask'] = async (request) => {
        const answer = await context.ask(request);
        allowed = answer.kind === 'allow';
        return answer;
      };
      const result = await untilAborted(run(args.value, signal, asking), signal);
      if (result === undefined) return cancelled;
      return result.ok
        ? { kind: 'done', text: capped(result.value, longest) }
        : { kind: allowed ? 'failed' : 'rejected', text: capped(result.error, longest) };
    },
  };
}

/** Tools keep within their room themselves, where they know what is best left out; this is for what they did not foresee. */
const longest = maxResult + roomForNotes;

const cancelled = { kind: 'cancelled', text: 'Cancelled by the user.' } as const;
