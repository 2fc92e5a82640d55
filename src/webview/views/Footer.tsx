/** What a finished turn took, and what can be done with it. Always there, never only on hover. */
import type { VNode } from 'preact';
import { modelRow, type Turn } from '../../core/conversation/conversation.ts';
import { duration, exactCount, percent, shortCount } from '../figures.ts';
import { l10n } from '../l10n.ts';
import { CopyButton } from '../markdown/Code.tsx';
import { answerText, usageOf, type TurnUsage } from '../turnFacts.ts';

export function Footer({ turn }: { turn: Turn }): VNode | null {
  if (turn.end === undefined || turn.endedAt === undefined) return null;
  const usage = usageOf(turn);
  // Nothing came and nothing was counted: the notice says all.
  if (turn.parts.length === 0 && usage === undefined) return null;
  const took = duration(turn.endedAt - turn.startedAt);
  const hasAnswer = answerText(turn) !== '';
  return (
    <div class="footer">
      <span class="footer-facts">
        <span title={startedText(turn)}>{took}</span>
        {' · '}
        {usage === undefined ? (
          <span title={l10n.t('The service told no token counts for this turn')}>
            {l10n.t('usage unknown')}
          </span>
        ) : (
          <UsageText usage={usage} />
        )}
      </span>
      {hasAnswer ? <CopyButton text={() => answerText(turn)} name={l10n.t('Copy answer')} /> : null}
    </div>
  );
}

function UsageText({ usage }: { usage: TurnUsage }): VNode {
  const lines = [
    l10n.t('{0} tokens in', exactCount(usage.input)),
    l10n.t('{0} of them from the cache', exactCount(usage.cached)),
    l10n.t('{0} tokens out', exactCount(usage.output)),
    l10n.t('{0} of them reasoning', exactCount(usage.reasoning)),
  ];
  if (usage.partial) lines.push(l10n.t('A part of this turn told no counts: the true figures are higher'));
  const more = usage.partial ? '+' : '';
  return (
    <span title={lines.join('\n')}>
      {l10n.t('{0} in', shortCount(usage.input) + more)}
      {usage.input > 0 && usage.cached > 0
        ? `, ${l10n.t('{0} cached', percent(usage.cached / usage.input))}`
        : null}
      {' · '}
      {l10n.t('{0} out', shortCount(usage.output) + more)}
    </span>
  );
}

function startedText(turn: Turn): string {
  const at = new Intl.DateTimeFormat(l10n.locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(
    turn.startedAt,
  );
  const model = modelRow(turn.model)?.label ?? turn.model;
  return `${at}\n${model}, ${turn.effort}`;
}
