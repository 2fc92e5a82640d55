/** The panel in languages, lengths and orders of messages that a workbench does not come to by itself. */
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { Failure, Part, Turn } from '../../src/core/conversation/conversation.ts';
import type { PanelState } from '../../src/protocol/toWebview.ts';
import { launchBrowser } from '../run/browser.ts';
import { screenshotsPath } from '../run/places.ts';
import { longerBundle } from './support/longer.ts';
import { faultsOf } from './support/look.ts';
import {
  breakdown,
  dear,
  family,
  openTurn,
  PanelPage,
  panelState,
  request,
  sentRequest,
  turn,
  type PageOptions,
} from './support/panelPage.ts';

const effect = { anew: 110_000, more: 0.2, moreLater: -0.1 };

const full: PanelState = panelState({
  context: {
    model: 'kimi-k3.1-pro',
    used: 1_100_000,
    estimated: 1_100_000,
    window: 1_048_576,
    breakdown: breakdown({ instructions: 900, tools: 1_100, attachments: 900_000, toolOutputs: 198_000 }),
    factor: 1,
    cacheUntil: Date.now() + 200_000,
    level: 'over',
  },
  spending: {
    ...panelState().spending!,
    limits: { confirmAbove: 0.5, day: 5, conversation: 2 },
    next: dear,
    family,
    unkept: true,
  },
  room: [
    { what: 'attachments', tokens: 900_000, turns: 2, effect },
    { what: 'toolOutputs', tokens: 190_000, turns: 2, effect },
    { what: 'oldestTurns', tokens: 100_000, turns: 1_200, effect },
  ],
});

const failures: readonly Failure[] = [
  { kind: 'noKey' },
  { kind: 'badKey', message: 'invalid key' },
  { kind: 'forbidden', message: 'no' },
  { kind: 'modelUnknown', message: 'no' },
  { kind: 'outOfQuota', message: 'no' },
  { kind: 'rateLimited', message: 'no', retryAfter: 600_000 },
  { kind: 'overloaded', message: 'no', status: 503 },
  { kind: 'contextTooLong', message: 'no' },
  { kind: 'contentFilter', message: 'no' },
  { kind: 'noWebSearch', message: 'no' },
  { kind: 'refused', message: 'no', status: 400 },
  { kind: 'serverError', message: 'no', status: 500 },
  {
    kind: 'network',
    code: 'SELF_SIGNED_CERT_IN_CHAIN',
    message: 'no',
    sent: false,
    issuer:
      'Zertifizierungsstelle_der_Konzerninformationssicherheit_2031, Mustermann Beteiligungsgesellschaft',
  },
  { kind: 'network', code: 'EPROXYAUTH', message: 'no', sent: false },
  { kind: 'network', code: 'HPE_INVALID_CONSTANT', message: 'no', sent: true },
  { kind: 'network', code: 'EADDRESS', message: 'notHttps', sent: false },
  { kind: 'silence', seconds: 900 },
  { kind: 'brokenStream', detail: 'no' },
  { kind: 'unchanged', message: 'no' },
  { kind: 'spendingLimit', scope: 'day', limit: 5, spent: 4.98, expected: 0.031 },
  { kind: 'tooManyRounds', rounds: 50 },
  { kind: 'bug', detail: 'TypeError' },
];

/** A turn whose request was refused at `now`, by the host's clock, and is sent again after so many milliseconds. */
function sentAgain(now: number, wait: number): Turn {
  return openTurn('r', {
    parts: [],
    requests: [request({ sentAt: now })],
    startedAt: now,
    retry: {
      failure: { kind: 'overloaded', message: '', status: 503 },
      attempt: 2,
      of: 4,
      since: now,
      until: now + wait,
    },
  });
}

