/** What a finished turn took, and what can be done with it. Always there, never only on hover; opens to tell more. */
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { modelRow, type Turn } from '../../core/conversation/conversation.ts';
import { sumOf } from '../../core/cost/bill.ts';
import type { PriceTable } from '../../core/cost/prices.ts';
import { cachedText, costText } from '../billText.ts';
import { dotted } from '../dot.ts';
import { usePrices } from '../env.ts';
import { duration } from '../figures.ts';
import { l10n } from '../l10n.ts';
import { useBranches, useVersions } from '../branches.ts';
import { AnswerAgain } from './AnswerAgain.tsx';
import { Bill } from './Bill.tsx';
import { useKept } from './hooks.ts';
import { ChevronIcon } from './icons.tsx';
import { TurnMenu } from './TurnMenu.tsx';

export function Footer({ turn }: { turn: Turn }): VNode | null {
  const prices = usePrices();
  const id = useId();
  const [open, setOpen] = useKept('bill', false);
  // With how many versions it was opened: once it was answered again, that is done.
  const count = useVersions(turn.id)?.versions.length ?? 1;
  const [openedWith, setOpenedWith] = useKept<number | undefined>('again', undefined);
  const again = openedWith === count;
  const branches = useBranches();
  if (turn.end === undefined || turn.endedAt === undefined) return null;
  // Where nothing came and nothing was asked of the service, the notice says all.
  const nothing = turn.parts.length === 0 && turn.requests.length === 0;
  const facts = nothing ? '' : dotted(footerFacts(turn, prices));
  const closeAgain = (): void => {
    branches.want(`again ${turn.id}`);
    setOpenedWith(undefined);
  };
  return (
    <>
      <div class="footer">
        {prices === undefined || turn.requests.length === 0 ? (
          <span class="footer-facts">{facts}</span>
        ) : (
          <button
            type="button"
            class="fold-line footer-facts"
            title={startedText(turn)}
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          >
            <ChevronIcon />
            <span class="fold-summary">{facts}</span>
          </button>
        )}
        <TurnMenu turn={turn} again={again} onAgain={() => (again ? closeAgain() : setOpenedWith(count))} />
      </div>
      {again ? <AnswerAgain turn={turn} onClose={closeAgain} /> : null}
      <div id={id} class="bill" hidden={!open}>
        {open && prices !== undefined ? <Bill turn={turn} prices={prices} /> : null}
      </div>
    </>
  );
}

/** `18 s`, `≈ $0.031`, `94 % cached`. */
function footerFacts(turn: Turn, prices: PriceTable | undefined): readonly string[] {
  const took = duration((turn.endedAt ?? turn.startedAt) - turn.startedAt);
  if (prices === undefined) return [took];
  const sum = sumOf(turn.requests, prices);
  return [took, costText(sum), cachedText(sum)].filter((fact) => fact !== undefined);
}

function startedText(turn: Turn): string {
  const at = new Intl.DateTimeFormat(l10n.locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(
    turn.startedAt,
  );
  const model = modelRow(turn.model)?.label ?? turn.model;
  return `${at}\n${model}, ${turn.effort}`;
}
