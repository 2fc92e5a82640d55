/** Each way of attaching something from VS Code's own menus and keys, and what the model gets of it. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { answer, text } from '../simulator/main.ts';
import { newRepository } from '../support/gitIn.ts';
import { useStage } from './support/stage.ts';

describe('attaching from the menus of VS Code', () => {
  const stage = useStage({
    builtIn: 'all',
    settings: {
      'files.autoSave': 'off',
      'terminal.integrated.shellIntegration.enabled': true,
      'workbench.editor.enablePreview': false,
    },
  });

  afterEach('take the chips off', async () => {
    const { bench, chat } = stage;
    await bench.page.keyboard.press('Escape');
    const remove = chat.panel.locator('.composer .chip-remove');
    await bench.waitFor('the composer to be without chips', async () => {
      // It may be gone in just this moment.
      if ((await remove.count()) > 0)
        await remove
          .first()
          .click({ timeout: 1_000 })
          .catch(() => undefined);
      return (await remove.count()) === 0;
    });
  });

  /** Presses an entry of a context menu, or of a menu in it. It is there as soon as VS Code knows that it applies. */
  const choose = async (open: () => Promise<void>, ...names: readonly string[]): Promise<void> => {
    const { bench } = stage;
    const entries = names.map((name) => bench.page.getByRole('menuitem', { name, exact: true }));
    const last = entries.at(-1);
    assert.ok(last);
    await bench.waitFor(`${names.join(' > ')} in the menu`, async () => {
      await open();
      for (const entry of entries.slice(0, -1)) await entry.hover({ timeout: 3_000 }).catch(() => undefined);
      await last.waitFor({ timeout: 3_000 }).catch(() => bench.page.keyboard.press('Escape'));
      return last.isVisible();
    });
    await bench.press(last);
  };
  const on = (target: Locator) => (): Promise<void> => target.click({ button: 'right' });
  const show = (command: string): Promise<unknown> =>
    stage.bench.inside((vscode, id) => vscode.commands.executeCommand(id), command);
  const row = (name: string): Locator =>
    stage.bench.page.getByRole('treeitem', { name: new RegExp(`^${name}(,|$| )`) }).first();
  const labels = (): Promise<readonly string[]> => stage.chat.chips.locator('.chip-label').allTextContents();
  /** The texts of the attachments of the next question, and that question last. */
  const asked = async (question: string): Promise<readonly string[]> => {
    const { chat, simulator } = stage;
    simulator.reply(answer(text('So.')));
    await chat.ask(question);
    await chat.says(chat.answer, 'So.');
    const { body } = await stage.request(0);
    const [message] = (body['input'] as readonly { content: readonly { text: string }[] }[]).slice(-1);
    return message?.content.map((part) => part.text) ?? [];
  };

  it('takes files and folders from the explorer, a folder as it is wanted', async () => {
    const { bench, chat } = stage;
    await show('workbench.view.explorer');
    await row('src').click();
    await choose(on(row('cart.ts')), 'Attach File to Kimi Chat');
    await chat.says(chat.chips, 'src/cart.ts');
    await chat.hasCursor();
    await bench.waitFor('what the file comes to', async () =>
      /^Open src\/cart\.ts\nAbout \d+ tokens$/.test((await chat.chips.getAttribute('title')) ?? ''),
    );
    await choose(on(row('src')), 'Attach Folder to Kimi Chat…');
    const texts = bench.page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ hasText: 'Texts of its files' });
    await chat.says(texts, /about [\d,]+ tokens/);
    await bench.screenshot('attach-folder');
    await bench.press(texts);
    await chat.says(chat.chips.last(), 'src/ (texts)');
    await chat.hasCursor();
    await bench.screenshot('attach-explorer');
    await row('money.ts').click();
    await row('receipt.ts').click({ modifiers: ['ControlOrMeta'] });
    await choose(on(row('receipt.ts')), 'Attach File to Kimi Chat');
    await bench.waitFor('both files', async () => (await chat.chips.count()) === 4);
    assert.deepEqual((await labels()).slice(2), ['src/money.ts', 'src/receipt.ts']);
    const [file, folder, , , question] = await asked('What is this?');
    assert.match(file ?? '', /^src\/cart\.ts \(typescript\):\n```typescript\n/);
    assert.match(folder ?? '', /^The files in src\/ with their texts; ignored ones are left out:\n/);
    assert.match(folder ?? '', /\nsrc\/money\.ts:\n```ts\n/);
    assert.equal(question, 'What is this?');
  });

  it('takes the file of a tab, the symbol at the cursor, and a problem by its light bulb', async () => {
    const { bench, chat } = stage;
    await bench.openFile('src/money.ts', 6);
    await choose(on(bench.page.getByRole('tab', { name: /money\.ts/ })), 'Attach File to Kimi Chat');
    await chat.says(chat.chips, 'src/money.ts');
    await chat.hasCursor();
    await bench.openFile('src/money.ts', 6);
    await choose(() => bench.page.keyboard.press('Shift+F10'), 'Kimi Chat', 'Attach Symbol to Kimi Chat');
    const chip = await chat.says(chat.chips.last(), /^\w+ money\.ts:\d+-\d+/);
    await bench.inside(
      async (vscode, file) => {
        const collection = vscode.languages.createDiagnosticCollection('e2e');
        const wrong = new vscode.Diagnostic(new vscode.Range(5, 0, 5, 10), 'This rounds the wrong way.');
        wrong.source = 'shop';
        collection.set(vscode.Uri.file(file), [wrong]);
      },
      path.join(bench.folder, 'src/money.ts'),
    );
    await bench.openFile('src/money.ts', 6);
    const action = bench.page.locator('.action-widget').getByText('Ask Kimi about this problem');
    await bench.waitFor('the quick fixes', async () => {
      await bench.page.keyboard.press('Escape');
      await bench.page.keyboard.press('ControlOrMeta+.');
      await action.waitFor({ timeout: 3_000 }).catch(() => undefined);
      return action.isVisible();
    });
    await bench.screenshot('attach-problem');
    await bench.press(action);
    await chat.says(chat.chips, 'Problems of src/money.ts');
    await bench.screenshot('attach-editor');
    const parts = await asked('Why?');
    assert.match(
      parts[1] ?? '',
      new RegExp(`^src/money\\.ts, lines \\d+-\\d+, symbol ${chip.split('\n')[0]} `),
    );
    assert.match(parts[2] ?? '', /\nsrc\/money\.ts:6:1 error \(shop\): This rounds the wrong way\.\n/);
    assert.match(parts[3] ?? '', /^src\/money\.ts, lines 1-15 \(typescript\)/);
    await show('workbench.action.closeAllEditors');
  });

  it('takes the last command of a terminal and what is selected there, and leaves the clipboard as it was', async () => {
    const { bench, chat } = stage;
    const clipboard = (): Promise<string> => bench.inside((vscode) => vscode.env.clipboard.readText());
    await bench.inside((vscode) => vscode.env.clipboard.writeText('kept by the person'));
    await show('workbench.action.terminal.new');
    await bench.waitFor('shell integration', () =>
      bench.inside((vscode) => vscode.window.activeTerminal?.shellIntegration !== undefined),
    );
    const ended = bench.inside(
      (vscode) =>
        new Promise<number | undefined>((resolve) => {
          const listener = vscode.window.onDidEndTerminalShellExecution(({ exitCode }) => {
            listener.dispose();
            resolve(exitCode);
          });
        }),
    );
    await bench.page.locator('.terminal-wrapper.active .xterm').click();
    await bench.page.keyboard.type('echo from the shop');
    await bench.page.keyboard.press('Enter');
    assert.equal(await ended, 0);
    await bench.runCommand('Kimi Chat: Attach Last Command to Kimi Chat');
    await chat.says(chat.chips, 'Terminal: echo from the shop');
    assert.equal(await clipboard(), 'kept by the person');
    await show('workbench.action.terminal.focus');
    await choose(async () => {
      // A key that closes a menu takes the selection along.
      await bench.runCommand('Terminal: Select All');
      await bench.page.locator('.terminal-wrapper.active .xterm').click({ button: 'right' });
    }, 'Attach Terminal Selection to Kimi Chat');
    await bench.waitFor('two chips', async () => (await chat.chips.count()) === 2);
    assert.equal(await clipboard(), 'kept by the person');
    await bench.screenshot('attach-terminal');
    const [command, selection] = await asked('What happened?');
    assert.match(
      command ?? '',
      /^The last command in the terminal "\w+" \(exit code 0\) and its output:\n```plaintext\necho from the shop\nfrom the shop\n```$/,
    );
    assert.match(
      selection ?? '',
      /^Selected in the terminal "\w+":\n[^]*echo from the shop\nfrom the shop\n/,
    );
    await show('workbench.action.terminal.killAll');
  });

  it('shows what was sent when the file is another by now, and says so to the model once', async () => {
    const { bench, chat, simulator } = stage;
    const before = (await bench.onDisk('src/cart.ts')) ?? '';
    await bench.openFile('src/cart.ts');
    await bench.runCommand('Kimi Chat: Attach the Active File');
    await chat.says(chat.chips, 'src/cart.ts');
    await asked('What is this?');
    await bench.openFile('src/cart.ts', 1);
    await bench.page.keyboard.type('// typed later');
    await bench.waitFor('the typing to arrive', async () => {
      return (await bench.text('src/cart.ts')) === `// typed later${before}`;
    });
    await chat.turn.locator('.question .chip-open').click();
    await bench.waitFor('what was sent', async () => {
      const shown = await bench.inside((vscode) => vscode.window.activeTextEditor?.document.getText());
      return (
        shown === before &&
        (await bench.tabs()).some(({ label, active }) => active && label === 'cart.ts (as sent)')
      );
    });
    await bench.screenshot('attach-as-sent');
    simulator.reply(answer(text('I see.')));
    await chat.ask('And now?');
    await chat.says(chat.answer, 'I see.');
    const { body } = await stage.request(1);
    const input = body['input'] as readonly { role?: string; content?: readonly { text: string }[] }[];
    assert.deepEqual(
      input.flatMap(({ role, content }) => (role === 'developer' ? [content?.map((part) => part.text)] : [])),
      [
        [
          'Changed since you saw them, and not by your patches: "src/cart.ts". What you know of these files may be out of date.',
        ],
      ],
    );
    assert.deepEqual(await labels(), []);
    await bench.inside(async (vscode) => {
      await vscode.window.showTextDocument(vscode.workspace.textDocuments.find(({ isDirty }) => isDirty)!);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });
  });

  it('takes changes from the source control', async () => {
    const { bench, chat } = stage;
    const git = newRepository(bench.folder);
    await writeFile(path.join(bench.folder, 'src/money.ts'), '// staged\n');
    git('add', '.');
    await writeFile(path.join(bench.folder, 'src/cart.ts'), '// changed\n');
    await bench.inside(async (vscode, folder) => {
      const git = await vscode.extensions
        .getExtension<{
          getAPI(version: 1): { openRepository(root: unknown): Promise<unknown> };
        }>('vscode.git')
        ?.activate();
      await git?.getAPI(1).openRepository(vscode.Uri.file(folder));
    }, bench.folder);
    await show('workbench.view.scm');
    const changed = bench.page.locator('.scm-view .monaco-list-row').filter({ hasText: 'cart.ts' });
    await changed.waitFor();
    await choose(on(changed), 'Attach Unstaged Changes to Kimi Chat');
    await chat.says(chat.chips, 'Changes of src/cart.ts');
    // The panel takes the focus with what is attached: a menu that was opened before that closes.
    await chat.hasCursor();
    await choose(
      on(bench.page.locator('.scm-view .monaco-list-row').filter({ hasText: 'Staged Changes' })),
      'Attach Staged Changes to Kimi Chat',
    );
    await chat.says(chat.chips.last(), 'Staged changes');
    await bench.screenshot('attach-changes');
    const [working, staged] = await asked('Good?');
    assert.match(working ?? '', /^Changes in the working tree that are not staged of src\/cart\.ts/);
    assert.match(working ?? '', /\n\+\/\/ changed\n/);
    assert.match(staged ?? '', /^Staged changes, from git diff --cached:\n```diff\n[^]*\n\+\/\/ staged\n/);
    assert.doesNotMatch(staged ?? '', /cart\.ts/);
  });
});
