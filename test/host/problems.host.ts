/** Problems before and after an accepted patch, as VS Code's own TypeScript tells them: counted, taken back, asked about. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';

import { applyPatchTool } from '../../src/core/tools/applyPatch.ts';
import { Queue } from '../../src/host/chat/queue.ts';
import { ComposerStore } from '../../src/host/composer/composerStore.ts';
import { PanelSessions } from '../../src/host/sessions/panelSessions.ts';
import { Sessions } from '../../src/host/sessions/sessions.ts';
import { OwnStorage } from '../../src/host/ownStorage.ts';
import { HandOver } from '../../src/host/problems/handOver.ts';
import { PatchProblems } from '../../src/host/problems/patchProblems.ts';
import type { PatchProblems as Facts } from '../../src/protocol/toWebview.ts';
import { answer, applyPatch, startSimulator, text } from '../simulator/main.ts';
import { choice, clientAt, newLog, noKeys, sessionPorts } from './chatStage.ts';
import { next, Stage } from './editsStage.ts';

const old = [
  'export const stays: number = "old";',
  'export const one: number = 1;',
  'export const two = 2;',
  'export const wrong: number = "two";',
  'export const last = 3;',
  '',
].join('\n');

/** Mends one, brings one, and moves one. */
const patched = [
  '// Moves what is below.',
  'export const stays: number = "old";',
  'export const one: string = 1;',
  'export const two = 2;',
  'export const wrong: number = 2;',
  'export const last = 3;',
  '',
].join('\n');

