/** Looks for text that does not fit into what is around it, as it happens where text is larger than it was drawn for. */

/** Text that is cut off at the bottom, or lies outside of the box around it, but for the button that floats. Runs in the page. */
export function cutOff(): string[] {
  const found: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode() !== null) {
    const element = texts.currentNode.parentElement;
    if (element === null || (texts.currentNode.textContent ?? '').trim() === '') continue;
    if (
      !element.checkVisibility() ||
      element.closest('.jump, .visually-hidden, [aria-live], script, style, option, math')
    )
      continue;
    range.selectNodeContents(texts.currentNode);
    const { top, bottom } = range.getBoundingClientRect();
    let each: Element | null = element;
    for (let up = 0; up < 4 && each !== null && !each.matches('.transcript, .bottom'); up++) {
      const style = getComputedStyle(each);
      if (/auto|scroll/.test(style.overflowY) || each.matches('.folded, sup, .menu')) break;
      const box = each.getBoundingClientRect();
      // What stands in the text or gives its place to its children has no box to be too small.
      const hasBox = style.display !== 'inline' && style.display !== 'contents';
      if (hasBox && (bottom > box.bottom + 4 || top < box.top - 4)) {
        found.push(
          `${each.getAttribute('class') ?? each.tagName} is ${Math.round(box.height)} px high, its text "${(texts.currentNode.textContent ?? '').slice(0, 30)}" ${Math.round(bottom - top)}`,
        );
        break;
      }
      // What is around it in the document is not around it on the screen.
      if (style.position === 'fixed') break;
      each = each.parentElement;
    }
  }
  return found;
}
