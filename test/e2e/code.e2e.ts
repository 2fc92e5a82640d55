/** Code, formulas, footnotes and links of an answer, in the workbench: applied where the person says, and never written unasked. */
import assert from 'node:assert/strict';
import { answer, text } from '../simulator/main.ts';
import { lookAt } from './support/look.ts';
import { useStage } from './support/stage.ts';

const cart = 'export function total(items) {\r\n\tlet sum = 0;\r\n\treturn sum;\r\n}\r\n';
const loop = 'for (const item of items) {\n  sum += item.price;\n}';

describe('code of an answer', () => {
  const stage = useStage({
    files: { 'src/cart.ts': cart, 'src/other.ts': 'export {};\n' },
    open: { file: 'src/cart.ts', line: 2 },
    // What is written unasked is what the model proposes by itself, never what a person wants to look at.
    settings: { 'kimiChat.patchMode': 'acceptAutomatically', 'editor.detectIndentation': true },
  });

  async function answered(markdown: string): Promise<void> {
    stage.simulator.reply(answer(text(markdown)));
    await stage.chat.ask('How?');
    await stage.chat.footer.waitFor();
  }

  /** Presses `Apply…` and chooses in VS Code's own list. */
  async function apply(place: RegExp): Promise<void> {
    const { bench, chat } = stage;
    await chat.turn.getByRole('button', { name: 'Apply…' }).click();
    const row = bench.page.locator('.quick-input-list .monaco-list-row', { hasText: place });
    await row.waitFor();
    await bench.screenshot(`story-apply-${place.source.replace(/\W+/g, '-')}`);
    await row.click();
  }

  it('goes to the cursor, as a diff that is accepted, and back', async () => {
    const { bench, chat } = stage;
    await bench.openFile('src/cart.ts', 3);
    await answered(`Add this:\n\n\`\`\`ts\n${loop}\n\`\`\``);
    await apply(/At the cursor\s*src\/cart\.ts, line 3/);
    const applied = chat.turn.locator('.applied');
    await chat.says(applied, /src\/cart\.ts\s*Proposed/);
    await bench.waitFor('the diff', async () => (await bench.diff()) !== undefined);
    assert.equal(await bench.text('src/cart.ts'), cart);
    await bench.screenshot('story-apply-proposed');
    await lookAt(stage, 'applied', [[300, ['dark', 'light', 'highContrastDark']]]);
    await bench.setPanelWidth(420);
    await bench.setTheme('dark');
    await chat.press(applied.getByRole('button', { name: 'Accept' }));
    await chat.says(applied, /Applied/);
    const after = cart.replace(
      '\treturn',
      '\tfor (const item of items) {\r\n\t\tsum += item.price;\r\n\t}\r\n\treturn',
    );
    assert.equal(await bench.text('src/cart.ts'), after);
    await chat.press(applied.getByRole('button', { name: 'Take back' }));
    await chat.says(applied, /Taken back/);
    assert.equal(await bench.text('src/cart.ts'), cart);
  });

  it('takes the place of the selection, and is rejected', async () => {
    const { bench, chat } = stage;
    await bench.selectLines('src/cart.ts', 2, 2);
    await answered('```ts\nlet sum = 1;\n```');
    await apply(/Over the selection/);
    const applied = chat.turn.locator('.applied');
    await chat.says(applied, /Proposed/);
    await bench.waitFor('the diff', async () =>
      /\n\tlet sum = 1;\r?\n\treturn/.test((await bench.diff())?.right ?? ''),
    );
    await chat.press(applied.getByRole('button', { name: 'Reject' }));
    await chat.says(applied, /Rejected/);
    assert.equal(await bench.text('src/cart.ts'), cart);
  });

  it('becomes a whole file, the one that is open or a new one of a name that is asked for', async () => {
    const { bench, chat } = stage;
    await bench.openFile('src/other.ts');
    await answered('```ts title="src/new/sum.ts"\nexport const one = 1;\n```');
    await apply(/As a new file/);
    const name = bench.page.locator('.quick-input-widget input');
    await bench.waitFor('the name', async () => (await name.inputValue()) === 'src/new/sum.ts');
    await bench.takesKeys(name);
    await bench.page.keyboard.press('Enter');
    const applied = chat.turn.locator('.applied').last();
    await chat.says(applied, /src\/new\/sum\.ts\s*Proposed/);
    await chat.press(applied.getByRole('button', { name: 'Accept' }));
    await chat.says(applied, /Applied/);
    assert.equal(await bench.text('src/new/sum.ts'), 'export const one = 1;\n');
    await bench.openFile('src/other.ts');
    await apply(/As the whole file\s*src\/other\.ts/);
    await chat.says(applied, /src\/other\.ts\s*Proposed/);
    await chat.press(applied.getByRole('button', { name: 'Accept' }));
    await chat.says(applied, /Applied/);
    assert.equal(await bench.text('src/other.ts'), 'export const one = 1;\n');
  });

  it('is called off with Escape, and nothing was proposed', async () => {
    const { bench, chat } = stage;
    await answered('```ts\nx();\n```');
    await chat.turn.getByRole('button', { name: 'Apply…' }).press('Enter');
    await bench.page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    await bench.takesKeys(bench.page.locator('.quick-input-widget'));
    await bench.page.keyboard.press('Escape');
    await bench.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    assert.equal(await chat.turn.locator('.applied').count(), 0);
  });

  it('is inserted at the cursor, and copied with all of the answer, by the keyboard', async () => {
    const { bench, chat } = stage;
    await bench.openFile('src/cart.ts', 3);
    await answered('Call it:\n\n```ts\nx();\n```');
    await chat.turn.getByRole('button', { name: 'Insert at cursor' }).press('Enter');
    const after = cart.replace('\treturn', 'x();\treturn');
    await bench.waitFor('the code in the file', async () => (await bench.text('src/cart.ts')) === after);
    await chat.footer.getByRole('button', { name: 'Copy answer' }).press('Enter');
    await bench.waitFor('the answer in the clipboard', async () => {
      const copied = await bench.inside((vscode) => vscode.env.clipboard.readText());
      return copied.trim() === 'Call it:\n\n```ts\nx();\n```';
    });
  });

  it('wraps, has formulas, footnotes by keyboard and links that are asked about, and loads nothing', async () => {
    const { bench, chat } = stage;
    await answered(
      [
        'It is \\(\\frac{a}{b}\\) for $5 and $HOME[^1] ![x](https://evil.test/a.png)',
        '$$\n\\sum_{i=1}^n x_i\n$$',
        `\`\`\`ts\nconst x = '${'long '.repeat(60)}';\n\`\`\``,
        '[https://bank.example](https://evil.test/x) <img src="https://evil.test/b.png">',
        '[^1]: The **note**.',
      ].join('\n\n'),
    );
    const { turn } = chat;
    await turn.locator('.formula math').nth(1).waitFor();
    const wrap = turn.getByRole('button', { name: 'Wrap lines' });
    await wrap.focus();
    await bench.page.keyboard.press('Enter');
    await turn.locator('[aria-pressed="true"]').and(wrap).waitFor();
    await turn.getByLabel('Footnote 1', { exact: true }).focus();
    await bench.page.keyboard.press('Enter');
    const note = turn.locator('[data-note="1"]');
    await bench.waitFor('the note to have the cursor', () =>
      note.evaluate((each) => each === each.ownerDocument.activeElement),
    );
    await turn.getByRole('link', { name: 'https://bank.example' }).focus();
    await bench.page.keyboard.press('Enter');
    await turn.getByText('The text says bank.example, but this leads to evil.test.').waitFor();
    await lookAt(stage, 'rich', [
      [300, ['dark', 'light', 'highContrastDark']],
      [600, ['dark']],
    ]);
    await bench.setPanelWidth(420);
    await bench.setTheme('dark');
    await bench.page.keyboard.press('Escape');
    await turn.locator('.link-question').waitFor({ state: 'detached' });
    assert.deepEqual(
      bench.panelRequests.filter((url) => url.includes('evil.test')),
      [],
    );
  });
});
