/** Calls of a tool that are no patch: one line for neighbours of a kind, which opens to what went in and what came out of each. */
import type { VNode } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Approval, ToolPart } from '../../core/conversation/conversation.ts';
import { answerReason, answerText, approvalSubject } from '../approvalText.ts';
import { callDetail, callText, inputText, toolName, wasAskedWhole } from '../callWords.ts';
import { dot, dotted } from '../dot.ts';
import { duration, runningTime } from '../figures.ts';
import { KeptContext, PlaceContext, placeIn } from '../kept.ts';
import { l10n } from '../l10n.ts';
import { Plain } from '../markdown/Plain.tsx';
import { memo } from '../memo.ts';
import { callState, isDone, isGoing, type CallState } from '../partGroups.ts';
import { ApprovalBody } from './ApprovalBody.tsx';
import { Fold } from './Fold.tsx';
import { useElapsed, useKept } from './hooks.ts';
import { Place } from './Place.tsx';

interface ToolLineProps {
  readonly part: ToolPart;
  /** The turn has ended: a call without an outcome was cut off. */
  readonly ended: boolean;
}

export interface ToolLinesProps {
  /** Of one kind, at least one. */
  readonly calls: readonly ToolPart[];
  readonly ended: boolean;
}

/** Each time the list is another, but the calls in it are the same as before. */
export const ToolLines = memo(
  ({ calls, ended }: ToolLinesProps): VNode => {
    const first = calls[0]?.id ?? '';
    const only = calls.length === 1 ? calls[0] : undefined;
    const kept = useContext(KeptContext);
    const place = useContext(PlaceContext);
    const [chosen, setChosen] = useKept<boolean | undefined>(`${first} calls`, undefined);
    const inner = useAnyOpen(calls.map(({ id }) => id));
    const open = only === undefined ? (chosen ?? inner) : inner;
    // The same line when further calls join the first one: it may have the cursor.
    return (
      <Fold
        className={only === undefined ? 'tool tools' : 'tool'}
        about={calls.map(({ id }) => id).join(' ')}
        open={open}
        onToggle={() => {
          if (only === undefined) setChosen(!open);
          else kept.set(placeIn(place, only.id, 'open'), !open);
        }}
        summary={
          only === undefined ? (
            <MergedSummary calls={calls} ended={ended} />
          ) : (
            <CallSummary part={only} ended={ended} />
          )
        }
      >
        {only === undefined ? (
          calls.map((call) => (
            <Place key={call.id} name={call.id}>
              <ToolLine part={call} ended={ended} />
            </Place>
          ))
        ) : (
          <CallBody part={only} />
        )}
      </Fold>
    );
  },
  (before, after) =>
    before.ended === after.ended &&
    before.calls.length === after.calls.length &&
    before.calls.every((call, index) => call === after.calls[index]),
);

function MergedSummary({ calls, ended }: ToolLinesProps): VNode {
  const stated = calls.map((call): StatedCall => ({ call, state: callState(call, ended) }));
  const going = stated.find(({ state }) => isGoing(state));
  const detail = callDetail(calls);
  const done = stated.some(({ state }) => isDone(state));
  return (
    <>
      <span
        class={going === undefined ? 'tool-words' : 'tool-words working'}
        {...(detail !== undefined && { title: detail })}
      >
        {callText(calls, done && going === undefined ? 'done' : 'going')}
      </span>
      <span class="tool-state">
        {going === undefined ? <Counts stated={stated} /> : <Time since={going.call.openedAt} />}
      </span>
    </>
  );
}

/** True when one of the folds inside was opened, as a find does with the one in which it found something. */
function useAnyOpen(ids: readonly string[]): boolean {
  const kept = useContext(KeptContext);
  const place = useContext(PlaceContext);
  const [, redraw] = useState(0);
  const names = ids.map((id) => placeIn(place, id, 'open'));
  const all = names.join('\n');
  useEffect(() => {
    const stops = all.split('\n').map((name) => kept.watch(name, () => redraw((count) => count + 1)));
    return () => {
      for (const stop of stops) stop();
    };
  }, [kept, all]);
  return names.some((name) => kept.get(name) === true);
}

interface StatedCall {
  readonly call: ToolPart;
  readonly state: CallState;
}

