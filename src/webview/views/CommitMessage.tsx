/** Under an answer that is the message for a commit: the way into the source control. */
import type { VNode } from 'preact';
import type { Turn } from '../../core/conversation/conversation.ts';
import { asksForCommit } from '../../protocol/commitPrompt.ts';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';
import { answerText } from '../turnFacts.ts';

export function CommitMessage({ turn }: { turn: Turn }): VNode | null {
  const { post } = useEnv();
  if (turn.end?.kind !== 'completed' || !asksForCommit(turn.question.attachments)) return null;
  if (answerText(turn) === '') return null;
  return (
    <div class="commit-message">
      <button
        type="button"
        class="button secondary"
        title={l10n.t('Put it into the input box of the source control. Nothing is committed.')}
        onClick={() => post({ kind: 'useCommitMessage', turn: turn.id })}
      >
        {l10n.t('Use as commit message')}
      </button>
    </div>
  );
}
