/** The conversations that changed last, in a panel in which nothing was asked yet: each can be shown, and all can be listed. */
import type { VNode } from 'preact';
import type { RecentConversation } from '../../protocol/toWebview.ts';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';

interface RecentProps {
  readonly recent: readonly RecentConversation[] | undefined;
}

export function Recent({ recent = [] }: RecentProps): VNode | null {
  const { post } = useEnv();
  if (recent.length === 0) return null;
  return (
    <nav class="recent" aria-label={l10n.t('Recent conversations')}>
      <ul>
        {recent.map((one) => (
          <li key={one.id}>
            <RecentLink one={one} />
          </li>
        ))}
      </ul>
      <button type="button" class="text-button" onClick={() => post({ kind: 'showConversations' })}>
        {l10n.t('All conversations')}
      </button>
    </nav>
  );
}

function RecentLink({ one }: { one: RecentConversation }): VNode {
  const { post } = useEnv();
  const title = one.title === '' ? l10n.t('All questions were deleted') : one.title;
  return (
    <button
      type="button"
      class="recent-link"
      title={title}
      onClick={() => post({ kind: 'showConversation', conversation: one.id })}
    >
      <bdi class="recent-title">{title}</bdi> <span class="quiet">{factText(one)}</span>
    </button>
  );
}

function factText({ state, at }: RecentConversation): string {
  if (state === undefined) return dateText(at);
  return state === 'answering' ? l10n.t('answering') : l10n.t('waiting for you');
}

/** The time, where it was today; else the day, with the year where it is another one. */
function dateText(at: number): string {
  const [day, today] = [new Date(at), new Date()];
  const format: Intl.DateTimeFormatOptions =
    day.toDateString() === today.toDateString()
      ? { timeStyle: 'short' }
      : day.getFullYear() === today.getFullYear()
        ? { month: 'short', day: 'numeric' }
        : { dateStyle: 'medium' };
  return new Intl.DateTimeFormat(l10n.locale, format).format(day);
}
