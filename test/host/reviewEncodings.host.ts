/** Files in other encodings: patched byte for byte, or refused where that can't be done. Every test reads the disk. */
import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';

import { EncodingOffer } from '../../src/host/edits/files/encodingOffer.ts';
import { next, Stage } from './editsStage.ts';

const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('a file in another encoding', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(() => stage.close());

  const cases: readonly {
    readonly name: string;
    readonly encoding: string;
    readonly before: readonly [text: string, bytes: Buffer];
    readonly after: readonly [text: string, bytes: Buffer];
    /** What the encoding has no place for. */
    readonly foreign?: string;
  }[] = [
    {
      name: 'UTF-16 LE with a byte order mark',
      encoding: 'utf8',
      before: ['één\ntwee\n', Buffer.from('\uFEFFéén\ntwee\n', 'utf16le')],
      after: ['één\n二\n', Buffer.from('\uFEFFéén\n二\n', 'utf16le')],
    },
    {
      name: 'UTF-16 BE with a byte order mark',
      encoding: 'utf8',
      before: ['één\r\ntwee\r\n', utf16be('\uFEFFéén\r\ntwee\r\n')],
      after: ['één\r\n二\r\n', utf16be('\uFEFFéén\r\n二\r\n')],
    },
    {
      name: 'GBK',
      encoding: 'gbk',
      before: ['价格\nold\n', Buffer.from([0xbc, 0xdb, 0xb8, 0xf1, 0x0a, 0x6f, 0x6c, 0x64, 0x0a])],
      after: ['价格\n购物\n', Buffer.from([0xbc, 0xdb, 0xb8, 0xf1, 0x0a, 0xb9, 0xba, 0xce, 0xef, 0x0a])],
      foreign: '😀',
    },
    {
      name: 'Shift JIS',
      encoding: 'shiftjis',
      before: ['表\nold\n', Buffer.from([0x95, 0x5c, 0x0a, 0x6f, 0x6c, 0x64, 0x0a])],
      after: ['表\nアイ\n', Buffer.from([0x95, 0x5c, 0x0a, 0x83, 0x41, 0x83, 0x43, 0x0a])],
      foreign: 'é',
    },
    {
      name: 'Latin-1',
      encoding: 'iso88591',
      before: ['caf\xe9\nold\n', Buffer.from('caf\xe9\nold\n', 'latin1')],
      after: ['caf\xe9\nn\xfc\n', Buffer.from('caf\xe9\nn\xfc\n', 'latin1')],
      foreign: '€',
    },
  ];

  for (const { name, encoding, before, after, foreign } of cases) {
    it(`keeps ${name}${foreign === undefined ? '' : `, and takes no ${foreign}`}`, async () => {
      await stage.set('files.encoding', encoding);
      await stage.write('f.txt', before[1]);
      assert.deepEqual(await stage.review.files.read(stage.path('f.txt')), { kind: 'text', text: before[0] });
      const shown = stage.propose(stage.update('f.txt', before[0], after[0]));
      await shown.accept();
      assert.deepEqual(await shown.single(), { kind: 'accepted' });
      assert.deepEqual(await readFile(stage.onDisk('f.txt')), after[1]);
      await stage.review.board.takeBack(shown.id);
      assert.deepEqual(await readFile(stage.onDisk('f.txt')), before[1]);
      if (foreign === undefined) return;
      const other = stage.propose(stage.update('f.txt', before[0], before[0].replace('old', foreign)));
      await other.accept();
      assert.deepEqual(other.states, ['failed']);
      assert.match(other.file().note ?? '', new RegExp(encoding));
      await other.reject();
      assert.deepEqual(await readFile(stage.onDisk('f.txt')), before[1]);
    });
  }

  it('is refused where it is read wrongly, and taken once it is opened with the right encoding', async () => {
    const bytes = Buffer.from('caf\xe9\nold\n', 'latin1');
    await stage.write('f.txt', bytes);
    assert.deepEqual(await stage.review.files.read(stage.path('f.txt')), {
      kind: 'refused',
      reason: 'undecodable',
    });
    const asked: string[] = [];
    const offer = new EncodingOffer((message, button) => {
      asked.push(message);
      return Promise.resolve(button);
    });
    const offered = offer.offer(stage.uri('f.txt'));
    // Asked for twice at once, the person is asked once.
    await offer.offer(stage.uri('f.txt'));
    assert.equal(asked.length, 1);
    await next(vscode.window.onDidChangeActiveTextEditor);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), stage.uri('f.txt').toString());
    // VS Code's list of encodings is open, or about to: it is closed as soon as it is.
    const answered = offered.then(() => true);
    const closed = async (): Promise<boolean> => {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return false;
    };
    while (!(await Promise.race([answered, closed()])));
    const document = await vscode.workspace.openTextDocument(stage.uri('f.txt'), { encoding: 'iso88591' });
    assert.equal(document.encoding, 'iso88591');
    const before = 'caf\xe9\nold\n';
    assert.deepEqual(await stage.review.files.read(stage.path('f.txt')), { kind: 'text', text: before });
    const shown = stage.propose(stage.update('f.txt', before, 'caf\xe9\nn\xfc\n'));
    await shown.accept();
    assert.deepEqual(await readFile(stage.onDisk('f.txt')), Buffer.from('caf\xe9\nn\xfc\n', 'latin1'));
  });
});
