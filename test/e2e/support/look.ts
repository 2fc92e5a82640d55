/** Looks at what a panel shows at the moment, as far as a machine can tell: what sticks out, and what can't be read. */
import assert from 'node:assert/strict';
import type { FrameLocator, Page } from 'playwright-core';

import type { Stage } from './stage.ts';
import { bodyClass, themes, type Theme } from './themes.ts';
import { isWhole } from './whole.ts';

/** In which widths of the panel, and in which themes at each, a state is looked at. */
export type Pictures = readonly (readonly [width: number, themes: readonly Theme[]])[];

/**
 * Takes pictures of the present state of the panel, named after it, and looks for faults in each. Where not all is wanted, the first of them
 * stands for all: changing themes and widths of a workbench takes longer than most tests.
 */
export async function lookAt(stage: Stage, state: string, pictures: Pictures): Promise<void> {
  const [[width, shown] = [300, themes]] = pictures;
  await lookAtAll(stage, state, isWhole ? pictures : [[width, shown.slice(0, 1)]]);
}

/** All of them, always. */
export async function lookAtAll({ bench, chat }: Stage, state: string, pictures: Pictures): Promise<void> {
  const faults: string[] = [];
  let widths = pictures.map(([width]) => width);
  for (const theme of themes) {
    const wanted = widths.filter((width) =>
      pictures.some(([each, shown]) => each === width && shown.includes(theme)),
    );
    if (wanted.length === 0) continue;
    await bench.setTheme(theme);
    const [kind = ''] = bodyClass[theme].split(' ');
    await chat.panel.locator(`body[data-vscode-theme-kind="${kind}"]`).waitFor();
    for (const width of wanted) {
      await bench.setPanelWidth(width);
      await bench.screenshot(`${state}-${width}-${theme}`, bench.page.locator('.part.auxiliarybar'));
      const found = await faultsOf(chat.panel);
      faults.push(...found.map((fault) => `${theme}, ${width} px: ${fault}`));
    }
    // The next theme begins with the present width: dragging takes time.
    widths = widths.toReversed();
  }
  assert.deepEqual(faults, []);
}

/** One line for each fault; none when all is well. */
export function faultsOf(panel: FrameLocator | Page): Promise<string[]> {
  return panel.locator('body').evaluate((body) => {
    const faults: string[] = [];
    const nameOf = (element: Element): string => {
      const own = (element.textContent ?? '').trim().slice(0, 40);
      return `${element.tagName.toLowerCase()}.${String(element.getAttribute('class'))} "${own}"`;
    };

    const width = document.documentElement.clientWidth;
    /** What is beyond an edge can be scrolled to, or an ellipsis stands for it. */
    const scrolled = (element: Element): boolean => {
      for (let each: Element | null = element; each !== null; each = each.parentElement) {
        const { overflowX, textOverflow } = getComputedStyle(each);
        if (overflowX === 'auto' || (overflowX === 'hidden' && textOverflow === 'ellipsis')) return true;
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
      const alpha = top[3] + below[3] * (1 - top[3]);
      if (alpha === 0) return [0, 0, 0, 0];
      const mix = (a: number, b: number): number => (a * top[3] + b * below[3] * (1 - top[3])) / alpha;
      return [mix(top[0], below[0]), mix(top[1], below[1]), mix(top[2], below[2]), alpha];
    };
    // The frame itself is transparent over the side bar.
    const probe = document.createElement('span');
    probe.style.color = getComputedStyle(body).getPropertyValue('--vscode-sideBar-background');
    body.append(probe);
    const bar = colourOf(getComputedStyle(probe).color);
    probe.remove();
    /** What is seen where `ink` lies on the element: through each ground, and paled with it by its opacity. */
    const seen = (ink: Colour, element: Element): Colour => {
      let colour = ink;
      for (let each: Element | null = element; each !== null; each = each.parentElement) {
        const { backgroundColor, opacity } = getComputedStyle(each);
        const [red, green, blue, alpha] = over(colour, colourOf(backgroundColor));
        colour = [red, green, blue, alpha * Number(opacity)];
      }
      return over(over(colour, bar), [0, 0, 0, 1]);
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
      // What can't be pressed is still read.
      if (hidden(element) || element.closest('script, style, option') !== null) continue;
      const inks: readonly Colour[] = [colourOf(getComputedStyle(element).color), [0, 0, 0, 0]];
      const [one, other] = inks.map((ink) => brightness(seen(ink, element)));
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
