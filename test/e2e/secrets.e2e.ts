/** What looks secret, in the workbench: pointed out before it is sent, masked, sent anyway or not at all, and kept back when a tool read it. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { answer, functionCall, text } from '../simulator/main.ts';
import { lookAt, type Pictures } from './support/look.ts';
import { useStage } from './support/stage.ts';

const pictures: Pictures = [
  [300, ['dark', 'light', 'highContrastDark']],
  [600, ['dark', 'light', 'highContrastDark']],
];

/** Put together, so that this file is no leak to whoever looks for one. */
const random = 'q7Zb2XvK9mTf4RwYc8JdP3sLhG6nAeUoB5iDxWkM';
const token = `ghp_${random.slice(0, 36)}`;
const password = `Zu9-${random.slice(5, 15)}`;
const another = `hf_${random.slice(3, 37)}`;

describe('what looks secret', () => {
  const stage = useStage({ open: { file: 'src/cart.ts' }, size: { width: 1440, height: 900 } });

  before('write files that hold some', async () => {
    const { folder } = stage.bench;
    await writeFile(path.join(folder, '.env'), `PORT=3000\nGITHUB_TOKEN=${token}\nDB_PASSWORD=${password}\n`);
    await mkdir(path.join(folder, 'config'));
    await writeFile(
      path.join(folder, 'config/local.ts'),
      `export const port = 1;\nexport const token = '${another}';\n`,
    );
  });

  async function attach(file: string): Promise<void> {
    const { bench, chat } = stage;
    await bench.inside(
      (vscode, name) =>
        vscode.commands.executeCommand(
          'kimiChat.attachFile',
          vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, name),
        ),
      file,
    );
    await chat.chips.filter({ hasText: path.basename(file) }).waitFor();
  }

  const requests = (): number => stage.simulator.requests.length;

  it('is pointed out before it is sent, and masked by the keyboard alone', async () => {
    const { bench, chat, simulator } = stage;
    await attach('.env');
    const before = requests();
    await chat.ask('What is in there?');
    const found = chat.panel.locator('.secrets-found');
    await chat.says(found, '2 places here look secret. Nothing was sent yet.');
    const listed = await found.locator('.secret-places').innerText();
    assert.match(
      listed,
      /^\.env\s+GitHub\s· Key or token\s· line 2\nghp_q7Zb… \(36 characters\)\s+Password\s· line 3\nDB_PASSWORD=Z… \(14 characters\)$/,
    );
    // Who types on goes on typing.
    await chat.hasCursor();
    await lookAt(stage, 'secrets-found', pictures);
    assert.equal(requests(), before);

    simulator.reply(answer(text('Two values.')));
    await chat.goToComposer();
    await bench.page.keyboard.press('Tab');
    await bench.page.keyboard.press('Tab');
    const mask = found.getByRole('button', { name: 'Mask and send' });
    assert.ok(await mask.evaluate((button) => button === button.ownerDocument.activeElement));
    await bench.page.keyboard.press('Enter');
    await chat.says(chat.answer, 'Two values.');
    await chat.hasCursor();
    const { bodyText } = await stage.request(0);
    assert.ok(!bodyText.includes(token) && !bodyText.includes(password));
    assert.match(bodyText, /PORT=3000\\nGITHUB_TOKEN=ghp_\*{48}\\nDB_PASSWORD=\*{16}/);

    // The chip opens what was sent.
    await chat.turn.locator('.chip-open').click();
    await bench.waitFor('what was sent to be shown', () =>
      bench.inside(
        (vscode) => vscode.window.activeTextEditor?.document.getText().includes('ghp_****') === true,
      ),
    );
  });

  it('is sent when the person says so, and not asked about again', async () => {
    const { chat, simulator } = stage;
    simulator.reply(answer(text('It is a token.')), answer(text('Still one.')));
    await chat.ask(`What is ${token}?`);
    const found = chat.panel.locator('.secrets-found');
    await chat.says(found, 'What you typed');
    await chat.press(found.getByRole('button', { name: 'Send anyway' }));
    await chat.says(chat.answer, 'It is a token.');
    assert.ok((await stage.request(0)).bodyText.includes(token));
    await chat.ask(`And ${token} now?`);
    await chat.says(chat.answer, 'Still one.');
    assert.equal(await found.count(), 0);
  });

  it('stays here when the person thinks better of it, with all that they wrote', async () => {
    const { bench, chat, simulator } = stage;
    const before = requests();
    await attach('config/local.ts');
    await chat.ask('Which port?');
    const found = chat.panel.locator('.secrets-found');
    await chat.says(found, 'Something here looks secret. Nothing was sent yet.');
    await found.getByRole('button', { name: 'Cancel' }).click();
    await found.waitFor({ state: 'detached' });
    await chat.hasCursor();
    assert.equal(await chat.question.inputValue(), 'Which port?');
    assert.equal(await chat.chips.count(), 1);
    assert.equal(requests(), before);

    // Taking the chip off is an answer too.
    await bench.page.keyboard.press('Enter');
    await found.waitFor();
    await chat.panel.getByRole('button', { name: 'Remove config/local.ts' }).click();
    await found.waitFor({ state: 'detached' });
    simulator.reply(answer(text('None.')));
    await chat.question.press('Enter');
    await chat.says(chat.answer, 'None.');
    assert.ok(!(await stage.request(0)).bodyText.includes('local.ts'));
  });

  it('is kept from the model when a tool has read it, or masked, as the person decides', async () => {
    const { chat, simulator } = stage;
    const read = functionCall('read_file', { path: 'config/local.ts', start_line: null, end_line: null });
    simulator.reply(answer(read), answer(text('Then without it.')));
    await chat.ask('Which port is it?');
    const card = chat.turn.locator('.approval');
    await chat.says(card, /config\/local\.ts \(read_file\)/);
    await chat.says(card, /Hugging Face\s· Key or token\s· line 2/);
    await lookAt(stage, 'secrets-read', [
      [300, ['dark']],
      [600, ['light']],
    ]);
    assert.equal(simulator.repliesLeft, 1);
    await chat.press(card.getByRole('button', { name: 'Keep back', exact: true }));
    await chat.says(chat.answer, 'Then without it.');
    const first = (await stage.request(1)).bodyText;
    assert.match(first, /what it returned is not shown to you/);
    assert.ok(!first.includes(another) && !first.includes('export const port'));

    simulator.reply(answer(read), answer(text('It is 1.')));
    await chat.ask('Look again');
    await chat.press(card.getByRole('button', { name: 'Mask and send' }));
    await chat.says(chat.answer, 'It is 1.');
    const second = (await stage.request(3)).bodyText;
    assert.ok(!second.includes(another));
    assert.match(second, /1\|export const port = 1;\\n2\|export const token = 'hf_\*{48}';/);
  });
});
