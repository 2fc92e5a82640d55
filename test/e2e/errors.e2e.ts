/** What goes wrong in the first minutes: each is one plain sentence with the buttons that help, and nothing typed is lost. */
import assert from 'node:assert/strict';
import { answer, dropConnection, endEarly, refuse, startSimulator, text } from '../simulator/main.ts';
import type { Simulator } from '../simulator/main.ts';
import { useStage } from './support/stage.ts';

const question = 'Why is the total wrong?';

describe('what goes wrong', () => {
  const stage = useStage({ open: { file: 'src/cart.ts', line: 22 } });

  /** The sentence of the notice under the last question, and every button but the one that shows details. */
  async function notice(pattern: RegExp): Promise<{ sentence: string; buttons: string[] }> {
    const { chat } = stage;
    await chat.says(chat.notice, pattern);
    return {
      sentence: await chat.notice.locator('p').innerText(),
      buttons: (await chat.notice.getByRole('button').allInnerTexts()).filter((label) => label !== 'Details'),
    };
  }

  /** The question stands where it was, and what was typed meanwhile is still in the composer. */
  async function assertKept(): Promise<void> {
    const { chat } = stage;
    assert.equal(await chat.turns.count(), 1);
    assert.equal(await chat.turn.locator('.question-text').innerText(), question);
    assert.equal(await chat.question.inputValue(), '');
    await chat.send.waitFor();
  }

  async function tryAgain(): Promise<void> {
    const { chat } = stage;
    await chat.press(chat.notice.getByRole('button', { name: 'Try again' }));
    await chat.says(chat.answer, 'The last row is left out.');
    await chat.footer.waitFor();
    assert.equal(await chat.turns.count(), 1);
    assert.equal(await chat.notice.count(), 0);
  }

  /** Notes each text of a part of the panel, and whether it can't be pressed, from now on: however busy the machine is, none is missed. */
  async function noting(part: string): Promise<() => Promise<readonly string[]>> {
    const body = stage.chat.panel.locator('body');
    const noted = await body.evaluateHandle((element, selector) => {
      const texts: string[] = [];
      new MutationObserver(() => {
        for (const found of element.querySelectorAll<HTMLElement>(selector)) {
          const text = `${found.innerText}${found.matches(':disabled') ? ' (disabled)' : ''}`;
          if (text !== texts.at(-1)) texts.push(text);
        }
      }).observe(element, { attributes: true, characterData: true, childList: true, subtree: true });
      return texts;
    }, part);
    return () => noted.jsonValue();
  }

  const good = answer(text('The last row is left out.'));

  it('says that the key is missing, beside a conversation that has begun', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(good);
    await chat.ask(question);
    await chat.says(chat.answer, 'The last row is left out.');
    await bench.changeSettings({ 'kimiChat.baseUrl': 'https://service.invalid' });
    await chat.panel.locator('.bottom .key-needed').waitFor();
    await chat.ask('And the coupon?');
    await chat.says(chat.panel.locator('.hint'), 'Set the API key to send this. The text stays here.');
    assert.equal(await chat.question.inputValue(), 'And the coupon?');
    assert.deepEqual(await chat.panel.locator('.bottom .key-needed').getByRole('button').allInnerTexts(), [
      'Set API key',
    ]);
    await bench.changeSettings({ 'kimiChat.baseUrl': simulator.url });
    await chat.panel.locator('.key-needed').waitFor({ state: 'detached' });
    await chat.question.fill('');
  });

  it('says that the address in the settings is none, and keeps the question', async () => {
    const { bench, chat, simulator } = stage;
    await bench.changeSettings({ 'kimiChat.baseUrl': 'http://example.com' });
    await chat.ask(question);
    await chat.says(chat.panel.locator('.host-notice'), /must start with https: http:\/\/example\.com/);
    assert.equal(await chat.question.inputValue(), question);
    assert.equal(await chat.turns.count(), 0);
    await bench.changeSettings({ 'kimiChat.baseUrl': simulator.url });
    simulator.reply(good);
    await chat.question.press('Enter');
    await chat.says(chat.answer, 'The last row is left out.');
    assert.equal(await chat.panel.locator('.host-notice').count(), 0);
  });

  it('asks for another key when the service does not accept the one it got', async () => {
    const { bench, chat } = stage;
    const key = 'sk-the-right-one';
    const strict = await startSimulator({ key, script: [good] });
    try {
      await bench.changeSettings({ 'kimiChat.baseUrl': strict.url });
      await chat.ask(question);
      assert.deepEqual(await notice(/does not accept the API key/), {
        sentence: 'The service does not accept the API key. Your question is kept.',
        buttons: ['Set API key', 'Try again'],
      });
      await bench.screenshot('story-error-key');
      await assertKept();
      const box = bench.page.locator('.quick-input-widget');
      await chat.press(chat.notice.getByRole('button', { name: 'Set API key' }), () => box.isVisible());
      await chat.says(box, `API key for ${strict.url}`);
      await bench.fillBox(key);
      await bench.page.keyboard.press('Enter');
      await box.waitFor({ state: 'hidden' });
      await tryAgain();
      assert.equal((await strict.request(1)).headers.authorization, `Bearer ${key}`);
    } finally {
      await strict.close();
      await bench.changeSettings({ 'kimiChat.baseUrl': stage.simulator.url });
    }
  });

  it('counts down and goes on by itself when the service asks to wait', async () => {
    const { chat, simulator } = stage;
    const busy = { message: 'Slow down', type: 'rate_limit_error', code: null };
    simulator.reply(refuse(429, busy, { 'retry-after': '2' }), good);
    const retries = await noting('.retry');
    await chat.ask(question);
    await chat.says(chat.answer, 'The last row is left out.');
    assert.match(
      (await retries())[0] ?? '',
      /^Too many requests were sent in a short time\. Trying again in [1-3]\ss \(2 of 4\)\./,
    );
    await assertKept();
    assert.equal(await chat.retry.count(), 0);
  });

  it('counts down on the button when the service has asked to wait too often', async () => {
    const { chat, simulator } = stage;
    const busy = { message: 'Slow down', type: 'rate_limit_error', code: null };
    simulator.reply(
      ...Array.from({ length: 3 }, () => refuse(429, busy, { 'retry-after': '60' })),
      refuse(429, busy, { 'retry-after': '5' }),
      good,
    );
    const labels = await noting('.notice:not(.retry) button');
    await chat.ask(question);
    // Nobody waits a minute who can say so.
    for (const attempt of [2, 3, 4]) {
      await chat.says(chat.retry, `(${attempt} of 4)`);
      await chat.press(
        chat.button('Try now'),
        async () => !(await chat.retry.allInnerTexts()).join().includes(`(${attempt} of 4)`),
      );
    }
    const { sentence, buttons } = await notice(/Too many requests/);
    assert.equal(sentence, 'Too many requests were sent in a short time.');
    assert.equal(buttons.length, 1);
    await stage.bench.screenshot('story-error-rate-limit');
    await assertKept();
    await chat.notice.getByRole('button', { name: 'Details' }).click();
    await chat.says(chat.notice.locator('.notice-detail'), 'Slow down');
    await chat.notice.getByRole('button', { name: 'Try again', exact: true }).waitFor();
    const counted = (await labels()).filter((label) => label.startsWith('Try again'));
    assert.match(counted[0] ?? '', /^Try again in [1-5]\ss \(disabled\)$/);
    assert.deepEqual(counted.slice(-2), ['Try again in 1\u00a0s (disabled)', 'Try again']);
    await tryAgain();
  });

  it('stops trying when the person wants it, and keeps the question', async () => {
    const { chat, simulator } = stage;
    simulator.reply(refuse(503, { message: 'Busy', type: 'server_error' }, { 'retry-after': '60' }));
    await chat.ask(question);
    await chat.press(chat.retry.getByRole('button', { name: 'Stop trying' }));
    await chat.says(chat.notice, 'Stopped.');
    assert.equal(await chat.retry.count(), 0);
    await assertKept();
  });

  it('says that nobody answers at the address, and works once somebody does', async () => {
    const { bench, chat } = stage;
    const gone = await startSimulator();
    await gone.close();
    let back: Simulator | undefined;
    try {
      await bench.changeSettings({ 'kimiChat.baseUrl': gone.url });
      await chat.ask(question);
      assert.deepEqual(await notice(/refused the connection/), {
        sentence: 'The service’s address refused the connection.',
        buttons: ['Try again'],
      });
      await bench.screenshot('story-error-refused');
      await assertKept();
      back = await startSimulator({
        port: Number(new URL(gone.url).port),
        auth: 'optional',
        script: [good],
      });
      await tryAgain();
    } finally {
      await back?.close();
      await bench.changeSettings({ 'kimiChat.baseUrl': stage.simulator.url });
    }
  });

  it('says that the address was not found where there is no network, and works once it is there', async () => {
    const { bench, chat, simulator } = stage;
    // The name is reserved to stand for nothing, so no resolver of any network knows it.
    const nowhere = 'https://service.invalid';
    const box = bench.page.locator('.quick-input-widget');
    await bench.changeSettings({ 'kimiChat.baseUrl': nowhere, 'http.proxySupport': 'off' });
    try {
      await chat.panel.locator('.key-needed').waitFor();
      await chat.press(chat.button('Set API key'), () => box.isVisible());
      await chat.says(box, `API key for ${nowhere}`);
      await bench.fillBox('sk-for-nowhere');
      await bench.page.keyboard.press('Enter');
      await chat.panel.locator('.key-needed').waitFor({ state: 'detached' });
      await chat.ask(question);
      assert.deepEqual(await notice(/was not found/), {
        sentence: 'The service’s address was not found. Is this machine online?',
        buttons: ['Try again'],
      });
      await bench.screenshot('story-error-no-network');
      await assertKept();
      await chat.notice.getByRole('button', { name: 'Details' }).click();
      await chat.says(chat.notice.locator('.notice-detail'), /^(ENOTFOUND|EAI_AGAIN): /);
      simulator.reply(good);
      await bench.changeSettings({ 'kimiChat.baseUrl': simulator.url });
      await tryAgain();
    } finally {
      await bench.changeSettings({ 'kimiChat.baseUrl': simulator.url, 'http.proxySupport': undefined });
    }
  });

  it('says how much came when an answer ends early, keeps it, and gets the whole one', async () => {
    const { chat, simulator } = stage;
    simulator.reply(answer(text('The last row ', endEarly)), good);
    await chat.ask(question);
    assert.deepEqual(await notice(/connection was lost/), {
      sentence:
        'The connection was lost after 3 words. They are kept until you try again. Asking again may be billed a second time.',
      buttons: ['Try again'],
    });
    await stage.bench.screenshot('story-error-cut-off');
    assert.equal(await chat.answer.innerText(), 'The last row');
    await assertKept();
    await tryAgain();
    assert.equal(await chat.answer.count(), 1);
  });

  it('says so when the connection is cut before anything came', async () => {
    const { chat, simulator } = stage;
    simulator.reply(dropConnection, good);
    await chat.ask(question);
    assert.deepEqual(await notice(/connection was cut/), {
      sentence:
        'The connection was cut. The request may have reached the service. Asking again may be billed a second time.',
      buttons: ['Try again'],
    });
    await assertKept();
    await tryAgain();
  });

  it('keeps what is typed while a question fails', async () => {
    const { chat, simulator } = stage;
    simulator.reply(refuse(500, { message: 'Broken', type: 'server_error' }));
    await chat.ask(question);
    // Without a click, which would put the cursor into the question while that still stands there.
    await chat.question.pressSequentially('The next question');
    await notice(/failed while it worked/);
    assert.equal(await chat.question.inputValue(), 'The next question');
    // Going on with something else is as good as trying again.
    simulator.reply(answer(text('To both: the loop.')));
    await chat.question.press('Enter');
    await chat.says(chat.answer, 'To both: the loop.');
    assert.match((await stage.request(1)).bodyText, /Why is the total wrong\?.*The next question/);
  });
});
