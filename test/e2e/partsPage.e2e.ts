/** Parts of a running turn in the panel’s page: what is being done is said in words, at any length and without a network. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { Part } from '../../src/core/conversation/conversation.ts';
import { launchBrowser } from '../run/browser.ts';
import { openTurn, PanelPage, panelState, sentRequest } from './support/panelPage.ts';

describe('the parts of a running turn', () => {
  let browser: Browser;
  let panel: PanelPage;

  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  beforeEach(async () => {
    panel = await PanelPage.open(browser, { width: 300 });
  });
  afterEach(() => panel.close());

  const running = async (...parts: readonly Part[]): Promise<void> => {
    const now = await panel.page.evaluate(() => Date.now());
    const shown = openTurn('r', { parts, startedAt: now, requests: [sentRequest({ sentAt: now })] });
    await panel.shows({ id: 'c', turns: [shown] }, panelState(), { at: now });
  };
  const says = (text: string | RegExp): Promise<void> => panel.page.getByText(text).first().waitFor();
  const tool = (id: string, input: string, more: object = {}): Part => ({
    kind: 'tool',
    id,
    name: 'read_file',
    input,
    openedAt: 0,
    ...more,
  });
  const done = { askedAt: 0, closedAt: 10, outcome: { kind: 'done', text: 'x' } };

  it('say what the service searches for, and give its sources when they come', async () => {
    const search = { action: { kind: 'search', queries: ['a\u202eb'] }, sources: [], images: [] } as const;
    await running();
    await panel.tell({
      kind: 'events',
      seq: 1,
      events: [
        { kind: 'partOpened', turn: 'r', part: '0.0', what: 'search', at: 0 },
        { kind: 'searchTold', turn: 'r', part: '0.0', search },
      ],
    });
    await says('Searching the web for “a‹U+202E›b”');
    await panel.spoken('Searching the web for “a‹U+202E›b”.');
    const sources = [{ url: 'javascript:alert(1)' }, { url: 'https://a.test/x', title: 'b.test' }];
    const images = [{ url: 'https://i.test/i.png', page: 'https://p.test/', caption: 'A cart' }];
    await panel.tell({
      kind: 'events',
      seq: 2,
      events: [
        { kind: 'searchTold', turn: 'r', part: '0.0', search: { ...search, sources, images } },
        { kind: 'partClosed', turn: 'r', part: '0.0', at: 20 },
      ],
    });
    await panel.button(/^Searched the web/).press('Enter');
    // What can’t be opened is no link, and an image is one.
    const links = panel.page.locator('.search [role=link]');
    assert.deepEqual(await links.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label'))), [
      'b.test, a.test',
      'A cart, p.test',
    ]);
    assert.equal(await panel.page.locator('img').count(), 0);
    await links.first().press('Enter');
    assert.equal((await panel.posted('openLink')).href, 'https://a.test/x');
  });

  it('are one line for neighbouring calls, which opens and folds under the cursor', async () => {
    await running(tool('0.0', '{"path":"a/cart.ts"}', done), tool('0.1', '{"path":"tax.ts'));
    const line = panel.page.locator('.tools > .fold-line');
    // One of them is still on its way.
    await says('Reading cart.ts');
    assert.match(await line.innerText(), /^Reading cart\.ts\s· \d/);
    await line.press('Enter');
    assert.equal(await panel.page.locator('.tools .tool').count(), 2);
    await panel.press('Enter');
    assert.equal(await panel.page.locator('.tools .tool').count(), 0);
    assert.match(await panel.focused(), /fold-line/);
  });

  it('keep the cursor and what was opened when a call joins it', async () => {
    await running(tool('0.0', '{"path":"cart.ts"}', done));
    await panel.button(/^Read cart\.ts/).press('Enter');
    await says('Input');
    assert.match(await panel.focused(), /fold-line/);
    await panel.tell({
      kind: 'events',
      seq: 1,
      events: [{ kind: 'toolOpened', turn: 'r', part: '0.1', name: 'read_file', at: 0 }],
    });
    await says('Input');
    assert.match(await panel.focused(), /fold-line/);
  });

  it('say that there is no network, and that there is one again', async () => {
    await running();
    await says(/^Waiting for/);
    await panel.page.context().setOffline(true);
    await says('This computer is offline');
    await panel.spoken('This computer is offline');
    await panel.page.context().setOffline(false);
    await says(/^Waiting for/);
  });

  it('show reasoning of any length as the setting says, unless the person says otherwise', async () => {
    const sections = Array.from(
      { length: 200 },
      (_, index) => `Thought ${index}. ${'More of it. '.repeat(20)}`,
    );
    const part: Part = { kind: 'reasoning', id: '0.0', sections, openedAt: 0 };
    await running(part);
    await says('Thought 199.');
    await panel.tell({ kind: 'panel', panel: panelState({ reasoning: 'folded' }) });
    assert.equal(await panel.page.locator('.reasoning-text').count(), 0);
    await panel.button(/^Thinking/).press('Enter');
    await says('Thought 199.');
  });
});
