/** The list of conversations in the real workbench: several go on at once, words of titles and texts find them, each can be named and deleted. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';

import { answer, gate, text } from '../simulator/main.ts';
import { lookAt } from './support/look.ts';
import { useStage } from './support/stage.ts';

describe('the list of conversations', () => {
  const stage = useStage({ settings: { 'kimiChat.titles': 'firstWords' } });

  const list = (): Locator => stage.bench.page.locator('.quick-input-widget');
  const input = (): Locator => list().locator('input.input');
  const rows = (): Locator => list().locator('.monaco-list-row:has(.label-name)');
  const row = (title: string): Locator => rows().filter({ hasText: title });
  const isCurrent = (title: string): Promise<void> =>
    list().locator('.monaco-list-row.focused', { hasText: title }).waitFor();
  const open = async (): Promise<void> => {
    await stage.bench.page.getByRole('button', { name: 'Conversations…' }).click();
    await input().click();
    await stage.bench.takesKeys(input());
  };
  const focused = (name: string): Promise<boolean> =>
    stage.bench.page.evaluate(
      (start) => document.activeElement?.getAttribute('aria-label')?.startsWith(start) === true,
      name,
    );
  const closed = (): Promise<void> => list().waitFor({ state: 'hidden' });

  it('shows what goes on in each, and leads to one that goes on', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(answer(text('The discount is applied ', gate('slow'), 'twice.')));
    await chat.ask('Why is the total of the cart wrong?');
    await simulator.reached('slow');
    await chat.startNew();
    simulator.reply(answer(text('Use a queue for the parcels.')));
    await chat.ask('How should orders be shipped?');
    await chat.says(chat.answer, 'Use a queue');
    await chat.footer.waitFor();
    await open();
    await row('Why is the total').getByText('answering').waitFor();
    await row('How should orders').getByText('shown').waitFor();
    await list().getByText('Today', { exact: true }).waitFor();
    for (const theme of ['light', 'highContrastDark', 'dark'] as const) {
      await bench.setTheme(theme);
      await bench.screenshot(`history-list-${theme}`);
    }
    await row('Why is the total').click();
    await closed();
    await chat.says(chat.answer, 'The discount is applied');
    simulator.open('slow');
    await chat.says(chat.answer, 'applied twice.');
    await chat.footer.waitFor();
  });

  it('finds words in titles at once, and then in what was answered', async () => {
    const { bench, chat } = stage;
    await open();
    await bench.page.keyboard.type('shipped');
    await row('How should orders').waitFor();
    await row('Why is the total').waitFor({ state: 'detached' });
    await input().fill('parcels queue');
    await row('How should orders').getByText('Use a queue for the parcels.').waitFor();
    await isCurrent('How should orders');
    await bench.screenshot('history-found');
    await bench.page.keyboard.press('Enter');
    await closed();
    await chat.says(chat.answer, 'Use a queue for the parcels.');
    await open();
    await bench.page.keyboard.type('no such words anywhere');
    await list().getByText('No conversation has these words').waitFor();
    await bench.page.keyboard.press('Escape');
    await closed();
  });

  it('opens what was typed, however soon Enter comes', async () => {
    const { bench, chat } = stage;
    for (const [words, said] of [
      ['wrong total', 'applied twice.'],
      ['shipped how', 'Use a queue'],
      ['cart why', 'applied twice.'],
      // In no title: the texts are looked through first.
      ['parcels queue', 'Use a queue'],
    ] as const) {
      await open();
      await bench.page.keyboard.type(words);
      await bench.page.keyboard.press('Enter');
      await closed();
      await chat.says(chat.answer, said);
    }
    // The order is VS Code's own while something is typed.
    await open();
    await bench.page.keyboard.type('o');
    await row('Why is the total').waitFor();
    await list().locator('.monaco-list-row.focused[data-index="0"]').waitFor();
    await bench.page.keyboard.press('Escape');
    await closed();
  });

  it('opens one in an editor tab of its own', async () => {
    const { bench, chat } = stage;
    await open();
    await bench.pressInRow(row('Why is the total'), 'Open in an editor tab');
    await closed();
    await chat.says(bench.tab.locator('.answer'), 'applied twice.');
    await bench.inside((vscode) => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
    await bench.tab.locator('body').waitFor({ state: 'detached' });
    assert.equal(await chat.turns.count(), 0, 'the side bar shows what it showed');
  });

  it('names one, and deletes one with a way back', async () => {
    const { bench, chat } = stage;
    await open();
    // By the keyboard alone: from the line to its buttons, and among them.
    await bench.page.keyboard.type('shipped');
    await row('Why is the total').waitFor({ state: 'detached' });
    await isCurrent('How should orders');
    await bench.waitFor('the first button', async () => {
      await bench.page.keyboard.press('Tab');
      return focused('Open in an editor tab');
    });
    await bench.page.keyboard.press('ArrowRight');
    await bench.waitFor('the next button', () => focused('Rename'));
    await bench.page.keyboard.press('Enter');
    await list().getByText('Rename conversation').waitFor();
    await input().fill('Shipping, and $(gear) parcels');
    await bench.page.keyboard.press('Enter');
    await list().getByText('Conversations', { exact: true }).waitFor();
    await input().fill('');
    await bench.pressInRow(row('Shipping, and $(gear) parcels'), 'Pin');
    await list().getByText('Pinned', { exact: true }).waitFor();
    await bench.screenshot('history-named');
    await bench.pressInRow(row('Why is the total'), 'Delete');
    await row('Why is the total').waitFor({ state: 'detached' });
    await bench.page.keyboard.press('Escape');
    await closed();
    const told = await bench.sees('was deleted');
    await bench.press(told.getByRole('button', { name: 'Undo' }));
    await bench.inside((vscode) => vscode.commands.executeCommand('notifications.clearAll'));
    await open();
    await row('Why is the total').click();
    await closed();
    await chat.says(chat.answer, 'applied twice.');
  });

  it('is begun in an empty panel by the last ones', async () => {
    const { bench, chat } = stage;
    const recent = chat.panel.getByRole('navigation', { name: 'Recent conversations' });
    await recent.getByRole('button').nth(2).waitFor();
    await bench.waitFor('both titles', async () => {
      const titles = (await recent.locator('.recent-title').allTextContents()).toSorted();
      return titles.join('\n') === 'Shipping, and $(gear) parcels\nWhy is the total of the cart wrong?';
    });
    await lookAt(stage, 'history-recent', [
      [300, ['light', 'dark']],
      [600, ['dark']],
    ]);
    await chat.press(recent.getByRole('button', { name: 'All conversations' }), () => list().isVisible());
    await bench.takesKeys(list());
    await bench.page.keyboard.press('Escape');
    await closed();
    await chat.press(recent.getByRole('button', { name: /^Why is the total/ }));
    await chat.says(chat.answer, 'applied twice.');
    await bench.runCommand('Kimi Chat: Delete Conversation');
    await chat.turns.first().waitFor({ state: 'detached' });
    await bench.isTold('The conversation was deleted.');
    await recent.getByRole('button', { name: /^Shipping/ }).waitFor();
    await recent.getByRole('button', { name: /^Why is/ }).waitFor({ state: 'detached' });
  });
});
