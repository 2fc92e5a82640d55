/** Builds what answers the composer while a name is typed, and what takes what is dropped. */
import type { ChatView } from '../chat/chatView.ts';
import type { Draft } from '../composer/draft.ts';
import type { PastedTexts } from '../chat/pastedTexts.ts';
import type { ContextSources } from '../context/sources.ts';
import { DisposableStore, type Disposable } from '../disposables.ts';
import type { Log } from '../log.ts';
import type { SlashCommands } from './candidate.ts';
import { Completions } from './completions.ts';
import { ContextFinder } from './contextFinder.ts';
import { Drops } from './drops.ts';
import { slashFinder } from './slashFinder.ts';
import { WorkspaceIndex } from './workspaceIndex.ts';

export interface CompletionParts {
  readonly view: Pick<ChatView, 'post'>;
  readonly slash: SlashCommands;
  readonly sources: ContextSources;
  readonly draft: Pick<Draft, 'attachIfRoom' | 'attachments'>;
  readonly pasted: Pick<PastedTexts, 'attachments'>;
  /** The compiled `searchWorker.ts`. */
  readonly worker: string;
  /** Where other panels look too; one of its own when absent. */
  readonly index?: WorkspaceIndex;
  readonly newId: () => string;
  readonly log: Log;
}

/** What the intents of the composer need. */
export interface Completion extends Disposable {
  readonly completions: Completions;
  readonly drops: Drops;
}

export function registerCompletion(parts: CompletionParts): Completion {
  const { view, slash, sources, draft, pasted, newId } = parts;
  const store = new DisposableStore();
  const index = parts.index ?? store.add(new WorkspaceIndex(parts));
  const attaching = { draft, notice: (text: string) => view.post({ kind: 'notice', text }) };
  const context = new ContextFinder({ ...attaching, index, sources, newId });
  const completions = new Completions({
    finders: { '@': context.find, '/': slashFinder(slash) },
    tell: (offer) => view.post({ kind: 'completions', ...offer }),
  });
  store.add({ dispose: () => completions.end() });
  return {
    completions,
    drops: new Drops({ ...attaching, sources, pasted }),
    dispose: () => store.dispose(),
  };
}
