/** What is said where nothing can be asked for want of a key: why, and the button that helps. */
import type { VNode } from 'preact';
import type { KeyState } from '../../protocol/toWebview.ts';
import { useEnv, useService } from '../env.ts';
import { l10n, pieces } from '../l10n.ts';
import { OpenLink } from '../markdown/Link.tsx';

const keysPage = 'https://evolink.ai/dashboard/keys';

type LackedKey = Extract<KeyState, 'missing' | 'unreadable'>;

export function lacksKey(state: KeyState): state is LackedKey {
  return state === 'missing' || state === 'unreadable';
}

export function KeyNeeded({ state }: { state: LackedKey }): VNode {
  const { post } = useEnv();
  return (
    <div class="key-needed">
      {state === 'missing' ? (
        <KeyMissing />
      ) : (
        <p>
          {l10n.t(
            'The API key could not be read from this system’s secret store. Unlock the store and reload the window, or set the key again.',
          )}
        </p>
      )}
      <button type="button" class="button" onClick={() => post({ kind: 'setKey' })}>
        {l10n.t('Set API key')}
      </button>
    </div>
  );
}

/** Nobody is to give one service the key of another. */
function KeyMissing(): VNode {
  const service = useService();
  if (service?.evolink === true) {
    return (
      <p>
        {pieces(
          l10n.t('Kimi Chat needs an EvoLink API key. You can make one on {0}.'),
          <OpenLink href={keysPage}>evolink.ai/dashboard/keys</OpenLink>,
        )}
      </p>
    );
  }
  return (
    <p>
      {service === undefined
        ? l10n.t('Kimi Chat needs an API key.')
        : l10n.t('Kimi Chat needs an API key for {0}.', service.origin)}
    </p>
  );
}
