/** One call of a tool that is no patch: a line that opens to what went in and what came out. */
import type { VNode } from 'preact';
import type { ToolPart } from '../../core/conversation/conversation.ts';
import { runningTime } from '../figures.ts';
import { visibleText } from '../invisible.ts';
import { l10n } from '../l10n.ts';
import { Plain } from '../markdown/Plain.tsx';
import { memo } from '../memo.ts';
import { Fold } from './Fold.tsx';
import { useElapsed, useKept } from './hooks.ts';

export interface ToolLineProps {
  readonly part: ToolPart;
  /** The turn has ended: a call without an outcome was cut off. */
  readonly ended: boolean;
}

export const ToolLine = memo(({ part, ended }: ToolLineProps): VNode => {
  const [open, setOpen] = useKept('open', false);
  const name = part.namespace === undefined ? part.name : `${part.namespace}.${part.name}`;
  return (
    <Fold
      className="tool"
      open={open}
      onToggle={() => setOpen(!open)}
      summary={
        <>
          <span class="tool-name">{visibleText(name)}</span>
          <span class="tool-state">
            {' · '}
            <ToolState part={part} ended={ended} />
          </span>
        </>
      }
    >
      <ToolText label={l10n.t('Input')} text={readable(part.input)} />
      {part.outcome === undefined ? null : <ToolText label={l10n.t('Result')} text={part.outcome.text} />}
    </Fold>
  );
});

function ToolState({ part, ended }: ToolLineProps): VNode {
  const running = part.outcome === undefined && !ended;
  const elapsed = useElapsed(part.openedAt, running);
  if (part.outcome === undefined) {
    if (ended) return <>{l10n.t('cut off')}</>;
    const words = part.askedAt === undefined ? l10n.t('preparing') : l10n.t('running');
    return (
      <>
        <span class="working">{words}</span> · {runningTime(elapsed)}
      </>
    );
  }
  switch (part.outcome.kind) {
    case 'done':
      return <>{l10n.t('done')}</>;
    case 'failed':
      return <span class="failed">{l10n.t('failed')}</span>;
    case 'rejected':
      return <>{l10n.t('rejected')}</>;
    case 'cancelled':
      return <>{l10n.t('stopped')}</>;
    case 'undecided':
      return <>{l10n.t('not decided yet')}</>;
  }
}

export function ToolText({ label, text }: { label: string; text: string }): VNode {
  return (
    <div class="tool-text">
      <div class="tool-label">{label}</div>
      {/* Long text is scrolled, also with the keyboard. */}
      <pre dir="ltr" tabIndex={0} role="region" aria-label={label}>
        <Plain text={text === '' ? l10n.t('(nothing)') : text} />
      </pre>
    </div>
  );
}

/** Arguments of a function are JSON in one line: set out over several. */
function readable(input: string): string {
  if (!/^\s*[[{]/.test(input)) return input;
  try {
    return JSON.stringify(JSON.parse(input), null, 2);
  } catch {
    return input;
  }
}
