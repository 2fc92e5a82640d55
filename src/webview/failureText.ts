/** One plain sentence and one helping button for each way in which a turn can end early. One table over `kind`; pure. */
import type { Failure, TurnEnd } from '../core/conversation/conversation.ts';
import { mayBeBilled } from '../core/conversation/retry.ts';
import type { Service } from '../protocol/toWebview.ts';
import { exactCount, money, runningTime } from './figures.ts';
import { l10n } from './l10n.ts';

export type HelpAction =
  | { readonly kind: 'resume' }
  | { readonly kind: 'setKey' }
  | { readonly kind: 'newChat' }
  | { readonly kind: 'openLog' }
  | { readonly kind: 'openLink'; readonly href: string }
  | { readonly kind: 'openSettings'; readonly setting: string }
  /** Turns the web search of the conversation off, and goes on with the turn. */
  | { readonly kind: 'withoutWebSearch' }
  /** Puts the cursor on the model picker. */
  | { readonly kind: 'chooseModel' }
  /** Puts the question into the composer. */
  | { readonly kind: 'editQuestion' }
  /** Puts the question into the composer, and leaves the turn out of what the model sees. */
  | { readonly kind: 'editWithout' }
  /** Shows what can be left out of the conversation. */
  | { readonly kind: 'makeRoom' };

export interface HelpButton {
  readonly label: string;
  readonly action: HelpAction;
}

export interface Help {
  readonly text: string;
  readonly button: HelpButton;
  /** A quiet second way, where the first one leaves the panel. */
  readonly also?: HelpButton;
  /** What the service or the platform said, for those who want to know. Not translated. */
  readonly detail?: string;
  /** Milliseconds after the failure before which trying again only makes it worse. */
  readonly waitFor?: number;
}

/** What is on the screen of the response that failed, and who is asked. */
export interface Partial {
  /** Words of answer that came before the end. */
  readonly words: number;
  /** The present service: help with a key or an account is help with its own. */
  readonly service?: Service | undefined;
  /** It is the question itself that is too long, and no turn before it nor anything attached to it. */
  readonly alone?: boolean;
  /** Of a response that was ended for its length. */
  readonly cutOff?: CutOff | undefined;
  /** Nothing of an answer came. */
  readonly nothing?: boolean;
}

/** Where a response was when its room was used up. */
export interface CutOff {
  readonly at: 'answer' | 'reasoning' | 'call';
  /** Tokens that it had, when they were limited. */
  readonly room?: number;
}

/** Where a person sees what is left at EvoLink and adds to it. */
const dashboard = 'https://evolink.ai/dashboard';
/** A wait beyond this is told and not enforced: nobody sits through it with the panel open. */
const longestWait = 15 * 60_000;

export function failureHelp(failure: Failure, partial: Partial): Help {
  const help = helpFor(failure, partial);
  if (!mayBeBilled(failure)) return help;
  return { ...help, text: l10n.flow(help.text, l10n.t('Asking again may be billed a second time.')) };
}

