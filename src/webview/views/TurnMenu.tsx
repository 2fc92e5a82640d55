/** What can be done with a turn that has ended: two buttons for what is done often, and a menu for all of it. */
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Turn } from '../../core/conversation/conversation.ts';
import { useBranches } from '../branches.ts';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';
import { CopyButton } from '../markdown/Code.tsx';
import { answerText } from '../turnFacts.ts';
import { IconButton } from './IconButton.tsx';
import { AgainIcon } from './icons.tsx';
import { MenuButton, type MenuItem } from './MenuButton.tsx';

export interface TurnMenuProps {
  readonly turn: Turn;
  /** The choice of model and effort is open. */
  readonly again: boolean;
  readonly onAgain: () => void;
}

/** Milliseconds within which two presses mean one. */
const oneClick = 1000;

export function TurnMenu({ turn, again, onAgain }: TurnMenuProps): VNode {
  const { post, announce } = useEnv();
  const branches = useBranches();
  const menu = useRef<HTMLButtonElement>(null);
  const againButton = useRef<HTMLButtonElement>(null);
  const forkRef = useRef({ id: '', at: -Infinity });
  const fork = (): void => {
    const at = performance.now();
    // A double click means one conversation.
    if (at - forkRef.current.at > oneClick) forkRef.current = { id: crypto.randomUUID(), at };
    post({ kind: 'fork', id: forkRef.current.id, turn: turn.id });
  };
  useLayoutEffect(() => {
    if (branches.takes(`menu ${turn.id}`)) menu.current?.focus();
    if (!again && branches.takes(`again ${turn.id}`)) againButton.current?.focus();
  });
  const hasAnswer = answerText(turn) !== '';
  const copied = (): void => announce(l10n.t('Copied'));
  const items: readonly MenuItem[] = [
    ...(hasAnswer
      ? [
          {
            label: l10n.t('Copy answer'),
            act: () => {
              post({ kind: 'copy', text: answerText(turn) });
              copied();
            },
          },
        ]
      : []),
    {
      label: l10n.t('Copy conversation as Markdown'),
      act: () => {
        post({ kind: 'copyConversation' });
        copied();
      },
    },
    {
      label: l10n.t('Edit question'),
      act: () => branches.startEdit(turn.id, turn.question),
      apart: true,
    },
    ...(again ? [] : [{ label: l10n.t('Answer again with…'), act: onAgain }]),
    {
      label: l10n.t('Fork from here'),
      act: fork,
    },
    {
      label: l10n.t('Delete question and answer'),
      act: () => {
        branches.want(`undo ${turn.id}`);
        post({ kind: 'deleteTurn', turn: turn.id });
      },
      apart: true,
    },
  ];
  return (
    <span class="turn-actions">
      {hasAnswer ? <CopyButton text={() => answerText(turn)} name={l10n.t('Copy answer')} /> : null}
      <IconButton
        button={againButton}
        name={l10n.t('Answer again')}
        title={l10n.t('Answer again, with a model and effort of your choice')}
        expanded={again}
        icon={<AgainIcon />}
        onPress={onAgain}
      />
      <MenuButton name={l10n.t('More actions')} items={items} button={menu} />
    </span>
  );
}
