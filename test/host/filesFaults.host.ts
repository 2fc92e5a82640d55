/**
 * File systems that refuse: no permission, no connection, no space, read-only. Nothing is left half written, and the reason is told to
 * the person and to the model in one sentence each.
 */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

import type { FileEdit } from '../../src/core/patch/editPlan.ts';
import { prepare, type Prepared } from '../../src/host/edits/files/prepare.ts';
import { removeEmptyFolders } from '../../src/host/edits/files/workspaceWrites.ts';
import { Stage } from './editsStage.ts';
import { FaultyFiles, noSpace, type Operation } from './filesFaulty.ts';
import { FileSteps, named } from './filesSteps.ts';

describe('a file system that refuses', () => {
  let stage: Stage;
  let disk: FaultyFiles;
  beforeEach(async () => {
    stage = await Stage.open();
    disk = new FaultyFiles();
  });
  afterEach(async () => {
    await stage.close();
    disk.dispose();
  });

  const files = new FileSteps(() => disk);
  const failing =
    (operation: Operation, error: (uri: vscode.Uri) => Error, only = '') =>
    (asked: Operation, uri: vscode.Uri): Error | undefined =>
      asked === operation && uri.path.endsWith(only) ? error(uri) : undefined;

  for (const [name, error, detail] of [
    ['no permission', vscode.FileSystemError.NoPermissions, 'The file may not be written to.'],
    ['no connection', vscode.FileSystemError.Unavailable, 'The file system cannot be reached at the moment.'],
    ['no space', noSpace, 'There is no space left on the disk.'],
  ] as const) {
    it(`takes everything back when a new file meets ${name}, and says so`, async () => {
      disk.put('a.ts', 'a\n');
      disk.put('m.ts', 'm\n');
      const wanted = [
        files.update('a.ts', 'a\n', 'A\n'),
        files.update('m.ts', 'm\n', 'M\n', { to: 'moved.ts' }),
        files.add('n.ts', 'n\n'),
      ];
      await Promise.all(wanted);
      disk.fault = failing('writeFile', error, 'n.ts');
      const applied = await files.apply(...wanted);
      assert.equal(applied.kind, 'failed', JSON.stringify(applied));
      assert.deepEqual(applied.kind === 'failed' && [applied.step, applied.reason.detail], [2, detail]);
      assert.ok(applied.kind === 'failed' && /^[A-Z][^.]*\.(?: [A-Z][^.]*\.)?$/.test(applied.reason.note));
      assert.deepEqual(disk.content, { 'a.ts': 'a\n', 'm.ts': 'm\n' });
      for (const document of ['a.ts', 'm.ts'])
        assert.match((await vscode.workspace.openTextDocument(disk.uri(document))).getText(), /^[am]\n$/);
    });

    it(`leaves a file as it was when saving meets ${name}, says so, and saves it later`, async () => {
      disk.put('a.ts', 'a\n');
      disk.put('b.ts', 'b\n');
      const wanted = [files.update('b.ts', 'b\n', 'B\n'), files.update('a.ts', 'a\n', 'A\n')];
      await Promise.all(wanted);
      disk.fault = (asked, uri) =>
        uri.path.endsWith('a.ts') && (asked === 'writeFile' || asked === 'stat') ? error(uri) : undefined;
      const applied = await files.apply(...wanted);
      assert.deepEqual(
        applied.kind === 'failed' && [applied.step, applied.reason.detail],
        [1, detail],
        JSON.stringify(applied),
      );
      assert.deepEqual(disk.content, { 'a.ts': 'a\n', 'b.ts': 'b\n' });
      disk.fault = () => undefined;
      const again = await files.apply(files.update('b.ts', 'b\n', 'B\n'), files.update('a.ts', 'a\n', 'A\n'));
      assert.deepEqual(again, { kind: 'applied', files: [{ unsaved: false }, { unsaved: false }] });
      assert.deepEqual(disk.content, { 'a.ts': 'A\n', 'b.ts': 'B\n' });
    });

    it(`leaves a file with mixed line ends as it was when writing meets ${name}`, async () => {
      disk.put('a.ts', 'a\n');
      disk.put('mixed.txt', 'one\r\ntwo\n');
      const wanted = [
        files.update('mixed.txt', 'one\r\ntwo\n', 'one\r\nTWO\r\n'),
        files.update('a.ts', 'a\n', 'A\n'),
        files.add('new/n.ts', 'n\n'),
      ];
      await Promise.all(wanted);
      disk.fault = failing('writeFile', error, 'mixed.txt');
      const applied = await files.apply(...wanted);
      assert.equal(applied.kind, 'failed', JSON.stringify(applied));
      assert.deepEqual(applied.kind === 'failed' && [applied.step, applied.reason.detail], [0, detail]);
      assert.deepEqual(disk.content, { 'a.ts': 'a\n', 'mixed.txt': 'one\r\ntwo\n' });
      assert.deepEqual(disk.folders, []);
    });
  }

  it('brings back what was done before a file could not be deleted', async () => {
    disk.put('a.ts', 'a\n');
    disk.put('gone.ts', 'gone\n');
    const wanted = [
      files.remove('gone.ts', 'gone\n'),
      files.update('a.ts', 'a\n', 'A\n'),
      files.add('n.ts', 'n\n'),
    ];
    await Promise.all(wanted);
    disk.fault = failing('delete', vscode.FileSystemError.NoPermissions, 'gone.ts');
    const applied = await files.apply(...wanted);
    assert.deepEqual(applied.kind === 'failed' && applied.step, 0, JSON.stringify(applied));
    assert.deepEqual(disk.content, { 'a.ts': 'a\n', 'gone.ts': 'gone\n' });
  });

  it('brings back what was done before a file could not be moved', async () => {
    disk.put('a.ts', 'a\n');
    disk.put('m.ts', 'm\n');
    const wanted = [
      files.update('a.ts', 'a\n', 'A\n'),
      files.update('m.ts', 'm\n', 'M\n', { to: 'moved.ts' }),
    ];
    await Promise.all(wanted);
    disk.fault = failing('rename', vscode.FileSystemError.NoPermissions);
    const applied = await files.apply(...wanted);
    assert.deepEqual(applied.kind === 'failed' && applied.step, 1, JSON.stringify(applied));
    assert.deepEqual(disk.content, { 'a.ts': 'a\n', 'm.ts': 'm\n' });
    assert.equal((await vscode.workspace.openTextDocument(disk.uri('m.ts'))).getText(), 'm\n');
  });

  it('is told exactly when something that was done can not be taken back either', async () => {
    disk.put('gone.ts', 'gone\n');
    const wanted = [files.add('n.ts', 'n\n'), files.remove('gone.ts', 'gone\n')];
    await Promise.all(wanted);
    disk.fault = failing('delete', vscode.FileSystemError.Unavailable);
    const applied = await files.apply(...wanted);
    assert.deepEqual(applied, { kind: 'half', steps: [0] });
    assert.deepEqual(disk.content, { 'gone.ts': 'gone\n', 'n.ts': 'n\n' });
  });

  it('is asked before anything is written: read-only files, read-only systems, no answer', async () => {
    disk.put('a.ts', 'a\n');
    disk.readOnly = true;
    const detail = async (prepared: Promise<Prepared>): Promise<string> => {
      const each = await prepared;
      return each.kind === 'failed' ? each.reason.detail : JSON.stringify(each);
    };
    assert.equal(await detail(files.update('a.ts', 'a\n', 'A\n')), 'The file is read-only.');
    assert.equal(await detail(files.remove('a.ts', 'a\n')), 'The file is read-only.');
    disk.readOnly = false;
    disk.fault = failing('stat', vscode.FileSystemError.Unavailable);
    assert.equal(
      await detail(files.update('a.ts', 'a\n', 'A\n')),
      'The file system cannot be reached at the moment.',
    );
    assert.equal(await detail(files.add('n.ts', 'n\n')), 'The file system cannot be reached at the moment.');
    disk.fault = failing('readFile', vscode.FileSystemError.NoPermissions);
    assert.equal(await detail(files.update('a.ts', 'a\n', 'A\n')), 'The file cannot be read.');
    const locked = new FaultyFiles({ isReadonly: true });
    // By the answer VS Code has told every extension that this system is read-only.
    await vscode.workspace.fs.stat(locked.root);
    const edit: FileEdit = { kind: 'add', path: named('n.ts'), after: 'n\n' };
    assert.equal(
      await detail(prepare({ edit, at: { uri: locked.uri('n.ts'), root: locked.root }, text: 'n\n' })),
      'The file is read-only.',
    );
    locked.dispose();
  });

  it('changes the case of a name where both spellings lead to one file, and lets no other file go', async () => {
    disk.dispose();
    disk = new FaultyFiles({ ignoreCase: true });
    disk.put('readme.md', 'one\n');
    disk.put('other.md', 'one\n');
    const applied = await files.apply(files.update('readme.md', 'one\n', 'two\n', { to: 'README.md' }));
    assert.equal(applied.kind, 'applied', JSON.stringify(applied));
    assert.deepEqual(disk.content, { 'README.md': 'two\n', 'other.md': 'one\n' });
    const over = await files.update('README.md', 'two\n', 'two\n', { to: 'Other.md' });
    assert.equal(over.kind, 'conflict');
    // A new file under the other spelling of one that is there.
    assert.equal((await files.add('readme.MD', 'new\n')).kind, 'conflict');
    assert.deepEqual(disk.content, { 'README.md': 'two\n', 'other.md': 'one\n' });
  });

  it('keeps a folder that can not be deleted, is filled, or is gone', async () => {
    disk.createDirectory(disk.uri('empty'));
    disk.createDirectory(disk.uri('filled'));
    disk.put('filled/a.ts', 'a\n');
    disk.fault = failing('delete', vscode.FileSystemError.NoPermissions);
    await removeEmptyFolders([disk.uri('empty'), disk.uri('filled'), disk.uri('none')]);
    await removeEmptyFolders([disk.uri('empty')]);
    disk.fault = () => undefined;
    await removeEmptyFolders([disk.uri('filled')]);
    assert.deepEqual(disk.folders, ['empty', 'filled']);
    await removeEmptyFolders([disk.uri('empty')]);
    assert.deepEqual(disk.folders, ['filled']);
  });
});
