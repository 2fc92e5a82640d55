/** Files named behind `@`, dragged from the explorer and pasted as images, in the workbench: what the person sees, and what is sent. */
import assert from 'node:assert/strict';
import { answer, text } from '../simulator/main.ts';
import { useStage } from './support/stage.ts';

describe('naming files in the composer of the workbench', () => {
  const stage = useStage({ settings: { 'files.autoSave': 'off' } });

  it('attaches a file behind @ and sends it with the question', async () => {
    const { bench, chat, simulator } = stage;
    const { keyboard } = bench.page;
    const rows = chat.panel.locator('.completion-row');
    const row = (name: string) => rows.filter({ hasText: name }).first();
    await chat.question.click();
    await keyboard.type('Why does @monts', { delay: 20 });
    await row('money.ts').waitFor();
    await bench.screenshot('naming', bench.page.locator('.part.auxiliarybar'));
    await keyboard.press('Enter');
    await chat.says(chat.chips, 'src/money.ts');
    assert.equal(await chat.question.inputValue(), 'Why does @money.ts ');
    await keyboard.type('round? @sr', { delay: 20 });
    await row('src/').waitFor();
    while (
      (await chat.panel.locator('.completion-row[aria-selected=true]').innerText()).split('\n')[0] !== 'src/'
    )
      await keyboard.press('ArrowDown');
    await keyboard.press('Tab');
    await row('Names of its files').waitFor();
    await keyboard.press('Escape');
    assert.equal(await rows.count(), 0);
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type('Why does @money.ts round?');
    await keyboard.press('Escape');
    simulator.reply(answer(text('So.')));
    await keyboard.press('Enter');
    await chat.says(chat.answer, 'So.');
    const { body } = await stage.request(0);
    const [message] = (body['input'] as readonly { content: readonly { text: string }[] }[]).slice(-1);
    assert.match(message?.content[0]?.text ?? '', /^src\/money\.ts \(typescript\):/);
    assert.equal(message?.content.at(-1)?.text, 'Why does @money.ts round?');
  });

  it('attaches what is dragged from the explorer while Shift is held', async () => {
    const { bench, chat } = stage;
    const { page } = bench;
    await bench.inside((vscode) => vscode.commands.executeCommand('workbench.view.explorer'));
    const file = page.getByRole('treeitem', { name: /^package\.json/ }).first();
    await file.waitFor();
    const from = await file.boundingBox();
    const to = await chat.question.boundingBox();
    assert.ok(from && to);
    await page.mouse.move(from.x + 40, from.y + from.height / 2);
    await page.mouse.down();
    await page.keyboard.down('Shift');
    await page.mouse.move(from.x + 60, from.y + from.height / 2 + 4, { steps: 3 });
    await page.mouse.move(to.x + 20, to.y - 100, { steps: 8 });
    await page.mouse.move(to.x + 40, to.y + 8, { steps: 8 });
    await chat.panel.locator('.drop-zone').waitFor();
    await bench.screenshot('dropping', page.locator('.part.auxiliarybar'));
    await page.mouse.move(to.x + 44, to.y + 10, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await chat.says(chat.chips, 'package.json');
    assert.equal(await chat.panel.locator('.drop-zone').count(), 0);
  });
});
