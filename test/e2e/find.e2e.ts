/** Find in the conversation, in the workbench with its keys. */
import assert from 'node:assert/strict';
import { answer, gate, reasoning, text } from '../simulator/script.ts';
import { useStage } from './support/stage.ts';

describe('find', () => {
  const stage = useStage();

  it('opens with the key of the workbench, counts, goes through matches also in folds, and gives the cursor back', async () => {
    const { bench, simulator, chat } = stage;
    const { keyboard } = bench.page;
    simulator.reply(
      answer(reasoning('The needle of a thought.'), text('A needle in the answer, and another needle.')),
    );
    await chat.ask('Where is the needle?');
    await chat.footer.waitFor();
    assert.equal(await chat.reasoning.locator('.fold-body').isVisible(), false);

    // With a file open, the editor has a find as well.
    await bench.openFile('src/cart.ts');
    await chat.goToComposer();
    await keyboard.press('ControlOrMeta+f');
    const field = chat.panel.getByRole('textbox', { name: 'Find' });
    await bench.takesKeys(field);
    await keyboard.type('NEEDLE');
    const count = chat.panel.locator('.find-count');
    await count.filter({ hasText: '1 of 4' }).waitFor();
    await keyboard.press('Enter');
    await count.filter({ hasText: '2 of 4' }).waitFor();
    await chat.reasoning.locator('.fold-body').waitFor();
    await keyboard.press('F3');
    await count.filter({ hasText: '3 of 4' }).waitFor();
    await keyboard.press('Shift+Enter');
    await count.filter({ hasText: '2 of 4' }).waitFor();
    // Once more while it is open: what is typed goes on where it was.
    await keyboard.press('ControlOrMeta+f');
    await keyboard.press('End');
    await keyboard.type('S');
    await count.filter({ hasText: 'No results' }).waitFor();
    await keyboard.press('Backspace');
    await count.filter({ hasText: 'of 4' }).waitFor();
    // No find of VS Code's own came up beside it.
    assert.equal(await bench.page.locator('.simple-find-part.visible, .find-widget.visible').count(), 0);
    await keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await chat.hasCursor();
  });

  it('counts on while an answer streams', async () => {
    const { bench, simulator, chat } = stage;
    simulator.reply(answer(text('needle '.repeat(20), gate('more'), 'needle '.repeat(280))));
    await chat.ask('Many?');
    await chat.answer.filter({ hasText: 'needle' }).waitFor();
    await chat.goToComposer();
    await bench.page.keyboard.press('ControlOrMeta+f');
    await chat.panel.getByRole('textbox', { name: 'Find' }).fill('needle');
    const count = chat.panel.locator('.find-count');
    await count.filter({ hasText: /^1 of 20$/ }).waitFor();
    simulator.open('more');
    await count.filter({ hasText: 'of 300' }).waitFor();
    await bench.page.keyboard.press('Escape');
    await chat.footer.waitFor();
  });
});
