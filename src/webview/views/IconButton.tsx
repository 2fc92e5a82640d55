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
  /** Why it does nothing now is in the title, and said when it is pressed. */
  readonly disabled?: boolean;
  /** Id of the element that tells more. */
  readonly describedBy?: string;
}

export function IconButton(props: IconButtonProps): VNode {
  const { name, title = name, icon, onPress, className, pressed, disabled, describedBy } = props;
  return (
    <button
      type="button"
      class={className === undefined ? 'icon-button' : `icon-button ${className}`}
      {...(pressed !== undefined && { 'aria-pressed': pressed })}
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
