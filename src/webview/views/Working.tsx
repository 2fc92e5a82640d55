/** What goes on, and for how long it has. */
import type { VNode } from 'preact';
import { dot } from '../dot.ts';
import { runningTime } from '../figures.ts';
import { useElapsed } from './hooks.ts';

/** @param since milliseconds since the epoch, by the host's clock */
export function Working({ text, since }: { text: string; since: number }): VNode {
  const elapsed = useElapsed(since, true);
  return (
    <>
      <span class="working">{text}</span>
      <span class="quiet">{dot + runningTime(elapsed)}</span>
    </>
  );
}
