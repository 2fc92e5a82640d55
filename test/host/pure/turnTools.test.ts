/** Without a folder, or in one that is not trusted, the model is offered nothing that reads or changes files, and is told so. */
import assert from 'node:assert/strict';

import { instructions } from '../../../src/core/conversation/instructions.ts';
import { applyPatchTool } from '../../../src/core/tools/applyPatch.ts';
import { readingTools } from '../../../src/core/tools/readingTools.ts';
import { turnTools } from '../../../src/host/sessions/turnTools.ts';
import { ports } from '../../core/tools/calling.ts';

const patching = [
  applyPatchTool(
    { roots: () => [], read: () => Promise.reject(new Error('not asked')) },
    { review: () => Promise.reject(new Error('not asked')) },
  ),
];

const reading = readingTools(ports({}));

describe('the tools of a turn', () => {
  it('are there in a trusted workspace with a folder', () => {
    const { tools, facts } = turnTools({ trusted: true, folders: ['app', 'lib'] }, patching);
    assert.deepEqual(tools, patching);
    assert.deepEqual(facts, { folders: ['app', 'lib'], canPatch: true, canRead: false });
    assert.match(instructions(facts), /call apply_patch/);
  });

  it('have those that read behind the one that changes, and the model is told to look', () => {
    const { tools, facts } = turnTools({ trusted: true, folders: ['app'] }, patching, reading);
    assert.deepEqual(tools, [...patching, ...reading]);
    assert.deepEqual(facts, { folders: ['app'], canPatch: true, canRead: true });
    assert.match(instructions(facts), /Look for yourself/);
  });

  for (const [what, workspace] of [
    ['is not trusted', { trusted: false, folders: ['app'] }],
    ['has no folder', { trusted: true, folders: [] }],
    ['is neither', { trusted: false, folders: [] }],
  ] as const) {
    it(`are none when the workspace ${what}`, () => {
      const { tools, facts } = turnTools(workspace, patching, reading);
      assert.deepEqual(tools, []);
      assert.deepEqual(facts, { folders: workspace.folders, canPatch: false, canRead: false });
      assert.doesNotMatch(instructions(facts), /apply_patch|Look for yourself/);
    });
  }
});
