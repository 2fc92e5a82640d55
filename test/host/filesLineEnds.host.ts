/** Files with line ends that no document holds: mixed ones, and lone CRs. Every test compares the bytes on the disk. */
import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { readFile, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';

import { edit, inEditor, Stage, untilText } from './editsStage.ts';
import { callTool } from './filesTool.ts';

const mixed = 'one\r\ntwo\nthree\rfour\r\nfive\nsix';
const changed = 'one\r\nTWO\r\nthree\rfour\r\nfive\nsix';
/** As every editor shows it: the kind that most lines have. */
const shownMixed = 'one\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsix';

describe('a file with mixed line ends', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(() => stage.close());

  const path = (name: string): string => stage.path(name).display;

  it('is patched by the tool byte for byte, and taken back byte for byte', async () => {
    await stage.write('f.txt', mixed);
    await stage.write('mac.txt', 'one\rtwo\rthree\r');
    let id = '';
    const outcome = await callTool(
      stage,
      [
        `*** Update File: ${path('f.txt')}`,
        '@@',
        ' one',
        '-two',
        '+TWO',
        '+new',
        ' three',
        '@@',
        ' five',
        '-six',
        '+SIX',
        `*** Update File: ${path('mac.txt')}`,
        '@@',
        '-two',
        '+TWO',
      ],
      (proposal) => {
        ({ id } = proposal);
        return stage.review.board.accept(id);
      },
    );
    assert.equal(outcome.kind, 'done', outcome.text);
    // New lines end as the first line of the file does, and so does the last line once the patch has written it.
    assert.equal(await stage.disk('f.txt'), 'one\r\nTWO\r\nnew\r\nthree\rfour\r\nfive\nSIX\r\n');
    assert.equal(await stage.disk('mac.txt'), 'one\rTWO\rthree\r');
    assert.doesNotMatch(outcome.text, /changed besides|Saving changed/);
    assert.deepEqual(await stage.review.board.takeBack(id), { done: 2, left: 0 });
    assert.deepEqual([await stage.disk('f.txt'), await stage.disk('mac.txt')], [mixed, 'one\rtwo\rthree\r']);
  });

  it('is shown as a diff of the lines that change, and no others', async () => {
    await stage.write('f.txt', mixed);
    const shown = stage.propose(stage.update('f.txt', mixed, changed));
    assert.deepEqual([shown.file().added, shown.file().removed, shown.file().hunks?.open], [1, 1, 1]);
    const { document } = await shown.openRight();
    assert.equal(document.getText(), shownMixed.replace('two', 'TWO'));
    assert.equal(
      (await vscode.workspace.openTextDocument(stage.uri('f.txt'))).getText(),
      shownMixed,
      'the left side has the same lines',
    );
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    assert.equal(await stage.disk('f.txt'), changed);
  });

  it('is written beneath an editor that shows it, and one undo brings the text back and loses no file', async () => {
    await stage.write('f.txt', mixed);
    const { document } = await vscode.window.showTextDocument(stage.uri('f.txt'));
    const shown = stage.propose(stage.update('f.txt', mixed, changed));
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    assert.equal(await stage.disk('f.txt'), changed);
    assert.deepEqual([document.getText(), document.isDirty], [shownMixed.replace('two', 'TWO'), false]);
    await inEditor(document.uri);
    await vscode.commands.executeCommand('undo');
    await untilText(document, (text) => text === shownMixed);
    assert.equal(await stage.disk('f.txt'), changed);
    // Unsaved now, it is not written to: that would be on top of what the person just did.
    assert.deepEqual(await stage.review.board.takeBack(shown.id), { done: 0, left: 1 });
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await untilText(document, (_text, isDirty) => !isDirty);
    assert.deepEqual(await stage.review.board.takeBack(shown.id), { done: 1, left: 0 });
    assert.equal(await stage.disk('f.txt'), mixed);
  });

  it('is refused with unsaved changes, with what to do, before the review and in it', async () => {
    await stage.write('f.txt', mixed);
    await vscode.window.showTextDocument(stage.uri('f.txt'));
    const shown = stage.propose(stage.update('f.txt', mixed, changed));
    const document = await stage.typeUnsaved('f.txt', (text) => `${text}mine`);
    assert.deepEqual(await stage.review.files.read(stage.path('f.txt')), {
      kind: 'refused',
      reason: 'mixedLineEnds',
    });
    await shown.accept();
    assert.deepEqual(shown.states, ['failed']);
    assert.equal(
      shown.file().note,
      'The file mixes line ends and has unsaved changes, and saving them would change every line end. Save or discard them yourself first.',
    );
    assert.equal(await stage.disk('f.txt'), mixed);
    assert.equal(document.getText(), `${shownMixed}mine`);
    await edit(document, shownMixed);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await untilText(document, (_text, isDirty) => !isDirty);
    await shown.accept();
    assert.deepEqual(shown.states, ['accepted']);
    assert.equal(await stage.disk('f.txt'), changed);
  });

  it('tells the model in one sentence why it was refused in the review', async () => {
    await stage.write('f.txt', mixed);
    const shown = stage.propose(stage.update('f.txt', mixed, changed));
    await stage.typeUnsaved('f.txt', (text) => `${text}mine`);
    await shown.accept();
    await shown.reject();
    assert.deepEqual(await shown.single(), {
      kind: 'failed',
      detail:
        'The file mixes line ends and has unsaved changes in the editor, which the person must save or discard first.',
    });
  });

  for (const [name, encoding, encode] of [
    ['UTF-8 with a byte order mark', 'utf8', (text: string) => Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 LE', 'utf8', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 BE', 'utf8', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['Latin-1', 'iso88591', (text: string) => Buffer.from(text, 'latin1')],
  ] as const) {
    it(`keeps its encoding: ${name}`, async () => {
      await stage.set('files.encoding', encoding);
      const before = 'caf\xe9\r\nold\nend\r';
      await stage.write('f.txt', encode(before));
      assert.deepEqual(await stage.review.files.read(stage.path('f.txt')), { kind: 'text', text: before });
      const shown = stage.propose(stage.update('f.txt', before, before.replace('old\n', 'n\xfc\r\n')));
      await shown.accept();
      assert.deepEqual(await shown.single(), { kind: 'accepted' });
      assert.deepEqual(await readFile(stage.onDisk('f.txt')), encode('caf\xe9\r\nn\xfc\r\nend\r'));
      await stage.review.board.takeBack(shown.id);
      assert.deepEqual(await readFile(stage.onDisk('f.txt')), encode(before));
    });
  }

  it('takes no character that its encoding has no place for', async () => {
    await stage.set('files.encoding', 'iso88591');
    await stage.write('f.txt', Buffer.from('caf\xe9\r\nold\n', 'latin1'));
    const shown = stage.propose(stage.update('f.txt', 'caf\xe9\r\nold\n', 'caf\xe9\r\n购\r\n'));
    await shown.accept();
    assert.deepEqual(shown.states, ['failed']);
    assert.deepEqual(await readFile(stage.onDisk('f.txt')), Buffer.from('caf\xe9\r\nold\n', 'latin1'));
  });

  it('keeps what another program changed elsewhere, with the ends that this wrote', async () => {
    await stage.write('f.txt', mixed);
    const shown = stage.propose(stage.update('f.txt', mixed, changed));
    await writeFile(stage.onDisk('f.txt'), mixed.replace('five\n', 'FIVE\rmore\n'));
    await shown.accept();
    assert.equal(shown.file().state, 'accepted');
    assert.equal(await stage.disk('f.txt'), changed.replace('five\n', 'FIVE\rmore\n'));
    assert.deepEqual(await stage.review.board.takeBack(shown.id), { done: 1, left: 0 });
    assert.equal(await stage.disk('f.txt'), mixed.replace('five\n', 'FIVE\rmore\n'));
  });

  it('is given no ends of several kinds again once somebody has made them alike', async () => {
    await stage.write('f.txt', mixed);
    const shown = stage.propose(stage.update('f.txt', mixed, changed));
    await writeFile(stage.onDisk('f.txt'), mixed.replace(/\r\n?/g, '\n'));
    await shown.accept();
    assert.equal(shown.file().state, 'accepted');
    assert.equal(await stage.disk('f.txt'), changed.replace(/\r\n?/g, '\n'));
  });

  it('keeps what was changed elsewhere since when it is taken back', async () => {
    await stage.write('f.txt', mixed);
    const shown = stage.propose(stage.update('f.txt', mixed, changed));
    await shown.accept();
    await writeFile(stage.onDisk('f.txt'), changed.replace('six', 'six\rseven'));
    assert.deepEqual(await stage.review.board.takeBack(shown.id), { done: 1, left: 0 });
    assert.equal(await stage.disk('f.txt'), mixed.replace('six', 'six\rseven'));
  });

  it('gets its own ends back when the patch had made them alike', async () => {
    await stage.write('f.txt', 'one\r\ntwo\nthree\r\n');
    const shown = stage.propose(stage.update('f.txt', 'one\r\ntwo\nthree\r\n', 'one\r\nTWO\r\nthree\r\n'));
    await shown.accept();
    assert.equal(await stage.disk('f.txt'), 'one\r\nTWO\r\nthree\r\n');
    await writeFile(stage.onDisk('f.txt'), 'one\r\nTWO\r\nthree\r\nfour\r\n');
    assert.deepEqual(await stage.review.board.takeBack(shown.id), { done: 1, left: 0 });
    assert.equal(await stage.disk('f.txt'), 'one\r\ntwo\nthree\r\nfour\r\n');
  });

  it('is written hunk by hunk, and as amended', async () => {
    await stage.write('f.txt', mixed);
    const shown = stage.propose(stage.update('f.txt', mixed, changed.replace('five\n', 'FIVE\r\n')));
    const right = await shown.openRight();
    right.selection = new vscode.Selection(4, 0, 4, 0);
    await stage.review.commands['kimiChat.acceptPatchHunk']();
    assert.equal(await stage.disk('f.txt'), mixed.replace('five\n', 'FIVE\r\n'));
    await edit(right.document, right.document.getText().replace('TWO', 'zwei'));
    await shown.until(({ amended }) => amended);
    await shown.accept();
    assert.equal(shown.file().state, 'accepted');
    assert.equal(await stage.disk('f.txt'), 'one\r\nzwei\r\nthree\rfour\r\nFIVE\r\nsix');
    assert.deepEqual(await stage.review.board.takeBack(shown.id), { done: 1, left: 0 });
    assert.equal(await stage.disk('f.txt'), mixed);
  });

  it('moves with its bytes, with edits and without', async () => {
    await stage.write('a.txt', mixed);
    await stage.write('b.txt', mixed);
    const shown = stage.propose(
      stage.update('a.txt', mixed, changed, 'sub/a.txt'),
      stage.update('b.txt', mixed, mixed, 'sub/b.txt'),
    );
    await shown.accept();
    assert.deepEqual(shown.states, ['accepted', 'accepted']);
    assert.deepEqual(
      await Promise.all(['a.txt', 'b.txt', 'sub/a.txt', 'sub/b.txt'].map((name) => stage.disk(name))),
      [undefined, undefined, changed, mixed],
    );
    assert.deepEqual(await stage.review.board.takeBack(shown.id), { done: 2, left: 0 });
    assert.deepEqual([await stage.disk('a.txt'), await stage.disk('b.txt')], [mixed, mixed]);
  });

  it('is deleted, and comes back as it was', async () => {
    await stage.write('f.txt', mixed);
    const shown = stage.propose(stage.remove('f.txt', mixed));
    await shown.accept();
    assert.equal(await stage.disk('f.txt'), undefined);
    assert.deepEqual(await stage.review.board.takeBack(shown.id), { done: 1, left: 0 });
    assert.equal(await stage.disk('f.txt'), mixed);
  });

  it('is written to the disk also where accepted files are left unsaved, and by no save action', async () => {
    await stage.close();
    stage = await Stage.open({ settings: { patchMode: 'ask', saveAfterAccept: false } });
    await stage.set('files.insertFinalNewline', true);
    await stage.set('files.trimTrailingWhitespace', true);
    await stage.write('f.txt', `blanks  \r${mixed}`);
    const shown = stage.propose(stage.update('f.txt', `blanks  \r${mixed}`, `blanks  \r${changed}`));
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'accepted' });
    assert.equal(await stage.disk('f.txt'), `blanks  \r${changed}`);
  });

  it('is as it was when another file of the patch could not be written', async () => {
    await stage.write('f.txt', mixed);
    await stage.write('a.ts', 'a\n');
    stage.own(
      vscode.workspace.onWillCreateFiles((event) => {
        event.waitUntil(writeFile(stage.onDisk('n.ts'), 'first come\n'));
      }),
    );
    const shown = stage.propose(
      stage.update('f.txt', mixed, changed),
      stage.update('a.ts', 'a\n', 'A\n'),
      stage.add('n.ts', 'n\n'),
    );
    await shown.accept();
    assert.deepEqual(shown.states.slice(0, 2), ['pending', 'pending']);
    assert.deepEqual(await Promise.all(['f.txt', 'a.ts', 'n.ts'].map((name) => stage.disk(name))), [
      mixed,
      'a\n',
      'first come\n',
    ]);
  });
});
