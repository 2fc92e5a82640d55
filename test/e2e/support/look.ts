/** Looks at what a panel shows at the moment, as far as a machine can tell: what sticks out, and what can't be read. */
import type { FrameLocator } from 'playwright-core';

/** One line for each fault; none when all is well. */
export function faultsOf(panel: FrameLocator): Promise<string[]> {
  return panel.locator('body').evaluate((body) => {
    const faults: string[] = [];
    const nameOf = (element: Element): string => {
      const own = (element.textContent ?? '').trim().slice(0, 40);
      return `${element.tagName.toLowerCase()}.${String(element.getAttribute('class'))} "${own}"`;
    };

    const width = document.documentElement.clientWidth;
    const scrolled = (element: Element): boolean => {
      for (let each: Element | null = element; each !== null; each = each.parentElement) {
        if (getComputedStyle(each).overflowX === 'auto') return true;
      }
      return false;
    };
    const hidden = (element: Element): boolean =>
      element.closest('.visually-hidden, [aria-live]') !== null || !element.checkVisibility();
    if (document.documentElement.scrollWidth > width) {
      faults.push(`the page is ${document.documentElement.scrollWidth} of ${width} px wide`);
    }
    for (const scroller of body.querySelectorAll('.transcript, .panel')) {
      if (scroller.scrollWidth > scroller.clientWidth) faults.push(`${nameOf(scroller)} scrolls sideways`);
    }
    for (const element of body.querySelectorAll('*')) {
      const { left, right, width: own } = element.getBoundingClientRect();
      if (own === 0 || hidden(element) || (element.parentElement !== null && scrolled(element.parentElement)))
        continue;
      if (left < -0.5 || right > width + 0.5) {
        faults.push(`${nameOf(element)} sticks out: ${Math.round(left)} to ${Math.round(right)} px`);
      }
    }

    type Colour = readonly [number, number, number, number];
    const colourOf = (css: string): Colour => {
      const [red = 0, green = 0, blue = 0, alpha = 1] = (css.match(/[\d.]+/g) ?? []).map(Number);
      return css.startsWith('color(')
        ? [red * 255, green * 255, blue * 255, alpha]
        : [red, green, blue, alpha];
    };
    const over = (top: Colour, below: Colour): Colour => {
      const mix = (a: number, b: number): number => a * top[3] + b * (1 - top[3]);
      return [mix(top[0], below[0]), mix(top[1], below[1]), mix(top[2], below[2]), 1];
    };
    const groundOf = (element: Element): Colour => {
      const grounds: Colour[] = [];
      for (let each: Element | null = element; each !== null; each = each.parentElement) {
        grounds.push(colourOf(getComputedStyle(each).backgroundColor));
      }
      // The frame itself is transparent over the side bar.
      const bar = getComputedStyle(body).getPropertyValue('--vscode-sideBar-background');
      const probe = document.createElement('span');
      probe.style.color = bar;
      body.append(probe);
      grounds.push(colourOf(getComputedStyle(probe).color));
      probe.remove();
      return grounds.reduceRight((below, top) => over(top, below), [0, 0, 0, 1]);
    };
    const brightness = (colour: Colour): number => {
      const part = (value: number): number => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      };
      return 0.2126 * part(colour[0]) + 0.7152 * part(colour[1]) + 0.0722 * part(colour[2]);
    };
    const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    const judged = new Set<Element>();
    while (texts.nextNode() !== null) {
      const element = texts.currentNode.parentElement;
      if (element === null || judged.has(element) || (texts.currentNode.textContent ?? '').trim() === '')
        continue;
      judged.add(element);
      if (hidden(element) || element.closest('script, style, :disabled, option') !== null) continue;
      const ground = groundOf(element);
      const [one, other] = [over(colourOf(getComputedStyle(element).color), ground), ground].map(brightness);
      const [light, dark] = [Math.max(one ?? 0, other ?? 0), Math.min(one ?? 0, other ?? 0)];
      const contrast = (light + 0.05) / (dark + 0.05);
      if (contrast < 4.5) faults.push(`${nameOf(element)} has a contrast of ${contrast.toFixed(2)}`);
    }

    for (const control of body.querySelectorAll('button, select, textarea, input, [role=link]')) {
      if (hidden(control)) continue;
      const named =
        control.getAttribute('aria-label') ?? control.getAttribute('title') ?? control.textContent ?? '';
      if (named.trim() === '') faults.push(`${nameOf(control)} has no name`);
      const { width: w, height: h } = control.getBoundingClientRect();
      if (control.matches('button') && (w < 20 || h < 20)) {
        faults.push(`${nameOf(control)} is only ${Math.round(w)} × ${Math.round(h)} px large`);
      }
    }
    return faults;
  });
}
