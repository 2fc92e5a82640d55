/** The panel with more than anyone reads at once: what is in its document, and that nothing jumps while it comes and goes. */
import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import type { Turn } from '../../src/core/conversation/conversation.ts';
import type { ShownEvent } from '../../src/core/conversation/turnEvent.ts';
import { launchBrowser } from '../run/browser.ts';
import { markdown, runningTurn, settledTurns } from '../support/longConversations.ts';
import { PanelPage, turn } from './support/panelPage.ts';

const megabyte = 1_000_000;

function longAnswer(id: string): Turn {
  return turn(id, {
    parts: [{ kind: 'answer', id: '0.0', sections: [markdown(megabyte)], openedAt: 2_000, closedAt: 9_000 }],
  });
}

/** So many frames later: what comes near the screen is drawn in the frame after. */
function frames(page: Page, count = 4): Promise<void> {
  return page.evaluate(async (left) => {
    for (let index = 0; index < left; index += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve));
  }, count);
}

function nodes(page: Page): Promise<number> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
    let count = 0;
    while (walker.nextNode() !== null) count += 1;
    return count;
  });
}

/** Scrolls by so much and tells how far what was on the screen is from where it should be then, once all is drawn. */
function moved(page: Page, by: number): Promise<number> {
  return page.evaluate(async (distance) => {
    const scroller = document.querySelector('.transcript')!;
    const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));
    const { left, top, height } = scroller.getBoundingClientRect();
    const from = scroller.scrollTop;
    scroller.scrollTop += distance;
    // A reader scrolls and then reads.
    await frame();
    const mark = document.elementFromPoint(left + 60, top + height / 2)!;
    const before = mark.getBoundingClientRect().top;
    for (let index = 0; index < 6; index += 1) await frame();
    if (!mark.isConnected || scroller.scrollTop === from) return Number.NaN;
    return mark.getBoundingClientRect().top - before;
  }, by);
}

