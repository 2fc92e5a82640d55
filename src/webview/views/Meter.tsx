/** How full the model's window is, in one quiet line. Nothing while it is unknown. */
import type { VNode } from 'preact';
import { modelRow, type ModelId, type Turn } from '../../core/conversation/conversation.ts';
import { exactCount, percent, shortCount } from '../figures.ts';
import { l10n } from '../l10n.ts';
import { windowUse } from '../turnFacts.ts';

export function Meter({ turns, model }: { turns: readonly Turn[]; model: ModelId }): VNode | null {
  const used = windowUse(turns);
  const window = modelRow(model)?.contextWindow;
  if (used === undefined || window === undefined) return null;
  return (
    <p
      class="meter"
      title={l10n.t(
        '{0} of {1} tokens, {2} of the context window',
        exactCount(used),
        exactCount(window),
        percent(used / window),
      )}
    >
      {l10n.t('{0} of {1} tokens', shortCount(used), shortCount(window))}
    </p>
  );
}
