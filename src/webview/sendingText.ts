/** What is said of sending what stands in the composer, and why it can't be sent. Pure. */
import type { SpendingFacts } from '../core/cost/facts.ts';
import type { PanelState } from '../protocol/toWebview.ts';
import { forecastShort } from './contextText.ts';
import { l10n } from './l10n.ts';
import type { QueueMoment } from './queueText.ts';
import type { Activity } from './turnFacts.ts';

/** With what the question will cost, as far as that can be told. */
export function sendTitle(moment: QueueMoment, key: string, spending: SpendingFacts | undefined): string {
  const action = sendAction(moment, key);
  return spending === undefined ? action : `${action}\n${forecastShort(spending.next)}`;
}

function sendAction(moment: QueueMoment, key: string): string {
  switch (moment) {
    case 'idle':
      return l10n.t('Send ({0})', key);
    case 'running':
      return l10n.t('Send when the answer is complete ({0})', key);
    case 'reviewing':
      return l10n.t('Send, and decide on the patch later ({0})', key);
    case 'asking':
      return l10n.t('Send, and allow nothing of what the model asks ({0})', key);
  }
}

export function momentOf(activity: Activity | undefined, waits: boolean): QueueMoment {
  if (activity === undefined) return 'idle';
  if (!waits) return 'running';
  return activity.kind === 'asking' ? 'asking' : 'reviewing';
}

/** Why the text can't be sent now, as a sentence; empty when there is nothing to send; undefined when it can, or when it is queued. */
export function whyNot(
  panel: Pick<PanelState, 'key' | 'elsewhere'>,
  draft: string,
  isQueued: boolean,
): string | undefined {
  if (draft.trim() === '') return '';
  const elsewhere = elsewhereText(panel);
  if (elsewhere !== undefined) return elsewhere;
  if (panel.key === 'missing' && !isQueued)
    return l10n.t('Set the API key to send this. The text stays here.');
  return undefined;
}

/** Why nothing can be done in the conversation here; undefined when it can. */
export function elsewhereText({ elsewhere }: Pick<PanelState, 'elsewhere'>): string | undefined {
  if (elsewhere === undefined) return undefined;
  return elsewhere === 'deleted'
    ? l10n.t(
        'This conversation was deleted in another window. Choose “Continue in a copy” to go on with it here.',
      )
    : l10n.t('This conversation is open in another window. Ask there, or choose “Continue in a copy” here.');
}
