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
  const { post, requestsBefore } = useEnv();
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
          <SentLine
            key={index}
            facts={requestFacts(request, index, requests.length, prices)}
            name={
              requests.length === 1
                ? l10n.t('What was sent')
                : l10n.t('What was sent with request {0}', index + 1)
            }
            onShow={() => post({ kind: 'showSent', turn: turn.id, request: index })}
          />
        ))}
        {turn.naming === undefined ? null : (
          <SentLine
            facts={[
              l10n.t('Apart from that, for the title of the chat: {0}', requestCost(turn.naming, prices)),
              ...tokensOf(turn.naming),
            ]}
            name={l10n.t('What was sent for the title')}
            onShow={() => post({ kind: 'showNaming', turn: turn.id })}
          />
        )}
      </ul>
    </>
  );
}

/** Of a single request the rows above tell all but where it went. */
function requestFacts(
  request: RequestRecord,
  index: number,
  count: number,
  prices: PriceTable,
): readonly string[] {
  const { via } = request;
  return [
    ...(count === 1
      ? []
      : [l10n.t('Request {0}', index + 1), requestCost(request, prices), ...tokensOf(request)]),
    ...(via === undefined ? [] : [l10n.t('sent to {0}', via)]),
  ];
}

/** None where the service told none. */
function tokensOf({ usage }: RequestRecord): readonly string[] {
  return usage === undefined || usage === null
    ? []
    : [l10n.t('{0} tokens in, {1} out', exactCount(usage.input), exactCount(usage.output))];
}

interface SentLineProps {
  readonly facts: readonly string[];
  /** What the button is called: what is seen of it says less. */
  readonly name: string;
  readonly onShow: () => void;
}

function SentLine({ facts, name, onShow }: SentLineProps): VNode {
  return (
    <li>
      {facts.length === 0 ? null : <span>{dotted(facts)}</span>}
      <button type="button" class="text-button" aria-label={name} onClick={onShow}>
        {l10n.t('What was sent')}
      </button>
    </li>
  );
}
