/** What the panel's own page does about branches at moments that a workbench does not come to by itself. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../run/browser.ts';
import { faultsOf } from './support/look.ts';
import { dear, PanelPage, panelState, request, turn } from './support/panelPage.ts';

describe('branches in the panel', () => {
  let browser: Browser;
  let panel: PanelPage;
  before('start a browser', async () => {
    browser = await launchBrowser();
  });
  after('close the browser', async () => {
    await browser.close();
  });
  beforeEach('open the page', async () => {
    panel = await PanelPage.open(browser, { width: 300 });
  });
  afterEach('close the page', async () => {
    await panel.close();
  });

  const conversation = { id: 'c', turns: [turn('a'), turn('b')] };
  const edits = async (): Promise<readonly object[]> =>
    (await panel.posts()).filter(({ kind }) => kind === 'edit');
  const open = async (): Promise<void> => {
    await panel.shows(conversation);
    await panel.button('Edit the question').first().press('Enter');
    await panel.tell();
    assert.equal(await panel.focused(), 'edit-text');
  };

  it('sends no question that an input method is still writing, and sends one once', async () => {
    await open();
    const field = panel.page.locator('.edit-text');
    await field.evaluate((element) => {
      const say = (type: string, init: KeyboardEventInit & { keyCode?: number }): void =>
        void element.dispatchEvent(new KeyboardEvent(type, { bubbles: true, cancelable: true, ...init }));
      element.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
      say('keydown', { key: 'Enter', isComposing: true });
      say('keydown', { key: 'Escape', isComposing: true });
      // Safari ends the composition before it tells of the key.
      element.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
      say('keydown', { key: 'Enter' });
      say('keydown', { key: 'Escape' });
    });
    await panel.tell();
    assert.equal(await panel.focused(), 'edit-text');
    assert.deepEqual(await edits(), []);
    await panel.pass(100);
    await panel.press('Enter');
    await panel.press('Enter');
    const [first, second, ...more] = await edits();
    assert.deepEqual([first, more], [second, []]);
  });

  it('is there in the next page, and says of one that is too long for that', async () => {
    await open();
    const field = panel.page.locator('.edit-text');
    const hint = panel.page.locator('.editing .hint');
    await field.fill('x'.repeat(50_000));
    await panel.reload();
    await panel.shows(conversation);
    assert.equal((await field.inputValue()).length, 50_000);
    assert.equal(await hint.count(), 0);
    await field.fill('x'.repeat(100_001));
    await hint.getByText('too long to be kept').waitFor();
    await panel.spoken('too long to be kept');
    await field.fill('y');
    await panel.tell();
    assert.equal(await hint.count(), 0);
    await field.fill('x'.repeat(100_001));
    await panel.reload();
    await panel.shows(conversation);
    assert.equal(await field.count(), 0);
  });

  it('asks before a dear edit, and leads back to it', async () => {
    await open();
    await panel.page.keyboard.type('!');
    await panel.press('Enter');
    const { kind, id, turn: of, text, attachments } = await panel.posted('edit');
    const asked = { kind, id, turn: of, text, attachments };
    await panel.tell({ kind: 'confirm', asked, next: dear });
    await panel.page.locator('.confirm .button:focus').waitFor();
    await panel.press('Escape');
    assert.equal(await panel.focused(), 'edit-text');
    await panel.press('Enter');
    await panel.tell({ kind: 'confirm', asked, next: dear });
    await panel.page.locator('.confirm .button:focus').waitFor();
    await panel.pass(1_000);
    await panel.press('Enter');
    assert.deepEqual((await edits()).at(-1), { ...asked, agreed: 2.1 });
    await panel.tell({ kind: 'editTaken', turn: of, text: asked.text });
    assert.equal(await panel.page.locator('.edit-text').count(), 0);
  });

  it('leads back to the choice of a model when that is dear, and to the question from a notice', async () => {
    const failure = { kind: 'contentFilter', message: 'no' } as const;
    const failed = turn('b', { end: { kind: 'failed', failure }, parts: [], requests: [] });
    await panel.shows({ id: 'c', turns: [turn('a'), failed] });
    await panel.button('Answer again').last().click();
    const start = panel.page.locator('.again-start');
    await start.press('Enter');
    const { agreed: _agreed, ...asked } = await panel.posted('answerAgain');
    await panel.tell({ kind: 'confirm', asked, next: dear });
    await panel.page.locator('.confirm .button:focus').waitFor();
    await panel.press('Escape');
    assert.match(await panel.focused(), /again-start/);
    await panel.pass(600);
    await panel.button('Edit question').click();
    await panel.tell();
    assert.equal(await panel.focused(), 'edit-text');
    assert.equal(await panel.page.locator('.edit-text').inputValue(), 'Question b');
  });

  it('keeps what is typed while another conversation is shown, and stands in every width', async () => {
    await open();
    await panel.page.keyboard.type(' More');
    await panel.tell({ kind: 'conversation', seq: 0, conversation: { id: 'd', turns: [turn('x')] } });
    assert.equal(await panel.page.locator('.edit-text').count(), 0);
    await panel.tell({ kind: 'conversation', seq: 0, conversation });
    assert.equal(await panel.page.locator('.edit-text').inputValue(), 'Question a More');
    assert.notEqual(await panel.focused(), 'edit-text', 'the cursor was taken');
    await panel.button('Answer again').last().click();
    await panel.tell({
      kind: 'weighed',
      turn: 'b',
      model: 'kimi-k3.1-pro',
      effort: 'max',
      edited: false,
      next: dear,
    });
    assert.deepEqual(await faultsOf(panel.page), []);
  });

  it('has a menu that closes when something else is done', async () => {
    await panel.shows({ id: 'c', turns: Array.from({ length: 12 }, (_, index) => turn(`${index}`)) });
    const more = panel.button('More actions').last();
    const menu = panel.page.getByRole('menu');
    await more.click();
    const [above, below] = [await menu.boundingBox(), await panel.composer.boundingBox()];
    assert.ok(above && below && above.y + above.height <= below.y, 'it is over the composer');
    await panel.composer.click();
    assert.equal(await menu.count(), 0);
    await more.press('Enter');
    await panel.press('d');
    assert.equal(await panel.page.locator(':focus').textContent(), 'Delete question and answer');
    await panel.press('ArrowDown');
    assert.equal(await panel.page.locator(':focus').textContent(), 'Copy answer');
    await panel.press('Tab');
    assert.equal(await menu.count(), 0);
    assert.equal(await panel.page.locator(':focus').getAttribute('aria-label'), 'More actions');
  });

  it('goes from version to version without losing the cursor or the place', async () => {
    const version = (id: string, of: string): object => ({
      turn: id,
      conversation: of,
      model: 'kimi-k3',
      effort: 'max',
      startedAt: 1,
      endedAt: 2,
      end: 'completed',
      requests: [request()],
    });
    const versions = [version('b', 'c'), version('b2', 'd')] as never;
    const rest = Array.from({ length: 20 }, (_, index) => turn(`r${index}`));
    const one = { id: 'c', turns: [turn('a'), turn('b'), ...rest] };
    const two = { id: 'd', turns: [turn('a'), turn('b2'), ...rest] };
    await panel.shows(one, panelState(), { versions: [{ turn: 'b', versions }] });
    await panel.button('Next version').press('Enter');
    const { conversation: id } = await panel.posted('showVersion');
    assert.equal(id, 'd');
    await panel.tell({ kind: 'conversation', seq: 0, conversation: two });
    await panel.tell({ kind: 'versions', conversation: 'd', turns: [{ turn: 'b2', versions }] });
    await panel.tell();
    const next = panel.button('Next version');
    assert.equal(await panel.page.locator(':focus').getAttribute('aria-label'), 'Next version');
    assert.equal(await next.getAttribute('aria-disabled'), 'true');
    const box = await next.boundingBox();
    assert.ok(box && box.y > 0 && box.y < 700, `it is at ${box?.y}`);
    await panel.press('Enter');
    assert.equal((await panel.posts()).filter(({ kind }) => kind === 'showVersion').length, 1);
    await panel.spoken('Version 2 of 2');
  });
});
