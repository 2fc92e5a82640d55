/** What a question is asked with: as the settings say, but for what its prompt wants otherwise. */
import { effortFor, modelRow, type AttachmentSummary } from '../../core/conversation/conversation.ts';
import type { TurnChoice } from '../settings.ts';

export function askedWith(choice: TurnChoice, attachments: readonly AttachmentSummary[]): TurnChoice {
  const { model = choice.model, effort = choice.effort } =
    attachments.findLast(({ asks }) => asks)?.asks ?? {};
  const row = modelRow(model);
  return { ...choice, model, effort: row === undefined ? effort : effortFor(row, effort) };
}
