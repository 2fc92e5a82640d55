/**
 * File systems that refuse: no permission, no connection, no space, read-only. Nothing is left half written, and the reason is told to
 * the person and to the model in one sentence each.
 */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

import type { FileEdit, WorkspacePath } from '../../src/core/patch/editPlan.ts';
import { lineReplacements } from '../../src/core/patch/lineDiff.ts';
import { applySteps, removeEmptyFolders, type Applied } from '../../src/host/edits/apply.ts';
import { prepare, type Prepared } from '../../src/host/edits/prepare.ts';
import type { FileAt } from '../../src/host/edits/workspaceFiles.ts';
import { Stage, untilText } from './editsStage.ts';
import { FaultyFiles, type Operation } from './filesFaulty.ts';

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

  const named = (name: string): WorkspacePath => ({ root: 0, relative: name, display: name });
  const at = (name: string): FileAt => ({ uri: disk.uri(name), root: disk.root });
  const update = (name: string, before: string, after: string, to?: string): Promise<Prepared> => {
    const edit: FileEdit = {
      kind: 'update',
      path: named(name),
      ...(to !== undefined && { to: named(to) }),
      before,
      after,
      replacements: lineReplacements(before, after),
      places: [],
    };
    return prepare({ edit, at: at(name), ...(to !== undefined && { to: at(to) }), text: after });
  };
  const add = (name: string, after: string): Promise<Prepared> =>
    prepare({ edit: { kind: 'add', path: named(name), after }, at: at(name), text: after });
  const remove = (name: string, before: string): Promise<Prepared> =>
    prepare({ edit: { kind: 'delete', path: named(name), before }, at: at(name), text: '' });
  const apply = async (...wanted: Promise<Prepared>[]): Promise<Applied> => {
    const prepared = await Promise.all(wanted);
    return applySteps(
      prepared.map((each) => {
        assert.equal(each.kind, 'ready', JSON.stringify(each));
        return each.kind === 'ready' ? each.step : assert.fail();
      }),
    );
  };
  const failing =
    (operation: Operation, error: (uri: vscode.Uri) => Error, only = '') =>
    (asked: Operation, uri: vscode.Uri): Error | undefined =>
      asked === operation && uri.path.endsWith(only) ? error(uri) : undefined;
  const full = (): Error => new Error('ENOSPC: no space left on device, write');

  for (const [name, error, detail] of [
    ['no permission', vscode.FileSystemError.NoPermissions, 'The file may not be written to.'],
    ['no connection', vscode.FileSystemError.Unavailable, 'The file system cannot be reached at the moment.'],
    ['no space', full, 'There is no space left on the disk.'],
  ] as const) {
    it(`takes everything back when a new file meets ${name}, and says so`, async () => {
      disk.put('a.ts', 'a\n');
      disk.put('m.ts', 'm\n');
      const wanted = [
        update('a.ts', 'a\n', 'A\n'),
        update('m.ts', 'm\n', 'M\n', 'moved.ts'),
        add('n.ts', 'n\n'),
      ];
      await Promise.all(wanted);
      disk.fault = failing('writeFile', error, 'n.ts');
      const applied = await apply(...wanted);
      assert.equal(applied.kind, 'failed', JSON.stringify(applied));
      assert.deepEqual(applied.kind === 'failed' && [applied.step, applied.reason.detail], [2, detail]);
      assert.ok(applied.kind === 'failed' && /^[A-Z][^.]*\.(?: [A-Z][^.]*\.)?$/.test(applied.reason.note));
      assert.deepEqual(disk.content, { 'a.ts': 'a\n', 'm.ts': 'm\n' });
      for (const document of ['a.ts', 'm.ts'])
        assert.match((await vscode.workspace.openTextDocument(disk.uri(document))).getText(), /^[am]\n$/);
    });

    it(`keeps the change in the editor when saving meets ${name}, and says so`, async () => {
      disk.put('a.ts', 'a\n');
      const wanted = update('a.ts', 'a\n', 'A\n');
      await wanted;
      disk.fault = (asked, uri) => (asked === 'writeFile' || asked === 'stat' ? error(uri) : undefined);
      const applied = await apply(wanted);
      assert.equal(applied.kind, 'applied', JSON.stringify(applied));
      if (applied.kind !== 'applied') return;
      assert.deepEqual([applied.files[0]?.unsaved, applied.files[0]?.why?.detail], [true, detail]);
      assert.deepEqual(disk.content, { 'a.ts': 'a\n' });
      const document = await vscode.workspace.openTextDocument(disk.uri('a.ts'));
      assert.deepEqual([document.getText(), document.isDirty], ['A\n', true]);
      disk.fault = () => undefined;
    });

    it(`leaves a file with mixed line ends as it was when writing meets ${name}`, async () => {
      disk.put('a.ts', 'a\n');
      disk.put('mixed.txt', 'one\r\ntwo\n');
      const wanted = [
        update('mixed.txt', 'one\r\ntwo\n', 'one\r\nTWO\r\n'),
        update('a.ts', 'a\n', 'A\n'),
        add('new/n.ts', 'n\n'),
      ];
      await Promise.all(wanted);
      disk.fault = failing('writeFile', error, 'mixed.txt');
      const applied = await apply(...wanted);
      assert.equal(applied.kind, 'failed', JSON.stringify(applied));
      assert.deepEqual(applied.kind === 'failed' && [applied.step, applied.reason.detail], [0, detail]);
      assert.deepEqual(disk.content, { 'a.ts': 'a\n', 'mixed.txt': 'one\r\ntwo\n' });
      assert.deepEqual(disk.folders, []);
    });
  }

  it('brings back what was done before a file could not be deleted', async () => {
    disk.put('a.ts', 'a\n');
    disk.put('gone.ts', 'gone\n');
    const wanted = [remove('gone.ts', 'gone\n'), update('a.ts', 'a\n', 'A\n'), add('n.ts', 'n\n')];
    await Promise.all(wanted);
    disk.fault = failing('delete', vscode.FileSystemError.NoPermissions, 'gone.ts');
    const applied = await apply(...wanted);
    assert.deepEqual(applied.kind === 'failed' && applied.step, 0, JSON.stringify(applied));
    assert.deepEqual(disk.content, { 'a.ts': 'a\n', 'gone.ts': 'gone\n' });
  });

  it('brings back what was done before a file could not be moved', async () => {
    disk.put('a.ts', 'a\n');
    disk.put('m.ts', 'm\n');
    const wanted = [update('a.ts', 'a\n', 'A\n'), update('m.ts', 'm\n', 'M\n', 'moved.ts')];
    await Promise.all(wanted);
    disk.fault = failing('rename', vscode.FileSystemError.NoPermissions);
    const applied = await apply(...wanted);
    assert.deepEqual(applied.kind === 'failed' && applied.step, 1, JSON.stringify(applied));
    assert.deepEqual(disk.content, { 'a.ts': 'a\n', 'm.ts': 'm\n' });
    assert.equal((await vscode.workspace.openTextDocument(disk.uri('m.ts'))).getText(), 'm\n');
  });

  const onlyBeginning = 'Only the beginning of the file reached the disk, which may be full.';

  it('is found out when it keeps only the beginning of a new file, or of one with mixed line ends', async () => {
    disk.put('a.ts', 'a\n');
    disk.put('mixed.txt', 'one\r\ntwo\n');
    for (const [name, wanted] of [
      ['n.ts', add('deep/n.ts', 'new\n')],
      ['mixed.txt', update('mixed.txt', 'one\r\ntwo\n', 'one\r\nTWO\r\nthree\r\n')],
    ] as const) {
      await wanted;
      // What was there before fits.
      disk.room = (uri) => (uri.path.endsWith(name) ? 9 - (name === 'n.ts' ? 7 : 0) : Infinity);
      const applied = await apply(update('a.ts', 'a\n', 'A\n'), wanted);
      assert.deepEqual(
        applied.kind === 'failed' && [applied.step, applied.reason.detail],
        [1, onlyBeginning],
        JSON.stringify(applied),
      );
      assert.deepEqual(disk.content, { 'a.ts': 'a\n', 'mixed.txt': 'one\r\ntwo\n' });
      assert.deepEqual(disk.folders, []);
    }
  });

  for (const [where, shown] of [
    ['no editor shows it', undefined],
    ['an editor shows it', 'a.ts'],
    ['an editor shows one that begins with an empty line', 'n.ts'],
    ['an editor shows one that moves', 'm.ts'],
  ] as const) {
    it(`does not make anyone lose the text when it keeps only the beginning of what is saved: ${where}`, async () => {
      disk.put('a.ts', 'a\n');
      disk.put('n.ts', '\nn\n');
      disk.put('m.ts', 'm\n');
      if (shown !== undefined) await vscode.window.showTextDocument(disk.uri(shown));
      disk.room = () => 5;
      const applied = await apply(
        update('a.ts', 'a\n', 'one\ntwo\n'),
        update('n.ts', '\nn\n', '\nnew\nlines\n'),
        update('m.ts', 'm\n', 'one\nmove\n', 'moved.ts'),
      );
      assert.ok(applied.kind === 'applied', JSON.stringify(applied));
      for (const file of applied.files)
        assert.deepEqual([file.unsaved, file.why?.detail, file.differs], [true, onlyBeginning, undefined]);
      assert.deepEqual(disk.content, { 'a.ts': 'one\nt', 'n.ts': '\nnew\n', 'moved.ts': 'one\nm' });
      for (const [name, text] of [
        ['a.ts', 'one\ntwo\n'],
        ['n.ts', '\nnew\nlines\n'],
        ['moved.ts', 'one\nmove\n'],
      ] as const) {
        const document = await vscode.workspace.openTextDocument(disk.uri(name));
        await untilText(document, (now, isDirty) => now === text && isDirty);
        disk.room = () => Infinity;
        assert.ok(await document.save());
        assert.equal(disk.content[name], text);
      }
    });
  }

  it('is told exactly when something that was done can not be taken back either', async () => {
    disk.put('gone.ts', 'gone\n');
    const wanted = [add('n.ts', 'n\n'), remove('gone.ts', 'gone\n')];
    await Promise.all(wanted);
    disk.fault = failing('delete', vscode.FileSystemError.Unavailable);
    const applied = await apply(...wanted);
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
    assert.equal(await detail(update('a.ts', 'a\n', 'A\n')), 'The file is read-only.');
    assert.equal(await detail(remove('a.ts', 'a\n')), 'The file is read-only.');
    disk.readOnly = false;
    disk.fault = failing('stat', vscode.FileSystemError.Unavailable);
    assert.equal(
      await detail(update('a.ts', 'a\n', 'A\n')),
      'The file system cannot be reached at the moment.',
    );
    assert.equal(await detail(add('n.ts', 'n\n')), 'The file system cannot be reached at the moment.');
    disk.fault = failing('readFile', vscode.FileSystemError.NoPermissions);
    assert.equal(await detail(update('a.ts', 'a\n', 'A\n')), 'The file cannot be read.');
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
    const applied = await apply(update('readme.md', 'one\n', 'two\n', 'README.md'));
    assert.equal(applied.kind, 'applied', JSON.stringify(applied));
    assert.deepEqual(disk.content, { 'README.md': 'two\n', 'other.md': 'one\n' });
    const over = await update('README.md', 'two\n', 'two\n', 'Other.md');
    assert.equal(over.kind, 'conflict');
    // A new file under the other spelling of one that is there.
    assert.equal((await add('readme.MD', 'new\n')).kind, 'conflict');
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
