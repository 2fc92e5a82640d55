/** Find in the conversation: a small field over its top, as the editor's. */
import type { VNode } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Conversation } from '../../core/conversation/conversation.ts';
import { useEnv } from '../env.ts';
import { exactCount } from '../figures.ts';
import { Finder, indexOfHit, nothingFound, type Found, type Hit } from '../find/finder.ts';
import { bringIntoView, isCutOff, mark, rangeOf, turnOnScreen, unmark } from '../find/onScreen.ts';
import { longestQuery, type Query } from '../find/query.ts';
import type { Revealed } from '../find/revealed.ts';
import { KeptContext, placeIn } from '../kept.ts';
import { l10n } from '../l10n.ts';
import { useComposition } from './hooks.ts';
import { IconButton, type IconButtonProps } from './IconButton.tsx';
import { CloseIcon, MatchCaseIcon, NextIcon, PreviousIcon, WholeWordIcon } from './icons.tsx';

export interface FindBarProps {
  readonly conversation: Conversation;
  readonly scroller: HTMLElement;
  readonly query: Query;
  readonly onQuery: (query: Query) => void;
  /** Grows each time find is asked for. */
  readonly asked: number;
  /** This has to have elements. */
  readonly onReveal: (revealed: Revealed | undefined) => void;
  /** The end is not to be followed any more. */
  readonly onLeaveEnd: () => void;
  readonly onClose: () => void;
}

/** Milliseconds of looking between two frames. */
const slice = 6;
/** Milliseconds: while text comes it is looked through so often. */
const every = 200;
/** Nothing is known of a query that was just changed. */
const unknown: Found = { ...nothingFound, complete: false };
/** Frames in which what is revealed comes to be drawn. */
const framesToDraw = 6;

export function FindBar(props: FindBarProps): VNode {
  const { conversation, scroller, query, asked, onQuery, onReveal, onLeaveEnd, onClose } = props;
  const bar = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const kept = useContext(KeptContext);
  const { announce } = useEnv();
  const [current, setCurrent] = useState<Hit | undefined>();
  const found = useFound(conversation, query);
  const index = current === undefined ? -1 : indexOfHit(found.hits, current);
  const count = countText(found, index, query);
  // Where it is by now: what may still change is settled meanwhile.
  const hit = found.hits[index] ?? current;
  const stateRef = useRef({ conversation, found, query, hit });
  useLayoutEffect(() => {
    stateRef.current = { conversation, found, query, hit };
  }, [conversation, found, query, hit]);

  useLayoutEffect(() => unmark, []);
  // Before the next key comes.
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [asked]);

  /** Where a hit is on the screen by now; undefined as long as it has no elements. */
  const shownRange = (of: Hit): Range | undefined => {
    const now = stateRef.current;
    return rangeOf(scroller, now.conversation.id, of, linesBefore(now.found.hits, of), now.query);
  };

  /** Opens what hides the hit, has it drawn, and goes there. */
  const goTo = (to: Hit): void => {
    setCurrent(to);
    onLeaveEnd();
    const { where, turn } = to;
    const of = (...names: readonly string[]): string => placeIn('', conversation.id, turn, ...names);
    if (where.kind !== 'question') kept.set(of(where.part, 'open'), true);
    onReveal(
      where.kind === 'text'
        ? {
            turn,
            place: of(where.part, String(where.section)),
            start: where.start,
          }
        : { turn },
    );
    let frames = 0;
    const look = (): void => {
      if (bar.current === null) return;
      const range = shownRange(to);
      if (range !== undefined) {
        if (isCutOff(range)) kept.set(of('question'), true);
        bringIntoView(scroller, range);
        mark(scroller, stateRef.current.query, range);
      }
      frames += 1;
      // What comes near by it gets its true height: the hit may move until then.
      if (frames < framesToDraw) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  };

  const step = (by: 1 | -1): void => {
    const { hits } = found;
    if (hits.length === 0) return;
    const from = index === -1 ? (by === 1 ? -1 : 0) : index;
    const next = hits[(from + by + hits.length) % hits.length];
    if (next !== undefined) goTo(next);
  };

  // To the first one from where the reader is; while the query is typed, that is at its last match.
  const soughtRef = useRef('');
  const key = `${conversation.id} ${query.text} ${query.matchCase} ${query.wholeWord}`;
  const seek = (): void => {
    if (soughtRef.current === key) return;
    const [first] = found.hits;
    if (first === undefined) {
      if (found.complete) {
        soughtRef.current = '';
        setCurrent(undefined);
      }
      return;
    }
    const turn = turnOnScreen(scroller, current?.turn);
    const order = new Map(conversation.turns.map(({ id }, at) => [id, at]));
    const from = turn === undefined ? 0 : (order.get(turn) ?? 0);
    const near = found.hits.find((each) => (order.get(each.turn) ?? 0) >= from);
    if (near === undefined && !found.complete) return;
    soughtRef.current = key;
    goTo(near ?? first);
  };
  const seekRef = useRef(seek);
  useLayoutEffect(() => {
    seekRef.current = seek;
  });
  // Before a key comes that goes on from there.
  useLayoutEffect(() => seekRef.current(), [key, found]);

  useMarks(
    scroller,
    () => {
      if (bar.current === null) return;
      const { hit: at, query: sought } = stateRef.current;
      mark(scroller, sought, at === undefined ? undefined : shownRange(at));
    },
    key,
  );

  useEffect(() => {
    if (query.text === '') return undefined;
    const timer = setTimeout(() => announce(count), 600);
    return () => clearTimeout(timer);
  }, [count, query.text, announce]);

  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'F3' || event.isComposing) return;
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });

  const composition = useComposition();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (composition.takes(event)) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      onClose();
    } else if (event.key === 'Enter' && event.target === field.current) {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    } else if (event.altKey && event.code === 'KeyC') {
      event.preventDefault();
      onQuery({ ...query, matchCase: !query.matchCase });
    } else if (event.altKey && event.code === 'KeyW') {
      event.preventDefault();
      onQuery({ ...query, wholeWord: !query.wholeWord });
    }
  };

  // At each drawing and before the next key: it answers to what is found by now.
  useLayoutEffect(() => {
    const { current: element } = bar;
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  });

  const none = query.text !== '' && found.complete && found.hits.length === 0;
  return (
    <div ref={bar} class="find" role="search" aria-label={l10n.t('Find in the conversation')}>
      <div class={none ? 'find-field none' : 'find-field'}>
        <input
          ref={field}
          type="text"
          class="find-text"
          dir="auto"
          maxLength={longestQuery}
          spellcheck={false}
          placeholder={l10n.t('Find')}
          aria-label={l10n.t('Find')}
          value={query.text}
          onInput={({ currentTarget }) => onQuery({ ...query, text: currentTarget.value })}
          {...composition.handlers}
        />
        <KeyButton
          name={l10n.t('Match case')}
          keys="Alt+C"
          className="find-toggle"
          pressed={query.matchCase}
          onPress={() => onQuery({ ...query, matchCase: !query.matchCase })}
          icon={<MatchCaseIcon />}
        />
        <KeyButton
          name={l10n.t('Match whole word')}
          keys="Alt+W"
          className="find-toggle"
          pressed={query.wholeWord}
          onPress={() => onQuery({ ...query, wholeWord: !query.wholeWord })}
          icon={<WholeWordIcon />}
        />
      </div>
      <span class={none ? 'find-count none' : 'find-count'}>{count}</span>
      <KeyButton
        name={l10n.t('Previous match')}
        keys="Shift+Enter"
        onPress={() => step(-1)}
        icon={<PreviousIcon />}
      />
      <KeyButton name={l10n.t('Next match')} keys="Enter" onPress={() => step(1)} icon={<NextIcon />} />
      <KeyButton name={l10n.t('Close find')} keys="Escape" onPress={onClose} icon={<CloseIcon />} />
    </div>
  );
}

