/** Several proposals for one file, one upon the other: what the later one starts from, and what becomes of it when the earlier is decided. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

import { ourTabs, Stage, untilText, type Shown } from './editsStage.ts';

const before = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';
const first = before.replace('2', 'two').replace('5', 'five');
const both = first.replace('8', 'eight');

describe('two proposals for one file', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(() => stage.close());

  /** It opens by itself where no editor is open; the later one then stays in the background. */
  const proposeFirst = async (): Promise<Shown> => {
    const shown = stage.propose(stage.update('cart.ts', before, first));
    await shown.until(({ seen }) => seen);
    return shown;
  };

  it('stack: the later one starts from the earlier, and shows only what is its own', async () => {
    await stage.write('cart.ts', before);
    const lower = await proposeFirst();
    assert.deepEqual(await stage.review.files.read(stage.path('cart.ts')), { kind: 'text', text: first });
    const upper = stage.propose(stage.update('cart.ts', first, both));
    assert.deepEqual([upper.file().added, upper.file().removed], [1, 1]);
    await upper.openRight();
    const input = ourTabs().find(({ isActive }) => isActive)?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal((await vscode.workspace.openTextDocument(input.original)).getText(), first);
    await lower.accept();
    await upper.accept();
    assert.deepEqual(await lower.single(), { kind: 'accepted' });
    assert.deepEqual(await upper.single(), { kind: 'accepted' });
    assert.equal(await stage.disk('cart.ts'), both);
  });

  it('come apart when the earlier is rejected', async () => {
    await stage.write('cart.ts', before);
    const lower = await proposeFirst();
    const upper = stage.propose(stage.update('cart.ts', first, both));
    const right = await upper.openRight();
    await lower.reject();
    await untilText(right.document, (text) => text === before.replace('8', 'eight'));
    const shown = await upper.openRight();
    const input = ourTabs().find(({ isActive }) => isActive)?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal(input.original.toString(), stage.uri('cart.ts').toString());
    assert.equal(shown.document.getText(), before.replace('8', 'eight'));
    await upper.accept();
    assert.equal(await stage.disk('cart.ts'), before.replace('8', 'eight'));
  });

  it('conflict, visibly, when the later one changes lines of the earlier that is then rejected', async () => {
    await stage.write('cart.ts', before);
    const lower = await proposeFirst();
    const upper = stage.propose(stage.update('cart.ts', first, first.replace('five', 'FIVE')));
    await upper.accept();
    assert.deepEqual(upper.states, ['failed']);
    assert.match(upper.file().note ?? '', /another patch for the same file/);
    assert.equal(await stage.disk('cart.ts'), before);
    await lower.reject();
    await upper.until(({ state, hunks }) => state === 'conflict' && hunks?.conflicting === 1);
    await upper.reject();
    const outcome = await upper.single();
    assert.ok(outcome.kind === 'conflict');
    assert.match(outcome.detail, /^Line 5 .* Present text: "5\\n"\.$/);
  });

  it('let the later one be accepted first: only its own lines are written', async () => {
    await stage.write('cart.ts', before);
    const lower = await proposeFirst();
    const upper = stage.propose(stage.update('cart.ts', first, both));
    await upper.accept();
    const own = before.replace('8', 'eight');
    assert.deepEqual(await upper.single(), {
      kind: 'accepted',
      present: { text: own, cause: 'earlierWaits' },
    });
    assert.equal(await stage.disk('cart.ts'), own);
    await lower.accept();
    await lower.single();
    assert.equal(await stage.disk('cart.ts'), both);
  });

  it('follow together what the person types, in the file and into the earlier one', async () => {
    await stage.write('cart.ts', before);
    const lower = await proposeFirst();
    const upper = stage.propose(stage.update('cart.ts', first, both));
    const right = await lower.openRight();
    await stage.typeUnsaved('cart.ts', (text) => `0\n${text}`);
    await upper.until(({ hunks }) => hunks?.moved === 1);
    await untilText(right.document, (text) => text === `0\n${first}`);
    right.selection = new vscode.Selection(2, 3, 2, 3);
    await vscode.commands.executeCommand('type', { text: '!' });
    await lower.until(({ amended }) => amended);
    const above = await upper.openRight();
    await untilText(above.document, (text) => text === `0\n${both.replace('two', 'two!')}`);
    assert.equal(upper.file().amended, false);
    await upper.reject();
    await lower.reject();
  });

  it('stack upon a new file too', async () => {
    const lower = stage.propose(stage.add('new.ts', before));
    assert.deepEqual(await stage.review.files.read(stage.path('new.ts')), { kind: 'text', text: before });
    const upper = stage.propose(stage.update('new.ts', before, first));
    await upper.accept();
    assert.deepEqual(upper.states, ['failed']);
    await lower.accept();
    await upper.accept();
    assert.deepEqual(await upper.single(), { kind: 'accepted' });
    assert.equal(await stage.disk('new.ts'), first);
  });
});
