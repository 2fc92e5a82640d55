/** What a question would cost that is asked once more: two quiet lines, and a third one when nothing is found in the cache. */
import type { VNode } from 'preact';
import type { Forecast as ForecastFacts } from '../../core/cost/forecast.ts';
import { forecastLines } from '../contextText.ts';
import { useEnv } from '../env.ts';
import { l10n } from '../l10n.ts';

export function Forecast({ turn, next }: { turn: string; next: ForecastFacts }): VNode {
  const { requestsBefore } = useEnv();
  const lines = [
    // Of a first question nothing can be lost.
    ...(requestsBefore(turn).length === 0
      ? []
      : [
          next.cached > 0
            ? l10n.t('Everything from this question on is sent anew.')
            : l10n.t('The whole conversation up to this question is sent anew.'),
        ]),
    ...forecastLines(next),
  ];
  return (
    <div class="forecast">
      {lines.map((line) => (
        <p key={line} class="quiet">
          {line}
        </p>
      ))}
    </div>
  );
}
