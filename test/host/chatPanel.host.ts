/** What the panel is told and what its buttons do, whenever it comes and goes. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';

import type { KeyState } from '../../src/protocol/toWebview.ts';
import { defaultBaseUrl } from '../../src/host/address.ts';
import { intentHandler } from '../../src/host/chat/intents.ts';
import { editorInFront } from '../../src/host/chat/editorInFront.ts';
import { answer, gate, reasoning, text } from '../simulator/main.ts';
import { ChatStage, choice, inFront, lastTurn, testedExtension, untilOpen } from './chatStage.ts';

describe('the panel', () => {
  let stage: ChatStage;
  beforeEach(async () => {
    stage = await ChatStage.open();
  });
  afterEach(() => stage.close());

  it('mirrors a conversation that began before it came, and goes on with it', async () => {
    const { panel, simulator, sessions } = stage;
    await stage.connect();
    simulator.reply(answer(reasoning('Hm.'), text('One, ', gate('a'), 'two, ', gate('b'), 'three.')));
    sessions.current.ask('Count', [], choice);
    await simulator.reached('a');
    panel.show();
    simulator.open('a');
    await simulator.reached('b');
    panel.hide();
    panel.show();
    simulator.open('b');
    await sessions.current.whenIdle();
    await panel.until(({ mirror }) => mirror?.conversation.turns[0]?.end !== undefined);
    assert.deepEqual(panel.state.mirror?.conversation, sessions.current.conversation);
    assert.equal(panel.posts.filter(({ kind }) => kind === 'snapshot').length, 2);
  });

  it('shows the conversation that is chosen, running or not, and only that', async () => {
    const { panel, simulator, sessions } = stage;
    await stage.connect();
    panel.show();
    simulator.reply(answer(text('One ', gate('a'), 'done.')), answer(text('Two.')));
    const first = sessions.current;
    first.ask('First?', [], choice);
    await simulator.reached('a');
    panel.tell({ kind: 'newChat' });
    sessions.current.ask('Second?', [], choice);
    await sessions.current.whenIdle();
    simulator.open('a');
    await first.whenIdle();
    await panel.until(({ mirror }) => mirror?.conversation.turns[0]?.end !== undefined);
    assert.deepEqual(panel.state.mirror?.conversation, sessions.current.conversation);
    sessions.show(first);
    assert.deepEqual(panel.state.mirror.conversation, first.conversation);
  });

  it('is told everything again after it was moved to another side', () => {
    const { panel } = stage;
    panel.show();
    panel.type('half a question');
    panel.dispose();
    panel.show();
    assert.equal(panel.state.draft, 'half a question');
    assert.ok(panel.state.mirror);
  });

  it('ignores what is no message of ours', async () => {
    const { panel } = stage;
    panel.show();
    for (const message of [undefined, null, 'send', {}, { kind: 'applyEdit' }, { kind: 'send', text: 'x' }]) {
      panel.say(message);
    }
    await stage.dealtWith();
    assert.deepEqual(stage.intents, []);
    assert.deepEqual(panel.notices, []);
  });

  it('gets the cursor once when it is asked for, also when it has to be made first', async () => {
    const { panel, view } = stage;
    const cursors = (): number => panel.posts.filter(({ kind }) => kind === 'focusComposer').length;
    await view.focus();
    assert.equal(cursors(), 1);
    panel.hide();
    panel.show();
    assert.equal(cursors(), 1, 'it came back by itself and took the cursor');
    await view.focus();
    assert.equal(cursors(), 2);
  });

  it('is told what went wrong before it was there', async () => {
    const { panel, commands } = stage;
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await untilOpen(() => (vscode.window.tabGroups.activeTabGroup.activeTab ? undefined : true));
    panel.load();
    await commands['kimiChat.attachActive']?.();
    assert.deepEqual(panel.notices, []);
    panel.ready();
    assert.deepEqual(panel.notices, ['Open a file or select code to attach it.']);
    panel.hide();
    panel.show();
    assert.equal(panel.notices.length, 1, 'it was told twice');
  });

  it('is told when something of ours breaks', async () => {
    const { panel, sessions, view } = stage;
    panel.show();
    const broken = intentHandler({
      ...stage,
      history: stage.history.shown,
      view,
      sessions: new Proxy(sessions, {
        get: () => {
          throw new Error('broken');
        },
      }),
    });
    await broken({ kind: 'stop' });
    assert.match(panel.notices.join(), /This did not work/);
  });

  describe('’s buttons', () => {
    let folder: string;
    beforeEach(async () => {
      const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
      assert.ok(root, 'these tests need an open folder');
      folder = await mkdtemp(join(root, 'panel-'));
      stage.panel.show();
    });
    afterEach(async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await rm(folder, { recursive: true });
    });

    const open = async (name: string, content: string): Promise<vscode.TextEditor> => {
      await writeFile(join(folder, name), content);
      return inFront(await vscode.window.showTextDocument(vscode.Uri.file(join(folder, name))));
    };
    const press = async (intent: Parameters<ChatStage['panel']['tell']>[0]): Promise<void> => {
      stage.panel.tell(intent);
      await stage.dealtWith();
    };

    it('insert at the cursor, at each of them', async () => {
      const editor = await open('a.ts', 'a\nb\n');
      editor.selections = [new vscode.Selection(0, 0, 0, 1), new vscode.Selection(1, 1, 1, 1)];
      await press({ kind: 'insertAtCursor', text: 'X' });
      assert.equal(editor.document.getText(), 'X\nbX\n');
      assert.deepEqual(stage.panel.notices, []);
      await vscode.commands.executeCommand('workbench.action.files.revert');
    });

    it('insert nowhere when there is no editor, or one that can’t be written', async () => {
      await press({ kind: 'insertAtCursor', text: 'X' });
      assert.match(stage.panel.notices.at(-1) ?? '', /Open a file/);
      const provider = vscode.workspace.registerTextDocumentContentProvider('kimi-test-readonly', {
        provideTextDocumentContent: () => 'fixed\n',
      });
      const fixed = vscode.Uri.parse('kimi-test-readonly:/a.ts');
      const editor = await inFront(await vscode.window.showTextDocument(fixed));
      await press({ kind: 'insertAtCursor', text: 'X' });
      assert.equal(editor.document.getText(), 'fixed\n');
      assert.match(stage.panel.notices.at(-1) ?? '', /could not be changed/);
      provider.dispose();
    });

    it('open what a chip names, of the question being written and of one that was asked', async () => {
      const { draft, commands, panel, simulator, sessions } = stage;
      await stage.connect();
      simulator.reply(answer(text('Fine.')));
      const editor = await open('a.ts', 'a\nb\nc\n');
      editor.selection = new vscode.Selection(1, 0, 2, 0);
      await commands['kimiChat.askAboutSelection']?.();
      const [chip] = draft.attachments;
      assert.equal(chip?.path, `${basename(folder)}/a.ts`);
      editor.selection = new vscode.Selection(0, 0, 0, 0);
      await press({ kind: 'openAttachment', attachment: chip.id });
      assert.equal(vscode.window.activeTextEditor?.selection.start.line, 1);
      panel.ask('Right?');
      await stage.dealtWith();
      await sessions.current.whenIdle();
      assert.deepEqual(draft.attachments, []);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await press({ kind: 'openAttachment', attachment: chip.id, turn: lastTurn(sessions.current).id });
      assert.equal(vscode.window.activeTextEditor?.selection.start.line, 1);
      await press({ kind: 'openAttachment', attachment: 'unknown' });
      assert.deepEqual(panel.notices, []);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await rm(join(folder, 'a.ts'));
      await press({ kind: 'openAttachment', attachment: chip.id, turn: lastTurn(sessions.current).id });
      assert.deepEqual(panel.notices, []);
      const asSent = vscode.window.activeTextEditor?.document;
      assert.match(asSent?.uri.path ?? '', /a\.ts:2-2 \(as sent\)/);
      assert.equal(asSent?.getText(), 'b\n');
    });

    it('take chips away, and attach a chip of the same lines once', async () => {
      const { draft, commands, panel } = stage;
      const editor = await open('a.ts', 'a\nb\nc\n');
      editor.selection = new vscode.Selection(0, 0, 1, 0);
      await commands['kimiChat.attachActive']?.();
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'x'));
      editor.selection = new vscode.Selection(0, 0, 0, 1);
      await commands['kimiChat.attachActive']?.();
      assert.deepEqual(
        draft.attachments.map(({ text: taken }) => taken),
        ['xa'],
      );
      editor.selection = new vscode.Selection(0, 0, 0, 0);
      await commands['kimiChat.attachActive']?.();
      assert.deepEqual(
        panel.state.mirror?.panel.attachments.map(({ kind }) => kind),
        ['selection', 'file'],
      );
      await press({ kind: 'removeAttachment', attachment: draft.attachments[0]!.id });
      await press({ kind: 'removeAttachment', attachment: 'unknown' });
      assert.deepEqual(
        panel.state.mirror.panel.attachments.map(({ kind }) => kind),
        ['file'],
      );
      await vscode.commands.executeCommand('workbench.action.files.revert');
    });

    it('say why nothing was attached', async () => {
      const { commands, panel } = stage;
      await open('empty.ts', '');
      await commands['kimiChat.attachActive']?.();
      assert.equal(panel.notices.at(-1), 'There is no text to attach.');
      await vscode.commands.executeCommand('workbench.action.openSettings');
      await commands['kimiChat.attachActive']?.();
      assert.equal(panel.notices.at(-1), 'What is open here is no text that can be attached.');
    });

    it('name a proposed file by the file that it is to become', async () => {
      const { commands, draft, review } = stage;
      const stop = new AbortController();
      const path = { root: 0, relative: 'src/new.ts', display: 'src/new.ts' };
      const outcome = review.review.review(
        { id: 'p1', plan: { files: [{ kind: 'add', path, after: 'let a = 1;\n' }], notes: [] } },
        { signal: stop.signal, proposal: () => {} },
      );
      await review.board.review('p1');
      await untilOpen(() =>
        editorInFront()?.document.uri.scheme === stage.schemes.proposal ? true : undefined,
      );
      await commands['kimiChat.attachActive']?.();
      assert.equal(draft.attachments[0]?.path, 'src/new.ts (proposed)');
      assert.equal(draft.attachments[0].text, 'let a = 1;\n');
      assert.deepEqual(stage.facts.current.suggestions, []);
      stop.abort();
      await outcome;
    });

    it('copy, and open no link that is none', async () => {
      const { panel } = stage;
      await press({ kind: 'copy', text: 'copied “text”' });
      assert.equal(await vscode.env.clipboard.readText(), 'copied “text”');
      for (const href of [
        'javascript:alert(1)',
        'command:workbench.action.quit',
        'file:///etc/passwd',
        'x',
      ]) {
        await press({ kind: 'openLink', href });
        assert.match(panel.notices.at(-1) ?? '', /no address that can be opened/, href);
      }
    });

    it('say when a pick could not be saved', async () => {
      const { panel, written } = stage;
      written.remember('kimiChat.model');
      await vscode.commands.executeCommand('workbench.action.openSettingsJson');
      const editor = vscode.window.activeTextEditor;
      assert.ok(editor);
      assert.ok(await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// unsaved\n')));
      try {
        await press({ kind: 'setModel', model: 'kimi-k3' });
        assert.match(panel.notices.join(), /Used until the window closes/);
        assert.equal(panel.state.mirror?.panel.model, 'kimi-k3');
        await press({ kind: 'setModel', model: 'no such model' });
        assert.equal(panel.state.mirror.panel.model, 'kimi-k3');
        assert.equal(panel.notices.length, 1);
      } finally {
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      }
    });

    it('tell what is open, what is wrong with it, and nothing else', async () => {
      const { panel } = stage;
      const suggested = (): readonly string[] =>
        panel.state.mirror?.panel.suggestions.map((each) => each.text) ?? [];
      const name = `${basename(folder)}/a.ts`;
      await open('a.ts', 'let a;\n');
      await panel.until(() => suggested().length > 0);
      assert.deepEqual(suggested(), [
        `Explain ${name}`,
        `Find mistakes in ${name}`,
        `Write tests for ${name}`,
      ]);
      const problems = vscode.languages.createDiagnosticCollection('kimi-test');
      const uri = vscode.Uri.file(join(folder, 'a.ts'));
      problems.set(uri, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 3), 'Wrong')]);
      await panel.until(() => suggested().includes(`Fix the problems in ${name}`));
      problems.dispose();
      await panel.until(() => suggested().includes(`Find mistakes in ${name}`));
      await vscode.commands.executeCommand('workbench.action.openSettings');
      await panel.until(() => suggested().length === 0);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await panel.until(() => suggested().length > 0);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await panel.until(() => suggested().length === 0);
    });
  });

  it('is told of the key: missing, present, not needed, not readable', async () => {
    const { panel, keys, written, facts } = stage;
    const origin = 'https://gateway.example';
    panel.show();
    const becomes = (wanted: KeyState): Promise<void> =>
      panel.until(({ mirror }) => mirror?.panel.key === wanted);
    await stage.connect();
    await becomes('notNeeded');
    await written.set('kimiChat.baseUrl', `${origin}/kimi`);
    await becomes('missing');
    assert.deepEqual(facts.current.service, { origin, evolink: false });
    await keys.set(origin, 'sk-for-gateway');
    await becomes('present');
    await keys.clear(origin);
    await becomes('missing');
    await written.set('kimiChat.baseUrl', 'no address');
    await becomes('notNeeded');
    assert.equal(await facts.readKey(), 'notNeeded');
    assert.equal(facts.current.service, undefined);
    stage.settings.service = undefined;
    await written.set('kimiChat.baseUrl', defaultBaseUrl);
    await becomes('missing');
    assert.deepEqual(facts.current.service, { origin: defaultBaseUrl, evolink: true });
  });

  it('has the key state of the newest look-up, in whichever order they answer', async () => {
    const answers: ((key: string | undefined) => void)[] = [];
    const slow = await ChatStage.open({
      secrets: (real) => ({
        keys: () => real.keys(),
        store: (key, value) => real.store(key, value),
        delete: (key) => real.delete(key),
        onDidChange: real.onDidChange,
        get: () =>
          new Promise((resolve) => {
            answers.push(resolve);
          }),
      }),
    });
    const told: string[] = [];
    slow.facts.onDidChange(() => told.push(slow.facts.current.key));
    const [older, newer] = [slow.facts.readKey(), slow.facts.readKey()];
    answers[1]?.(undefined);
    assert.equal(await newer, 'missing');
    answers[0]?.('sk-old');
    assert.equal(await older, 'present');
    assert.equal(slow.facts.current.key, 'missing');
    assert.deepEqual(told, ['missing']);
    await slow.close();
  });
});

describe('the panel in the workbench', () => {
  it('is made, loads its own script, and says what it has', async () => {
    const stage = await ChatStage.open({ viewId: 'kimiChatTests.chat' });
    stage.draft.text = 'half a question';
    const first = changeOf(stage.view.onDidIntend);
    await stage.view.focus();
    // The real page shows the draft that the host kept, and tells of it as of any text that came into the composer.
    assert.deepEqual(await first, { kind: 'draftChanged', text: 'half a question' });
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
    await stage.close();
  });
});

describe('the commands', () => {
  it('are those of the manifest, each of which is there', async () => {
    const { contributes } = testedExtension().packageJSON as {
      contributes: { commands: { command: string }[] };
    };
    await testedExtension().activate();
    const known = await vscode.commands.getCommands(true);
    // VS Code makes those of a view.
    const ours = known.filter((id) => id.startsWith('kimiChat.') && !id.startsWith('kimiChat.chat.'));
    assert.deepEqual(ours.toSorted(), contributes.commands.map(({ command }) => command).toSorted());
  });
});

function changeOf<T>(event: vscode.Event<T>): Promise<T> {
  return new Promise((resolve) => {
    const listener = event((value) => {
      listener.dispose();
      resolve(value);
    });
  });
}
