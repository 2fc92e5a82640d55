/** The composer in a browser without a workbench: input methods, queues in every state, long pastes. */
import assert from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import type { QueueFacts, QueuePause } from '../../src/protocol/toWebview.ts';
import { launchBrowser } from '../run/browser.ts';
import { faultsOf } from './support/look.ts';
import { openTurn, PanelPage, panelState, turn } from './support/panelPage.ts';
import { pageState, showState } from './support/states.ts';

describe('the composer’s page', () => {
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

  const conversation = { id: 'c', turns: [turn('a'), openTurn('r')] };
  const sent = async (): Promise<number> =>
    (await panel.posts()).filter(({ kind }) => kind === 'send' || kind === 'stop').length;

  it('leaves Enter and Escape to the input method', async () => {
    await panel.shows(conversation);
    await panel.composer.focus();
    const ime = await panel.page.context().newCDPSession(panel.page);
    await ime.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
    // As an input method has Chrome tell of the keys that it handles.
    for (const key of ['Enter', 'Escape', 'ArrowUp'])
      await ime.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, windowsVirtualKeyCode: 229 });
    await ime.send('Input.insertText', { text: '日本' });
    assert.equal(await panel.composer.inputValue(), '日本');
    assert.equal(await sent(), 0);

    // Safari: the composition ends, and only then the key that ended it is told.
    const endBefore = (field: Locator, key: string): Promise<boolean> =>
      field.evaluate((element, name) => {
        element.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
        element.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: '日本' }));
        return element.dispatchEvent(
          new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }),
        );
      }, key);
    for (const key of ['Enter', 'Escape']) await endBefore(panel.composer, key);
    await panel.press('Control+f');
    const find = panel.page.locator('.find-text');
    await find.fill('검색');
    await endBefore(find, 'Escape');
    await panel.tell();
    assert.equal(await find.inputValue(), '검색', 'find stays open');
    await panel.press('Escape');
    await panel.composer.focus();
    assert.equal(await sent(), 0);
    await panel.pass(100);
    await panel.press('Enter');
    assert.equal((await panel.posted('send')).text, '日本');

    await showState(panel, pageState('patchRejecting'));
    const reason = panel.page.getByRole('textbox', { name: 'Reason for the model (optional)' });
    assert.equal(await endBefore(reason, 'Enter'), false, 'the browser sends no form by it');
    await endBefore(reason, 'Escape');
    await panel.tell();
    assert.equal(await reason.count(), 1, 'the reason can still be written');
  });

  it('has the host know at once what was written in the page before, which the host may not have heard of', async () => {
    const run = { run: 'a' };
    await panel.shows({ id: 'c', turns: [] }, undefined, run);
    await panel.composer.fill('Why is it so?');
    await panel.reload();
    await panel.shows({ id: 'c', turns: [] }, undefined, run);
    assert.equal(await panel.composer.inputValue(), 'Why is it so?');
    assert.equal((await panel.posted('draftChanged')).text, 'Why is it so?');
    const { length } = await panel.posts();
    await panel.shows({ id: 'c', turns: [] }, undefined, { ...run, draft: 'Why is it so?' });
    assert.equal((await panel.posts()).length, length, 'the host has it');
  });

  it('keeps what is typed on after sending apart from the question, which is taken at any moment', async () => {
    await panel.shows({ id: 'c', turns: [turn('a')] });
    await panel.composer.fill('Why is it wrong?');
    for (let back = 0; back < 3; back += 1) await panel.press('ArrowLeft');
    await panel.press('Enter');
    const { id, text } = await panel.posted('send');
    await panel.page.keyboard.type('And ');
    assert.equal(await panel.composer.inputValue(), 'Why is it wrong?And ');
    const taken = { kind: 'questionTaken', id, text } as const;
    // The keys come before the next frame.
    const left = await panel.composer.evaluate((field: HTMLTextAreaElement, data) => {
      window.dispatchEvent(new MessageEvent('message', { data }));
      for (const letter of 'now') {
        field.value += letter;
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      }
      return field.value;
    }, taken);
    assert.equal(left, 'And now');
    await panel.tell();
    assert.equal(await panel.composer.inputValue(), 'And now');
  });

  it('shows the queue in every state, at 300 px', async () => {
    const chip = {
      id: 'x',
      kind: 'pasted',
      path: 'src/a/long/way/down/to/the/cart.ts',
      uri: 'file:///cart.ts',
      range: { from: 12, to: 31 },
      languageId: 'typescript',
    } as const;
    const questions: QueueFacts['questions'] = [
      {
        id: '1',
        text: `A question that is far too long for its line ${'and on '.repeat(30)}`,
        attachments: [chip],
      },
      { id: '2', text: 'مرحبا بالعالم\nsecond line', attachments: [] },
      { id: '3', text: 'Gone', attachments: [], removed: true },
    ];
    const pauses: readonly (QueuePause | undefined)[] = [
      undefined,
      { kind: 'stopped' },
      { kind: 'reloaded' },
      { kind: 'problem', text: 'Set an API key first. What you typed is kept.' },
    ];
    for (const paused of pauses) {
      await panel.shows(conversation, panelState(), {
        queue: { questions, ...(paused !== undefined && { paused }) },
      });
      assert.equal(await panel.page.locator('.queued').count(), 3);
      assert.deepEqual(await faultsOf(panel.page), [], paused?.kind);
    }
    await panel.shows({ id: 'c', turns: [turn('a')] }, panelState(), { queue: { questions: [] } });
    assert.equal(await panel.page.locator('.queue').count(), 0);
  });

  it('takes one queued question into the composer at a time: what stands there is exchanged once', async () => {
    const questions = ['p', 'q'].map((id) => ({ id, text: `${id}?`, attachments: [] }));
    await panel.shows(conversation, panelState(), { queue: { questions }, draft: 'typed' });
    const edits = async (): Promise<readonly unknown[]> =>
      (await panel.posts()).filter(({ kind }) => kind === 'editQueued');
    for (const nth of [0, 1]) await panel.page.locator('.queue-edit').nth(nth).click();
    assert.deepEqual(await edits(), [{ kind: 'editQueued', question: 'p', draft: 'typed' }]);
    const queue = { questions: [{ ...questions[0]!, id: 'r', text: 'typed' }, questions[1]!] };
    await panel.tell({ kind: 'queue', conversation: 'c', queue });
    await panel.tell({ kind: 'draft', text: 'p?', instead: 'typed' });
    await panel.page.locator('.queue-edit').nth(1).click();
    assert.deepEqual((await edits()).at(-1), { kind: 'editQueued', question: 'q', draft: 'p?' });
  });

  it('hands a paste of a megabyte to the host and stays empty', async () => {
    await panel.shows(conversation);
    await panel.composer.focus();
    await panel.composer.evaluate((field) => {
      const data = new DataTransfer();
      data.setData('text/plain', 'let a = 1;\n'.repeat(95_000));
      data.setData('vscode-editor-data', '{"mode":"typescript"}');
      field.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    });
    const paste = await panel.posted('paste');
    assert.equal(paste.text.length, 1_045_000);
    assert.equal(paste.languageId, 'typescript');
    assert.equal(await panel.composer.inputValue(), '');
    await panel.composer.fill('ab');
    await panel.press('ArrowLeft');
    const attachments = [{ id: 'p', kind: 'pasted', path: 'p', uri: 'u', languageId: 'ts' } as const];
    await panel.tell({ kind: 'panel', panel: panelState({ attachments }) });
    await panel.tell({ kind: 'insertText', text: 'X\nY', attachment: 'p' });
    assert.deepEqual((await panel.posts()).slice(-2), [
      { kind: 'draftChanged', text: 'aX\nYb' },
      { kind: 'removeAttachment', attachment: 'p' },
    ]);
    assert.equal(await panel.composer.inputValue(), 'aX\nYb');
    assert.ok((await panel.focused()).includes('composer-text'));
  });

  it('selects all that stands in a field by itself, so that nothing selects it later', async () => {
    await panel.shows(conversation);
    await panel.page.evaluate(() => {
      // What VS Code hears keys with.
      window.addEventListener('keydown', ({ key }) => document.body.setAttribute('data-heard', key));
    });
    await panel.press('Control+f');
    for (const field of [panel.page.locator('.find-text'), panel.composer]) {
      await field.fill('before');
      await panel.press('End');
      assert.equal(await panel.page.locator('body').getAttribute('data-heard'), 'End');
      await panel.press('Control+a');
      assert.equal(await panel.page.locator('body').getAttribute('data-heard'), 'Control');
      await panel.page.keyboard.type('after');
      assert.equal(await field.inputValue(), 'after');
      await panel.press('Control+z');
    }
  });

  it('grows with its text up to a part of the panel, and then scrolls', async () => {
    await panel.shows(conversation);
    const heights: number[] = [];
    for (const lines of [1, 5, 200]) {
      await panel.composer.fill('line\n'.repeat(lines));
      heights.push((await panel.composer.boundingBox())?.height ?? 0);
    }
    const [one = 0, five = 0, many = 0] = heights;
    assert.ok(one < five && five < many && many <= 0.4 * 900 + 1, heights.join());
  });
});
