/** What the next request says of files that are others than the model has seen, and how chips are opened then. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';

import { applyPatchTool } from '../../src/core/tools/applyPatch.ts';
import { readFileTool } from '../../src/core/tools/readFile.ts';
import { openChip } from '../../src/host/composer/openAttachment.ts';
import { ChatSession } from '../../src/host/sessions/session.ts';
import { ChangedFiles } from '../../src/host/context/changedFiles.ts';
import { SentTexts } from '../../src/host/context/sentTexts.ts';
import { ContextSources } from '../../src/host/context/sources.ts';
import type { Log } from '../../src/host/log.ts';
import { workspaceReader } from '../../src/host/tools/workspaceReader.ts';
import { attachedContent } from '../../src/core/conversation/userMessage.ts';
import {
  answer,
  applyPatch,
  functionCall,
  startSimulator,
  text,
  type Script,
  type Simulator,
} from '../simulator/main.ts';
import { choice, clientAt, newLog, noKeys, sessionPorts } from './chatStage.ts';
import { Stage } from './editsStage.ts';
import { readerOptions } from './toolsCalling.ts';

describe('files that change after the model has seen them', () => {
  let stage: Stage;
  let log: Log;
  let simulator: Simulator;
  let session: ChatSession;
  let changes: ChangedFiles;
  let sources: ContextSources;

  beforeEach(async () => {
    stage = await Stage.open({ settings: { patchMode: 'acceptAutomatically', saveAfterAccept: true } });
    log = newLog();
    // A busy machine is not to fail a test.
    changes = new ChangedFiles({ limit: 30_000 });
    sources = new ContextSources({ newId: randomUUID, worker: readerOptions().worker });
  });
  afterEach(async () => {
    session.dispose();
    await stage.close();
    log.dispose();
    assert.deepEqual(simulator.violations, []);
    assert.equal(simulator.repliesLeft, 0, 'replies that no request has used');
    await simulator.close();
  });

  const open = async (...script: Script): Promise<void> => {
    simulator = await startSimulator({ auth: 'optional', script });
    const { files, review } = stage.review;
    const tools = [applyPatchTool(files, review), readFileTool(workspaceReader(readerOptions()))];
    session = new ChatSession({
      ...sessionPorts(clientAt(simulator.url, noKeys, log), log, tools),
      changes: (of, turn) => changes.take(of, turn),
    });
    session.onDidHappen((event) => {
      if (event.kind === 'toolReviewed') changes.note(event.proposal);
    });
  };
  const ask = async (...uris: readonly vscode.Uri[]): Promise<void> => {
    const attached = await Promise.all(uris.map((uri) => sources.file(uri)));
    const chips = attached.flatMap((one) => (one.ok ? one.value : []));
    await changes.look(session, chips);
    assert.ok(session.ask('Why?', chips, choice));
    await session.whenIdle();
  };
  /** What the model alone was told with each question. */
  const notes = (): readonly string[] => {
    const input = simulator.requests.at(-1)?.body['input'] as readonly {
      role?: string;
      content?: readonly { text: string }[];
    }[];
    return input
      .filter(({ role }) => role === 'developer')
      .map(({ content }) => content?.map((each) => each.text).join('|') ?? '');
  };
  const said = answer(text('So.'));
  const note = (...names: readonly string[]): string =>
    `Changed since you saw them, and not by your patches: ${names.join(', ')}. What you know of these files may be out of date.`;
  const path = (name: string): string => JSON.stringify(stage.path(name).display);

  it('are named once in the next request, with those that are gone', async () => {
    await open(said, said, said, said);
    const a = await stage.write('a.ts', 'one\r\n');
    const b = await stage.write('b.ts', 'b\n');
    const c = await stage.write('c.ts', 'c\n');
    await ask(a, b, c);
    await stage.typeUnsaved('a.ts', (old) => `${old}typed\n`);
    await rm(b.fsPath);
    await ask();
    const first = note(path('a.ts'), `${path('b.ts')} (no longer there)`);
    assert.deepEqual(notes(), [first]);
    await ask();
    assert.deepEqual(notes(), [first], 'not again');
    await stage.write('c.ts', 'other\n');
    await ask();
    assert.deepEqual(notes(), [first, note(path('c.ts'))]);
  });

  it('are none when they were attached anew', async () => {
    await open(said, said, said);
    const a = await stage.write('a.ts', 'one\n');
    const b = await stage.write('b.ts', 'b\n');
    await ask(a, b);
    await stage.write('a.ts', 'two\n');
    await ask(a);
    await ask();
    assert.deepEqual(notes(), []);
  });

  it('are those, too, that a tool read, and not those that a patch of the model changed', async () => {
    const read = (name: string) =>
      functionCall('read_file', { path: stage.path(name).display, start_line: null, end_line: null });
    const change = applyPatch(
      `*** Begin Patch\n*** Update File: ${stage.path('a.ts').display}\n@@\n-one\n+two\n*** End Patch\n`,
    );
    await open(answer(read('a.ts'), read('b.ts')), answer(change), said, said, said, said);
    await stage.write('a.ts', 'one\n');
    await stage.write('b.ts', 'b\n');
    await ask();
    assert.equal(await stage.disk('a.ts'), 'two\n');
    await ask();
    assert.deepEqual(notes(), []);
    await stage.write('b.ts', 'B\n');
    await ask();
    assert.deepEqual(notes(), [note(path('b.ts'))]);
    await stage.write('a.ts', 'three\n');
    await ask();
    assert.deepEqual(notes(), [note(path('b.ts')), note(path('a.ts'))]);
  });

  it('are not those that a patch changed before the window was loaded anew, or that was taken back', async () => {
    const storage = await mkdtemp(join(tmpdir(), 'changed-'));
    await stage.close();
    stage = await Stage.open({
      settings: { patchMode: 'acceptAutomatically', saveAfterAccept: true },
      storage,
    });
    const names = ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts'];
    const [a = '', b = '', c = '', d = '', e = ''] = names.map((name) => stage.path(name).display);
    const to = stage.path('moved.ts').display;
    const edit = '@@\n-one\n+two\n';
    const change = applyPatch(
      `*** Begin Patch\n*** Update File: ${a}\n${edit}*** Update File: ${b}\n${edit}*** Delete File: ${c}\n` +
        `*** Update File: ${d}\n*** Move to: ${to}\n${edit}*** Update File: ${e}\n${edit}*** End Patch\n`,
    );
    await open(answer(change), said, said, said);
    const uris = await Promise.all(names.map((name) => stage.write(name, 'one\n')));
    await ask(...uris);
    const parts = session.conversation.turns.flatMap((turn) => turn.parts);
    const proposal = parts.map((part) => (part.kind === 'tool' ? part.proposal : undefined)).find(Boolean);
    assert.ok(proposal);
    await stage.review.board.takeBack(proposal.id, 4);
    assert.deepEqual([await stage.disk('a.ts'), await stage.disk('e.ts')], ['two\n', 'one\n']);
    // The next window knows nothing but what is kept.
    await stage.reload();
    changes = new ChangedFiles({ limit: 30_000, accepted: stage.review.accepted });
    await ask();
    assert.deepEqual(notes(), []);
    await stage.write('b.ts', 'three\n');
    await stage.write('moved.ts', 'three\n');
    await stage.write('e.ts', 'three\n');
    await ask();
    assert.deepEqual(notes(), [note(path('b.ts'), path('e.ts'))]);
    await rm(storage, { recursive: true, force: true, maxRetries: 5 });
  });

  it('are those, too, that are attached as they were before', async () => {
    await open(said, said, said);
    const a = await stage.write('a.ts', 'one\n');
    const b = await stage.write('b.ts', '  one(two);\nthree();\n');
    const attached = await sources.file(a);
    assert.ok(attached.ok);
    const piece = { kind: 'pasted', range: { from: 1, to: 2 }, text: 'one(two);\nthree' } as const;
    const copied = {
      ...{ id: 'b', path: stage.path('b.ts').display, uri: b.toString(), languageId: 'typescript' },
      ...piece,
    };
    const chips = [...attached.value, copied];
    await stage.write('a.ts', 'two\n');
    await changes.look(session, chips);
    assert.ok(session.ask('Why?', chips, choice));
    await session.whenIdle();
    const first = `Changed after they were attached to the question that follows: ${path('a.ts')}. What it shows of these files may be out of date.`;
    assert.deepEqual(notes(), [first], 'the piece is as it was copied');
    await ask();
    assert.deepEqual(notes(), [first], 'not again');
    await stage.write('b.ts', 'other\n');
    await ask();
    assert.deepEqual(notes(), [first, note(path('b.ts'))]);
  });

  it('are those, too, that a patch of another conversation changed', async () => {
    await open(said, said);
    const a = await stage.write('a.ts', 'one\n');
    await ask(a);
    await stage.write('a.ts', 'two\n');
    const { display } = stage.path('a.ts');
    const counts = { index: 0, change: 'update', added: 1, removed: 1, seen: false, amended: false } as const;
    changes.note({ id: 'of another', files: [{ ...counts, path: display, state: 'accepted' }] });
    await ask();
    assert.deepEqual(notes(), [note(path('a.ts'))]);
  });

  it('are those, too, that the person changed while more of a patch was decided', async () => {
    const names = ['a.ts', 'b.ts'].map((name) => stage.path(name).display);
    const change = applyPatch(
      `*** Begin Patch\n${names.map((name) => `*** Update File: ${name}\n@@\n-one\n+two\n`).join('')}*** End Patch\n`,
    );
    await open(said, answer(change), said, said, said);
    const a = await stage.write('a.ts', 'one\n');
    await stage.write('b.ts', 'one\n');
    await ask(a);
    await ask();
    const parts = session.conversation.turns.flatMap((turn) => turn.parts);
    const proposal = parts.map((part) => (part.kind === 'tool' ? part.proposal : undefined)).find(Boolean);
    assert.ok(proposal);
    await ask();
    assert.deepEqual(notes(), [], 'its own patch');
    await stage.write('a.ts', 'three\n');
    // Told once more, with one file as it was.
    changes.note({ ...proposal, files: proposal.files.map((file) => ({ ...file, seen: !file.seen })) });
    await ask();
    assert.deepEqual(notes(), [note(path('a.ts'))]);
  });

  describe('and their chips', () => {
    const scheme = `kimi-test-${randomUUID()}`;
    let sent: SentTexts;
    before(() => {
      sent = new SentTexts(scheme);
    });
    after(() => sent.dispose());

    const openSent = async (index: number): Promise<void> => {
      const [turn] = session.conversation.turns;
      assert.ok(turn);
      const attachment = turn.question.attachments[index];
      const part = session.asked(turn.id)?.message.content[index];
      assert.ok(attachment && part);
      await openChip({ attachment, content: attachedContent(part), wasSent: true }, sent);
    };
    const inFront = (): string | undefined => vscode.window.activeTextEditor?.document.uri.toString();

    it('open the file while it is as it was sent, and what was sent when it is not', async () => {
      await open(said);
      const a = await stage.write('a.ts', 'one\n');
      await ask(a);
      await openSent(0);
      assert.equal(inFront(), a.toString());
      await stage.write('a.ts', 'two\n');
      await openSent(0);
      const shown = vscode.window.activeTextEditor?.document;
      assert.equal(shown?.uri.scheme, scheme);
      assert.equal(shown.getText(), 'one\n');
      assert.equal(shown.languageId, 'typescript');
      assert.match(shown.uri.path, /\/a\.ts \(as sent\)$/);
      await rm(a.fsPath);
      await openSent(0);
      assert.equal(vscode.window.activeTextEditor?.document.getText(), 'one\n');
      await assert.rejects(async () => vscode.workspace.fs.writeFile(shown.uri, new Uint8Array()));
    });

    it('show each what was sent with its own question, though they are the same chip', async () => {
      await open();
      const attachment = {
        id: 'same',
        kind: 'terminal',
        path: 'Terminal',
        uri: 'x:y',
        languageId: 'plaintext',
      };
      const show = async (sentText: string): Promise<string | undefined> => {
        await openChip(
          { attachment: { ...attachment, kind: 'terminal' }, content: { text: sentText }, wasSent: true },
          sent,
        );
        return vscode.window.activeTextEditor?.document.getText();
      };
      assert.equal(await show('token: abc'), 'token: abc');
      assert.equal(await show('token: ***'), 'token: ***');
      assert.equal(await show('token: abc'), 'token: abc');
    });

    it('show what is no place in a file as it was sent, and a picture as a picture', async () => {
      await open(said);
      const pixel =
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
      await stage.write('src/a.ts', 'one\n');
      const folder = await sources.folder(stage.uri('src'), 'listing');
      const image = await sources.image({ bytes: Buffer.from(pixel, 'base64'), name: 'Pasted image' });
      assert.ok(folder.ok && image.ok);
      session.ask('Why?', [...folder.value, ...image.value], choice);
      await session.whenIdle();
      await openSent(0);
      assert.equal(vscode.window.activeTextEditor?.document.getText().trim(), stage.path('src/a.ts').display);
      await openSent(1);
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
      assert.match(tab?.label ?? '', /^Pasted image \(as sent\)\.png$/);
      const [asked] = session.conversation.turns;
      assert.equal(JSON.stringify(asked?.question).includes(pixel), false, 'the panel gets no bytes');
    });
  });
});
