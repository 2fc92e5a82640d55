/** A button that opens a menu, by keyboard as VS Code's own menus: arrow keys, Home and End, a letter, Enter, Escape. */
import type { VNode } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { MoreIcon } from './icons.tsx';

export interface MenuItem {
  readonly label: string;
  readonly act: () => void;
  /** Stands below a line. */
  readonly apart?: true;
}

export interface MenuButtonProps {
  readonly name: string;
  readonly items: readonly MenuItem[];
  readonly button?: { current: HTMLButtonElement | null };
}

/** An empty list has no button. */
export function MenuButton({ name, items, button: given }: MenuButtonProps): VNode | null {
  const own = useRef<HTMLButtonElement>(null);
  const button = given ?? own;
  const frame = useRef<HTMLSpanElement>(null);
  const id = useId();
  const [open, setOpen] = useState<'no' | 'first' | 'last'>('no');
  const isOpen = open !== 'no';
  const close = (): void => {
    setOpen('no');
    button.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return undefined;
    const onAway = ({ target }: Event): void => {
      if (!(target instanceof Node) || frame.current?.contains(target) !== true) setOpen('no');
    };
    const onBlur = (): void => setOpen('no');
    document.addEventListener('pointerdown', onAway);
    document.addEventListener('focusin', onAway);
    window.addEventListener('blur', onBlur);
    return () => {
      document.removeEventListener('pointerdown', onAway);
      document.removeEventListener('focusin', onAway);
      window.removeEventListener('blur', onBlur);
    };
  }, [isOpen]);
  if (items.length === 0) return null;
  return (
    <span ref={frame} class="menu-frame">
      <button
        ref={button}
        type="button"
        class="icon-button"
        aria-label={name}
        title={name}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        {...(isOpen && { 'aria-controls': id })}
        onClick={() => setOpen(isOpen ? 'no' : 'first')}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          setOpen(event.key === 'ArrowDown' ? 'first' : 'last');
        }}
      >
        <MoreIcon />
      </button>
      {isOpen ? <Menu id={id} name={name} items={items} from={open} onClose={close} /> : null}
    </span>
  );
}

interface MenuProps {
  readonly id: string;
  readonly name: string;
  readonly items: readonly MenuItem[];
  readonly from: 'first' | 'last';
  readonly onClose: () => void;
}

function Menu({ id, name, items, from, onClose }: MenuProps): VNode {
  const list = useRef<HTMLDivElement>(null);
  const entries = (): HTMLElement[] => [
    ...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
  ];
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    // Above the button where there is no room below it.
    const area = element.closest('.transcript')?.getBoundingClientRect();
    const { bottom, height } = element.getBoundingClientRect();
    if (area !== undefined && bottom > area.bottom && bottom - height - 32 - height > area.top) {
      element.classList.add('above');
    }
    entries()
      .at(from === 'first' ? 0 : -1)
      ?.focus({ preventScroll: true });
    element.scrollIntoView({ block: 'nearest' });
  }, [from]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const all = entries();
    const at = all.findIndex((entry) => entry === document.activeElement);
    const to = targetOf(event, at, all);
    if (to === 'none') return;
    event.preventDefault();
    event.stopPropagation();
    if (to === 'close') onClose();
    else all[to]?.focus();
  };
  return (
    <div ref={list} id={id} class="menu" role="menu" tabIndex={-1} aria-label={name} onKeyDown={onKeyDown}>
      {items.map(({ label, act, apart }) => (
        <button
          key={label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          class={apart === true ? 'menu-item apart' : 'menu-item'}
          onClick={() => {
            onClose();
            act();
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

/** Where a key leads: to an entry by its index, out of the menu, or nowhere. */
function targetOf(
  { key, isComposing, ctrlKey, metaKey, altKey }: KeyboardEvent,
  at: number,
  all: readonly HTMLElement[],
): number | 'close' | 'none' {
  const { length } = all;
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % length;
    case 'ArrowUp':
      return (at - 1 + length) % length;
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
    case 'Escape':
    case 'Tab':
      return 'close';
    default: {
      // Enter and the blank press the button themselves.
      if (key.length !== 1 || key === ' ' || isComposing || ctrlKey || metaKey || altKey) return 'none';
      const starts = (entry: HTMLElement): boolean =>
        entry.textContent.toLowerCase().startsWith(key.toLowerCase());
      const next = all.findIndex((entry, index) => index > at && starts(entry));
      const found = next === -1 ? all.findIndex(starts) : next;
      return found === -1 ? 'none' : found;
    }
  }
}
