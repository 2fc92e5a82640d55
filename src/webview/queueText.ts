/** What is said of queued questions. Pure. */
import type { QueuePause } from '../protocol/toWebview.ts';
import { plainMoney } from './figures.ts';
import { l10n } from './l10n.ts';

/** What goes on in the conversation while they wait. */
export type QueueMoment = 'idle' | 'running' | 'reviewing' | 'asking';

/** When the next one is asked, or why it is not. */
export function queueText(paused: QueuePause | undefined, moment: QueueMoment): string {
  if (paused === undefined) {
    switch (moment) {
      case 'reviewing':
        return l10n.t('Queued. Sent once you have decided on the patch and the answer is complete.');
      case 'asking':
        return l10n.t('Queued. Sent once you have answered what the model asks and the answer is complete.');
      case 'idle':
      case 'running':
        return l10n.t('Queued. Sent when the answer is complete.');
    }
  }
  switch (paused.kind) {
    case 'stopped':
      return l10n.t('Queue paused: the answer was stopped. Send one to go on.');
    case 'failed':
      return l10n.t('Queue paused: the answer did not come to its end. Send one to go on.');
    case 'reloaded':
      return l10n.t('Queue paused: the window was loaded anew. Send one to go on.');
    case 'dear':
      return l10n.t(
        'Queue paused: the next question costs about {0}. Send it if you want that.',
        plainMoney(paused.next.money.likely),
      );
    case 'secrets':
      return l10n.t('Queue paused: the next question holds what looks secret. Send it to decide about that.');
    case 'problem':
      return l10n.flow(l10n.t('Queue paused.'), paused.text);
  }
}

export function sendNowText(moment: QueueMoment): string {
  switch (moment) {
    case 'idle':
      return l10n.t('Send now');
    case 'running':
      return l10n.t('Stop the answer and send this now');
    case 'reviewing':
      return l10n.t('Send now, and decide on the patch later');
    case 'asking':
      return l10n.t('Send now, and allow nothing of what the model asks');
  }
}
