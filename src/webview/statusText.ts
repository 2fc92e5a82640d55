/** What is announced when the state of the last turn changes. Pure. */
import { modelRow, type Conversation, type Turn } from '../core/conversation/conversation.ts';
import { activityText, type ActivityFacts } from './activityText.ts';
import { approvalSentence } from './approvalText.ts';
import { endHelp } from './failureText.ts';
import { l10n } from './l10n.ts';
import { filesText } from './patchFacts.ts';
import { activityOf, brokenWords, cutOffOf, isAlone, isPatch, type Activity } from './turnFacts.ts';

/**
 * One sentence on what the last turn does or how it ended, and a key that changes exactly when the sentence is news. Undefined in an
 * empty conversation. `offline`: the computer that shows the panel has no network.
 */
export function statusText(
  conversation: Conversation,
  offline = false,
): { readonly key: string; readonly text: string } | undefined {
  const turn = conversation.turns.at(-1);
  if (turn === undefined) return undefined;
  const activity = activityOf(turn);
  if (activity === undefined) {
    return {
      // A turn that is gone on with may end again before anything else of it is seen.
      key: `${turn.id} end ${turn.endedAt ?? ''}`,
      // Only when it is news: an answer may be long, and this is asked for at each drawing.
      get text() {
        return endText(turn, conversation);
      },
    };
  }
  const model = modelRow(turn.model)?.label ?? turn.model;
  const facts = { model, via: turn.requests.at(-1)?.via, left: 0, offline };
  switch (activity.kind) {
    case 'waiting':
      // News only when there is no network.
      return {
        key: `${turn.id} waiting ${activity.since} ${offline}`,
        text: offline ? activityText(activity, facts) : '',
      };
    case 'retrying': {
      const { retry } = activity;
      const left = retry.until - retry.since;
      return {
        key: `${turn.id} retry ${retry.attempt} ${retry.since} ${offline}`,
        text: activityText(activity, { ...facts, left }),
      };
    }
    case 'thinking':
      return { key: `${turn.id} thinking ${activity.since}`, text: said(activity, facts) };
    case 'answering':
      // The answer itself is read out.
      return { key: `${turn.id} answering`, text: '' };
    case 'searching':
    case 'runningTool':
      return { key: `${turn.id} ${activity.part.id} ${activity.kind}`, text: said(activity, facts) };
    case 'writingCall':
      // Of a call it is known what it is about when it is complete; a patch takes its time.
      return {
        key: `${turn.id} ${activity.part.id} writingCall`,
        text: isPatch(activity.part) ? l10n.t('{0}.', l10n.t('Writing a patch')) : '',
      };
    case 'asking': {
      const { approval, count } = activity;
      return {
        key: `${turn.id} asking ${approval.id} ${count}`,
        text:
          count === 1
            ? approvalSentence(approval.request)
            : l10n.flow(
                approvalSentence(approval.request),
                l10n.t('{0} questions wait for your permission.', count),
              ),
      };
    }
    case 'reviewing':
      return {
        key: `${turn.id} ${activity.part.id} reviewing`,
        text: l10n.t(
          'A patch for {0} waits for your decision.',
          filesText(activity.part.proposal?.files.length ?? 0),
        ),
      };
  }
}

/** As a sentence. */
function said(activity: Activity, facts: ActivityFacts): string {
  return l10n.t('{0}.', activityText(activity, facts));
}

function endText(turn: Turn, { turns }: Conversation): string {
  const help =
    turn.end === undefined
      ? undefined
      : endHelp(turn.end, {
          words: brokenWords(turn, l10n.locale),
          cutOff: cutOffOf(turn),
          alone: isAlone(turn, turns),
          nothing: turn.parts.length === 0,
        });
  return help?.text ?? l10n.t('The answer is complete.');
}
