/** The diff editor as the place of review: what it shows, what the person does in it, and that it stays out of their way. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

import { Diffs } from '../../src/host/edits/proposals/diffs.ts';
import { edit, next, ourTabs, Stage, untilNoTabs, untilText } from './editsStage.ts';

const before = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';
const after = before.replace('2', 'two').replace('8', 'eight');

describe('the diff of a proposed file', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(() => stage.close());

  it('has the live file on the left and the proposal on the right, in the language of the file', async () => {
    await stage.write('src/cart.ts', before);
    const shown = stage.propose(stage.update('src/cart.ts', before, after));
    const right = await shown.openRight();
    const tab = ourTabs()[0];
    assert.ok(tab?.input instanceof vscode.TabInputTextDiff);
    assert.equal(tab.label, 'cart.ts (patch)');
    assert.equal(tab.input.original.toString(), stage.uri('src/cart.ts').toString());
    assert.equal(right.document.getText(), after);
    assert.equal(right.document.languageId, 'typescript');
    assert.ok(shown.file().seen);
    await shown.accept();
    assert.equal(ourTabs().length, 0);
  });

  it('shows an added file beside nothing, a deleted one to nothing, a moved one with both names', async () => {
    await stage.write('old.py', 'old\n');
    await stage.write('a.ts', 'a\n');
    const shown = stage.propose(
      stage.add('new.py', 'new\n'),
      stage.remove('old.py', 'old\n'),
      stage.update('a.ts', 'a\n', 'A\n', 'b.ts'),
    );
    const titles: string[] = [];
    for (const [file, text] of ['new\n', '', 'A\n'].entries()) {
      const right = await shown.openRight(file);
      assert.equal(right.document.getText(), text);
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
      assert.ok(tab?.input instanceof vscode.TabInputTextDiff);
      titles.push(tab.label);
      const left = await vscode.workspace.openTextDocument(tab.input.original);
      assert.equal(left.getText(), ['', 'old\n', 'a\n'][file]);
    }
    assert.deepEqual(titles, ['new.py (new file)', 'old.py (deleted)', 'a.ts → b.ts (patch)']);
    await shown.reject();
    assert.equal(ourTabs().length, 0);
  });

  it('shows the line ends of the file and counts nothing as amended', async () => {
    await stage.write('w.txt', 'one\r\ntwo\r\n');
    const shown = stage.propose(stage.update('w.txt', 'one\r\ntwo\r\n', 'one\r\nTWO\r\n'));
    const right = await shown.openRight();
    assert.equal(right.document.eol, vscode.EndOfLine.CRLF);
    assert.equal(right.document.getText(), 'one\r\nTWO\r\n');
    assert.equal(shown.file().amended, false);
  });

  it('shows proposals as plain UTF-8, without a byte order mark', async () => {
    const shown = stage.propose(stage.add('é.txt', 'één €\n'));
    const right = await shown.openRight();
    assert.equal(right.document.getText(), 'één €\n');
    assert.equal(right.document.encoding, 'utf8');
  });

  it('reads proposals as they are whatever the encoding of files is set to', async () => {
    for (const [index, encoding] of ['utf16le', 'windows1252', 'shiftjis', 'utf8bom'].entries()) {
      await stage.set('files.encoding', encoding);
      const shown = stage.propose(stage.add(`é${index}.txt`, 'één €\n'));
      const right = await shown.openRight();
      assert.equal(right.document.getText(), 'één €\n', encoding);
      await shown.reject();
    }
  });

  it('reads proposals as they are where VS Code may guess the encoding', async () => {
    await stage.set('files.autoGuessEncoding', true);
    for (const [index, text] of ['één\n', 'ÀÉÎÕÜ àéîõü ß\n'.repeat(20)].entries()) {
      const shown = stage.propose(stage.add(`${index}.txt`, text));
      assert.equal((await shown.openRight()).document.getText(), text);
      await shown.reject();
    }
  });

  it('applies what was typed into it, and tells the model so', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, after));
    const right = await shown.openRight();
    right.selection = new vscode.Selection(1, 3, 1, 3);
    await vscode.commands.executeCommand('type', { text: ' and a bit' });
    await shown.until(({ amended }) => amended);
    await shown.accept();
    const text = after.replace('two', 'two and a bit');
    assert.deepEqual(await shown.single(), { kind: 'acceptedAmended', text });
    assert.equal(await stage.disk('cart.ts'), text);
    assert.equal(ourTabs().length, 0);
  });

  it('is saved by itself soon after, so that its tab closes without a question', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, after));
    const right = await shown.openRight();
    const { document } = right;
    right.selection = new vscode.Selection(0, 0, 0, 0);
    await vscode.commands.executeCommand('type', { text: 'x' });
    await untilText(document, (text, isDirty) => text.startsWith('x') && !isDirty);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    assert.equal(ourTabs().length, 0);
    const again = await shown.openRight();
    assert.equal(again.document.getText(), `x${after}`);
  });

  it('takes a hunk back with the button that VS Code puts there', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, after));
    const right = await shown.openRight();
    right.selection = new vscode.Selection(7, 0, 7, 0);
    const reverted = untilText(right.document, (text) => text === before.replace('2', 'two'));
    // The button is the same command for the hunk it stands at; without one it takes the hunk at the cursor.
    await revertHunk(right);
    await reverted;
    await shown.until(({ hunks }) => hunks?.rejected === 1);
    const { amended, added, hunks } = shown.file();
    assert.deepEqual([amended, added, hunks?.open], [false, 1, 1]);
    await shown.accept();
    assert.deepEqual(await shown.single(), {
      kind: 'acceptedAmended',
      text: before.replace('2', 'two'),
    });
    assert.equal(await stage.disk('cart.ts'), before.replace('2', 'two'));
  });

  it('is not altered by the save actions of the person, and keeps the cursor', async () => {
    await stage.set('files.trimTrailingWhitespace', true);
    await stage.set('files.insertFinalNewline', true);
    await stage.set('files.trimFinalNewlines', true);
    await stage.write('notes.md', 'a\nb\n');
    const proposed = 'a  \nb\nc  ';
    const shown = stage.propose(stage.update('notes.md', 'a\nb\n', proposed));
    const right = await shown.openRight();
    right.selection = new vscode.Selection(0, 3, 0, 3);
    await vscode.commands.executeCommand('type', { text: 'x ' });
    const typed = 'a  x \nb\nc  ';
    // Saved, trimmed on the way, and put back.
    await next(vscode.workspace.onDidSaveTextDocument);
    await untilText(right.document, (text, isDirty) => text === typed && !isDirty);
    while (!right.selection.active.isEqual(new vscode.Position(0, 5))) {
      await next(vscode.window.onDidChangeTextEditorSelection);
    }
    await stage.set('files.trimTrailingWhitespace', false);
    await stage.set('files.insertFinalNewline', false);
    await stage.set('files.trimFinalNewlines', false);
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'acceptedAmended', text: typed });
    assert.equal(await stage.disk('notes.md'), typed);
  });

  it('is not altered when the person saves it themselves', async () => {
    await stage.set('files.trimTrailingWhitespace', true);
    await stage.set('files.insertFinalNewline', true);
    const shown = stage.propose(stage.add('notes.md', 'a  \nb'));
    const right = await shown.openRight();
    const saved = next(vscode.workspace.onDidSaveTextDocument);
    await vscode.commands.executeCommand('workbench.action.files.save');
    await saved;
    await untilText(right.document, (text, isDirty) => text === 'a  \nb' && !isDirty);
    assert.equal(shown.file().amended, false);
  });

  it('keeps what is typed while a formatter works on it', async () => {
    await stage.set('editor.formatOnSave', true);
    const formatter = slowFormatter(stage);
    const shown = stage.propose(stage.add('n.txt', 'one\n'));
    const right = await shown.openRight();
    right.selection = new vscode.Selection(0, 3, 0, 3);
    await vscode.commands.executeCommand('type', { text: 'A' });
    await next(formatter.onDidStart);
    await vscode.commands.executeCommand('type', { text: 'B' });
    await untilText(right.document, (text) => text === 'oneAB\n');
    formatter.finish();
    await untilText(right.document, (_, isDirty) => !isDirty);
    await shown.accept();
    const outcome = await shown.single();
    assert.ok(outcome.kind === 'acceptedAmended');
    assert.match(outcome.text, /oneAB/);
  });

  it('does not keep the tool waiting for a formatter', async () => {
    await stage.set('editor.formatOnSave', true);
    const formatter = slowFormatter(stage);
    const shown = stage.propose(stage.add('n.txt', 'one\n'));
    const right = await shown.openRight();
    right.selection = new vscode.Selection(0, 3, 0, 3);
    await vscode.commands.executeCommand('type', { text: 'A' });
    await next(formatter.onDidStart);
    const accepted = shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'acceptedAmended', text: 'oneA\n' });
    assert.equal(await stage.disk('n.txt'), 'oneA\n');
    formatter.finish();
    await accepted;
    assert.equal(ourTabs().length, 0);
  });

  it('can be taken back to what the file is: then nothing is written', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, after));
    const right = await shown.openRight();
    await edit(right.document, before);
    await shown.until(({ hunks, added, removed }) => hunks?.rejected === 2 && added + removed === 0);
    assert.equal(shown.file().amended, false);
    await shown.accept();
    assert.deepEqual(await shown.single(), { kind: 'acceptedAmended', text: before });
    assert.equal(await stage.disk('cart.ts'), before);
  });

  it('stays when its file conflicts', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, after));
    await shown.openRight();
    await stage.typeUnsaved('cart.ts', (text) => text.replace('2', 'mine'));
    await shown.accept();
    assert.equal(shown.file().state, 'conflict');
    assert.equal(ourTabs().length, 1);
    await shown.reject();
    assert.equal(ourTabs().length, 0);
  });

  it('closes when the turn is stopped', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, after));
    await shown.openRight();
    shown.stop();
    assert.deepEqual(await shown.single(), { kind: 'cancelled' });
    await untilNoTabs();
  });

  it('leads from a row that was not accepted to the file itself', async () => {
    await stage.write('a.ts', 'a\n');
    const shown = stage.propose(stage.update('a.ts', 'a\n', 'A\n', 'b.ts'));
    await shown.reject();
    await shown.single();
    await shown.review();
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), stage.uri('a.ts').toString());
  });

  it('closes when VS Code brings it back and nobody knows it any more', async () => {
    await stage.write('cart.ts', before);
    const shown = stage.propose(stage.update('cart.ts', before, after));
    await shown.openRight();
    await new Diffs('kimi-test-proposal').closeAllBut(() => true);
    assert.equal(ourTabs().length, 1);
    await new Diffs('kimi-test-proposal').closeAllBut(() => false);
    assert.equal(ourTabs().length, 0);
  });
});

describe('a proposal that arrives while the person works', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(() => stage.close());

  it('leaves the editor and the keys to whoever types', async () => {
    await stage.write('mine.txt', 'mine\n');
    await stage.write('cart.ts', before);
    const editor = await vscode.window.showTextDocument(stage.uri('mine.txt'));
    stage.review.attention.asked();
    const typed = next(vscode.window.onDidChangeTextEditorSelection);
    await vscode.commands.executeCommand('type', { text: 'I ' });
    await typed;
    const shown = stage.propose(stage.update('cart.ts', before, after));
    await vscode.commands.executeCommand('type', { text: 'type ' });
    await shown.accept();
    await vscode.commands.executeCommand('type', { text: 'on ' });
    assert.equal(editor.document.getText(), 'I type on mine\n');
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), editor.document.uri.toString());
    assert.equal(await stage.disk('cart.ts'), after);
    assert.equal(ourTabs().length, 0);
  });

  it('opens by itself for whoever waits in the chat', async () => {
    await stage.write('mine.txt', 'mine\n');
    await stage.write('cart.ts', before);
    await inFront(stage.uri('mine.txt'));
    stage.review.attention.asked();
    const shown = stage.propose(stage.update('cart.ts', before, after));
    await shown.until(({ seen }) => seen);
    assert.equal(ourTabs().length, 1);
    await shown.accept();
    assert.equal(ourTabs().length, 0);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), stage.uri('mine.txt').toString());
  });

  it('leaves the diff in front that the person has opened meanwhile', async () => {
    await stage.write('mine.txt', 'mine\n');
    await inFront(stage.uri('mine.txt'));
    stage.review.attention.asked();
    // What is known of the first one is told just before it would open.
    const shown = stage.propose(stage.add('.vscode/tasks.json', '{}\n'), stage.add('b.ts', 'b\n'));
    const second = shown.review(1);
    await shown.until(({ takesSecondYes }) => takesSecondYes === true);
    await second;
    // Whatever was asked of VS Code before has been done by then.
    await shown.openRight(1);
    assert.deepEqual(
      ourTabs().map(({ label }) => label),
      ['b.ts (new file)'],
    );
    assert.equal(shown.file(0).seen, false);
  });

  it('does not come before what the person has opened or switched to since it came up', async () => {
    const { attention } = stage.review;
    const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((name) => stage.write(`${name}.txt`, name)));
    assert.ok(a !== undefined && b !== undefined && c !== undefined);
    await inFront(a);
    await inFront(b);
    attention.asked();
    const { scene } = attention;
    assert.equal(attention.mayOpen(scene), true);
    await inFront(a);
    assert.equal(attention.mayOpen(scene), false, 'switched');
    await inFront(b);
    assert.equal(attention.mayOpen(scene), true, 'came back');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    await untilInFront(a);
    assert.equal(attention.mayOpen(scene), true, 'only closed');
    await inFront(c);
    assert.equal(attention.mayOpen(scene), false, 'opened');
    assert.equal(attention.mayOpen(attention.scene), true);
  });
});

/** Shows a file in a tab that stays, and waits until extensions see that. */
async function inFront(uri: vscode.Uri): Promise<void> {
  await vscode.window.showTextDocument(uri, { preview: false });
  await untilInFront(uri);
}

