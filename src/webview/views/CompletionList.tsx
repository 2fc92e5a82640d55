/** The list above the composer while a name is typed. The cursor stays in the text: the field names the row that is chosen. */
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

import type { CompletionItem } from '../../protocol/completion.ts';
import { marked } from '../completing.ts';
import { nothingText, type ShownList } from '../completionState.ts';
import { l10n, pieces } from '../l10n.ts';
import { Plain } from '../markdown/Plain.tsx';
import { KindIcon } from './KindIcon.tsx';

export interface CompletionListProps {
  readonly id: string;
  readonly list: ShownList;
  readonly onTake: (item: CompletionItem) => void;
}

/** The id of a row; the field names it as the chosen one. */
export function rowId(id: string, at: number): string {
  return `${id}-${at}`;
}

export function CompletionList({ id, list, onTake }: CompletionListProps): VNode {
  const { items, active, looking, query, trigger } = list;
  const frame = useRef<HTMLDivElement>(null);
  useAbove(frame);
  useLayoutEffect(() => {
    frame.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [items, active]);
  const isFolder = items[active]?.into !== undefined;
  return (
    <div ref={frame} class="completion">
      {items.length === 0 ? (
        <p class="completion-note">
          {looking ? l10n.t('Looking for files…') : <Plain text={nothingText(trigger, query)} />}
        </p>
      ) : (
        <div
          id={id}
          class="completion-rows"
          // The keys stay in the composer: where it scrolls, a browser would have Tab stop here.
          tabIndex={-1}
          role="listbox"
          aria-label={trigger === '/' ? l10n.t('Commands') : l10n.t('What can be attached')}
        >
          {items.map((item, at) => (
            <Row
              key={item.id}
              id={rowId(id, at)}
              item={item}
              isActive={at === active}
              {...(at === active && isFolder && { describedBy: `${id}-hint` })}
              onTake={() => onTake(item)}
            />
          ))}
        </div>
      )}
      {isFolder ? (
        <p class="completion-note" id={`${id}-hint`}>
          {pieces(l10n.t('{0} attaches its file names, {1} looks inside.'), <kbd>Enter</kbd>, <kbd>Tab</kbd>)}
        </p>
      ) : null}
    </div>
  );
}

/** Keeps the element above the box that it stands in, whatever cuts off what sticks out of that. */
function useAbove(frame: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const element = frame.current;
    const box = element?.parentElement;
    if (element === null || !box) return undefined;
    const place = (): void => {
      const { top, left, width } = box.getBoundingClientRect();
      element.style.setProperty('inset-block-end', `${innerHeight - top + 4}px`);
      element.style.setProperty('left', `${left}px`);
      element.style.setProperty('width', `${width}px`);
      element.style.setProperty('max-height', `${Math.max(64, Math.min(300, top - 8))}px`);
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(box);
    window.addEventListener('resize', place);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', place);
    };
  }, [frame]);
}

interface RowProps {
  readonly id: string;
  readonly item: CompletionItem;
  readonly isActive: boolean;
  readonly describedBy?: string;
  readonly onTake: () => void;
}

function Row({ id, item, isActive, describedBy, onTake }: RowProps): VNode {
  const { kind, label, matches, detail, detailMatches } = item;
  const isPlace = kind === 'file' || kind === 'folder';
  return (
    <button
      type="button"
      id={id}
      class="completion-row"
      role="option"
      aria-selected={isActive}
      {...(describedBy !== undefined && { 'aria-describedby': describedBy })}
      tabIndex={-1}
      // The cursor stays in the text.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
    >
      {/* Commands and prompts have the slash in their names. */}
      {kind === 'command' || kind === 'prompt' ? null : <KindIcon kind={kind} />}
      <span class="completion-label" dir="ltr">
        <Marked text={label} matches={matches} />
      </span>
      {detail === undefined ? null : (
        // Folders are cut off at their start: those of files of the same name differ near their ends.
        <span class="completion-detail" dir={isPlace ? 'rtl' : 'auto'}>
          {isPlace ? (
            <bdi dir="ltr">
              <Marked text={detail} matches={detailMatches} />
            </bdi>
          ) : (
            <Marked text={detail} matches={detailMatches} />
          )}
        </span>
      )}
    </button>
  );
}

function Marked({ text, matches }: { text: string; matches: CompletionItem['matches'] }): VNode {
  return (
    <>
      {marked(text, matches).map((piece, at) =>
        piece.fits ? (
          <b key={at}>
            <Plain text={piece.text} />
          </b>
        ) : (
          <Plain key={at} text={piece.text} />
        ),
      )}
    </>
  );
}