function helpFor(failure: Failure, partial: Partial): Help {
  switch (failure.kind) {
    case 'noKey':
      return {
        text: l10n.t('No API key is set. Your question is kept.'),
        button: setKey(),
        also: tryAgain(),
      };
    case 'badKey':
      return {
        text: l10n.t('The service does not accept the API key. Your question is kept.'),
        button: setKey(),
        also: tryAgain(),
        ...said(failure.message),
      };
    case 'forbidden':
      return {
        text: l10n.t('The API key is not allowed to do this.'),
        button: setKey(),
        also: tryAgain(),
        ...said(failure.message),
      };
    case 'modelUnknown':
      return {
        text: l10n.t('The service does not offer this model to you.'),
        button: { label: l10n.t('Choose another model'), action: { kind: 'chooseModel' } },
        also: tryAgain(),
        ...said(failure.message),
      };
    case 'outOfQuota':
      return {
        // Names nobody: the question may have gone to another service than the present one.
        text: l10n.t('The account has no credit left. Your question is kept.'),
        ...(partial.service?.evolink === true
          ? {
              button: {
                label: l10n.t('Open EvoLink dashboard'),
                action: { kind: 'openLink', href: dashboard },
              },
              also: tryAgain(),
            }
          : { button: tryAgain(), also: setKey() }),
        ...said(failure.message),
      };
    case 'rateLimited':
      return {
        ...waiting(l10n.t('Too many requests were sent in a short time.'), failure.retryAfter),
        button: tryAgain(),
        ...said(failure.message),
      };
    case 'overloaded':
      return {
        ...waiting(l10n.t('The service is overloaded at the moment.'), failure.retryAfter),
        button: tryAgain(),
        detail: withStatus(failure.status, failure.message),
      };
    case 'contextTooLong':
      return {
        ...(partial.alone === true
          ? {
              text: l10n.t('This question does not fit into the model’s context window. Shorten it.'),
              // As it is, it would be sent along with the next one.
              button: { label: l10n.t('Edit question'), action: { kind: 'editWithout' } },
            }
          : {
              text: l10n.t('The conversation no longer fits into the model’s context window.'),
              button: { label: l10n.t('Make room'), action: { kind: 'makeRoom' } },
              also: tryAgain(),
            }),
        ...said(failure.message),
      };
    case 'contentFilter':
      return {
        text: l10n.t('The service’s content filter refused this question.'),
        button: editQuestion(),
        ...said(failure.message),
      };
    case 'noWebSearch':
      return {
        text: l10n.t('The service does not take web search with this request.'),
        button: { label: l10n.t('Go on without web search'), action: { kind: 'withoutWebSearch' } },
        also: { label: l10n.t('Choose another model'), action: { kind: 'chooseModel' } },
        ...said(failure.message),
      };
    case 'refused':
      return {
        text: l10n.t('The service refused the request.'),
        button: { label: l10n.t('Show log'), action: { kind: 'openLog' } },
        also: tryAgain(),
        detail: withStatus(failure.status, failure.message),
      };
    case 'serverError':
      return {
        text: l10n.t('The service failed while it worked on this.'),
        button: tryAgain(),
        detail: withStatus(failure.status, failure.message),
      };
    case 'network':
      return {
        text: networkText(failure),
        ...networkButtons(failure.proxy === undefined ? causeOf(failure.code) : proxyCauseOf(failure.code)),
        detail: failure.code === '' ? failure.message : `${failure.code}: ${failure.message}`,
      };
    case 'silence':
      return {
        text:
          l10n.t('Nothing came for {0}, so the connection was closed.', runningTime(failure.seconds * 1000)) +
          kept(partial),
        button: tryAgain(),
      };
    case 'brokenStream':
      return {
        text: lostText(partial),
        button: tryAgain(),
        ...said(failure.detail),
      };
    case 'unchanged':
      return {
        text: l10n.t('Not sent: the service has just refused exactly this. Change the question first.'),
        button: editQuestion(),
        also: { label: l10n.t('Show log'), action: { kind: 'openLog' } },
        ...said(failure.message),
      };
    case 'spendingLimit':
      return {
        text: spendingText(failure),
        button: {
          label: l10n.t('Change limits'),
          action: { kind: 'openSettings', setting: limitSettings[failure.scope] },
        },
        also: tryAgain(),
      };
    case 'tooManyRounds':
      return {
        text: l10n.t('The turn was ended after {0} requests in a row without an answer.', failure.rounds),
        button: { label: l10n.t('Continue'), action: { kind: 'resume' } },
        also: {
          label: l10n.t('Change the limit'),
          action: { kind: 'openSettings', setting: 'kimiChat.maxRounds' },
        },
      };
    case 'bug':
      return {
        text: l10n.t('This extension made a mistake. What you wrote is kept.'),
        button: tryAgain(),
        also: { label: l10n.t('Show log'), action: { kind: 'openLog' } },
        ...said(failure.detail),
      };
  }
}

/** The same for every end that is no failure; undefined for a turn that came to its proper end. */
export function endHelp(end: TurnEnd, partial: Partial): Help | undefined {
  switch (end.kind) {
    case 'completed':
      return undefined;
    case 'stopped':
      // What came of an answer leaves when it is asked for again: that is no continuation.
      return { text: stoppedText(end.by, partial), button: partial.words > 0 ? tryAgain() : goOn() };
    case 'incomplete':
      return incompleteHelp(end.reason, partial.cutOff);
    case 'failed':
      return failureHelp(end.failure, partial);
  }
}

function stoppedText(by: 'reload' | undefined, { nothing = false }: Partial): string {
  if (by === undefined) return l10n.t('Stopped.');
  return nothing
    ? l10n.t('Not answered: the window was closed before.')
    : l10n.t('Cut off, because the window was closed.');
}

function goOn(): HelpButton {
  return { label: l10n.t('Continue'), action: { kind: 'resume' } };
}

function tryAgain(): HelpButton {
  return { label: l10n.t('Try again'), action: { kind: 'resume' } };
}

function setKey(): HelpButton {
  return { label: l10n.t('Set API key'), action: { kind: 'setKey' } };
}

function said(message: string): { detail?: string } {
  return message.trim() === '' ? {} : { detail: message.trim() };
}

function withStatus(status: number, message: string): string {
  return message.trim() === '' ? `HTTP ${status}` : `HTTP ${status}: ${message.trim()}`;
}

function incompleteHelp(reason: string, cutOff: CutOff = { at: 'answer' }): Help {
  if (reason === 'max_output_tokens') return cutOffHelp(cutOff);
  if (reason === 'content_filter')
    return { text: l10n.t('The service’s content filter ended the answer here.'), button: editQuestion() };
  return { text: l10n.t('The service ended the answer early.'), button: goOn(), ...said(reason) };
}

