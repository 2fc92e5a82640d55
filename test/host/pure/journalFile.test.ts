import assert from 'node:assert/strict';
import { appendFile, chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { JournalFile, type JournalFailure } from '../../../src/host/journal/journalFile.ts';

describe('the file of a journal', () => {
  let folder: string;
  let path: string;
  let failures: JournalFailure[];
  let recovered: number;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kimi-chat-journal-'));
    path = join(folder, 'deep', 'c.jsonl');
    failures = [];
    recovered = 0;
  });
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  const open = (read?: { readonly size: number; readonly isTorn: boolean }): JournalFile =>
    new JournalFile(
      path,
      {
        onDidFail: (failure) => failures.push(failure),
        onDidRecover: () => {
          recovered += 1;
        },
      },
      read,
    );
  const text = () => readFile(path, 'utf8');

  it('has every line once and in order, however they come', async () => {
    const file = open();
    const lines = Array.from({ length: 200 }, (_, index) => `${index} ${'é🛒'.repeat(index)}`);
    const flushes: Promise<void>[] = [];
    for (const line of lines) {
      file.append([line]);
      if (line.length % 3 === 0) flushes.push(file.flush());
      if (line.length % 7 === 0) await file.flush();
    }
    await Promise.all(flushes);
    await file.close();
    assert.equal(await text(), `${lines.join('\n')}\n`);
    assert.equal(file.size, Buffer.byteLength(await text()));
    assert.deepEqual(failures, []);
  });

  it('is not made before there is a line, and takes none after it was closed', async () => {
    const file = open();
    await file.flush();
    await assert.rejects(text());
    file.append(['one']);
    await file.close();
    file.append(['two']);
    await file.flush();
    file.closeNow();
    assert.equal(await text(), 'one\n');
  });

  it('ends a line that was cut off before it writes behind it', async () => {
    await mkdir(join(folder, 'deep'));
    await writeFile(path, 'one\ntw');
    const file = open({ size: 6, isTorn: true });
    file.append(['three']);
    await file.flush();
    file.append(['four']);
    await file.close();
    assert.equal(await text(), 'one\ntw\nthree\nfour\n');
  });

  it('is left to whoever else writes to it', async () => {
    const file = open();
    file.append(['one']);
    await file.flush();
    await appendFile(path, 'theirs\n');
    file.append(['two']);
    await file.flush();
    file.append(['three']);
    file.closeNow();
    assert.equal(await text(), 'one\ntheirs\n');
    assert.deepEqual(failures, [{ kind: 'taken' }]);
  });

  // On Windows a file that is open can't be removed.
  if (process.platform !== 'win32') {
    it('is there again with all of it when its folder was removed under it', async () => {
      const file = open();
      const long = 'x'.repeat(600_000);
      file.append(['one', long]);
      await file.flush();
      await rm(dirname(path), { recursive: true });
      file.append(['two']);
      await file.flush();
      file.append(['three']);
      await file.close();
      assert.equal(await text(), `one\n${long}\ntwo\nthree\n`);
      assert.deepEqual(failures, []);
    });
  }

  it('is left to whoever made it first', async () => {
    await mkdir(join(folder, 'deep'));
    await writeFile(path, 'theirs\n');
    const file = open();
    file.append(['one']);
    await file.flush();
    const other = open();
    other.append(['two']);
    other.closeNow();
    assert.equal(await text(), 'theirs\n');
    assert.deepEqual(failures, [{ kind: 'taken' }, { kind: 'taken' }]);
  });

  it('has everything at the end of the window, whatever was just being written', async () => {
    for (let round = 0; round < 60; round++) {
      path = join(folder, `${round}.jsonl`);
      const file = open();
      const lines = Array.from({ length: 30 }, (_, index) => `${index} ${'x'.repeat(10_000)}`);
      file.append(lines.slice(0, 10));
      if (round % 3 > 0) await file.flush();
      file.append(lines.slice(10, 20));
      const writing = file.flush();
      // At another moment of the writing each time.
      for (let turn = 0; turn < round % 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      file.append(lines.slice(20));
      file.closeNow();
      const expected = `${lines.join('\n')}\n`;
      assert.equal(await text(), expected);
      await writing;
      assert.equal(await text(), expected, 'what was under way changed it later');
    }
    assert.deepEqual(failures, []);
  });

  it('says once that nothing can be written, and writes all of it when that is possible again', async () => {
    // Where the folder should be there is a file.
    await writeFile(join(folder, 'deep'), '');
    const file = open();
    file.append(['one']);
    await file.flush();
    file.append(['two']);
    await file.flush();
    assert.equal(failures.length, 1);
    assert.equal(failures[0]?.kind, 'failing');
    assert.equal(file.isWritten, false);
    await rm(join(folder, 'deep'));
    file.append(['three']);
    await file.flush();
    assert.equal(recovered, 1);
    assert.equal(await text(), 'one\ntwo\nthree\n');
    await file.close();
  });

  it('is told of a full disk', async function () {
    if (process.platform !== 'linux') return;
    await mkdir(join(folder, 'deep'));
    await symlink('/dev/full', path);
    const file = open({ size: 0, isTorn: false });
    file.append(['one']);
    await file.flush();
    assert.deepEqual(failures, [{ kind: 'failing', code: 'ENOSPC' }]);
    file.closeNow();
    assert.equal(failures.length, 1);
  });

  it('is told of a folder that is read-only', async () => {
    await mkdir(join(folder, 'deep'));
    await chmod(join(folder, 'deep'), 0o500);
    const file = open();
    file.append(['one']);
    await file.flush();
    await chmod(join(folder, 'deep'), 0o700);
    // A person who may do everything may write there all the same.
    if (process.getuid?.() === 0) assert.equal(await text(), 'one\n');
    else assert.deepEqual(failures, [{ kind: 'failing', code: 'EACCES' }]);
    file.append(['two']);
    await file.close();
    assert.equal(await text(), 'one\ntwo\n');
  });
});
