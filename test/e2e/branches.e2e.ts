/** Going back to a turn, by the keyboard alone: edit and resend, versions beside one another, answer again, delete and undo, fork. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { answer, gate, text } from '../simulator/main.ts';
import { lookAt, type Pictures } from './support/look.ts';
import { useStage } from './support/stage.ts';

const pictures: Pictures = [
  [300, ['dark', 'highContrastLight']],
  [600, ['light']],
];

describe('going back to a turn', () => {
  const stage = useStage({ open: { file: 'src/cart.ts', line: 22 }, size: { width: 1440, height: 900 } });

  before('keep the first side bar out of the picture', async () => {
    await stage.bench.inside((vscode) =>
      vscode.commands.executeCommand('workbench.action.toggleSidebarVisibility'),
    );
  });

  /** Waits until keys go there. */
  const hasCursor = (element: Locator): Promise<void> => stage.bench.takesKeys(element);
  const keys = async (...all: readonly string[]): Promise<void> => {
    for (const key of all) await stage.bench.page.keyboard.press(key);
  };

  it('keeps what was there, and shows what each version took', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(
      answer(text('The loop stops early.')),
      answer(text('The loop stops one row early.')),
      answer(text('It is ', gate('long'), 'the loop.')),
    );
    await chat.ask('Why is the totl wrong?');
    await chat.says(chat.answer, 'The loop stops early.');

    const edit = chat.button('Edit the question');
    const field = chat.panel.getByRole('textbox', { name: 'Changed question' });
    await edit.press('Enter');
    await hasCursor(field);
    await keys('End', 'x', 'Escape');
    await hasCursor(edit);
    assert.match(await chat.says(chat.turn.locator('.question'), 'totl'), /wrong\?$/);
    await keys('Enter');
    await hasCursor(field);
    await keys('ControlOrMeta+a');
    await bench.page.keyboard.type('Why is the total wrong?');
    await chat.panel.locator('.forecast').waitFor();
    await lookAt(stage, 'branches-edit', pictures);
    await field.focus();
    await hasCursor(field);
    await keys('Enter');
    await chat.says(chat.answer, 'The loop stops one row early.');
    const place = chat.panel.locator('.versions-place');
    await chat.says(place, '2 of 2');

    await chat.button('Previous version').press('Enter');
    await chat.says(chat.answer, 'The loop stops early.');
    await chat.says(place, '1 of 2');
    await hasCursor(chat.button('Previous version'));
    await chat.button('Next version').press('Enter');
    await chat.says(place, '2 of 2');

    await chat.button('Answer again').press('Enter');
    const again = chat.panel.getByRole('group', { name: 'Answer again' });
    await hasCursor(again.getByRole('combobox', { name: 'Model' }));
    await keys('Escape');
    await hasCursor(chat.footer.getByRole('button', { name: 'Answer again' }));
    await keys('Enter');
    await again.getByRole('combobox', { name: 'Reasoning effort' }).selectOption('low');
    await again.locator('.forecast').waitFor();
    await lookAt(stage, 'branches-again', pictures);
    await again.getByRole('button', { name: 'Answer again' }).press('Enter');
    await simulator.reached('long');
    await chat.says(place, '3 of 3');
    const table = chat.panel.locator('.versions-table');
    await chat.button('Compare versions').press('Enter');
    await chat.says(table, 'answering');
    // It runs on while another version is looked at.
    await table.getByRole('button', { name: /^Show version 1/ }).press('Enter');
    await chat.says(chat.answer, 'The loop stops early.');
    simulator.open('long');
    await table.getByText('answering').waitFor({ state: 'detached' });
    const rows = table.locator('tbody');
    assert.equal(await rows.count(), 3);
    for (const row of await rows.all()) {
      const [time, input, cached, output, cost] = await row.locator('td').allInnerTexts();
      assert.match(time ?? '', /^[\d.]+\ss$/);
      for (const tokens of [input, cached, output]) assert.match(tokens ?? '', /^[\d.]+k?$/);
      for (const tokens of [input, output]) assert.notEqual(tokens, '0');
      assert.match(cost ?? '', /\d/);
    }
    await lookAt(stage, 'branches-versions', pictures);
    await table.getByRole('button', { name: /^Compare answers with version 3/ }).press('Enter');
    await bench.waitFor('the answers to be compared', () =>
      bench.inside(
        (vscode) =>
          vscode.window.tabGroups.activeTabGroup.activeTab?.label === 'Answers: version 3 ↔ version 1',
      ),
    );
    await bench.inside((vscode) => vscode.commands.executeCommand('workbench.action.closeActiveEditor'));
  });

  it('deletes a turn and has it back, and goes on in a conversation of its own', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(answer(text('The loop stops early.')), answer(text('Twice.')), answer(text('Never.')));
    await chat.ask('Why is the total wrong?');
    await chat.says(chat.answer, 'The loop stops early.');
    await chat.ask('And the coupon?');
    await chat.says(chat.answer, 'Twice.');

    const first = chat.turns.first();
    const more = first.getByRole('button', { name: 'More actions' });
    const menu = first.getByRole('menu');
    await more.press('ArrowDown');
    await hasCursor(menu.getByRole('menuitem').first());
    await lookAt(stage, 'branches-menu', [[300, ['dark', 'light', 'highContrastDark']]]);
    await menu.getByRole('menuitem').first().focus();
    await hasCursor(menu.getByRole('menuitem').first());
    await keys('Escape');
    await hasCursor(more);
    await keys('ArrowUp');
    await hasCursor(menu.getByRole('menuitem').last());
    await keys('Enter');
    await chat.says(first, 'Question deleted');
    const undo = first.getByRole('button', { name: 'Undo' });
    await hasCursor(undo);
    await chat.ask('What now?');
    await chat.says(chat.answer, 'Never.');
    assert.doesNotMatch(JSON.stringify((await stage.request(2)).body['input']), /total wrong/);
    await lookAt(stage, 'branches-deleted', [[300, ['dark']]]);
    await undo.press('Enter');
    await chat.says(first, 'The loop stops early.');
    await hasCursor(more);

    await keys('Enter', 'f', 'Enter');
    await bench.waitFor('the fork', async () => (await chat.turns.count()) === 1);
    await chat.hasCursor();
    await more.press('Enter');
    await menu.getByRole('menuitem', { name: 'Copy conversation as Markdown' }).press('Enter');
    const clipboard = (): Promise<string> => bench.inside((vscode) => vscode.env.clipboard.readText());
    await bench.waitFor('the conversation in the clipboard', async () =>
      (await clipboard()).startsWith('# '),
    );
    const copied = await clipboard();
    assert.match(copied, /^# Kimi Chat\n\n## Question\n\nWhy is the total wrong\?/);
    assert.doesNotMatch(copied, /coupon/);
  });
});
