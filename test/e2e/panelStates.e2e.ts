/**
 * What holds in every state of the panel, in each kind of theme, narrow and wide: for people who do not see it, see it otherwise, enlarge it or
 * use the keyboard alone. How many of the themes and widths a state is looked at in is told in `support/whole.ts`.
 */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../run/browser.ts';
import { repository } from '../run/places.ts';
import { cutOff } from './support/cutOff.ts';
import { lostByForcedColours } from './support/forcedColours.ts';
import { faultsOf } from './support/look.ts';
import { PanelPage, panelState } from './support/panelPage.ts';
import { failedStates, now, pageStates, showState } from './support/states.ts';
import { themes } from './support/themes.ts';
import { isWhole, turnOf } from './support/whole.ts';

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const snapshots = path.join(repository, 'test/fixtures/accessibilityTrees');

/** What stands below the conversation, most of the time. */
const usual = path.join(snapshots, 'usual.yml');

/** The notices of turns that failed, in one file. */
const failed = 'failures';

const renewing = process.env['KIMI_CHAT_RENEW'] === '1';

const views = themes.flatMap((theme) => [300, 600].map((width) => ({ theme, width })));

/** Of the page, not of the test. */
interface PageWithAxe {
  readonly axe: { run(options: RunOptions): Promise<AxeResults> };
}

