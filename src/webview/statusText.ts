/** What is announced when the state of the last turn changes. Pure. */
import type { Conversation, Turn } from '../core/conversation/conversation.ts';
import { endHelp } from './failureText.ts';
import { l10n } from './l10n.ts';
import { filesText } from './patchFacts.ts';
import { retryText } from './retryText.ts';
import { activityOf, brokenWords, cutOffOf, isAlone } from './turnFacts.ts';

/**
 * One sentence on what the last turn does or how it ended, and a key that changes exactly when the sentence is news. Undefined in an
 * empty conversation.
 */
export function statusText(
  conversation: Conversation,
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
  switch (activity.kind) {
    case 'waiting':
      return { key: `${turn.id} waiting ${activity.since}`, text: '' };
    case 'retrying': {
      const { retry } = activity;
      return {
        key: `${turn.id} retry ${retry.attempt} ${retry.since}`,
        text: retryText(retry, retry.until - retry.since),
      };
    }
    case 'thinking':
      return { key: `${turn.id} thinking ${activity.since}`, text: l10n.t('Thinking.') };
    case 'answering':
      return { key: `${turn.id} answering`, text: '' };
    case 'searching':
      return { key: `${turn.id} ${activity.part.id} searching`, text: l10n.t('Searching the web.') };
    case 'writingCall':
    case 'runningTool':
      return { key: `${turn.id} ${activity.part.id} ${activity.kind}`, text: '' };
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

function endText(turn: Turn, { turns }: Conversation): string {
  const help =
    turn.end === undefined
      ? undefined
      : endHelp(turn.end, {
          words: brokenWords(turn, l10n.locale),
          cutOff: cutOffOf(turn),
          alone: isAlone(turn, turns),
        });
  return help?.text ?? l10n.t('The answer is complete.');
}
