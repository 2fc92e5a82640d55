/** Find in the conversation, in the panel's page: over turns without elements, in folds, and while text comes. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../run/browser.ts';
import { screenshotsPath } from '../run/places.ts';
import { markdown, runningTurn, settledTurns } from '../support/longConversations.ts';
import { faultsOf } from './support/look.ts';
import { PanelPage, turn, type PageOptions } from './support/panelPage.ts';

interface Spot {
  readonly text: string;
  readonly seen: boolean;
  readonly top: number;
  readonly turn: string;
  /** Class of what holds it. */
  readonly around: string;
}

/** What is marked as the match that find is at: its text, and whether it is on the screen. */
function current(page: Page): Promise<Spot> {
  return page.evaluate(() => {
    const [range] = CSS.highlights.get('find-current') ?? [];
    if (!(range instanceof Range)) return { text: '', seen: false, top: 0, turn: '', around: '' };
    const rect = range.getBoundingClientRect();
    const frame = document.querySelector('.transcript')!.getBoundingClientRect();
    const element = range.startContainer.parentElement;
    return {
      text: range.toString(),
      top: rect.top,
      seen: rect.top >= frame.top && rect.bottom <= frame.bottom && rect.height > 0,
      turn: element?.closest<HTMLElement>('[data-turn]')?.dataset['turn'] ?? '',
      around: element?.closest('.fold, .answer, .question')?.className ?? '',
    };
  });
}

