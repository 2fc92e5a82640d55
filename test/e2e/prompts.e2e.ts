/** Slash commands, prompt files and standing instructions in the workbench, with real keys: shown before they are sent, taken off, put back. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { answer, text } from '../simulator/main.ts';
import { newRepository } from '../support/gitIn.ts';
import { lookAt } from './support/look.ts';
import { useStage } from './support/stage.ts';

describe('what goes along with a question', () => {
  const stage = useStage({ open: { file: 'src/cart.ts' }, size: { width: 1440, height: 900 } });

  before('write instructions and a prompt', async () => {
    const { folder } = stage.bench;
    await stage.bench.watchesFiles();
    await mkdir(path.join(folder, '.github/prompts'), { recursive: true });
    await writeFile(
      path.join(folder, '.github/prompts/greet.prompt.md'),
      '---\ndescription: Greets somebody\ntools: [search]\n---\nGreet ${input:who:Whom to greet}.\n',
    );
    await writeFile(path.join(folder, 'AGENTS.md'), 'Count money in cents.\n');
  });

  const along = (name: string): ReturnType<typeof stage.chat.panel.locator> =>
    stage.chat.panel.locator('.along-chips .chip', { hasText: name });

  it('is shown while a command is typed, and is what is sent', async () => {
    const { bench, chat, simulator } = stage;
    await along('AGENTS.md').waitFor();
    await chat.goToComposer();
    await bench.page.keyboard.type('/expl');
    await chat.panel.getByRole('option', { name: /\/explain/, selected: true }).waitFor();
    await bench.page.keyboard.press('Enter');
    await bench.page.keyboard.type('the total');
    await along('/explain').waitFor();
    await along('cart.ts').waitFor();
    await chat.holds('/explain the total');
    await lookAt(stage, 'goes-along', [
      [300, ['dark', 'light', 'highContrastDark']],
      [600, ['dark']],
    ]);
    simulator.reply(answer(text('It adds up.')));
    await chat.goToComposer();
    await bench.page.keyboard.press('Enter');
    await chat.says(chat.answer, 'It adds up.');
    const { bodyText } = await stage.request(0);
    assert.match(bodyText, /Count money in cents\./);
    assert.match(bodyText, /Explain the attached code/);
    assert.match(bodyText, /src\/cart\.ts/);
    await chat.panel.locator('.along-chips').waitFor({ state: 'detached' });
    assert.match(await chat.turn.locator('.question-text').innerText(), /^\/explain the total$/);
    // The chip opens what was sent.
    await chat.turn.locator('.chip-open', { hasText: '/explain' }).click();
    await bench.waitFor('the prompt to be shown', () =>
      bench.inside(
        (vscode) =>
          vscode.window.activeTextEditor?.document.getText().startsWith('Explain the attached code') === true,
      ),
    );
  });

  it('is told again when it changed, and can be left out and put back by the keyboard', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(answer(text('One.')));
    await along('AGENTS.md').waitFor();
    await chat.ask('One?');
    await chat.says(chat.answer, 'One.');
    await writeFile(path.join(bench.folder, 'AGENTS.md'), 'Count money in euros.\n');
    await along('(changed)').waitFor();
    await chat.goToComposer();
    await bench.page.keyboard.press('Shift+Tab');
    await bench.page.keyboard.press('Enter');
    const back = chat.panel.getByRole('button', { name: 'Put back AGENTS.md' });
    await back.waitFor();
    // The cursor is not lost with the chip.
    await chat.hasCursor();
    await bench.page.keyboard.press('Shift+Tab');
    assert.ok(await back.evaluate((button) => button === button.ownerDocument.activeElement));
    await bench.page.keyboard.press('Enter');
    await along('(changed)').waitFor();
    await chat.hasCursor();
    simulator.reply(answer(text('Two.')));
    await bench.page.keyboard.type('Two?');
    await bench.page.keyboard.press('Enter');
    await chat.says(chat.answer, 'Two.');
    assert.match((await stage.request(1)).bodyText, /in the place of the earlier ones.*Count money in euros/);
  });

  it('asks for what a prompt file wants to know, and sends nothing when that is called off', async () => {
    const { bench, chat, simulator } = stage;
    await chat.goToComposer();
    await bench.page.keyboard.type('/greet');
    await along('greet.prompt.md').waitFor();
    await chat.says(chat.panel.locator('.along-note'), 'this is not used here: tools');
    const input = bench.page.locator('.quick-input-widget input.input');
    const send = async (): Promise<void> => {
      // What was typed is a whole name: the first key may only close the list.
      await chat.goToComposer();
      await bench.pressKey('Enter', () => input.isVisible());
      await input.click();
      await bench.takesKeys(input);
    };
    await send();
    await chat.says(bench.page.locator('.quick-input-widget'), 'Whom to greet');
    await input.press('Escape');
    await input.waitFor({ state: 'hidden' });
    assert.equal((await chat.question.inputValue()).trim(), '/greet');
    simulator.reply(answer(text('Hello, Ada.')));
    await send();
    await input.fill('Ada');
    await input.press('Enter');
    await chat.says(chat.answer, 'Hello, Ada.');
    assert.match((await stage.request(0)).bodyText, /Greet Ada\./);
  });

  it('is what will be committed, and the answer goes into the source control', async () => {
    const { bench, chat, simulator } = stage;
    newRepository(stage.bench.folder);
    await writeFile(path.join(bench.folder, 'src/money.ts'), 'export const cents = 100;\n');
    const root = path.join(bench.folder);
    interface Git {
      getAPI(version: 1): {
        readonly repositories: readonly { readonly inputBox: { value: string } }[];
        openRepository(root: unknown): Promise<unknown>;
      };
    }
    await bench.inside(async (vscode, at) => {
      const extension = vscode.extensions.getExtension<Git>('vscode.git');
      await (await extension?.activate())?.getAPI(1).openRepository(vscode.Uri.file(at));
    }, root);
    await chat.goToComposer();
    await bench.page.keyboard.type('/commit ');
    await along('Changes not staged').waitFor();
    simulator.reply(answer(text('```\nCount in cents\n```')));
    await bench.page.keyboard.press('Enter');
    await chat.says(chat.answer, 'Count in cents');
    assert.match((await stage.request(0)).bodyText, /\+export const cents = 100;/);
    await chat.button('Use as commit message').press('Enter');
    await bench.waitFor('the message to be there', () =>
      bench.inside(async (vscode) => {
        const extension = vscode.extensions.getExtension<Git>('vscode.git');
        const [repository] = (await extension?.activate())?.getAPI(1).repositories ?? [];
        return repository?.inputBox.value === 'Count in cents';
      }),
    );
  });
});
