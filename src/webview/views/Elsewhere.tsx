/** Above the composer while another window writes the conversation: that it can only be looked at here, and how to go on all the same. */
import type { VNode } from 'preact';
import type { PanelState } from '../../protocol/toWebview.ts';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';
import { InfoIcon } from './icons.tsx';

export function Elsewhere({ state }: { state: NonNullable<PanelState['elsewhere']> }): VNode {
  const { post } = useEnv();
  return (
    <div class="notice elsewhere" role="status">
      <InfoIcon />
      <p class="notice-body">
        {state === 'deleted'
          ? l10n.t('Deleted in another window. You see it as it was.')
          : l10n.t('Open in another window. You see here what happens there.')}{' '}
        <button type="button" class="text-button" onClick={() => post({ kind: 'continueInCopy' })}>
          {l10n.t('Continue in a copy')}
        </button>
      </p>
    </div>
  );
}
