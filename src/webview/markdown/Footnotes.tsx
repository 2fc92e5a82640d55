/** Footnotes: the marks in the text, and the notes at its end. Each leads to the other, by mouse and by keyboard. */
import { createContext, type ComponentChildren, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { l10n } from '../l10n.ts';
import type { Footnotes } from './footnotes.ts';
import { LinkElement } from './LinkElement.tsx';
import { roomForNumbers } from './listNumbers.ts';
import { Plain } from './Plain.tsx';

/** The numbers of the footnotes of the text, by label. */
export const NoteNumbers = createContext<ReadonlyMap<string, number>>(new Map());

/** Without a footnote of its label it is the text that it was written as. */
export function NoteMarkView({ label, raw }: { label: string; raw: string }): VNode {
  const number = useContext(NoteNumbers).get(label);
  if (number === undefined) return <Plain text={raw} />;
  return (
    <sup>
      <Jump
        name={l10n.t('Footnote {0}', number)}
        to={(text) => text.querySelector(`[data-note="${number}"]`)}
        mark={number}
      >
        {number}
      </Jump>
    </sup>
  );
}

export function FootnotesView({
  footnotes: { notes, used },
  children,
}: {
  footnotes: Footnotes;
  /** The content of a note. */
  children: (note: Footnotes['notes'][number]) => ComponentChildren;
}): VNode {
  return (
    <section class="footnotes" aria-label={l10n.t('Footnotes')}>
      <ol style={roomForNumbers(notes.length)}>
        {notes.map((note, index) => (
          <li key={note.label} data-note={index + 1} tabIndex={-1}>
            {children(note)}
            {used.has(note.label) ? (
              <Jump
                name={l10n.t('Back to the text, footnote {0}', index + 1)}
                to={(text) => text.querySelector(`[data-mark="${index + 1}"]`)}
                within={used.get(note.label)}
              >
                ↩
              </Jump>
            ) : null}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A link within the answer. */
function Jump(props: {
  name: string;
  to: (text: Element) => HTMLElement | null;
  /** Where the block begins that it is in, which has no elements while it is far from the screen. */
  within?: number | undefined;
  mark?: number;
  children: ComponentChildren;
}): VNode {
  const { name, to, within, mark, children } = props;
  const go = (from: HTMLElement): void => {
    const text = from.closest('.markdown');
    if (text !== null && !focusOn(to(text)) && within !== undefined) {
      groupAt(text, within)?.scrollIntoView({ block: 'center' });
      soon(() => focusOn(to(text)));
    }
  };
  return (
    <LinkElement className="note-link" name={name} title={name} mark={mark} onFollow={go}>
      {children}
    </LinkElement>
  );
}

function focusOn(target: HTMLElement | null): boolean {
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block: 'nearest' });
  return target !== null;
}

function groupAt(text: Element, start: number): Element | undefined {
  return [...text.querySelectorAll('[data-group]')].findLast(
    (group) => Number(group.getAttribute('data-group')) <= start,
  );
}

/** Tries it once a frame until it is done, for as many frames as it may take until elements are there. */
function soon(act: () => boolean, frames = 60): void {
  requestAnimationFrame(() => {
    if (!act() && frames > 0) soon(act, frames - 1);
  });
}
