/** The first minutes of a person who has just installed it: no key yet, then one, then none again. Nothing leaves this machine. */
import assert from 'node:assert/strict';
import { answer, startSimulator, text } from '../simulator/main.ts';
import type { Simulator } from '../simulator/main.ts';
import { startBorder } from './support/border.ts';
import type { Border } from './support/border.ts';
import { Chat } from './support/chat.ts';
import { openWorkbench } from './support/workbench.ts';
import type { Workbench } from './support/workbench.ts';

const service = 'https://direct.evolink.ai';
const key = 'sk-test-0123456789abcdef';

describe('the first run', () => {
  let border: Border;
  let simulator: Simulator;
  let bench: Workbench;
  let chat: Chat;

  before('start without a key', async () => {
    border = await startBorder();
    simulator = await startSimulator({ key, auth: 'optional' });
    // The address of the service is the default; the proxy is what stands between this test and the real one.
    bench = await openWorkbench({ settings: { 'http.proxy': border.url }, open: { file: 'src/cart.ts' } });
    chat = new Chat(bench);
    await bench.openKimi();
  });
  afterEach('nothing has left this machine, and nothing else went wrong', function check() {
    if (this.currentTest?.state === 'failed') return;
    assert.deepEqual(
      border.attempts.filter((to) => to.includes('evolink')),
      [],
    );
    assert.deepEqual(simulator.violations, []);
    bench.assertNothingWrong();
  });
  after('stop', async () => {
    await bench?.close();
    await simulator?.close();
    border?.close();
  });

  const keyNeeded = () => bench.panel.locator('.key-needed');
  const keySentence = async (): Promise<string> =>
    (await keyNeeded().locator('p').innerText()).replaceAll(/\s+/g, ' ');
  const box = () => bench.page.locator('.quick-input-widget');
  const boxInput = () => box().locator('input');
  const boxMessage = () => box().locator('.quick-input-message');

  async function pressSetKey(): Promise<void> {
    await chat.button('Set API key').click();
    await boxInput().click();
    await bench.takesKeys(boxInput());
  }

  async function giveKey(pasted: string): Promise<void> {
    await bench.runCommand('Kimi Chat: Set API Key');
    await chat.says(box(), 'API key for');
    await bench.fillBox(pasted);
    await bench.page.keyboard.press('Enter');
    await box().waitFor({ state: 'hidden' });
  }

  it('says in one sentence what is missing, with one button', async () => {
    assert.equal(
      await keySentence(),
      'Kimi Chat needs an EvoLink API key. You can make one on evolink.ai/dashboard/keys.',
    );
    assert.equal(await keyNeeded().count(), 1);
    assert.deepEqual(await bench.panel.locator('.transcript').getByRole('button').allInnerTexts(), [
      'Set API key',
    ]);
    assert.equal(
      await keyNeeded().getByRole('link').getAttribute('title'),
      'https://evolink.ai/dashboard/keys',
    );
    await bench.screenshot('firstRun-no-key');
  });

  it('sends nothing without a key, and keeps what was typed', async () => {
    await chat.ask('Why is the total wrong?');
    await chat.says(bench.panel.locator('.hint'), 'Set the API key to send this. The text stays here.');
    assert.equal(await chat.question.inputValue(), 'Why is the total wrong?');
    assert.equal(await chat.turns.count(), 0);
  });

  it('refuses what is no key, each with a sentence, and keeps the box open', async () => {
    await pressSetKey();
    assert.match(await box().innerText(), /API key for https:\/\/direct\.evolink\.ai/);
    assert.match(await boxMessage().innerText(), /kept in the secret storage .* sent to https:\/\/direct/);
    assert.equal(await boxInput().getAttribute('type'), 'password');
    for (const [typed, sentence] of [
      ['https://evolink.ai/dashboard/keys', 'This is an address, not a key.'],
      ['sk-test 0123456789', 'A key has no blanks or line breaks inside.'],
      ['sk-tést-0123456789', 'A key has only plain letters, digits and signs.'],
      ['sk-1', 'This is too short for a key.'],
      ['k'.repeat(513), 'This is too long for a key.'],
    ] as const) {
      await boxInput().fill(typed);
      await chat.says(boxMessage(), sentence);
      await bench.page.keyboard.press('Enter');
      await boxInput().waitFor();
    }
    await bench.page.keyboard.press('Escape');
    await boxInput().waitFor({ state: 'hidden' });
    assert.equal(await keyNeeded().isVisible(), true);
  });

  it('takes a pasted key with blanks around it, and the panel is ready at once', async () => {
    await pressSetKey();
    await bench.fillBox(`  Bearer ${key}\t`);
    await bench.page.keyboard.press('Enter');
    await keyNeeded().waitFor({ state: 'detached' });
    await bench.panel.locator('.suggestions').waitFor();
    assert.equal(await chat.question.inputValue(), 'Why is the total wrong?');
    // Sending would now go out, so this test ends here.
  });

  it('still has the key, and what was typed, after the window was reloaded', async () => {
    await bench.reload();
    await bench.openKimi();
    await bench.panel.locator('.suggestions').waitFor();
    assert.equal(await keyNeeded().count(), 0);
    assert.equal(await chat.question.inputValue(), 'Why is the total wrong?');
  });

  it('keeps the key for its own address: another one needs its own, and one on this machine gets none', async () => {
    await bench.changeSettings({ 'kimiChat.baseUrl': 'https://other.invalid/v1' });
    await keyNeeded().waitFor();
    // Nobody is invited to give EvoLink's key to another service.
    assert.equal(await keySentence(), 'Kimi Chat needs an API key for https://other.invalid.');
    assert.equal(await keyNeeded().getByRole('link').count(), 0);
    await bench.changeSettings({ 'kimiChat.baseUrl': simulator.url });
    await keyNeeded().waitFor({ state: 'detached' });
    simulator.reply(answer(text('Hello.')));
    await chat.question.press('Enter');
    await chat.says(chat.answer, 'Hello.');
    const request = await simulator.nextRequest();
    assert.equal(request.headers.authorization, undefined);
  });

  it('sends a key to the address it was given for, without what was around it', async () => {
    await giveKey(`\t"${key}" `);
    simulator.reply(answer(text('Hello again.')));
    await chat.ask('And now?');
    await chat.says(chat.answer, 'Hello again.');
    const request = await simulator.nextRequest();
    assert.equal(request.headers.authorization, `Bearer ${key}`);
  });

  it('asks for a key again after "Clear API Key"', async () => {
    await bench.changeSettings({ 'kimiChat.baseUrl': undefined });
    await keyNeeded().waitFor({ state: 'detached' });
    await bench.runCommand('Kimi Chat: Clear API Key');
    await keyNeeded().waitFor();
    await bench.isTold(`The API key for ${service} was removed.`);
    assert.equal(await chat.button('Set API key').isVisible(), true);
  });

  it('would have noticed a request to the service', async () => {
    await bench.changeSettings({ 'kimiChat.baseUrl': 'https://service.invalid' });
    await giveKey(key);
    await keyNeeded().waitFor({ state: 'detached' });
    await chat.ask('Anyone there?');
    await chat.says(chat.notice, /proxy .*did not let the connection through/);
    assert.ok(border.attempts.includes('service.invalid:443'), border.attempts.join());
  });
});
