/** The summary of what the model thought: open while it comes, one quiet line afterwards, unless the person says otherwise. */
import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { ReasoningPart } from '../../core/conversation/conversation.ts';
import type { ReasoningFold } from '../../protocol/toWebview.ts';
import { dot } from '../dot.ts';
import { ReasoningContext } from '../env.ts';
import { duration, exactCount, shortCount } from '../figures.ts';
import { l10n } from '../l10n.ts';
import { Markdown } from '../markdown/Markdown.tsx';
import { memo } from '../memo.ts';
import { Fold } from './Fold.tsx';
import { useKept } from './hooks.ts';
import { Place } from './Place.tsx';
import { Working } from './Working.tsx';

export interface ReasoningProps {
  readonly part: ReasoningPart;
  /** The turn goes on and nothing came after this part. */
  readonly current: boolean;
  /** The turn has ended: a part that was never closed was cut off. */
  readonly ended: boolean;
  /** Absent while they are unknown. */
  readonly tokens?: number;
}

export const Reasoning = memo(({ part, current, ended, tokens }: ReasoningProps): VNode => {
  const setting = useContext(ReasoningContext);
  const [chosen, setChosen] = useKept<boolean | undefined>('open', undefined);
  const running = part.closedAt === undefined && !ended;
  const sections = part.sections.filter((section) => section.trim() !== '');
  const summary = running ? (
    <Working text={l10n.t('Thinking')} since={part.openedAt} />
  ) : (
    <Finished part={part} {...(tokens !== undefined && { tokens })} />
  );
  if (sections.length === 0) return <div class="reasoning-line">{summary}</div>;
  const open = chosen ?? isOpen(setting, running || current);
  return (
    <Fold className="reasoning" open={open} onToggle={() => setChosen(!open)} summary={summary}>
      <div class="reasoning-text">
        {sections.map((section, index) => (
          <Place key={index} name={String(index)}>
            <Markdown text={section} done={!running || index < sections.length - 1} />
          </Place>
        ))}
      </div>
    </Fold>
  );
});

function isOpen(setting: ReasoningFold, thinking: boolean): boolean {
  return setting === 'open' || (setting === 'whileThinking' && thinking);
}

function Finished({ part, tokens }: { part: ReasoningPart; tokens?: number }): VNode {
  const said =
    part.closedAt === undefined
      ? l10n.t('Thought, cut off')
      : l10n.t('Thought for {0}', duration(part.closedAt - part.openedAt));
  if (tokens === undefined || tokens === 0) return <>{said}</>;
  return (
    <>
      {said}
      <span title={l10n.t('{0} tokens of reasoning', exactCount(tokens))}>
        {dot + l10n.t('{0} tokens', shortCount(tokens))}
      </span>
    </>
  );
}
