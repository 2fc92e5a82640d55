/** What stands between a question and its answer, as a person meets it: reasoning, calls, searches with sources, and what fills the window. */
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import {
  annotated,
  answer,
  functionCall,
  parallel,
  reasoning,
  text,
  unasked,
  webSearch,
} from '../simulator/main.ts';
import { lookAt, type Pictures } from './support/look.ts';
import { useStage } from './support/stage.ts';

const pictures: Pictures = [
  [300, ['dark', 'light', 'highContrastDark']],
  [600, ['dark', 'light']],
];

describe('the parts of a turn', () => {
  const stage = useStage({ open: { file: 'src/cart.ts', line: 22 }, size: { width: 1440, height: 900 } });

  before('keep the first side bar out of the picture', async () => {
    await stage.bench.inside((vscode) =>
      vscode.commands.executeCommand('workbench.action.toggleSidebarVisibility'),
    );
  });

  const look = (state: string): Promise<void> => lookAt(stage, `parts-${state}`, pictures);

  it('open and fold by keyboard, tell neighbouring calls in one line, and lead to their sources', async () => {
    const { bench, chat, simulator } = stage;
    const said = 'Prices are rounded to cents. The tax comes last.';
    simulator.reply(
      answer(
        reasoning('Look at the cart and at the tax.', 'Then search for the rule.'),
        parallel(
          functionCall('read_file', { path: 'src/cart.ts' }),
          functionCall('read_file', { path: 'src/tax.ts' }),
        ),
      ),
      answer(
        unasked(
          webSearch('rounding of prices', [
            { url: 'https://example.test/rounding', title: 'How prices are rounded' },
            { url: 'https://evil.test/login', title: 'bank.test: sign in' },
          ]),
        ),
        reasoning('The rule is clear.'),
        annotated(
          text(said),
          { type: 'url_citation', url: 'https://example.test/rounding', start_index: 0, end_index: 28 },
          {
            type: 'url_citation',
            url: 'https://third.test/',
            title: 'Tax',
            start_index: 29,
            end_index: said.length,
          },
        ),
      ),
    );
    await chat.ask('How are prices rounded?');
    await chat.says(chat.answer, /rounded to cents\.1 The tax comes last\.3/);

    const thought = chat.reasoning.first().locator('.fold-line');
    await chat.says(thought, /^Thought for/);
    assert.equal(await thought.getAttribute('aria-expanded'), 'false');
    await thought.press('Enter');
    await chat.says(chat.reasoning.first(), /Look at the cart[\s\S]*Then search/);
    assert.equal(await thought.getAttribute('aria-expanded'), 'true');

    // The second file is not there: in one line, and each with what went in and came out.
    const calls = chat.turn.locator('.tools');
    await chat.says(calls, /^Read cart\.ts, tax\.ts\s· 1 failed$/);
    await calls.locator('.fold-line').first().press('Enter');
    const second = calls.locator('.tool .fold-line').nth(1);
    await chat.says(second, /^Reading tax\.ts\s· failed$/);
    await second.press('Enter');
    await chat.says(calls, /Input[\s\S]*src\/tax\.ts[\s\S]*Result/);

    const search = chat.turn.locator('.search').first();
    const line = search.locator('.fold-line');
    await chat.says(line, 'Searched the web for “rounding of prices” · 2 sources');
    await line.press('Enter');
    await chat.says(search, /How prices are rounded example\.test[\s\S]*bank\.test: sign in evil\.test/);
    await look('open');
    const named = chat.turn.locator('.search').last();
    await chat.says(named, 'The answer names 1 source');

    // The link is opened by the editor, which asks first: nothing leaves for an unknown host.
    const isAskedAbout = async (asked: Locator): Promise<void> => {
      const dialog = bench.page.locator('.monaco-dialog-box');
      await asked.focus();
      await bench.takesKeys(asked);
      await bench.page.keyboard.press('Enter');
      await chat.says(dialog, /example\.test\/rounding/);
      await bench.takesKeys(dialog);
      await bench.page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    };
    const link = search.getByRole('link', { name: 'How prices are rounded, example.test' });
    await isAskedAbout(link);
    const reference = chat.answer.getByRole('link', {
      name: /^Source 1: example\.test$|^Source 1: How prices/,
    });
    await isAskedAbout(reference);

    await bench.changeSettings({ 'kimiChat.reasoning': 'open' });
    simulator.reply(answer(reasoning('A second thought.'), text('Yes.')));
    await chat.ask('Sure?');
    await chat.says(chat.answer, 'Yes.');
    await chat.says(chat.reasoning, 'A second thought.');
    assert.equal(await chat.reasoning.locator('.fold-line').getAttribute('aria-expanded'), 'true');
    const [, next] = simulator.requests
      .map(({ body }) => body as { input: readonly { type: string }[] })
      .slice(-2);
    assert.ok(next?.input.some(({ type }) => type === 'web_search_call'));
  });

  it('can leave the window one by one, with what that does to the next question, and come back', async () => {
    const { bench, chat, simulator } = stage;
    await bench.inside((vscode) => vscode.commands.executeCommand('kimiChat.attachActive'));
    await chat.chips.first().waitFor();
    simulator.reply(answer(reasoning('Think. '.repeat(200)), text('The loop. '.repeat(100))));
    await chat.ask('Why?');
    await chat.says(chat.answer, 'The loop.');
    await chat.footer.waitFor();
    await chat.panel.locator('.meter-line').press('Enter');
    const details = chat.panel.locator('.meter-details');
    const files = details.getByRole('button', { name: 'Leave out attachments' });
    await files.waitFor();
    await chat.says(details, /Attachments\s*[\d.]+k?\s*Leave out\s*frees about [\d.]+k? tokens; /);
    await chat.says(details, /Last turn: /);
    await details.locator('.map-files .fold-line').press('Enter');
    await look('window');
    const file = details.getByRole('button', { name: 'Leave out cart.ts' });
    await file.focus();
    await chat.press(file, async () => (await chat.turn.locator('.cut').count()) > 0);
    await chat.says(details, /Something of 1 turn is left out/);
    await chat.says(chat.turn.locator('.cut'), 'Of this turn the model no longer sees 1 attachment.');
    await files.waitFor({ state: 'detached' });
    const back = details.getByRole('button', { name: 'Put all of it back' });
    await chat.press(back, async () => (await chat.turn.locator('.cut').count()) === 0);
    await files.waitFor();
  });
});
