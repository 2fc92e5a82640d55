/** What stands in a conversation that has not begun: what can be asked, or what is missing to ask. */
import type { VNode } from 'preact';
import type { PanelState, Suggestion } from '../../protocol/toWebview.ts';
import { askKey, shiftKey } from '../askKey.ts';
import { useEnv } from '../env.ts';
import { l10n, pieces } from '../l10n.ts';
import { KeyNeeded, lacksKey } from './KeyNeeded.tsx';
import { Recent } from './Recent.tsx';

export function Empty({ panel }: { panel: PanelState }): VNode {
  if (lacksKey(panel.key)) {
    return (
      <div class="empty">
        <KeyNeeded state={panel.key} />
        <Recent recent={panel.recent} />
      </div>
    );
  }
  return (
    <div class="empty">
      <p>
        {panel.patchMode === 'ask'
          ? l10n.t(
              'Ask about your code. Changes are proposed as diffs; nothing is written before you accept.',
            )
          : l10n.t(
              'Ask about your code. Changes are written at once, except to protected files; you review the diffs afterwards and can take them back.',
            )}
      </p>
      {panel.suggestions.length === 0 ? null : (
        <ul class="suggestions" aria-label={l10n.t('Suggestions')}>
          {panel.suggestions.map((suggestion) => (
            <li key={suggestion.text}>
              <SuggestionButton suggestion={suggestion} />
            </li>
          ))}
        </ul>
      )}
      <Recent recent={panel.recent} />
      <p class="quiet">
        {pieces(
          l10n.t('Select code and press {0} to ask about it.'),
          <kbd>{askKey(navigator.userAgent)}</kbd>,
        )}
      </p>
      <p class="quiet">
        {pieces(
          l10n.t('Type {0} to attach files, symbols, problems or changes, and {1} for commands.'),
          <kbd>@</kbd>,
          <kbd>/</kbd>,
        )}
      </p>
      <p class="quiet">
        {pieces(l10n.t('Hold {0} to drop files or images here.'), <kbd>{shiftKey(navigator.userAgent)}</kbd>)}
      </p>
    </div>
  );
}

function SuggestionButton({ suggestion }: { suggestion: Suggestion }): VNode {
  const { post, compose } = useEnv();
  return (
    <button
      type="button"
      class="suggestion"
      onClick={() => {
        if (suggestion.attach === 'activeFile') post({ kind: 'attachActive' });
        compose(suggestion.text);
      }}
    >
      {suggestion.text}
    </button>
  );
}