function cutOffHelp({ at, room }: CutOff): Help {
  const again: HelpButton = { label: l10n.t('Ask again with more room'), action: { kind: 'resume' } };
  const tokens = room === undefined ? undefined : exactCount(room);
  switch (at) {
    case 'answer':
      return {
        text:
          tokens === undefined
            ? l10n.t(
                'The answer reached the length that the service gives by itself. “Continue” gives it more room.',
              )
            : l10n.t('The answer reached its limit of {0} tokens. “Continue” gives it more room.', tokens),
        button: goOn(),
      };
    case 'reasoning':
      return {
        text:
          tokens === undefined
            ? l10n.t('All the room for this answer went into reasoning.')
            : l10n.t('All the room for this answer, {0} tokens, went into reasoning.', tokens),
        button: again,
      };
    case 'call':
      return {
        text:
          tokens === undefined
            ? l10n.t('The room for this answer was used up in the middle of a patch or a call.')
            : l10n.t(
                'The room of {0} tokens for this answer was used up in the middle of a patch or a call.',
                tokens,
              ),
        button: again,
      };
  }
}

function editQuestion(): HelpButton {
  return { label: l10n.t('Edit question'), action: { kind: 'editQuestion' } };
}

const limitSettings = { day: 'kimiChat.dailyLimit', conversation: 'kimiChat.conversationLimit' } as const;

function spendingText({
  scope,
  limit,
  spent,
  expected,
}: Extract<Failure, { kind: 'spendingLimit' }>): string {
  const figures = [money(limit), money(spent), money(expected)] as const;
  return scope === 'day'
    ? l10n.t('Not sent: your limit for a day is {0}. {1} is spent, and this takes about {2}.', ...figures)
    : l10n.t(
        'Not sent: your limit for a conversation is {0}. {1} is spent, and this takes about {2}.',
        ...figures,
      );
}

function waiting(text: string, retryAfter: number | undefined): { text: string; waitFor?: number } {
  if (retryAfter === undefined || !(retryAfter > 0)) return { text };
  if (retryAfter <= longestWait) return { text, waitFor: retryAfter };
  const asked = l10n.t('The service asks to wait for {0}.', runningTime(retryAfter));
  return { text: l10n.flow(text, asked) };
}

function lostText(partial: Partial): string {
  if (partial.words === 0) return l10n.t('The connection was lost before an answer came.');
  return l10n.flow(
    l10n.t('The connection was lost after {0} words.', exactCount(partial.words)),
    l10n.t('They are kept until you try again.'),
  );
}

function kept(partial: Partial): string {
  return partial.words === 0 ? '' : ` ${l10n.t('What came is kept until you try again.')}`;
}

export type NetworkCause =
  | 'address'
  | 'refused'
  | 'name'
  | 'timeout'
  | 'reset'
  | 'route'
  | 'certificateDate'
  | 'certificateName'
  | 'certificate'
  | 'tls'
  | 'proxyAddress'
  | 'proxyPassword'
  | 'proxy'
  | 'notHttp'
  | 'encoding'
  | 'other';

export function causeOf(code: string): NetworkCause {
  if (code === 'EADDRESS') return 'address';
  if (code === 'EENCODING') return 'encoding';
  if (code === 'EPROXYADDRESS') return 'proxyAddress';
  if (code === 'EPROXYAUTH') return 'proxyPassword';
  if (/^(ECONNREFUSED)$/.test(code)) return 'refused';
  if (/^(ENOTFOUND|EAI_AGAIN|EAI_NONAME|EAI_FAIL)$/.test(code)) return 'name';
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return 'timeout';
  if (/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/.test(code)) return 'reset';
  if (/^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN)$/.test(code)) return 'route';
  if (/^HPE_|^HTTPParserError$/.test(code)) return 'notHttp';
  if (/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.test(code)) return 'certificateDate';
  if (/ALTNAME|HOSTNAME_MISMATCH/.test(code)) return 'certificateName';
  if (/PROXY|UND_ERR_ABORTED_TUNNEL/.test(code)) return 'proxy';
  if (/CERT|SELF_SIGNED|UNABLE_TO_|CRL|INVALID_CA|PATH_LENGTH/.test(code)) return 'certificate';
  if (/TLS|SSL|EPROTO/.test(code)) return 'tls';
  return 'other';
}

