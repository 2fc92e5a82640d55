/** Deciding on single hunks of a proposed file: what is written, what waits on, and what the model is told in the end. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

import type { FileEdit } from '../../src/core/patch/editPlan.ts';
import { reportOutcome } from '../../src/core/patch/reportOutcome.ts';
import type { ReviewCommand } from '../../src/host/edits/review/reviewCommands.ts';
import { edit, next, ourTabs, Stage, untilNoTabs, untilText, type Shown } from './editsStage.ts';

const before = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';
const after = before.replace('2', 'two').replace('5', 'five').replace('8', 'eight');

describe('one hunk of a proposed file', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(() => stage.close());

  /** As the plan has it, with the places that the model is told of. */
  const update = (name: string): FileEdit => ({
    ...(stage.update(name, before, after) as Extract<FileEdit, { kind: 'update' }>),
    places: [2, 5, 8].map((line) => ({ from: line, to: line, pass: 'exact' as const })),
  });
  const at = async (right: vscode.TextEditor, line: number, command: ReviewCommand): Promise<void> => {
    // What VS Code has to tell of an earlier place must not come after this one is set.
    const isThere = ({ active }: vscode.Selection): boolean => active.line === line;
    const arrived = isThere(right.selection)
      ? undefined
      : next(
          vscode.window.onDidChangeTextEditorSelection,
          ({ textEditor, selections: [first] }) =>
            textEditor === right && first !== undefined && isThere(first),
        );
    right.selection = new vscode.Selection(line, 0, line, 0);
    await arrived;
    await stage.review.commands[command]();
  };
  const told = async (shown: Shown, edit: FileEdit): Promise<string> =>
    reportOutcome({ files: [edit], notes: [] }, await shown.outcome);

  it('is written alone and is then no longer proposed, while the others wait', async () => {
    await stage.write('cart.ts', before);
    const edit = update('cart.ts');
    const shown = stage.propose(edit);
    const right = await shown.openRight();
    await at(right, 4, 'kimiChat.acceptPatchHunk');
    const one = before.replace('5', 'five');
    assert.equal(await stage.disk('cart.ts'), one);
    assert.equal(right.document.getText(), after);
    const { hunks, state, added, removed } = shown.file();
    assert.deepEqual([hunks?.open, hunks?.accepted, state, added, removed], [2, 1, 'pending', 2, 2]);
    assert.equal(ourTabs().length, 1);
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    assert.equal(await stage.disk('cart.ts'), after);
    assert.equal(shown.file().partly, undefined);
    // What one patch did is one thing to take back, however it was accepted.
    await stage.review.board.takeBack(shown.id);
    assert.equal(await stage.disk('cart.ts'), before);
  });

  it('is not in the file when it could not be saved, and is written when it is tried again', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(update('cart.ts'));
    const right = await shown.openRight();
    stage.cutNextSave('cart.ts', 3);
    await at(right, 4, 'kimiChat.acceptPatchHunk');
    const { state, note, hunks } = shown.file();
    assert.deepEqual([state, hunks?.open, hunks?.accepted], ['failed', 3, 0]);
    assert.match(note ?? '', /^Not all of it reached the disk.* Everything is as it was: make room/);
    assert.equal(await stage.disk('cart.ts'), before);
    await at(right, 4, 'kimiChat.acceptPatchHunk');
    assert.deepEqual([shown.file().state, shown.file().note], ['pending', undefined]);
    assert.equal(await stage.disk('cart.ts'), before.replace('5', 'five'));
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    assert.equal(await stage.disk('cart.ts'), after);
  });

  it('is written while the person goes on typing into the others, and nothing typed is lost', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(update('cart.ts'));
    const right = await shown.openRight();
    let typed = false;
    stage.own(
      vscode.workspace.onWillSaveTextDocument(({ document, waitUntil }) => {
        if (typed || document.uri.toString() !== stage.uri('cart.ts').toString()) return;
        typed = true;
        waitUntil(edit(right.document, after.replace('eight', 'EIGHT')));
      }),
    );
    await at(right, 4, 'kimiChat.acceptPatchHunk');
    assert.ok(typed);
    assert.equal(await stage.disk('cart.ts'), before.replace('5', 'five'));
    await shown.until(({ amended, hunks }) => amended && hunks?.open === 2);
    await shown.accept();
    assert.equal(await stage.disk('cart.ts'), after.replace('eight', 'EIGHT'));
  });

  it('is taken back with its patch while others wait, and the diff closes', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(update('cart.ts'));
    const right = await shown.openRight();
    await at(right, 4, 'kimiChat.acceptPatchHunk');
    assert.deepEqual(await stage.review.board.takeBackLast(), { done: 1, left: 0 });
    assert.equal(await stage.disk('cart.ts'), before);
    assert.deepEqual(shown.states, ['takenBack']);
    await untilNoTabs();
    assert.equal(await stage.review.board.takeBackLast(), undefined);
  });

  it('can be rejected, and the model is told of each', async () => {
    await stage.write('cart.ts', before);
    const edit = update('cart.ts');
    const shown = stage.propose(edit);
    const right = await shown.openRight();
    await at(right, 1, 'kimiChat.acceptPatchHunk');
    await at(right, 4, 'kimiChat.rejectPatchHunk');
    await untilText(right.document, (text) => text === after.replace('five', '5'));
    const { hunks } = shown.file();
    assert.deepEqual([hunks?.open, hunks?.accepted, hunks?.rejected], [1, 1, 1]);
    // Only one is left: the cursor need not stand in it.
    await at(right, 0, 'kimiChat.acceptPatchHunk');
    const text = after.replace('five', '5');
    assert.deepEqual(await shown.single(), { kind: 'acceptedAmended', text });
    assert.equal(await stage.disk('cart.ts'), text);
    assert.deepEqual([shown.file().state, shown.file().partly], ['accepted', true]);
    assert.deepEqual((await told(shown, edit)).split('\n').slice(2, 5), [
      '  hunk 1: taken as proposed',
      '  hunk 2: not taken',
      '  hunk 3: taken as proposed',
    ]);
    await untilNoTabs();
  });

  it('rejected as the last one rejects the file', async () => {
    await stage.write('cart.ts', before);
    const edit = stage.update('cart.ts', before, before.replace('5', 'five'));
    const shown = stage.propose(edit);
    const right = await shown.openRight();
    await at(right, 4, 'kimiChat.rejectPatchHunk');
    assert.deepEqual(await shown.single(), { kind: 'rejected' });
    assert.deepEqual(shown.states, ['rejected']);
    assert.equal(await stage.disk('cart.ts'), before);
  });

  it('stays in the file when the rest is rejected', async () => {
    await stage.write('cart.ts', before);
    const edit = update('cart.ts');
    const shown = stage.propose(edit);
    const right = await shown.openRight();
    await at(right, 7, 'kimiChat.acceptPatchHunk');
    await shown.reject(undefined, 'no');
    assert.deepEqual(await shown.single(), {
      kind: 'acceptedAmended',
      text: before.replace('8', 'eight'),
    });
    assert.deepEqual([shown.file().state, shown.file().partly], ['accepted', true]);
    assert.match(await told(shown, edit), /hunk 3: taken as proposed/);
  });

  it('is written into unsaved text and leaves it unsaved', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(update('cart.ts'));
    const right = await shown.openRight();
    const document = await stage.typeUnsaved('cart.ts', (text) => `0\n${text}`);
    await shown.until(({ hunks }) => hunks?.moved === 3);
    await untilText(right.document, (text) => text === `0\n${after}`);
    await at(right, 5, 'kimiChat.acceptPatchHunk');
    assert.equal(document.getText(), `0\n${before.replace('5', 'five')}`);
    assert.ok(document.isDirty);
    assert.equal(await stage.disk('cart.ts'), before);
    await shown.reject();
  });

  it('in conflict is not written', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(update('cart.ts'));
    const right = await shown.openRight();
    const document = await stage.typeUnsaved('cart.ts', (text) => text.replace('5', 'mine'));
    await shown.until(({ state }) => state === 'conflict');
    await at(right, 4, 'kimiChat.acceptPatchHunk');
    assert.equal(document.getText(), before.replace('5', 'mine'));
    // The others can be taken all the same.
    await at(right, 7, 'kimiChat.acceptPatchHunk');
    assert.equal(document.getText(), before.replace('5', 'mine').replace('8', 'eight'));
    assert.equal(shown.file().state, 'conflict');
    // Given up, it is no obstacle any more.
    await at(right, 4, 'kimiChat.rejectPatchHunk');
    await shown.until(({ state }) => state === 'pending');
    await shown.accept();
    assert.equal(document.getText(), before.replace('5', 'mine').replace('8', 'eight').replace('2', 'two'));
  });

  it('keeps CRLF', async () => {
    const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
    await stage.write('cart.ts', crlf(before));
    const shown = stage.propose(stage.update('cart.ts', crlf(before), crlf(after)));
    const right = await shown.openRight();
    await at(right, 4, 'kimiChat.acceptPatchHunk');
    assert.equal(await stage.disk('cart.ts'), crlf(before.replace('5', 'five')));
    await at(right, 1, 'kimiChat.acceptPatchHunk');
    await at(right, 7, 'kimiChat.acceptPatchHunk');
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    assert.equal(await stage.disk('cart.ts'), crlf(after));
  });

  it('does nothing where no change is, and takes the whole of a file without hunks', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(update('cart.ts'), stage.add('new.ts', 'new\n'));
    const right = await shown.openRight();
    await at(right, 2, 'kimiChat.acceptPatchHunk');
    assert.equal(await stage.disk('cart.ts'), before);
    await at(await shown.openRight(1), 0, 'kimiChat.acceptPatchHunk');
    assert.deepEqual(shown.states, ['pending', 'accepted']);
    await shown.reject();
  });

  it('of a file that moves is written before it moves', async () => {
    await stage.write('a.ts', before);
    const shown = stage.propose(stage.update('a.ts', before, after, 'b.ts'));
    const right = await shown.openRight();
    await at(right, 1, 'kimiChat.acceptPatchHunk');
    assert.equal(await stage.disk('a.ts'), before.replace('2', 'two'));
    await shown.accept();
    assert.deepEqual([await stage.disk('a.ts'), await stage.disk('b.ts')], [undefined, after]);
    await stage.review.board.takeBack(shown.id);
    assert.deepEqual([await stage.disk('a.ts'), await stage.disk('b.ts')], [before, undefined]);
  });
});

describe('all files of a patch', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(() => stage.close());

  it('open in one editor, and count as looked at', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, after), stage.add('new.ts', 'new\n'));
    // The first opens by itself where no editor is open.
    await shown.until(({ seen }) => seen);
    const opened = next(vscode.window.tabGroups.onDidChangeTabs);
    await stage.review.board.viewAll(shown.id);
    await opened;
    assert.match(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '', /^Proposed changes/);
    assert.deepEqual([shown.file(0).seen, shown.file(1).seen], [true, true]);
    await shown.accept();
    assert.equal(await stage.disk('cart.ts'), after);
  });
});
