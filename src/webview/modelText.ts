/** What models and efforts are called. Pure. */
import { modelRow, type Effort, type ModelId } from '../core/conversation/conversation.ts';
import { dotted } from './dot.ts';
import { l10n } from './l10n.ts';

export function effortName(effort: Effort): string {
  switch (effort) {
    case 'low':
      return l10n.t('Low');
    case 'high':
      return l10n.t('High');
    case 'max':
      return l10n.t('Max');
  }
}

/** `Kimi K3.1 Pro · Max`. */
export function askedWith({ model, effort }: { readonly model: ModelId; readonly effort: Effort }): string {
  return dotted([modelRow(model)?.label ?? model, effortName(effort)]);
}
