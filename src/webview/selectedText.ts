/**
 * What is selected in an element, by its text: for when what is selected gets other nodes, or its text is set anew. A browser takes the
 * selection away then, and the person loses what they were about to copy.
 */

interface Place {
  readonly node: Node;
  readonly offset: number;
}

/** An end of a selection. */
interface End extends Place {
  /** UTF-16 units from the start of the element's text; undefined where it is elsewhere. */
  readonly units: number | undefined;
}

export interface SelectedText {
  readonly anchor: End;
  readonly focus: End;
  readonly text: string;
}

/** Undefined when nothing is selected, or nothing in here. */
export function selectedIn(element: Element): SelectedText | undefined {
  const selection = document.getSelection();
  if (selection === null || selection.isCollapsed) return undefined;
  const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
  if (anchorNode === null || focusNode === null) return undefined;
  if (!element.contains(anchorNode) && !element.contains(focusNode)) return undefined;
  return {
    anchor: endOf(element, anchorNode, anchorOffset),
    focus: endOf(element, focusNode, focusOffset),
    text: textOf(selection),
  };
}

/** Selects it again where it was taken away; there may be more text meanwhile, behind it and in front of it. */
export function selectIn(element: Element, { anchor, focus, text }: SelectedText): void {
  const selection = document.getSelection();
  if (selection === null || textOf(selection) === text) return;
  const moved = movedBy(element.textContent ?? '', text, Math.min(anchor.units ?? NaN, focus.units ?? NaN));
  const [from, to] = [placeOf(element, anchor, moved), placeOf(element, focus, moved)];
  selection.setBaseAndExtent(from.node, from.offset, to.node, to.offset);
}

function textOf(selection: Selection): string {
  return selection.rangeCount === 0 ? '' : selection.getRangeAt(0).toString();
}

function endOf(element: Element, node: Node, offset: number): End {
  if (!element.contains(node)) return { node, offset, units: undefined };
  const range = document.createRange();
  range.setStart(element, 0);
  range.setEnd(node, offset);
  return { node, offset, units: range.toString().length };
}

function placeOf(element: Element, { units, ...place }: End, moved: number): Place {
  if (units === undefined) return place;
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let left = units + moved;
  while (texts.nextNode() !== null) {
    const { currentNode: node } = texts;
    const { length } = node.textContent ?? '';
    if (left <= length) return { node, offset: left };
    left -= length;
  }
  return { node: element, offset: element.childNodes.length };
}

/**
 * By how many units a part of a text stands elsewhere than `at`, where it stood: at the nearest place that has it. 0 where none has, and
 * where it is not known where it stood. Pure.
 */
export function movedBy(whole: string, part: string, at: number): number {
  if (Number.isNaN(at)) return 0;
  const [before, behind] = [whole.lastIndexOf(part, at), whole.indexOf(part, at)];
  if (before === -1 && behind === -1) return 0;
  if (before === -1) return behind - at;
  return behind === -1 || at - before <= behind - at ? before - at : behind - at;
}
