/** A patch of several hunks that waits while the person works on: what the card says meanwhile, and hunks decided one by one. */
import assert from 'node:assert/strict';
import { answer, applyPatch, text } from '../simulator/main.ts';
import { useStage } from './support/stage.ts';

describe('a patch that waits', () => {
  const stage = useStage({ settings: { 'files.autoSave': 'off' } });

  it('follows the file, shows a conflict that can be sent back, and shows blanks that the diff hides', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(
      answer(
        applyPatch(
          [
            '*** Begin Patch',
            '*** Update File: src/cart.ts',
            '@@ export function rowTotal(item: CartItem, coupon?: Coupon): Cents {',
            '-  const full = item.price * item.quantity;',
            '+    const full = item.price * item.quantity;',
            '@@ export function subtotal(items: readonly CartItem[], coupon?: Coupon): Cents {',
            '-  for (let i = 0; i < items.length - 1; i++) {',
            '+  for (let i = 0; i < items.length; i++) {',
            '@@ export function shipping(amount: Cents): Cents {',
            '-  return amount > 5000 ? 0 : 490;',
            '+  return amount >= 5000 ? 0 : 490;',
            '*** End Patch',
            '',
          ].join('\n'),
        ),
      ),
      answer(text('I see, it has changed.')),
    );
    const before = (await bench.onDisk('src/cart.ts')) ?? '';
    await chat.ask('Fix the cart');
    await chat.says(chat.patch, 'Patch for 1 file');
    await bench.waitFor('the diff to open', async () => (await bench.diff()) !== undefined);
    await chat.says(chat.patch, '1 change has lines that differ in blanks only. The diff hides them.');
    assert.deepEqual(
      (await chat.patch.locator('.patch-buttons .button').allInnerTexts()).map((one) => one.trim()),
      ['Review', 'Accept'],
    );
    await bench.screenshot('patch-hidden-blanks');
    await chat.patch.getByRole('button', { name: 'Show blanks' }).click();
    await chat.patch.filter({ hasText: 'differ in blanks only' }).waitFor({ state: 'detached' });
    assert.equal((await chat.patch.locator('.patch-buttons .button').first().innerText()).trim(), 'Accept');

    await bench.inside(async (vscode) => {
      const [uri] = await vscode.workspace.findFiles('src/cart.ts');
      if (uri === undefined) return;
      const edit = new vscode.WorkspaceEdit();
      edit.insert(uri, new vscode.Position(0, 0), '// mine\n');
      edit.replace(uri, new vscode.Range(31, 0, 32, 0), '  return amount > 4000 ? 0 : 490;\n');
      await vscode.workspace.applyEdit(edit);
    });
    const live = (await bench.text('src/cart.ts')) ?? '';
    assert.match(live, /^\/\/ mine\n[^]*amount > 4000/);
    await chat.says(chat.patch, /3 changes left\s· 1 in conflict\s· 2 moved/);
    await chat.says(chat.patch, /was changed meanwhile, and the patch changes it too/);
    await bench.waitFor('the diff to follow', async () => {
      const right = (await bench.diff())?.right ?? '';
      return right.startsWith('// mine\n') && right.includes('amount >= 5000');
    });
    assert.equal((await chat.patch.locator('.patch-buttons .button').first().innerText()).trim(), 'Review');
    await bench.screenshot('patch-conflict');

    await chat.press(chat.patch.getByRole('button', { name: 'Send back to the model: src/cart.ts' }));
    await chat.says(chat.answer, 'I see, it has changed.');
    const items = (await stage.request(1)).body['input'] as readonly { readonly output?: string }[];
    assert.match(items.at(-1)?.output ?? '', /Present text: "  return amount > 4000 \? 0 : 490;\\n"/);
    assert.equal(await bench.text('src/cart.ts'), live);
    assert.equal(await bench.onDisk('src/cart.ts'), before);
    await bench.inside((vscode) => vscode.commands.executeCommand('workbench.action.files.revert'));
  });

  it('is decided change by change with keys, amended by typing, and gone from the tabs when it is decided', async () => {
    const { bench, chat, simulator } = stage;
    const { keyboard } = bench.page;
    const before = (await bench.onDisk('src/cart.ts')) ?? '';
    simulator.reply(
      answer(
        applyPatch(
          [
            '*** Begin Patch',
            '*** Update File: src/cart.ts',
            '@@ export function rowTotal(item: CartItem, coupon?: Coupon): Cents {',
            '-  const full = item.price * item.quantity;',
            '+  const full = item.quantity * item.price;',
            '@@ export function subtotal(items: readonly CartItem[], coupon?: Coupon): Cents {',
            '-  for (let i = 0; i < items.length - 1; i++) {',
            '+  for (let i = 0; i < items.length; i++) {',
            '@@ export function shipping(amount: Cents): Cents {',
            '-  return amount > 5000 ? 0 : 490;',
            '+  return amount >= 5000 ? 0 : 490;',
            '*** Add File: src/limits.ts',
            '+export const free = 5000;',
            '*** End Patch',
            '',
          ].join('\n'),
        ),
      ),
      answer(text('So be it.')),
    );
    await chat.ask('Fix the cart');
    await chat.says(chat.patch, 'Patch for 2 files');
    await chat.patch.locator('.patch-open', { hasText: 'cart.ts' }).click();
    /** Puts the cursor behind a text of the proposal. */
    const goTo = async (wanted: string): Promise<void> => {
      await bench.waitFor(`the cursor to be at ${wanted}`, () =>
        bench.inside((vscode, words) => {
          const editor = vscode.window.activeTextEditor;
          const at = editor?.document.getText().indexOf(words) ?? -1;
          if (editor?.document.uri.scheme !== 'kimi-proposal' || at < 0) return false;
          const place = editor.document.positionAt(at + words.length);
          if (editor.selection.active.isEqual(place)) return true;
          // What is typed goes to where the editor itself has its cursor: it is told of a selection, and tells when it has it.
          return new Promise<boolean>((resolve) => {
            const moved = vscode.window.onDidChangeTextEditorSelection(() => {
              moved.dispose();
              resolve(true);
            });
            editor.selection = new vscode.Selection(place, place);
            // An editor that is taken away meanwhile tells of nothing.
            setTimeout(() => resolve(false), 3000);
          });
        }, wanted),
      );
      // Keys go to whatever has the focus, which an editor that is just opening gets a moment later.
      await bench.page.locator('.monaco-editor.focused').first().waitFor();
    };
    await goTo('item.quantity * item.price');
    await keyboard.press('Control+K');
    await keyboard.press('n');
    await chat.says(chat.patch, '2 changes left · 1 rejected');
    await goTo('i < items.length;');
    await keyboard.press('Control+K');
    await keyboard.press('y');
    await chat.says(chat.patch, '1 change left · 1 accepted · 1 rejected');
    const second = before.replace('i < items.length - 1;', 'i < items.length;');
    assert.equal(await bench.onDisk('src/cart.ts'), second);
    await goTo('amount >= 5000');
    await keyboard.type('00');
    await chat.says(chat.patch, 'edited');
    await keyboard.press('Control+K');
    await keyboard.press('Control+Enter');
    const third = second.replace('amount > 5000', 'amount >= 500000');
    await bench.waitFor('the rest to be written', async () => (await bench.onDisk('src/cart.ts')) === third);
    await bench.waitFor('the next file to be in front', async () => {
      return (await bench.diff())?.right === 'export const free = 5000;\n';
    });
    await goTo('free');
    await keyboard.press('Control+K');
    await keyboard.press('Control+Backspace');
    await chat.says(chat.answer, 'So be it.');
    await bench.waitFor('the diffs to be gone', async () => {
      return (await bench.tabs()).every(({ label }) => !label.includes('('));
    });
    assert.equal(await bench.onDisk('src/limits.ts'), undefined);
    const items = (await stage.request(1)).body['input'] as readonly { readonly output?: string }[];
    const output = items.at(-1)?.output ?? '';
    assert.match(
      output,
      /hunk 1: not taken\n {2}hunk 2: taken as proposed\n {2}hunk 3: changed by the person/,
    );
    assert.match(output, /limits\.ts": rejected/);
  });
});
