/** Finds text that does not fit where it stands: cut off, outside its button, over another control, or broken into too many lines. */
import type { FrameLocator, Page } from 'playwright-core';

/** One line for each misfit; none when everything can be read whole. */
export function misfitsOf(panel: FrameLocator | Page): Promise<string[]> {
  return panel.locator('body').evaluate((body) => {
    const misfits: string[] = [];
    const nameOf = (element: Element): string =>
      `${element.tagName.toLowerCase()}.${String(element.getAttribute('class'))} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 60)}"`;
    const isHidden = (element: Element): boolean =>
      element.closest('.visually-hidden, [aria-live], option') !== null ||
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    /** Names and texts of people and models may be longer than any panel is wide. */
    const free =
      '.path, .chip, .question-text, .answer, code, pre, .suggestion, .file-name, .completion-row, .problem-open';

    const rectsOf = (text: Node): DOMRect[] => {
      const range = document.createRange();
      range.selectNodeContents(text);
      return [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
    };
    /** Lines of a text: rectangles at about the same height are one. */
    const linesOf = (rects: readonly DOMRect[]): number =>
      rects.reduce(
        (tops: number[], { top }) => (tops.some((each) => Math.abs(each - top) < 6) ? tops : [...tops, top]),
        [],
      ).length;

    const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode() !== null) {
      const text = texts.currentNode;
      const element = text.parentElement;
      if (element === null || (text.textContent ?? '').trim() === '' || isHidden(element)) continue;
      const rects = rectsOf(text);
      if (rects.length === 0) continue;
      let right = Math.max(...rects.map((rect) => rect.right));
      let left = Math.min(...rects.map((rect) => rect.left));
      let bottom = Math.max(...rects.map((rect) => rect.bottom));
      for (let each: Element | null = element; each !== null && each !== body; each = each.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(each);
        const box = each.getBoundingClientRect();
        // What is beyond can be scrolled to.
        if (/auto|scroll/.test(overflowX)) break;
        if (element.closest(free) === null) {
          if (/hidden|clip/.test(overflowX) && (right > box.right + 1 || left < box.left - 1))
            misfits.push(`${nameOf(element)} is cut off at the side`);
          if (/hidden|clip/.test(overflowY) && bottom > box.bottom + 2)
            misfits.push(`${nameOf(element)} is cut off below`);
        }
        // What is cut there is drawn no further out.
        if (/hidden|clip/.test(overflowX)) {
          right = Math.min(right, box.right);
          left = Math.max(left, box.left);
        }
        if (/hidden|clip/.test(overflowY)) bottom = Math.min(bottom, box.bottom);
        if (each.matches('button, [role=button]')) {
          if (right > box.right + 1 || left < box.left - 1 || bottom > box.bottom + 2)
            misfits.push(`${nameOf(element)} stands out of its button`);
          if (element.closest(free) === null && linesOf(rects) > 2)
            misfits.push(`${nameOf(each)} has ${linesOf(rects)} lines`);
        }
      }
    }

    // The name of a model may be cut: what can be chosen shows it whole.
    for (const select of body.querySelectorAll(
      '.picker:not(.picker-model) > select, select:not(.picker > *)',
    )) {
      if (!(select instanceof HTMLSelectElement)) continue;
      if (isHidden(select)) continue;
      const style = getComputedStyle(select);
      const probe = document.createElement('span');
      probe.textContent = select.selectedOptions[0]?.textContent ?? '';
      probe.style.cssText = `position: absolute; visibility: hidden; white-space: pre; font: ${style.font}`;
      document.body.append(probe);
      const needed = probe.getBoundingClientRect().width;
      probe.remove();
      const room =
        select.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      if (needed > room + 1)
        misfits.push(
          `${nameOf(select)} shows ${Math.round(room)} of ${Math.round(needed)} px of "${probe.textContent}"`,
        );
    }

    /** As much of it as can be seen where it has scrolled. */
    const seenOf = (element: Element): { left: number; right: number; top: number; bottom: number } => {
      let { left, right, top, bottom } = element.getBoundingClientRect();
      for (let each = element.parentElement; each !== null; each = each.parentElement) {
        if (getComputedStyle(each).overflowY === 'visible') continue;
        const box = each.getBoundingClientRect();
        [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
        [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
      }
      return { left, right, top, bottom };
    };
    const controls = [...body.querySelectorAll('button, select, textarea, input, a')]
      .filter((each) => !isHidden(each))
      .map((element) => ({ element, box: seenOf(element) }));
    controls.forEach(({ element: one, box: a }, index) => {
      for (const { element: other, box: b } of controls.slice(index + 1)) {
        if (one.contains(other) || other.contains(one)) continue;
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 2 && down > 2) misfits.push(`${nameOf(one)} lies over ${nameOf(other)}`);
      }
    });
    return [...new Set(misfits)];
  });
}
