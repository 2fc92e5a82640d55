/** A tool whose outcome the model gets only as the person lets it through. Knows no tool. */
import type { Tool, ToolCall, ToolContext, ToolOutcome } from '../../core/tools/tool.ts';
import type { SecretGuard } from './secretGuard.ts';

/** The same tool each time for the same tool: the turn loop tells tools apart by identity. */
export function toolGuard(guard: Pick<SecretGuard, 'look' | 'decide'>): (tool: Tool) => Tool {
  const guarded = new WeakMap<Tool, Tool>();
  return (tool) => {
    const known = guarded.get(tool) ?? guardedTool(tool, guard);
    guarded.set(tool, known);
    return known;
  };
}

function guardedTool(tool: Tool, guard: Pick<SecretGuard, 'look' | 'decide'>): Tool {
  const { declaration, namespace, inOrder } = tool;
  return {
    declaration,
    ...(namespace !== undefined && { namespace }),
    ...(inOrder !== undefined && { inOrder }),
    ...(tool.watch !== undefined && { watch: () => tool.watch!() }),
    async run(call, context) {
      const outcome = await tool.run(call, context).catch((error: unknown) => {
        // The model is told of it, and a message may hold whatever the tool was about.
        const message = error instanceof Error ? error.message : String(error);
        throw new Error(guard.look(message, 'output').masked);
      });
      const text = await letThrough(outcome, { from: placeOf(call), context, guard });
      return text === outcome.text ? outcome : { ...outcome, text };
    },
  };
}

interface Passing {
  readonly from: string;
  readonly context: ToolContext;
  readonly guard: Pick<SecretGuard, 'look' | 'decide'>;
}

async function letThrough({ kind, text }: ToolOutcome, { from, context, guard }: Passing): Promise<string> {
  const { found, masked, differs } = guard.look(text, 'output');
  if (found.length === 0) return differs ? withNote(masked) : text;
  const answer = await context.ask({ kind: 'secrets', from, found });
  switch (answer.kind) {
    case 'allow':
    case 'mask': {
      guard.decide(text, answer.kind === 'allow' ? 'send' : 'mask');
      const after = guard.look(text, 'output');
      return after.differs ? withNote(after.masked) : text;
    }
    case 'deny':
      return keptBack(
        kind,
        'The user kept it back',
        guard.look(answer.reason?.trim() ?? '', 'output').masked,
      );
    case 'later':
      return keptBack(kind, 'The user went on without deciding whether you may see it');
    case 'cancelled':
      return keptBack(kind, 'The turn was stopped before the user decided whether you may see it');
  }
}

function withNote(masked: string): string {
  return `${masked}\n[What looks secret in it was replaced by asterisks. They are not part of what was read: never write them to a file.]`;
}

/** The call is over: what it did is done, and the model has to know that. */
function keptBack(kind: ToolOutcome['kind'], why: string, reason = ''): string {
  const said = reason === '' ? '' : ` They say: ${reason}`;
  return `${whatBecame(kind)}, but what it returned is not shown to you: it holds something that looks secret. ${why}.${said} Do not try to get at it in another way; go on without it, or say what you need.`;
}

function whatBecame(kind: ToolOutcome['kind']): string {
  switch (kind) {
    case 'done':
      return 'The call was carried out';
    case 'failed':
      return 'The call was made and failed';
    case 'rejected':
      return 'The user did not agree to the call';
    case 'cancelled':
      return 'The call was cancelled';
    case 'undecided':
      return 'The user has not decided about the call yet';
  }
}

/** Where the output is from, as far as the call names it: its file, its command; else the tool. */
function placeOf({ name, namespace, input }: ToolCall): string {
  const tool = namespace === undefined ? name : `${namespace}.${name}`;
  const place = named(input);
  return place === undefined ? tool : `${place} (${tool})`;
}

function named(input: string): string | undefined {
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value !== 'object' || value === null) return undefined;
    const fields = new Map<string, unknown>(Object.entries(value));
    for (const name of ['path', 'command', 'file', 'uri', 'url']) {
      const field = fields.get(name);
      if (typeof field === 'string' && field.trim() !== '') return field.slice(0, 1_000);
    }
  } catch {
    // The raw input of a custom tool is no JSON.
  }
  return undefined;
}
