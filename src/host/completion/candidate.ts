/** What the lists of the composer are made of, on the host's side. Knows neither files nor commands. */
import type { CompletionItem } from '../../protocol/completion.ts';

export interface Candidate extends Omit<CompletionItem, 'id'> {
  /** What is done when it is taken, beside the text that it leaves in the composer. */
  readonly attach?: () => PromiseLike<unknown>;
}

/** Slash commands and prompts, in the order in which they stand while nothing is typed behind the slash. */
export interface SlashCommands {
  /** `label` and `insert` begin with a slash. Asked anew each time a list is opened. */
  candidates(): PromiseLike<readonly Candidate[]>;
}