async function untilInFront(uri: vscode.Uri): Promise<void> {
  for (;;) {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    if (input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()) return;
    await next(vscode.window.tabGroups.onDidChangeTabs);
  }
}

describe('the commands of the diff editor', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(() => stage.close());

  const active = (): string | undefined => vscode.window.tabGroups.activeTabGroup.activeTab?.label;

  it('go from file to file, round and round', async () => {
    const { commands } = stage.review;
    const shown = stage.propose(stage.add('a.ts', 'a\n'), stage.add('b.ts', 'b\n'), stage.add('c.ts', 'c\n'));
    await commands['kimiChat.nextPatchFile']();
    const labels = [active()];
    for (const command of ['next', 'next', 'next', 'previous'] as const) {
      await commands[`kimiChat.${command}PatchFile`]();
      labels.push(active());
    }
    assert.deepEqual(
      labels,
      ['a.ts', 'b.ts', 'c.ts', 'a.ts', 'c.ts'].map((name) => `${name} (new file)`),
    );
    await shown.reject();
  });

  it('decide on the file in front and go on to the next', async () => {
    const { commands } = stage.review;
    const shown = stage.propose(stage.add('a.ts', 'a\n'), stage.add('b.ts', 'b\n'), stage.add('c.ts', 'c\n'));
    // The first opens by itself where no editor is open.
    await shown.until(({ seen }) => seen);
    await shown.openRight(1);
    await commands['kimiChat.acceptPatch']();
    assert.deepEqual(shown.states, ['pending', 'accepted', 'pending']);
    assert.equal(active(), 'c.ts (new file)');
    // The second click of a double click is not for the file that has just come.
    await commands['kimiChat.acceptPatch']();
    assert.deepEqual(shown.states, ['pending', 'accepted', 'pending']);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    await commands['kimiChat.rejectPatch'](input.modified);
    assert.deepEqual(shown.states, ['pending', 'accepted', 'rejected']);
    assert.equal(active(), 'a.ts (new file)');
    await commands['kimiChat.acceptAllPatch']();
    assert.deepEqual(await shown.outcome, {
      files: [{ kind: 'accepted' }, { kind: 'accepted' }, { kind: 'rejected' }],
    });
    assert.equal(ourTabs().length, 0);
  });
});

/**
 * What the button between the two sides does, at the cursor's hunk. VS Code ignores it while it still computes the differences, and
 * tells nobody when it has them: so it is pressed until it works.
 */
async function revertHunk({ document }: vscode.TextEditor): Promise<void> {
  const { version } = document;
  while (document.version === version) await vscode.commands.executeCommand('diffEditor.revert');
}

/** Formats documents of our scheme, the first time only once it is told to. */
function slowFormatter(stage: Stage): { onDidStart: vscode.Event<void>; finish(): void } {
  const started = new vscode.EventEmitter<void>();
  const waiting: (() => void)[] = [];
  let first = true;
  stage.own(started);
  stage.own(
    vscode.languages.registerDocumentFormattingEditProvider(
      { scheme: 'kimi-test-proposal' },
      {
        provideDocumentFormattingEdits: async (document) => {
          if (first) {
            first = false;
            const finished = new Promise<void>((resolve) => waiting.push(resolve));
            started.fire();
            await finished;
          }
          return [vscode.TextEdit.insert(document.positionAt(0), 'formatted ')];
        },
      },
    ),
  );
  return { onDidStart: started.event, finish: () => waiting.forEach((resolve) => resolve()) };
}
