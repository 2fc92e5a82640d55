/** What is left of a deleted turn: one quiet line, and the way back. */
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useBranches } from '../branches.ts';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';

export function Deleted({ turn }: { turn: string }): VNode {
  const { post, announce } = useEnv();
  const branches = useBranches();
  const undo = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (!branches.takes(`undo ${turn}`)) return;
    undo.current?.focus();
    announce(l10n.t('Question deleted'));
  }, [branches, announce, turn]);
  return (
    <p class="deleted">
      {l10n.t('Question deleted')}
      <button
        ref={undo}
        type="button"
        class="text-button"
        aria-label={l10n.t('Undo deleting the question')}
        onClick={() => {
          branches.want(`menu ${turn}`);
          post({ kind: 'restoreTurn', turn });
        }}
      >
        {l10n.t('Undo')}
      </button>
    </p>
  );
}