describe('the panel’s page', () => {
  let browser: Browser;
  const open: PanelPage[] = [];
  before(async () => {
    browser = await launchBrowser();
  });
  afterEach(async () => {
    for (const panel of open.splice(0)) await panel.close();
  });
  after(() => browser.close());

  async function openPanel(options: PageOptions = { width: 400 }): Promise<PanelPage> {
    const panel = await PanelPage.open(browser, options);
    open.push(panel);
    return panel;
  }

  /** A picture for people, and what sticks out. */
  async function look({ page }: PanelPage, name: string): Promise<readonly string[]> {
    await mkdir(screenshotsPath, { recursive: true });
    await page.screenshot({ path: path.join(screenshotsPath, `page-${name}.png`) });
    const faults = await faultsOf(page);
    return faults.map((fault) => `${name}: ${fault}`);
  }

  /** Where a dot begins a line of text, and where it ends one: the nearest class around each. */
  function dotsAtEdges({ page }: PanelPage): Promise<{ begins: string[]; wraps: string[] }> {
    return page.evaluate(() => {
      const texts = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT);
      const characters: { text: string; box: DOMRect; name: string }[] = [];
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
        if (node.parentElement?.checkVisibility() !== true) continue;
        const name = node.parentElement.closest('[class]:not(.quiet)')?.className ?? '';
        for (const [at, text] of [...(node.textContent ?? '')].entries()) {
          const range = new Range();
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          if (text.trim() !== '') characters.push({ text, box: range.getBoundingClientRect(), name });
        }
      }
      const isDot = ({ text }: { text: string }): boolean => text === '·';
      const namesOf = (found: typeof characters): string[] => found.map(({ name }) => name);
      return {
        begins: namesOf(
          characters.filter((one, at) => isDot(one) && one.box.top >= characters[at - 1]!.box.bottom),
        ),
        wraps: namesOf(
          characters.filter((one, at) => isDot(one) && one.box.bottom <= characters[at + 1]!.box.top),
        ),
      };
    });
  }

  describe('with sentences longer by two fifths', () => {
    const bundle = longerBundle();

    for (const width of [300, 600]) {
      it(`shows every failure whole at ${width} px`, async () => {
        const panel = await openPanel({ width, bundle, locale: 'de' });
        const faults: string[] = [];
        for (const failure of failures) {
          const name = failure.kind === 'network' ? failure.code : failure.kind;
          const ended = turn('t', { endedAt: Date.now(), end: { kind: 'failed', failure } });
          await panel.shows({ id: name, turns: [turn('s'), ended] });
          faults.push(...(await look(panel, `long-${name}-${width}`)));
        }
        assert.deepEqual(faults, []);
      });

      it(`shows what it costs, what is sent again and what is asked about whole at ${width} px`, async () => {
        const panel = await openPanel({ width, bundle, locale: 'de' });
        const unknown = turn('u', {
          requests: [request(), request({ round: 1, usage: null, via: 'api.evolink.ai' })],
          cut: { attachments: true, toolOutputs: true },
        });
        await panel.shows({ id: 'c', turns: [unknown] }, full, { draft: 'Why?' });
        await panel.page.locator('.footer-facts').click();
        const faults = [...(await look(panel, `long-bill-${width}`))];
        await panel.page.locator('.meter-line').click();
        faults.push(...(await look(panel, `long-meter-${width}`)));
        // What was made from other versions is in it.
        assert.match(await panel.page.locator('.meter-line').innerText(), /≈\s1,05\s\$/);
        await panel.tell({
          kind: 'confirm',
          asked: { kind: 'send', id: 'q', text: 'Why?' },
          next: dear,
        });
        faults.push(...(await look(panel, `long-confirm-${width}`)));
        const now = Date.now();
        const waiting = openTurn('r', {
          parts: [],
          startedAt: now,
          requests: [request({ sentAt: now })],
          retry: {
            failure: { kind: 'overloaded', message: '', status: 503 },
            attempt: 2,
            of: 4,
            since: now,
            until: now + 120_000,
            asked: 7_200_000,
            via: 'api.evolink.ai',
          },
        });
        await panel.shows({ id: 'd', turns: [waiting] });
        faults.push(...(await look(panel, `long-retry-${width}`)));
        assert.deepEqual(faults, []);
      });
    }
  });

  it('has all of what it says within reach in a panel that is low', async () => {
    const panel = await openPanel({ width: 300 });
    await panel.page.setViewportSize({ width: 300, height: 360 });
    await panel.shows({ id: 'c', turns: [turn('t')] }, full, { draft: 'Why?' });
    await panel.page.locator('.meter-line').click();
    const asked = { kind: 'send', id: 'q', text: 'Why?' } as const;
    await panel.tell({ kind: 'confirm', asked, next: dear });
    const inside = (selector: string): Promise<boolean> =>
      panel.page.locator(selector).evaluate((element) => {
        element.scrollIntoView({ block: 'nearest' });
        const { top, bottom } = element.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    for (const part of ['.composer-row', '.confirm .button:first-child', '.meter-line'])
      assert.ok(await inside(part), part);
  });

  it('begins no line with the dot between two facts, at whatever width it wraps', async () => {
    const panel = await openPanel({ width: 300 });
    const via = 'api.evolink.ai';
    const known = turn('t', { requests: [request(), request({ round: 1, via })], naming: request() });
    const failed = {
      kind: 'tool',
      name: 'read_file',
      input: '{"path":"src/shoppingBasket.ts"}',
      outcome: { kind: 'failed', text: 'no' },
      openedAt: 5_000,
      closedAt: 6_000,
    } as const;
    const parts: readonly Part[] = [
      { ...failed, id: '0.2' },
      { ...failed, id: '0.3' },
    ];
    await panel.shows({ id: 'c', turns: [{ ...known, parts: [...known.parts, ...parts] }] }, full);
    await panel.page.locator('.footer-facts').click();
    const ends: string[] = [];
    for (let width = 200; width <= 400; width += 4) {
      await panel.setWidth(width);
      const { begins, wraps } = await dotsAtEdges(panel);
      assert.deepEqual(begins, [], `${width} px`);
      ends.push(...wraps);
      if (width === 300) assert.deepEqual(await look(panel, 'dots-300'), []);
    }
    // Of each of them, at some width.
    assert.deepEqual([...new Set(ends)].toSorted(), ['fold-summary', 'requests', 'tool-state']);
  });

  it('keeps text that runs from right to left apart from its own', async () => {
    const panel = await openPanel({ width: 300 });
    const end = { kind: 'failed', failure: { kind: 'badKey', message: 'المفتاح غير صالح (401)' } } as const;
    await panel.shows({
      id: 'c',
      turns: [
        turn('t', {
          question: { text: 'لماذا المجموع خاطئ في cart.ts؟', attachments: [] },
          parts: [
            {
              kind: 'answer',
              id: '0.0',
              sections: ['החישוב שגוי:\n\n- `total` (1)\n- סוף'],
              openedAt: 1,
              closedAt: 2,
            },
          ],
          end,
        }),
      ],
    });
    await panel.button('Details').click();
    const directions = await panel.page.evaluate(() =>
      ['.question-text', '.answer p', '.notice-detail', '.notice-body p', '.footer-facts'].map(
        (selector) => getComputedStyle(document.querySelector(selector)!).direction,
      ),
    );
    assert.deepEqual(directions, ['rtl', 'rtl', 'rtl', 'ltr', 'ltr']);
    assert.deepEqual(await look(panel, 'rtl-300'), []);
  });

  it('tells money and counts as the language does', async () => {
    const panel = await openPanel({ width: 400, locale: 'de' });
    await panel.shows({ id: 'c', turns: [turn('t')] });
    assert.match(await panel.page.locator('.footer-facts').innerText(), /^18\ss\s· ≈\s0,009\s\$\s· 51\s%/);
  });

  it('looks at nothing of turns that are settled, neither at a piece of text nor at news around them', async () => {
    const panel = await openPanel();
    const turns = Array.from({ length: 2_000 }, (_, index) => turn(`t${index}`));
    const running = openTurn('last', { parts: [turn('x').parts[1]!] });
    const reads = await panel.page.evaluate(
      async ({ settled, last, around }) => {
        const drawn = (): Promise<unknown> =>
          new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        let count = 0;
        const watched = settled.map(
          (each) =>
            new Proxy(each, {
              get(target, key, receiver) {
                if (key === 'parts' || key === 'question' || key === 'requests') count += 1;
                return Reflect.get(target, key, receiver) as unknown;
              },
            }),
        );
        const tell = async (data: unknown): Promise<number> => {
          count = 0;
          window.dispatchEvent(new MessageEvent('message', { data }));
          await drawn();
          return count / settled.length;
        };
        const conversation = { id: 'c', turns: [...watched, last] };
        const first = await tell({ kind: 'snapshot', seq: 0, conversation, panel: around, draft: '' });
        const footers = [...document.querySelectorAll<HTMLElement>('.footer-facts')];
        for (const line of footers.slice(-200)) line.click();
        await drawn();
        const bills = document.querySelectorAll('.bill table').length;
        const text = { kind: 'textAdded', turn: 'last', part: '0.1', section: 0, text: ' More.' };
        const piece = await tell({ kind: 'events', seq: 1, events: [text] });
        const news = await tell({
          kind: 'panel',
          panel: { ...structuredClone(around), model: 'kimi-k3' },
        });
        return { first, bills, piece, news };
      },
      { settled: turns, last: running, around: panelState() },
    );
    // As many as are near the screen have elements.
    assert.ok(reads.bills >= 8, `${reads.bills} bills`);
    assert.ok(reads.first < 20, `${reads.first} reads a turn at the first drawing`);
    // The meter compares the lists of requests.
    assert.ok(reads.piece <= 1, `${reads.piece} reads a turn at a piece of text`);
    assert.ok(reads.news <= 1, `${reads.news} reads a turn at news around them`);
  });

  describe('asks about what looks secret', () => {
    const chip = { id: 'x', kind: 'file', path: '.env', uri: 'file:///.env', languageId: 'ini' } as const;
    const found = [{ what: 'token', service: 'GitHub', line: 2, hint: 'ghp_q7Zb…', length: 36 }];

    it('without taking the cursor, and hears no key or click that was meant for something else', async () => {
      const panel = await openPanel();
      await panel.shows({ id: 'c', turns: [turn('t')] }, panelState({ attachments: [chip] }), {
        draft: 'Why?',
      });
      await panel.composer.press('Enter');
      const { id, text } = await panel.posted('send');
      const asked = { kind: 'send', id, text } as const;
      const message = { kind: 'secrets', check: 'k', asked, places: [{ chip, found }], more: 0 } as const;
      // Clicked in the moment in which it comes.
      await panel.page.evaluate(() => {
        new MutationObserver((_, observer) => {
          const button = document.querySelector<HTMLButtonElement>('.secrets-found .button');
          if (button === null) return;
          observer.disconnect();
          button.click();
        }).observe(document.body, { subtree: true, childList: true });
      });
      await panel.tell(message);
      assert.equal(await panel.focused(), 'composer-text');
      await panel.spoken(
        'Something here looks secret. Nothing was sent yet. Masked, the model sees that something stood there, not what.',
      );
      const mask = panel.page.getByRole('button', { name: 'Mask and send' });
      const decided = async (): Promise<number> =>
        (await panel.posts()).filter(({ kind }) => kind === 'decideSecrets').length;
      await mask.waitFor();
      assert.equal(await decided(), 0);
      await panel.press('Escape');
      assert.equal(await panel.focused(), 'composer-text');
      assert.equal(await panel.composer.inputValue(), 'Why?');
      assert.equal(await mask.count(), 0);

      await panel.tell(message);
      await panel.pass(600);
      await panel.press('Tab');
      assert.equal(await panel.focused(), 'secret-places');
      await panel.press('Tab');
      await panel.press('Enter');
      assert.equal(await panel.focused(), 'composer-text');
      assert.deepEqual((await panel.posts()).slice(-2), [
        { kind: 'decideSecrets', check: 'k', choice: 'mask' },
        { ...asked, conversation: 'c' },
      ]);
      await panel.close();
    });

    it('and offers to send nothing that is never sent', async () => {
      const panel = await openPanel();
      await panel.shows({ id: 'c', turns: [turn('t')] }, panelState(), { draft: 'Why?' });
      const own = [{ what: 'ownKey', line: 1, hint: 'sk-e…', length: 51 }];
      const asked = { kind: 'send', id: 'q', text: 'Why?' } as const;
      await panel.tell({ kind: 'secrets', check: 'k', asked, places: [{ found: own }], more: 0 });
      await panel.page.getByText('The API key of this chat is masked in any case.').waitFor();
      assert.deepEqual(await panel.page.locator('.secrets-found button').allInnerTexts(), [
        'Mask and send',
        'Cancel',
      ]);
      await panel.close();
    });
  });

  describe('asks before something dear', () => {
    it('and keeps the cursor, whatever the answer is', async () => {
      const panel = await openPanel();
      await panel.shows({ id: 'c', turns: [turn('t')] }, full, { draft: 'Why?' });
      await panel.composer.focus();
      await panel.page.keyboard.down('Enter');
      const { id, text } = await panel.posted('send');
      await panel.tell({ kind: 'confirm', asked: { kind: 'send', id, text }, next: dear });
      assert.equal(await panel.focused(), 'button');
      await panel.spoken('About $2.10 for this question. You wanted to be asked above $0.50.');
      // The key that sent the question is still down, however long.
      await panel.page.keyboard.down('Enter');
      await panel.pass(600);
      await panel.page.keyboard.down('Enter');
      await panel.page.keyboard.up('Enter');
      assert.equal((await panel.posts()).filter(({ kind }) => kind === 'send').length, 1);
      await panel.press('Escape');
      assert.equal(await panel.focused(), 'composer-text');
      assert.equal(await panel.composer.inputValue(), 'Why?');

      await panel.tell({ kind: 'confirm', asked: { kind: 'send', id, text }, next: dear });
      await panel.pass(600);
      await panel.press('Enter');
      assert.equal(await panel.focused(), 'composer-text');
      assert.deepEqual((await panel.posts()).at(-1), {
        kind: 'send',
        id,
        text,
        agreed: 2.1,
        conversation: 'c',
      });
    });

    it('also before a turn is gone on with and before a summary, and not after that was begun', async () => {
      const panel = await openPanel();
      const stopped = turn('t', { end: { kind: 'stopped' } });
      await panel.shows({ id: 'c', turns: [stopped] }, full);
      await panel.tell({ kind: 'confirm', asked: { kind: 'resume', turn: 'other' }, next: dear });
      assert.equal(await panel.page.locator('.confirm').count(), 0);
      await panel.tell({ kind: 'confirm', asked: { kind: 'resume', turn: 't' }, next: dear });
      await panel.page.getByText('About $2.10 to go on with this turn.').first().waitFor();
      await panel.pass(600);
      await panel.button('Go on').click();
      assert.deepEqual((await panel.posts()).at(-1), { kind: 'resume', turn: 't', agreed: 2.1 });

      await panel.tell({ kind: 'confirm', asked: { kind: 'summarize' }, next: dear });
      await panel.page.getByText('About $2.10 for the summary.').first().waitFor();
      await panel.tell({
        kind: 'events',
        seq: 1,
        events: [{ kind: 'turnResumed', turn: 't', drop: [], at: Date.now() }],
      });
      assert.equal(await panel.page.locator('.confirm').count(), 0);
    });
  });

  it('keeps the cursor where a button was that has done its work', async () => {
    const panel = await openPanel();
    const now = Date.now();
    await panel.shows({ id: 'c', turns: [turn('t'), sentAgain(now, 100_000)] });
    await panel.button('Try now').focus();
    await panel.tell({ kind: 'events', seq: 1, events: [{ kind: 'retryStarted', turn: 'r', at: now }] });
    assert.match(await panel.focused(), /^turn\b/);
    await panel.tell({ kind: 'notice', text: 'Nothing was copied.' });
    await panel.button('Close message').focus();
    await panel.press('Enter');
    await panel.page.locator('.host-notice').waitFor({ state: 'detached' });
    assert.equal(await panel.focused(), 'composer-text');
  });

  it('does not open what the model sees by itself in a new chat', async () => {
    const panel = await openPanel();
    const end = { kind: 'failed', failure: { kind: 'contextTooLong', message: '' } } as const;
    await panel.shows({ id: 'c', turns: [turn('s'), turn('t', { end })] }, full);
    await panel.pass(600);
    await panel.page.locator('.turn .notice').getByRole('button', { name: 'Make room' }).click();
    await panel.page.locator('.meter-details:not([hidden])').waitFor();
    await panel.tell({ kind: 'conversation', seq: 0, conversation: { id: 'd', turns: [] } });
    assert.equal(await panel.page.locator('.meter-details:not([hidden])').count(), 0);
  });

  it('leaves a question that was too long itself out, with its text at hand', async () => {
    const panel = await openPanel();
    const end = { kind: 'failed', failure: { kind: 'contextTooLong', message: '' } } as const;
    const failed = turn('t', { end, parts: [] });
    await panel.shows({ id: 'c', turns: [failed] });
    await panel.pass(600);
    await panel.button('Edit question').click();
    await panel.tell();
    assert.deepEqual(await panel.posted('leaveOut'), { kind: 'leaveOut', turn: 't' });
    assert.equal(await panel.composer.inputValue(), 'Question t');
    await panel.tell({
      kind: 'events',
      seq: 1,
      events: [{ kind: 'contextCut', turn: 't', cut: { whole: true } }],
    });
    assert.equal(await panel.button('Edit question').count(), 0);
    await panel.page.getByText('The model no longer sees this turn.').waitFor();
  });

  it('takes a double click for one where something is left out', async () => {
    const panel = await openPanel();
    await panel.shows({ id: 'c', turns: [turn('s'), turn('t')] }, full);
    await panel.pass(600);
    await panel.button('Leave out the 1,200 oldest turns').dblclick();
    assert.equal((await panel.posts()).filter(({ kind }) => kind === 'makeRoom').length, 1);
    await panel.pass(600);
    // Where the first press made other offers, none of them is meant by the second.
    await panel.tell({
      kind: 'panel',
      panel: { ...full, room: [{ what: 'oldestTurns', tokens: 9, turns: 1, effect }] },
    });
    await panel.button('Leave out the oldest turn').click();
    assert.equal((await panel.posts()).filter(({ kind }) => kind === 'makeRoom').length, 1);
    await panel.pass(600);
    await panel.button('Leave out the oldest turn').click();
    assert.equal((await panel.posts()).filter(({ kind }) => kind === 'makeRoom').length, 2);
  });

  it('counts down by the host’s clock from the first moment, however wrong its own is', async () => {
    for (const skew of [-3_600_000, 3_600_000]) {
      const panel = await openPanel();
      const now = Date.now() + skew;
      await panel.shows({ id: 'c', turns: [sentAgain(now, 50_000)] }, panelState(), { at: now });
      assert.match(await panel.page.locator('.retry p').innerText(), /Trying again in (49|50)\ss/);
    }
  });

  it('says aloud that it is still thinking after a minute', async () => {
    const panel = await openPanel();
    const now = await panel.page.evaluate(() => Date.now());
    const waiting = openTurn('r', { parts: [], startedAt: now, requests: [sentRequest({ sentAt: now })] });
    await panel.shows({ id: 'c', turns: [waiting] }, panelState(), { at: now });
    await panel.pass(65_000);
    assert.match(
      await panel.page.locator('.waiting').innerText(),
      /^Still thinking, 1\smin(\s\d\ss)? without news/,
    );
    await panel.pass(2_000);
    await panel.spoken('Still thinking, 1 min without news');
  });
});
