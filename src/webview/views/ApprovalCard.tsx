/** The question of a running tool, with its buttons. It takes the cursor from nobody, and no answer before it could be read. */
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Approval, ApprovalRequest } from '../../core/conversation/conversation.ts';
import type { ToHost } from '../../protocol/toHost.ts';
import { approvalNote, approvalTitle } from '../approvalText.ts';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';
import { memo } from '../memo.ts';
import { ApprovalBody } from './ApprovalBody.tsx';
import { AskIcon } from './icons.tsx';
import { useArmed, useFocusBack } from './hooks.ts';
import { Reason } from './Reason.tsx';

export interface ApprovalCardProps {
  readonly approval: Approval;
  /** The part of the call that asks. */
  readonly call: string;
  /** Its place among the questions that are open now, from 1, and how many those are. */
  readonly place: number;
  readonly of: number;
  /** Changes with whatever moves the card on the screen. */
  readonly shape: string;
}

type Answer = Extract<ToHost, { kind: 'answerApproval' }>['answer'];

export const ApprovalCard = memo(({ approval, call, place, of, shape }: ApprovalCardProps): VNode => {
  const { id, request } = approval;
  const card = useRef<HTMLDivElement>(null);
  useFocusHandedOn(card, call);
  const title = approvalTitle(request);
  const note = approvalNote(request);
  return (
    <div
      ref={card}
      class="approval"
      role="group"
      aria-label={of === 1 ? title : l10n.t('{0} Question {1} of {2}', title, place, of)}
      tabIndex={-1}
      data-approval={id}
    >
      <div class="approval-head" data-unsearched>
        <AskIcon />
        <span class="approval-title">{title}</span>
        {of === 1 ? null : <span class="approval-place">{l10n.t('{0} of {1}', place, of)}</span>}
      </div>
      <ApprovalBody request={request} />
      {note === undefined ? null : (
        <p class="approval-note" dir="auto" data-unsearched>
          {note}
        </p>
      )}
      <Buttons approval={approval} shape={shape} />
    </div>
  );
});

/** Who answered with the keyboard goes on at the next question or, behind the last one, at the line that the call has become. */
function useFocusHandedOn(card: { readonly current: HTMLElement | null }, call: string): void {
  useLayoutEffect(
    () => () => {
      const { current } = card;
      const turn = current?.closest('.turn');
      if (current?.contains(document.activeElement) !== true || turn === null || turn === undefined) return;
      queueMicrotask(() => {
        // Never taken from where the person went meanwhile, nor from another part of the workbench.
        const { activeElement } = document;
        if (!document.hasFocus() || (activeElement !== document.body && activeElement !== turn)) return;
        const next =
          turn.querySelector<HTMLElement>('.approval') ??
          turn.querySelector<HTMLElement>(`[data-about~="${CSS.escape(call)}"] .fold-line`);
        next?.focus({ preventScroll: next.matches('.fold-line') });
      });
    },
    [card, call],
  );
}

function Buttons({ approval: { id, request }, shape }: { approval: Approval; shape: string }): VNode {
  const { post } = useEnv();
  const [denying, setDenying] = useState(false);
  const armed = useArmed(`${id} ${shape} ${denying ? 'denying' : ''}`, true);
  const reasonButton = useFocusBack(denying);
  const answer = (given: Answer, reason = ''): void =>
    armed(() =>
      post({ kind: 'answerApproval', approval: id, answer: given, ...(reason !== '' && { reason }) }),
    )();
  if (denying) {
    return (
      <Reason
        label={denyLabel(request)}
        onGiven={(reason) => answer('deny', reason)}
        onCancel={() => setDenying(false)}
      />
    );
  }
  return (
    <div class="notice-buttons">
      {/* What grants more than was asked about is there for those who look for it, and not in the way of the two answers. */}
      {offersOf(request).map(({ answer: given, label, title, first }) => (
        <button
          key={given}
          type="button"
          class={first === true ? 'button' : given === 'deny' ? 'button secondary' : 'text-button'}
          {...(title !== undefined && { title })}
          onClick={() => answer(given)}
        >
          {label}
        </button>
      ))}
      <button
        ref={reasonButton}
        type="button"
        class="text-button"
        aria-expanded={false}
        onClick={() => setDenying(true)}
      >
        {request.kind === 'secrets' ? l10n.t('Keep back, and say why') : l10n.t('Deny, and say why')}
      </button>
    </div>
  );
}

interface Offer {
  readonly answer: Answer;
  readonly label: string;
  readonly title?: string;
  readonly first?: true;
}

function offersOf(request: ApprovalRequest): readonly Offer[] {
  const deny: Offer = { answer: 'deny', label: denyLabel(request) };
  switch (request.kind) {
    case 'command':
      return [
        { answer: 'allow', label: l10n.t('Run once'), first: true },
        deny,
        {
          answer: 'remember',
          label: l10n.t('Always run it here'),
          title: l10n.t('This very command in this folder is not asked about again in this workspace'),
        },
      ];
    case 'read':
      return [{ answer: 'allow', label: l10n.t('Allow'), first: true }, deny];
    case 'foreignTool':
      return [{ answer: 'allow', label: l10n.t('Call once'), first: true }, deny];
    case 'secrets':
      return [
        { answer: 'mask', label: l10n.t('Mask and send'), first: true },
        deny,
        { answer: 'allow', label: l10n.t('Send as it is') },
      ];
  }
}

function denyLabel(request: ApprovalRequest): string {
  return request.kind === 'secrets' ? l10n.t('Keep back') : l10n.t('Deny');
}
