/** What a person can do after a patch was accepted, or before they decide on it: take it back, have it accepted unasked, go on asking. */
import assert from 'node:assert/strict';
import { answer, applyPatch, gate, text } from '../simulator/main.ts';
import { faultsOf } from './support/look.ts';
import { useStage } from './support/stage.ts';

describe('around the decision on a patch', () => {
  const stage = useStage({ settings: { 'files.autoSave': 'off' } });

  const update = (file: string, ...hunk: readonly string[]) =>
    applyPatch(
      ['*** Begin Patch', `*** Update File: ${file}`, '@@', ...hunk, '*** End Patch', ''].join('\n'),
    );

  /** Takes a picture at a narrow width, where things get tight. */
  async function look(state: string): Promise<void> {
    const { bench, chat } = stage;
    await bench.setPanelWidth(300);
    await bench.screenshot(state, bench.page.locator('.part.auxiliarybar'));
    assert.deepEqual(await faultsOf(chat.panel), []);
  }

  it('takes an accepted patch back after further edits, which stay, and the model hears of it', async () => {
    const { bench, chat, simulator } = stage;
    const before = (await bench.onDisk('src/money.ts')) ?? '';
    const line = 'export type Cents = number;';
    assert.ok(before.includes(line));
    simulator.reply(
      answer(update('src/money.ts', `-${line}`, '+export type Cents = bigint;')),
      answer(text('Cents are big now.')),
      answer(text('As you like.')),
    );
    await chat.ask('Make cents big');
    await chat.press(chat.patch.getByRole('button', { name: 'Accept' }));
    await chat.says(chat.answer.last(), 'Cents are big now.');
    assert.match((await bench.onDisk('src/money.ts')) ?? '', /Cents = bigint/);
    await look('patch-accepted-300');

    await bench.openFile('src/money.ts', 1);
    await bench.page.keyboard.press('ControlOrMeta+End');
    await bench.page.keyboard.type('// mine');
    await bench.waitFor('the typed text to be there', async () =>
      ((await bench.text('src/money.ts')) ?? '').endsWith('// mine'),
    );
    await chat.press(chat.patch.getByRole('button', { name: 'Take back' }));
    await chat.says(chat.patch, 'Taken back');
    assert.equal(await bench.text('src/money.ts'), `${before}// mine`);
    await chat.says(chat.patch, 'Your later changes in other lines are still there.');
    await look('patch-taken-back-300');

    await chat.ask('And now?');
    await chat.says(chat.answer.last(), 'As you like.');
    const { bodyText } = await stage.request(2);
    assert.match(bodyText, /"role":"developer".*took back changes.*And now\?/);
    await bench.inside((vscode) => vscode.commands.executeCommand('workbench.action.files.revert'));
  });

  it('writes patches at once where that was chosen in the composer, shows them afterwards, and asks before some', async () => {
    const { bench, chat, simulator } = stage;
    const before = (await bench.onDisk('src/receipt.ts')) ?? '';
    const [line = ''] = before.split('\n');
    const mode = chat.panel.getByRole('combobox', { name: 'Patches' });
    await mode.selectOption({ label: 'At once' });
    const dialog = bench.page.locator('.monaco-dialog-box');
    await chat.says(dialog, 'Write patches of the model without asking?');
    // What has the cursor changes nothing, and until then nothing is changed.
    await bench.takesKeys(dialog);
    await bench.page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await bench.waitFor('the choice to be as before', async () => (await mode.inputValue()) === 'ask');
    await mode.selectOption({ label: 'At once' });
    await dialog.getByRole('button', { name: 'Write at Once' }).click();
    await bench.waitFor('patches to be written at once', async () => (await mode.inputValue()) !== 'ask');
    simulator.reply(
      answer(update('src/receipt.ts', `-${line}`, `+// first`, `+${line}`)),
      answer(text('Written.')),
      answer(applyPatch('*** Begin Patch\n*** Add File: .vscode/tasks.json\n+{}\n*** End Patch\n')),
      answer(text('As you say.')),
    );
    await chat.ask('Add a line');
    await chat.says(chat.answer.last(), 'Written.');
    assert.equal(await bench.onDisk('src/receipt.ts'), `// first\n${before}`);
    await chat.patch.getByRole('button', { name: /receipt\.ts/ }).click();
    await bench.waitFor('what was changed to be shown', async () => {
      const diff = await bench.diff();
      return diff?.left === before && diff.right === `// first\n${before}`;
    });
    await look('patch-accepted-automatically-300');
    await chat.press(chat.patch.getByRole('button', { name: 'Take back' }));
    await chat.says(chat.patch, 'Taken back');
    assert.equal(await bench.onDisk('src/receipt.ts'), before);

    await chat.ask('Add a task');
    await chat.says(chat.patch, 'Accepting asks once more. An editor obeys this file');
    assert.equal(await bench.onDisk('.vscode/tasks.json'), undefined);
    await look('patch-protected-300');
    await chat.press(chat.patch.getByRole('button', { name: 'Reject' }), () =>
      chat.patch.getByRole('textbox').isVisible(),
    );
    await chat.press(chat.patch.getByRole('button', { name: 'Reject' }).last());
    await chat.says(chat.answer.last(), 'As you say.');
    await mode.selectOption({ label: 'Ask first' });
    await bench.waitFor('patches to wait again', () =>
      bench.inside((vscode) => vscode.workspace.getConfiguration('kimiChat').get('patchMode') === 'ask'),
    );
  });

  it('lets the next question be asked while a patch waits, which can be decided on afterwards', async () => {
    const { bench, chat, simulator } = stage;
    const before = (await bench.onDisk('src/cart.ts')) ?? '';
    const [line = ''] = before.split('\n');
    simulator.reply(
      answer(update('src/cart.ts', `-${line}`, `+// first`, `+${line}`)),
      answer(text('It adds a line.')),
      answer(text('I see.')),
    );
    await chat.ask('Add a line');
    await chat.says(chat.patch, 'Patch for 1 file');
    await chat.write('What does it do?');
    await look('patch-waits-300');
    await chat.send.click();
    await chat.says(chat.answer.last(), 'It adds a line.');
    const card = chat.turns.first().getByRole('group', { name: 'Patch', exact: true });
    await look('patch-left-300');
    await chat.press(card.getByRole('button', { name: 'Accept' }));
    await chat.says(card, 'Applied to 1 file');
    assert.equal(await bench.onDisk('src/cart.ts'), `// first\n${before}`);
    await chat.ask('Good');
    await chat.says(chat.answer.last(), 'I see.');
    assert.match((await stage.request(1)).bodyText, /not decided yet.*What does it do\?/);
    assert.match((await stage.request(2)).bodyText, /has now decided.*Applied: 1 file changed.*Good/);
  });

  it('leaves every key to the editor in which somebody types, when a patch arrives and when an answer ends', async () => {
    const { bench, chat, simulator } = stage;
    const before = (await bench.onDisk('src/money.ts')) ?? '';
    const [line = ''] = ((await bench.onDisk('src/receipt.ts')) ?? '').split('\n');
    simulator.reply(
      answer(text('Look ', gate('patch')), update('src/receipt.ts', `-${line}`, `+// first`, `+${line}`)),
      answer(text('It adds ', gate('end'), 'a line.')),
    );
    let typed = '// ';
    for (const [round, question] of [
      ['patch', 'Add a line'],
      ['end', 'What does it do?'],
    ] as const) {
      await chat.ask(question);
      await simulator.reached(round);
      await bench.openFile('src/money.ts');
      await bench.page.keyboard.press('ControlOrMeta+End');
      if (round === 'patch') await bench.page.keyboard.type(typed);
      const arrived = round === 'patch' ? chat.patch : chat.footer;
      simulator.open(round);
      // Some before it comes, some while it comes, and some after it.
      for (let after = 0; after < 10;) {
        const key = String.fromCodePoint(97 + (typed.length % 26));
        await bench.page.keyboard.type(key);
        typed += key;
        if (await arrived.isVisible()) after += 1;
      }
      const all = before + typed;
      await bench.waitFor('each of the keys to be in the file', async () => {
        return (await bench.text('src/money.ts')) === all;
      });
    }
    const card = chat.turns.first().getByRole('group', { name: 'Patch', exact: true });
    await chat.press(card.getByRole('button', { name: 'Reject' }));
    await chat.says(card, 'Rejected');
    await bench.openFile('src/money.ts');
    await bench.inside((vscode) => vscode.commands.executeCommand('workbench.action.files.revert'));
  });

  it('brings a patch that waits back with its diffs when the window is loaded anew', async () => {
    const { bench, chat, simulator } = stage;
    // What earlier patches have opened would come back too.
    await bench.inside((vscode) => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
    const before = (await bench.onDisk('src/cart.ts')) ?? '';
    const after = `// again\n${before}`;
    const [line = ''] = before.split('\n');
    simulator.reply(
      answer(
        applyPatch(
          ['*** Begin Patch', '*** Update File: src/cart.ts', '@@', `-${line}`, '+// again', `+${line}`].join(
            '\n',
          ),
          '\n*** Add File: src/new.ts\n+export {};\n*** End Patch\n',
        ),
      ),
    );
    await chat.ask('Add a line and a file');
    await chat.says(chat.patch, 'Patch for 2 files');
    const isShown = async (right: string): Promise<boolean> => (await bench.diff())?.right === right;
    await bench.waitFor('the first diff to open by itself', () => isShown(after));
    await chat.patch.locator('.patch-open', { hasText: 'new.ts' }).click();
    await bench.waitFor('the other diff to be in front', () => isShown('export {};\n'));
    await chat.patch.locator('.patch-open', { hasText: 'cart.ts' }).click();
    await bench.waitFor('the diff to be in front', () => isShown(after));
    const labels = (await bench.tabs()).map(({ label }) => label);
    assert.deepEqual(
      labels.filter((label) => label.includes('(')),
      ['cart.ts (patch)', 'new.ts (new file)'],
    );

    await bench.reload();
    // Which of them are open, and which is in front, is what VS Code had saved before.
    const sides = ['export {};\n', after];
    await bench.waitFor('a diff to be back', async () => sides.includes((await bench.diff())?.right ?? ''));
    await chat.says(chat.patch, 'Patch for 2 files');
    await bench.screenshot('story-review-reloaded');
    for (const { label } of await bench.tabs()) assert.ok(labels.includes(label), label);
    const first = (await bench.diff())?.right;
    await bench.runCommand('Kimi Chat: Accept the Proposed Changes');
    await bench.waitFor('the other file to be in front', () =>
      isShown(sides.find((side) => side !== first) ?? ''),
    );
    await bench.waitFor('the files to be written', async () => {
      // What came to the front a moment ago takes no accept yet: then it is asked for once more.
      await bench.inside((vscode) => vscode.commands.executeCommand('kimiChat.acceptPatch'));
      return (await bench.onDisk('src/cart.ts')) === after && (await bench.onDisk('src/new.ts')) === sides[0];
    });
    await bench.runCommand('Kimi Chat: Take Back the Last Accepted Patch');
    await bench.waitFor('the files to be as before', async () => {
      return (
        (await bench.onDisk('src/cart.ts')) === before && (await bench.onDisk('src/new.ts')) === undefined
      );
    });
    await bench.takeNotifications();
  });

  it('has a patch that waited before the reload in its conversation, and tells the model there', async () => {
    const { bench, chat, simulator } = stage;
    const before = (await bench.onDisk('src/cart.ts')) ?? '';
    const [line = ''] = before.split('\n');
    simulator.reply(answer(update('src/cart.ts', `-${line}`, `+// waited`, `+${line}`)));
    await chat.ask('Add a line');
    await chat.says(chat.patch, 'Patch for 1 file');
    // VS Code may bring the diff of the patch before this one back, of which nothing is left.
    bench.allowed.push(
      /Unable to read file 'kimi-proposal:[^']*' \(Error: Unable to resolve nonexistent file/,
    );
    await bench.reload();
    await bench.openKimi();
    await chat.says(chat.patch, 'Patch for 1 file');
    await chat.says(chat.turn, 'Add a line');
    await chat.says(chat.notice, 'Cut off, because the window was closed.');
    await bench.screenshot('story-review-restored');
    await look('patch-restored-300');
    await chat.patch.locator('.patch-open').click();
    await bench.waitFor('the diff to be in front', async () => {
      return (await bench.diff())?.right === `// waited\n${before}`;
    });
    await chat.press(chat.patch.getByRole('button', { name: 'Accept' }));
    await chat.says(chat.patch, 'Applied to 1 file');
    assert.equal(await bench.onDisk('src/cart.ts'), `// waited\n${before}`);
    const asked = simulator.requests.length;
    simulator.reply(answer(text('I see.')));
    await chat.ask('What now?');
    await chat.says(chat.answer, 'I see.');
    assert.match(
      (await simulator.request(asked)).bodyText,
      /Add a line.*the patch is not decided yet.*Applied: 1 file changed.*What now\?/,
    );
  });
});
