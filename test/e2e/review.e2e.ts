/**
 * The review of a patch as a person goes through it, from the first line that streams to the last that is taken back, with a picture
 * of each step in `.screenshots/`: of the window, and of the panel in each kind of theme, narrow and wide.
 */
import assert from 'node:assert/strict';
import { answer, applyPatch, gate, text } from '../simulator/main.ts';
import type { Piece } from '../simulator/main.ts';
import { faultsOf, lookAt, type Pictures } from './support/look.ts';
import { useStage } from './support/stage.ts';

const pictures: Pictures = [
  [600, ['dark', 'light', 'highContrastDark']],
  [300, ['dark', 'light', 'highContrastDark']],
];

describe('the review of a patch', () => {
  const stage = useStage({
    builtIn: 'all',
    settings: {
      'files.autoSave': 'off',
      'editor.stickyScroll.enabled': false,
      // VS Code asks in a dialog whether a file that was moved is to be imported from its new place.
      'typescript.updateImportsOnFileMove.enabled': 'never',
    },
    size: { width: 1440, height: 900 },
  });

  before('keep the first side bar out of the picture', async () => {
    await stage.bench.inside((vscode) =>
      vscode.commands.executeCommand('workbench.action.toggleSidebarVisibility'),
    );
    await stage.bench.setPanelWidth(300);
  });

  beforeEach('begin without editors', async () => {
    await stage.bench.inside(async (vscode) => {
      await vscode.commands.executeCommand('workbench.action.files.saveAll');
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });
  });

  const lines = (...each: readonly string[]): string => each.map((line) => `${line}\n`).join('');
  const patch = (...parts: readonly Piece[]) => applyPatch('*** Begin Patch\n', ...parts, '*** End Patch\n');
  const cart = '*** Update File: src/cart.ts';
  const totals = [
    '@@ export function rowTotal(item: CartItem, coupon?: Coupon): Cents {',
    '-  const full = item.price * item.quantity;',
    '+  const full = item.quantity * item.price;',
  ];
  const loop = [
    '@@ export function subtotal(items: readonly CartItem[], coupon?: Coupon): Cents {',
    '-  for (let i = 0; i < items.length - 1; i++) {',
    '+  for (let i = 0; i < items.length; i++) {',
  ];
  const free = [
    '@@ export function shipping(amount: Cents): Cents {',
    '-  return amount > 5000 ? 0 : 490;',
    '+  return amount >= 5000 ? 0 : 490;',
  ];

  /** Takes a picture of a step in the window, and looks for faults in the panel. */
  async function look(step: string): Promise<void> {
    const { bench, chat } = stage;
    await bench.screenshot(`story-review-${step}`);
    assert.deepEqual(await faultsOf(chat.panel), []);
  }

  /** The same in each kind of theme, narrow and wide. */
  async function lookAround(step: string): Promise<void> {
    await look(step);
    await lookAt(stage, `review-${step}`, pictures);
    await stage.bench.setTheme('dark');
  }

  /** What the model is told of its patch. */
  async function told(request: number): Promise<string> {
    const items = (await stage.request(request)).body['input'] as readonly { readonly output?: string }[];
    return items.at(-1)?.output ?? '';
  }

  /** Puts the cursor into the side of the diff that can be changed, behind a text that is seen there. */
  async function goBehind(words: string): Promise<void> {
    const { page } = stage.bench;
    await page.locator('.modified-in-monaco-diff-editor .view-line').filter({ hasText: words }).click();
    await page.keyboard.press('End');
  }

  it('fills its card file by file, shows three files in one editor, and moves one of them with its changes', async () => {
    const { bench, chat, simulator } = stage;
    const [items = '', receipt = ''] = [
      await bench.onDisk('src/cart.ts'),
      await bench.onDisk('src/receipt.ts'),
    ];
    simulator.reply(
      answer(
        text('Three files have to change.'),
        patch(
          lines(cart, ...loop),
          gate('the first file'),
          lines('*** Update File: src/receipt.ts', '*** Move to: src/printer/receipt.ts'),
          lines('@@', '-const width = 32;'),
          gate('half of the second'),
          lines('+const width = 40;', '*** Add File: src/limits.ts', '+/** Nothing is shipped for more. */'),
          lines('+export const largestOrder = 100_000;'),
        ),
      ),
      answer(text('All three are done.')),
    );
    await chat.ask('Mend the cart, and give the receipt a folder of its own');
    await simulator.reached('the first file');
    await chat.says(chat.patch, /Writing a patch[^]*cart\.ts\s*\+1\s*−1/);
    simulator.open('the first file');
    await simulator.reached('half of the second');
    await chat.says(chat.patch, /receipt\.ts\s*−1/);
    assert.equal(await chat.patch.locator('.patch-file').count(), 2);
    await look('streaming');
    simulator.open('half of the second');

    await chat.says(chat.patch, 'Patch for 3 files');
    await bench.waitFor('the first diff to open', async () => (await bench.diff()) !== undefined);
    await look('three-files');
    await chat.patch.getByRole('button', { name: 'View all' }).click();
    for (const line of ['i < items.length; i++', 'const width = 40;', 'largestOrder = 100_000'])
      await bench.page
        .locator('.multiDiffEntry .modified-in-monaco-diff-editor .view-line')
        .filter({ hasText: line })
        .waitFor();
    await look('view-all');
    await bench.inside((vscode) => vscode.commands.executeCommand('workbench.action.closeActiveEditor'));

    await chat.patch.locator('.patch-open', { hasText: 'receipt.ts' }).click();
    await bench.waitFor('the diff of the file that moves', async () => {
      return (await bench.diff())?.left === receipt;
    });
    const wide = receipt.replace('width = 32', 'width = 40');
    assert.equal((await bench.diff())?.right, wide);
    assert.match((await bench.diff())?.label ?? '', /receipt\.ts → .*printer\/receipt\.ts/);
    await look('move');
    await chat.press(chat.button('Accept src/receipt.ts → src/printer/receipt.ts'));
    await bench.waitFor('the file to move', async () => {
      return (
        (await bench.onDisk('src/printer/receipt.ts')) === wide &&
        (await bench.onDisk('src/receipt.ts')) === undefined
      );
    });
    assert.equal(await bench.onDisk('src/cart.ts'), items);
    await lookAround('one-of-three');

    await chat.press(chat.patch.getByRole('button', { name: 'Accept all' }));
    await chat.says(chat.answer.last(), 'All three are done.');
    assert.equal(
      await bench.onDisk('src/cart.ts'),
      items.replace('i < items.length - 1;', 'i < items.length;'),
    );
    assert.match(
      (await bench.onDisk('src/limits.ts')) ?? '',
      /^\/\*\* Nothing .*\nexport const largestOrder/,
    );
    await chat.press(chat.patch.getByRole('button', { name: 'Take back' }));
    await chat.says(chat.patch, 'Taken back');
    assert.equal(await bench.onDisk('src/receipt.ts'), receipt);
    assert.equal(await bench.onDisk('src/cart.ts'), items);
    for (const file of ['src/printer/receipt.ts', 'src/limits.ts'])
      assert.equal(await bench.onDisk(file), undefined);
    await look('all-taken-back');
  });

  it('leaves out a block that was reverted in the diff, takes what was typed there, and applies the rest', async () => {
    const { bench, chat, simulator } = stage;
    const { page } = bench;
    const before = (await bench.onDisk('src/cart.ts')) ?? '';
    simulator.reply(answer(patch(lines(cart, ...totals, ...loop, ...free))), answer(text('So be it.')));
    await chat.ask('Fix the cart');
    await chat.says(chat.patch, 'Patch for 1 file');
    await bench.waitFor('the diff to open', async () => (await bench.diff()) !== undefined);

    const blocks = page.locator('.gutterItem [aria-label^="Revert Block"]');
    await bench.waitFor('a button for each block', async () => (await blocks.count()) === 3);
    const heights = await blocks.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    await blocks.nth(heights.indexOf(Math.min(...heights))).click();
    await chat.says(chat.patch, '2 changes left · 1 rejected');
    const reverted = before
      .replace('i < items.length - 1;', 'i < items.length;')
      .replace('amount > 5000', 'amount >= 5000');
    assert.deepEqual(await bench.diff(), { label: 'cart.ts (patch)', left: before, right: reverted });
    await look('block-reverted');

    await goBehind('amount >= 5000');
    await page.keyboard.type(' // in cents');
    await bench.waitFor(
      'the typing to arrive',
      async () => (await bench.diff())?.right.includes('in cents') === true,
    );
    await look('amended');
    await chat.press(chat.patch.getByRole('button', { name: 'Accept' }));
    await chat.says(chat.answer, 'So be it.');
    const after = reverted.replace('0 : 490;', '0 : 490; // in cents');
    assert.equal(await bench.onDisk('src/cart.ts'), after);
    await chat.says(chat.patch, /Applied to 1 file[^]*part accepted/);
    assert.match(
      await told(1),
      /hunk 1: not taken\n {2}hunk 2: taken as proposed\n {2}hunk 3: changed by the person/,
    );
    await look('rest-accepted');
    await chat.press(chat.patch.getByRole('button', { name: 'Take back' }));
    await chat.says(chat.patch, 'Taken back');
    assert.equal(await bench.onDisk('src/cart.ts'), before);
  });

  it('follows what is typed into its file, shows a conflict while there is one, and is taken back after more was typed', async () => {
    const { bench, chat, simulator } = stage;
    const { keyboard } = bench.page;
    /** By its tab, beside that of the diff. */
    const showFile = async (): Promise<void> => {
      await bench.page
        .locator('.tab')
        .filter({ hasText: /^cart\.ts$/ })
        .click();
      await bench.waitFor('the file to show', async () => (await bench.diff()) === undefined);
      await bench.page.locator('.editor-instance .view-line').first().click();
    };
    const before = (await bench.onDisk('src/cart.ts')) ?? '';
    simulator.reply(answer(patch(lines(cart, ...loop, ...free))), answer(text('Done.')));
    await bench.openFile('src/cart.ts', 1);
    await chat.ask('Fix the cart');
    await chat.says(chat.patch, 'Patch for 1 file');
    await bench.waitFor('the diff to open', async () => (await bench.diff()) !== undefined);

    await showFile();
    await keyboard.press('ControlOrMeta+Home');
    // After a comment, Enter would begin another one.
    await keyboard.press('Enter');
    await keyboard.press('ArrowUp');
    await keyboard.type('// The cart');
    await keyboard.press('ControlOrMeta+S');
    const typed = `// The cart\n${before}`;
    await bench.waitFor('it to be saved', async () => (await bench.onDisk('src/cart.ts')) === typed);
    await chat.says(chat.patch, '2 changes left · 2 moved');
    await look('moved');

    const row = bench.page.locator('.editor-instance .view-line').filter({ hasText: 'amount > 5000' });
    await row.click();
    await keyboard.press('End');
    const words = ' // Why?';
    await keyboard.type(words);
    await chat.says(chat.patch, '2 changes left · 1 in conflict');
    await chat.patch.locator('.patch-open').click();
    await bench.waitFor('the diff to follow', async () => {
      const diff = await bench.diff();
      return diff?.left.includes('490; // Why?') === true && diff.right.startsWith('// The cart\n');
    });
    await lookAround('conflict');
    await showFile();
    await row.click();
    await keyboard.press('End');
    for (const _ of words) await keyboard.press('Backspace');
    await keyboard.press('ControlOrMeta+S');
    await chat.says(chat.patch, '2 changes left · 2 moved');

    await chat.press(chat.patch.getByRole('button', { name: 'Accept' }));
    await chat.says(chat.answer, 'Done.');
    const after = typed
      .replace('i < items.length - 1;', 'i < items.length;')
      .replace('amount > 5000', 'amount >= 5000');
    await bench.waitFor('the patch to be saved', async () => (await bench.onDisk('src/cart.ts')) === after);
    await look('accepted');

    await showFile();
    await keyboard.press('ControlOrMeta+End');
    await keyboard.type('// The end');
    await bench.waitFor('the typing to arrive', async () => {
      return (await bench.text('src/cart.ts')) === `${after}// The end`;
    });
    await chat.press(chat.patch.getByRole('button', { name: 'Take back' }));
    await chat.says(chat.patch, 'Your later changes in other lines are still there.');
    assert.equal(await bench.text('src/cart.ts'), `${typed}// The end`);
    await look('taken-back');
  });
});
