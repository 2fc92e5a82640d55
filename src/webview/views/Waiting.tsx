/** What is said while nothing comes: who is waited for, and after a minute without news that it still goes on. */
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { modelRow, type Turn } from '../../core/conversation/conversation.ts';
import { activityText, silenceText } from '../activityText.ts';
import { dot } from '../dot.ts';
import { useEnv } from '../env.ts';
import { runningTime } from '../figures.ts';
import { l10n } from '../l10n.ts';
import { awaitsService, longSilence, silenceOf, type Activity } from '../turnFacts.ts';
import { useElapsed, useOffline } from './hooks.ts';

export function Waiting({ turn, activity }: { turn: Turn; activity: Activity }): VNode | null {
  const { hostNow, heardAt, silenceSeconds, announce } = useEnv();
  const offline = useOffline();
  const asked = awaitsService(turn);
  const waits = activity.kind === 'waiting';
  const elapsed = useElapsed(waits ? activity.since : turn.startedAt, asked || waits);
  const silent = silenceOf(turn, heardAt(), hostNow());
  const isSilent = silent !== undefined;
  useEffect(() => {
    // Once a silence: what counts on is for the eyes.
    if (isSilent) announce(silenceText(longSilence, false));
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
        <span class="working">{silenceText(silent, offline)}</span>
      </div>
    );
  }
  const text = activityText(activity, {
    model: modelRow(turn.model)?.label ?? turn.model,
    via: asked ? turn.requests.at(-1)?.via : undefined,
    left: 0,
    offline,
  });
  if (activity.kind === 'reviewing' || activity.kind === 'asking') return <div class="waiting">{text}</div>;
  // What else goes on has a line of its own, unless there is no network for it.
  if (!waits && !(offline && asked)) return null;
  return (
    <div class="waiting">
      <span class="working">{waits ? text : l10n.t('This computer is offline')}</span>
      {waits ? <span class="quiet">{dot + runningTime(elapsed)}</span> : null}
    </div>
  );
}
