/**
 * The tool `apply_patch`: read the patch, read the files it names, plan, let the person decide, tell the model what really happened.
 * Sees the workspace and the person through two ports only, and touches nothing itself.
 */
import { grammar } from '../patch/grammar.ts';
import { parsePatch } from '../patch/parse.ts';
import type { PatchError, PatchFailure } from '../patch/patchError.ts';
import { planPatch } from '../patch/plan.ts';
import { PatchProgressReader } from '../patch/progress.ts';
import { reportFailure, type FailureHistory } from '../patch/reportFailure.ts';
import { reportCancelled, reportNothingToDo, reportOutcome } from '../patch/reportOutcome.ts';
import type { FileOutcome, ReviewOutcome } from '../patch/reviewed.ts';
import type { EditPlan } from '../patch/editPlan.ts';
import type { FilesPort, ReviewPort } from './applyPatchPorts.ts';
import { readPatchFiles } from './patchFiles.ts';
import type { Tool, ToolCall, ToolContext, ToolOutcome } from './tool.ts';

const description = `Proposes changes to files of the workspace. A person reviews them as a diff and accepts, changes or rejects them; the answer says what happened.

The input is one patch and nothing else:

*** Begin Patch
*** Update File: src/cart.ts
@@ export function total(items: Item[]) {
   let sum = 0;
-  for (const item of items) sum += item.price;
+  for (const item of items) sum += item.price * item.count;
   return sum;
*** Add File: src/notes.md
+First line of a new file
*** Delete File: src/old.ts
*** End Patch

In an update every line begins with a space (kept), "-" (removed) or "+" (added). Kept and removed lines must be copied exactly from the file as it is now, and must fit one place only: give about three kept lines above and below each change, and where that is not enough name the enclosing class or function in "@@" lines above the hunk, outermost first. Begin each further change of the same file with "@@", in the order of the file; don't repeat lines that another hunk shows. Close a hunk with "*** End of File" if it belongs at the very end. To move a file put "*** Move to: new/path" below its "*** Update File:" line; the hunks may then be left out. Every line of an added file begins with "+".

Paths are relative to the workspace folder; with several folders they begin with the folder's name. The whole patch applies or none of it does.`;

export function applyPatchTool(files: FilesPort, review: ReviewPort): Tool {
  const history = new History();
  return {
    declaration: {
      type: 'custom',
      name: 'apply_patch',
      description,
      format: { type: 'grammar', syntax: 'lark', definition: grammar },
    },
    watch: () => new PatchProgressReader(),
    run: (call, context) => run(call, context, { files, review, history }),
  };
}

interface Parts {
  readonly files: FilesPort;
  readonly review: ReviewPort;
  readonly history: History;
}

async function run(
  call: ToolCall,
  context: ToolContext,
  { files, review, history }: Parts,
): Promise<ToolOutcome> {
  if (!call.complete) {
    return failed('Nothing was changed: the call did not arrive complete. Send the whole patch again.');
  }
  const patch = parsePatch(call.input);
  if (!patch.ok) return failed(reportFailure(onlyProblem(patch.error), history));
  const view = await readPatchFiles(patch.value, files);
  if (!view) return failed(reportFailure(onlyProblem({ kind: 'too-large', what: 'patch' }), history));
  const plan = planPatch(patch.value, view);
  if (!plan.ok) {
    const text = reportFailure(plan.error, history);
    history.failed(plan.error);
    return failed(text);
  }
  if (plan.value.files.length === 0) return { kind: 'done', text: reportNothingToDo(plan.value) };
  if (context.signal.aborted) return { kind: 'cancelled', text: reportCancelled() };

  const outcome = await review.review({ id: call.id, plan: plan.value }, context);
  history.decided(plan.value, outcome);
  return { kind: kindOf(outcome.files), text: reportOutcome(plan.value, outcome) };
}

function failed(text: string): ToolOutcome {
  return { kind: 'failed', text };
}

function onlyProblem(problem: PatchError): PatchFailure {
  return { problems: [problem], fine: [], unchecked: [] };
}

/**
 * What still waits counts first: the card goes on asking. One accepted file makes a call done; otherwise what went wrong counts before
 * what was decided against.
 */
function kindOf(outcomes: readonly FileOutcome[]): ToolOutcome['kind'] {
  const has = (...kinds: readonly FileOutcome['kind'][]): boolean =>
    outcomes.some(({ kind }) => kinds.includes(kind));
  if (has('undecided')) return 'undecided';
  if (has('accepted', 'acceptedAmended')) return 'done';
  if (has('conflict', 'failed')) return 'failed';
  return has('rejected') ? 'rejected' : 'cancelled';
}

/** What earlier calls did, so that a message can say why a patch no longer fits. By the paths of the workspace, as shown. */
class History implements FailureHistory {
  readonly failedBefore = new Set<string>();
  readonly changedBefore = new Set<string>();

  failed({ problems }: PatchFailure): void {
    this.failedBefore.clear();
    for (const problem of problems)
      if ('file' in problem && problem.file !== undefined) this.failedBefore.add(problem.file);
  }

  decided(plan: EditPlan, { files }: ReviewOutcome): void {
    this.failedBefore.clear();
    for (const [index, edit] of plan.files.entries()) {
      const kind = files[index]?.kind;
      if (kind !== 'accepted' && kind !== 'acceptedAmended') continue;
      this.changedBefore.add(edit.path.display);
      if (edit.kind === 'update' && edit.to) this.changedBefore.add(edit.to.display);
    }
  }
}
