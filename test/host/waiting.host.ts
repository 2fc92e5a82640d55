/** Proposals that wait when the window closes: they wait in the next one, in the tabs that VS Code brings back. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';

import type { ProposedFile } from '../../src/core/conversation/conversation.ts';
import { OrphanedPatches } from '../../src/host/sessions/orphanedPatches.ts';
import { Sessions } from '../../src/host/sessions/sessions.ts';
import type { Log } from '../../src/host/log.ts';
import { answer, startSimulator, text, type Simulator } from '../simulator/main.ts';
import { choice, clientAt, newLog, noKeys, sessionPorts } from './chatStage.ts';
import { edit, next, ourTabs, Stage, type Shown } from './editsStage.ts';

const before = 'one\ntwo\nthree\nfour\nfive\n';
const after = 'one\nTWO\nthree\nfour\nfive\n';

describe('a patch that waits when the window closes', () => {
  let storage: string;
  let stage: Stage;
  beforeEach(async () => {
    storage = await mkdtemp(join(tmpdir(), 'kimi-chat-waiting-'));
    stage = await Stage.open({ storage });
    await stage.review.board.ready;
  });
  afterEach(async () => {
    await stage.close();
    await rm(storage, { recursive: true, force: true, maxRetries: 5 });
  });

  /** A proposal is up a moment after it was made, when there is a storage to look into. */
  async function propose(...files: Parameters<Stage['propose']>): Promise<Shown> {
    const shown = stage.propose(...files);
    await shown.up();
    return shown;
  }

  /** As a reload of the window does it: everything of ours goes and comes again; files, tabs and storage stay. */
  async function reload(): Promise<void> {
    await stage.review.whenKept();
    await stage.reload();
    await stage.review.board.ready;
  }

  it('waits again with what the person has made of it, and can be accepted from its diff', async () => {
    await stage.write('cart.ts', before);
    const shown = await propose(stage.update('cart.ts', before, after));
    const right = await shown.openRight();
    await edit(right.document, after.replace('five', 'FIVE'));
    await shown.until(({ amended }) => amended);
    const { uri } = right.document;
    await reload();
    const found = stage.review.board.find(uri);
    assert.ok(found, 'the document of the tab is known');
    assert.equal(ourTabs().length, 1, 'its tab is left open');
    assert.equal(found.file.document.text, after.replace('five', 'FIVE'));
    assert.equal(
      Buffer.from(await vscode.workspace.fs.readFile(uri)).toString(),
      after.replace('five', 'FIVE'),
    );
    assert.equal(await stage.disk('cart.ts'), before);
    await stage.review.commands['kimiChat.acceptPatch'](uri);
    assert.equal(await stage.disk('cart.ts'), after.replace('five', 'FIVE'));
    await stage.review.whenKept();
    assert.deepEqual(await readdir(join(storage, 'waiting')), []);
    assert.deepEqual(await stage.review.board.takeBackLast(), { done: 1, left: 0 });
    assert.equal(await stage.disk('cart.ts'), before);
  });

  it('waits again when the disk had no room for it, and is then written whole', async () => {
    await stage.write('cart.ts', before);
    const shown = await propose(stage.update('cart.ts', before, after));
    stage.cutNextSave('cart.ts', 2);
    await shown.accept();
    assert.equal(shown.file().state, 'failed');
    assert.equal(await stage.disk('cart.ts'), before);
    await reload();
    const [again] = stage.review.board.waiting;
    assert.ok(again);
    await stage.review.board.accept(again.id);
    assert.equal(await stage.disk('cart.ts'), after);
    assert.deepEqual(await stage.review.board.takeBack(again.id), { done: 1, left: 0 });
    assert.equal(await stage.disk('cart.ts'), before);
  });

  it('follows a file that changed while no window was open', async () => {
    await stage.write('cart.ts', before);
    await propose(stage.update('cart.ts', before, after));
    await stage.review.whenKept();
    await writeFile(stage.onDisk('cart.ts'), `zero\n${before}`);
    await reload();
    const [waiting] = stage.review.board.waiting;
    assert.ok(waiting);
    await stage.review.board.accept(waiting.id);
    assert.equal(await stage.disk('cart.ts'), `zero\n${after}`);
  });

  it('keeps only the files that were not decided, of every kind of change', async () => {
    await stage.write('a.ts', 'a\n');
    await stage.write('b.ts', before);
    await stage.write('gone.ts', 'gone\n');
    const shown = await propose(
      stage.update('a.ts', 'a\n', 'A\n'),
      stage.add('new.ts', 'new\n'),
      stage.update('b.ts', before, after, 'moved.ts'),
      stage.remove('gone.ts', 'gone\n'),
    );
    await shown.accept(0);
    await reload();
    await reload();
    const [waiting, ...others] = stage.review.board.waiting;
    assert.ok(waiting);
    assert.deepEqual(others, []);
    assert.deepEqual(
      waiting.summary.files.map(({ change, state }) => `${change} ${state}`),
      ['add pending', 'move pending', 'delete pending'],
    );
    await stage.review.board.accept(waiting.id);
    const names = ['a.ts', 'new.ts', 'b.ts', 'moved.ts', 'gone.ts'];
    assert.deepEqual(await Promise.all(names.map((name) => stage.disk(name))), [
      'A\n',
      'new\n',
      undefined,
      after,
      undefined,
    ]);
  });

  it('is forgotten once it is rejected or its question was stopped', async () => {
    await stage.write('cart.ts', before);
    const rejected = await propose(stage.update('cart.ts', before, after));
    const stopped = await propose(stage.add('new.ts', 'new\n'));
    await rejected.reject();
    stopped.stop();
    await stopped.outcome;
    await reload();
    assert.deepEqual(stage.review.board.waiting, []);
  });

  it('waits again below what builds on it, which still goes back with it when it is rejected', async () => {
    await stage.write('cart.ts', before);
    const both = after.replace('four', 'FOUR');
    await propose(stage.update('cart.ts', before, after, 'basket.ts'));
    await propose(stage.update('basket.ts', after, both));
    await reload();
    const [lower, upper] = stage.review.board.waiting;
    assert.ok(lower !== undefined && upper !== undefined);
    assert.match(upper.summary.files[0]?.note ?? '', /^Builds on another patch/);
    assert.deepEqual(await stage.review.files.read(stage.path('basket.ts')), { kind: 'text', text: both });
    await stage.review.board.reject(lower.id);
    await reload();
    const [left, ...others] = stage.review.board.waiting;
    assert.ok(left !== undefined && others.length === 0);
    assert.match(left.summary.files[0]?.note ?? '', /^The move to .*basket\.ts was not accepted/);
    await stage.review.board.accept(left.id);
    assert.equal(await stage.disk('cart.ts'), before.replace('four', 'FOUR'));
    assert.equal(await stage.disk('basket.ts'), undefined);
  });

  it('has no document in common with a later one', async () => {
    await stage.write('cart.ts', before);
    await propose(stage.update('cart.ts', before, after));
    await reload();
    await propose(stage.update('cart.ts', before, before.replace('four', 'FOUR')));
    const uris = stage.review.board.waiting.flatMap(({ files }) =>
      files.map(({ document }) => document.uri.path),
    );
    assert.equal(new Set(uris).size, 2);
    assert.ok(
      uris.every((path) => /^\/patch \d+\//.test(path)),
      uris.join(),
    );
  });

  it('does not come back when its folder is no longer open, nor from rubbish', async () => {
    await stage.write('cart.ts', before);
    await propose(stage.update('cart.ts', before, after));
    await stage.review.whenKept();
    const folder = join(storage, 'waiting');
    const [name = ''] = await readdir(folder);
    const kept = await readFile(join(folder, name), 'utf8');
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? '';
    await stage.reload(async () => {
      // Its diff may have come to the front meanwhile, which is kept too.
      await stage.review.whenKept();
      await writeFile(join(folder, name), kept.replaceAll(`"root":"${root}"`, '"root":"file:///nowhere"'));
      await writeFile(join(folder, 'cut.json'), kept.slice(0, -5));
      await writeFile(join(folder, 'other.json'), '[]');
    });
    await stage.review.board.ready;
    assert.deepEqual(stage.review.board.waiting, []);
  });

  it('can be decided where only some of its folders are still open', async () => {
    await stage.write('a.ts', 'a\n');
    await stage.write('b.ts', 'b\n');
    await propose(stage.update('a.ts', 'a\n', 'A\n'), stage.update('b.ts', 'b\n', 'B\n'));
    const folder = join(storage, 'waiting');
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? '';
    await stage.review.whenKept();
    await stage.reload(async () => {
      await stage.review.whenKept();
      const [name = ''] = await readdir(folder);
      const kept = await readFile(join(folder, name), 'utf8');
      await writeFile(join(folder, name), kept.replace(`"root":"${root}"`, '"root":"file:///nowhere"'));
    });
    await stage.review.board.ready;
    const [waiting] = stage.review.board.waiting;
    assert.ok(waiting);
    assert.deepEqual(
      waiting.summary.files.map(({ index }) => index),
      [0],
    );
    await stage.review.board.review(waiting.id, 0);
    assert.ok(waiting.summary.files[0]?.seen);
    await stage.review.board.accept(waiting.id, 0);
    assert.equal(await stage.disk('b.ts'), 'B\n');
    assert.equal(await stage.disk('a.ts'), 'a\n');
  });

  describe('and whose conversation is gone with it', () => {
    let simulator: Simulator;
    let log: Log;
    let orphans: OrphanedPatches;
    let sessions: Sessions;

    beforeEach(async () => {
      simulator = await startSimulator({
        auth: 'optional',
        script: [answer(text('Fine.')), answer(text('Yes.'))],
      });
      log = newLog();
      orphans = new OrphanedPatches();
    });
    afterEach(async () => {
      sessions.dispose();
      orphans.dispose();
      log.dispose();
      assert.deepEqual(simulator.violations, []);
      await simulator.close();
    });

    /** The reload, and the chat that the next window has. */
    async function openAnew(): Promise<void> {
      await stage.review.whenKept();
      await stage.reload();
      const ports = sessionPorts(clientAt(simulator.url, noKeys, log), log);
      sessions = new Sessions({ ...ports, notes: () => orphans.takeReports() });
      stage.own(
        stage.review.board.onDidChangeLater(({ proposal, report }) => {
          if (!sessions.tellLater(proposal, report)) orphans.note(proposal, report);
        }),
      );
      await stage.review.board.ready;
    }

    const until = async (passes: (file: ProposedFile) => boolean): Promise<string> => {
      for (;;) {
        const [proposal] = orphans.current;
        if (proposal?.files[0] !== undefined && passes(proposal.files[0])) return proposal.id;
        await next(orphans.onDidChange);
      }
    };

    const ask = async (question: string): Promise<readonly string[]> => {
      const session = sessions.all[0] ?? sessions.empty();
      assert.ok(session.ask(question, [], choice));
      await session.whenIdle();
      const { body } = await simulator.request(simulator.requests.length - 1);
      const items = body['input'] as readonly { role: string; content: readonly { text: string }[] }[];
      return items.map(({ role, content }) => `${role}: ${content.map((each) => each.text).join('|')}`);
    };

    it('is shown by the next one, and what is decided goes with its next question, once', async () => {
      await stage.write('cart.ts', before);
      await propose(stage.update('cart.ts', before, after));
      await openAnew();
      const id = await until(({ state }) => state === 'pending');
      await stage.review.board.accept(id);
      assert.equal(await stage.disk('cart.ts'), after);
      await until(({ state, canTakeBack }) => state === 'accepted' && canTakeBack === true);
      // The question may be asked in a conversation that was begun after the decision.
      const [note = '', question, ...others] = await ask('And now?');
      assert.match(
        note,
        /^developer: A patch that was proposed before the window was closed[^]*\nApplied: 1 file changed\.\nM .*cart\.ts/,
      );
      assert.deepEqual([question, ...others], ['user: And now?']);
      assert.deepEqual(orphans.current, []);
      const again = await ask('Really?');
      assert.equal(again.filter((each) => each.startsWith('developer:')).length, 1);
    });

    it('can be sent back over a conflict, and stays in sight while it waits', async () => {
      await stage.write('cart.ts', before);
      await propose(stage.update('cart.ts', before, after));
      await openAnew();
      await until(({ state }) => state === 'pending');
      assert.deepEqual(await ask('Hello?'), ['user: Hello?']);
      await stage.typeUnsaved('cart.ts', (typed) => typed.replace('two', 'mine'));
      const id = await until(({ state }) => state === 'conflict');
      await stage.review.board.reject(id, 0);
      await until(
        ({ state, note }) =>
          state === 'rejected' && note?.endsWith('The model is told with your next message.') === true,
      );
      const items = await ask('And now?');
      assert.match(
        items.at(-2) ?? '',
        /^developer: A patch that was proposed before .*[^]*Present text: "mine\\n"\. The patch has there: "TWO\\n"/,
      );
    });
  });
});
