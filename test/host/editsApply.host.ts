/** What accepting and rejecting do to files, read from the disk and from the editors. */
import assert from 'node:assert/strict';
import { mkdir, readFile, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';

import { applySteps } from '../../src/host/edits/files/apply.ts';
import { edit, Stage } from './editsStage.ts';

describe('accepting a patch', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(() => stage.close());

  it('changes and saves a file, and tells the states on the way', async () => {
    await stage.write('cart.ts', 'one\ntwo\nthree\n');
    const shown = stage.propose(stage.update('cart.ts', 'one\ntwo\nthree\n', 'one\nTWO\nthree\n'));
    assert.deepEqual(shown.told.at(-1)?.files, [
      {
        index: 0,
        path: stage.path('cart.ts').display,
        change: 'update',
        added: 1,
        removed: 1,
        state: 'pending',
        seen: false,
        amended: false,
        hunks: { open: 1, moved: 0, conflicting: 0, hidden: 0, there: 0, accepted: 0, rejected: 0 },
      },
    ]);
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    assert.equal(await stage.disk('cart.ts'), 'one\nTWO\nthree\n');
    const states = shown.told.map(({ files }) => files[0]?.state);
    assert.deepEqual(
      states.filter((state, index) => state !== states[index - 1]),
      ['pending', 'applying', 'accepted'],
    );
  });

  it('adds a file in a new folder', async () => {
    const shown = stage.propose(stage.add('new/deep/tax.ts', 'export {};\n'));
    assert.equal(shown.file().change, 'add');
    assert.equal(shown.file().added, 1);
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    assert.equal(await stage.disk('new/deep/tax.ts'), 'export {};\n');
  });

  it('adds an empty file, and fills one that is empty', async () => {
    await stage.write('empty.ts', '');
    const shown = stage.propose(stage.add('nothing.ts', ''), stage.add('empty.ts', 'filled\n'));
    await shown.accept();
    assert.deepEqual(await shown.outcome, { files: [{ kind: 'accepted' }, { kind: 'accepted' }] });
    assert.equal(await stage.disk('nothing.ts'), '');
    assert.equal(await stage.disk('empty.ts'), 'filled\n');
  });

  it('deletes a file', async () => {
    await stage.write('old.ts', 'gone\nsoon\n');
    const shown = stage.propose(stage.remove('old.ts', 'gone\nsoon\n'));
    assert.deepEqual([shown.file().change, shown.file().removed], ['delete', 2]);
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    assert.equal(await stage.disk('old.ts'), undefined);
  });

  it('moves a file with edits and saves it in its new place', async () => {
    await stage.write('a.ts', 'one\ntwo\n');
    const shown = stage.propose(stage.update('a.ts', 'one\ntwo\n', 'one\n2\n', 'lib/b.ts'));
    assert.deepEqual([shown.file().change, shown.file().to], ['move', stage.path('lib/b.ts').display]);
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    assert.equal(await stage.disk('a.ts'), undefined);
    assert.equal(await stage.disk('lib/b.ts'), 'one\n2\n');
  });

  it('moves a file without edits', async () => {
    await stage.write('a.ts', 'same\n');
    const shown = stage.propose(stage.update('a.ts', 'same\n', 'same\n', 'b.ts'));
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    assert.deepEqual([await stage.disk('a.ts'), await stage.disk('b.ts')], [undefined, 'same\n']);
  });

  it('writes all files of a patch in one go', async () => {
    await stage.write('a.ts', 'a\n');
    await stage.write('b.ts', 'b\n');
    await stage.write('c.ts', 'c\n');
    const shown = stage.propose(
      stage.update('a.ts', 'a\n', 'A\n'),
      stage.add('n.ts', 'n\n'),
      stage.update('b.ts', 'b\n', 'B\n', 'm.ts'),
      stage.remove('c.ts', 'c\n'),
    );
    await shown.accept();
    assert.deepEqual(shown.states, ['accepted', 'accepted', 'accepted', 'accepted']);
    const names = ['a.ts', 'n.ts', 'b.ts', 'm.ts', 'c.ts'];
    assert.deepEqual(await Promise.all(names.map((name) => stage.disk(name))), [
      'A\n',
      'n\n',
      undefined,
      'B\n',
      undefined,
    ]);
  });

  it('writes more files than VS Code keeps open, and takes them back', async () => {
    // Some fifty are.
    const count = 70;
    const names = Array.from({ length: count }, (_, at) => `f${at}.ts`);
    for (const name of names) await stage.write(name, `old ${name}\n`);
    const shown = stage.propose(...names.map((name) => stage.update(name, `old ${name}\n`, `new ${name}\n`)));
    await shown.accept();
    assert.deepEqual([...new Set(shown.states)], ['accepted'], shown.file().note);
    for (const name of names) assert.equal(await stage.disk(name), `new ${name}\n`);
    assert.deepEqual(await stage.review.board.takeBack(shown.id), { done: count, left: 0 });
    for (const name of names) assert.equal(await stage.disk(name), `old ${name}\n`);
  });

  it('takes files one by one and waits for the last', async () => {
    await stage.write('a.ts', 'a\n');
    await stage.write('b.ts', 'b\n');
    const shown = stage.propose(stage.update('a.ts', 'a\n', 'A\n'), stage.update('b.ts', 'b\n', 'B\n'));
    await shown.accept(1);
    assert.deepEqual(shown.states, ['pending', 'accepted']);
    assert.equal(await stage.disk('a.ts'), 'a\n');
    await shown.reject(0, ' not this one ');
    assert.deepEqual(await shown.outcome, {
      files: [{ kind: 'rejected', reason: 'not this one' }, { kind: 'accepted' }],
    });
    assert.deepEqual([await stage.disk('a.ts'), await stage.disk('b.ts')], ['a\n', 'B\n']);
  });

  it('patches the unsaved text of an open editor and leaves it unsaved', async () => {
    await stage.write('cart.ts', 'one\ntwo\nthree\n');
    const document = await stage.typeUnsaved('cart.ts', (text) => `${text}mine\n`);
    assert.deepEqual(await stage.review.files.read(stage.path('cart.ts')), {
      kind: 'text',
      text: 'one\ntwo\nthree\nmine\n',
    });
    const shown = stage.propose(
      stage.update('cart.ts', 'one\ntwo\nthree\nmine\n', 'ONE\ntwo\nthree\nmine\n'),
    );
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    assert.equal(document.getText(), 'ONE\ntwo\nthree\nmine\n');
    assert.ok(document.isDirty);
    assert.equal(await stage.disk('cart.ts'), 'one\ntwo\nthree\n');
  });

  it('saves what is only marked as unsaved, and leaves the mark where another program wrote the same', async () => {
    for (const name of ['a.ts', 'b.ts']) await stage.write(name, 'one\n');
    const open = (name: string): Thenable<vscode.TextDocument> =>
      vscode.workspace.openTextDocument(stage.uri(name));
    const marked = await open('a.ts');
    for (const text of ['one more\n', 'one\n']) await edit(marked, text);
    const same = await open('b.ts');
    await edit(same, 'one more\n');
    await stage.write('b.ts', 'one more\n');
    assert.deepEqual([marked.isDirty, same.isDirty], [true, true]);
    const shown = stage.propose(
      stage.update('a.ts', 'one\n', 'two\n'),
      stage.update('b.ts', 'one more\n', 'two more\n'),
    );
    await shown.accept();
    assert.deepEqual(shown.states, ['accepted', 'accepted']);
    assert.deepEqual([await stage.disk('a.ts'), marked.isDirty], ['two\n', false]);
    assert.deepEqual(
      [await stage.disk('b.ts'), same.getText(), same.isDirty],
      ['one more\n', 'two more\n', true],
    );
  });

  it('keeps unsaved text unsaved when its file moves', async () => {
    await stage.write('a.ts', 'one\ntwo\n');
    await stage.typeUnsaved('a.ts', (text) => `${text}mine\n`);
    const shown = stage.propose(stage.update('a.ts', 'one\ntwo\nmine\n', 'ONE\ntwo\nmine\n', 'b.ts'));
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    const moved = await vscode.workspace.openTextDocument(stage.uri('b.ts'));
    assert.equal(moved.getText(), 'ONE\ntwo\nmine\n');
    assert.ok(moved.isDirty);
    assert.deepEqual([await stage.disk('a.ts'), await stage.disk('b.ts')], [undefined, 'one\ntwo\n']);
  });

  it('keeps CRLF, in new lines too', async () => {
    await stage.write('w.txt', 'one\r\ntwo\r\n');
    const before = await stage.review.files.read(stage.path('w.txt'));
    assert.deepEqual(before, { kind: 'text', text: 'one\r\ntwo\r\n' });
    const shown = stage.propose(stage.update('w.txt', 'one\r\ntwo\r\n', 'one\r\nnew\r\nTWO\r\n'));
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    assert.equal(await stage.disk('w.txt'), 'one\r\nnew\r\nTWO\r\n');
  });

  it('keeps a byte order mark and a missing final newline', async () => {
    await stage.write('b.txt', '\uFEFFone\ntwo');
    assert.deepEqual(await stage.review.files.read(stage.path('b.txt')), { kind: 'text', text: 'one\ntwo' });
    const shown = stage.propose(stage.update('b.txt', 'one\ntwo', 'ONE\ntwo'));
    await shown.accept();
    assert.equal(await stage.disk('b.txt'), '\uFEFFONE\ntwo');
  });

  it('keeps UTF-16', async () => {
    const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
    await stage.write('u.txt', utf16('één\ntwee\n'));
    assert.deepEqual(await stage.review.files.read(stage.path('u.txt')), {
      kind: 'text',
      text: 'één\ntwee\n',
    });
    const shown = stage.propose(stage.update('u.txt', 'één\ntwee\n', 'één\n二\n'));
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    assert.deepEqual(await readFile(stage.onDisk('u.txt')), utf16('één\n二\n'));
  });

  it('refuses characters that the encoding of the file has no place for', async () => {
    await stage.set('files.encoding', 'windows1252');
    await stage.write('l.txt', Buffer.from('caf\xe9\n', 'latin1'));
    const shown = stage.propose(stage.update('l.txt', 'café\n', '咖啡\n'));
    await shown.accept();
    assert.equal(shown.file().state, 'failed');
    await shown.reject();
    const outcome = await shown.single();
    assert.ok(outcome.kind === 'failed' && outcome.detail.includes('windows1252'), JSON.stringify(outcome));
    assert.equal((await readFile(stage.onDisk('l.txt'))).toString('latin1'), 'caf\xe9\n');
  });

  it('refuses a new file whose characters the encoding of new files has no place for', async () => {
    await stage.set('files.encoding', 'windows1252');
    const shown = stage.propose(stage.add('new.txt', '咖啡\n'));
    await shown.accept();
    assert.equal(shown.file().state, 'failed');
    assert.match(shown.file().note ?? '', /windows1252/);
    assert.equal(await stage.disk('new.txt'), undefined);
    const fits = stage.propose(stage.add('fits.txt', 'café\n'));
    await fits.accept();
    assert.equal((await readFile(stage.onDisk('fits.txt'))).toString('latin1'), 'caf\xe9\n');
  });

  it('is undone in one step', async () => {
    await stage.write('cart.ts', '1\n2\n3\n4\n5\n6\n7\n');
    const editor = await vscode.window.showTextDocument(stage.uri('cart.ts'));
    const shown = stage.propose(
      stage.update('cart.ts', '1\n2\n3\n4\n5\n6\n7\n', 'one\n2\n3\n4\n5\n6\nseven\n'),
    );
    await shown.accept();
    assert.equal(editor.document.getText(), 'one\n2\n3\n4\n5\n6\nseven\n');
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), '1\n2\n3\n4\n5\n6\n7\n');
  });

  it('is undone in one step over all files that are open', async () => {
    await stage.write('a.ts', 'a\n');
    await stage.write('b.ts', 'b\n');
    const other = await vscode.window.showTextDocument(stage.uri('b.ts'), { preview: false });
    const editor = await vscode.window.showTextDocument(stage.uri('a.ts'), { preview: false });
    const shown = stage.propose(stage.update('a.ts', 'a\n', 'A\n'), stage.update('b.ts', 'b\n', 'B\n'));
    await shown.accept();
    await vscode.commands.executeCommand('undo');
    assert.deepEqual([editor.document.getText(), other.document.getText()], ['a\n', 'b\n']);
  });

  it('leaves the cursor and the lines around the change where they are', async () => {
    await stage.write('cart.ts', '1\n2\n3\n4\n5\n');
    const editor = await vscode.window.showTextDocument(stage.uri('cart.ts'));
    editor.selection = new vscode.Selection(3, 1, 3, 1);
    const shown = stage.propose(stage.update('cart.ts', '1\n2\n3\n4\n5\n', '1\nnew\n2\n3\n4\n5\n'));
    await shown.accept();
    assert.deepEqual(
      [editor.selection.active.line, editor.document.lineAt(editor.selection.active.line).text],
      [4, '4'],
    );
  });

  it('reports what save actions made of the file', async () => {
    await stage.set('files.trimTrailingWhitespace', true);
    await stage.write('cart.ts', 'one\n');
    const shown = stage.propose(stage.update('cart.ts', 'one\n', 'two  \n'));
    await shown.accept();
    assert.deepEqual(await shown.single(), {
      kind: 'accepted',
      present: { text: 'two\n', cause: 'changedOnSave' },
    });
    assert.equal(await stage.disk('cart.ts'), 'two\n');
    assert.equal(shown.file().note, 'Saving changed more: a formatter, or another action on save.');
  });

  it('tells what save actions did apart from what the person changed', async () => {
    await stage.set('files.insertFinalNewline', true);
    await stage.write('cart.ts', 'one');
    const shown = stage.propose(stage.update('cart.ts', 'one', 'two'));
    const { document } = await shown.openRight();
    await edit(document, 'three');
    await shown.until(({ amended }) => amended);
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'acceptedAmended', text: 'three', saved: 'three\n' });
  });

  it('leaves the file unsaved where the person wants it so', async () => {
    await stage.close();
    stage = await Stage.open({ settings: { patchMode: 'ask', saveAfterAccept: false } });
    await stage.write('cart.ts', 'one\n');
    const shown = stage.propose(stage.update('cart.ts', 'one\n', 'two\n'));
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    const document = await vscode.workspace.openTextDocument(stage.uri('cart.ts'));
    assert.equal(document.getText(), 'two\n');
    assert.equal(document.isDirty, true);
    assert.equal(await stage.disk('cart.ts'), 'one\n');
  });
});