describe('find in the panel’s page', function () {
  this.timeout(60_000);
  let browser: Browser;
  let panel: PanelPage;
  let page: Page;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  afterEach(() => panel.close());

  async function open(options: Partial<PageOptions> = {}): Promise<void> {
    panel = await PanelPage.open(browser, { width: 400, realTime: true, ...options });
    ({ page } = panel);
  }

  async function find(text: string): Promise<void> {
    await panel.tell({ kind: 'find' });
    await page.locator('.find-text').fill(text);
  }

  async function counts(text: string): Promise<void> {
    await page.locator('.find-count', { hasText: text }).waitFor({ timeout: 10_000 });
  }

  /** Frames in which the place that find went to comes to rest. */
  function rest(): Promise<void> {
    return page.evaluate(async () => {
      for (let index = 0; index < 12; index += 1)
        await new Promise((resolve) => requestAnimationFrame(resolve));
    });
  }

  it('goes to matches of turns that have no elements, forward and back, and round', async () => {
    await open();
    await panel.shows({ id: 'c', turns: settledTurns(400) });
    await find('cart 17 not');
    await counts('1 of 1');
    await rest();
    const { top: _, ...first } = await current(page);
    assert.deepEqual(first, { text: 'cart 17 not', seen: true, turn: 't17', around: 'question' });
    await page.locator('.find-text').fill('why does the receipt');
    await counts('of 400');
    assert.equal(await page.locator('.find-count').innerText(), '18 of 400');
    for (const [key, expected] of [
      ['Shift+Enter', 't16'],
      ['F3', 't17'],
      ['Enter', 't18'],
      ['Shift+F3', 't17'],
    ] as const) {
      await page.keyboard.press(key);
      await rest();
      const { turn: at, seen } = await current(page);
      assert.deepEqual([at, seen], [expected, true], key);
    }
    for (let step = 0; step < 18; step += 1) await page.keyboard.press('Shift+Enter');
    await counts('400 of 400');
    await rest();
    assert.equal((await current(page)).turn, 't399');
    await panel.spoken('400 of 400');
  });

  it('opens what hides a match: reasoning, a tool, a long question', async () => {
    await open();
    const hidden = turn('hidden', {
      question: { text: `${'A line.\n'.repeat(30)}The needle of the question.`, attachments: [] },
      parts: [
        {
          kind: 'reasoning',
          id: '0.0',
          sections: ['', 'First.', 'Where is the **nee**dle of thought?'],
          openedAt: 1,
          closedAt: 2,
        },
        {
          kind: 'tool',
          id: '0.1',
          name: 'read_file',
          input: '{"path":"needle.ts"}',
          openedAt: 2,
          askedAt: 3,
          closedAt: 4,
          outcome: { kind: 'done', text: `${'x\n'.repeat(200)}the needle of a tool` },
        },
        { kind: 'answer', id: '1.0', sections: ['The *needle* of the answer.'], openedAt: 5, closedAt: 6 },
      ],
    });
    await panel.shows({
      id: 'c',
      turns: [
        ...settledTurns(60),
        hidden,
        ...settledTurns(40).map((each) => ({ ...each, id: `x${each.id}` })),
      ],
    });
    await find('needle');
    await counts('1 of 5');
    const where: string[] = [];
    for (let step = 0; step < 5; step += 1) {
      await rest();
      const { text, seen, around } = await current(page);
      assert.deepEqual([text, seen], ['needle', true], `match ${step}: ${around}`);
      where.push(around);
      await page.keyboard.press('Enter');
    }
    assert.deepEqual(where, ['question', 'fold reasoning', 'fold tool', 'fold tool', 'answer']);
    await counts('1 of 5');
  });

  it('finds in a long answer, case and whole words as wanted, and takes marks for what they are', async () => {
    await open();
    const text = `${markdown(400_000)}a Needle (1+1)* and needles, NEEDLE\n\n${markdown(400_000)}`;
    const long = turn('long', {
      parts: [{ kind: 'answer', id: '0.0', sections: [text], openedAt: 1, closedAt: 2 }],
    });
    await panel.shows({ id: 'c', turns: [long, ...settledTurns(5)] });
    await find('needle');
    await counts('1 of 3');
    await rest();
    assert.deepEqual([(await current(page)).text, (await current(page)).seen], ['Needle', true]);
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
    assert.ok(nodes < 6_000, `${nodes} elements`);
    await page.keyboard.press('Alt+w');
    await counts('1 of 2');
    await page.keyboard.press('Alt+c');
    await counts('No results');
    await page.locator('.find-text').fill('(1+1)*');
    await counts('1 of 1');
    await page.locator('.find-text').fill('.*');
    await counts('No results');
    await panel.spoken('No results');
  });

  it('counts on while text comes, stays at its match, and reads nothing of settled turns again', async () => {
    await open();
    await panel.shows({ id: 'c', turns: [...settledTurns(100), runningTurn('r', 'A needle.\n\n')] });
    await find('needle');
    await counts('1 of 1');
    await rest();
    const { top } = await current(page);
    for (let seq = 1; seq <= 30; seq += 1) {
      const text = {
        kind: 'textAdded',
        turn: 'r',
        part: '0.0',
        section: 0,
        text: 'Another needle.\n\n',
      } as const;
      await panel.tell({ kind: 'events', seq, events: [text] });
    }
    await counts('1 of 31');
    const after = await current(page);
    assert.ok(Math.abs(after.top - top) <= 1, `moved from ${top} to ${after.top}`);
    assert.equal(after.text, 'needle');
  });

  it('goes to a match in a long answer with sources, images and footnotes', async () => {
    await open();
    const paragraphs = Array.from({ length: 90 }, (_, at) => `Needle ${at} ![1](x) 1[^n] is here.`);
    const text = `${paragraphs.join('\n\n')}\n\n[^n]: Note 1.`;
    const citations = [20, 200, 900].map((to) => ({ section: 0, from: 0, to, url: `https://e.test/${to}` }));
    const part = {
      kind: 'answer' as const,
      id: '0.0',
      sections: [text],
      citations,
      openedAt: 1,
      closedAt: 2,
    };
    await panel.shows({ id: 'c', turns: [...settledTurns(20), turn('cited', { parts: [part] })] });
    await find('needle 70');
    await counts('1 of 1');
    await rest();
    const { text: match, seen, turn: at } = await current(page);
    assert.deepEqual([match, seen, at], ['Needle 70', true, 'cited']);
    // Of what is drawn for a paragraph, the image and the text count, and the numbers of notes do not.
    await page.locator('.find-text').fill(': 1 1 is');
    await counts('of 90');
  });

  it('gives the cursor back where it was, and takes a selection as what is looked for', async () => {
    await open();
    await panel.shows({ id: 'c', turns: settledTurns(3) });
    await panel.composer.focus();
    await panel.tell({ kind: 'find' });
    assert.equal(await panel.focused(), 'find-text');
    // Asked for again while it is being typed in: nothing is selected that would be typed over.
    await page.keyboard.type('ca');
    await panel.tell({ kind: 'find' });
    await page.keyboard.type('rt 2');
    await counts('1 of ');
    await page.keyboard.press('Escape');
    await page.locator('.find').waitFor({ state: 'detached' });
    assert.equal(await panel.focused(), 'composer-text');
    assert.equal(await page.evaluate(() => CSS.highlights.size), 0);
    await page.evaluate(() => {
      const node = document.querySelector('.question-text')!.firstChild!;
      getSelection()?.setBaseAndExtent(node, 0, node, 10);
    });
    await panel.tell({ kind: 'find' });
    assert.equal(await page.locator('.find-text').inputValue(), 'Question 0');
  });

  for (const theme of ['dark', 'light'] as const) {
    for (const width of [300, 600]) {
      it(`looks right at ${width} px, ${theme}`, async () => {
        await open({ width, theme });
        await panel.shows({ id: 'c', turns: settledTurns(30) });
        await find('receipt');
        await counts('of 1');
        await rest();
        await mkdir(screenshotsPath, { recursive: true });
        await page.screenshot({ path: path.join(screenshotsPath, `page-find-${theme}-${width}.png`) });
        assert.deepEqual(await faultsOf(page), []);
      });
    }
  }
});
