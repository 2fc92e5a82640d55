/** The panel may be thrown away at any moment: hidden, reloaded, moved. It comes back with everything, and nothing twice. */
import assert from 'node:assert/strict';
import { answer, applyPatch, gate, reasoning, text, vary } from '../simulator/main.ts';
import { useStage } from './support/stage.ts';

describe('a panel that is thrown away', () => {
  const stage = useStage({ open: { file: 'src/cart.ts', line: 22 } });

  const mark = 'data-of-an-earlier-page';

  /** Has the present page thrown away by `act`, and checks that it really was. */
  async function throwAway(act: () => Promise<void>): Promise<void> {
    const { panel } = stage.bench;
    await panel.locator('body').evaluate((body, name) => body.setAttribute(name, ''), mark);
    await act();
    await panel.locator(`body:not([${mark}]) .composer`).waitFor();
  }

  const runCommand = (command: string): Promise<void> =>
    stage.bench.inside((vscode, id) => vscode.commands.executeCommand(id), command);
  const reloadWebviews = (): Promise<void> => runCommand('workbench.action.webview.reloadWebviewAction');

  async function toggleSideBar(shown: boolean): Promise<void> {
    const { bench } = stage;
    const { page } = bench;
    const bar = page.locator('.part.auxiliarybar');
    // While the focus changes hands a key is lost.
    await bench.waitFor(`the side bar to be ${shown ? 'shown' : 'hidden'}`, async () => {
      if ((await bar.isVisible()) === shown) return true;
      await page.keyboard.press('ControlOrMeta+Alt+B');
      return bar.waitFor({ state: shown ? 'visible' : 'hidden', timeout: 5000 }).then(
        () => true,
        () => false,
      );
    });
  }

  it('shows what came while it was hidden, in the middle of an answer, with what was being written', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(
      answer(
        reasoning('The loop stops early.', ['Then the coupon ', gate('thinking'), 'counts twice.']),
        text('Two mistakes: ', gate('answering'), 'the loop ', gate('shown again'), 'and the coupon.'),
      ),
    );
    await chat.ask('Why is the total wrong?');
    await simulator.reached('thinking');
    await chat.says(chat.reasoning, 'Then the coupon');
    await bench.selectLines('src/cart.ts', 22, 28);
    await runCommand('kimiChat.askAboutSelection');
    await chat.says(chat.chips, 'src/cart.ts:22-28');
    await chat.write('And what about ');

    await throwAway(async () => {
      await bench.page.keyboard.type('shipping?');
      await toggleSideBar(false);
      simulator.open('thinking');
      await simulator.reached('answering');
      simulator.open('answering');
      await simulator.reached('shown again');
      await toggleSideBar(true);
    });
    await chat.says(chat.answer, 'Two mistakes: the loop');
    await bench.screenshot('story-reload');
    await chat.holds('And what about shipping?');
    assert.deepEqual(await chat.chips.locator('.chip-label').allTextContents(), ['src/cart.ts:22-28']);
    simulator.open('shown again');
    await chat.footer.waitFor();
    assert.equal(await chat.turns.count(), 1);
    assert.deepEqual(await chat.answer.allInnerTexts(), ['Two mistakes: the loop and the coupon.']);
    await chat.reasoning.getByRole('button').press('Enter');
    assert.deepEqual(await chat.reasoning.locator('p').allInnerTexts(), [
      'The loop stops early.',
      'Then the coupon counts twice.',
    ]);

    // What was being written can be sent, once and with its chip.
    simulator.reply(answer(text('Shipping is right.')));
    await chat.question.press('Enter');
    await chat.says(chat.answer, 'Shipping is right.');
    assert.match((await stage.request(1)).bodyText, /src\/cart\.ts, lines 22-28.*And what about shipping\?/);
    assert.equal(await chat.turns.count(), 2);
    assert.equal(await chat.question.inputValue(), '');
  });

  it('comes back from "Developer: Reload Webviews" in the middle of the reasoning, which stays open', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(answer(reasoning(['Let me ', gate('thinking'), 'see.']), text('I see.')));
    await chat.ask('Look');
    await simulator.reached('thinking');
    await chat.says(chat.reasoning, 'Let me');
    await throwAway(() => bench.runCommand('Developer: Reload Webviews'));
    await chat.says(chat.reasoning, 'Let me');
    assert.equal(await chat.reasoning.getByRole('button').getAttribute('aria-expanded'), 'true');
    simulator.open('thinking');
    await chat.says(chat.answer, 'I see.');
    await chat.footer.waitFor();
    assert.equal(await chat.turns.count(), 1);
  });

  it('loses and doubles nothing, however often it is reloaded while an answer streams', async () => {
    const { chat, simulator } = stage;
    const words = Array.from({ length: 400 }, (_, index) => `word${index}`).join(' ');
    simulator.reply(vary(answer(text(words)), { deltas: 1, pace: { tokensPerSecond: 250 } }));
    await chat.ask('Many words, please');
    for (const seen of ['word10', 'word60', 'word110']) {
      await chat.says(chat.answer, new RegExp(`\\b${seen}\\b`));
      await throwAway(reloadWebviews);
    }
    await chat.footer.waitFor();
    assert.equal(await chat.answer.innerText(), words);
  });

  it('moves to the other side bar in the middle of an answer, and back', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(answer(text('Here ', gate('here'), 'and there ', gate('there'), 'and back.')));
    await chat.ask('Where are you?');
    await simulator.reached('here');
    await chat.says(chat.answer, 'Here');
    await bench.selectLines('src/cart.ts', 22, 28);
    await runCommand('kimiChat.askAboutSelection');
    await chat.says(chat.chips, 'src/cart.ts:22-28');
    await chat.write('And where is this?');
    const isKept = async (): Promise<void> => {
      await chat.says(chat.chips, 'src/cart.ts:22-28');
      await chat.holds('And where is this?');
      assert.equal(await chat.chips.count(), 1);
    };
    const move = (destinationId: string): Promise<void> =>
      bench.inside(
        (vscode, to) =>
          vscode.commands.executeCommand('vscode.moveViews', {
            viewIds: ['kimiChat.chat'],
            destinationId: to,
          }),
        destinationId,
      );
    await throwAway(async () => {
      await move('workbench.view.explorer');
      await runCommand('kimiChat.chat.focus');
    });
    simulator.open('here');
    await simulator.reached('there');
    await chat.says(chat.answer, 'Here and there');
    await isKept();
    await throwAway(async () => {
      await move('workbench.view.extension.kimiChat');
      await runCommand('kimiChat.chat.focus');
    });
    simulator.open('there');
    await chat.footer.waitFor();
    assert.deepEqual(await chat.answer.allInnerTexts(), ['Here and there and back.']);
    await isKept();
    await chat.question.fill('');
    await chat.button('Remove src/cart.ts:22-28').press('Enter');
    await chat.chips.waitFor({ state: 'detached' });
    await bench.page.locator('.part.auxiliarybar').getByRole('tab', { name: 'Kimi Chat' }).waitFor();
  });

  it('still has the patch that waits for a decision, and it can be decided', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(
      answer(
        applyPatch(
          '*** Begin Patch\n*** Update File: src/cart.ts\n@@\n-/** What the customer pays. */\n+/** What is paid. */\n*** End Patch\n',
        ),
      ),
      answer(text('Done.')),
    );
    await chat.ask('Shorten the comment');
    await bench.waitFor('the diff to open', async () => (await bench.diff()) !== undefined);
    await throwAway(async () => {
      await toggleSideBar(false);
      await toggleSideBar(true);
    });
    await chat.says(chat.patch, 'Patch for 1 file');
    assert.notEqual(await bench.diff(), undefined, 'the diff is still there');
    await chat.press(chat.patch.getByRole('button', { name: 'Accept' }));
    await chat.says(chat.answer, 'Done.');
    assert.match((await bench.onDisk('src/cart.ts')) ?? '', /^\/\*\* What is paid\. \*\/$/m);
    await throwAway(reloadWebviews);
    await chat.says(chat.patch, 'Applied to 1 file');
  });

  it('lets an answer go on in its conversation while another one is begun, and shows it again', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(answer(text('This takes ', gate('long'), 'long.')), answer(text('This does not.')));
    await chat.ask('A long question');
    await simulator.reached('long');
    await bench.page.getByRole('button', { name: 'New Chat' }).click();
    await chat.turns.first().waitFor({ state: 'detached' });
    await chat.ask('A short question');
    await chat.says(chat.answer, 'This does not.');
    simulator.open('long');
    await bench.page.getByRole('button', { name: 'Conversations…' }).click();
    await bench.page.locator('.quick-input-list').getByText('A long question').click();
    await chat.says(chat.answer, 'This takes long.');
    assert.equal(await chat.turns.count(), 1);
  });
});
