/** What a running turn is doing, in words. The one place for it: the panel shows it and says it aloud. Pure. */
import { callText } from './callWords.ts';
import { runningTime } from './figures.ts';
import { l10n } from './l10n.ts';
import { filesText } from './patchFacts.ts';
import { retryText } from './retryText.ts';
import { searchText } from './searchText.ts';
import { isPatch, type Activity } from './turnFacts.ts';

export interface ActivityFacts {
  /** As it is called. */
  readonly model: string;
  /** Host name of the other address that is asked. */
  readonly via?: string | undefined;
  /** Milliseconds until a request is sent again. */
  readonly left: number;
  /** The computer that shows the panel has no network. */
  readonly offline: boolean;
}

export function activityText(activity: Activity, { model, via, left, offline }: ActivityFacts): string {
  switch (activity.kind) {
    case 'waiting':
      if (offline) return l10n.t('This computer is offline');
      return via === undefined
        ? l10n.t('Waiting for {0}', model)
        : l10n.t('Waiting for {0} at {1}', model, via);
    case 'retrying': {
      const text = retryText(activity.retry, left);
      return offline ? l10n.flow(l10n.t('This computer is offline.'), text) : text;
    }
    case 'thinking':
      return l10n.t('Thinking');
    case 'answering':
      return l10n.t('Writing the answer');
    case 'searching':
      return searchText(activity.part, true);
    case 'writingCall':
    case 'runningTool': {
      const { part } = activity;
      if (!isPatch(part)) return callText([part], 'going');
      if (activity.kind === 'runningTool') return l10n.t('Fitting a patch to the files');
      const count = part.progress?.files.length ?? 0;
      return count === 0 ? l10n.t('Writing a patch') : l10n.t('Writing a patch for {0}', filesText(count));
    }
    case 'asking':
      return l10n.t('Waiting for your permission');
    case 'reviewing':
      return l10n.t('Waiting for your review');
  }
}

/** What is said when nothing was heard for so long. Milliseconds. */
export function silenceText(silent: number, offline: boolean): string {
  return offline
    ? l10n.t('This computer is offline, {0} without news', runningTime(silent))
    : l10n.t('Still thinking, {0} without news', runningTime(silent));
}
