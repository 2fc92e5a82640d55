/** Which files may be patched at all, and which text a plan starts from. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';

import type { FileState } from '../../src/core/patch/editPlan.ts';
import { maxFileSize } from '../../src/host/edits/files/filePlace.ts';
import { Stage } from './editsStage.ts';

describe('reading a file for a patch', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(() => stage.close());

  const read = (name: string): Promise<FileState> => stage.review.files.read(stage.path(name));
  const refused = (reason: string): unknown => ({ kind: 'refused', reason });

  it('names the folders of the workspace', () => {
    const [root] = stage.review.files.roots();
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.deepEqual([root?.name, root?.path], [folder?.name, folder?.uri.fsPath]);
  });

  it('gives the text, or that nothing is there', async () => {
    await stage.write('a.ts', 'a\n');
    assert.deepEqual(await read('a.ts'), { kind: 'text', text: 'a\n' });
    assert.deepEqual(await read('none.ts'), { kind: 'missing' });
    assert.deepEqual(await read('no/such/folder.ts'), { kind: 'missing' });
  });

  it('gives unsaved text, also of a file deleted beneath it', async () => {
    await stage.write('a.ts', 'a\n');
    await vscode.window.showTextDocument(stage.uri('a.ts'));
    await stage.typeUnsaved('a.ts', () => 'unsaved\n');
    assert.deepEqual(await read('a.ts'), { kind: 'text', text: 'unsaved\n' });
    await vscode.workspace.fs.delete(stage.uri('a.ts'));
    assert.deepEqual(await read('a.ts'), { kind: 'text', text: 'unsaved\n' });
  });

  it('refuses a folder that is not in the workspace', async () => {
    assert.deepEqual(
      await stage.review.files.read({ root: 99, relative: 'a.ts', display: 'a.ts' }),
      refused('outsideWorkspace'),
    );
  });

  it('refuses what lies outside once links are followed', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'kimi-outside-'));
    try {
      await writeFile(join(outside, 'secret.ts'), 'secret\n');
      await symlink(join(outside, 'secret.ts'), stage.onDisk('link.ts'));
      await symlink(outside, stage.onDisk('folder'));
      await symlink(join(outside, 'not-yet.ts'), stage.onDisk('dangling.ts'));
      for (const name of [
        'link.ts',
        'folder/secret.ts',
        'folder/new.ts',
        'folder/new/deep.ts',
        'dangling.ts',
      ]) {
        assert.deepEqual(await read(name), refused('outsideWorkspace'), name);
      }
    } finally {
      await rm(outside, { recursive: true, force: true, maxRetries: 5 });
    }
  });

  it('refuses what is no file, without waiting for anything of it, and links that lead in a circle', async () => {
    execFileSync('mkfifo', [stage.onDisk('pipe.txt')]);
    await symlink('/dev/zero', stage.onDisk('zero.txt'));
    await symlink(stage.onDisk('b.txt'), stage.onDisk('a.txt'));
    await symlink(stage.onDisk('a.txt'), stage.onDisk('b.txt'));
    await symlink('/proc/self/root/etc/passwd', stage.onDisk('root.txt'));
    assert.deepEqual(await read('pipe.txt'), refused('unreadable'));
    assert.deepEqual(await read('zero.txt'), refused('outsideWorkspace'));
    assert.deepEqual(await read('a.txt'), refused('unreadable'));
    assert.deepEqual(await read('root.txt'), refused('outsideWorkspace'));
    assert.deepEqual(await read('pipe.txt/below.txt'), refused('behindFile'));
  });

  it('follows links that stay inside', async () => {
    await stage.write('real/a.ts', 'a\n');
    await symlink(stage.onDisk('real'), stage.onDisk('linked'));
    assert.deepEqual(await read('linked/a.ts'), {
      kind: 'text',
      text: 'a\n',
      linkedTo: stage.path('real/a.ts').relative,
    });
    assert.deepEqual(await read('linked/new.ts'), { kind: 'missing' });
  });

  it('refuses the files of Git, also behind a link and in odd spellings', async () => {
    await stage.write('.git/hooks/pre-commit', '#!/bin/sh\n');
    await symlink(stage.onDisk('.git'), stage.onDisk('innocent'));
    for (const name of ['.git/hooks/pre-commit', '.git/new', '.GIT/config', 'sub/.git', 'innocent/config']) {
      assert.deepEqual(await read(name), refused('protected'), name);
    }
    assert.deepEqual(await read('.gitignore'), { kind: 'missing' });
  });

  it('refuses folders, and paths that lead through a file', async () => {
    await stage.write('folder/a.ts', 'a\n');
    assert.deepEqual(await read('folder'), refused('directory'));
    assert.deepEqual(await read('folder/a.ts/b.ts'), refused('behindFile'));
  });

  it('refuses what is no text', async () => {
    await stage.write('image.bin', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0x0d]));
    await stage.write('latin.txt', Buffer.from('caf\xe9\n', 'latin1'));
    await stage.write('book.ipynb', '{}');
    assert.deepEqual(await read('image.bin'), refused('binary'));
    assert.deepEqual(await read('latin.txt'), refused('undecodable'));
    assert.deepEqual(await read('book.ipynb'), refused('notebook'));
  });

  it('takes a replacement character that the file really holds', async () => {
    await stage.write('real.txt', 'a\uFFFDb\n');
    assert.deepEqual(await read('real.txt'), { kind: 'text', text: 'a\uFFFDb\n' });
  });

  it('gives line ends that an editor would make alike as they are, and refuses them with unsaved changes', async () => {
    await stage.write('mixed.txt', 'one\r\ntwo\nthree\r\n');
    await stage.write('mac.txt', 'one\rtwo\r');
    assert.deepEqual(await read('mixed.txt'), { kind: 'text', text: 'one\r\ntwo\nthree\r\n' });
    assert.deepEqual(await read('mac.txt'), { kind: 'text', text: 'one\rtwo\r' });
    await vscode.window.showTextDocument(stage.uri('mixed.txt'));
    await stage.typeUnsaved('mixed.txt', (text) => `${text}mine`);
    assert.deepEqual(await read('mixed.txt'), refused('mixedLineEnds'));
  });

  it('refuses what VS Code shows to no extension', async () => {
    await stage.write('huge.txt', '');
    await truncate(stage.onDisk('huge.txt'), maxFileSize + 1);
    assert.deepEqual(await read('huge.txt'), refused('tooLarge'));
  });
});
