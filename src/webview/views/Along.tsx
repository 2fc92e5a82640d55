/**
 * What is attached to the question, with what goes along without having been attached: instructions and what its slash command brings,
 * and the way back for what is left out.
 */
import type { VNode } from 'preact';
import type { AttachmentSummary } from '../../core/conversation/conversation.ts';
import type { AlongFacts } from '../../protocol/toWebview.ts';
import { useEnv } from '../env.ts';
import { visibleText } from '../invisible.ts';
import { l10n } from '../l10n.ts';
import { Plain } from '../markdown/Plain.tsx';
import { memo } from '../memo.ts';
import { pathParts } from '../paths.ts';
import { Chips } from './Chips.tsx';

export interface AttachedProps {
  readonly along: AlongFacts | undefined;
  readonly attachments: readonly AttachmentSummary[];
}

/** A key that is typed into the composer is nothing to it. */
export const Attached = memo(({ along, attachments }: AttachedProps): VNode => (
  <>
    {attachments.length === 0 && (along?.chips ?? []).length === 0 ? null : (
      // One flow of chips: a list of its own line each would take the room of the conversation.
      <div class="composer-chips">
        {along === undefined ? null : (
          <div class="along-chips">
            <Chips attachments={along.chips} label={l10n.t('Goes along with the question')} />
          </div>
        )}
        <Chips attachments={attachments} />
      </div>
    )}
    {along === undefined ? null : <Notes along={along} />}
  </>
));

function Notes({ along: { chips, left, note, skipped = [] } }: { along: AlongFacts }): VNode | null {
  const { post } = useEnv();
  const notes = [...(note === undefined || chips.length === 0 ? [] : [note]), ...skipped];
  if (notes.length === 0 && left.length === 0) return null;
  return (
    <div class="along">
      {notes.map((text) => (
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
