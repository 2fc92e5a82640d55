/** What a patch did to the problems of the workspace, in words. Pure. */
import type { PatchProblems } from '../protocol/toWebview.ts';
import { l10n } from './l10n.ts';

type Counts = Pick<PatchProblems, 'checking' | 'fixed' | 'introduced' | 'unknown' | 'shown'>;

/** One line. Nothing is said to be well that nobody has looked at. */
export function problemsText({ checking, fixed, introduced, unknown, shown }: Counts): string {
  if (checking && shown.length === 0) return l10n.t('Looking for problems');
  if (fixed > 0 && introduced > 0) return l10n.t('Problems: fixed {0}, introduced {1}', fixed, introduced);
  if (fixed > 0) return l10n.t('Problems: fixed {0}', fixed);
  if (introduced > 0) return l10n.t('Problems: introduced {0}', introduced);
  return unknown > 0 ? l10n.t('Problems: not known') : l10n.t('No new problems reported');
}

/** @param unknown at least one */
export function uncheckedText(unknown: number): string {
  return unknown === 1
    ? l10n.t('One changed file is in no editor, so its language may not have checked it.')
    : l10n.t('{0} changed files are in no editor, so their languages may not have checked them.', unknown);
}
