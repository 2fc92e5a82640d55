/** Copies what is selected where parts of it have no elements, as after “Select all” in a long conversation: their text is taken from the conversation. */
import type { Conversation, Turn } from '../core/conversation/conversation.ts';
import { blockOf } from './find/onScreen.ts';
import { answerText } from './turnFacts.ts';

/** What has no elements, as the views mark it. */
const far = '.far-turns, [data-far]';

/** To be called when something is copied; does nothing where the selection is whole. */
export function onCopy(event: ClipboardEvent, content: HTMLElement, { turns }: Conversation): void {
  const selection = document.getSelection();
  if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return;
  const range = selection.getRangeAt(0);
  if (![...content.querySelectorAll(far)].some((element) => range.intersectsNode(element))) return;
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const texts: string[] = [];
  for (const element of content.querySelectorAll<HTMLElement>('[data-turn], [data-far-turn]')) {
    if (!range.intersectsNode(element)) continue;
    const turn = byId.get(element.dataset['turn'] ?? element.dataset['farTurn'] ?? '');
    const whole = turn !== undefined && (element.dataset['turn'] === undefined || hasFar(element, range));
    texts.push(
      turn !== undefined && (whole || isWithin(range, element)) ? textOf(turn) : within(element, range),
    );
  }
  event.clipboardData?.setData('text/plain', texts.join('\n\n'));
  event.preventDefault();
}

function hasFar(element: Element, range: Range): boolean {
  return [...element.querySelectorAll(far)].some((each) => range.intersectsNode(each));
}

function textOf(turn: Turn): string {
  return [turn.question.text, answerText(turn)].filter((text) => text !== '').join('\n\n');
}

/** Whether all of the element is selected. */
function isWithin(range: Range, element: Element): boolean {
  const own = document.createRange();
  own.selectNodeContents(element);
  return (
    range.compareBoundaryPoints(Range.START_TO_START, own) <= 0 &&
    range.compareBoundaryPoints(Range.END_TO_END, own) >= 0
  );
}

/** Controls and names for screen readers, which are no text of the conversation. */
const notText = '.code-bar, .visually-hidden, .footer, .chips, .menu, button:not(.fold-line), [hidden]';

/** What of the element is selected, a line for each block: the range itself would write them without a break. */
function within(element: HTMLElement, range: Range): string {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element && node.matches(notText) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  let text = '';
  let block: Element | undefined;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!range.intersectsNode(node)) continue;
    if (node instanceof HTMLBRElement) text += '\n';
    if (!(node instanceof Text)) continue;
    const from = node === range.startContainer ? range.startOffset : 0;
    const to = node === range.endContainer ? range.endOffset : node.length;
    const own = blockOf(node);
    if (own !== block && text !== '' && !text.endsWith('\n')) text += '\n';
    block = own;
    text += node.data.slice(from, to);
  }
  return text;
}
