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
    await chat.says(chat.patch, /3 changes left · 1 in conflict · 2 moved/);
    await chat.says(chat.patch, /was changed meanwhile, and the patch changes it too/);
    await bench.waitFor('the diff to follow', async () => {
      const right = (await bench.diff())?.right ?? '';
      return right.startsWith('// mine\n') && right.includes('amount >= 5000');
    });
    assert.equal((await chat.patch.locator('.patch-buttons .button').first().innerText()).trim(), 'Review');
    await bench.screenshot('patch-conflict');

    await chat.press(chat.patch.getByRole('button', { name: 'Send src/cart.ts back to the model' }));
    await chat.says(chat.answer, 'I see, it has changed.');
    const items = (await stage.request(1)).body['input'] as readonly { readonly output?: string }[];
    assert.match(items.at(-1)?.output ?? '', /Present text: "  return amount > 4000 \? 0 : 490;\\n"/);
    assert.equal(await bench.text('src/cart.ts'), live);
    assert.equal(await bench.onDisk('src/cart.ts'), before);
    await bench.inside((vscode) => vscode.commands.executeCommand('workbench.action.files.revert'));
  });
});
