/** Chips: what is taken from editors of every kind, by which name, and whether it can be opened again. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';

import type { Attachment } from '../../src/core/conversation/userMessage.ts';
import { attachFrom, sameTarget } from '../../src/host/composer/attachments.ts';
import { editorInFront } from '../../src/host/chat/editorInFront.ts';
import { maxLength } from '../../src/host/context/problem.ts';
import { openAttachment } from '../../src/host/composer/openAttachment.ts';
import { inFront, untilOpen } from './chatStage.ts';

const lines = 'one\ntwo\n\nfour\nfive\n';

describe('attachments', () => {
  let folder: string;
  let place: string;
  // Anew for each test: VS Code may be about to read again a file that was written just now.
  beforeEach(async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(root, 'these tests need an open folder');
    folder = await mkdtemp(join(root, 'attach-'));
    place = basename(folder);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true });
  });

  const open = async (name: string, text: string): Promise<vscode.TextEditor> => {
    await writeFile(join(folder, name), text);
    return inFront(await vscode.window.showTextDocument(vscode.Uri.file(join(folder, name))));
  };
  const attach = (editor: vscode.TextEditor): readonly Attachment[] => {
    let id = 0;
    const attached = attachFrom(editor, { newId: () => `id ${(id += 1)}` });
    assert.ok(attached.ok, 'nothing was attached');
    return attached.value;
  };
  const problem = (editor: vscode.TextEditor): string | undefined => {
    const attached = attachFrom(editor, { newId: () => 'id' });
    return attached.ok ? undefined : attached.error;
  };
  /** Lines and characters from 0, as VS Code counts. */
  const select = (editor: vscode.TextEditor, ...ranges: readonly (readonly number[])[]): void => {
    editor.selections = ranges.map(
      ([fromLine = 0, from = 0, toLine = 0, to = 0]) => new vscode.Selection(fromLine, from, toLine, to),
    );
  };

  it('take the selected lines as a whole, with their place', async () => {
    const editor = await open('a.ts', lines);
    select(editor, [0, 2, 1, 1]);
    assert.deepEqual(attach(editor), [
      {
        id: 'id 1',
        kind: 'selection',
        path: `${place}/a.ts`,
        uri: vscode.Uri.file(join(folder, 'a.ts')).toString(),
        range: { from: 1, to: 2 },
        languageId: 'typescript',
        text: 'one\ntwo',
      },
    ]);
  });

  it('leave out the line at whose start a selection ends, and take one selected backwards', async () => {
    const editor = await open('a.ts', lines);
    select(editor, [0, 0, 2, 0]);
    assert.deepEqual(attach(editor)[0]?.range, { from: 1, to: 2 });
    select(editor, [4, 3, 3, 0]);
    assert.deepEqual(attach(editor)[0]?.range, { from: 4, to: 5 });
    assert.equal(attach(editor)[0]?.text, 'four\nfive');
  });

  it('make a chip of each selection, in the order of the file, and one of those that meet', async () => {
    const editor = await open('a.ts', 'a\nb\nc\nd\ne\nf\ng\n');
    select(editor, [5, 0, 5, 1], [0, 0, 0, 1]);
    assert.deepEqual(
      attach(editor).map(({ range, text }) => [range, text]),
      [
        [{ from: 1, to: 1 }, 'a'],
        [{ from: 6, to: 6 }, 'f'],
      ],
    );
    select(editor, [1, 0, 1, 1], [2, 0, 2, 1], [3, 0, 3, 1], [5, 0, 5, 1]);
    assert.deepEqual(
      attach(editor).map(({ range }) => range),
      [
        { from: 2, to: 4 },
        { from: 6, to: 6 },
      ],
    );
    const twice = await open('long.ts', 'all in one line\n');
    select(twice, [0, 0, 0, 3], [0, 7, 0, 10]);
    assert.deepEqual(
      attach(twice).map(({ range }) => range),
      [{ from: 1, to: 1 }],
    );
  });

  it('take the whole file when nothing is selected, as it stands in the editor', async () => {
    const editor = await open('a.ts', lines);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'zero\n'));
    const [attachment] = attach(editor);
    assert.equal(attachment?.kind, 'file');
    assert.equal(attachment.text, `zero\n${lines}`);
    assert.equal('range' in attachment, false);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('have LF only, whatever the file has', async () => {
    const editor = await open('w.ts', 'one\r\ntwo\r\nthree\r\n');
    assert.equal(editor.document.eol, vscode.EndOfLine.CRLF);
    assert.equal(attach(editor)[0]?.text, 'one\ntwo\nthree\n');
    select(editor, [0, 0, 2, 0]);
    assert.equal(attach(editor)[0]?.text, 'one\ntwo');
  });

  it('are not made of nothing, nor of more than anyone would read', async () => {
    assert.equal(problem(await open('empty.ts', '')), 'empty');
    assert.equal(problem(await open('blank.ts', ' \n\t\n')), 'empty');
    const editor = await open('a.ts', lines);
    select(editor, [2, 0, 3, 0]);
    assert.equal(problem(editor), 'empty');
    select(editor, [0, 0, 0, 1], [2, 0, 3, 0]);
    assert.deepEqual(
      attach(editor).map(({ text }) => text),
      ['one'],
      'the blank one is left out',
    );
    assert.equal(problem(await open('long.txt', 'x'.repeat(maxLength + 1))), 'tooLong');
    assert.equal(problem(await open('longest.txt', 'x'.repeat(maxLength))), undefined);
  });

  it('name what has no file by what it is', async () => {
    const untitled = await vscode.workspace.openTextDocument({ content: 'let a;', language: 'typescript' });
    const [attachment] = attach(await vscode.window.showTextDocument(untitled));
    assert.match(attachment?.path ?? '', /^Untitled-\d+$/);
    assert.equal(attachment?.languageId, 'typescript');
    const planned = vscode.Uri.file(join(folder, 'planned.ts')).with({ scheme: 'untitled' });
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(planned));
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'let b;'));
    assert.equal(attach(editor)[0]?.path, `${place}/planned.ts`);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('name a file outside the folder by its whole path, and another version of one by what it is', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'kimi-chat-outside-'));
    await writeFile(join(outside, 'b.ts'), 'b\n');
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(join(outside, 'b.ts')));
    assert.equal(attach(editor)[0]?.path, join(outside, 'b.ts'));
    await rm(outside, { recursive: true });
    const provider = vscode.workspace.registerTextDocumentContentProvider('kimi-test-old', {
      provideTextDocumentContent: () => 'as it was\n',
    });
    const old = vscode.Uri.file(join(folder, 'a.ts')).with({ scheme: 'kimi-test-old', query: 'HEAD' });
    assert.equal(attach(await vscode.window.showTextDocument(old))[0]?.path, `${place}/a.ts (kimi-test-old)`);
    provider.dispose();
  });

  it('name a cell of a notebook by its number, and lead back to it', async () => {
    await writeFile(join(folder, 'book.ipynb'), notebook('print(1)', 'print(2)\nprint(3)'));
    const book = await vscode.workspace.openNotebookDocument(vscode.Uri.file(join(folder, 'book.ipynb')));
    await vscode.window.showNotebookDocument(book);
    const cell = book.cellAt(1);
    await vscode.window.showNotebookDocument(book, { selections: [new vscode.NotebookRange(1, 2)] });
    await vscode.commands.executeCommand('notebook.cell.edit');
    const editor = await untilOpen(() =>
      vscode.window.activeTextEditor?.document === cell.document ? vscode.window.activeTextEditor : undefined,
    );
    assert.equal(editorInFront(), editor);
    const [attachment] = attach(editor);
    assert.ok(attachment);
    assert.equal(attachment.path, `${place}/book.ipynb (cell 2)`);
    assert.equal(attachment.text, 'print(2)\nprint(3)');
    await vscode.window.showNotebookDocument(book, { selections: [new vscode.NotebookRange(0, 1)] });
    await openAttachment(attachment);
    assert.deepEqual(vscode.window.activeNotebookEditor?.selection, new vscode.NotebookRange(1, 2));
  });

  it('are the same when they name the same lines of the same file', async () => {
    const editor = await open('a.ts', lines);
    const whole = attach(editor)[0]!;
    select(editor, [0, 0, 1, 1]);
    const some = attach(editor)[0]!;
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'x'));
    assert.ok(sameTarget(some, attach(editor)[0]!));
    assert.ok(!sameTarget(some, whole));
    select(editor, [0, 0, 0, 1]);
    assert.ok(!sameTarget(some, attach(editor)[0]!));
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  describe('that are opened again', () => {
    const uri = (name: string): string => vscode.Uri.file(join(folder, name)).toString();
    const selected = (): readonly number[] => {
      const { start, end } = vscode.window.activeTextEditor!.selection;
      return [start.line, start.character, end.line, end.character];
    };

    it('show their lines', async () => {
      await open('a.ts', lines);
      await openAttachment({ uri: uri('a.ts'), range: { from: 2, to: 4 } });
      assert.deepEqual(selected(), [1, 0, 3, 4]);
      await openAttachment({ uri: uri('a.ts') });
      assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uri('a.ts'));
    });

    it('show what is left of them when the file shrank', async () => {
      await open('short.ts', 'only\nthis');
      await openAttachment({ uri: uri('short.ts'), range: { from: 2, to: 900 } });
      assert.deepEqual(selected(), [1, 0, 1, 4]);
      await openAttachment({ uri: uri('short.ts'), range: { from: 500, to: 900 } });
      assert.deepEqual(selected(), [1, 0, 1, 4]);
      await open('gone.ts', '');
      await openAttachment({ uri: uri('gone.ts'), range: { from: 3, to: 4 } });
      assert.deepEqual(selected(), [0, 0, 0, 0]);
    });

    it('are refused when they are gone', async () => {
      await open('deleted.ts', lines);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await rm(join(folder, 'deleted.ts'));
      await assert.rejects(openAttachment({ uri: uri('deleted.ts'), range: { from: 1, to: 1 } }));
      await assert.rejects(openAttachment({ uri: uri('never.ts') }));
      await assert.rejects(openAttachment({ uri: 'untitled:Untitled-404' }));
      await assert.rejects(openAttachment({ uri: 'no uri at all' }));
      assert.equal(vscode.window.activeTextEditor, undefined);
    });
  });

  describe('of the active editor', () => {
    it('are taken from the tab in front, not from an output where the cursor was', async () => {
      const editor = await open('a.ts', lines);
      const channel = vscode.window.createOutputChannel(`Attach test ${Date.now()}`);
      channel.appendLine('output');
      channel.show(false);
      await vscode.commands.executeCommand('workbench.panel.output.focus');
      const output = await untilOpen(() =>
        vscode.window.visibleTextEditors.find(({ document }) => document.uri.scheme === 'output'),
      );
      assert.notEqual(output, undefined);
      assert.equal(editorInFront()?.document, editor.document);
      channel.dispose();
      await vscode.commands.executeCommand('workbench.action.closePanel');
    });

    it('are none when what is in front is no text, though text is visible beside it', async () => {
      await open('a.ts', lines);
      await vscode.commands.executeCommand('workbench.action.splitEditor');
      await vscode.commands.executeCommand('workbench.action.openSettings');
      await untilOpen(() =>
        vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputText
          ? undefined
          : true,
      );
      assert.ok(vscode.window.visibleTextEditors.length > 0);
      assert.equal(editorInFront(), undefined);
    });

    it('are none when nothing is open', async () => {
      await untilOpen(() => (vscode.window.tabGroups.activeTabGroup.activeTab ? undefined : true));
      assert.equal(editorInFront(), undefined);
    });

    it('are of either side of a diff', async () => {
      await open('b.ts', 'b\n');
      await open('a.ts', lines);
      const [a, b] = [vscode.Uri.parse(uriOf('a.ts')), vscode.Uri.parse(uriOf('b.ts'))];
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await vscode.commands.executeCommand('vscode.diff', a, b, 'both');
      const editor = await untilOpen(editorInFront);
      assert.equal(editor.document.uri.toString(), b.toString());
      await vscode.commands.executeCommand('workbench.action.compareEditor.focusSecondarySide');
      const left = await untilOpen(() => {
        const found = editorInFront();
        return found?.document.uri.toString() === a.toString() ? found : undefined;
      });
      assert.equal(left.document.getText(), lines);
    });

    const uriOf = (name: string): string => vscode.Uri.file(join(folder, name)).toString();
  });
});

function notebook(...cells: readonly string[]): string {
  return JSON.stringify({
    cells: cells.map((source) => ({
      cell_type: 'code',
      execution_count: null,
      metadata: {},
      outputs: [],
      source: source.split(/(?<=\n)/),
    })),
    metadata: { language_info: { name: 'python' } },
    nbformat: 4,
    nbformat_minor: 5,
  });
}
