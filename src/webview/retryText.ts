/** What is said while a request waits to be sent again. Pure. */
import type { Failure, RetryWait } from '../core/conversation/conversation.ts';
import { networkCause } from './failureText.ts';
import { runningTime } from './figures.ts';
import { l10n } from './l10n.ts';

/** @param left milliseconds until it is sent */
export function retryText(retry: RetryWait, left: number): string {
  const { failure, attempt, of, asked, via } = retry;
  return l10n.flow(
    reasonText(failure),
    ...(asked === undefined ? [] : [askedText(asked)]),
    nextText({ left, attempt, of, via }),
  );
}

function nextText({
  left,
  attempt,
  of,
  via,
}: Pick<RetryWait, 'attempt' | 'of'> & { left: number; via: string | undefined }): string {
  // The last second counts as one.
  const time = runningTime(left + 999);
  if (via === undefined) {
    return left <= 0
      ? l10n.t('Trying again ({0} of {1}).', attempt, of)
      : l10n.t('Trying again in {0} ({1} of {2}).', time, attempt, of);
  }
  return left <= 0
    ? l10n.t('Trying {0} ({1} of {2}).', via, attempt, of)
    : l10n.t('Trying {0} in {1} ({2} of {3}).', via, time, attempt, of);
}

function askedText(asked: number): string {
  return l10n.t(
    'The service asks to wait for {0}, which is longer than this waits by itself.',
    runningTime(asked),
  );
}

function reasonText(failure: Failure): string {
  switch (failure.kind) {
    case 'overloaded':
      return l10n.t('The service is overloaded.');
    case 'rateLimited':
      return l10n.t('Too many requests were sent in a short time.');
    case 'network':
      return networkCause(failure);
    default:
      return l10n.t('The service could not take the request.');
  }
}
