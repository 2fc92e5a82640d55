/** What stands in the way of a patch on a real disk: links, folders, twins, other programs, rights that settings take away. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { lstat, mkdir, readFile, readlink, rm, symlink, truncate, unlink, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';

import { maxFileSize } from '../../src/host/edits/files/filePlace.ts';
import { edit, inEditor, Stage, untilText, type Shown } from './editsStage.ts';
import { callTool } from './filesTool.ts';

const before = '1\n2\n3\n4\n5\n6\n7\n8\n';
const after = before.replace('2', 'two');

describe('a patch on the disk', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(() => stage.close());

  /** The card's sentence after accepting, and the model's after turning down what could not be written. */
  const refused = async (shown: Shown, state = 'failed'): Promise<{ note: string; detail: string }> => {
    await shown.accept();
    assert.deepEqual(shown.states, [state]);
    const note = shown.file().note ?? '';
    await shown.reject();
    const outcome = await shown.single();
    return { note, detail: outcome.kind === 'failed' || outcome.kind === 'conflict' ? outcome.detail : '' };
  };

  it('writes through a link that stays inside, and the link stays a link', async () => {
    await stage.write('real/a.ts', before);
    await symlink('real/a.ts', stage.onDisk('link.ts'));
    const shown = stage.propose(stage.update('link.ts', before, after));
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    assert.equal(await stage.disk('real/a.ts'), after);
    assert.equal(await readlink(stage.onDisk('link.ts')), 'real/a.ts');
    await stage.review.board.takeBack(shown.id);
    assert.equal(await stage.disk('real/a.ts'), before);
    assert.equal(await readlink(stage.onDisk('link.ts')), 'real/a.ts');
  });

  it('takes a file and the links that lead to it for one', async () => {
    await stage.write('real/a.ts', before);
    await symlink('real/a.ts', stage.onDisk('link.ts'));
    await symlink('real', stage.onDisk('folder'));
    const path = (name: string): string => stage.path(name).relative;
    const { kind, text } = await callTool(stage, [
      `*** Update File: ${path('link.ts')}`,
      '-2',
      '+two',
      `*** Update File: ${path('real/a.ts')}`,
      '-5',
      '+five',
      `*** Update File: ${path('folder/a.ts')}`,
      ' two',
      '-3',
      '+three',
    ]);
    assert.equal(kind, 'done', text);
    assert.equal(await stage.disk('real/a.ts'), after.replace('5', 'five').replace('3', 'three'));
    assert.equal(await readlink(stage.onDisk('link.ts')), 'real/a.ts');
    assert.deepEqual(await stage.review.board.takeBackLast(), { done: 1, left: 0 });
    assert.equal(await stage.disk('real/a.ts'), before);
  });

  it('writes bytes through such a link, too', async () => {
    await stage.write('real/a.txt', 'one\r\ntwo\n');
    await symlink('real/a.txt', stage.onDisk('link.txt'));
    const shown = stage.propose(stage.update('link.txt', 'one\r\ntwo\n', 'one\r\nTWO\r\n'));
    await shown.accept();
    assert.equal(await stage.disk('real/a.txt'), 'one\r\nTWO\r\n');
    assert.ok((await lstat(stage.onDisk('link.txt'))).isSymbolicLink());
  });

  it('neither deletes nor moves a link', async () => {
    await stage.write('real/a.ts', before);
    await symlink('real/a.ts', stage.onDisk('link.ts'));
    const sentences = {
      note: 'This is a link to another file. Links are not moved or deleted.',
      detail: 'The path is a symbolic link to another file; links are not moved or deleted.',
    };
    assert.deepEqual(await refused(stage.propose(stage.remove('link.ts', before))), sentences);
    assert.deepEqual(
      await refused(stage.propose(stage.update('link.ts', before, after, 'sub/link.ts'))),
      sentences,
    );
    assert.equal(await readlink(stage.onDisk('link.ts')), 'real/a.ts');
    assert.equal(await stage.disk('real/a.ts'), before);
  });

  it('does not write to a file that settings make read-only, nor delete it', async () => {
    await stage.set('files.readonlyInclude', { '**/locked/**': true });
    await stage.set('files.readonlyExclude', { '**/locked/open.ts': true });
    for (const name of ['locked/a.ts', 'locked/open.ts']) await stage.write(name, before);
    const path = stage.path('locked/a.ts');
    assert.deepEqual(await stage.review.files.read(path), { kind: 'refused', reason: 'readOnly' });
    const sentences = { note: 'The file is read-only.', detail: 'The file is read-only.' };
    assert.deepEqual(await refused(stage.propose(stage.update('locked/a.ts', before, after))), sentences);
    assert.deepEqual(await refused(stage.propose(stage.remove('locked/a.ts', before))), sentences);
    assert.equal(await stage.disk('locked/a.ts'), before);
    const open = stage.propose(stage.update('locked/open.ts', before, after));
    await open.accept();
    assert.equal(await stage.disk('locked/open.ts'), after);
  });

  it('refuses what became too large, a folder, a notebook, or hidden behind a file while the patch waited', async () => {
    await stage.write('large.ts', before);
    await stage.write('folder.ts', before);
    const large = stage.propose(stage.update('large.ts', before, after));
    const folder = stage.propose(stage.update('folder.ts', before, after));
    const added = stage.propose(stage.add('new.ts', 'new\n'));
    const deep = stage.propose(stage.add('sub/new.ts', 'new\n'));
    const book = stage.propose(stage.update('book.ipynb', '{}\n', '{ }\n'));
    await truncate(stage.onDisk('large.ts'), maxFileSize + 1);
    await unlink(stage.onDisk('folder.ts'));
    await mkdir(stage.onDisk('folder.ts'));
    await mkdir(stage.onDisk('new.ts'));
    await stage.write('sub', 'a file\n');
    await stage.write('book.ipynb', '{}\n');
    assert.equal((await refused(large)).note, 'The file is larger than 50 MB.');
    assert.deepEqual(await refused(folder), {
      note: 'There is a folder in this place.',
      detail: 'There is a directory at this path.',
    });
    assert.deepEqual(await refused(added), {
      note: 'There is a folder in this place.',
      detail: 'There is a directory at this path.',
    });
    assert.deepEqual(await refused(deep), {
      note: 'A part of the path is a file, not a folder.',
      detail: 'A part of the path is a file, not a directory.',
    });
    assert.equal((await refused(book)).note, 'Notebooks can’t be patched.');
    assert.equal(await stage.disk('sub'), 'a file\n');
    assert.equal(await stage.disk('book.ipynb'), '{}\n');
  });

  it('tells the model before the review of each that can not be patched, and of no other', async () => {
    await stage.write('book.ipynb', '{}\n');
    await stage.write('folder/a.ts', 'a\n');
    await stage.write('a.ts', 'a\n');
    const line = (name: string, text: string): string[] => [
      `*** Update File: ${stage.path(name).display}`,
      '@@',
      `-${text}`,
      `+${text.toUpperCase()}`,
    ];
    const outcome = await callTool(stage, [
      ...line('book.ipynb', '{}'),
      ...line('folder', 'x'),
      ...line('a.ts', 'a'),
    ]);
    assert.equal(outcome.kind, 'failed');
    assert.match(outcome.text, /^Nothing was changed/);
    assert.match(outcome.text, /book\.ipynb".*is a notebook, which can not be changed by a patch\./);
    assert.match(outcome.text, /folder".*is a folder\./);
    assert.doesNotMatch(outcome.text, /file-refused: "[^"]*\/a\.ts"/);
    assert.equal(await stage.disk('a.ts'), 'a\n');
  });

  it('keeps names apart that differ in case alone, and renames from one to the other', async () => {
    await stage.write('a.ts', before);
    await stage.write('A.ts', 'other\n');
    const shown = stage.propose(stage.update('a.ts', before, after));
    await shown.accept();
    assert.deepEqual([await stage.disk('a.ts'), await stage.disk('A.ts')], [after, 'other\n']);
    const over = stage.propose(stage.update('a.ts', after, after, 'A.ts'));
    assert.match((await refused(over, 'conflict')).note, /A\.ts exists meanwhile and is not overwritten\.$/);
    await rm(stage.onDisk('A.ts'));
    const renamed = stage.propose(stage.update('a.ts', after, before, 'A.ts'));
    await renamed.accept();
    assert.deepEqual(await renamed.single(), { kind: 'accepted' });
    assert.deepEqual([await stage.disk('a.ts'), await stage.disk('A.ts')], [undefined, before]);
    await stage.review.board.takeBack(renamed.id);
    assert.deepEqual([await stage.disk('a.ts'), await stage.disk('A.ts')], [after, undefined]);
  });

  it('takes up what another program wrote meanwhile to a file that nobody had opened', async () => {
    await stage.write('a.ts', before);
    const shown = stage.propose(stage.update('a.ts', before, after));
    await writeFile(stage.onDisk('a.ts'), before.replace('7', 'seven'));
    await shown.accept();
    assert.deepEqual(await shown.single(), {
      kind: 'accepted',
      present: { text: after.replace('7', 'seven'), cause: 'editedMeanwhile' },
    });
    assert.equal(await stage.disk('a.ts'), after.replace('7', 'seven'));
  });

  it('conflicts with what another program wrote to the same line, and writes nothing', async () => {
    await stage.write('a.ts', before);
    const { document } = await vscode.window.showTextDocument(stage.uri('a.ts'));
    const shown = stage.propose(stage.update('a.ts', before, after));
    await writeFile(stage.onDisk('a.ts'), before.replace('2', 'zwei'));
    // The watcher of a folder that was just made may have begun too late to see it.
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await untilText(document, (text) => text.includes('zwei'));
    const { note, detail } = await refused(shown, 'conflict');
    assert.match(note, /^Line 2 was changed meanwhile/);
    assert.match(detail, /^Line 2 was changed meanwhile.*zwei/);
    assert.equal(await stage.disk('a.ts'), before.replace('2', 'zwei'));
  });

  it('patches unsaved text and overwrites nothing that another program wrote beneath it', async () => {
    await stage.write('a.ts', before);
    await vscode.window.showTextDocument(stage.uri('a.ts'));
    const document = await stage.typeUnsaved('a.ts', (text) => `${text}mine\n`);
    const shown = stage.propose(stage.update('a.ts', `${before}mine\n`, `${after}mine\n`));
    await writeFile(stage.onDisk('a.ts'), 'theirs\n');
    await shown.accept();
    assert.equal(shown.file().state, 'accepted');
    assert.deepEqual([document.getText(), document.isDirty], [`${after}mine\n`, true]);
    assert.equal(await stage.disk('a.ts'), 'theirs\n');
  });

  it('does not write to a file that lost its editor and its place, and keeps the unsaved text of one that did not', async () => {
    await stage.write('a.ts', before);
    await vscode.window.showTextDocument(stage.uri('a.ts'));
    const document = await stage.typeUnsaved('a.ts', (text) => `${text}mine\n`);
    await unlink(stage.onDisk('a.ts'));
    const shown = stage.propose(stage.update('a.ts', `${before}mine\n`, `${after}mine\n`));
    await shown.accept();
    assert.equal(shown.file().state, 'accepted');
    assert.deepEqual([document.getText(), document.isDirty], [`${after}mine\n`, true]);
    assert.equal(await stage.disk('a.ts'), undefined);
  });
});

