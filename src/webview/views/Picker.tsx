/** A small choice among a few, as wide as what is chosen. Knows nothing of what is chosen. */
import type { VNode } from 'preact';
import { DownIcon } from './icons.tsx';

export interface PickerProps {
  readonly name: string;
  readonly title: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string; readonly title?: string }[];
  readonly onPick: (value: string) => void;
  readonly disabled?: boolean;
  readonly picker?: { current: HTMLSelectElement | null };
  readonly className?: string;
  /** What is picked is not so yet: the host may ask first. Until it tells, the picker says what is. */
  readonly waits?: true;
}

export function Picker(props: PickerProps): VNode {
  const { name, title, value, options, onPick, disabled, picker, className, waits } = props;
  return (
    <span class={className === undefined ? 'picker' : `picker ${className}`} title={title}>
      <select
        {...(picker !== undefined && { ref: picker })}
        aria-label={name}
        value={value}
        disabled={disabled === true}
        onChange={({ currentTarget }) => {
          const picked = currentTarget.value;
          if (waits === true) currentTarget.value = value;
          onPick(picked);
        }}
      >
        {options.map((option) => (
          <option
            key={option.value}
            value={option.value}
            selected={option.value === value}
            {...(option.title !== undefined && { title: option.title })}
          >
            {option.label}
          </option>
        ))}
      </select>
      <DownIcon />
    </span>
  );
}
