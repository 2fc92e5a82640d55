/** A command that the model wants to run, in the workbench: refused, allowed once and for good, and taken back again. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { answer, functionCall, text } from '../simulator/main.ts';
import { useStage } from './support/stage.ts';

describe('a command of the model', () => {
  const stage = useStage({ open: { file: 'src/cart.ts' } });

  function wants(command: string): void {
    stage.simulator.reply(answer(functionCall('run_command', { command, folder: null, seconds: null })));
    stage.simulator.reply(answer(text('Seen.')));
  }

  async function written(name: string): Promise<string | undefined> {
    try {
      return await readFile(path.join(stage.bench.folder, name), 'utf8');
    } catch {
      return undefined;
    }
  }

  it('is shown whole, and not run when it is refused', async () => {
    const { bench, chat } = stage;
    const command = 'echo refused > ran.txt && echo a very long command that is shown to its very end';
    wants(command);
    await chat.ask('Run it');
    const card = chat.turn.locator('.approval');
    await chat.says(card, command);
    await chat.says(card, bench.folder);
    await bench.screenshot('story-command-asked');
    // Nothing of the card takes the cursor: who types on goes on typing.
    await chat.hasCursor();
    await chat.press(card.getByRole('button', { name: 'Deny, and say why' }));
    await bench.takesKeys(card.getByRole('textbox'));
    await bench.page.keyboard.type('Not on this machine');
    await chat.press(card.getByRole('button', { name: 'Deny', exact: true }));
    await chat.says(chat.answer, 'Seen.');
    assert.match((await stage.request(1)).bodyText, /did not allow it\. They said: Not on this machine/);
    assert.equal(await written('ran.txt'), undefined);
  });

  it('runs in a terminal that is shown, when it is allowed, without taking the cursor', async () => {
    const { bench, chat } = stage;
    wants('echo allowed > ran.txt && echo "it ran"');
    await chat.ask('Run it');
    const card = chat.turn.locator('.approval');
    await card.waitFor();
    await chat.hasCursor();
    await bench.page.keyboard.type('meanwhile');
    await chat.press(card.getByRole('button', { name: 'Run once' }));
    await chat.says(chat.answer, 'Seen.');
    const { bodyText } = await stage.request(1);
    assert.match(bodyText, /Exit code 0\. Output:\\nit ran/);
    assert.equal(await written('ran.txt'), 'allowed\n');
    assert.deepEqual(await bench.inside((vscode) => vscode.window.terminals.map(({ name }) => name)), [
      'Kimi Chat',
    ]);
    await bench.page.locator('.terminal-wrapper.active').waitFor();
    assert.equal(await chat.question.inputValue(), 'meanwhile');
    await bench.screenshot('story-command-ran');
    await chat.question.fill('');
  });

  it('runs without asking after the person said so, until they untick it', async () => {
    const { bench, chat } = stage;
    wants('echo again >> again.txt');
    await chat.ask('Run it');
    const card = chat.turn.locator('.approval');
    await card.waitFor();
    await chat.press(card.getByRole('button', { name: 'Always run it here' }));
    await chat.says(chat.answer, 'Seen.');
    wants('echo again >> again.txt');
    await chat.ask('Once more');
    await bench.waitFor('the second run', async () => (await written('again.txt')) === 'again\nagain\n');
    await chat.says(chat.answer, 'Seen.');
    assert.equal(await card.count(), 0);

    await bench.inside((vscode) => {
      void vscode.commands.executeCommand('kimiChat.allowedCommands');
    });
    const row = bench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'echo again' });
    await row.waitFor();
    await bench.screenshot('story-command-allowed');
    await row.click();
    await bench.page.locator('.quick-input-widget').getByText('OK', { exact: true }).click();
    await bench.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    wants('echo again >> again.txt');
    await chat.ask('And again');
    await card.waitFor();
    await chat.press(card.getByRole('button', { name: 'Deny', exact: true }));
    await chat.says(chat.answer, 'Seen.');
    assert.equal(await written('again.txt'), 'again\nagain\n');
  });
});
