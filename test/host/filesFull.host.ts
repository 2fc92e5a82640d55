/**
 * A disk that becomes full while a patch is written: it keeps the beginning of a file, and VS Code may take that for saved. Everything is
 * put back, and written whole once there is room; where that can't be done the text stays in the editor and nothing of it is lost.
 */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

import type { Applied } from '../../src/host/edits/files/apply.ts';
import { isCutOnDisk } from '../../src/host/edits/files/diskBytes.ts';
import { presentText } from '../../src/host/edits/files/documentText.ts';
import { edit, Stage, untilText } from './editsStage.ts';
import { FaultyFiles } from './filesFaulty.ts';
import { FileSteps } from './filesSteps.ts';

const putBack = 'Not all of it reached the disk, which may be full, so everything was put back as it was.';
const onlyBeginning = 'Only the beginning of the file reached the disk, which may be full.';

const before = 'one\ntwo\n';
const after = `one\n2\n${'three\n'.repeat(20)}`;

describe('a disk that becomes full', () => {
  let stage: Stage;
  let disk: FaultyFiles;
  const files = new FileSteps(() => disk);
  beforeEach(async () => {
    stage = await Stage.open();
    disk = new FaultyFiles();
  });
  afterEach(async () => {
    disk.capacity = Number.POSITIVE_INFINITY;
    await stage.close();
    disk.dispose();
  });

  const open = (name: string): Thenable<vscode.TextDocument> =>
    vscode.workspace.openTextDocument(disk.uri(name));
  const failed = (applied: Applied): unknown =>
    applied.kind === 'failed' && [applied.step, applied.reason.detail];
  const untilSaved = (document: vscode.TextDocument, text: string): Promise<void> =>
    untilText(document, (now, isDirty) => now === text && !isDirty);

  for (const [complains, autoSave, isShown] of [
    [false, 'off', false],
    [false, 'afterDelay', true],
    [false, 'onFocusChange', false],
    [true, 'off', true],
    [true, 'afterDelay', false],
  ] as const) {
    const how = `${complains ? 'and says so' : 'without a word'}, with auto save ${autoSave}, ${isShown ? 'in' : 'without'} an editor`;
    it(`leaves a file as it was, and saves all of it once there is room: ${how}`, async () => {
      await stage.set('files.autoSave', autoSave);
      disk.put('cart.ts', before);
      if (isShown) await vscode.window.showTextDocument(disk.uri('cart.ts'));
      const wanted = files.update('cart.ts', before, after);
      await wanted;
      disk.capacity = 32;
      disk.complains = complains;
      assert.deepEqual(failed(await files.apply(wanted)), [0, putBack]);
      assert.deepEqual(disk.content, { 'cart.ts': before });
      await untilSaved(await open('cart.ts'), before);
      disk.capacity = 1000;
      const again = await files.apply(files.update('cart.ts', before, after));
      assert.deepEqual(again, { kind: 'applied', files: [{ unsaved: false }] });
      assert.deepEqual(disk.content, { 'cart.ts': after });
      await untilSaved(await open('cart.ts'), after);
    });
  }

  it('gets back all files of a patch, with whatever was done to them', async () => {
    const content = {
      'a.ts': before,
      'b.ts': before,
      'd.ts': 'gone\n',
      'm.ts': 'm\n',
      'mixed.txt': 'one\r\ntwo\n',
    };
    for (const [name, text] of Object.entries(content)) disk.put(name, text);
    const unsaved = await open('u.ts').then(undefined, () => open((disk.put('u.ts', 'u\n'), 'u.ts')));
    await edit(unsaved, 'typed\n');
    const wanted = (): ReturnType<typeof files.update>[] => [
      files.update('a.ts', before, after),
      files.update('b.ts', before, after),
      files.update('m.ts', 'm\n', 'move\nand more\n', { to: 'new/moved.ts' }),
      files.update('mixed.txt', 'one\r\ntwo\n', 'one\r\nTWO\r\nthree\r\n'),
      files.update('u.ts', 'typed\n', 'Typed\n'),
      files.add('new/n.ts', 'n\n'),
      files.remove('d.ts', 'gone\n'),
    ];
    const first = wanted();
    await Promise.all(first);
    // One of the two fits.
    disk.capacity = 200;
    const applied = await files.apply(...first);
    assert.ok(applied.kind === 'failed' && applied.reason.detail === putBack, JSON.stringify(applied));
    assert.deepEqual(disk.content, { ...content, 'u.ts': 'u\n' });
    assert.deepEqual(disk.folders, []);
    for (const name of ['a.ts', 'b.ts']) await untilSaved(await open(name), before);
    await untilSaved(await open('m.ts'), 'm\n');
    assert.deepEqual([unsaved.getText(), unsaved.isDirty], ['typed\n', true]);
    disk.capacity = 1000;
    assert.equal((await files.apply(...wanted())).kind, 'applied');
    assert.deepEqual(disk.content, {
      'a.ts': after,
      'b.ts': after,
      'new/moved.ts': 'move\nand more\n',
      'mixed.txt': 'one\r\nTWO\r\nthree\r\n',
      'u.ts': 'u\n',
      'new/n.ts': 'n\n',
    });
  });

  for (const isShown of [false, true]) {
    it(`keeps the text in the editor when it can not be put back ${isShown ? 'in' : 'without'} an editor, and saves it later`, async () => {
      disk.put('cart.ts', before);
      if (isShown) await vscode.window.showTextDocument(disk.uri('cart.ts'));
      const breakOff = (): void => {
        let writes = 0;
        disk.capacity = 32;
        disk.fault = (asked) => {
          if (asked === 'writeFile') writes += 1;
          return writes > 1 ? vscode.FileSystemError.Unavailable() : undefined;
        };
      };
      const mend = (): void => {
        disk.capacity = 1000;
        disk.fault = () => undefined;
      };
      const wanted = files.update('cart.ts', before, after);
      await wanted;
      breakOff();
      const applied = await files.apply(wanted);
      assert.ok(applied.kind === 'applied', JSON.stringify(applied));
      const [file] = applied.files;
      assert.deepEqual([file?.unsaved, file?.why?.detail, file?.differs], [true, onlyBeginning, undefined]);
      const document = await open('cart.ts');
      assert.deepEqual([document.getText(), document.isDirty], [after, true]);
      mend();
      assert.deepEqual(disk.content, { 'cart.ts': after.slice(0, 32) });
      const written = { text: after, isUnsaved: true };
      // What the person has typed since is theirs, and is not saved for them.
      await edit(document, `${after}typed\n`);
      const typed = await files.update('cart.ts', `${after}typed\n`, before, { written });
      assert.ok(typed.kind === 'ready' && typed.step.kind === 'edit' && typed.step.unwritten === undefined);
      await edit(document, after);
      const again = await files.apply(files.update('cart.ts', before, after, { written }));
      assert.deepEqual(again, { kind: 'applied', files: [{ unsaved: false }] });
      assert.deepEqual(disk.content, { 'cart.ts': after });
      await untilSaved(document, after);
    });
  }

  it('takes back what could not be saved, on the disk as well', async () => {
    disk.put('cart.ts', before);
    await edit(await open('cart.ts'), after);
    disk.put('cart.ts', before.slice(0, 5));
    const back = files.update('cart.ts', after, before, { written: { text: after, isUnsaved: true } });
    assert.deepEqual(await files.apply(back), { kind: 'applied', files: [{ unsaved: false }] });
    assert.deepEqual(disk.content, { 'cart.ts': before });
  });

  it('writes all of a text that VS Code takes for saved, and loads nothing less', async () => {
    const long = after + '4\n'.repeat(300);
    const cut = long.slice(0, 512);
    const names = ['cart.ts', 'new.ts'];
    for (const name of names) disk.put(name, long);
    const [document, other] = await Promise.all(names.map(open));
    assert.ok(document && other);
    for (const name of names) disk.put(name, cut);
    assert.equal(await presentText(document), long);
    assert.equal(await isCutOnDisk(document), true);
    const wanted = (): ReturnType<typeof files.update>[] => [
      files.update('cart.ts', before, long),
      files.add('new.ts', long),
    ];
    const first = wanted();
    await Promise.all(first);
    disk.capacity = 1100;
    assert.deepEqual(failed(await files.apply(...first)), [0, putBack]);
    assert.deepEqual([document.getText(), document.isDirty], [long, true]);
    assert.deepEqual(disk.content, { 'cart.ts': cut, 'new.ts': cut });
    disk.capacity = 10_000;
    assert.equal((await files.apply(...wanted())).kind, 'applied');
    assert.deepEqual(disk.content, { 'cart.ts': long, 'new.ts': long });
    assert.equal(await isCutOnDisk(document), false);
    assert.deepEqual([other.getText(), other.isDirty], [long, false]);
    assert.equal((await files.update('cart.ts', before, long)).kind, 'there');
    assert.equal((await files.update('new.ts', before, long)).kind, 'there');
  });

  it('changes a text that VS Code takes for saved and loses nothing of the rest', async () => {
    disk.put('cart.ts', after);
    const document = await open('cart.ts');
    disk.put('cart.ts', after.slice(0, 32));
    assert.equal(document.getText(), after);
    assert.equal((await files.apply(files.update('cart.ts', after, `${after}four\n`))).kind, 'applied');
    assert.deepEqual(disk.content, { 'cart.ts': `${after}four\n` });
  });

  for (const [name, old, now, cut] of [
    ['in the middle of a line', before, after, 32],
    ['in the middle of a character', '一\n', '一二三\n四五六\n', 8],
    ['with CRLF', 'one\r\ntwo\r\n', 'one\r\nTWO\r\nthree\r\n', 7],
    ['at the end of a block', 'x\n', `${'y'.repeat(511)}\nz\n`, 512],
    ['with line ends of several kinds', 'one\r\ntwo\n', 'one\r\nTWO\r\nthree\n', 12],
    ['before its line ends are of several kinds', 'one\r\ntwo\n', 'one\r\nTWO\r\nthree\n', 7],
  ] as const) {
    it(`restores a file of which only the beginning is left: cut off ${name}`, async () => {
      disk.put('cart.ts', Buffer.from(now).subarray(0, cut));
      const written = { text: now, isUnsaved: false };
      const prepared = files.update('cart.ts', now, old, { written });
      const { kind, ...rest } = await prepared;
      assert.deepEqual([kind, 'wasCut' in rest && rest.wasCut], ['ready', true], JSON.stringify(rest));
      assert.equal((await files.apply(prepared)).kind, 'applied');
      assert.deepEqual(disk.content, { 'cart.ts': old });
    });
  }

  it('takes the end of a file that somebody else has removed for removed', async () => {
    disk.put('cart.ts', 'one\n2\nthree\n');
    const written = { text: after, isUnsaved: false };
    assert.equal((await files.update('cart.ts', after, before, { written })).kind, 'conflict');
    assert.equal((await files.remove('cart.ts', after, written)).kind, 'conflict');
  });

  it('deletes an added file of which only the beginning is left', async () => {
    disk.put('cart.ts', after.slice(0, 32));
    assert.equal((await files.remove('cart.ts', after)).kind, 'conflict');
    const written = { text: after, isUnsaved: false };
    assert.equal((await files.apply(files.remove('cart.ts', after, written))).kind, 'applied');
    assert.deepEqual(disk.content, {});
  });

  for (const isMade of [true, false]) {
    it(`keeps the text of a deleted file in an editor when it can not be ${isMade ? 'written whole' : 'made'} again`, async () => {
      disk.put('a.ts', before);
      disk.put('gone.ts', after);
      const wanted = [files.update('a.ts', before, after), files.remove('gone.ts', after)];
      await Promise.all(wanted);
      disk.capacity = 32;
      disk.fault = (asked, uri) =>
        !isMade && asked === 'writeFile' && uri.path.endsWith('gone.ts')
          ? vscode.FileSystemError.NoPermissions(uri)
          : undefined;
      assert.deepEqual(await files.apply(...wanted), { kind: 'half', steps: [1] });
      assert.equal(disk.content['a.ts'], before);
      const document = await open('gone.ts').then(undefined, () =>
        vscode.workspace.openTextDocument(disk.uri('gone.ts').with({ scheme: 'untitled' })),
      );
      assert.deepEqual([document.getText(), document.isDirty], [after, true]);
    });
  }
});
