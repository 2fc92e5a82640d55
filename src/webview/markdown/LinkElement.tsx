/** What is a link to a person: by mouse and by keyboard. What it does is said by who draws it. */
import type { ComponentChildren, VNode } from 'preact';

export interface LinkElementProps {
  readonly title: string;
  /** Given when it is not called by what stands in it. */
  readonly name?: string;
  readonly className?: string;
  /** Of the mark of a footnote, its number. */
  readonly mark?: number | undefined;
  readonly element?: { current: HTMLAnchorElement | null };
  readonly onFollow: (link: HTMLElement) => void;
  readonly children: ComponentChildren;
}

/** No `href`: VS Code would open it by itself, beside our intent. So keyboard and role are given by hand. */
export function LinkElement(props: LinkElementProps): VNode {
  const { title, name, className, mark, element, onFollow, children } = props;
  return (
    <a
      {...(element !== undefined && { ref: element })}
      role="link"
      tabIndex={0}
      class={className === undefined ? 'link' : `link ${className}`}
      {...(name !== undefined && { 'aria-label': name })}
      title={title}
      {...(mark !== undefined && { 'data-mark': mark })}
      onClick={(event) => onFollow(event.currentTarget)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onFollow(event.currentTarget);
      }}
    >
      {children}
    </a>
  );
}
