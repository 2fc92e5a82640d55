/** Files named behind `@`, dragged from the explorer and pasted as images, in the workbench: what the person sees, and what is sent. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { answer, text } from '../simulator/main.ts';
import { newRepository } from '../support/gitIn.ts';
import { useStage } from './support/stage.ts';

describe('naming files in the composer of the workbench', () => {
  const stage = useStage({ builtIn: 'all', settings: { 'files.autoSave': 'off' } });

  it('attaches a file behind @ and sends it with the question', async () => {
    const { bench, chat, simulator } = stage;
    const { keyboard } = bench.page;
    const rows = chat.panel.locator('.completion-row');
    const chosen = chat.panel.locator('.completion-row[aria-selected=true]');
    const row = (name: string) => rows.filter({ hasText: name }).first();
    await chat.goToComposer();
    await keyboard.type('Why does @monts', { delay: 20 });
    await chosen.filter({ hasText: 'money.ts' }).waitFor();
    await bench.screenshot('naming', bench.page.locator('.part.auxiliarybar'));
    await keyboard.press('Enter');
    await chat.says(chat.chips, 'src/money.ts');
    await chat.holds('Why does @money.ts ');
    await keyboard.type('round? @sr', { delay: 20 });
    await row('src/').waitFor();
    while ((await chosen.innerText()).split('\n')[0] !== 'src/') await keyboard.press('ArrowDown');
    await keyboard.press('Tab');
    await row('Names of its files').waitFor();
    await keyboard.press('Escape');
    await rows.first().waitFor({ state: 'detached' });
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
    // A page notices only what moves once it is ready for it.
    const zone = chat.panel.locator('.drop-zone');
    await bench.waitFor('the place to drop it', async () => {
      for (const aside of [40, 42]) await page.mouse.move(to.x + aside, to.y + 8, { steps: 4 });
      return zone.isVisible();
    });
    await bench.screenshot('dropping', page.locator('.part.auxiliarybar'));
    await page.mouse.move(to.x + 44, to.y + 10, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await chat.says(chat.chips, 'package.json');
    await zone.waitFor({ state: 'detached' });
  });

  it('attaches an image that is pasted, and sends it as one', async () => {
    const { bench, chat, simulator } = stage;
    const { page } = bench;
    await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(40, 20);
      canvas.getContext('2d')?.fillRect(0, 0, 40, 20);
      const picture = await canvas.convertToBlob({ type: 'image/png' });
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
    });
    await chat.goToComposer();
    await page.keyboard.press('ControlOrMeta+V');
    await chat.says(chat.chips, /image/);
    assert.equal(await chat.question.inputValue(), '');
    await bench.screenshot('pasted-image', page.locator('.part.auxiliarybar'));
    await page.keyboard.type('What is this?');
    simulator.reply(answer(text('A box.')));
    await page.keyboard.press('Enter');
    await chat.says(chat.answer, 'A box.');
    const { body } = await stage.request(0);
    const [message] = (body['input'] as readonly { content: readonly { image_url?: string }[] }[]).slice(-1);
    const images = message?.content.flatMap(({ image_url: url }) => (url === undefined ? [] : [url])) ?? [];
    assert.equal(images.length, 1);
    assert.match(images[0] ?? '', /^data:image\/png;base64,iVBORw0KGgo/);
  });

  it('attaches a symbol, problems and changes behind @', async () => {
    const { bench, chat, simulator } = stage;
    const { keyboard } = bench.page;
    newRepository(bench.folder);
    await writeFile(path.join(bench.folder, 'src/cart.ts'), '// changed\n');
    const money = path.join(bench.folder, 'src/money.ts');
    await bench.inside(
      async (vscode, [folder, file]) => {
        const git = await vscode.extensions
          .getExtension<{
            getAPI(version: 1): { openRepository(root: unknown): Promise<unknown> };
          }>('vscode.git')
          ?.activate();
        await git?.getAPI(1).openRepository(vscode.Uri.file(folder));
        const wrong = new vscode.Diagnostic(new vscode.Range(5, 0, 5, 10), 'This rounds the wrong way.');
        vscode.languages.createDiagnosticCollection('e2e').set(vscode.Uri.file(file), [wrong]);
      },
      [bench.folder, money] as const,
    );
    await bench.openFile('src/money.ts', 6);
    await chat.goToComposer();
    const take = async (typed: string, kind: string, count: number): Promise<void> => {
      const chosen = chat.panel.locator('.completion-row[aria-selected=true]');
      // Languages tell of symbols once they have read the file.
      await bench.waitFor(`${typed} in the list`, async () => {
        await chat.question.fill('');
        await keyboard.type(typed, { delay: 20 });
        await chosen
          .filter({ hasText: kind })
          .waitFor({ timeout: 3_000 })
          .catch(() => undefined);
        return (await chosen.filter({ hasText: kind }).count()) === 1;
      });
      await keyboard.press('Enter');
      await bench.waitFor(`${count} chips`, async () => (await chat.chips.count()) === count);
    };
    await take('@#taxWithin', 'taxWithin', 1);
    await take('@problems', 'In money.ts: 1', 2);
    await take('@diff', 'Changes that are not staged', 3);
    await chat.question.fill('Good?');
    simulator.reply(answer(text('So.')));
    await keyboard.press('Enter');
    await chat.says(chat.answer, 'So.');
    const { body } = await stage.request(0);
    const [message] = (body['input'] as readonly { content: readonly { text: string }[] }[]).slice(-1);
    const [symbol, problems, changes] = message?.content.map((part) => part.text) ?? [];
    assert.match(symbol ?? '', /^src\/money\.ts, lines \d+-\d+, symbol taxWithin /);
    assert.match(problems ?? '', /\nsrc\/money\.ts:6:1 error: This rounds the wrong way\.\n/);
    assert.match(changes ?? '', /^Changes in the working tree[^]*\n\+\/\/ changed\n/);
  });
});
