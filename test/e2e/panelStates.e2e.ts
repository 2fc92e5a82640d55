/** What holds in every state of the panel, in each kind of theme, narrow and wide: for people who do not see it, or see it otherwise. */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../run/browser.ts';
import { repository } from '../run/places.ts';
import { faultsOf } from './support/look.ts';
import { PanelPage, panelState } from './support/panelPage.ts';
import { failedStates, now, pageStates, showState } from './support/states.ts';
import { themes } from './support/themes.ts';

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const snapshots = path.join(repository, 'test/fixtures/accessibilityTrees');

/** What stands below the conversation, most of the time. */
const usual = path.join(snapshots, 'usual.yml');

/** The notices of turns that failed, in one file. */
const failed = 'failures';

const renewing = process.env['KIMI_CHAT_RENEW'] === '1';

/** Rules that depend on a theme; the others hold in all or in none. */
const ofColours = ['color-contrast', 'link-in-text-block'];

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
  async function broken(options: RunOptions = {}): Promise<string[]> {
    const { violations } = await panel.page.evaluate(
      (all) => (window as unknown as PageWithAxe).axe.run(all),
      { resultTypes: ['violations' as const], ...options },
    );
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(
        ({ html, failureSummary }) => `${id} (${help}): ${html.slice(0, 200)}\n${failureSummary ?? ''}`,
      ),
    );
  }

  for (const state of pageStates) {
    describe(state.name, () => {
      before('show it', async () => {
        await panel.setWidth(300);
        await panel.setTheme('dark');
        await showState(panel, state);
        await panel.page.evaluate(axe);
      });

      it('has nothing that axe-core finds', async () => {
        const faults: string[] = [...(await broken())];
        await panel.setWidth(600);
        await panel.setTheme('light');
        faults.push(...(await broken()));
        await panel.setWidth(300);
        assert.deepEqual(faults, []);
      });

      it('sticks out nowhere and can be read in each theme', async () => {
        const faults: string[] = [];
        for (const theme of themes) {
          await panel.setTheme(theme);
          if (theme.startsWith('highContrast')) {
            faults.push(...(await broken({ runOnly: { type: 'rule', values: [...ofColours] } })));
          }
          for (const width of [300, 600]) {
            await panel.setWidth(width);
            const found = await faultsOf(panel.page);
            faults.push(...found.map((fault) => `${theme}, ${width} px: ${fault}`));
          }
          await panel.setWidth(300);
        }
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
    });
  }

  it('has nothing of that, and says what helps, however a turn fails', async () => {
    await panel.reopen();
    await panel.page.evaluate(axe);
    await panel.setTheme('dark');
    const faults: string[] = [];
    const notices: string[] = [];
    for (const { name, conversation, failure } of failedStates) {
      await panel.shows(conversation, panelState(), { at: now });
      const found = [...(await broken()), ...(await faultsOf(panel.page))];
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
