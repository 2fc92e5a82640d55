/** What a patch did to the problems of the workspace, in words. Pure. */
import type { PatchProblems } from '../protocol/toWebview.ts';
import { l10n } from './l10n.ts';

type Counts = Pick<PatchProblems, 'checking' | 'fixed' | 'introduced' | 'shown'>;

/** One line, of what languages have told. */
export function problemsText({ checking, fixed, introduced, shown }: Counts): string {
  if (checking && shown.length === 0) return l10n.t('Looking for problems');
  if (fixed > 0 && introduced > 0) return l10n.t('Problems: fixed {0}, introduced {1}', fixed, introduced);
  if (fixed > 0) return l10n.t('Problems: fixed {0}', fixed);
  return introduced > 0 ? l10n.t('Problems: introduced {0}', introduced) : l10n.t('No new problems reported');
}

/** Nothing is said to be well that nobody has looked at. `unknown` is at least one. */
export function uncheckedText(unknown: number): string {
  return unknown === 1
    ? l10n.t('Not checked for problems: the file is in no editor.')
    : l10n.t('Not checked for problems: {0} files are in no editor.', unknown);
}
