/** A block of code is proposed where it fits, and where it does not, the person is told why and loses nothing. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';

import { ChatStage, inFront } from './chatStage.ts';

describe('applying code', () => {
  let stage: ChatStage;
  let folder: string;
  beforeEach(async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(root, 'these tests need an open folder');
    folder = await mkdtemp(join(root, 'code-'));
    stage = await ChatStage.open();
    stage.panel.show();
  });
  afterEach(async () => {
    await stage.close();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  async function open(name: string, content: string): Promise<vscode.TextEditor> {
    await writeFile(join(folder, name), content);
    return inFront(await vscode.window.showTextDocument(vscode.Uri.file(join(folder, name))));
  }

  /** Applies it, with the list answered by the first choice when there is one. `meanwhile`: before it is answered. */
  async function apply(text: string, meanwhile?: () => unknown): Promise<void> {
    stage.panel.tell({ kind: 'applyCode', from: 'c/t/0/code', text });
    await meanwhile?.();
    const before = stage.code.current.length;
    const done = { yet: false };
    const ended = stage.dealtWith().finally(() => (done.yet = true));
    // VS Code tells nobody when its list has come up. Accepting does nothing before, and each time is a way to the window and back.
    while (!done.yet && stage.code.current.length === before)
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await ended;
  }

  const says = (): string => stage.panel.notices.at(-1) ?? '';

  it('says what hinders it: nothing in the block, or too much', async () => {
    await apply('  \n');
    assert.match(says(), /no code in this block/);
    await apply('x'.repeat(1_000_001));
    assert.match(says(), /too long for a diff/);
    assert.deepEqual(stage.code.current, []);
  });

  it('proposes it, then waits for the decision before it takes more for the same place', async () => {
    const editor = await open('a.ts', 'a\r\nb\r\n');
    editor.selection = new vscode.Selection(1, 0, 1, 0);
    await apply('x();');
    const [one] = stage.code.current;
    assert.equal(one?.from, 'c/t/0/code');
    assert.deepEqual(
      one?.proposal.files.map(({ path, state, added, removed }) => [path, state, added, removed]),
      [[`${basename(folder)}/a.ts`, 'pending', 1, 0]],
    );
    assert.equal(editor.document.getText(), 'a\r\nb\r\n');
    await open('a.ts', 'a\r\nb\r\n');
    await apply('y();');
    assert.match(says(), /Another change to .*a\.ts waits/);
    assert.equal(stage.code.current.length, 1);
    await stage.review.board.accept(one?.proposal.id ?? '');
    assert.equal(stage.code.current[0]?.proposal.files[0]?.state, 'accepted');
    assert.equal(editor.document.getText(), 'a\r\nx();\r\nb\r\n');
    assert.deepEqual(stage.orphans.current, []);
  });

  it('goes to the place that was offered, although the cursor went on, and nowhere when the text did', async () => {
    const editor = await open('c.ts', 'a\nb\nc\n');
    editor.selection = new vscode.Selection(1, 0, 1, 0);
    await apply('x();', () => {
      editor.selection = new vscode.Selection(2, 0, 2, 0);
    });
    const [one] = stage.code.current;
    await stage.review.board.accept(one?.proposal.id ?? '');
    assert.equal(editor.document.getText(), 'a\nx();\nb\nc\n');
    const { document } = await open('c.ts', 'a\nx();\nb\nc\n');
    const change = new vscode.WorkspaceEdit();
    change.insert(document.uri, new vscode.Position(0, 0), '\n');
    await apply('y();', () => vscode.workspace.applyEdit(change));
    assert.match(says(), /c\.ts was changed meanwhile/);
    assert.equal(stage.code.current.length, 1);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('says that there is nothing to change', async () => {
    const editor = await open('b.ts', 'x();\n');
    editor.selection = new vscode.Selection(0, 0, 0, 4);
    await apply('x();');
    assert.match(says(), /already stands in .*b\.ts/);
  });

  it('makes nothing of a text that was never saved, nor of a name that was not given', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'x\n' });
    await vscode.window.showTextDocument(document);
    // All that is offered is a new file, of which the name stays empty.
    await apply('y();');
    assert.deepEqual(stage.code.current, []);
    assert.equal(document.getText(), 'x\n');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
