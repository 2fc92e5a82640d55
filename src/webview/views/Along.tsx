/** What goes with the question without having been attached: instructions and what its slash command brings, and the way back for what is left out. */
import type { VNode } from 'preact';
import type { AlongFacts } from '../../protocol/toWebview.ts';
import { useEnv } from '../env.ts';
import { visibleText } from '../invisible.ts';
import { l10n } from '../l10n.ts';
import { Plain } from '../markdown/Plain.tsx';
import { pathParts } from '../paths.ts';
import { Chips } from './Chips.tsx';

export function Along({ along: { chips, left, note, skipped = [] } }: { along: AlongFacts }): VNode {
  const { post } = useEnv();
  return (
    <div class="along">
      <Chips attachments={chips} label={l10n.t('Goes along with the question')} />
      {note === undefined || chips.length === 0 ? null : (
        <p class="along-note" dir="auto">
          <Plain text={note} />
        </p>
      )}
      {skipped.map((text) => (
        <p key={text} class="along-note" dir="auto">
          <Plain text={text} />
        </p>
      ))}
      {left.length === 0 ? null : (
        <ul class="along-left" aria-label={l10n.t('Left out of this chat')}>
          {left.map(({ id, path }) => (
            <li key={id}>
              <span title={visibleText(path)}>
                {l10n.t('Left out: {0}', visibleText(pathParts(path).name))}
              </span>
              <button
                type="button"
                class="text-button"
                aria-label={l10n.t('Put back {0}', visibleText(path))}
                onClick={() => post({ kind: 'putBackInstructions', attachment: id })}
              >
                {l10n.t('Put back')}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
