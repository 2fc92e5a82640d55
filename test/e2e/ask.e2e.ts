/** Asking: reasoning and answer stream in apart from each other, the answer is Markdown, it can be stopped, and choices count. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer, gate, reasoning, text, vary } from '../simulator/main.ts';
import type { ReceivedRequest } from '../simulator/main.ts';
import { useStage } from './support/stage.ts';

describe('asking', () => {
  const stage = useStage({ open: { file: 'src/cart.ts', line: 22 } });

  it('offers what can be asked about the open file, and sends the one that was taken', async () => {
    const { chat, simulator } = stage;
    await chat.button('Explain src/cart.ts').click();
    await chat.holds('Explain src/cart.ts');
    await chat.says(chat.chips, 'src/cart.ts');
    simulator.reply(answer(text('It adds up a cart.')));
    await chat.question.press('Enter');
    await chat.says(chat.answer, 'It adds up a cart.');
    assert.equal(await chat.question.inputValue(), '');
    assert.equal(await chat.chips.count(), 0);
    assert.match((await stage.request(0)).bodyText, /src\/cart\.ts \(typescript\)/);
  });

  it('sends a question with Enter, and a new line with Shift+Enter', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(answer(text('Both.')));
    await chat.write('One line');
    await bench.page.keyboard.press('Shift+Enter');
    await bench.page.keyboard.type('and another');
    await bench.page.keyboard.press('Enter');
    await chat.says(chat.answer, 'Both.');
    assert.equal(await chat.turn.locator('.question-text').innerText(), 'One line\nand another');
    assert.match((await stage.request(0)).bodyText, /"One line\\nand another"/);
  });

  it('shows the reasoning while it comes, open and apart, and folds it when the answer begins', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(
      answer(
        reasoning('The loop **stops** one row early.', [
          'Then the coupon ',
          gate('thinking'),
          'counts twice.',
        ]),
        text('Two mistakes: ', gate('answering'), 'the loop and the coupon.'),
      ),
    );
    await chat.ask('Why is the total wrong?');
    await simulator.reached('thinking');
    await chat.says(chat.reasoning, 'Then the coupon');
    await bench.screenshot('story-ask-reasoning');
    const line = chat.reasoning.getByRole('button');
    assert.equal(await line.getAttribute('aria-expanded'), 'true');
    assert.match(await line.innerText(), /^Thinking\s· \d+\ss$/);
    assert.deepEqual(await chat.reasoning.locator('p').allInnerTexts(), [
      'The loop stops one row early.',
      'Then the coupon',
    ]);
    assert.equal(await chat.answer.count(), 0);

    simulator.open('thinking');
    await simulator.reached('answering');
    await chat.says(chat.answer, 'Two mistakes:');
    assert.equal(await line.getAttribute('aria-expanded'), 'false');
    assert.match(await line.innerText(), /^Thought for \d+(\.\d+)?\ss/);
    assert.equal(await chat.reasoning.locator('p').count(), 0);
    assert.doesNotMatch(await chat.answer.innerText(), /coupon/);

    simulator.open('answering');
    await chat.footer.waitFor();
    assert.equal(await chat.answer.innerText(), 'Two mistakes: the loop and the coupon.');
    await bench.screenshot('story-ask-answer');
    await line.press('Enter');
    await chat.says(chat.reasoning, 'Then the coupon counts twice.');
    assert.equal(await chat.reasoning.locator('strong').innerText(), 'stops');
    assert.doesNotMatch(await chat.answer.innerText(), /counts twice/);
    await line.press('Enter');
    await chat.reasoning.locator('p').first().waitFor({ state: 'detached' });
  });

  it('shows Markdown as it comes: lists, tables, and code already before its fence is closed', async () => {
    const { bench, chat, simulator } = stage;
    const code = 'const sum = items.reduce((all, item) => all + item.price, 0);';
    simulator.reply(
      answer(
        text(
          '# The mistakes\n\n1. the *loop*\n2. the `coupon`\n\n| Row | Cents |\n| --- | ---: |\n| Tea | 900 |\n\n',
          `\`\`\`ts\n${code}\n`,
          gate('in code'),
          '```\n\nThat is [all](https://example.com/all).',
        ),
      ),
    );
    await chat.ask('Show me');
    await simulator.reached('in code');
    await chat.says(chat.answer.locator('.code pre'), code);
    simulator.open('in code');
    await chat.footer.waitFor();
    assert.equal(await chat.answer.getByRole('heading').innerText(), 'The mistakes');
    assert.deepEqual(await chat.answer.locator('ol > li').allInnerTexts(), ['the loop', 'the coupon']);
    assert.equal(await chat.answer.locator('li em').innerText(), 'loop');
    assert.equal(await chat.answer.locator('li code').innerText(), 'coupon');
    assert.deepEqual(await chat.answer.getByRole('cell').allInnerTexts(), ['Tea', '900']);
    assert.equal(await chat.answer.getByRole('link').getAttribute('title'), 'https://example.com/all');
    await chat.answer.locator('.code .hljs-keyword', { hasText: 'const' }).waitFor();

    await chat.answer.getByRole('button', { name: 'Copy code' }).click();
    await bench.waitFor('the code to be in the clipboard', async () => {
      return (await bench.page.evaluate(() => navigator.clipboard.readText())).trimEnd() === code;
    });
  });

  it('loads and runs nothing that a model writes', async () => {
    const { bench, chat, simulator } = stage;
    const asked: (string | undefined)[] = [];
    const elsewhere = createServer((request, response) => {
      asked.push(request.url);
      response.end();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    try {
      simulator.reply(
        answer(
          text(
            `![a picture](${url}/markdown.png)\n\n<img src="${url}/html.png" onerror="document.title='run'">\n\n`,
            `<script>fetch('${url}/script')</script>\n\n[link](javascript:document.title='run') done`,
          ),
        ),
      );
      await chat.ask('Show me a picture');
      await chat.footer.waitFor();
      await chat.says(chat.answer, 'Image: a picture');
      await chat.says(chat.answer, `<img src="${url}/html.png"`);
      assert.equal(await chat.answer.locator('img, script, iframe, [href], [src]').count(), 0);
      assert.equal(await chat.answer.getByRole('link').count(), 0);
      assert.deepEqual(asked, []);
      // That it would have been seen.
      await bench.page.request.get(`${url}/seen`);
      assert.deepEqual(asked, ['/seen']);
    } finally {
      elsewhere.close();
    }
  });

  it('stops at once, keeps what came and says so, and the service takes the next question', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(answer(reasoning('Hm.'), text('The loop stops ', gate('half'), 'one row early.')));
    await chat.ask('Why is the total wrong?');
    await simulator.reached('half');
    await chat.says(chat.answer, 'The loop stops');
    const request = await stage.request(0);
    await chat.stop.press('Enter');
    assert.equal(await request.closed, 'clientLeft');
    await chat.says(chat.notice, 'Stopped.');
    assert.equal(await chat.answer.innerText(), 'The loop stops');
    await bench.screenshot('story-stop');
    await chat.send.waitFor();

    simulator.reply(answer(text('Because of the bound.')));
    await chat.ask('And why is that?');
    await chat.says(chat.answer, 'Because of the bound.');
    const { bodyText, violation } = await stage.request(1);
    assert.equal(violation, undefined);
    assert.match(bodyText, /Why is the total wrong\?.*The loop stops.*And why is that\?/);
    assert.equal(await chat.turns.count(), 2);
    assert.match(await chat.turns.first().innerText(), /The loop stops\s+Stopped\./);
  });

  it('stops with Escape while the composer has the cursor, even before anything has come', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(answer(gate('before anything'), text('Too late.')));
    await chat.ask('Anyone there?');
    await simulator.reached('before anything');
    await chat.says(chat.turn, /Waiting for K3\.1 Pro/);
    await bench.page.keyboard.press('Escape');
    assert.equal(await (await stage.request(0)).closed, 'clientLeft');
    await chat.says(chat.notice, 'Stopped.');
  });

  it('asks the same again after a stop when told to, in the same place', async () => {
    const { chat, simulator } = stage;
    simulator.reply(answer(text('One, two, ', gate('counting'), 'three.')), answer(text('One, two, three.')));
    await chat.ask('Count');
    await simulator.reached('counting');
    await chat.says(chat.answer, 'One, two,');
    await chat.stop.click();
    await chat.press(chat.turn.getByRole('button', { name: 'Try again' }));
    await chat.says(chat.answer, 'One, two, three.');
    assert.equal(await chat.turns.count(), 1);
    assert.equal(await chat.answer.count(), 1);
    assert.equal((await stage.request(1)).bodyText, (await stage.request(0)).bodyText);
  });

  it('asks the chosen model with the chosen effort, and offers only efforts that it has', async () => {
    const { bench, chat, simulator } = stage;
    const efforts = (): Promise<string[]> => chat.effort.locator('option').allInnerTexts();
    assert.deepEqual(await efforts(), ['Low', 'High', 'Max']);
    await chat.effort.selectOption('Low');
    const low = await askOnce(0, 'Quick');
    assert.equal(low.body['model'], 'kimi-k3.1-pro');
    assert.deepEqual(low.body['reasoning'], { effort: 'low' });

    await chat.model.selectOption('K3');
    // What the other model has in the cache is of no use to this one.
    await chat.button('Switch').click();
    await bench.waitFor('the efforts of K3', async () => (await efforts()).join() === 'Max');
    assert.equal(await chat.effort.isDisabled(), true);
    const k3 = await askOnce(1, 'Thoroughly');
    assert.equal(k3.body['model'], 'kimi-k3');
    assert.equal(k3.body['reasoning'], undefined, 'its one effort is the default');

    await chat.model.selectOption('K3.1 Pro Highspeed');
    // What the other model has in the cache is of no use to this one.
    await chat.button('Switch').click();
    await bench.waitFor('the efforts of Highspeed', async () => (await efforts()).length === 3);
    assert.equal(await chat.effort.inputValue(), 'low', 'the effort that was chosen before');
    assert.equal((await askOnce(2, 'Fast')).body['model'], 'kimi-k3.1-pro-highspeed');

    // They are settings like all others.
    assert.deepEqual(
      await bench.inside((vscode) => {
        const settings = vscode.workspace.getConfiguration('kimiChat');
        return [settings.get('model'), settings.get('effort')];
      }),
      ['kimi-k3.1-pro-highspeed', 'low'],
    );
    await bench.changeSettings({ 'kimiChat.model': undefined, 'kimiChat.effort': undefined });
    await bench.waitFor('the default model', async () => (await chat.model.inputValue()) === 'kimi-k3.1-pro');

    async function askOnce(index: number, question: string): Promise<ReceivedRequest> {
      simulator.reply(answer(text(`${question}: done.`)));
      await chat.ask(question);
      await chat.says(chat.answer, `${question}: done.`);
      await chat.footer.last().waitFor();
      return stage.request(index);
    }
  });

  it('sends a second question so that the service finds the whole first one in its cache, and tells so', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(
      answer(reasoning('First.'), text('The first answer.')),
      vary(answer(reasoning('Second.'), text('The second answer.')), { deltas: 1 }),
    );
    await chat.question.click();
    await bench.page.keyboard.insertText(`Read this: ${'a word and another '.repeat(40)}`);
    await bench.page.keyboard.press('Enter');
    await chat.says(chat.footer, / cached$/);
    const first = await stage.request(0);
    await chat.ask('And now?');
    await chat.says(chat.answer, 'The second answer.');
    await chat.says(chat.footer, / cached$/);
    const second = await stage.request(1);

    // The cache knows beginnings in steps of 256 tokens.
    const [before, now] = [usageOf(first), usageOf(second)];
    assert.ok(before.input > 512, `${before.input} tokens`);
    assert.ok(now.cached >= Math.floor(before.input / 256) * 256, `${now.cached} of ${before.input} tokens`);
    const percent = Math.round((100 * now.cached) / now.input);
    assert.match(await chat.footer.innerText(), new RegExp(`\\s· ${percent}% cached$`));
    assert.equal(await chat.turns.count(), 2);
    assert.ok(second.bodyText.startsWith(first.bodyText.replace(/\]\}$/, ',')), 'byte for byte the same');
  });
});

function usageOf(request: ReceivedRequest): { readonly input: number; readonly cached: number } {
  const end = request.events.at(-1);
  assert.equal(end?.type, 'response.completed');
  const { usage } = end['response'] as {
    usage: { input_tokens: number; input_tokens_details: { cached_tokens: number } };
  };
  return { input: usage.input_tokens, cached: usage.input_tokens_details.cached_tokens };
}
