/** Under a question of which the model no longer sees everything: what that is, and the way to have it back. */
import type { VNode } from 'preact';
import type { Turn } from '../../core/conversation/conversation.ts';
import { cutText } from '../contextText.ts';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';

export function Cut({ turn }: { turn: Turn }): VNode | null {
  const { post } = useEnv();
  const text = cutText(turn.cut);
  if (text === undefined) return null;
  return (
    <div class="cut">
      <span>{text}</span>
      <button type="button" class="text-button" onClick={() => post({ kind: 'takeBackCut', turn: turn.id })}>
        {turn.cut?.whole === true ? l10n.t('Put it back') : l10n.t('Put them back')}
      </button>
    </div>
  );
}
