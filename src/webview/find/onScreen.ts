/** Finds in elements what was found in the conversation, and marks it without changing them. */
import { placeIn } from '../kept.ts';
import type { Hit } from './finder.ts';
import { matchesIn, type Query } from './query.ts';

/** Names of the two highlights in the style sheet. */
const allName = 'find';
const currentName = 'find-current';
/** Marked at most; far more than fit near a screen. */
const mostMarked = 3_000;

/** What stands around the text, and is no part of it. */
const around =
  '.code-bar, .link-target, .reference, .note-link, .formula-source, .visually-hidden, .footnotes, math, button:not(.fold-line), [hidden], .footer, .chips, .bill, .waiting, .notice, .menu, [data-unsearched]';
const blockTags = new Set(
  'P LI TD TH PRE H2 H3 DIV BLOCKQUOTE UL OL TABLE TR BR HR SECTION ARTICLE'.split(' '),
);

/** The matches in an element, in their order. `skip` leaves out parts of it. */
function rangesIn(root: Element, query: Query, most = mostMarked, skip?: string): StaticRange[] {
  const nodes: Text[] = [];
  const starts: number[] = [];
  let text = '';
  let block: Element | undefined;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    if (!(node instanceof Element)) return NodeFilter.FILTER_ACCEPT;
    if (node.matches(around) || (skip !== undefined && node.matches(skip))) return NodeFilter.FILTER_REJECT;
    return NodeFilter.FILTER_ACCEPT;
  });
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text) {
      const own = blockOf(node);
      if (own !== block && text !== '') text += '\n';
      block = own;
      nodes.push(node);
      starts.push(text.length);
      text += node.data;
    } else if (node instanceof Element && node.tagName === 'BR') text += '\n';
  }
  let at = 0;
  const place = (offset: number, end: boolean): [Text, number] | undefined => {
    // Matches come in order: each begins in the node of the last one or behind it.
    while (at + 1 < nodes.length && (end ? (starts[at + 1] ?? 0) < offset : (starts[at + 1] ?? 0) <= offset))
      at += 1;
    const node = nodes[at];
    return node === undefined ? undefined : [node, offset - (starts[at] ?? 0)];
  };
  return matchesIn(text, query, most).flatMap(({ from, to }) => {
    const first = place(from, false);
    const last = place(to, true);
    if (first === undefined || last === undefined) return [];
    return [
      new StaticRange({
        startContainer: first[0],
        startOffset: first[1],
        endContainer: last[0],
        endOffset: last[1],
      }),
    ];
  });
}

/** What the line is that a text stands in: a paragraph, a cell. */
export function blockOf(node: Node): Element | undefined {
  let element = node.parentElement;
  while (element !== null && !blockTags.has(element.tagName)) element = element.parentElement;
  return element ?? undefined;
}

/** Where the hit is drawn; undefined while it is not. `before` counts hits in lines of the same turn that come first. */
export function rangeOf(
  root: Element,
  conversation: string,
  hit: Hit,
  before: number,
  query: Query,
): Range | undefined {
  const turn = root.querySelector(`[data-turn="${CSS.escape(hit.turn)}"]`);
  if (turn === null) return undefined;
  const ranges = rangesOf(turn, conversation, hit, query);
  const nth = hit.where.kind === 'line' ? before : hit.nth;
  const found = ranges[nth] ?? ranges.at(-1);
  if (found === undefined) return undefined;
  const range = document.createRange();
  range.setStart(found.startContainer, found.startOffset);
  range.setEnd(found.endContainer, found.endOffset);
  return range;
}

function rangesOf(
  turn: Element,
  conversation: string,
  { turn: id, where }: Hit,
  query: Query,
): StaticRange[] {
  switch (where.kind) {
    case 'question': {
      const question = turn.querySelector('.question-text');
      return question === null ? [] : rangesIn(question, query);
    }
    case 'text': {
      const place = placeIn('', conversation, id, where.part, String(where.section));
      const markdown = turn.querySelector(`.markdown[data-place="${CSS.escape(place)}"]`);
      if (markdown === null) return [];
      const group = markdown.querySelector(`.group[data-start="${where.start}"]`);
      return group === null ? [] : rangesIn(group, query);
    }
    case 'line':
      return rangesIn(turn, query, mostMarked, '.question, .markdown, .tool > .fold-line');
  }
}

/** Marks every match that has elements, and the one that find is at. */
export function mark(root: Element, query: Query, current: Range | undefined): void {
  const all: StaticRange[] = [];
  for (const turn of root.querySelectorAll('[data-turn]')) {
    if (all.length < mostMarked) all.push(...rangesIn(turn, query, mostMarked - all.length));
  }
  CSS.highlights.set(allName, new Highlight(...all));
  if (current === undefined) CSS.highlights.delete(currentName);
  else {
    const highlight = new Highlight(current);
    highlight.priority = 1;
    CSS.highlights.set(currentName, highlight);
  }
}

export function unmark(): void {
  CSS.highlights.delete(allName);
  CSS.highlights.delete(currentName);
}

/** Whether it is in a question of which only the first lines are shown, and not in those. */
export function isCutOff(range: Range): boolean {
  const folded = range.startContainer.parentElement?.closest('.question-text.folded');
  if (folded === null || folded === undefined) return false;
  return range.getBoundingClientRect().bottom > folded.getBoundingClientRect().bottom + 1;
}

/** Scrolls so that the range is seen, if it is not. */
export function bringIntoView(scroller: HTMLElement, range: Range): void {
  const element = range.startContainer.parentElement;
  // What is scrolled on its own: code, tables, what a tool said.
  const inner = element?.closest<HTMLElement>('pre, .table');
  if (inner !== null && inner !== undefined) {
    const box = inner.getBoundingClientRect();
    const rect = range.getBoundingClientRect();
    if (rect.left < box.left || rect.right > box.right)
      inner.scrollLeft += rect.left - box.left - box.width / 3;
    if (rect.top < box.top || rect.bottom > box.bottom)
      inner.scrollTop += rect.top - box.top - box.height / 3;
  }
  const { top, bottom, height } = scroller.getBoundingClientRect();
  const rect = range.getBoundingClientRect();
  // Below the find bar, and not at the very end.
  if (rect.top < top + 56 || rect.bottom > bottom - 24) scroller.scrollTop += rect.top - top - height / 3;
}

/** The turn that is read: `preferred` if it is on the screen, or else the first one there. */
export function turnOnScreen(scroller: HTMLElement, preferred: string | undefined): string | undefined {
  const { top, bottom } = scroller.getBoundingClientRect();
  if (preferred !== undefined) {
    const box = scroller.querySelector(`[data-turn="${CSS.escape(preferred)}"]`)?.getBoundingClientRect();
    if (box !== undefined && box.bottom > top && box.top < bottom) return preferred;
  }
  for (const turn of scroller.querySelectorAll<HTMLElement>('[data-turn]')) {
    if (turn.getBoundingClientRect().bottom > top + 56) return turn.dataset['turn'];
  }
  return undefined;
}
