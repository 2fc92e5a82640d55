/** The composer as a person uses it: queue, recalled questions, the key that sends, pasted code, pickers by the keyboard, and what outlives the window. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { answer, gate, text } from '../simulator/main.ts';
import { useStage } from './support/stage.ts';

describe('the composer', () => {
  const stage = useStage({ open: { file: 'src/cart.ts', line: 12 } });

  const queued = (): ReturnType<typeof stage.chat.panel.locator> => stage.chat.panel.locator('.queued-text');

  /** Writes with an input method while an answer comes: its Enter sends nothing, and its Escape stops nothing. */
  async function composeOver(field: Locator): Promise<void> {
    const { bench, chat, simulator } = stage;
    const requests = simulator.requests.length;
    await field.click();
    // That the keys arrive as those of an input method is what makes it one.
    await field.evaluate((element) => {
      element.addEventListener('keydown', (event) => {
        const { key, isComposing } = event as KeyboardEvent;
        if (isComposing) element.dataset['keys'] = `${element.dataset['keys'] ?? ''} ${key}`;
      });
    });
    const ime = await bench.page.context().newCDPSession(bench.page);
    for (const key of ['Enter', 'Escape']) {
      await ime.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
      await bench.waitFor('the composition', async () => (await field.inputValue()) === 'にほん');
      await ime.send('Input.dispatchKeyEvent', {
        type: 'rawKeyDown',
        key,
        code: key,
        windowsVirtualKeyCode: 229,
        nativeVirtualKeyCode: 229,
      });
      if (key === 'Enter') await ime.send('Input.insertText', { text: '日本' });
      else await ime.send('Input.imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 });
      const left = key === 'Enter' ? '日本' : '';
      await bench.waitFor('what is left of it', async () => (await field.inputValue()) === left);
      await ime.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code: key, windowsVirtualKeyCode: 229 });
      await field.fill('');
    }
    await ime.detach();
    const keys = await field.evaluate((element) => element.dataset['keys']);
    assert.equal(keys, ' Enter Escape');
    // Still being answered, and nothing was asked or queued.
    await chat.stop.waitFor();
    assert.equal(simulator.requests.length, requests);
    assert.equal(await queued().count(), 0);
  }

  it('queues what is sent while an answer comes, and asks it afterwards', async () => {
    const { bench, chat, simulator } = stage;
    const { keyboard } = bench.page;
    simulator.reply(answer(text('One ', gate('one'), 'done.')));
    await chat.ask('First question');
    await simulator.reached('one');
    await composeOver(chat.question);
    await chat.ask('Second question');
    await queued().filter({ hasText: 'Second question' }).waitFor();
    await chat.ask('Third question');
    await queued().filter({ hasText: 'Third question' }).waitFor();
    // Who types on at once has only that left in the composer.
    await keyboard.type('Fourth question');
    await keyboard.press('Enter');
    await keyboard.type('typed on');
    await queued().filter({ hasText: 'Fourth question' }).waitFor();
    await bench.waitFor('the question to leave', async () => {
      return (await chat.question.inputValue()) === 'typed on';
    });
    await chat.question.fill('');
    await bench.screenshot('story-queue');

    // Taken out, back in, and out again, all without the mouse.
    await chat.button('Remove Fourth question').focus();
    await keyboard.press('Enter');
    await queued().filter({ hasText: 'Removed from the queue.' }).waitFor();
    await keyboard.press('Enter');
    await queued().filter({ hasText: 'Fourth question' }).waitFor();
    await keyboard.press('Enter');
    await queued().filter({ hasText: 'Removed from the queue.' }).waitFor();

    await chat.button('Edit Second question').press('Enter');
    await bench.waitFor('the question to be in the composer', async () => {
      return (await chat.question.inputValue()) === 'Second question';
    });
    await chat.hasCursor();
    await keyboard.type(', changed');
    await keyboard.press('Enter');
    await queued().filter({ hasText: 'Second question, changed' }).waitFor();
    assert.deepEqual(await queued().allInnerTexts(), ['Third question', 'Second question, changed']);

    simulator.reply(answer(text('Three.')), answer(text('Two.')));
    simulator.open('one');
    await chat.says(chat.answer, 'Two.');
    await chat.footer.waitFor();
    assert.equal(await chat.turns.count(), 3);
    assert.equal(await queued().count(), 0);
  });

  it('recalls what was asked with the arrow keys, and leaves what is written alone', async () => {
    const { bench, chat } = stage;
    const { keyboard } = bench.page;
    const shows = (value: string): Promise<void> =>
      bench.waitFor(
        `the composer to show ${value}`,
        async () => (await chat.question.inputValue()) === value,
      );
    await chat.goToComposer();
    await keyboard.press('ArrowUp');
    await shows('Second question, changed');
    await keyboard.press('ArrowUp');
    await shows('Fourth question');
    await keyboard.press('ArrowDown');
    await shows('Second question, changed');
    await keyboard.press('ArrowDown');
    await shows('');
    await keyboard.type('mine');
    await keyboard.press('Home');
    await keyboard.press('ArrowUp');
    assert.equal(await chat.question.inputValue(), 'mine');
    await chat.question.fill('');
  });

  it('sends with Ctrl+Enter when that is set, and breaks the line with Enter', async () => {
    const { bench, chat, simulator } = stage;
    const { keyboard } = bench.page;
    const set = (value: string | undefined): Promise<void> =>
      bench.inside(
        (vscode, key) =>
          vscode.workspace
            .getConfiguration()
            .update('kimiChat.sendKey', key, vscode.ConfigurationTarget.Global),
        value,
      );
    await set('modEnter');
    await chat.panel.locator('.composer-text[placeholder*="Enter"]').waitFor();
    await chat.write('one');
    await keyboard.press('Enter');
    await keyboard.type('two');
    assert.equal(await chat.question.inputValue(), 'one\ntwo');
    simulator.reply(answer(text('Both.')));
    await keyboard.press('ControlOrMeta+Enter');
    await chat.says(chat.answer, 'Both.');
    await chat.footer.waitFor();
    await set(undefined);
    await chat.panel.locator('.composer-text:not([placeholder*="Enter"])').waitFor();
  });

  it('makes a chip of code that was copied in an editor, and keeps it with the text over a reload', async () => {
    const { bench, chat, simulator } = stage;
    const { page } = bench;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await bench.selectLines('src/cart.ts', 22, 24);
    await page.keyboard.press('ControlOrMeta+C');
    await chat.goToComposer();
    await page.keyboard.press('ControlOrMeta+V');
    await chat.says(chat.chips, 'src/cart.ts:22-24');
    assert.equal(await chat.question.inputValue(), '');
    await page.keyboard.type('What is this?');
    await bench.screenshot('story-pasted');

    await bench.draftIsKept('What is this?');
    await bench.reload();
    await bench.openKimi();
    await chat.says(chat.chips, 'src/cart.ts:22-24');
    assert.equal(await chat.question.inputValue(), 'What is this?');

    // As text it is no longer attached.
    await chat.button('Insert src/cart.ts:22-24 as text').press('Enter');
    await bench.waitFor('the code in the composer', async () =>
      (await chat.question.inputValue()).includes('function'),
    );
    assert.equal(await chat.chips.count(), 0);
    await chat.question.fill('');
    // Lines that came back from the window before are asked about as ever.
    await page.keyboard.press('ControlOrMeta+V');
    await chat.chips.first().waitFor();
    simulator.reply(answer(text('The total.')));
    await page.keyboard.type('And this?');
    await page.keyboard.press('Enter');
    await chat.says(chat.answer, 'The total.');
    await chat.footer.waitFor();
    assert.match((await stage.request(0)).bodyText, /```typescript/);
  });

  it('has its pickers in reach of the keyboard, and tells what switching costs before it is done', async () => {
    const { bench, chat, simulator } = stage;
    const { keyboard } = bench.page;
    simulator.reply(answer(text('Long. '.repeat(400))));
    await chat.ask(`Something long: ${'word '.repeat(400)}`);
    await chat.footer.waitFor();
    await bench.runCommand('Kimi Chat: Choose Reasoning Effort');
    await bench.takesKeys(chat.effort);
    await chat.effort.selectOption('Max');
    const card = chat.panel.locator('.switch');
    await card.filter({ hasText: /instead of/ }).waitFor();
    await bench.screenshot('story-switch');
    assert.match(await card.innerText(), /loses the cache/);
    await keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    assert.equal(await chat.effort.inputValue(), 'high');
    await chat.effort.selectOption('Max');
    await card.getByRole('button', { name: 'Switch' }).press('Enter');
    await card.waitFor({ state: 'detached' });
    await bench.waitFor('the effort to be taken', async () => (await chat.effort.inputValue()) === 'max');
    await chat.says(chat.panel.locator('.hint'), /Max thinks longest/);
    await chat.effort.selectOption('High');
    await bench.runCommand('Kimi Chat: Choose Model');
    await bench.takesKeys(chat.model);
    const before = await chat.model.inputValue();
    await keyboard.press('ArrowDown');
    await card.filter({ hasText: /instead of/ }).waitFor();
    assert.match(await card.innerText(), /^Switching to K3\b.*loses the cache: about [\d.]+k? tokens/);
    assert.match(await card.innerText(), /costs about \$[\d.]+ instead of \$[\d.]+/);
    await keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    assert.equal(await chat.model.inputValue(), before);
  });
});
