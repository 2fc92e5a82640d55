/** A model and its effort as the panel names them. */
import { modelRow, type Effort, type ModelId } from '../../core/conversation/conversation.ts';

/** Undefined for a model that does not exist, or has no such effort. */
export function readChoice(
  model: string,
  effort: string,
): { readonly model: ModelId; readonly effort: Effort } | undefined {
  const row = modelRow(model);
  const known = row?.efforts.find((one) => one === effort);
  return row === undefined || known === undefined ? undefined : { model: row.id, effort: known };
}
