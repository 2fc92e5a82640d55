/** A conversation in several places at once: in the side bar and an editor tab, and in two windows. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';

import { answer, gate, text } from '../simulator/main.ts';
import { Chat } from './support/chat.ts';
import { useStage } from './support/stage.ts';

/** What stands at the top of a conversation, and how far above the top it begins, in pixels. */
async function topOf(transcript: Locator): Promise<{ readonly turn: string; readonly above: number }> {
  return await transcript.evaluate((scroller) => {
    const { top } = scroller.getBoundingClientRect();
    const turn = [...scroller.querySelectorAll<HTMLElement>('[data-turn]')].find(
      (element) => element.getBoundingClientRect().bottom > top + 1,
    );
    return {
      turn: turn?.dataset['turn'] ?? '',
      above: turn === undefined ? 0 : Math.round(top - turn.getBoundingClientRect().top),
    };
  });
}

describe('a conversation in several places', () => {
  const stage = useStage();

  it('goes on in an editor tab and the side bar alike, each with its own draft, and comes back where it was read', async () => {
    const { bench, simulator } = stage;
    const { panelBesideTab, tab } = bench;
    const chat = new Chat(bench, panelBesideTab);
    const long = (name: string): string =>
      `${name} first.\n\n${`${name} goes on and on. `.repeat(250)}\n\n${name} last.`;
    simulator.reply(answer(text(long('One'))), answer(text(long('Two'))));
    await chat.ask('Is the total right?');
    await chat.footer.waitFor();
    await bench.runCommand('Kimi Chat: Open Conversation in an Editor Tab');
    await bench.waitFor('the tab', async () => (await tab.locator('.answer').count()) === 1);
    await chat.says(tab.locator('.answer'), 'One last.');
    await bench.waitFor('the tab to have the name', async () => {
      return (await bench.tabs()).map(({ label }) => label).join() === 'Is the total right?';
    });
    await chat.write('For the side bar');
    const field = tab.locator('.composer-text');
    await field.click();
    await bench.takesKeys(field);
    await field.fill('And the tax?');
    await field.press('Enter');
    await chat.says(tab.locator('.answer').last(), 'Two last.');
    await chat.says(chat.answer, 'Two last.');
    await tab.locator('article.turn').last().locator('.footer').waitFor();
    assert.equal(await field.inputValue(), '');
    assert.equal(await chat.question.inputValue(), 'For the side bar');
    await field.fill('For the tab');
    await bench.draftIsKept('For the side bar');
    await bench.draftIsKept('For the tab');
    const side = chat.panel.locator('.transcript');
    await bench.wheel(side, -900, () => chat.button('Jump to latest').isVisible());
    const sideBefore = await topOf(side);
    assert.ok(sideBefore.above > 0);
    const transcript = tab.locator('.transcript');
    await bench.wheel(transcript, -500, () =>
      tab.getByRole('button', { name: 'Jump to latest' }).isVisible(),
    );
    const before = await topOf(transcript);
    assert.ok(before.above > 0);
    await bench.screenshot('panels-tab');

    const isBack = async (): Promise<boolean> => {
      const now = await topOf(transcript);
      return now.turn === before.turn && Math.abs(now.above - before.above) <= 3;
    };
    // Another tab in front of it, and back.
    await bench.openFile('report.py');
    await bench.inside((vscode) => vscode.commands.executeCommand('workbench.action.previousEditor'));
    await bench.waitFor('the tab to be in front again', () =>
      bench.inside(
        (vscode) => vscode.window.tabGroups.activeTabGroup.activeTab?.label === 'Is the total right?',
      ),
    );
    await bench.waitFor('the tab to be where it was', isBack);
    await bench.reload();
    await field.waitFor();
    await bench.waitFor('the tab to be where it was after the reload', isBack);
    await bench.screenshot('panels-reloaded');
    assert.equal(await field.inputValue(), 'For the tab');
    assert.ok((await bench.tabs()).some(({ label, active }) => label === 'Is the total right?' && active));
    await bench.openKimi(panelBesideTab);
    await chat.says(chat.answer, 'Two last.');
    assert.equal(await chat.question.inputValue(), 'For the side bar');
    await bench.waitFor('the side bar to be where it was', async () => {
      const now = await topOf(side);
      return now.turn === sideBefore.turn && Math.abs(now.above - sideBefore.above) <= 3;
    });
    await chat.question.fill('');
    await field.fill('');
    await bench.inside((vscode) => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
  });

  it('is written in one window and kept up with in another, which takes over when that is closed', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(answer(text('Four.')), answer(text('The sum ', gate('half'), 'is eight.')));
    await chat.ask('Two and two?');
    await chat.footer.waitFor();
    const other = await bench.another();
    const { panel } = other;
    const link = panel.getByRole('button', { name: /^Two and two/ });
    await bench.waitFor('the conversation to be listed', async () => (await link.count()) === 1, 30_000);
    await link.click();
    const elsewhere = panel.locator('.notice.elsewhere');
    await elsewhere.waitFor();
    await chat.says(panel.locator('.answer').last(), 'Four.');

    await chat.ask('Twice that?');
    await simulator.reached('half');
    await chat.says(panel.locator('.answer').last(), 'The sum');
    const field = panel.locator('.composer-text');
    await field.fill('Me too?');
    await field.press('Enter');
    await panel.locator('.hint').getByText('Continue in a copy').waitFor();
    for (const name of ['Stop', 'Queue'])
      assert.equal(await panel.getByRole('button', { name, exact: true }).isDisabled(), true);
    assert.equal(await field.inputValue(), 'Me too?');
    simulator.open('half');
    await chat.says(panel.locator('.answer').last(), 'The sum is eight.');
    await chat.footer.waitFor();

    // Whoever has it there lets go.
    await bench.page.goto('about:blank');
    await elsewhere.waitFor({ state: 'detached' });
    simulator.reply(answer(text('Sixteen.')));
    await field.press('Enter');
    await chat.says(panel.locator('.answer').last(), 'Sixteen.');
    await panel.locator('article.turn').last().locator('.footer').waitFor();
    assert.equal(await panel.locator('article.turn').count(), 3);
    const sent = (await simulator.request(simulator.requests.length - 1)).bodyText;
    assert.match(sent, /Two and two\?.*Four\..*Twice that\?.*The sum is eight\..*Me too\?/);
    assert.deepEqual(other.consoleErrors, []);
    await other.page.close();
  });
});
