/** A line that opens to show more. The state is the parent's, so that a person's choice outlives what streams in. */
import type { ComponentChildren, VNode } from 'preact';
import { useId } from 'preact/hooks';
import { ChevronIcon } from './icons.tsx';

export interface FoldProps {
  readonly open: boolean;
  readonly onToggle: () => void;
  /** The line itself. */
  readonly summary: ComponentChildren;
  readonly className?: string;
  /** Ids of what it is about, with blanks between them: found by them in the page. */
  readonly about?: string;
  readonly children: ComponentChildren;
}

export function Fold({ open, onToggle, summary, className, about, children }: FoldProps): VNode {
  const id = useId();
  return (
    <div
      class={className === undefined ? 'fold' : `fold ${className}`}
      {...(about !== undefined && { 'data-about': about })}
    >
      <button type="button" class="fold-line" aria-expanded={open} aria-controls={id} onClick={onToggle}>
        <ChevronIcon />
        <span class="fold-summary">{summary}</span>
      </button>
      <div id={id} class="fold-body" hidden={!open}>
        {open ? children : null}
      </div>
    </div>
  );
}