describe('a file that changes while its patch waits', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(() => stage.close());

  const before = '1\n2\n3\n4\n5\n6\n7\n8\n';

  it('keeps edits made elsewhere', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, before.replace('2', 'two')));
    const document = await stage.typeUnsaved('cart.ts', (text) => text.replace('7', 'seven'));
    await shown.accept();
    const text = before.replace('2', 'two').replace('7', 'seven');
    assert.deepEqual(await shown.single(), { kind: 'accepted', present: { text, cause: 'editedMeanwhile' } });
    assert.equal(document.getText(), text);
    assert.ok(document.isDirty);
  });

  it('takes up what another program wrote to the disk', async () => {
    await stage.write('cart.ts', before);
    await vscode.workspace.openTextDocument(stage.uri('cart.ts'));
    const shown = stage.propose(stage.update('cart.ts', before, before.replace('2', 'two')));
    await writeFile(stage.onDisk('cart.ts'), before.replace('7', 'seven'));
    await shown.accept();
    assert.equal(shown.file().state, 'accepted');
    assert.equal(await stage.disk('cart.ts'), before.replace('2', 'two').replace('7', 'seven'));
  });

  it('is not written to when the same line changed, and can still be decided', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, before.replace('2', 'two')));
    const document = await stage.typeUnsaved('cart.ts', (text) => text.replace('2', 'mine'));
    await shown.accept();
    assert.equal(shown.file().state, 'conflict');
    assert.match(shown.file().note ?? '', /2/);
    assert.equal(document.getText(), before.replace('2', 'mine'));
    // The person takes their own line back: now it fits.
    await edit(document, before);
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    assert.equal(document.getText(), before.replace('2', 'two'));
  });

  it('tells the model of a conflict when the person then rejects', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, before.replace('2', 'two')));
    await stage.typeUnsaved('cart.ts', (text) => text.replace('2', 'mine'));
    await shown.accept();
    await shown.reject(undefined, 'look again');
    const outcome = await shown.single();
    assert.ok(outcome.kind === 'conflict');
    assert.match(outcome.detail, /^Line 2 was changed.*\. The person adds: "look again"$/);
  });

  it('keeps all files of a patch from being written when one of them conflicts', async () => {
    await stage.write('a.ts', 'a\n');
    await stage.write('b.ts', 'b\n');
    const shown = stage.propose(stage.update('a.ts', 'a\n', 'A\n'), stage.update('b.ts', 'b\n', 'B\n'));
    await stage.typeUnsaved('b.ts', () => 'mine\n');
    await shown.accept();
    assert.deepEqual(shown.states, ['pending', 'conflict']);
    assert.equal(await stage.disk('a.ts'), 'a\n');
    await shown.accept(0);
    assert.deepEqual(shown.states, ['accepted', 'conflict']);
    assert.equal(await stage.disk('a.ts'), 'A\n');
  });

  it('is there already when somebody else has made the change', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, before.replace('2', 'two')));
    await writeFile(stage.onDisk('cart.ts'), before.replace('2', 'two'));
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted', already: true });
    assert.deepEqual(shown.states, ['there']);
  });

  it('is not overwritten when it appears where a file was to be added or moved to', async () => {
    await stage.write('a.ts', 'a\n');
    const shown = stage.propose(stage.add('n.ts', 'n\n'), stage.update('a.ts', 'a\n', 'A\n', 'm.ts'));
    await stage.write('n.ts', 'mine\n');
    await stage.write('m.ts', 'mine too\n');
    await shown.accept();
    assert.deepEqual(shown.states, ['conflict', 'conflict']);
    assert.deepEqual(
      [await stage.disk('n.ts'), await stage.disk('m.ts'), await stage.disk('a.ts')],
      ['mine\n', 'mine too\n', 'a\n'],
    );
  });

  it('is not deleted when it has other text or unsaved text', async () => {
    await stage.write('a.ts', 'a\n');
    await stage.write('b.ts', 'b\n');
    const shown = stage.propose(stage.remove('a.ts', 'a\n'), stage.remove('b.ts', 'b\n'));
    await writeFile(stage.onDisk('a.ts'), 'mine\n');
    await stage.typeUnsaved('b.ts', () => 'mine too\n');
    await shown.accept();
    assert.deepEqual(shown.states, ['conflict', 'conflict']);
    assert.match(shown.file(1).note ?? '', /unsaved/);
    assert.deepEqual([await stage.disk('a.ts'), await stage.disk('b.ts')], ['mine\n', 'b\n']);
  });

  it('is said to be gone when it was deleted', async () => {
    await stage.write('a.ts', 'a\n');
    const shown = stage.propose(stage.update('a.ts', 'a\n', 'A\n'));
    await unlink(stage.onDisk('a.ts'));
    await shown.accept();
    assert.equal(shown.file().state, 'conflict');
    assert.equal(await stage.disk('a.ts'), undefined);
  });

  it('is not written through a link that leads out since', async () => {
    await stage.write('a.ts', 'a\n');
    const elsewhere = join(tmpdir(), `kimi-elsewhere-${process.pid}.ts`);
    await writeFile(elsewhere, 'a\n');
    const shown = stage.propose(stage.update('a.ts', 'a\n', 'A\n'));
    await unlink(stage.onDisk('a.ts'));
    await symlink(elsewhere, stage.onDisk('a.ts'));
    await shown.accept();
    assert.equal(shown.file().state, 'failed');
    assert.equal(await readFile(elsewhere, 'utf8'), 'a\n');
    await unlink(elsewhere);
  });
});