describe('every state of the panel', () => {
  let browser: Browser;
  let panel: PanelPage;
  let axe: string;
  before('open the page', async () => {
    browser = await launchBrowser();
    axe = await readFile(axeFile, 'utf8');
    panel = await PanelPage.open(browser, { width: 300, at: now });
  });
  before('keep what is usual', async () => {
    const stopped = pageStates.find(({ name }) => name === 'stopped');
    if (!renewing || stopped === undefined) return;
    await showState(panel, stopped);
    await mkdir(snapshots, { recursive: true });
    await writeFile(usual, `${await panel.page.locator('.bottom').ariaSnapshot()}\n`);
  });
  after('close the browser', () => browser.close());

  /** One line for each rule that is broken at each element. */
  async function broken(): Promise<string[]> {
    const { violations } = await panel.page.evaluate(
      (all) => (window as unknown as PageWithAxe).axe.run(all),
      { resultTypes: ['violations' as const] },
    );
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ html, failureSummary }) => `${id} (${help}): ${html.slice(0, 200)}\n${failureSummary ?? ''}`,
      ),
    );
  }

  /** Names of the controls that the Tab key is to reach, in their order. Marks them with their number. */
  function stops(): Promise<string[]> {
    return panel.page.evaluate(() => {
      const all = document.querySelectorAll<HTMLElement>(
        'button, select, input, textarea, a, [tabindex], [role=link], [role=button]',
      );
      return [...all]
        .filter((each) => each.tabIndex >= 0 && !each.matches(':disabled') && each.checkVisibility())
        .map((each, index) => {
          each.dataset['stop'] = String(index);
          return `${index} ${each.getAttribute('class') ?? each.tagName}`;
        });
    });
  }

  for (const [index, state] of pageStates.entries()) {
    describe(state.name, () => {
      before('show it', async () => {
        await panel.setWidth(300);
        await panel.setTheme('dark');
        await showState(panel, state);
        await panel.page.mouse.move(0, 0);
        await panel.page.evaluate(axe);
      });

      it('has nothing that axe-core finds', async () => {
        const faults: string[] = [];
        for (const { theme, width } of turnOf(views, index)) {
          await panel.setTheme(theme);
          await panel.setWidth(width);
          faults.push(...(await broken()).map((fault) => `${theme}, ${width} px: ${fault}`));
        }
        await panel.setWidth(300);
        await panel.setTheme('dark');
        assert.deepEqual(faults, []);
      });

      it('sticks out nowhere and can be read in each theme', async () => {
        const faults: string[] = [];
        for (const { theme, width } of turnOf(views, index, 2)) {
          await panel.setTheme(theme);
          await panel.setWidth(width);
          const found = await faultsOf(panel.page);
          faults.push(...found.map((fault) => `${theme}, ${width} px: ${fault}`));
        }
        await panel.setWidth(300);
        await panel.setTheme('dark');
        assert.deepEqual(faults, []);
      });

      it('is told to assistive technology as it was judged', async () => {
        const { page } = panel;
        if (state.untold === true) {
          // Anew: what the host has not told is missed after some seconds, and judging it took some.
          await showState(panel, state);
          await matchesSnapshot(state.name, `# all\n${await page.locator('main').ariaSnapshot()}`);
          return;
        }
        // What is to be read out was: it is told after one pause, and read after another.
        await panel.pass(2_000);
        await panel.pass(2_000);
        const [above, below, live] = await Promise.all(
          ['.transcript-frame', '.bottom', '[aria-live]'].map((part) => page.locator(part).ariaSnapshot()),
        );
        const shown = [
          `# the conversation\n${above}`,
          below === (await readFile(usual, 'utf8')).trimEnd()
            ? '# below it: as usual'
            : `# below it\n${below}`,
          ...(live === '' ? [] : [`# read out\n${live}`]),
        ];
        await matchesSnapshot(state.name, shown.join('\n'));
      });

      it('shows all that can be pressed without a pointer over it', async () => {
        const hidden = await panel.page.evaluate(() =>
          [...document.querySelectorAll('button, select, input, textarea, [role=link]')]
            .filter(
              (each) =>
                each.closest('[hidden]') === null &&
                !each.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
            )
            .map((each) => each.outerHTML.slice(0, 120)),
        );
        assert.deepEqual(hidden, []);
      });

      it('can be read and told apart with forced colours', async () => {
        const { page } = panel;
        await page.emulateMedia({ forcedColors: 'active' });
        try {
          assert.deepEqual([...(await faultsOf(page)), ...(await page.evaluate(lostByForcedColours))], []);
        } finally {
          await page.emulateMedia({ forcedColors: 'none' });
        }
      });

      // At 200 % VS Code gives a bar of 300 pixels 150 of its own: layout knows no more of it.
      it('is whole at 200 %, and with text twice as large in a narrow panel', async () => {
        const { page } = panel;
        await panel.setWidth(150);
        await panel.tell();
        const zoomed = [...(await faultsOf(page)), ...(await page.evaluate(cutOff))];
        await panel.setWidth(300);
        await page.evaluate(() => {
          const { style } = document.documentElement;
          style.setProperty('--vscode-font-size', '26px');
          style.setProperty('--vscode-editor-font-size', '26px');
        });
        await panel.tell();
        const large = [...(await faultsOf(page)), ...(await page.evaluate(cutOff))];
        await panel.setTheme('dark');
        assert.deepEqual({ zoomed, large }, { zoomed: [], large: [] });
      });

      it('lets the Tab key reach every control, and get out again', async () => {
        const { page } = panel;
        // Its items are reached with the arrows: the Tab key closes it.
        if ((await page.locator('.menu').count()) > 0) await page.keyboard.press('Escape');
        // It comes up and goes as the cursor leads away from the end and back.
        const comes = / jump$/;
        const wanted = (await stops()).filter((stop) => !comes.test(stop));
        // Where a page begins that nothing was done in.
        await page.evaluate(() => {
          if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
          document.body.tabIndex = -1;
          document.body.focus();
        });
        for (const key of isWhole || index % 2 === 0 ? ['Tab', 'Shift+Tab'] : ['Tab']) {
          const reached: string[] = [];
          while (reached.length < wanted.length) {
            await page.keyboard.press(key);
            const at = await page.evaluate(async () => {
              // The key may have led to the end, and it goes in the next frame.
              if (document.querySelector('.jump') !== null)
                await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
              const { activeElement } = document;
              const stop = activeElement instanceof HTMLElement ? activeElement.dataset['stop'] : undefined;
              return `${stop ?? 'none'} ${activeElement?.getAttribute('class') ?? activeElement?.tagName ?? ''}`;
            });
            if (!comes.test(at)) reached.push(at);
          }
          assert.deepEqual(reached, key === 'Tab' ? wanted : wanted.toReversed());
          // One further is out of the page.
          await page.keyboard.press(key);
          assert.equal(await page.evaluate(() => document.activeElement === document.body), true);
        }
      });
    });
  }

  it('has nothing of that, and says what helps, however a turn fails', async () => {
    await panel.reopen();
    await panel.page.evaluate(axe);
    await panel.setTheme('dark');
    const faults: string[] = [];
    const notices: string[] = [];
    for (const [index, { name, conversation, failure }] of failedStates.entries()) {
      await panel.shows(conversation, panelState(), { at: now });
      // They differ in their words and buttons only.
      const judged = isWhole || index % 4 === 0 ? await broken() : [];
      const found = [...judged, ...(await faultsOf(panel.page))];
      faults.push(...found.map((fault) => `${name}: ${fault}`));
      notices.push(`# ${failure.kind}\n${await panel.page.locator('.turn.last .notice').ariaSnapshot()}`);
    }
    assert.deepEqual(faults, []);
    await matchesSnapshot(failed, notices.join('\n'));
  });

  it('has no judgement that nothing is compared with', async () => {
    const files = await readdir(snapshots);
    assert.deepEqual(
      files.toSorted(),
      [...pageStates.map(({ name }) => `${name}.yml`), `${failed}.yml`, 'usual.yml'].toSorted(),
    );
  });
});

/**
 * Compares with what is kept, which was read as a screen reader would read it, not heard with one. With `KIMI_CHAT_RENEW=1` it is kept
 * as it is now: read what `git diff` shows of it.
 */
async function matchesSnapshot(name: string, found: string): Promise<void> {
  const file = path.join(snapshots, `${name}.yml`);
  if (renewing) {
    await writeFile(file, `${found}\n`);
    return;
  }
  assert.equal(`${found}\n`, await readFile(file, 'utf8'));
}
