/** What is said while nothing comes: who is waited for, and after a minute without news that it still goes on. */
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { modelRow, type Turn } from '../../core/conversation/conversation.ts';
import { useEnv } from '../env.ts';
import { runningTime } from '../figures.ts';
import { l10n } from '../l10n.ts';
import { awaitsService, longSilence, silenceOf, type Activity } from '../turnFacts.ts';
import { useElapsed } from './hooks.ts';

export function Waiting({ turn, activity }: { turn: Turn; activity: Activity }): VNode | null {
  const { hostNow, heardAt, silenceSeconds, announce } = useEnv();
  const asked = awaitsService(turn);
  const waits = activity.kind === 'waiting';
  const elapsed = useElapsed(waits ? activity.since : turn.startedAt, asked || waits);
  const silent = silenceOf(turn, heardAt(), hostNow());
  const isSilent = silent !== undefined;
  useEffect(() => {
    // Once a silence: what counts on is for the eyes.
    if (isSilent) announce(l10n.t('Still thinking, {0} without news', runningTime(longSilence)));
  }, [announce, isSilent]);
  if (silent !== undefined) {
    const limit = silenceSeconds();
    return (
      <div
        class="waiting"
        {...(limit !== undefined && {
          title: l10n.t('The connection is closed after {0} without a byte.', runningTime(limit * 1000)),
        })}
      >
        <span class="working">{l10n.t('Still thinking, {0} without news', runningTime(silent))}</span>
      </div>
    );
  }
  if (!waits) return null;
  const model = modelRow(turn.model)?.label ?? turn.model;
  const via = turn.requests.at(-1)?.via;
  return (
    <div class="waiting">
      <span class="working">
        {via === undefined || !asked
          ? l10n.t('Waiting for {0}', model)
          : l10n.t('Waiting for {0} at {1}', model, via)}
      </span>
      <span class="quiet"> · {runningTime(elapsed)}</span>
    </div>
  );
}