describe('save actions and auto save', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(() => stage.close());

  const shout = (stageOf: Stage): void => {
    stageOf.own(
      vscode.languages.registerDocumentFormattingEditProvider(
        { pattern: '**/*.shout' },
        {
          provideDocumentFormattingEdits: (document) => {
            const text = document.getText();
            const all = new vscode.Range(document.positionAt(0), document.positionAt(text.length));
            return text === text.toUpperCase() ? [] : [vscode.TextEdit.replace(all, text.toUpperCase())];
          },
        },
      ),
    );
  };

  it('lets another program do to a saved file what it does at once', async () => {
    for (const name of ['a.ts', 'b.ts']) await stage.write(name, 'one\n');
    const [end, half] = [stage.onDisk('a.ts'), stage.onDisk('b.ts')];
    stage.own(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.path === stage.uri('a.ts').path) writeFileSync(end, 'two');
        if (uri.path !== stage.uri('b.ts').path) return;
        writeFileSync(half, 't');
        setTimeout(() => writeFileSync(half, 'two \n'), 1);
      }),
    );
    const shown = stage.propose(
      stage.update('a.ts', 'one\n', 'two\n'),
      stage.update('b.ts', 'one\n', 'two\n'),
    );
    await shown.accept();
    assert.deepEqual(shown.states, ['accepted', 'accepted']);
    assert.deepEqual([await stage.disk('a.ts'), await stage.disk('b.ts')], ['two', 'two \n']);
  });

  it('tells apart what a formatter made of an accepted file, and takes it back with the patch', async () => {
    await stage.set('editor.formatOnSave', true);
    shout(stage);
    await stage.write('a.shout', 'one\ntwo\n');
    const shown = stage.propose(stage.update('a.shout', 'one\ntwo\n', 'one\nzwei\n'));
    await shown.accept();
    assert.deepEqual(await shown.single(), {
      kind: 'accepted',
      present: { text: 'ONE\nZWEI\n', cause: 'changedOnSave' },
    });
    assert.equal(shown.file().note, 'Saving changed more: a formatter, or another action on save.');
    assert.equal(await stage.disk('a.shout'), 'ONE\nZWEI\n');
    await stage.set('editor.formatOnSave', false);
    assert.deepEqual(await stage.review.board.takeBack(shown.id), { done: 1, left: 0 });
    assert.equal(await stage.disk('a.shout'), 'one\ntwo\n');
  });

  it('tells apart what code actions made of an accepted file', async () => {
    await stage.set('editor.codeActionsOnSave', { 'source.fixAll': 'always' });
    stage.own(
      vscode.languages.registerCodeActionsProvider(
        { pattern: '**/*.fix' },
        {
          provideCodeActions: (document) => {
            const at = document.getText().indexOf('teh');
            if (at < 0) return [];
            const action = new vscode.CodeAction('Fix', vscode.CodeActionKind.SourceFixAll);
            action.edit = new vscode.WorkspaceEdit();
            const range = new vscode.Range(document.positionAt(at), document.positionAt(at + 3));
            action.edit.replace(document.uri, range, 'the');
            return [action];
          },
        },
        { providedCodeActionKinds: [vscode.CodeActionKind.SourceFixAll] },
      ),
    );
    await stage.write('a.fix', 'one\n');
    const shown = stage.propose(stage.update('a.fix', 'one\n', 'teh one\n'));
    await shown.accept();
    assert.deepEqual(await shown.single(), {
      kind: 'accepted',
      present: { text: 'the one\n', cause: 'changedOnSave' },
    });
    assert.equal(await stage.disk('a.fix'), 'the one\n');
  });

  it('runs no save action over unsaved text, over new, moved and deleted files, or over a proposal', async () => {
    await stage.set('editor.formatOnSave', true);
    await stage.set('files.trimTrailingWhitespace', true);
    await stage.set('files.insertFinalNewline', true);
    shout(stage);
    await stage.write('open.shout', 'one');
    await stage.write('moved.shout', 'same');
    const document = await stage.typeUnsaved('open.shout', (text) => `${text} mine`);
    const shown = stage.propose(
      stage.add('new.shout', 'new  '),
      stage.update('open.shout', 'one mine', 'zwei mine'),
      stage.update('moved.shout', 'same', 'same', 'there.shout'),
    );
    const right = await shown.openRight();
    await edit(right.document, 'newer  ');
    await shown.until(({ amended }) => amended);
    await untilText(right.document, (_, isDirty) => !isDirty);
    await shown.accept();
    assert.deepEqual(await shown.outcome, {
      files: [{ kind: 'acceptedAmended', text: 'newer  ' }, { kind: 'accepted' }, { kind: 'accepted' }],
    });
    assert.deepEqual([document.getText(), document.isDirty], ['zwei mine', true]);
    assert.deepEqual(
      await Promise.all(['open.shout', 'new.shout', 'there.shout'].map((name) => stage.disk(name))),
      ['one', 'newer  ', 'same'],
    );
  });

  for (const mode of ['afterDelay', 'onFocusChange'] as const) {
    it(`saves a proposal and no file that waits with auto save ${mode}`, async () => {
      await stage.set('files.autoSave', mode);
      await stage.set('files.autoSaveDelay', 50);
      await stage.set('files.trimTrailingWhitespace', true);
      await stage.write('a.ts', before);
      await stage.write('b.ts', 'b\n');
      const shown = stage.propose(stage.update('a.ts', before, before.replace('2', 'two  ')));
      const right = await shown.openRight();
      await edit(right.document, right.document.getText().replace('7', 'seven  '));
      await shown.until(({ amended }) => amended);
      // Away from the diff and back: that saves, where the focus decides.
      await inEditor(stage.uri('b.ts'));
      await untilText(right.document, (text, isDirty) => text.includes('seven  ') && !isDirty);
      await stage.set('files.trimTrailingWhitespace', false);
      assert.equal(await stage.disk('a.ts'), before);
      await shown.accept();
      const text = before.replace('2', 'two  ').replace('7', 'seven  ');
      assert.deepEqual(await shown.single(), { kind: 'acceptedAmended', text });
      assert.equal((await readFile(stage.onDisk('a.ts'))).toString(), text);
    });
  }
});
