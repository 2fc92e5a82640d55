/** The tool as the model calls it, over the review of a stage. */
import { basename } from 'node:path';

import type { ProposalSummary } from '../../src/core/conversation/conversation.ts';
import { applyPatchTool } from '../../src/core/tools/applyPatch.ts';
import type { ToolOutcome } from '../../src/core/tools/tool.ts';
import type { Stage } from './editsStage.ts';
import { nobodyIsAsked } from '../support/contents.ts';

/** Runs the tool with these lines between the markers and has `decide` called once the proposal is up. */
export async function callTool(
  stage: Stage,
  lines: readonly string[],
  decide: (proposal: ProposalSummary) => Promise<void> = ({ id }) => stage.review.board.accept(id),
): Promise<ToolOutcome> {
  const { files, review } = stage.review;
  let asked = false;
  return applyPatchTool(files, review).run(
    {
      id: `${basename(stage.folder)}:call`,
      name: 'apply_patch',
      input: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n'),
      complete: true,
    },
    {
      signal: new AbortController().signal,
      ask: nobodyIsAsked,
      proposal: (summary) => {
        if (asked) return;
        asked = true;
        void decide(summary);
      },
    },
  );
}
