/** Footnotes: the marks in the text, and the notes at its end. Each leads to the other, by mouse and by keyboard. */
import { createContext, type ComponentChildren, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { l10n } from '../l10n.ts';
import type { Footnotes } from './footnotes.ts';
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
      <ol>
        {notes.map((note, index) => (
          <li key={note.label} data-note={index + 1} tabIndex={-1}>
            {children(note)}
            {used.has(note.label) ? (
              <Jump
                name={l10n.t('Back to the text, footnote {0}', index + 1)}
                to={(text) => text.querySelector(`[data-mark="${index + 1}"]`)}
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

/** A link within the answer. No `href`: VS Code would open it by itself. */
function Jump(props: {
  name: string;
  to: (text: Element) => HTMLElement | null;
  mark?: number;
  children: ComponentChildren;
}): VNode {
  const { name, to, mark, children } = props;
  const go = (from: HTMLElement): void => {
    const text = from.closest('.markdown');
    const target = text === null ? null : to(text);
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <a
      role="link"
      tabIndex={0}
      class="link note-link"
      aria-label={name}
      title={name}
      {...(mark !== undefined && { 'data-mark': mark })}
      onClick={(event) => go(event.currentTarget)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') go(event.currentTarget);
      }}
    >
      {children}
    </a>
  );
}