describe('an edit that VS Code does not apply', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(() => stage.close());

  it('is taken back whole, and the file that stood in the way is named', async () => {
    await stage.write('a.ts', 'a\n');
    await stage.write('b.ts', 'b\n');
    await stage.write('c.ts', 'c\n');
    // Another extension puts a file there in the last moment.
    stage.own(
      vscode.workspace.onWillCreateFiles((event) => {
        event.waitUntil(writeFile(stage.onDisk('n.ts'), 'first come\n'));
      }),
    );
    const shown = stage.propose(
      stage.update('a.ts', 'a\n', 'A\n'),
      stage.update('b.ts', 'b\n', 'B\n', 'm.ts'),
      stage.add('n.ts', 'n\n'),
      stage.remove('c.ts', 'c\n'),
    );
    await shown.accept();
    const [update, move, add, remove] = shown.states;
    assert.deepEqual([update, move, remove], ['pending', 'pending', 'pending']);
    // Whoever is first names it: the one who writes, or the one who watches the files.
    assert.ok(add === 'failed' || add === 'conflict', add);
    assert.match(shown.file(2).note ?? '', /exists/);
    const names = ['a.ts', 'b.ts', 'm.ts', 'n.ts', 'c.ts'];
    assert.deepEqual(await Promise.all(names.map((name) => stage.disk(name))), [
      'a\n',
      'b\n',
      undefined,
      'first come\n',
      'c\n',
    ]);
    assert.equal((await vscode.workspace.openTextDocument(stage.uri('a.ts'))).getText(), 'a\n');
    assert.equal((await vscode.workspace.openTextDocument(stage.uri('b.ts'))).getText(), 'b\n');
  });

  it('takes back what was created before a later step failed', async () => {
    await stage.write('c.ts', 'c\n');
    stage.own(
      vscode.workspace.onWillDeleteFiles((event) => {
        if (event.files.every(({ path }) => !path.endsWith('c.ts'))) return;
        event.waitUntil(
          unlink(stage.onDisk('c.ts')).then(() => mkdir(stage.onDisk('c.ts/inside'), { recursive: true })),
        );
      }),
    );
    const shown = stage.propose(stage.add('new/deep/n.ts', 'n\n'), stage.remove('c.ts', 'c\n'));
    await shown.accept();
    assert.deepEqual(shown.states, ['pending', 'failed']);
    // The folders that were made for it, too.
    await assert.rejects(stat(stage.onDisk('new')), { code: 'ENOENT' });
  });

  it('is made ready anew when a document moved on in the same moment', async () => {
    await stage.write('a.ts', 'a\n');
    const document = await vscode.workspace.openTextDocument(stage.uri('a.ts'));
    const applied = await applySteps([
      {
        kind: 'edit',
        document,
        before: 'older\n',
        after: 'new\n',
        replacements: [{ start: 0, end: 6, text: 'new\n' }],
      },
    ]);
    assert.deepEqual(applied, { kind: 'overtaken' });
    assert.equal(document.getText(), 'a\n');
  });

  it('says so when the file could be changed but not saved', async () => {
    await stage.write('a.ts', 'a\n');
    await vscode.window.showTextDocument(stage.uri('a.ts'));
    // A save is refused when the file on the disk has become a folder.
    stage.own(
      vscode.workspace.onWillSaveTextDocument((event) => {
        event.waitUntil(
          unlink(stage.onDisk('a.ts')).then(() => mkdir(stage.onDisk('a.ts/inside'), { recursive: true })),
        );
      }),
    );
    const shown = stage.propose(stage.update('a.ts', 'a\n', 'A\n'));
    await shown.accept();
    assert.deepEqual(await shown.single(), {
      kind: 'accepted',
      unsaved: 'There is a directory at this path.',
    });
    assert.equal(
      shown.file().note,
      'Changed in the editor, but the file could not be saved. There is a folder in this place.',
    );
    assert.equal(vscode.window.activeTextEditor?.document.getText(), 'A\n');
  });
});

