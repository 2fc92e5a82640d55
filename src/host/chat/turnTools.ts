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
}

/** Without a folder there is nothing to change, and in one that is not trusted nothing may be: then there are none. */
export function turnTools({ trusted, folders }: OpenWorkspace, patching: readonly Tool[]): TurnTools {
  const canPatch = trusted && folders.length > 0;
  return { tools: canPatch ? patching : [], facts: { folders, canPatch } };
}
