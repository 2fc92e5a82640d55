/** The main job: from a selection to a question, to a proposed patch in the diff editor, to a changed file and a model that knows it. */
import assert from 'node:assert/strict';
import { answer, applyPatch, gate, reasoning, text } from '../simulator/main.ts';
import { useStage } from './support/stage.ts';
import type { ReceivedRequest } from '../simulator/main.ts';

describe('from a selection to a changed file', () => {
  // In the browser VS Code saves by itself unless told not to.
  const stage = useStage({ settings: { 'files.autoSave': 'off' } });

  const update = (file: string, ...hunk: string[]): string =>
    ['*** Begin Patch', `*** Update File: ${file}`, '@@', ...hunk, '*** End Patch', ''].join('\n');

  it('takes the selection along, shows the patch as a diff, and writes it when accepted', async () => {
    const { bench, chat, simulator } = stage;
    const before = (await bench.onDisk('src/cart.ts')) ?? '';
    const wrong = '  for (let i = 0; i < items.length - 1; i++) {';
    const right = '  for (let i = 0; i < items.length; i++) {';
    const after = before.replace(wrong, right);
    assert.notEqual(after, before);

    await bench.selectLines('src/cart.ts', 12, 31);
    await bench.page
      .locator('.editor-instance .view-line')
      .filter({ hasText: 'let sum = 0' })
      .click({ button: 'right' });
    await bench.press(bench.page.getByRole('menuitem', { name: 'Ask About Selection' }));
    await chat.says(chat.chips, 'src/cart.ts:12-31');
    assert.match((await chat.chips.getAttribute('title')) ?? '', /src\/cart\.ts, lines 12 to 31/);
    simulator.reply(
      answer(
        reasoning('The loop stops one row early.'),
        text('The last row is left out.'),
        applyPatch(
          '*** Begin Patch\n*** Update File: src/cart.ts\n@@\n   let sum = 0;\n',
          `-${wrong}\n`,
          gate('half a patch'),
          `+${right}\n     sum += rowTotal(items[i]!, coupon);\n   }\n*** End Patch\n`,
        ),
      ),
      answer(text('Done: the loop now runs to the end.')),
    );
    await chat.hasCursor();
    await bench.page.keyboard.type('Why is the total wrong?');
    await bench.page.keyboard.press('Enter');

    const asked = await stage.request(0);
    const [attached, question] = contentOf(asked, -1);
    assert.equal(
      attached,
      `src/cart.ts, lines 12-31 (typescript):\n\`\`\`typescript\n${before.split('\n').slice(11, 31).join('\n')}\n\`\`\``,
    );
    assert.equal(question, 'Why is the total wrong?');
    await chat.chips.first().waitFor({ state: 'hidden' });
    await chat.says(chat.turn.locator('.question .chip'), 'src/cart.ts:12-31');

    await simulator.reached('half a patch');
    await chat.says(chat.patch, 'Writing a patch');
    await chat.says(chat.patch, /src\/\s*cart\.ts\s*−1/);
    simulator.open('half a patch');

    await chat.says(chat.patch, 'Patch for 1 file');
    await chat.says(chat.patch, /\+1\s*−1/);
    await bench.waitFor('the diff to open', async () => (await bench.diff()) !== undefined);
    const diff = await bench.diff();
    assert.deepEqual([diff?.left, diff?.right], [before, after]);
    const tab = (await bench.tabs()).find(({ active }) => active);
    assert.equal(tab?.diff?.left.endsWith('/corner-shop/src/cart.ts'), true, 'the file itself');
    await bench.page
      .locator('.modified-in-monaco-diff-editor .view-line')
      .filter({ hasText: 'i < items.length; i++' })
      .waitFor();
    await bench.screenshot('story-selection-proposed');
    assert.equal(await bench.onDisk('src/cart.ts'), before);

    await chat.press(chat.patch.getByRole('button', { name: 'Accept' }));
    await chat.says(chat.answer.last(), 'Done: the loop now runs to the end.');
    assert.match(await chat.patch.innerText(), /^Applied to 1 file/);
    await bench.screenshot('story-selection-accepted');
    assert.equal(await bench.onDisk('src/cart.ts'), after);
    assert.equal(await bench.text('src/cart.ts'), after);
    await bench.waitFor('the file alone to be open, as it was written', async () => {
      const [tab, ...others] = await bench.tabs();
      if (others.length > 0 || tab?.label !== 'cart.ts' || tab.dirty) return false;
      return /i < items\.length; i\+\+/.test(await bench.drawn(bench.page.locator('.editor-instance')));
    });

    const [kind, output] = outputOf(await stage.request(1));
    assert.equal(kind, 'custom_tool_call_output');
    assert.match(output, /M src\/cart\.ts \+1 -1\s+hunk 1: now line 24$/);
    assert.deepEqual(typesOf(await stage.request(1)), [
      'message',
      'reasoning',
      'message',
      'custom_tool_call',
      'custom_tool_call_output',
    ]);
  });

  it('takes selections along with a chord of keys; chips can be opened and taken off', async () => {
    const { bench, chat, simulator } = stage;
    const ask = async (from: number, to: number): Promise<void> => {
      await bench.selectLines('src/money.ts', from, to);
      await bench.page.keyboard.press('ControlOrMeta+K');
      await bench.page.keyboard.press('k');
      await chat.hasCursor();
    };
    await ask(5, 9);
    await chat.says(chat.chips, 'src/money.ts:5-9');
    await ask(12, 12);
    await chat.says(chat.chips.last(), 'src/money.ts:12');
    await ask(5, 9);
    await bench.waitFor('the same lines to be attached once', async () => {
      return (
        (await chat.chips.locator('.chip-label').allTextContents()).join() ===
        'src/money.ts:12,src/money.ts:5-9'
      );
    });
    await chat.button('Remove src/money.ts:12').click();
    await bench.waitFor('the chip to go', async () => (await chat.chips.count()) === 1);

    await bench.openFile('report.py');
    await chat.chips.click();
    await bench.waitFor('the lines to be shown again', async () => {
      return (
        (await bench.inside((vscode) => {
          const editor = vscode.window.activeTextEditor;
          return `${editor?.document.fileName.split('/').pop()} ${editor?.selection.start.line} ${editor?.selection.end.line}`;
        })) === 'money.ts 4 8'
      );
    });
    simulator.reply(answer(text('It loses a zero.')));
    await chat.ask('What about five cents?');
    await chat.says(chat.answer, 'It loses a zero.');
    const parts = contentOf(await stage.request(0), -1);
    assert.equal(parts.length, 2);
    assert.match(parts[0] ?? '', /^src\/money\.ts, lines 5-9 \(typescript\):/);
  });

  it('leaves the file alone when the patch is rejected, and tells the model why', async () => {
    const { bench, chat, simulator } = stage;
    const before = await bench.onDisk('src/money.ts');
    simulator.reply(
      answer(
        applyPatch(
          update('src/money.ts', '-  const cents = amount % 100;', '+  const cents = pad(amount % 100);'),
        ),
      ),
      answer(text('Then without a new function.')),
    );
    await chat.ask('Fix five cents');
    await bench.waitFor('the diff to open', async () => (await bench.diff()) !== undefined);
    const reason = chat.patch.getByRole('textbox', { name: 'Reason for the model (optional)' });
    await chat.press(chat.patch.getByRole('button', { name: 'Reject' }), () => reason.isVisible());
    await reason.pressSequentially('There is no function pad.');
    await bench.page.keyboard.press('Enter');
    await chat.says(chat.answer, 'Then without a new function.');
    assert.match(await chat.patch.innerText(), /^Rejected/);
    await bench.screenshot('story-selection-rejected');
    assert.equal(await bench.onDisk('src/money.ts'), before);
    assert.equal(await bench.text('src/money.ts'), before);
    await bench.waitFor('the diff to close', async () => (await bench.diff()) === undefined);
    assert.match(
      outputOf(await stage.request(1))[1],
      /^(Nothing was changed|Rejected|Not applied)[^]*src\/money\.ts.*There is no function pad\./,
    );
  });

  it('adds, deletes and moves files in one patch, each with its diff', async () => {
    const { bench, chat, simulator } = stage;
    const [sales, readme] = [await bench.onDisk('sales.csv'), await bench.onDisk('README.md')];
    simulator.reply(
      answer(
        applyPatch(
          [
            '*** Begin Patch',
            '*** Add File: src/tax.ts',
            '+/** In percent. */',
            '+export const taxRate = 19;',
            '*** Delete File: README.md',
            '*** Update File: sales.csv',
            '*** Move to: data/sales.csv',
            '@@',
            '-Mon,Mug,2,795',
            '+Mon,Mug,3,795',
            '*** End Patch',
            '',
          ].join('\n'),
        ),
      ),
      answer(text('All three are done.')),
    );
    await chat.ask('Tidy up');
    await chat.says(chat.patch, 'Patch for 3 files');
    const rows = chat.patch.locator('.patch-open');
    assert.deepEqual(
      (await rows.allInnerTexts()).map((row) => row.replaceAll(/\s+/g, ' ').trim()),
      [
        'A src/ tax.ts +2',
        `D README.md −${(readme ?? '').split('\n').length - 1}`,
        'R sales.csv → data/ sales.csv +1 −1',
      ],
    );
    await bench.waitFor('the first diff to open', async () => (await bench.diff()) !== undefined);
    assert.deepEqual(await bench.diff(), {
      label: 'tax.ts (new file)',
      left: '',
      right: '/** In percent. */\nexport const taxRate = 19;\n',
    });
    await rows.nth(1).click();
    await bench.waitFor('the second diff to open', async () => (await bench.diff())?.right === '');
    assert.equal((await bench.diff())?.left, readme);
    await rows.nth(2).click();
    const moved = sales?.replace('Mon,Mug,2', 'Mon,Mug,3');
    await bench.waitFor('the third diff to open', async () => (await bench.diff())?.right === moved);

    await chat.press(chat.patch.getByRole('button', { name: 'Accept all' }));
    await chat.says(chat.answer, 'All three are done.');
    assert.match(await chat.patch.innerText(), /^Applied to 3 files/);
    assert.equal(await bench.onDisk('src/tax.ts'), '/** In percent. */\nexport const taxRate = 19;\n');
    assert.equal(await bench.onDisk('README.md'), undefined);
    assert.equal(await bench.onDisk('sales.csv'), undefined);
    assert.equal(await bench.onDisk('data/sales.csv'), moved);
    const [, output] = outputOf(await stage.request(1));
    for (const line of ['A src/tax.ts +2 -0', 'D README.md +0 -', 'R sales.csv -> data/sales.csv +1 -1']) {
      assert.ok(output.includes(line), output);
    }
  });

  it('patches the unsaved text of an open editor, and keeps it', async () => {
    const { bench, chat, simulator } = stage;
    await bench.openFile('report.py', 1);
    await bench.page.keyboard.press('ControlOrMeta+Home');
    await bench.page.keyboard.type('# Not saved yet\n');
    const saved = (await bench.onDisk('report.py')) ?? '';
    const typed = `# Not saved yet\n${saved}`;
    await bench.waitFor('the typing to arrive', async () => (await bench.text('report.py')) === typed);
    simulator.reply(
      answer(
        applyPatch(
          update('report.py', '-    return min(days, key=days.get)', '+    return max(days, key=days.get)'),
        ),
      ),
      answer(text('The best day is the best again.')),
    );
    await chat.ask('Fix the best day');
    await bench.waitFor('the diff to open', async () => (await bench.diff()) !== undefined);
    const after = typed.replace('min(days', 'max(days');
    const diff = await bench.diff();
    assert.deepEqual([diff?.left, diff?.right], [typed, after]);

    await chat.press(chat.patch.getByRole('button', { name: 'Accept' }));
    await chat.says(chat.answer, 'The best day is the best again.');
    assert.equal(await bench.text('report.py'), after);
    // What was unsaved before is the person's to save.
    assert.equal(await bench.onDisk('report.py'), saved);
    await bench.inside((vscode) => vscode.commands.executeCommand('workbench.action.files.saveAll'));
    assert.equal(await bench.onDisk('report.py'), after);
    assert.match(outputOf(await stage.request(1))[1], /M report\.py \+1 -1/);
  });

  it('can be accepted from the title of the diff, with what was typed into it', async () => {
    const { bench, chat, simulator } = stage;
    const before = (await bench.onDisk('src/demo.ts')) ?? '';
    simulator.reply(
      answer(
        applyPatch(
          update(
            'src/demo.ts',
            "-const mug = { name: 'Mug', price: 795, quantity: 2 };",
            "+const mug = { name: 'Cup', price: 795, quantity: 2 };",
          ),
        ),
      ),
      answer(text('A cup it is.')),
    );
    await chat.ask('Call it a cup');
    await bench.waitFor('the diff to open', async () => (await bench.diff()) !== undefined);
    const right = bench.page.locator('.modified-in-monaco-diff-editor');
    await right.locator('.view-line').filter({ hasText: "'Cup'" }).click();
    await bench.page.keyboard.press('End');
    await bench.page.keyboard.type(' // of tea');
    await chat.says(chat.patch, 'edited');

    await bench.page.getByRole('button', { name: /^Accept the Proposed Changes/ }).click();
    await chat.says(chat.answer, 'A cup it is.');
    const after = before.replace(
      "{ name: 'Mug', price: 795, quantity: 2 };",
      "{ name: 'Cup', price: 795, quantity: 2 }; // of tea",
    );
    assert.equal(await bench.onDisk('src/demo.ts'), after);
    const [, output] = outputOf(await stage.request(1));
    assert.match(output, /by the person/);
    assert.match(output, /^\+\|?const mug = .* \/\/ of tea$/m);
    await bench.waitFor('the diff to close', async () => (await bench.diff()) === undefined);
  });

  it('tells the model what is wrong with a patch that does not fit, and shows the next one', async () => {
    const { bench, chat, simulator } = stage;
    simulator.reply(
      answer(applyPatch(update('package.json', '-This line is not in the file.', '+Nor is this one.'))),
      answer(text('I had the wrong text.')),
    );
    await chat.ask('Change the manifest');
    await chat.says(chat.answer, 'I had the wrong text.');
    await chat.says(chat.turn, /A patch did not fit the files/);
    assert.match(outputOf(await stage.request(1))[1], /package\.json/);
    assert.equal(await bench.diff(), undefined);
  });
});

type Item = {
  readonly type: string;
  readonly content?: readonly { readonly text: string }[];
  readonly output?: string;
};

function itemsOf(request: ReceivedRequest): readonly Item[] {
  return request.body['input'] as readonly Item[];
}

function typesOf(request: ReceivedRequest): string[] {
  return itemsOf(request).map(({ type }) => type);
}

/** The texts of a message of a request, counted from its end when negative. */
function contentOf(request: ReceivedRequest, index: number): string[] {
  return (itemsOf(request).at(index)?.content ?? []).map(({ text: part }) => part);
}

/** Type and text of the last item. */
function outputOf(request: ReceivedRequest): [string, string] {
  const last = itemsOf(request).at(-1);
  return [last?.type ?? '', last?.output ?? ''];
}
