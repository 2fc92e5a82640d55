/** The whole way of a patch: the model's text, the engine, the diff, the person, the disk, and what the model reads afterwards. */
import assert from 'node:assert/strict';

import type { ProposalSummary } from '../../src/core/conversation/conversation.ts';
import type { ToolOutcome } from '../../src/core/tools/tool.ts';
import { Stage } from './editsStage.ts';
import { callTool } from './filesTool.ts';

describe('apply_patch in the workspace', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open();
  });
  afterEach(() => stage.close());

  const call = (
    lines: readonly string[],
    decide: (proposal: ProposalSummary) => Promise<void>,
  ): Promise<ToolOutcome> => callTool(stage, lines, decide);

  const accept = ({ id }: ProposalSummary): Promise<void> => stage.review.board.accept(id);
  const path = (name: string): string => stage.path(name).display;

  it('changes, adds, moves and deletes files, and says so', async () => {
    await stage.write('cart.ts', 'one\r\ntwo\r\nthree\r\n');
    await stage.write('old.ts', 'old\n');
    await stage.write('gone.ts', 'gone\n');
    const outcome = await call(
      [
        `*** Update File: ${path('cart.ts')}`,
        '@@',
        ' one',
        '-two',
        '+TWO',
        '+and more',
        ' three',
        `*** Update File: ${path('old.ts')}`,
        `*** Move to: ${path('new.ts')}`,
        '@@',
        '-old',
        '+new',
        `*** Add File: ${path('tax.ts')}`,
        '+export const tax = 0.2;',
        `*** Delete File: ${path('gone.ts')}`,
      ],
      accept,
    );
    assert.equal(outcome.kind, 'done', outcome.text);
    const names = ['cart.ts', 'old.ts', 'new.ts', 'tax.ts', 'gone.ts'];
    assert.deepEqual(await Promise.all(names.map((name) => stage.disk(name))), [
      'one\r\nTWO\r\nand more\r\nthree\r\n',
      undefined,
      'new\n',
      'export const tax = 0.2;\n',
      undefined,
    ]);
  });

  it('patches unsaved text and leaves it unsaved', async () => {
    await stage.write('cart.ts', 'one\ntwo\n');
    const document = await stage.typeUnsaved('cart.ts', (text) => `${text}unsaved\n`);
    const outcome = await call(
      [`*** Update File: ${path('cart.ts')}`, '@@', ' two', '-unsaved', '+UNSAVED'],
      accept,
    );
    assert.equal(outcome.kind, 'done', outcome.text);
    assert.equal(document.getText(), 'one\ntwo\nUNSAVED\n');
    assert.equal(document.isDirty, true);
    assert.equal(await stage.disk('cart.ts'), 'one\ntwo\n');
  });

  it('tells the model of a rejection with its reason', async () => {
    await stage.write('cart.ts', 'one\n');
    const outcome = await call([`*** Update File: ${path('cart.ts')}`, '@@', '-one', '+ONE'], ({ id }) =>
      stage.review.board.reject(id, undefined, 'keep it small'),
    );
    assert.equal(outcome.kind, 'rejected');
    assert.match(outcome.text, /keep it small/);
    assert.equal(await stage.disk('cart.ts'), 'one\n');
  });

  it('tells the model of lines that changed meanwhile', async () => {
    await stage.write('cart.ts', 'one\n');
    const outcome = await call(
      [`*** Update File: ${path('cart.ts')}`, '@@', '-one', '+ONE'],
      async ({ id }) => {
        await stage.typeUnsaved('cart.ts', () => 'mine\n');
        await stage.review.board.accept(id);
        await stage.review.board.reject(id);
      },
    );
    assert.equal(outcome.kind, 'failed');
    assert.match(outcome.text, /same lines were changed meanwhile/);
  });

  it('refuses the files of Git before anybody is asked', async () => {
    const outcome = await call([`*** Add File: ${path('.git/hooks/pre-commit')}`, '+#!/bin/sh'], accept);
    assert.equal(outcome.kind, 'failed');
    assert.equal(await stage.disk('.git/hooks/pre-commit'), undefined);
  });
});