function networkButtons(cause: NetworkCause): Pick<Help, 'button' | 'also'> {
  const settings = (setting: string, label: string): HelpButton => ({
    label,
    action: { kind: 'openSettings', setting },
  });
  switch (cause) {
    case 'address':
      return {
        button: settings('kimiChat.baseUrl', l10n.t('Change the address')),
        also: tryAgain(),
      };
    case 'proxyAddress':
    case 'proxyPassword':
      return { button: settings('http.proxy', l10n.t('Proxy settings')), also: tryAgain() };
    case 'proxy':
      return { button: tryAgain(), also: settings('http.proxy', l10n.t('Proxy settings')) };
    case 'certificate':
    case 'certificateName':
    case 'tls':
      return { button: tryAgain(), also: settings('http.', l10n.t('Network settings')) };
    case 'notHttp':
    case 'encoding':
      return { button: tryAgain(), also: settings('kimiChat.baseUrl', l10n.t('Change the address')) };
    case 'refused':
    case 'name':
    case 'timeout':
    case 'reset':
    case 'route':
    case 'certificateDate':
    case 'other':
      return { button: tryAgain() };
  }
}

function networkText(failure: Extract<Failure, { kind: 'network' }>): string {
  const sentence = networkCause(failure);
  return failure.sent ? l10n.flow(sentence, l10n.t('The request may have reached the service.')) : sentence;
}

/** Whatever happens on the way to a proxy is to be put right there. */
function proxyCauseOf(code: string): NetworkCause {
  const cause = causeOf(code);
  return cause === 'proxyPassword' || cause === 'proxyAddress' ? cause : 'proxy';
}

/** What hindered it; of a certificate that is not trusted, with whose it is. */
export function networkCause({ code, issuer, proxy }: Extract<Failure, { kind: 'network' }>): string {
  const cause = causeOf(code);
  if (proxy !== undefined) return proxyText(cause, proxy);
  if (issuer === undefined) return causeText(cause);
  switch (cause) {
    case 'certificate':
      return l10n.t(
        'The service’s certificate, issued by {0}, could not be verified. If that is your company’s, the system must know its certificate. Reload the window once it does.',
        issuer,
      );
    case 'certificateDate':
      return l10n.t(
        'The service’s certificate, issued by {0}, is not valid at present. Is this machine’s clock right?',
        issuer,
      );
    case 'certificateName':
      return l10n.t(
        'The certificate that was shown, issued by {0}, is for another address than the service’s.',
        issuer,
      );
    default:
      return causeText(cause);
  }
}

function proxyText(cause: NetworkCause, proxy: string): string {
  switch (cause) {
    case 'refused':
      return l10n.t('The proxy {0} refused the connection.', proxy);
    case 'name':
      return l10n.t('The proxy {0} was not found. Is this machine in the right network?', proxy);
    case 'timeout':
      return l10n.t('The proxy {0} did not answer in time.', proxy);
    case 'reset':
      return l10n.t('The proxy {0} closed the connection.', proxy);
    case 'route':
      return l10n.t('There is no way to the proxy {0} from this network.', proxy);
    case 'certificate':
    case 'certificateDate':
    case 'certificateName':
      return l10n.t('The certificate of the proxy {0} could not be verified.', proxy);
    case 'tls':
      return l10n.t('No secure connection to the proxy {0} could be agreed on.', proxy);
    case 'proxyPassword':
      return l10n.t('The proxy {0} wants a user name and a password.', proxy);
    case 'address':
    case 'proxyAddress':
    case 'proxy':
    case 'notHttp':
    case 'encoding':
    case 'other':
      return l10n.t('The proxy {0} did not let the connection through.', proxy);
  }
}

function causeText(cause: NetworkCause): string {
  switch (cause) {
    case 'address':
      return l10n.t('The base URL in the settings can’t be used.');
    case 'refused':
      return l10n.t('The service’s address refused the connection.');
    case 'name':
      return l10n.t('The service’s address was not found. Is this machine online?');
    case 'timeout':
      return l10n.t('The service did not answer the connection in time.');
    case 'reset':
      return l10n.t('The connection was cut.');
    case 'route':
      return l10n.t('There is no way to the service from this network. Is this machine online?');
    case 'certificate':
      return l10n.t(
        'The service’s certificate could not be verified. Behind a company’s proxy, its certificate must be known to the system.',
      );
    case 'certificateDate':
      return l10n.t('The service’s certificate is not valid at present. Is this machine’s clock right?');
    case 'certificateName':
      return l10n.t('The certificate that was shown is for another address than the service’s.');
    case 'tls':
      return l10n.t('No secure connection to the service could be agreed on. Does its address use https?');
    case 'proxyAddress':
      return l10n.t('The proxy in the settings is not an http or https address.');
    case 'proxyPassword':
      return l10n.t('The proxy wants a user name and a password.');
    case 'proxy':
      return l10n.t('The proxy did not let the connection through.');
    case 'notHttp':
      return l10n.t('Something answered at the service’s address, but not in HTTP.');
    case 'encoding':
      return l10n.t('The answer came in an encoding that can’t be read.');
    case 'other':
      return l10n.t('The service could not be reached.');
  }
}
