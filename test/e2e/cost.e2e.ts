/** What a conversation costs and what the model sees of it, as a person meets it: from an overloaded service to a full window. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { answer, incomplete, refuse, reasoning, text } from '../simulator/main.ts';
import { lookAt, type Pictures } from './support/look.ts';
import { useStage } from './support/stage.ts';

const pictures: Pictures = [
  [300, ['dark', 'light', 'highContrastDark']],
  [600, ['dark', 'light', 'highContrastDark']],
];

const question = 'Why is the total wrong?';

describe('what it costs', () => {
  const stage = useStage({ open: { file: 'src/cart.ts', line: 22 }, size: { width: 1440, height: 900 } });

  before('keep the first side bar out of the picture', async () => {
    await stage.bench.inside((vscode) =>
      vscode.commands.executeCommand('workbench.action.toggleSidebarVisibility'),
    );
  });

  const look = (state: string): Promise<void> => lookAt(stage, `cost-${state}`, pictures);

  it('is told from the first overload to what the model sees', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(
      refuse(503, { message: 'busy' }, { 'retry-after': '115' }),
      answer(reasoning('The loop stops early.'), text('The last row is left out.')),
      answer(text('The coupon counts twice.')),
    );
    await chat.ask(question);
    const { retry } = chat;
    await chat.says(retry, /^The service is overloaded\. Trying again in 1\smin\s\d+\ss \(2 of 4\)\./);
    await look('retry');
    await chat.press(chat.button('Try now'));
    await chat.says(chat.answer, 'The last row is left out.');
    assert.equal(await retry.count(), 0);

    const facts = chat.footer.getByRole('button', { name: /≈\s.*\$/ });
    assert.match(await facts.innerText(), /^[\d.]+\ss\s· ≈\s<?\$\d.*\s· 0% cached$|^\d+\smin/);
    await facts.press('Enter');
    const bill = chat.turn.locator('.bill');
    await chat.says(bill, 'First question: nothing was cached.');
    assert.match(await bill.innerText(), /Cache writes\s+\d,\d{3}\s+≈\s\$0\.00\d/);
    assert.match(await bill.innerText(), /Made from list prices/);

    await chat.ask('And the coupon?');
    await chat.says(chat.answer, 'The coupon counts twice.');
    await chat.footer.getByRole('button', { name: /cached/ }).press('Enter');
    await chat.says(chat.turn.locator('.bill'), 'The beginning was found in the cache.');
    await look('bill');

    await chat.turn.getByRole('button', { name: 'What was sent' }).click();
    await bench.waitFor('the request to be shown', () =>
      bench.inside((vscode) => vscode.window.activeTextEditor?.document.uri.scheme === 'kimi-sent'),
    );
    const sent = await bench.inside((vscode) => vscode.window.activeTextEditor?.document.getText() ?? '');
    assert.match(sent, /And the coupon\?/);
    assert.doesNotMatch(sent, /[Bb]earer/);

    const meter = chat.panel.locator('.meter-line');
    assert.match(await meter.innerText(), /^[\d.]+k? of 1M tokens\s· ≈\s/);
    await meter.press('Enter');
    const details = chat.panel.locator('.meter-details');
    await chat.says(details, 'What the model sees');
    await chat.says(details, /The cache runs out in \d\smin\./);
    await look('meter');
    const cut = chat.turns.first().locator('.cut');
    const leaveOut = details.getByRole('button', { name: 'Leave out the oldest turn' });
    await chat.press(leaveOut, () => cut.isVisible());
    await chat.says(cut, 'The model no longer sees this turn.');
    await details.getByRole('button', { name: 'Usage history' }).press('Escape');
    await details.waitFor({ state: 'hidden' });
    await cut.scrollIntoViewIfNeeded();
    await look('cut');
    await cut.getByRole('button', { name: 'Put it back' }).click();
    await cut.waitFor({ state: 'detached' });
  });

  it('is asked about in the composer when it is dear, and what was typed stays', async () => {
    const { bench, chat, simulator } = stage;
    await bench.changeSettings({ 'kimiChat.confirmAbove': 0.001 });
    await chat.write(question);
    await chat.panel.locator('.dear').waitFor();
    await look('dear');
    await chat.question.press('Enter');
    const confirm = chat.panel.locator('.confirm');
    await chat.says(confirm, /^About \$[\d.]+ for this question\. You wanted to be asked above \$0\.001\./);
    await look('confirm');
    await confirm.getByRole('button', { name: 'Cancel' }).click();
    await confirm.waitFor({ state: 'detached' });
    assert.equal(await chat.question.inputValue(), question);
    await chat.hasCursor();
    assert.equal(await chat.turns.count(), 0);

    simulator.reply(answer(text('The last row is left out.')));
    await chat.question.press('Enter');
    await chat.press(confirm.getByRole('button', { name: 'Send' }));
    await chat.says(chat.answer, 'The last row is left out.');
    await chat.hasCursor();

    // Asking again costs as much.
    await bench.changeSettings({ 'kimiChat.confirmAbove': 0.000_1 });
    simulator.reply(refuse(500, { message: 'no' }), answer(text('The coupon counts twice.')));
    await chat.write('And the coupon?');
    await chat.question.press('Enter');
    await chat.press(confirm.getByRole('button', { name: 'Send' }));
    await chat.says(chat.notice, /may be billed a second time/);
    await chat.press(chat.button('Try again'), () => confirm.isVisible());
    await chat.says(confirm, /^About \$[\d.]+ to go on with this turn\./);
    await look('confirm-again');
    await chat.press(confirm.getByRole('button', { name: 'Go on' }));
    await chat.says(chat.answer, 'The coupon counts twice.');
    await bench.changeSettings({ 'kimiChat.confirmAbove': undefined });
  });

  it('says what used up the room, and asks again with more', async () => {
    const { chat, simulator } = stage;
    simulator.reply(answer(reasoning('A very long thought.'), incomplete()), answer(text('Short.')));
    await chat.ask(question);
    await chat.says(chat.notice, 'All the room for this answer went into reasoning.');
    await look('room');
    await chat.press(chat.button('Ask again with more room'));
    await chat.says(chat.answer, 'Short.');
    assert.equal((await stage.request(1)).body['max_output_tokens'], 262_144);
  });

  it('offers what helps when a question no longer fits into the window', async () => {
    const { bench, chat, simulator } = stage;
    const attach = async (name: string): Promise<void> => {
      await writeFile(path.join(bench.folder, name), 'ა'.repeat(900_000));
      await bench.openFile(name);
      await bench.inside((vscode) => vscode.commands.executeCommand('kimiChat.attachActive'));
      await chat.says(chat.chips, name);
    };
    simulator.reply(answer(text('The last row is left out.')), answer(text('We spoke of the total.')));
    await attach('one.txt');
    await chat.ask(question);
    await chat.says(chat.answer, 'The last row is left out.');
    await chat.footer.waitFor();
    await attach('two.txt');
    const notice = chat.panel.locator('.context-notice');
    await chat.says(notice, /^This no longer fits into the context window: about 1\.\dM of 1M tokens\./);
    await look('over');
    await chat.press(
      notice.getByRole('button', { name: 'Leave out attachments' }),
      async () => (await notice.count()) === 0,
    );
    await chat.says(chat.turn.locator('.cut'), 'The model no longer sees the attachments of this turn.');
    await chat.button('Remove two.txt').click();

    await chat.panel.locator('.meter-line').click();
    const asked = simulator.requests.length;
    await chat.press(
      chat.panel.locator('.meter-details').getByRole('button', { name: 'New chat with a summary' }),
      async () => simulator.requests.length > asked,
    );
    await chat.says(chat.chips, 'Summary of the last chat');
    assert.equal(await chat.turns.count(), 0);
    await look('summary');
    await chat.button('Remove Summary of the last chat').click();
  });
});
