/** What the model may look up by itself, as a person sees it: rounds of calls, their limit, the web, and a question that interrupts. */
import assert from 'node:assert/strict';
import { answer, functionCall, gate, parallel, reasoning, text, webSearch } from '../simulator/main.ts';
import { useStage } from './support/stage.ts';

describe('a model that looks for itself', () => {
  const stage = useStage({ settings: { 'kimiChat.maxRounds': 3 } });

  it('reads and searches the workspace in rounds, up to the limit, and goes on when the person says so', async () => {
    const { chat, simulator, bench } = stage;
    const read = (path: string) => functionCall('read_file', { path });
    simulator.reply(
      answer(
        reasoning('Look around.'),
        parallel(read('src/cart.ts'), read('src/money.ts'), functionCall('list_files', { path: 'src' })),
      ),
      answer(parallel(functionCall('search_text', { pattern: 'taxWithin' }), read('src/none.ts'))),
      answer(read('src/receipt.ts')),
    );
    await chat.ask('How is tax reckoned?');
    await chat.says(chat.notice, 'The turn was ended after 3 requests in a row without an answer.');
    const [, second, third] = await Promise.all([0, 1, 2].map((index) => stage.request(index)));
    const results = outputs(second?.body['input']);
    assert.match(results[0] ?? '', /^src\/cart\.ts, lines 1 to \d+ of \d+:\n1\|/);
    assert.match(results[1] ?? '', /^src\/money\.ts, /);
    assert.match(results[2] ?? '', /^\d files in src:\n.*src\/receipt\.ts$/s);
    assert.match(
      outputs(third?.body['input'])[3] ?? '',
      /src\/money\.ts\n {2}\d+: export function taxWithin/,
    );
    await chat.says(chat.turn.locator('.tools').first(), /cart\.ts/);
    await bench.screenshot('story-rounds');

    simulator.reply(answer(text('By taxWithin.')));
    await chat.press(chat.notice.getByRole('button', { name: 'Continue' }));
    await chat.says(chat.answer, 'By taxWithin.');
    assert.equal(outputs((await stage.request(3)).body['input']).length, 6);
  });

  it('searches the web in the conversation in which it is switched on', async () => {
    const { chat, simulator, bench } = stage;
    const web = chat.button('Web search');
    await web.press('Enter');
    await chat.panel.locator('.web-search[aria-pressed="true"]').waitFor();
    simulator.reply(
      answer(
        webSearch(
          'rounding of prices',
          [{ url: 'https://example.test/rounding', title: 'Rounding, by shop.test' }],
          [{ type: 'image_result', image_url: 'https://example.test/chart.png' }],
        ),
        reasoning('Found.'),
        text('Half up.'),
      ),
    );
    await chat.ask('How are prices rounded elsewhere?');
    await chat.says(chat.answer, 'Half up.');
    const { body } = await stage.request(0);
    assert.deepEqual((body['tools'] as readonly object[]).at(-1), {
      type: 'web_search',
      search_content_types: ['text', 'image'],
    });
    const search = chat.turn.locator('.search');
    await search.locator('.fold-line').press('Enter');
    await chat.says(search, /Rounding, by shop\.test example\.test/);
    await chat.says(search, 'The text says shop.test, but this leads to example.test.');
    await search.getByRole('link', { name: /^Image, example\.test$/ }).waitFor();
    await bench.screenshot('story-web-search');

    await chat.startNew();
    // The other conversation has its own.
    await chat.panel.locator('.web-search[aria-pressed="false"]').waitFor();
  });

  it('is interrupted by a question that can’t wait', async () => {
    const { chat, simulator, bench } = stage;
    simulator.reply(
      answer(text('A long story: ', gate('story'), 'the end.')),
      answer(text('Only the total.')),
    );
    await chat.ask('Tell me all of it');
    await simulator.reached('story');
    await chat.write('Stop, only the total');
    await chat.button('Interrupt and send').waitFor();
    await bench.page.keyboard.press('Control+Enter');
    await chat.says(chat.answer, 'Only the total.');
    assert.equal(await chat.turns.count(), 2);
    await chat.says(chat.turns.first(), /A long story:/);
    assert.equal(await chat.question.inputValue(), '');
    simulator.open('story');
  });
});

/** What tools returned so far. */
function outputs(input: unknown): readonly string[] {
  const items = input as readonly { readonly type: string; readonly output: string }[];
  return items.flatMap(({ type, output }) => (type.endsWith('_output') ? [output] : []));
}
