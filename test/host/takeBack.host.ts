/** Taking back what was accepted: from the disk, from editors, after further edits, and in a later window. */
import assert from 'node:assert/strict';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';

import type { ProposedFile } from '../../src/core/conversation/conversation.ts';
import type { Later } from '../../src/host/edits/review/reviewBoard.ts';
import { edit, Stage, untilText, type Shown } from './editsStage.ts';

const before = 'one\ntwo\nthree\nfour\nfive\n';
const after = 'one\nTWO\nthree\nfour\nfive\n';

describe('taking back an accepted patch', () => {
  let stage: Stage;
  let later: Later[];
  const open = async (storage?: string): Promise<void> => {
    stage = await Stage.open(storage === undefined ? {} : { storage });
    later = [];
    stage.own(stage.review.board.onDidChangeLater((one) => later.push(one)));
  };
  beforeEach(() => open());
  afterEach(() => stage.close());

  const takeBack = (shown: Shown, file?: number): Promise<{ done: number; left: number }> =>
    stage.review.board.takeBack(shown.id, file);

  /** What was told last of a file. */
  const told = (index = 0): ProposedFile => {
    const file = later.at(-1)?.proposal.files[index];
    assert.ok(file, 'nothing was told after the decision');
    return file;
  };

  it('restores the file exactly, saves it, and tells card and model', async () => {
    const bytes = 'one\r\ntwo\r\nlast';
    await stage.write('cart.ts', bytes);
    const shown = stage.propose(stage.update('cart.ts', bytes, 'one\r\nTWO\r\nmore\r\nlast'));
    assert.equal(shown.file().canTakeBack, undefined);
    await shown.accept();
    assert.equal(shown.file().canTakeBack, true);
    assert.equal(await stage.disk('cart.ts'), 'one\r\nTWO\r\nmore\r\nlast');
    assert.deepEqual(await takeBack(shown), { done: 1, left: 0 });
    assert.equal(await stage.disk('cart.ts'), bytes);
    const { state, note, canTakeBack } = told();
    assert.deepEqual([state, note, canTakeBack], ['takenBack', undefined, undefined]);
    assert.match(
      later.at(-1)?.report ?? '',
      /cart\.ts": taken back; the file is as it was before the patch\.$/,
    );
    // A second click comes too late and does nothing.
    const count = later.length;
    assert.deepEqual(await takeBack(shown), { done: 0, left: 0 });
    assert.equal(
      later.slice(count).some(({ report }) => report !== undefined),
      false,
    );
    assert.equal(told().state, 'takenBack');
  });

  it('restores a file of which only the beginning is left, and deletes one that was added', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, after), stage.add('new.ts', after));
    await shown.accept();
    for (const name of ['cart.ts', 'new.ts']) await truncate(stage.onDisk(name), 6);
    assert.deepEqual(await takeBack(shown), { done: 2, left: 0 });
    assert.deepEqual([await stage.disk('cart.ts'), await stage.disk('new.ts')], [before, undefined]);
    assert.deepEqual([told().state, told().note], ['takenBack', undefined]);
  });

  it('saves what it takes back from an editor that could not save the patch', async () => {
    const path = stage.onDisk('cart.ts');
    await stage.write('cart.ts', before);
    const listener = vscode.workspace.onWillSaveTextDocument((event) => {
      listener.dispose();
      event.waitUntil(writeFile(path, 'of another program\n'));
    });
    stage.own(listener);
    const shown = stage.propose(stage.update('cart.ts', before, after));
    await shown.accept();
    assert.equal(shown.file().note, 'Changed in the editor, but the file could not be saved.');
    const document = await vscode.workspace.openTextDocument(stage.uri('cart.ts'));
    assert.deepEqual([document.getText(), document.isDirty], [after, true]);
    await writeFile(path, before);
    assert.deepEqual(await takeBack(shown), { done: 1, left: 0 });
    assert.deepEqual([document.getText(), document.isDirty], [before, false]);
    assert.deepEqual([told().state, told().note], ['takenBack', undefined]);
  });

  it('takes adding, deleting and moving back in one go', async () => {
    await stage.write('gone.ts', Buffer.from('\uFEFFgone\r\n', 'utf8'));
    await stage.write('a.ts', before);
    const shown = stage.propose(
      stage.add('deep/new.ts', 'new\n'),
      stage.remove('gone.ts', 'gone\r\n'),
      stage.update('a.ts', before, after, 'moved/b.ts'),
    );
    await shown.accept();
    assert.deepEqual(shown.states, ['accepted', 'accepted', 'accepted']);
    assert.deepEqual(await takeBack(shown), { done: 3, left: 0 });
    const names = ['deep/new.ts', 'gone.ts', 'a.ts', 'moved/b.ts'];
    assert.deepEqual(await Promise.all(names.map((name) => stage.disk(name))), [
      undefined,
      '\uFEFFgone\r\n',
      before,
      undefined,
    ]);
  });

  it('brings a deleted program back as one that can be run, also when the patch failed', async () => {
    await stage.write('run.sh', 'echo 1\n');
    await stage.write('cart.ts', before);
    await chmod(stage.onDisk('run.sh'), 0o755);
    const mode = async (): Promise<number> => (await stat(stage.onDisk('run.sh'))).mode & 0o777;
    const shown = stage.propose(stage.remove('run.sh', 'echo 1\n'), stage.update('cart.ts', before, after));
    stage.cutNextSave('cart.ts', 2);
    await shown.accept();
    assert.deepEqual([shown.states, await mode()], [['pending', 'failed'], 0o755]);
    await shown.accept();
    assert.equal(await stage.disk('run.sh'), undefined);
    assert.deepEqual(await takeBack(shown), { done: 2, left: 0 });
    assert.equal(await mode(), 0o755);
  });

  it('removes the folders that were made for the patch once they are empty, and no others', async () => {
    await stage.write('a.ts', before);
    await mkdir(stage.onDisk('mine'));
    const shown = stage.propose(
      stage.add('new/deep/one.ts', 'one\n'),
      stage.add('new/deep/two.ts', 'two\n'),
      stage.add('mine/three.ts', 'three\n'),
      stage.update('a.ts', before, after, 'moved/here/a.ts'),
      stage.add('kept/four.ts', 'four\n'),
    );
    await shown.accept();
    await stage.write('kept/own.ts', 'own\n');
    await takeBack(shown, 0);
    assert.deepEqual((await readdir(stage.onDisk('new/deep'))).toSorted(), ['two.ts']);
    assert.deepEqual(await takeBack(shown), { done: 4, left: 0 });
    assert.deepEqual((await readdir(stage.folder, { recursive: true })).toSorted(), [
      'a.ts',
      'kept',
      'kept/own.ts',
      'mine',
    ]);
  });

  it('keeps what was changed elsewhere in the file since, and says so', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, after));
    await shown.accept();
    await writeFile(stage.onDisk('cart.ts'), `${after}six\n`);
    const document = await vscode.workspace.openTextDocument(stage.uri('cart.ts'));
    await untilText(document, (text) => text.endsWith('six\n'));
    assert.deepEqual(await takeBack(shown), { done: 1, left: 0 });
    assert.equal(await stage.disk('cart.ts'), `${before}six\n`);
    assert.equal(told().note, 'Your later changes in other lines are still there.');
    assert.match(later.at(-1)?.report ?? '', /taken back; other changes made since are still there/);
  });

  it('leaves unsaved text unsaved', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, after));
    await shown.accept();
    const document = await stage.typeUnsaved('cart.ts', (text) => `${text}mine\n`);
    await takeBack(shown);
    assert.equal(document.getText(), `${before}mine\n`);
    assert.equal(document.isDirty, true);
    assert.equal(await stage.disk('cart.ts'), after);
  });

  it('leaves a file alone whose lines were changed since, takes back the others, and can be tried again', async () => {
    await stage.write('cart.ts', before);
    await stage.write('tax.ts', 'tax\n');
    const shown = stage.propose(
      stage.update('cart.ts', before, after),
      stage.update('tax.ts', 'tax\n', 'TAX\n'),
    );
    await shown.accept();
    const document = await stage.typeUnsaved('cart.ts', (text) => text.replace('TWO', 'two and a half'));
    assert.deepEqual(await takeBack(shown), { done: 1, left: 1 });
    assert.equal(document.getText(), 'one\ntwo and a half\nthree\nfour\nfive\n');
    assert.equal(await stage.disk('tax.ts'), 'tax\n');
    assert.deepEqual([told(0).state, told(1).state], ['accepted', 'takenBack']);
    assert.match(told(0).note ?? '', /^Not taken back\. Line 2 was changed/);
    assert.match(later.at(-1)?.report ?? '', /cart\.ts": could not be taken back and still has the change/);
    assert.equal(told(0).canTakeBack, true);
    await edit(document, after);
    assert.deepEqual(await takeBack(shown), { done: 1, left: 0 });
    assert.equal(document.getText(), before);
    assert.deepEqual([told(0).state, told(0).note], ['takenBack', undefined]);
  });

  it('never deletes an added file that somebody has changed since', async () => {
    const shown = stage.propose(stage.add('new.ts', 'new\n'));
    await shown.accept();
    await writeFile(stage.onDisk('new.ts'), 'new\nand mine\n');
    assert.deepEqual(await takeBack(shown), { done: 0, left: 1 });
    assert.equal(await stage.disk('new.ts'), 'new\nand mine\n');
    assert.equal(told().note, 'Not taken back. The file was changed meanwhile, so it is not deleted.');
    assert.equal(later.at(-1)?.report, undefined, 'nothing is different from what the model knows');
  });

  it('never overwrites what stands where a deleted or moved file was', async () => {
    await stage.write('gone.ts', 'gone\n');
    await stage.write('a.ts', before);
    const shown = stage.propose(
      stage.remove('gone.ts', 'gone\n'),
      stage.update('a.ts', before, after, 'b.ts'),
    );
    await shown.accept();
    await stage.write('gone.ts', 'mine\n');
    await stage.write('a.ts', 'mine too\n');
    assert.deepEqual(await takeBack(shown), { done: 0, left: 2 });
    assert.deepEqual(
      [await stage.disk('gone.ts'), await stage.disk('a.ts'), await stage.disk('b.ts')],
      ['mine\n', 'mine too\n', after],
    );
    assert.match(told(0).note ?? '', /gone\.ts exists meanwhile and is not overwritten/);
  });

  it('says that a file is gone', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, after));
    await shown.accept();
    await unlink(stage.onDisk('cart.ts'));
    assert.deepEqual(await takeBack(shown), { done: 0, left: 1 });
    assert.equal(told().note, 'Not taken back. The file no longer exists.');
  });

  it('takes what save actions made of a file as part of the patch', async () => {
    await stage.set('files.insertFinalNewline', true);
    await stage.write('cart.ts', 'one\ntwo');
    const shown = stage.propose(stage.update('cart.ts', 'one\ntwo', 'one\nTWO'));
    await shown.accept();
    assert.equal(await stage.disk('cart.ts'), 'one\nTWO\n');
    await stage.set('files.insertFinalNewline', false);
    assert.deepEqual(await takeBack(shown), { done: 1, left: 0 });
    assert.equal(await stage.disk('cart.ts'), 'one\ntwo');
    assert.equal(told().note, undefined);
  });

  it('brings the unsaved text of a deleted file back, unsaved', async () => {
    await stage.write('gone.ts', 'on the disk\n');
    await stage.typeUnsaved('gone.ts', (text) => `${text}in the editor\n`);
    const shown = stage.propose(stage.remove('gone.ts', 'on the disk\nin the editor\n'));
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    assert.equal(await stage.disk('gone.ts'), undefined);
    assert.deepEqual(await takeBack(shown), { done: 1, left: 0 });
    assert.equal(await stage.disk('gone.ts'), 'on the disk\n');
    const document = await vscode.workspace.openTextDocument(stage.uri('gone.ts'));
    assert.equal(document.getText(), 'on the disk\nin the editor\n');
    assert.equal(document.isDirty, true);
  });

  it('takes back one file of a patch while another one still waits', async () => {
    await stage.write('a.ts', 'a\n');
    await stage.write('b.ts', 'b\n');
    const shown = stage.propose(stage.update('a.ts', 'a\n', 'A\n'), stage.update('b.ts', 'b\n', 'B\n'));
    await shown.accept(0);
    assert.deepEqual(await takeBack(shown), { done: 1, left: 0 });
    assert.deepEqual(shown.states, ['takenBack', 'pending']);
    assert.equal(await stage.disk('a.ts'), 'a\n');
    await shown.accept(1);
    assert.deepEqual(await shown.outcome, {
      files: [{ kind: 'rejected', reason: 'Accepted first, and then taken back.' }, { kind: 'accepted' }],
    });
  });

  it('takes one change back at a time, and none that was counted in other texts', async () => {
    const lines = (...some: readonly string[]): string => `${some.join('\n\n\n\n')}\n`;
    await stage.write('cart.ts', lines('a', 'b', 'c'));
    const shown = stage.propose(stage.update('cart.ts', lines('a', 'b', 'c'), lines('A', 'B', 'C')));
    await shown.accept();
    const { board } = stage.review;
    const change = (index: number): Promise<boolean> => board.takeBackChange(shown.id, 0, index);
    // The second is the last one by then.
    assert.deepEqual(await Promise.all([change(0), change(1)]), [true, false]);
    assert.equal(await stage.disk('cart.ts'), lines('a', 'B', 'C'));
    assert.deepEqual([told().canTakeBack, await change(0)], [true, true]);
    assert.equal(await stage.disk('cart.ts'), lines('a', 'b', 'C'));
    const [whole, part] = await Promise.all([takeBack(shown), change(0)]);
    assert.deepEqual([whole, part], [{ done: 1, left: 0 }, false]);
    assert.equal(await stage.disk('cart.ts'), lines('a', 'b', 'c'));
    assert.deepEqual([told().state, told().note], ['takenBack', undefined]);
  });

  it('undoes two patches over one file in any order', async () => {
    await stage.write('cart.ts', before);
    const first = stage.propose(stage.update('cart.ts', before, after));
    await first.accept();
    const second = stage.propose(stage.update('cart.ts', after, after.replace('five', 'FIVE')));
    await second.accept();
    await takeBack(first);
    assert.equal(await stage.disk('cart.ts'), before.replace('five', 'FIVE'));
    await takeBack(second);
    assert.equal(await stage.disk('cart.ts'), before);
  });

  it('touches neither Git nor files that it did not write', async () => {
    await stage.write('cart.ts', before);
    await stage.write('.git/index', 'an index');
    await stage.write('.git/HEAD', 'ref: refs/heads/main\n');
    await stage.write('.gitignore', 'ignored.txt\n');
    await stage.write('ignored.txt', 'ignored');
    await stage.write('untracked.txt', 'untracked');
    const shown = stage.propose(stage.update('cart.ts', before, after), stage.add('new.ts', 'new\n'));
    await shown.accept();
    await takeBack(shown);
    const names = (await readdir(stage.folder, { recursive: true })).toSorted();
    assert.deepEqual(names, [
      '.git',
      '.git/HEAD',
      '.git/index',
      '.gitignore',
      'cart.ts',
      'ignored.txt',
      'untracked.txt',
    ]);
    assert.deepEqual(
      await Promise.all(
        names.slice(1).map(async (name) => (await readFile(join(stage.folder, name))).toString()),
      ),
      ['ref: refs/heads/main\n', 'an index', 'ignored.txt\n', before, 'ignored', 'untracked'],
    );
  });

  it('works in a later window, from the command', async () => {
    await stage.close();
    const storage = await mkdtemp(join(tmpdir(), 'kimi-chat-journal-'));
    try {
      await open(storage);
      await stage.write('cart.ts', before);
      const shown = stage.propose(stage.update('cart.ts', before, after));
      await shown.accept();
      const { folder } = stage;
      await stage.review.whenKept();
      // The very file: one made anew in its place would still be gone to the editor that had it.
      await stage.close({ keep: true });

      await open(storage);
      assert.deepEqual(await stage.review.board.takeBackLast(), { done: 1, left: 0 });
      assert.equal(await readFile(join(folder, 'cart.ts'), 'utf8'), before);
      assert.equal(await stage.review.board.takeBackLast(), undefined, 'nothing is left to take back');
      await rm(folder, { recursive: true });
    } finally {
      await rm(storage, { recursive: true, force: true, maxRetries: 5 });
    }
  });

  it('reads nothing from a storage that holds rubbish', async () => {
    await stage.close();
    const storage = await mkdtemp(join(tmpdir(), 'kimi-chat-journal-'));
    try {
      const folder = join(storage, 'accepted');
      await vscode.workspace.fs.createDirectory(vscode.Uri.file(folder));
      await writeFile(join(folder, 'cut.json'), '{"id":"cut","ord');
      await writeFile(join(folder, 'other.json'), '{"id":1}');
      await open(storage);
      assert.equal(await stage.review.board.takeBackLast(), undefined);
    } finally {
      await rm(storage, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});
