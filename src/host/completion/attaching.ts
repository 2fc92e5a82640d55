/** Puts what was taken from a list or dropped into the question, or says why it can't be. */
import * as vscode from 'vscode';

import { attachProblemText } from '../context/problem.ts';
import type { Attached } from '../context/sources.ts';
import type { Draft } from '../composer/draft.ts';

export interface AttachingParts {
  readonly draft: Pick<Draft, 'attachIfRoom' | 'attachments'>;
  /** Tells the person a sentence in the panel. */
  readonly notice: (text: string) => void;
}

/** Something to be attached, with the name that a person knows it by. */
export interface Wanted {
  readonly name: string;
  readonly attached: () => Attached;
}

/** One after the other: some ask the person. What can't be attached hinders nothing else. */
export async function attachAll({ draft, notice }: AttachingParts, all: readonly Wanted[]): Promise<void> {
  const problems: string[] = [];
  for (const { name, attached } of all) {
    const result = await attached();
    const hindrance = result.ok ? draft.attachIfRoom(result.value) : result.error;
    const problem = hindrance && attachProblemText(hindrance);
    if (problem !== undefined) problems.push(vscode.l10n.t('{0}: {1}', name, problem));
  }
  if (problems.length > 0) notice(problems.join('\n'));
}
