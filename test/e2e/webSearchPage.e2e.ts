/** The switch of the web search and the question that interrupts, in a browser without a workbench, with real keys. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { ToHost } from '../../src/protocol/toHost.ts';
import { launchBrowser } from '../run/browser.ts';
import { faultsOf } from './support/look.ts';
import { openTurn, PanelPage, panelState, turn } from './support/panelPage.ts';

describe('the row below the question', () => {
  let browser: Browser;
  let panel: PanelPage;
  before(async () => {
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    panel = await PanelPage.open(browser, { width: 300 });
  });
  afterEach(() => panel.close());
  after(() => browser.close());

  const idle = { id: 'c', turns: [turn('a')] };
  const running = { id: 'c', turns: [turn('a'), openTurn('r')] };
  const sent = async (): Promise<readonly ToHost[]> =>
    (await panel.posts()).filter(({ kind }) => kind === 'send' || kind === 'stop');

  it('turns the web search over by the keyboard, and says what that does', async () => {
    await panel.shows(idle);
    const web = panel.button('Web search');
    assert.equal(await web.getAttribute('aria-pressed'), 'false');
    await panel.composer.focus();
    for (let tabs = 0; tabs < 5; tabs += 1) await panel.press('Tab');
    assert.match(await panel.focused(), /web-search/);
    await panel.press('Space');
    assert.deepEqual(await panel.posted('setWebSearch'), { kind: 'setWebSearch', on: true });
    const facts = { on: true, differs: true, domains: ['nodejs.org'], domainCount: 2 } as const;
    await panel.tell({ kind: 'panel', panel: panelState({ webSearch: facts }) });
    assert.equal(await web.getAttribute('aria-pressed'), 'true');
    assert.match((await web.getAttribute('title')) ?? '', /\nOnly on nodejs\.org and 1 other site\.$/);
    assert.match(await panel.focused(), /web-search/, 'the cursor stays');
    await panel.pass(2_000);
    await panel.spoken('It loses the cache: about 212k tokens of this conversation are read anew.');
    assert.deepEqual(await faultsOf(panel.page), []);
    await panel.press('Enter');
    assert.deepEqual((await panel.posts()).at(-1), { kind: 'setWebSearch', on: false });
  });

  it('says of a source or an image whose text names another host where it leads', async () => {
    const search = {
      action: { kind: 'search', queries: ['prices'] },
      sources: [
        { url: 'https://evil.test/login', title: 'bank.test: sign in' },
        { url: 'https://docs.bank.test/', title: 'Help of bank.test' },
      ],
      images: [{ url: 'https://evil.test/a.png', caption: 'See www.bank.test' }],
    } as const;
    const parts = [{ kind: 'search', id: '0.0', search, openedAt: 2_000, closedAt: 3_000 }] as const;
    await panel.shows({ id: 'c', turns: [turn('a', { parts })] });
    await panel.page.locator('.search .fold-line').click();
    assert.deepEqual(await panel.page.locator('.source-doubt').allInnerTexts(), [
      'The text says bank.test, but this leads to evil.test.',
      'The text says www.bank.test, but this leads to evil.test.',
    ]);
    assert.deepEqual(await faultsOf(panel.page), []);
  });

  it('leads to the settings when the sites can’t be read', async () => {
    await panel.shows(idle, panelState({ webSearch: { on: true, unusable: true, unread: 1 } }));
    await panel.button('Change the sites').press('Enter');
    assert.equal((await panel.posted('openSettings')).setting, 'kimiChat.webSearchDomains');
  });

  it('is not there where nobody told of it', async () => {
    const { webSearch: _, ...rest } = panelState();
    await panel.shows(idle, rest);
    assert.equal(await panel.page.locator('.web-search').count(), 0);
  });

  it('interrupts with Ctrl+Enter or its button, and only what is running', async () => {
    await panel.shows(running, panelState(), { draft: 'Wait' });
    await panel.composer.focus();
    await panel.press('Enter');
    await panel.press('Control+Enter');
    const [queued, interrupting] = await sent();
    assert.ok(queued?.kind === 'send' && queued.interrupt === undefined);
    assert.ok(interrupting?.kind === 'send' && interrupting.interrupt === true);
    assert.equal(interrupting.id, queued.id, 'it is the same question');
    const button = panel.button('Interrupt and send');
    assert.equal(await button.getAttribute('title'), 'Stop the answer and send this now (Ctrl+Enter)');
    await button.press('Enter');
    assert.ok((await sent()).length === 3);
    assert.deepEqual(await faultsOf(panel.page), []);
    await panel.composer.fill('');
    await panel.tell();
    assert.equal(await button.count(), 0, 'there is nothing to send');
    await panel.composer.focus();
    await panel.press('Control+Enter');
    assert.equal((await sent()).length, 3);

    await panel.shows(idle);
    await panel.composer.fill('Next');
    assert.equal(await button.count(), 0);
    await panel.press('Control+Enter');
    const last = (await sent()).at(-1);
    assert.ok(last?.kind === 'send' && last.interrupt === undefined);
  });

  it('interrupts with Shift too where Ctrl+Enter sends', async () => {
    await panel.shows(running, panelState({ sendKey: 'modEnter' }), { draft: 'Wait' });
    await panel.composer.focus();
    await panel.press('Control+Enter');
    await panel.press('Control+Shift+Enter');
    assert.deepEqual(
      (await sent()).map((one) => one.kind === 'send' && one.interrupt),
      [undefined, true],
    );
    assert.match(
      (await panel.button('Interrupt and send').getAttribute('title')) ?? '',
      /\(Ctrl\+Shift\+Enter\)$/,
    );
  });
});
