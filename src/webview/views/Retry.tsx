/** A request that failed and is sent again by itself: why, when, and how to hurry it or call it off. */
import type { VNode } from 'preact';
import type { RetryWait } from '../../core/conversation/conversation.ts';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';
import { activityText } from '../activityText.ts';
import { useArmed, useCountdown, useOffline } from './hooks.ts';

export function Retry({ retry }: { retry: RetryWait }): VNode {
  const { post } = useEnv();
  const left = useCountdown(retry.until);
  const armed = useArmed(`${retry.attempt} ${retry.since}`);
  return (
    <div class="notice quiet-end retry">
      <div class="notice-body">
        <p>{activityText({ kind: 'retrying', retry }, { model: '', left, offline: useOffline() })}</p>
        <div class="notice-buttons">
          <button type="button" class="text-button" onClick={armed(() => post({ kind: 'retryNow' }))}>
            {l10n.t('Try now')}
          </button>
          <button type="button" class="text-button" onClick={armed(() => post({ kind: 'stop' }))}>
            {l10n.t('Stop trying')}
          </button>
        </div>
      </div>
    </div>
  );
}