interface KeyButtonProps extends Omit<IconButtonProps, 'title'> {
  readonly keys: string;
}

function KeyButton({ keys, ...props }: KeyButtonProps): VNode {
  return <IconButton {...props} title={`${props.name} (${keys})`} />;
}

function countText({ hits, complete, more }: Found, index: number, query: Query): string {
  if (query.text === '') return '';
  if (hits.length === 0) return complete ? l10n.t('No results') : l10n.t('Searching…');
  const count = exactCount(hits.length);
  const all = more || !complete ? `${count}+` : count;
  return index === -1 ? l10n.t('{0} matches', all) : l10n.t('{0} of {1}', exactCount(index + 1), all);
}

/** Matches in lines of the same turn that come before the hit. */
function linesBefore(hits: readonly Hit[], hit: Hit): number {
  if (hit.where.kind !== 'line') return 0;
  const at = indexOfHit(hits, hit);
  return hits.slice(0, at).filter(({ turn, where }) => turn === hit.turn && where.kind === 'line').length;
}

/** What is found so far; looked for between frames, and again now and then while text comes. */
function useFound(conversation: Conversation, query: Query): Found {
  const [finder] = useState(() => new Finder());
  const [state, setState] = useState({ query, found: nothingFound });
  const newestRef = useRef(conversation);
  const lookRef = useRef<(() => void) | undefined>(undefined);
  useLayoutEffect(() => {
    newestRef.current = conversation;
  }, [conversation]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      timer = undefined;
      const until = performance.now() + slice;
      const found = finder.find(newestRef.current, query, () => performance.now() > until);
      // While a turn is looked at again, what was found in it before stands.
      setState((before) =>
        !found.complete && before.query === query && before.found.hits.length > found.hits.length
          ? before
          : { query, found },
      );
      if (!found.complete) timer = setTimeout(look);
    };
    timer = setTimeout(look);
    lookRef.current = () => {
      timer ??= setTimeout(look, every);
    };
    return () => clearTimeout(timer);
  }, [finder, query]);
  useEffect(() => lookRef.current?.(), [conversation]);
  return state.query === query ? state.found : unknown;
}

/** Marks again when elements come and go, at most once in a while. */
function useMarks(scroller: HTMLElement, draw: () => void, key: string): void {
  const drawRef = useRef(draw);
  useLayoutEffect(() => {
    drawRef.current = draw;
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        drawRef.current();
      }, 50);
    };
    soon();
    const observer = new MutationObserver(soon);
    observer.observe(scroller, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      clearTimeout(timer);
      unmark();
    };
  }, [scroller, key]);
}