/** How those stand that did not go well. */
function Counts({ stated }: { stated: readonly StatedCall[] }): VNode {
  const count = (wanted: CallState): number => stated.filter(({ state }) => state === wanted).length;
  const failed = count('failed');
  const unallowed = stated.filter(
    ({ call, state }) => state === 'rejected' && call.approvals !== undefined,
  ).length;
  const rejected = count('rejected') - unallowed;
  const stopped = count('stopped') + count('cutOff');
  return (
    <>
      {failed === 0 ? null : (
        <>
          {dot}
          <span class="failed">{l10n.t('{0} failed', failed)}</span>
        </>
      )}
      {unallowed === 0 ? null : dot + l10n.t('{0} not allowed', unallowed)}
      {rejected === 0 ? null : dot + l10n.t('{0} rejected', rejected)}
      {stopped === 0 ? null : dot + l10n.t('{0} stopped', stopped)}
    </>
  );
}

const ToolLine = memo(({ part, ended }: ToolLineProps): VNode => {
  const [open, setOpen] = useKept('open', false);
  return (
    <Fold
      className="tool"
      about={part.id}
      open={open}
      onToggle={() => setOpen(!open)}
      summary={<CallSummary part={part} ended={ended} />}
    >
      <CallBody part={part} />
    </Fold>
  );
});

function CallSummary({ part, ended }: ToolLineProps): VNode {
  const state = callState(part, ended);
  return (
    <>
      <span class={isGoing(state) ? 'tool-words working' : 'tool-words'} title={toolTip(part)}>
        {callText([part], isDone(state) ? 'done' : 'going')}
      </span>
      <span class="tool-state">
        <StateWords part={part} state={state} />
      </span>
    </>
  );
}

function CallBody({ part }: { part: ToolPart }): VNode {
  return (
    <>
      {wasAskedWhole(part) ? null : <ToolText label={l10n.t('Input')} text={inputText(part.input)} />}
      {(part.approvals ?? []).map((approval) => (
        <AnsweredApproval key={approval.id} approval={approval} />
      ))}
      {part.outcome === undefined ? null : <ToolText label={l10n.t('Result')} text={part.outcome.text} />}
    </>
  );
}

function AnsweredApproval({ approval }: { approval: Approval }): VNode {
  const reason = answerReason(approval.answer);
  return (
    <div class="tool-text answered">
      <div class="tool-label" data-unsearched>
        {dotted([approvalSubject(approval.request), answerText(approval)])}
      </div>
      {reason === undefined ? null : (
        <p class="answered-reason" dir="auto" data-unsearched>
          <Plain text={reason} />
        </p>
      )}
      <ApprovalBody request={approval.request} />
    </div>
  );
}

/** The name of the tool, and what the line names in full. */
function toolTip(part: ToolPart): string {
  const detail = callDetail([part]);
  return detail === undefined ? toolName(part) : `${toolName(part)}\n${detail}`;
}

/** Shorter calls are not worth a figure. Milliseconds. */
const worthATime = 1000;

function StateWords({ part, state }: { part: ToolPart; state: CallState }): VNode | null {
  switch (state) {
    case 'preparing':
    case 'running':
      return <Time since={part.openedAt} />;
    case 'done': {
      const took = (part.closedAt ?? part.openedAt) - (part.askedAt ?? part.openedAt);
      return took < worthATime ? null : (
        <>
          {dot}
          <span class="tool-time">{duration(took)}</span>
        </>
      );
    }
    case 'failed':
      return (
        <>
          {dot}
          <span class="failed">{l10n.t('failed')}</span>
        </>
      );
    case 'rejected':
      return <>{dot + (part.approvals === undefined ? l10n.t('rejected') : l10n.t('not allowed'))}</>;
    case 'stopped':
      return <>{dot + l10n.t('stopped')}</>;
    case 'cutOff':
      return <>{dot + l10n.t('cut off')}</>;
    case 'undecided':
      return <>{dot + l10n.t('not decided yet')}</>;
  }
}

function Time({ since }: { since: number }): VNode {
  return (
    <>
      {dot}
      <span class="tool-time">{runningTime(useElapsed(since, true))}</span>
    </>
  );
}

export function ToolText({ label, text }: { label: string; text: string }): VNode {
  return (
    <div class="tool-text">
      <div class="tool-label">{label}</div>
      {/* Long text is scrolled, also with the keyboard. */}
      <pre dir="ltr" tabIndex={0} role="group" aria-label={label}>
        <Plain text={text === '' ? l10n.t('(nothing)') : text} />
      </pre>
    </div>
  );
}
