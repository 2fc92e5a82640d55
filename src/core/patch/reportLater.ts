/** What the model reads of a patch after its call was answered, in front of the next question. Words only. */
import type { EditPlan } from './editPlan.ts';
import { fitMessage, quoteInline } from './messageText.ts';
import { reportOutcome } from './reportOutcome.ts';
import type { ReviewOutcome } from './reviewed.ts';

export interface LaterFile {
  /** As the model knows it. */
  readonly path: string;
  readonly result:
    | { readonly kind: 'takenBack'; readonly merged: boolean }
    /** One change of several. */
    | { readonly kind: 'partly' }
    /** `detail` says why, in English. */
    | { readonly kind: 'kept'; readonly detail: string };
}

/** What was decided on a patch whose call was answered that nothing is decided yet. */
export function reportDecidedLater(plan: EditPlan, outcome: ReviewOutcome): string {
  return `The person has now decided on the patch that was not decided yet.\n${reportOutcome(plan, outcome)}`;
}

/** The same of a patch that waited when an earlier window was closed. Whether the model sees its call is not known here. */
export function reportDecidedForOthers(plan: EditPlan, outcome: ReviewOutcome): string {
  return `A patch that was proposed before the window was closed, perhaps in a conversation that you do not see, still waited for a decision. The person has now decided on it.\n${reportOutcome(plan, outcome)}`;
}

/** Undefined when nothing was taken back: then nothing is different from what the model knows. */
export function reportTakenBack(files: readonly LaterFile[]): string | undefined {
  if (files.every(({ result }) => result.kind === 'kept')) return undefined;
  return fitMessage(
    [
      'The person took back changes of a patch that was applied earlier. Do not propose them again unless asked to.',
      ...files.map(describe),
    ],
    (left) => `(${left} more not shown.)`,
  );
}

function describe({ path, result }: LaterFile): string {
  const name = quoteInline(path);
  if (result.kind === 'kept')
    return `${name}: could not be taken back and still has the change. ${result.detail}`;
  if (result.kind === 'partly')
    return `${name}: one of the patch's changes was taken back; the others are still there. Read the file before you change it.`;
  return result.merged
    ? `${name}: taken back; other changes made since are still there.`
    : `${name}: taken back; the file is as it was before the patch.`;
}
