/**
 * Makes a tool of the loop out of one that belongs to another extension or to a server. It is never called before the person has
 * allowed that very call. Knows no editor.
 */
import { untilAborted, type CancelSignal } from '../cancel.ts';
import { resultOf, type ResultPart } from './foreignResult.ts';
import { acceptableSchema } from './foreignSchema.ts';
import { capped, shortLine } from './resultText.ts';
import type { Tool, ToolContext, ToolOutcome } from './tool.ts';

/** Whose a tool is, as far as that is known; `name` is what they call themselves, empty where that is not known. */
export interface ToolOwner {
  readonly kind: 'extension' | 'server' | 'unknown';
  readonly name: string;
}

export interface ForeignTool {
  readonly owner: ToolOwner;
  /** What it is declared in; one for all tools of its owner. */
  readonly namespace: string;
  /** What it is declared as. */
  readonly name: string;
  /** As its owner wrote it. */
  readonly description: string;
  /** As its owner wrote it. */
  readonly schema: unknown;
  /** Whose it is and what they call it, as the person is asked. */
  readonly asked: { readonly owner: string; readonly name: string };
}

/** What stands between a tool and a call of it. */
export type Standing =
  | 'fine'
  /** The person took it out. */
  | 'notChosen'
  /** The workspace is not trusted. */
  | 'untrusted'
  /** Its extension or server is not there. */
  | 'absent'
  /** It says something else of itself than when the person chose it. */
  | 'changed';

export type ForeignEnd =
  | { readonly kind: 'returned'; readonly parts: readonly ResultPart[] }
  /** It, or whoever runs it, threw this. */
  | { readonly kind: 'threw'; readonly message: string }
  /** Whoever runs it asked the person as well, and they refused. */
  | { readonly kind: 'refused' };

export interface ForeignPorts {
  /** At this moment. */
  standing(): Standing;
  /** Calls it. `input` is an object. Never rejects; what it resolves with after an abort is not looked at. */
  invoke(input: object, signal: CancelSignal): Promise<ForeignEnd>;
}

/** Longest description that is declared, in UTF-16 units. */
const longestDescription = 10_000;

export function foreignTool(tool: ForeignTool, ports: ForeignPorts): Tool {
  const { parameters, note } = acceptableSchema(tool.schema);
  const described = [tool.description.trim(), ...(note === undefined ? [] : [note])].filter(
    (text) => text !== '',
  );
  return {
    declaration: {
      type: 'function',
      name: tool.name,
      description: shortLine(described.join('\n'), longestDescription),
      parameters,
      strict: false,
    },
    namespace: {
      name: tool.namespace,
      description: `${whose(tool.owner)} The person is asked before each call.`,
    },
    async run(call, context) {
      if (!call.complete) return failed('Not run: the call did not arrive complete. Send it again.');
      const input: unknown = JSON.parse(call.input);
      if (typeof input !== 'object' || input === null || Array.isArray(input))
        return failed('Not run: the arguments must be a JSON object.');
      const standing = ports.standing();
      return standing === 'fine' ? ask(tool, ports, input, context) : failed(hindrance(standing));
    },
  };
}

async function ask(
  { description, asked }: ForeignTool,
  ports: ForeignPorts,
  input: object,
  context: ToolContext,
): Promise<ToolOutcome> {
  const { signal } = context;
  // What is shown is what is sent on, not what came: JSON can name the same member twice.
  const answer = await context.ask({
    kind: 'foreignTool',
    ...asked,
    description,
    input: JSON.stringify(input),
  });
  switch (answer.kind) {
    case 'allow':
      break;
    case 'deny':
    case 'mask':
      return { kind: 'rejected', text: denied(answer.kind === 'deny' ? answer.reason : undefined) };
    case 'later':
      return {
        kind: 'cancelled',
        text: 'Not run: the person went on without answering. Ask for it again only if it is still needed.',
      };
    case 'cancelled':
      return { kind: 'cancelled', text: 'Cancelled by the user. The tool was not run.' };
  }
  // Time has passed.
  const standing = ports.standing();
  if (standing !== 'fine') return failed(hindrance(standing));
  if (signal.aborted) return { kind: 'cancelled', text: 'Cancelled by the user. The tool was not run.' };
  const end = await untilAborted(ports.invoke(input, signal), signal);
  if (end === undefined) {
    return {
      kind: 'cancelled',
      text: 'Cancelled by the user while the tool ran. What it did until then is not known.',
    };
  }
  switch (end.kind) {
    case 'returned':
      return { kind: 'done', text: resultOf(end.parts) };
    case 'threw':
      return failed(capped(`The tool failed: ${end.message}`));
    case 'refused':
      return { kind: 'rejected', text: denied(undefined) };
  }
}

/** In words that stay the same whatever language the person has. */
function whose({ kind, name }: ToolOwner): string {
  switch (kind) {
    case 'extension':
      return `Tools of the VS Code extension ${name}.`;
    case 'server':
      return name === '' ? 'Tools of MCP servers.' : `Tools of the MCP server ${name}.`;
    case 'unknown':
      return 'Tools of VS Code itself or of one of its extensions.';
  }
}

function hindrance(standing: Exclude<Standing, 'fine'>): string {
  switch (standing) {
    case 'notChosen':
      return 'Not run: the person does not offer this tool any more. Go on without it.';
    case 'untrusted':
      return 'Not run: the person does not trust this workspace, where nothing is run.';
    case 'absent':
      return 'Not run: the extension or server that it belongs to is not there now. Go on without it, or ask the person to start it.';
    case 'changed':
      return 'Not run: it is not the same tool any more that the person chose. Go on without it, or ask them to choose it again.';
  }
}

function denied(reason: string | undefined): string {
  const said = reason === undefined || reason.trim() === '' ? '' : ` They said: ${reason.trim()}`;
  return `The person did not allow it, and it was not run.${said} Go on without it, or ask what they want instead.`;
}

function failed(text: string): ToolOutcome {
  return { kind: 'failed', text };
}
