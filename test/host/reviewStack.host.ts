/** Several proposals for one file, one upon the other: what the later one starts from, and what becomes of it when the earlier is decided. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

import { reportOutcome } from '../../src/core/patch/reportOutcome.ts';
import { applyPatchTool } from '../../src/core/tools/applyPatch.ts';
import type { ToolOutcome } from '../../src/core/tools/tool.ts';
import { ourTabs, Stage, untilText, type Shown } from './editsStage.ts';
import { nobodyIsAsked } from '../support/contents.ts';

const before = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';
const first = before.replace('2', 'two').replace('5', 'five');
const both = first.replace('8', 'eight');

describe('two proposals for one file', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(() => stage.close());

  /** It opens by itself where no editor is open; the later one then stays in the background. */
  const proposeFirst = async (): Promise<Shown> => {
    const shown = stage.propose(stage.update('cart.ts', before, first));
    await shown.until(({ seen }) => seen);
    return shown;
  };

  it('stack: the later one starts from the earlier, and shows only what is its own', async () => {
    await stage.write('cart.ts', before);
    const lower = await proposeFirst();
    assert.deepEqual(await stage.review.files.read(stage.path('cart.ts')), { kind: 'text', text: first });
    const upper = stage.propose(stage.update('cart.ts', first, both));
    assert.deepEqual([upper.file().added, upper.file().removed], [1, 1]);
    await upper.openRight();
    const input = ourTabs().find(({ isActive }) => isActive)?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal((await vscode.workspace.openTextDocument(input.original)).getText(), first);
    await lower.accept();
    await upper.accept();
    assert.deepEqual(await lower.single(), { kind: 'accepted' });
    assert.deepEqual(await upper.single(), { kind: 'accepted' });
    assert.equal(await stage.disk('cart.ts'), both);
  });

  it('come apart when the earlier is rejected', async () => {
    await stage.write('cart.ts', before);
    const lower = await proposeFirst();
    const upper = stage.propose(stage.update('cart.ts', first, both));
    const right = await upper.openRight();
    await lower.reject();
    await untilText(right.document, (text) => text === before.replace('8', 'eight'));
    const shown = await upper.openRight();
    const input = ourTabs().find(({ isActive }) => isActive)?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    assert.equal(input.original.toString(), stage.uri('cart.ts').toString());
    assert.equal(shown.document.getText(), before.replace('8', 'eight'));
    await upper.accept();
    assert.equal(await stage.disk('cart.ts'), before.replace('8', 'eight'));
  });

  it('conflict, visibly, when the later one changes lines of the earlier that is then rejected', async () => {
    await stage.write('cart.ts', before);
    const lower = await proposeFirst();
    const upper = stage.propose(stage.update('cart.ts', first, first.replace('five', 'FIVE')));
    await upper.accept();
    assert.deepEqual(upper.states, ['failed']);
    assert.match(upper.file().note ?? '', /another patch for the same file/);
    assert.equal(await stage.disk('cart.ts'), before);
    await lower.reject();
    await upper.until(({ state, hunks }) => state === 'conflict' && hunks?.conflicting === 1);
    await upper.reject();
    const outcome = await upper.single();
    assert.deepEqual(outcome, {
      kind: 'failed',
      detail:
        'An earlier patch that this one builds on was not accepted as it was proposed. It does not fit the lines near line 5. Present text: "5\\n". The patch has there: "FIVE\\n".',
    });
  });

  it('let the later one be accepted first: only its own lines are written', async () => {
    await stage.write('cart.ts', before);
    const lower = await proposeFirst();
    const upper = stage.propose(stage.update('cart.ts', first, both));
    await upper.accept();
    const own = before.replace('8', 'eight');
    assert.deepEqual(await upper.single(), {
      kind: 'accepted',
      present: { text: own, cause: 'earlierWaits' },
    });
    assert.equal(await stage.disk('cart.ts'), own);
    await lower.accept();
    await lower.single();
    assert.equal(await stage.disk('cart.ts'), both);
  });

  it('follow together what the person types, in the file and into the earlier one', async () => {
    await stage.write('cart.ts', before);
    const lower = await proposeFirst();
    const upper = stage.propose(stage.update('cart.ts', first, both));
    const right = await lower.openRight();
    await stage.typeUnsaved('cart.ts', (text) => `0\n${text}`);
    await upper.until(({ hunks }) => hunks?.moved === 1);
    await untilText(right.document, (text) => text === `0\n${first}`);
    right.selection = new vscode.Selection(2, 3, 2, 3);
    await vscode.commands.executeCommand('type', { text: '!' });
    await lower.until(({ amended }) => amended);
    const above = await upper.openRight();
    await untilText(above.document, (text) => text === `0\n${both.replace('two', 'two!')}`);
    assert.equal(upper.file().amended, false);
    await upper.reject();
    await lower.reject();
  });

  it('stack upon a new file too', async () => {
    const lower = stage.propose(stage.add('new.ts', before));
    assert.deepEqual(await stage.review.files.read(stage.path('new.ts')), { kind: 'text', text: before });
    const upper = stage.propose(stage.update('new.ts', before, first));
    await upper.accept();
    assert.deepEqual(upper.states, ['failed']);
    await lower.accept();
    await upper.accept();
    assert.deepEqual(await upper.single(), { kind: 'accepted' });
    assert.equal(await stage.disk('new.ts'), first);
  });

  const read = (name: string): Promise<unknown> => stage.review.files.read(stage.path(name));
  const builds = /^Builds on another patch for the same file that still waits\.$/;
  const lost = /^An earlier patch that this one builds on was not accepted as proposed\. /;

  it('stack upon a move: the later one goes to the new place with it', async () => {
    await stage.write('cart.ts', before);
    const lower = stage.propose(stage.update('cart.ts', before, first, 'basket.ts'));
    assert.deepEqual(await read('cart.ts'), { kind: 'missing' });
    assert.deepEqual(await read('basket.ts'), { kind: 'text', text: first });
    const upper = stage.propose(stage.update('basket.ts', first, both));
    assert.match(upper.file().note ?? '', builds);
    await upper.accept();
    assert.deepEqual(upper.states, ['failed']);
    assert.match(upper.file().note ?? '', /another patch for the same file/);
    await lower.accept();
    await upper.until(({ state, note }) => state === 'pending' && note === undefined);
    await upper.accept();
    assert.deepEqual(await upper.single(), { kind: 'accepted' });
    assert.deepEqual([await stage.disk('cart.ts'), await stage.disk('basket.ts')], [undefined, both]);
  });

  it('bring the later one back to the old place when the move is rejected, and say so', async () => {
    await stage.write('cart.ts', before);
    const lower = stage.propose(stage.update('cart.ts', before, first, 'basket.ts'));
    await lower.until(({ seen }) => seen);
    const change = stage.update('basket.ts', first, both);
    const upper = stage.propose(change);
    const right = await upper.openRight();
    await lower.reject();
    await upper.until(
      ({ path, note }) => path.endsWith('/cart.ts') && /^The move to .*basket\.ts/.test(note ?? ''),
    );
    const own = before.replace('8', 'eight');
    await untilText(right.document, (text) => text === own);
    await upper.accept();
    assert.deepEqual([await stage.disk('cart.ts'), await stage.disk('basket.ts')], [own, undefined]);
    const outcome = await upper.outcome;
    assert.deepEqual(outcome.files, [{ kind: 'accepted', present: { text: own, cause: 'earlierDiffers' } }]);
    const told = reportOutcome({ files: [change], notes: [] }, outcome);
    assert.match(
      told,
      /The move to ".*basket\.ts" was not accepted, so what is told of it is about ".*cart\.ts"\.$/,
    );
  });

  it('stack upon a deletion: a new file may take the place, and conflicts when the deletion is rejected', async () => {
    await stage.write('cart.ts', before);
    const lower = stage.propose(stage.remove('cart.ts', before));
    assert.deepEqual(await read('cart.ts'), { kind: 'missing' });
    const upper = stage.propose(stage.add('cart.ts', 'new\n'));
    await upper.until(({ state, note }) => state === 'pending' && builds.test(note ?? ''));
    await upper.accept();
    assert.deepEqual([upper.states, await stage.disk('cart.ts')], [['failed'], before]);
    await lower.reject();
    await upper.until(({ state, note }) => state === 'conflict' && lost.test(note ?? ''));
    await upper.accept();
    assert.deepEqual([upper.states, await stage.disk('cart.ts')], [['conflict'], before]);
    assert.match(upper.file().note ?? '', lost);
    await upper.reject();
    const outcome = await upper.single();
    assert.ok(outcome.kind === 'failed');
    assert.match(
      outcome.detail,
      /builds on was not accepted .*cart\.ts exists meanwhile and is not overwritten\.$/,
    );
  });

  it('let a new file take the place once the deletion is accepted', async () => {
    await stage.write('cart.ts', before);
    const lower = stage.propose(stage.remove('cart.ts', before));
    const upper = stage.propose(stage.add('cart.ts', 'new\n'));
    await lower.accept();
    await upper.until(({ note }) => note === undefined);
    await upper.accept();
    assert.deepEqual(await upper.single(), { kind: 'accepted' });
    assert.equal(await stage.disk('cart.ts'), 'new\n');
  });

  it('leave a change without ground when the new file that it was made for is rejected', async () => {
    const lower = stage.propose(stage.add('new.ts', before));
    const upper = stage.propose(stage.update('new.ts', before, first), stage.add('other.ts', 'other\n'));
    await lower.reject();
    await upper.until(({ state, note }) => state === 'conflict' && lost.test(note ?? ''));
    assert.match(upper.file().note ?? '', /The file no longer exists\.$/);
    await upper.accept();
    assert.deepEqual([await stage.disk('new.ts'), await stage.disk('other.ts')], [undefined, undefined]);
    await upper.reject();
  });

  it('do not delete a file that is another one than the later patch was made for', async () => {
    await stage.write('cart.ts', before);
    const lower = stage.propose(stage.update('cart.ts', before, first));
    const upper = stage.propose(stage.remove('cart.ts', first));
    await upper.until(({ state, note }) => state === 'pending' && builds.test(note ?? ''));
    await lower.reject();
    await upper.until(({ state, note }) => state === 'conflict' && lost.test(note ?? ''));
    await upper.accept();
    assert.equal(await stage.disk('cart.ts'), before);
    await upper.reject();
  });

  it('let a move take a place that an earlier patch clears', async () => {
    await stage.write('old.ts', 'old\n');
    await stage.write('cart.ts', before);
    const lower = stage.propose(stage.remove('old.ts', 'old\n'));
    await lower.until(({ seen }) => seen);
    const upper = stage.propose(stage.update('cart.ts', before, first, 'old.ts'));
    await upper.openRight();
    await stage.typeUnsaved('cart.ts', (text) => `0\n${text}`);
    await upper.until(({ state, hunks }) => state === 'pending' && hunks?.moved === 2);
    await upper.accept();
    assert.deepEqual(upper.states, ['failed']);
    await lower.accept();
    await upper.until(({ state }) => state === 'pending');
    await upper.accept();
    assert.equal((await vscode.workspace.openTextDocument(stage.uri('old.ts'))).getText(), `0\n${first}`);
  });

  it('are stacked by the tool itself, whichever conversation they come from', async () => {
    await stage.write('cart.ts', before);
    const call = async (id: string, input: string): Promise<{ readonly outcome: Promise<ToolOutcome> }> => {
      const tool = applyPatchTool(stage.review.files, stage.review.review);
      const { signal } = new AbortController();
      return new Promise((resolve) => {
        const outcome: Promise<ToolOutcome> = tool.run(
          { id, name: 'apply_patch', input, complete: true },
          { signal, proposal: () => resolve({ outcome }), ask: nobodyIsAsked },
        );
      });
    };
    const path = stage.path('cart.ts').display;
    const patch = (from: string, to: string): string =>
      `*** Begin Patch\n*** Update File: ${path}\n@@\n-${from}\n+${to}\n*** End Patch\n`;
    const one = await call('one:1', patch('5', 'five'));
    const other = await call('other:1', patch('five', 'FIVE'));
    const [, upper] = stage.review.board.waiting;
    assert.equal(upper?.files[0]?.document.text, before.replace('5', 'FIVE'));
    await stage.review.board.reject('one:1', undefined, 'no words');
    await stage.review.board.accept('other:1');
    assert.equal(upper.summary.files[0]?.state, 'conflict');
    await stage.review.board.reject('other:1');
    assert.match((await one.outcome).text, /rejected, with the reason "no words"/);
    assert.match(
      (await other.outcome).text,
      /^Nothing was changed\.[^]*An earlier patch[^]*Present text: "5\\n"/,
    );
    assert.equal(await stage.disk('cart.ts'), before);
  });
});
