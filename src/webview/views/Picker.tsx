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
}

export function Picker(props: PickerProps): VNode {
  const { name, title, value, options, onPick, disabled, picker, className } = props;
  return (
    <span class={className === undefined ? 'picker' : `picker ${className}`} title={title}>
      <select
        {...(picker !== undefined && { ref: picker })}
        aria-label={name}
        value={value}
        disabled={disabled === true}
        onChange={(event) => onPick(event.currentTarget.value)}
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
