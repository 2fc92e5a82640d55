/** Where a person says why they say no, for the model to read. Knows nothing of what is declined. */
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { l10n } from '../l10n.ts';
import { useComposition } from './hooks.ts';

export interface ReasonProps {
  /** What the button does with it. */
  readonly label: string;
  /** Without blanks around it; empty when none was given. */
  readonly onGiven: (reason: string) => void;
  readonly onCancel: () => void;
}

export function Reason({ label, onGiven, onCancel }: ReasonProps): VNode {
  const field = useRef<HTMLInputElement>(null);
  const [reason, setReason] = useState('');
  const composition = useComposition();
  // The person has just asked for this field.
  useLayoutEffect(() => field.current?.focus(), []);
  const name = l10n.t('Reason for the model (optional)');
  return (
    <form
      class="reason"
      onSubmit={(event) => {
        event.preventDefault();
        onGiven(reason.trim());
      }}
    >
      <input
        ref={field}
        type="text"
        class="input"
        dir="auto"
        aria-label={name}
        placeholder={name}
        value={reason}
        onInput={(event) => setReason(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (composition.takes(event)) {
            // What Safari tells after the composition would send what is half written.
            if (event.key === 'Enter' && !event.isComposing) event.preventDefault();
            return;
          }
          if (event.key !== 'Escape') return;
          event.stopPropagation();
          onCancel();
        }}
        {...composition.handlers}
      />
      <div class="notice-buttons">
        <button type="submit" class="button">
          {label}
        </button>
        <button type="button" class="text-button" onClick={onCancel}>
          {l10n.t('Cancel')}
        </button>
      </div>
    </form>
  );
}