describe('a long conversation in the panel', function () {
  this.timeout(120_000);
  let browser: Browser;
  let panel: PanelPage;
  let page: Page;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    panel = await PanelPage.open(browser, { width: 400, realTime: true });
    ({ page } = panel);
  });
  afterEach(() => panel.close());

  it('of 2,000 turns has a document of bounded size, and all its headings', async () => {
    await panel.shows({ id: 'c', turns: settledTurns(2_000) });
    await frames(page);
    assert.equal(await page.locator('h2').count(), 2_000);
    for (const at of [1, 0.5, 0.01, 0]) {
      await page.evaluate((part) => {
        const scroller = document.querySelector('.transcript')!;
        scroller.scrollTop = scroller.scrollHeight * part;
      }, at);
      await frames(page);
      const count = await nodes(page);
      assert.ok(count < 3 * 2_000 + 4_000, `${count} nodes at ${at}`);
      assert.ok((await page.locator('.turn').count()) > 4, `nothing at ${at}`);
    }
  });

  it('with an answer of 1 MB has a document of bounded size, wherever it is read', async () => {
    await panel.shows({ id: 'c', turns: [...settledTurns(3), longAnswer('long')] });
    for (const at of [1, 0.5, 0.2, 0]) {
      await page.evaluate((part) => {
        const scroller = document.querySelector('.transcript')!;
        scroller.scrollTop = scroller.scrollHeight * part;
      }, at);
      await frames(page);
      const count = await nodes(page);
      assert.ok(count > 500 && count < 8_000, `${count} nodes at ${at}`);
    }
  });

  for (const [name, turns] of [
    ['many turns are', settledTurns(300)],
    ['a long answer is', [...settledTurns(2), longAnswer('long')]],
  ] as const) {
    it(`does not jump where ${name} scrolled through for the first time, up and down again`, async () => {
      await panel.shows({ id: 'c', turns });
      await frames(page);
      const jumps: number[] = [];
      for (let step = 0; step < 15; step += 1) jumps.push(await moved(page, -650));
      for (let step = 0; step < 8; step += 1) jumps.push(await moved(page, 900));
      const worst = Math.max(...jumps.map(Math.abs));
      assert.ok(worst <= 1, `moved by ${jumps.map((jump) => jump.toFixed(1)).join(', ')} px`);
    });
  }

  it('stays where the reader is when they left the end by one pixel, while text comes', async () => {
    await panel.shows({ id: 'c', turns: [...settledTurns(30), runningTurn('r', markdown(20_000))] });
    await frames(page);
    const top = await page.evaluate(async () => {
      const scroller = document.querySelector('.transcript')!;
      scroller.scrollTop -= 1;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return scroller.scrollTop;
    });
    for (let seq = 1; seq <= 40; seq += 1) {
      const text = {
        kind: 'textAdded',
        turn: 'r',
        part: '0.0',
        section: 0,
        text: `A line of text ${seq}.\n\n`,
      } as const;
      await panel.tell({ kind: 'events', seq, events: [text] });
      assert.equal(await page.evaluate(() => document.querySelector('.transcript')!.scrollTop), top);
    }
    await panel.button('Jump to latest').press('Enter');
    await frames(page);
    const missing = (): Promise<number> =>
      page.evaluate(() => {
        const { scrollHeight, scrollTop, clientHeight } = document.querySelector('.transcript')!;
        return scrollHeight - scrollTop - clientHeight;
      });
    assert.ok((await missing()) < 1.5);
    const more = { kind: 'textAdded', turn: 'r', part: '0.0', section: 0, text: markdown(3_000) } as const;
    await panel.tell({ kind: 'events', seq: 41, events: [more] });
    await frames(page);
    assert.ok((await missing()) < 1.5, 'does not follow the end again');
  });

  it('asks for one frame for a piece of text, and for one for a key', async () => {
    await panel.shows({ id: 'c', turns: [...settledTurns(30), runningTurn('r', markdown(3_000))] });
    await panel.composer.focus();
    await frames(page);
    const asked = await page.evaluate(async () => {
      const ask = window.requestAnimationFrame;
      let count = 0;
      const shown = (): Promise<void> => new Promise((resolve) => ask(() => ask(() => setTimeout(resolve))));
      window.requestAnimationFrame = (act) => {
        count += 1;
        return ask(act);
      };
      const of = { kind: 'textAdded', turn: 'r', part: '0.0', section: 0, text: 'word ' };
      const field = document.querySelector<HTMLTextAreaElement>('.composer-text')!;
      await shown();
      const before = count;
      for (let seq = 1; seq <= 40; seq += 1) {
        window.dispatchEvent(new MessageEvent('message', { data: { kind: 'events', seq, events: [of] } }));
        await shown();
      }
      const text = count - before;
      for (let key = 0; key < 40; key += 1) {
        field.value += 'a';
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        await shown();
      }
      return { text, keys: count - before - text };
    });
    // What counts seconds or opens a menu may ask too.
    assert.ok(asked.text >= 40 && asked.text <= 50, `${asked.text} frames for 40 pieces`);
    assert.ok(asked.keys >= 40 && asked.keys <= 50, `${asked.keys} frames for 40 keys`);
  });

  it('keeps what is read in place when the panel gets narrower or its letters larger', async () => {
    await panel.shows({ id: 'c', turns: settledTurns(100) });
    await frames(page);
    await moved(page, -4_000);
    const place = (): Promise<string> =>
      page.evaluate(() => {
        const { left, top } = document.querySelector('.transcript')!.getBoundingClientRect();
        for (let y = top + 2; y < top + 300; y += 4) {
          const found = document
            .elementFromPoint(left + 60, y)
            ?.closest('.turn')
            ?.querySelector('h2');
          if (found !== null && found !== undefined) return found.textContent;
        }
        return '';
      });
    const before = await place();
    assert.match(before, /^Question \d+/);
    for (const change of [
      () => page.setViewportSize({ width: 300, height: 900 }),
      () => page.setViewportSize({ width: 600, height: 900 }),
      () => page.evaluate(() => document.documentElement.style.setProperty('--vscode-font-size', '18px')),
    ]) {
      await change();
      await frames(page, 8);
      const [was, is] = [before, await place()].map((text) => Number(/\d+/.exec(text)?.[0]));
      assert.ok(Math.abs((was ?? 0) - (is ?? Number.NaN)) <= 1, `question ${was} was read, ${is} is`);
    }
  });

  it('keeps what is read in place when what stands before it comes, also at its very top', async () => {
    const turns = settledTurns(100);
    await panel.shows({ id: 'c', turns: turns.slice(90) }, undefined, { earlier: true });
    await panel.page.locator('.earlier').waitFor();
    const last = turns[90]!.id;
    const top = (): Promise<number> =>
      page.evaluate((id) => {
        const found = document.querySelector(`[data-turn="${id}"]`);
        return found === null ? Number.NaN : Math.round(found.getBoundingClientRect().top);
      }, last);
    await page.evaluate(() => {
      const scroller = document.querySelector('.transcript')!;
      scroller.dispatchEvent(new WheelEvent('wheel', { deltaY: -100_000, bubbles: true }));
      scroller.scrollTop = 0;
    });
    await frames(page, 8);
    const before = await top();
    assert.ok(before > 0 && before < 100, String(before));
    await panel.tell({ kind: 'earlier', conversation: 'c', turns: turns.slice(40, 90), more: true });
    await frames(page, 30);
    assert.ok(Math.abs((await top()) - before) <= 2, `${await top()} instead of ${before}`);
    await panel.tell({ kind: 'earlier', conversation: 'c', turns: turns.slice(0, 40) });
    await frames(page, 30);
    assert.ok(Math.abs((await top()) - before) <= 2, `${await top()} instead of ${before}`);
    assert.equal(await page.locator('.earlier').count(), 0);
  });

  it('keeps elements that hold the cursor or a selection, and what was opened, however far they are', async () => {
    await panel.shows({ id: 'c', turns: settledTurns(200) });
    await frames(page);
    const scroll = (by: number): Promise<void> =>
      page.evaluate((distance) => void (document.querySelector('.transcript')!.scrollTop += distance), by);
    const tool = page.locator('.turn').last().locator('.tool .fold-line');
    await tool.press('Enter');
    await page.evaluate(() => {
      const answers = [...document.querySelectorAll('.turn .answer')].slice(-2);
      getSelection()?.setBaseAndExtent(answers[0]!, 0, answers[1]!, 1);
    });
    const selected = await page.evaluate(() => getSelection()?.toString() ?? '');
    assert.ok(selected.length > 200);
    await scroll(-60_000);
    await frames(page);
    assert.equal(await page.evaluate(() => getSelection()?.toString()), selected);
    const held = page.locator('.turn').last();
    assert.match(await held.locator('h2').innerText(), /^Question 199/);

    await page.evaluate(() => getSelection()?.removeAllRanges());
    const link = page.locator('.turn .tool .fold-line').first();
    const label = await link.evaluate((element) => {
      element.focus();
      return element.closest('.turn')?.querySelector('h2')?.textContent;
    });
    await scroll(-10_000);
    await frames(page);
    assert.equal(
      await page.evaluate(() => document.activeElement?.closest('.turn')?.querySelector('h2')?.textContent),
      label,
    );
    await scroll(1_000_000);
    await frames(page);
    assert.equal(await page.locator('.turn').last().locator('.tool .fold-body').isVisible(), true);
  });

  it('keeps what is selected in an answer while more of it comes and what was open is settled', async () => {
    await panel.shows({
      id: 'c',
      turns: [runningTurn('r', 'The first paragraph.\n\nThe second is')],
    });
    await frames(page);
    await page.evaluate(() => {
      const text = document.querySelector('.answer p')!.firstChild!;
      getSelection()?.setBaseAndExtent(text, 4, text, 19);
    });
    for (let seq = 1; seq <= 40; seq += 1) {
      const text = seq % 8 === 0 ? '.\n\n- item' : ` piece${seq}`;
      const event: ShownEvent = { kind: 'textAdded', turn: 'r', part: '0.0', section: 0, text };
      await panel.tell({ kind: 'events', seq, events: [event] });
    }
    assert.match(await page.locator('.answer').innerText(), /piece39/);
    assert.equal(await page.evaluate(() => String(getSelection())), 'first paragraph');
  });

  it('keeps what is selected in the very piece of text that grows, in prose and in code, also when it gets its colours', async () => {
    const grow = (text: string, seq: number): Promise<void> => {
      const event: ShownEvent = { kind: 'textAdded', turn: 'r', part: '0.0', section: 0, text };
      return panel.tell({ kind: 'events', seq, events: [event] });
    };
    const select = (wanted: string): Promise<void> =>
      page.evaluate((text) => {
        const texts = document.createTreeWalker(document.querySelector('.answer')!, NodeFilter.SHOW_TEXT);
        while (texts.nextNode() !== null) {
          const node = texts.currentNode;
          const at = node.textContent?.indexOf(text) ?? -1;
          // Backwards, as one may.
          if (at >= 0) return getSelection()?.setBaseAndExtent(node, at + text.length, node, at);
        }
        throw new Error(`no ${text}`);
      }, wanted);
    const selected = (): Promise<string> => page.evaluate(() => String(getSelection()));

    await panel.shows({ id: 'c', turns: [runningTurn('r', 'The **loop** stops one row ea')] });
    await select('stops one');
    await grow('rly, **wh', 1);
    await grow('ich** is it.\n\n', 2);
    assert.equal(await selected(), 'stops one');
    await grow('```ts\nconst one = 1;\nconst tw', 3);
    await select('one = 1;');
    await grow(`o = 2;\n${'let x;\n'.repeat(200)}`, 4);
    assert.equal(await selected(), 'one = 1;');
    await grow('```\n\nThat is it.\n\nAnd', 5);
    await page.locator('.hljs-number').first().waitFor();
    assert.equal(await selected(), 'one = 1;');
    assert.equal(
      await page.evaluate(() => getSelection()?.getRangeAt(0).startContainer === getSelection()?.focusNode),
      true,
      'it is still selected from its end to its start',
    );
  });

  it('lets text be selected at the end while more comes there, and follows again from the end', async () => {
    let seq = 0;
    const lines = async (): Promise<void> => {
      const event: ShownEvent = {
        ...{ kind: 'textAdded', turn: 'r', part: '0.0', section: 0 },
        text: '\n\nAnother paragraph.'.repeat(4),
      };
      await panel.tell({ kind: 'events', seq: (seq += 1), events: [event] });
      await frames(page);
    };
    const scroller = page.locator('.transcript');
    const top = (): Promise<number> => scroller.evaluate((each) => each.scrollTop);
    const below = (): Promise<number> =>
      scroller.evaluate((each) => each.scrollHeight - each.clientHeight - each.scrollTop);
    await panel.shows({ id: 'c', turns: [runningTurn('r', 'First paragraph.\n\n'.repeat(60))] });
    await frames(page);
    assert.ok((await below()) < 2);

    const last = (await page.locator('.answer p').last().boundingBox())!;
    const y = last.y + last.height / 2;
    await page.mouse.move(last.x + 2, y);
    await page.mouse.down();
    const from = await top();
    await lines();
    assert.equal(await top(), from, 'nothing moves under a pointer that is pressed');
    await page.mouse.move(last.x + 60, y, { steps: 3 });
    await lines();
    await page.mouse.up();
    await lines();
    assert.equal(await top(), from, 'nor what is selected');
    const selected = await page.evaluate(() => String(getSelection()));
    assert.match(selected, /^F?irst p/);
    await panel.button('Jump to latest').click();
    await frames(page);
    await lines();
    assert.ok((await below()) < 2, 'at the end again, it is followed');

    // A click alone is no reason to stay behind.
    const now = (await page.locator('.answer p').last().boundingBox())!;
    await page.mouse.move(now.x + 2, now.y + 4);
    await page.mouse.down();
    await lines();
    await page.mouse.up();
    await frames(page);
    assert.ok((await below()) < 2);
  });

  it('copies all that is selected, also where it has no elements', async () => {
    const turns = [
      ...settledTurns(60),
      longAnswer('long'),
      ...settledTurns(20).map((each) => ({ ...each, id: `x${each.id}` })),
    ];
    await panel.shows({ id: 'c', turns });
    // What is open in a turn does not have it copied twice.
    await panel.button('Answer again').last().click();
    await frames(page);
    await page.evaluate(() => {
      getSelection()?.selectAllChildren(document.querySelector('.transcript-content')!);
      const keep = (event: ClipboardEvent): void =>
        void Object.assign(globalThis, { copied: event.clipboardData?.getData('text/plain') });
      window.addEventListener('copy', keep, { once: true });
    });
    await page.keyboard.press('ControlOrMeta+c');
    const copied = await page.evaluate(() => (globalThis as unknown as { copied: string }).copied);
    assert.ok(copied.length > megabyte, `${copied.length} characters`);
    for (const at of [0, 7, 33, 59])
      assert.match(copied, new RegExp(`why does the receipt of cart ${at} not add up`));
    assert.equal(copied.match(/why does the receipt/g)?.length, 80);
  });

  it('copies of a turn that is selected in part what is selected, line by line', async () => {
    const text =
      'One.\n\nTwo **bold** words.\n\n- an item\n- another\n\n```ts\na;\nb;\n```\n\nThree and more.';
    const answer = { kind: 'answer' as const, id: '0.0', sections: [text], openedAt: 1, closedAt: 2 };
    await panel.shows({ id: 'c', turns: [...settledTurns(60), turn('end', { parts: [answer] })] });
    await frames(page);
    await page.evaluate(() => {
      const last = [...document.querySelectorAll('.answer p')].at(-1)!.firstChild!;
      getSelection()?.setBaseAndExtent(document.querySelector('.transcript-content')!, 0, last, 5);
      const keep = (event: ClipboardEvent): void =>
        void Object.assign(globalThis, { copied: event.clipboardData?.getData('text/plain') });
      window.addEventListener('copy', keep, { once: true });
    });
    await page.keyboard.press('ControlOrMeta+c');
    const copied = await page.evaluate(() => (globalThis as unknown as { copied: string }).copied);
    assert.match(copied, /\nOne\.\nTwo bold words\.\nan item\nanother\na;\nb;\nThree$/);
  });

  it('does not gather listeners, timers or elements over 200 turns', async () => {
    const session = await page.context().newCDPSession(page);
    const counts = async (): Promise<{ nodes: number; jsEventListeners: number }> => {
      await frames(page);
      await session.send('HeapProfiler.collectGarbage');
      return session.send('Memory.getDOMCounters');
    };
    await session.send('HeapProfiler.enable');
    await panel.shows({ id: 'c', turns: settledTurns(16) });
    let seq = 0;
    const eventsOf = (id: string): ShownEvent[] => {
      const { question, model, effort } = turn(id);
      return [
        { kind: 'turnStarted', turn: id, question, model, effort, at: Date.now() },
        { kind: 'partOpened', turn: id, part: '0.0', what: 'answer', at: Date.now() },
        { kind: 'textAdded', turn: id, part: '0.0', section: 0, text: markdown(1_500) },
        { kind: 'partClosed', turn: id, part: '0.0', at: Date.now() },
        { kind: 'turnEnded', turn: id, end: { kind: 'completed' }, at: Date.now() },
      ];
    };
    const run = async (from: number, to: number): Promise<void> => {
      for (let at = from; at < to; at += 4) {
        const ids = [at, at + 1, at + 2, at + 3].map((number) => `n${number}`);
        await panel.tell({ kind: 'events', seq: (seq += 1), events: ids.flatMap(eventsOf) });
      }
    };
    await run(0, 48);
    const before = await counts();
    await run(48, 248);
    const after = await counts();
    const listeners = after.jsEventListeners - before.jsEventListeners;
    assert.ok(listeners < 100, `${listeners} listeners more`);
    const added = after.nodes - before.nodes;
    assert.ok(added < 200 * 4 + 1_500, `${added} nodes more`);
  });
});
