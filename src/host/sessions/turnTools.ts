/** Which tools a turn may call, and what the instructions say of them. Knows no editor. */
import type { InstructionFacts } from '../../core/conversation/instructions.ts';
import type { Tool } from '../../core/tools/tool.ts';

export interface OpenWorkspace {
  /** The person said that they trust it. */
  readonly trusted: boolean;
  /** Names of its folders, in order. */
  readonly folders: readonly string[];
}

export interface TurnTools {
  readonly tools: readonly Tool[];
  readonly facts: InstructionFacts;
  /** The person took it out: it is not offered any more, though it was before. */
  readonly isOff?: (tool: Tool) => boolean;
}

/**
 * Without a folder there is nothing to read or change, and in one that is not trusted nothing may be: then there are none. The order
 * never changes.
 */
export function turnTools(
  { trusted, folders }: OpenWorkspace,
  patching: readonly Tool[],
  reading: readonly Tool[] = [],
  running: readonly Tool[] = [],
): TurnTools {
  const isOpen = trusted && folders.length > 0;
  return {
    tools: isOpen ? [...patching, ...reading, ...running] : [],
    facts: { folders, canPatch: isOpen, canRead: isOpen && reading.length > 0 },
  };
}
