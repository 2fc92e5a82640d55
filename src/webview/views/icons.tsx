/** Small line drawings on a grid of 16, in the colour of the text around them. Decoration: the control that holds one has the name. */
import type { ComponentChildren, VNode } from 'preact';

export function Icon({ children, className }: { children: ComponentChildren; className?: string }): VNode {
  return (
    <svg
      class={className === undefined ? 'icon' : `icon ${className}`}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.1"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const AddIcon = (): VNode => (
  <Icon>
    <path d="M8 3v10M3 8h10" />
  </Icon>
);

export const CloseIcon = (): VNode => (
  <Icon>
    <path d="m4 4 8 8M12 4l-8 8" />
  </Icon>
);

export const ChevronIcon = (): VNode => (
  <Icon className="chevron">
    <path d="m6 4 4 4-4 4" />
  </Icon>
);

export const DownIcon = (): VNode => (
  <Icon className="down">
    <path d="m4 6.5 4 4 4-4" />
  </Icon>
);

export const SendIcon = (): VNode => (
  <Icon>
    <path d="M2.5 13.5 14 8 2.5 2.5 4.4 8zM4.4 8H9" />
  </Icon>
);

export const StopIcon = (): VNode => (
  <Icon>
    <rect x="3.5" y="3.5" width="9" height="9" rx="1.2" fill="currentColor" stroke="none" />
  </Icon>
);

export const CopyIcon = (): VNode => (
  <Icon>
    <rect x="5.5" y="5.5" width="8" height="8" rx="1.2" />
    <path d="M10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2" />
  </Icon>
);

export const CheckIcon = (): VNode => (
  <Icon>
    <path d="m3 8.5 3.2 3.2L13 4.8" />
  </Icon>
);

export const InsertIcon = (): VNode => (
  <Icon>
    <path d="M12.5 2.5h-9M12.5 13.5h-9M13 8H4M7 5 4 8l3 3" />
  </Icon>
);

export const WrapIcon = (): VNode => (
  <Icon>
    <path d="M2.5 3.5h11M2.5 8h8.7a2.2 2.2 0 0 1 0 4.5H8M9.6 10.7 7.8 12.5l1.8 1.8M2.5 12.5h2.6" />
  </Icon>
);

export const LatestIcon = (): VNode => (
  <Icon>
    <path d="M8 3v8.5M4.5 8 8 11.5 11.5 8M4 14h8" />
  </Icon>
);

export const WarningIcon = (): VNode => (
  <Icon>
    <path d="M8 2.5 14.2 13.5H1.8zM8 6.5v3.5" />
    <circle cx="8" cy="11.8" r=".4" fill="currentColor" />
  </Icon>
);

export const InfoIcon = (): VNode => (
  <Icon>
    <circle cx="8" cy="8" r="6" />
    <path d="M8 7.3v3.8" />
    <circle cx="8" cy="5" r=".4" fill="currentColor" />
  </Icon>
);

/** A question that waits for the person. */
export const AskIcon = (): VNode => (
  <Icon>
    <path d="M8 1.8 13 3.6v4c0 3.1-2 5.3-5 6.6-3-1.3-5-3.5-5-6.6v-4zM6.5 6.4a1.5 1.5 0 1 1 2.2 1.3c-.5.3-.7.6-.7 1.1" />
    <circle cx="8" cy="10.8" r=".4" fill="currentColor" />
  </Icon>
);

export const FileIcon = (): VNode => (
  <Icon>
    <path d="M9.5 1.8H4.2a.9.9 0 0 0-.9.9v10.6c0 .5.4.9.9.9h7.6c.5 0 .9-.4.9-.9V5zM9.3 2v3.2h3.3" />
  </Icon>
);

export const SelectionIcon = (): VNode => (
  <Icon>
    <path d="M3 3.5h10M3 12.5h10M5 6.5h6M5 9.5h4" />
  </Icon>
);

export const EditIcon = (): VNode => (
  <Icon>
    <path d="m3 13 .8-3.2 7.3-7.3a1.1 1.1 0 0 1 1.6 0l.8.8a1.1 1.1 0 0 1 0 1.6l-7.3 7.3zM9.6 4l2.4 2.4" />
  </Icon>
);

export const AgainIcon = (): VNode => (
  <Icon>
    <path d="M13 8a5 5 0 1 1-1.6-3.7M13 2.2v3.2H9.8" />
  </Icon>
);

export const MoreIcon = (): VNode => (
  <Icon>
    <circle cx="3.5" cy="8" r=".6" fill="currentColor" />
    <circle cx="8" cy="8" r=".6" fill="currentColor" />
    <circle cx="12.5" cy="8" r=".6" fill="currentColor" />
  </Icon>
);

export const PreviousIcon = (): VNode => (
  <Icon>
    <path d="M8 13V3M4 7l4-4 4 4" />
  </Icon>
);

export const NextIcon = (): VNode => (
  <Icon>
    <path d="M8 3v10M4 9l4 4 4-4" />
  </Icon>
);

export const MatchCaseIcon = (): VNode => (
  <Icon>
    <path d="M1.5 12 5 3.5 8.5 12M2.8 9h4.4M14.5 7v5M14.5 9.5a2.2 2.5 0 1 1-4.4 0 2.2 2.5 0 1 1 4.4 0" />
  </Icon>
);

export const WholeWordIcon = (): VNode => (
  <Icon>
    <path d="M1.5 11v2.5h13V11M6.5 6v4.5M6.5 8.2a1.9 2.2 0 1 1-3.8 0 1.9 2.2 0 1 1 3.8 0M9.5 3v7.5M13.3 8.2a1.9 2.2 0 1 1-3.8 0 1.9 2.2 0 1 1 3.8 0" />
  </Icon>
);

export const WebIcon = (): VNode => (
  <Icon>
    <circle cx="8" cy="8" r="6" />
    <path d="M2 8h12M8 2c4.2 3.6 4.2 8.4 0 12M8 2c-4.2 3.6-4.2 8.4 0 12" />
  </Icon>
);

export const InterruptIcon = (): VNode => (
  <Icon>
    <path d="M8 10.2V2.5M4.5 6 8 2.5 11.5 6" />
    <rect x="5.7" y="11.2" width="4.6" height="2.8" fill="currentColor" stroke="none" />
  </Icon>
);
