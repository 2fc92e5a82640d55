/** A small button that shows a picture alone; its name says what it does. */
import type { VNode } from 'preact';

export interface IconButtonProps {
  readonly name: string;
  /** The name itself, if nothing else is given. */
  readonly title?: string;
  readonly icon: VNode;
  readonly onPress: () => void;
  readonly className?: string;
  /** Of one that stays pressed. */
  readonly pressed?: boolean;
  /** Of one that opens something. */
  readonly expanded?: boolean;
  /** Why it does nothing now is in the title, and said when it is pressed. */
  readonly disabled?: boolean;
  /** Id of the element that tells more. */
  readonly describedBy?: string;
  readonly button?: { current: HTMLButtonElement | null };
}

export function IconButton(props: IconButtonProps): VNode {
  const { name, title = name, icon, onPress, className, pressed, expanded, disabled, describedBy } = props;
  const { button } = props;
  return (
    <button
      {...(button !== undefined && { ref: button })}
      type="button"
      class={className === undefined ? 'icon-button' : `icon-button ${className}`}
      {...(pressed !== undefined && { 'aria-pressed': pressed })}
      {...(expanded !== undefined && { 'aria-expanded': expanded })}
      {...(disabled === true && { 'aria-disabled': true })}
      aria-label={name}
      {...(describedBy !== undefined && { 'aria-describedby': describedBy })}
      title={title}
      onClick={onPress}
    >
      {icon}
    </button>
  );
}
