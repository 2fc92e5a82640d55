/** What the model may not read without asking, in the workbench: answered by the keyboard, once, and from wherever the person is. */
import assert from 'node:assert/strict';
import { answer, functionCall, gate, parallel, text } from '../simulator/main.ts';
import { lookAt } from './support/look.ts';
import { useStage } from './support/stage.ts';

const wants = (path: string): ReturnType<typeof functionCall> =>
  functionCall('read_file', { path, start_line: null, end_line: null });

describe('a question of a tool', () => {
  const stage = useStage({
    files: {
      '.gitignore': 'build/\n',
      'build/shop.js': 'export const built = true;\n',
      'build/map.json': '{"version": 3}\n',
      'src/shop.ts': 'export const built = false;\n',
    },
    open: { file: 'src/shop.ts' },
  });

  /** What has the cursor in the panel: its text, or the name of a field. */
  const atCursor = (): Promise<string> =>
    stage.chat.panel.locator('body').evaluate(({ ownerDocument: { activeElement } }) => {
      return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
    });
  const questionHasCursor = async (what: string): Promise<void> => {
    await stage.bench.waitFor(`${what} to have the cursor`, async () =>
      (await atCursor()).startsWith('Read this file?'),
    );
    await stage.bench.takesKeys(stage.chat.panel.locator('.approval:focus'));
  };

  it('is answered by key, remembered for the conversation, and told to the model', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(
      answer(parallel(wants('build/shop.js'), wants('build/map.json'))),
      answer(wants('build/shop.js')),
      answer(text('Seen.')),
    );
    await chat.ask('What is built?');
    const cards = chat.turn.locator('.approval');
    await cards.nth(1).waitFor();
    await chat.hasCursor();
    await bench.page.locator('.auxiliarybar .badge-content', { hasText: '2' }).waitFor();
    await lookAt(stage, 'asking', [
      [300, ['dark', 'light', 'highContrastDark']],
      [600, ['dark']],
    ]);

    await bench.runCommand('Kimi Chat: Show the Question That Waits');
    await questionHasCursor('the question');
    await bench.page.keyboard.press('Tab');
    assert.equal(await atCursor(), 'Path');
    await bench.page.keyboard.press('Tab');
    assert.equal(await atCursor(), 'Allow');
    // Keys that decide something are not taken in the first moment.
    await bench.pressKey('Enter', async () => (await cards.count()) === 1);

    // On at the other one.
    await questionHasCursor('the other question');
    for (const stop of ['Path', 'Allow', 'Deny', 'Deny, and say why']) {
      await bench.page.keyboard.press('Tab');
      assert.equal(await atCursor(), stop);
    }
    await bench.page.keyboard.press('Enter');
    await bench.takesKeys(cards.getByRole('textbox'));
    await bench.page.keyboard.type('It is too long.');
    await bench.pressKey('Enter', async () => (await cards.count()) === 0);
    await chat.says(chat.answer, 'Seen.');

    const { bodyText } = await stage.request(1);
    assert.match(bodyText, /1\|export const built = true;/);
    assert.match(bodyText, /does not allow you to read build\/map\.json\. Their reason: It is too long\./);
    assert.doesNotMatch(bodyText, /version/);
    // The second time nobody was asked.
    assert.equal((await stage.request(2)).bodyText.split('1|export const built = true;').length, 3);
    const line = chat.turn.locator('.tools > .fold-line');
    await chat.says(line, /1 not allowed/);
  });

  it('is told of where nobody sees it, and leads there', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(
      answer(text('Let me see. ', gate('hidden')), wants('build/shop.js')),
      answer(text('Seen.')),
    );
    await chat.ask('What is built?');
    await chat.says(chat.answer, 'Let me see.');
    await bench.inside((vscode) => vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar'));
    await chat.question.waitFor({ state: 'hidden' });
    simulator.open('hidden');
    const told = await bench.sees('Kimi Chat waits for your permission to read a file or folder.');
    // It has nothing that allows.
    const buttons = told.locator('.monaco-button');
    assert.deepEqual(await buttons.allInnerTexts(), ['Show']);
    await bench.press(buttons.first());
    await questionHasCursor('the question');
    await chat.press(chat.button('Allow'));
    await chat.says(chat.answer, 'Seen.');
  });

  it('is not allowed by a question that goes on without it', async () => {
    const { chat, simulator } = stage;
    simulator.reply(answer(wants('build/shop.js')), answer(text('Well.')));
    await chat.ask('What is built?');
    await chat.turn.locator('.approval').waitFor();
    await chat.ask('Never mind');
    await chat.says(chat.answer, 'Well.');
    assert.match((await stage.request(1)).bodyText, /went on without an answer/);
    assert.equal(await chat.panel.locator('.approval').count(), 0);
  });
});