describe('rejecting, stopping and clicking twice', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(() => stage.close());

  it('rejects without changing anything', async () => {
    await stage.write('a.ts', 'a\n');
    const shown = stage.propose(stage.update('a.ts', 'a\n', 'A\n'), stage.add('n.ts', 'n\n'));
    await shown.reject();
    assert.deepEqual(await shown.outcome, { files: [{ kind: 'rejected' }, { kind: 'rejected' }] });
    assert.deepEqual([await stage.disk('a.ts'), await stage.disk('n.ts')], ['a\n', undefined]);
    assert.deepEqual(shown.states, ['rejected', 'rejected']);
  });

  it('cancels what is undecided when the turn is stopped, and keeps what was accepted', async () => {
    await stage.write('a.ts', 'a\n');
    await stage.write('b.ts', 'b\n');
    const shown = stage.propose(stage.update('a.ts', 'a\n', 'A\n'), stage.update('b.ts', 'b\n', 'B\n'));
    await shown.accept(0);
    shown.stop();
    assert.deepEqual(await shown.outcome, { files: [{ kind: 'accepted' }, { kind: 'cancelled' }] });
    assert.deepEqual([await stage.disk('a.ts'), await stage.disk('b.ts')], ['A\n', 'b\n']);
    await shown.accept(1);
    assert.equal(await stage.disk('b.ts'), 'b\n');
  });

  it('cancels what could not be written when the turn was stopped meanwhile', async () => {
    await stage.write('a.ts', 'a\n');
    const shown = stage.propose(stage.update('a.ts', 'a\n', 'A\n'));
    await stage.write('a.ts', 'other\n');
    const accepting = shown.accept();
    shown.stop();
    await accepting;
    assert.deepEqual(await shown.outcome, { files: [{ kind: 'cancelled' }] });
    assert.equal(await stage.disk('a.ts'), 'other\n');
  });

  it('writes once however often accept is clicked, and ignores what comes after', async () => {
    await stage.write('a.ts', 'a\n');
    const writes: string[] = [];
    stage.own(vscode.workspace.onDidSaveTextDocument(({ uri }) => writes.push(uri.path)));
    const shown = stage.propose(stage.update('a.ts', 'a\n', 'a\nb\n'));
    await Promise.all([shown.accept(), shown.accept(0), shown.reject(), shown.accept()]);
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    const told = shown.told.length;
    await shown.accept();
    await shown.reject(0, 'too late');
    await shown.review(7);
    shown.stop();
    assert.equal(shown.told.length, told);
    assert.equal(writes.length, 1);
    assert.equal(await stage.disk('a.ts'), 'a\nb\n');
  });

  it('knows no proposal that it did not show', async () => {
    const { board } = stage.review;
    await board.accept('someone:else');
    await board.reject('someone:else', 0);
    await board.review('someone:else', 3);
    await stage.write('a.ts', 'a\n');
    const shown = stage.propose(stage.update('a.ts', 'a\n', 'A\n'));
    await shown.accept(5);
    assert.deepEqual(shown.states, ['pending']);
    assert.equal(await stage.disk('a.ts'), 'a\n');
  });

  it('lets two patches over one file follow each other', async () => {
    const before = '1\n2\n3\n4\n5\n';
    await stage.write('a.ts', before);
    const one = stage.propose(stage.update('a.ts', before, before.replace('1', 'one')));
    const two = stage.propose(stage.update('a.ts', before, before.replace('5', 'five')));
    await Promise.all([one.accept(), two.accept()]);
    assert.equal(await stage.disk('a.ts'), 'one\n2\n3\n4\nfive\n');
  });

  it('cancels everything when the extension goes', async () => {
    await stage.write('a.ts', 'a\n');
    const shown = stage.propose(stage.update('a.ts', 'a\n', 'A\n'));
    const outcome = shown.single();
    stage.review.dispose();
    assert.deepEqual(await outcome, { kind: 'cancelled' });
  });

  it('takes a stop that came before the review', async () => {
    const shown = stage.propose(stage.add('n.ts', 'n\n'));
    shown.stop();
    assert.deepEqual(await shown.single(), { kind: 'cancelled' });
  });
});
