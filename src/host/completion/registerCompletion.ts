/** Builds what answers the composer while a name is typed, and what takes what is dropped. */
import type { ChatView } from '../chat/chatView.ts';
import type { SlashCommands } from './candidate.ts';
import { Completions, type Finder } from './completions.ts';
import { Drops } from './drops.ts';

export interface CompletionParts {
  readonly view: Pick<ChatView, 'post'>;
  readonly slash: SlashCommands;
}

/** What the intents of the composer need. */
export interface Completion {
  readonly completions: Completions;
  readonly drops: Drops;
}

export function registerCompletion({ view, slash }: CompletionParts): Completion {
  const nothing: Finder = () => Promise.resolve();
  return {
    completions: new Completions({
      finders: { '@': nothing, '/': async (_, show) => show(await slash.candidates()) },
      tell: (offer) => view.post({ kind: 'completions', ...offer }),
    }),
    drops: new Drops({ notice: (text) => view.post({ kind: 'notice', text }) }),
  };
}