describe('problems after a patch', function () {
  this.timeout(90_000);
  let stage: Stage;
  let problems: PatchProblems;
  const log = newLog();

  before(async () => {
    stage = await Stage.open();
    problems = new PatchProblems({
      board: stage.review.board,
      log,
      times: { least: 1_500, calm: 700, limit: 15_000 },
    });
  });
  after(async () => {
    problems.dispose();
    await stage.close();
    log.dispose();
  });

  async function known(proposal: string, is: (facts: Facts) => boolean = () => true): Promise<Facts> {
    for (;;) {
      const facts = problems.current.find((each) => each.proposal === proposal);
      if (facts?.checking === false && is(facts)) return facts;
      await next(problems.onDidChange);
    }
  }

  it('are counted by what the patch did, and one change of it can be taken back', async () => {
    const uri = await stage.write('a.ts', old);
    await vscode.window.showTextDocument(uri);
    while (vscode.languages.getDiagnostics(uri).length < 2)
      await next(vscode.languages.onDidChangeDiagnostics);
    const shown = stage.propose(stage.update('a.ts', old, patched));
    await shown.accept();
    const facts = await known(shown.id, ({ introduced }) => introduced > 0);
    assert.deepEqual([facts.fixed, facts.introduced, facts.unknown], [1, 1, 0]);
    assert.deepEqual(
      facts.shown.map(({ kind, line, severity, source, canTakeBack }) => [
        kind,
        line,
        severity,
        source,
        canTakeBack,
      ]),
      [
        ['introduced', 3, 'error', 'ts 2322', true],
        ['fixed', 4, 'error', 'ts 2322', undefined],
      ],
    );
    assert.match(facts.shown[0]?.message ?? '', /Type 'number' is not assignable to type 'string'/);

    assert.equal(await problems.show(shown.id, 0), true);
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 2);

    assert.equal(await problems.takeBackChange(shown.id, 0), true);
    const without = patched.replace('one: string', 'one: number');
    assert.equal(await stage.disk('a.ts'), without);
    // And the rest of the patch as before.
    assert.equal((await stage.review.board.takeBack(shown.id)).done, 1);
    assert.equal(await stage.disk('a.ts'), old);
    assert.equal(
      problems.current.some(({ proposal }) => proposal === shown.id),
      false,
    );
    // What the language tells late must not be taken for the doing of another patch.
    const lines = (): readonly number[] =>
      vscode.languages.getDiagnostics(uri).map(({ range }) => range.start.line);
    while (!lines().includes(0) || !lines().includes(3)) await next(vscode.languages.onDidChangeDiagnostics);
  });

  it('are not known of a file in no editor, until it is opened', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await stage.write('b.ts', 'export const one = 1;\n');
    const shown = stage.propose(
      stage.update('b.ts', 'export const one = 1;\n', 'export const one: string = 1;\n'),
    );
    await shown.accept();
    const facts = await known(shown.id);
    assert.deepEqual([facts.fixed, facts.introduced, facts.unknown], [0, 0, 1]);
    await problems.checkAgain(shown.id);
    const checked = await known(shown.id, ({ introduced }) => introduced > 0);
    assert.deepEqual([checked.fixed, checked.introduced, checked.unknown], [0, 1, 0]);
  });

  it('are handed to the model by themselves when the person wants that, and at most twice', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const uri = await stage.write('c.ts', 'export const value = 0;\n');
    await vscode.window.showTextDocument(uri);
    const path = stage.path('c.ts').relative;
    const patch = (from: string, to: string): string =>
      `*** Begin Patch\n*** Update File: ${path}\n@@\n-export const value${from};\n+export const value${to};\n*** End Patch\n`;
    const simulator = await startSimulator({
      auth: 'optional',
      script: [
        answer(applyPatch(patch(' = 0', ': string = 1'))),
        answer(text('Done.')),
        answer(applyPatch(patch(': string = 1', ': string = 2'))),
        answer(text('Now it is mended.')),
        answer(applyPatch(patch(': string = 2', ': boolean = 3'))),
        answer(text('Now surely.')),
      ],
    });
    const tool = applyPatchTool(stage.review.files, stage.review.review);
    const sessions = new Sessions(sessionPorts(clientAt(simulator.url, noKeys, log), log, [tool]));
    const store = new ComposerStore(new OwnStorage(undefined, log));
    const panel = new PanelSessions(sessions);
    const queue = new Queue(store, panel);
    queue.serve((session) => {
      const question = queue.next(session);
      if (question === undefined) return;
      queue.take(session, question.id);
      session.ask(question.text, question.attachments, choice);
    });
    const settings = { sendProblems: true };
    const handOver = new HandOver({ problems, sessions, queue, settings, newId: randomUUID, log });
    const accepting = sessions.onDidReview(({ id, files }) => {
      if (files.every(({ state }) => state === 'pending')) void stage.review.board.accept(id);
    });
    try {
      panel.current.ask('Change it.', [], choice);
      const third = await simulator.request(2);
      assert.match(third.bodyText, /The patch brought these problems\. Please fix them\./);
      assert.match(
        third.bodyText,
        /Problems that the patch brought, as the editor shows them:\\n```plaintext\\n[^`]*c\.ts:1:14 error \(ts 2322\): Type 'number' is not assignable to type 'string'/,
      );
      const fifth = await simulator.request(4);
      assert.match(fifth.bodyText, /c\.ts:1:14 error \(ts 2322\)/);
      // The second time was the last: the third patch brings one as well.
      const last = await lastProposal(panel);
      const facts = await known(last, ({ introduced }) => introduced > 0);
      await panel.current.whenIdle();
      assert.equal(facts.handed, undefined);
      assert.equal(simulator.requests.length, 6);
      assert.equal(await handOver.ask(last), true);
      assert.equal(panel.current.running, true);
      panel.current.stop();
      await panel.current.whenIdle();
    } finally {
      accepting.dispose();
      handOver.dispose();
      queue.dispose();
      store.dispose();
      sessions.dispose();
      await simulator.close();
    }
  });

  /** Of the third turn, when it has one. */
  async function lastProposal(panel: PanelSessions): Promise<string> {
    const session = panel.current;
    for (;;) {
      const part = session.conversation.turns[2]?.parts.find((each) => each.kind === 'tool');
      if (part?.kind === 'tool' && part.outcome !== undefined && part.proposal !== undefined)
        return part.proposal.id;
      await next(session.onDidHappen);
    }
  }
});
