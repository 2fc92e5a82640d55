/** What one turn cost, kind by kind and request by request, and why. */
import type { VNode } from 'preact';
import type { RequestRecord, Turn } from '../../core/conversation/conversation.ts';
import { sumOf } from '../../core/cost/bill.ts';
import type { PriceTable } from '../../core/cost/prices.ts';
import { turnStory } from '../../core/cost/why.ts';
import { amount, billNotes, billRows, requestCost } from '../billText.ts';
import { cacheText } from '../cacheText.ts';
import { dotted } from '../dot.ts';
import { useEnv } from '../env.ts';
import { exactCount, exactMoney } from '../figures.ts';
import { l10n } from '../l10n.ts';

export function Bill({ turn, prices }: { turn: Turn; prices: PriceTable }): VNode {
  const { requestsBefore } = useEnv();
  const { requests } = turn;
  const sum = sumOf(requests, prices);
  const story = turnStory(turn, requestsBefore(turn.id));
  const rows = billRows(requests, prices);
  return (
    <>
      {rows.length === 0 ? null : (
        <table class="figures">
          <caption class="visually-hidden">{l10n.t('Tokens and cost')}</caption>
          <thead class="visually-hidden">
            <tr>
              <th scope="col">{l10n.t('Kind')}</th>
              <th scope="col">{l10n.t('Tokens')}</th>
              <th scope="col">{l10n.t('Cost')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ kind, name, tokens, money }) => (
              <tr key={kind}>
                <th scope="row">{name}</th>
                <td>{exactCount(tokens)}</td>
                <td title={exactMoney(money)}>{amount(money, sum.isEstimate)}</td>
              </tr>
            ))}
            <tr class="figures-sum">
              <th scope="row">{l10n.t('Total')}</th>
              <td>{exactCount(sum.tokens.input + sum.tokens.output)}</td>
              <td title={exactMoney(sum.money)}>{amount(sum.money, sum.isEstimate)}</td>
            </tr>
          </tbody>
        </table>
      )}
      {story === undefined ? null : <p>{cacheText(story)}</p>}
      {billNotes(sum).map((note) => (
        <p key={note}>{note}</p>
      ))}
      <ul class="requests">
        {requests.map((request, index) => (
          <RequestLine
            key={index}
            turn={turn.id}
            request={request}
            index={index}
            count={requests.length}
            prices={prices}
          />
        ))}
        {turn.naming === undefined ? null : (
          <NamingLine turn={turn.id} naming={turn.naming} prices={prices} />
        )}
      </ul>
    </>
  );
}

interface RequestLineProps {
  readonly turn: string;
  readonly request: RequestRecord;
  readonly index: number;
  readonly count: number;
  readonly prices: PriceTable;
}

function RequestLine({ turn, request, index, count, prices }: RequestLineProps): VNode {
  const { post } = useEnv();
  const { usage, via } = request;
  const facts = [
    ...(count === 1 ? [] : [l10n.t('Request {0}', index + 1), requestCost(request, prices)]),
    ...(count === 1 || usage === undefined || usage === null
      ? []
      : [l10n.t('{0} tokens in, {1} out', exactCount(usage.input), exactCount(usage.output))]),
    ...(via === undefined ? [] : [l10n.t('sent to {0}', via)]),
  ];
  return (
    <li>
      {facts.length === 0 ? null : <span>{dotted(facts)}</span>}
      <button
        type="button"
        class="text-button"
        aria-label={
          count === 1 ? l10n.t('What was sent') : l10n.t('What was sent with request {0}', index + 1)
        }
        onClick={() => post({ kind: 'showSent', turn, request: index })}
      >
        {l10n.t('What was sent')}
      </button>
    </li>
  );
}

interface NamingLineProps {
  readonly turn: string;
  readonly naming: RequestRecord;
  readonly prices: PriceTable;
}

/** What naming the conversation took: not part of the turn's own cost above. */
function NamingLine({ turn, naming, prices }: NamingLineProps): VNode {
  const { post } = useEnv();
  const { usage } = naming;
  const facts = [
    l10n.t('Apart from that, for the title of the chat: {0}', requestCost(naming, prices)),
    ...(usage === undefined || usage === null
      ? []
      : [l10n.t('{0} tokens in, {1} out', exactCount(usage.input), exactCount(usage.output))]),
  ];
  return (
    <li>
      <span>{dotted(facts)}</span>
      <button
        type="button"
        class="text-button"
        aria-label={l10n.t('What was sent for the title')}
        onClick={() => post({ kind: 'showNaming', turn })}
      >
        {l10n.t('What was sent')}
      </button>
    </li>
  );
}
