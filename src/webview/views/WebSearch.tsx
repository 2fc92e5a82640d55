/** The switch that lets the service search the web in this conversation, and what it costs to turn it over. */
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { PanelState } from '../../protocol/toWebview.ts';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';
import { memo } from '../memo.ts';
import { webSearchHint, webSearchTitle } from '../webSearchText.ts';
import { IconButton } from './IconButton.tsx';
import { WebIcon } from './icons.tsx';

/** Neither a key that is typed nor a piece of an answer is anything to it. */
export const WebSearchSwitch = memo(({ panel: { webSearch } }: { panel: PanelState }): VNode | null => {
  const { post } = useEnv();
  if (webSearch === undefined) return null;
  return (
    <IconButton
      className="web-search"
      name={l10n.t('Web search')}
      title={webSearchTitle(webSearch)}
      icon={<WebIcon />}
      pressed={webSearch.on}
      onPress={() => post({ kind: 'setWebSearch', on: !webSearch.on })}
    />
  );
});

export const WebSearchNote = memo(({ panel }: { panel: PanelState }): VNode | null => {
  const { post, announce } = useEnv();
  const hint = webSearchHint(panel);
  const text = hint?.text ?? '';
  /** What was there when the panel was drawn first is no news. */
  const toldRef = useRef(text);
  useEffect(() => {
    if (text !== '' && text !== toldRef.current) announce(text);
    toldRef.current = text;
  }, [announce, text]);
  if (hint === undefined) return null;
  return (
    <p class="hint">
      {text}{' '}
      {hint.sites === true ? (
        <button
          type="button"
          class="text-button"
          onClick={() => post({ kind: 'openSettings', setting: 'kimiChat.webSearchDomains' })}
        >
          {l10n.t('Change the sites')}
        </button>
      ) : null}
    </p>
  );
});
