/** A conversation is named by the model, its bill tells of that, and it goes to a file and comes back: in the editor's own lists and dialogs. */
import assert from 'node:assert/strict';
import path from 'node:path';

import { answer, reasoning, text } from '../simulator/main.ts';
import { useStage } from './support/stage.ts';

describe('a title, and a conversation in a file', () => {
  const stage = useStage({ settings: { 'kimiChat.titles': 'model' } });

  it('are what a person finds: in the bill, in the list, on the disk and in the next conversation', async () => {
    const { bench, chat, simulator } = stage;
    const { page } = bench;
    simulator.reply(
      answer(text('The last row is left out.')),
      answer(reasoning('Two words.'), text('{"title":"Cart total off by one"}')),
    );
    await chat.ask('Why is the total wrong?');
    await chat.says(chat.answer, 'The last row is left out.');
    await chat.footer.getByRole('button', { name: /cached/ }).press('Enter');
    const bill = chat.turn.locator('.bill');
    await chat.says(bill, /Apart from that, for the title of the chat: .*\$.* tokens in, \d+ out/);
    await bench.screenshot('story-title-bill');
    await bill.getByRole('button', { name: 'What was sent for the title' }).click();
    await bench.waitFor('the request for the title to be shown', () =>
      bench.inside((vscode) => {
        const shown = vscode.window.activeTextEditor?.document;
        return shown?.uri.scheme === 'kimi-sent' && shown.getText().includes('"json_schema"');
      }),
    );

    const list = page.locator('.quick-input-widget');
    await bench.runCommand('Kimi Chat: Conversations…');
    await list.getByText('Cart total off by one').first().waitFor();
    await bench.screenshot('story-title-list');
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });

    await bench.runCommand('Kimi Chat: Export Conversation…');
    await list.locator('.monaco-list-row', { hasText: 'JSON file' }).waitFor();
    await bench.screenshot('story-export');
    await list.locator('.monaco-list-row', { hasText: 'JSON file' }).click();
    const place = list.locator('input[type="text"]').first();
    await bench.waitFor('the name of the file to be proposed', async () =>
      (await place.inputValue()).endsWith('Cart total off by one.json'),
    );
    const file = path.join(bench.folder, 'exported.json');
    await place.fill(file);
    await place.press('Enter');
    await bench.waitFor('the file to be written', async () =>
      /"format": "kimi-chat-conversations"/.test((await bench.onDisk('exported.json')) ?? ''),
    );
    await bench.isTold('The conversation was written to exported.json.');

    await chat.startNew();
    await bench.runCommand('Kimi Chat: Import Conversation…');
    await list.locator('.monaco-list-row', { hasText: 'exported.json' }).click();
    await list.waitFor({ state: 'hidden' });
    await chat.says(chat.answer, 'The last row is left out.');
    await bench.panel.getByText('This conversation was imported.').waitFor();
    await bench.screenshot('story-imported');
    assert.equal(simulator.requests.length, 2);
    await bench.takeNotifications();
  });
});
