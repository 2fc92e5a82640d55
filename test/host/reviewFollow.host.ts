/** A proposal that waits while the person goes on working in its file: it follows, nothing of anyone's is lost, and the card says how it stands. */
import assert from 'node:assert/strict';
import { rename, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';

import { reportOutcome } from '../../src/core/patch/reportOutcome.ts';
import { edit, inEditor, ourTabs, Stage, untilNoTabs, untilText } from './editsStage.ts';

const before = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';
const after = before.replace('2', 'two').replace('5', 'five').replace('8', 'eight');

describe('a proposal whose file changes', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(() => stage.close());

  it('follows what is typed elsewhere in the file, in the open diff too, and is then accepted as it stands', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, after));
    const right = await shown.openRight();
    assert.deepEqual(shown.file().hunks, {
      open: 3,
      moved: 0,
      conflicting: 0,
      hidden: 0,
      there: 0,
      accepted: 0,
      rejected: 0,
    });
    const document = await stage.typeUnsaved('cart.ts', (text) => text.replace('3\n', '3\nmine\n'));
    await shown.until(({ hunks }) => hunks?.moved === 2);
    const followed = after.replace('3\n', '3\nmine\n');
    await untilText(right.document, (text) => text === followed);
    assert.deepEqual(
      [shown.file().state, shown.file().amended, right.document.isDirty],
      ['pending', false, false],
    );
    await shown.accept();
    assert.equal(document.getText(), followed);
    assert.deepEqual(await shown.single(), {
      kind: 'accepted',
      present: { text: followed, cause: 'editedMeanwhile' },
    });
  });

  it('keeps up with quick typing on the left while the person types on the right', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, after));
    const right = await shown.openRight();
    const live = await vscode.workspace.openTextDocument(stage.uri('cart.ts'));
    right.selection = new vscode.Selection(7, 5, 7, 5);
    let typed = '';
    for (const key of 'abcdefgh') {
      typed += key;
      await edit(live, before.replace('3\n', `3\n${typed}\n`));
      await vscode.commands.executeCommand('type', { text: key });
    }
    const wanted = after.replace('3\n', '3\nabcdefgh\n').replace('eight', 'eightabcdefgh');
    await untilText(right.document, (text, isDirty) => text === wanted && !isDirty);
    await shown.until(({ amended, hunks }) => amended && hunks?.moved === 2);
    await shown.accept();
    assert.equal(live.getText(), wanted);
  });

  it('shows a conflict with both sides by itself, and is free of it when the person takes their line back', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, after));
    const right = await shown.openRight();
    const document = await stage.typeUnsaved('cart.ts', (text) => `0\n${text.replace('5', 'mine')}`);
    await shown.until(({ state }) => state === 'conflict');
    assert.match(shown.file().note ?? '', /6/);
    assert.deepEqual([shown.file().hunks?.conflicting, shown.file().hunks?.moved], [1, 2]);
    await untilText(right.document, (text) => text === `0\n${after}`);
    await shown.accept();
    assert.deepEqual(shown.states, ['conflict']);
    assert.equal(document.getText(), `0\n${before.replace('5', 'mine')}`);
    await edit(document, before);
    await shown.until(({ state, hunks }) => state === 'pending' && hunks?.moved === 0);
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
  });

  it('takes what the person writes over a conflict on the right for its solution', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, after));
    const right = await shown.openRight();
    const document = await stage.typeUnsaved('cart.ts', (text) => text.replace('5', 'mine'));
    await shown.until(({ state }) => state === 'conflict');
    right.selection = new vscode.Selection(4, 4, 4, 4);
    await vscode.commands.executeCommand('type', { text: ' and mine' });
    await shown.until(({ state, amended }) => state === 'pending' && amended);
    await shown.accept();
    assert.equal(document.getText(), after.replace('five', 'five and mine'));
    assert.equal((await shown.single()).kind, 'acceptedAmended');
  });

  it('can be sent back with the lines as they are now', async () => {
    await stage.write('cart.ts', before);
    const update = stage.update('cart.ts', before, after);
    const shown = stage.propose(update);
    await stage.typeUnsaved('cart.ts', (text) => text.replace('5', 'mine'));
    await shown.until(({ state }) => state === 'conflict');
    await shown.reject(0);
    const outcome = await shown.single();
    assert.deepEqual(outcome, {
      kind: 'conflict',
      detail:
        'Line 5 was changed meanwhile, and the patch changes it or a line next to it. Present text: "mine\\n". The patch has there: "five\\n".',
    });
    const text = reportOutcome({ files: [update], notes: [] }, { files: [outcome] });
    assert.match(
      text,
      /not written, because the same lines were changed meanwhile\. Line 5 .*"mine\\n"\. .*"five\\n"\./,
    );
  });

  it('follows another branch and back', async () => {
    await stage.watched();
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, after));
    await inEditor(stage.uri('cart.ts'));
    await writeFile(stage.onDisk('cart.ts'), `0\n${before.replace('2', 'two')}`);
    await shown.until(({ hunks }) => hunks?.there === 1 && hunks.open === 2 && hunks.moved === 2);
    await writeFile(stage.onDisk('cart.ts'), 'all\nother\n');
    await shown.until(({ state }) => state === 'conflict');
    await vscode.workspace.fs.delete(stage.uri('cart.ts'));
    await shown.until(
      ({ note }) => note?.startsWith('The file no longer exists. If it was renamed') === true,
    );
    await stage.write('cart.ts', before);
    await shown.until(({ state, hunks }) => state === 'pending' && hunks?.open === 3 && hunks.moved === 0);
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    assert.equal(await stage.disk('cart.ts'), after);
  });

  it('goes along when the person renames the file or its folder', async () => {
    await stage.write('shop/cart.ts', before);
    const change = stage.update('shop/cart.ts', before, after);
    const shown = stage.propose(change);
    await shown.openRight();
    const renaming = new vscode.WorkspaceEdit();
    renaming.renameFile(stage.uri('shop/cart.ts'), stage.uri('shop/basket.ts'));
    assert.ok(await vscode.workspace.applyEdit(renaming));
    const folder = new vscode.WorkspaceEdit();
    folder.renameFile(stage.uri('shop'), stage.uri('store'));
    assert.ok(await vscode.workspace.applyEdit(folder));
    const right = await shown.openRight();
    assert.equal(right.document.getText(), after);
    const input = ourTabs()[0]?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal(input.original.toString(), stage.uri('store/basket.ts').toString());
    assert.deepEqual(
      ourTabs().map(({ label }) => label),
      ['basket.ts (patch)'],
    );
    const names = [stage.path('shop/cart.ts').display, stage.path('store/basket.ts').display];
    const note = `This file was ${names[0]} when the patch was made.`;
    await shown.until((file) => file.path === names[1] && file.note === note);
    await shown.accept();
    assert.equal(await stage.disk('store/basket.ts'), after);
    assert.equal(await stage.disk('shop/cart.ts'), undefined);
    const text = reportOutcome({ files: [change], notes: [] }, await shown.outcome);
    assert.match(text, /^Applied: 1 file changed\./);
    assert.equal(text.split('\n').at(-1), `"${names[0]}" was renamed meanwhile: it is "${names[1]}" now.`);
  });

  it('moves the file from wherever the person has put it meanwhile', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, after, 'basket.ts'));
    const renaming = new vscode.WorkspaceEdit();
    renaming.renameFile(stage.uri('cart.ts'), stage.uri('wagon.ts'));
    assert.ok(await vscode.workspace.applyEdit(renaming));
    await shown.until(({ path, state }) => path.endsWith('/wagon.ts') && state === 'pending');
    await shown.accept();
    assert.deepEqual(
      await Promise.all(['cart.ts', 'wagon.ts', 'basket.ts'].map((name) => stage.disk(name))),
      [undefined, undefined, after],
    );
    assert.equal((await shown.outcome).notes?.length, 1);
  });

  it('takes the move for done when the person has made it', async () => {
    await stage.write('cart.ts', before);
    const change = stage.update('cart.ts', before, after, 'basket.ts');
    const shown = stage.propose(change);
    const renaming = new vscode.WorkspaceEdit();
    renaming.renameFile(stage.uri('cart.ts'), stage.uri('basket.ts'));
    assert.ok(await vscode.workspace.applyEdit(renaming));
    await stage.typeUnsaved('basket.ts', (text) => `0\n${text}`);
    await shown.until(({ state, hunks }) => state === 'pending' && hunks?.moved === 3);
    await shown.accept();
    const document = await vscode.workspace.openTextDocument(stage.uri('basket.ts'));
    assert.equal(document.getText(), `0\n${after}`);
    const text = reportOutcome({ files: [change], notes: [] }, await shown.outcome);
    assert.match(text, /^R \S+cart\.ts -> \S+basket\.ts /m);
    assert.doesNotMatch(text, /renamed meanwhile/);
  });

  it('follows what a program makes of a file that no editor has open', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, after));
    await shown.up();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await writeFile(stage.onDisk('cart.ts'), `0\n${before.replace('8', 'eight')}`);
    await shown.until(({ hunks }) => hunks?.there === 1 && hunks.open === 2 && hunks.moved === 2);
    await writeFile(stage.onDisk('cart.ts'), before.replace('5', 'mine'));
    await shown.until(({ state, hunks }) => state === 'conflict' && hunks?.conflicting === 1);
    await rename(stage.onDisk('cart.ts'), stage.onDisk('basket.ts'));
    await shown.until(
      ({ note }) => note?.startsWith('The file no longer exists. If it was renamed') === true,
    );
    await rename(stage.onDisk('basket.ts'), stage.onDisk('cart.ts'));
    await shown.until(({ state, hunks }) => state === 'conflict' && hunks?.conflicting === 1);
    await writeFile(stage.onDisk('cart.ts'), before);
    await shown.until(({ state }) => state === 'pending');
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    assert.equal(await stage.disk('cart.ts'), after);
  });

  describe('where watchers see nothing', () => {
    const name = 'unwatched/cart.ts';
    let heard: string[];
    beforeEach(async () => {
      await stage.set('files.watcherExclude', { '**/unwatched/**': true });
      await stage.write(name, before);
      heard = [];
      const watcher = vscode.workspace.createFileSystemWatcher('**/unwatched/*');
      stage.own(watcher);
      for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) {
        event(({ path }) => heard.push(path));
      }
    });

    for (const isOpen of [true, false]) {
      it(`follows a file that is ${isOpen ? 'open' : 'in no editor'}, and is accepted as it stands`, async () => {
        const shown = stage.propose(stage.update(name, before, after));
        await shown.up();
        if (isOpen) await inEditor(stage.uri(name));
        else await vscode.commands.executeCommand('workbench.action.closeAllEditors');
        const written = `0\n${before.replace('2', 'two')}`;
        await writeFile(stage.onDisk(name), written);
        await shown.until(({ hunks }) => hunks?.there === 1 && hunks.open === 2 && hunks.moved === 2);
        await writeFile(stage.onDisk(name), 'all\nother\n');
        await shown.until(({ state }) => state === 'conflict');
        await rename(stage.onDisk(name), stage.onDisk('basket.ts'));
        await shown.until(
          ({ note }) => note?.startsWith('The file no longer exists. If it was renamed') === true,
        );
        await writeFile(stage.onDisk(name), `00\n${before.replace('8', 'eight')}`);
        await shown.until(
          ({ state, hunks }) => state === 'pending' && hunks?.there === 1 && hunks.open === 2,
        );
        await shown.accept();
        const { kind } = await shown.single();
        assert.deepEqual([kind, await stage.disk(name)], ['accepted', `00\n${after}`]);
        const document = await vscode.workspace.openTextDocument(stage.uri(name));
        assert.deepEqual([document.encoding, document.isDirty], ['utf8', false]);
        assert.deepEqual(heard, []);
      });
    }
  });

  it('follows what a formatter makes of the file when the person saves it', async () => {
    const spaced = before.replace('3\n', '  3\n').replace('5\n', '  5\n');
    await stage.write('cart.kimi-chat-test', spaced);
    stage.own(
      vscode.languages.registerDocumentFormattingEditProvider(
        { pattern: '**/*.kimi-chat-test' },
        {
          provideDocumentFormattingEdits: (document) => [
            vscode.TextEdit.replace(document.lineAt(2).range, document.lineAt(2).text.trim()),
            vscode.TextEdit.insert(new vscode.Position(0, 0), '// formatted\n'),
          ],
        },
      ),
    );
    await stage.set('editor.formatOnSave', true);
    const shown = stage.propose(
      stage.update('cart.kimi-chat-test', spaced, spaced.replace('2', 'two').replace('8', 'eight')),
    );
    const document = await stage.typeUnsaved('cart.kimi-chat-test', (text) => text.replace('6', 'six'));
    await inEditor(document.uri);
    assert.ok(await document.save());
    await shown.until(({ state, hunks }) => state === 'conflict' && hunks?.open === 2 && hunks.moved === 1);
    assert.equal(shown.file().hunks?.conflicting, 1);
    await shown.reject();
    const outcome = await shown.single();
    assert.ok(outcome.kind === 'conflict');
    assert.match(outcome.detail, /Present text: .*\. The patch has there: ".*two/);
  });

  it('tells every place that conflicts, with both sides', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, after));
    await stage.typeUnsaved('cart.ts', (text) => text.replace('2\n', '').replace('8', 'mine'));
    await shown.until(({ hunks }) => hunks?.conflicting === 2);
    await shown.reject(0);
    const outcome = await shown.single();
    assert.ok(outcome.kind === 'conflict');
    assert.match(
      outcome.detail,
      /^Lines .* removed .* Present text: nothing\. The patch has there: "two\\n"\. The same near line 7\. Present text: "mine\\n"\. The patch has there: "eight\\n"\.$/,
    );
  });

  it('is settled, and says so, when somebody else has made the whole change', async () => {
    await stage.write('cart.ts', before);
    await stage.write('old.ts', 'old\n');
    const shown = stage.propose(
      stage.update('cart.ts', before, after),
      stage.add('new.ts', 'new\n'),
      stage.remove('old.ts', 'old\n'),
    );
    await shown.openRight();
    // Not before it is saved: until then it may be undone.
    const document = await stage.typeUnsaved('cart.ts', () => after);
    await shown.until(({ hunks }) => hunks?.open === 0);
    assert.equal(shown.file().state, 'pending');
    await edit(document, before);
    await shown.until(({ hunks }) => hunks?.open === 3);
    await edit(document, after);
    await document.save();
    await shown.until(({ state }) => state === 'there');
    await stage.write('new.ts', 'new\n');
    await shown.until(({ state }) => state === 'there', 1);
    await vscode.workspace.fs.delete(stage.uri('old.ts'));
    const { files } = await shown.outcome;
    assert.deepEqual(files, [
      { kind: 'accepted', already: true },
      { kind: 'accepted', already: true },
      { kind: 'accepted', already: true },
    ]);
    await untilNoTabs();
  });

  it('tells when an added file has got company, and when the one to be deleted has changed', async () => {
    await stage.write('old.ts', 'old\n');
    const shown = stage.propose(stage.add('new.ts', 'new\n'), stage.remove('old.ts', 'old\n'));
    await stage.write('new.ts', 'mine\n');
    await shown.until(({ state }) => state === 'conflict', 0);
    await writeFile(stage.onDisk('old.ts'), 'changed\n');
    await shown.until(({ state }) => state === 'conflict', 1);
    await vscode.workspace.fs.delete(stage.uri('new.ts'));
    await shown.until(({ state }) => state === 'pending', 0);
    await shown.reject();
  });
});

describe('changes that the diff editor hides', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(() => stage.close());

  it('are counted until it shows them', async () => {
    await stage.set('diffEditor.ignoreTrimWhitespace', true);
    await stage.write('cart.ts', before);
    const shown = stage.propose(
      stage.update('cart.ts', before, before.replace('2', '  2').replace('5', 'five')),
    );
    await shown.until(({ hunks }) => hunks?.hidden === 1 && hunks.open === 2);
    await stage.review.board.showHidden(shown.id);
    await shown.until(({ hunks }) => hunks?.hidden === 0);
    await shown.reject();
  });
});
