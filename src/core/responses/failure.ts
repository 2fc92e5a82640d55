/**
 * The closed set of ways in which a turn can fail. Data only: the sentences and buttons live with the panel, in one table
 * over `kind`. Never match on `message`.
 */
export type Failure =
  | { readonly kind: 'noKey' }
  | { readonly kind: 'badKey'; readonly message: string }
  | { readonly kind: 'forbidden'; readonly message: string }
  | { readonly kind: 'modelUnknown'; readonly message: string }
  | { readonly kind: 'outOfQuota'; readonly message: string }
  /** `retryAfter` in milliseconds from the moment of the answer, when the server gave one. */
  | { readonly kind: 'rateLimited'; readonly message: string; readonly retryAfter?: number }
  | {
      readonly kind: 'overloaded';
      readonly message: string;
      readonly status: number;
      readonly retryAfter?: number;
    }
  | { readonly kind: 'contextTooLong'; readonly message: string }
  | { readonly kind: 'contentFilter'; readonly message: string }
  /** It takes no search in the web, or not as it was offered. */
  | { readonly kind: 'noWebSearch'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string; readonly status: number }
  | { readonly kind: 'serverError'; readonly message: string; readonly status: number }
  /** `code` is the platform's (`ECONNREFUSED`, `ENOTFOUND`, …); `sent` is true once the request may have been worked on. */
  | {
      readonly kind: 'network';
      readonly code: string;
      readonly message: string;
      readonly sent: boolean;
      /** The certificate was judged, and is not trusted: so it will be when asked again. */
      readonly untrusted?: true;
      /** Host and port of the proxy, when it failed there and not at the service. */
      readonly proxy?: string;
      /** Who issued the certificate that was not trusted, in the certificate's own words. */
      readonly issuer?: string;
    }
  /** No byte for `seconds`. */
  | { readonly kind: 'silence'; readonly seconds: number }
  /** The stream ended without a terminal event, or could not be read. `detail` is for the log and a tooltip. */
  | { readonly kind: 'brokenStream'; readonly detail: string }
  /** Not sent: exactly this was refused before, for a reason that is in the request itself. `message` is what the server said then. */
  | { readonly kind: 'unchanged'; readonly message: string }
  /** Not sent: it would have gone beyond what the person set. Amounts in US dollars. */
  | {
      readonly kind: 'spendingLimit';
      readonly scope: 'day' | 'conversation';
      readonly limit: number;
      readonly spent: number;
      /** Of this request, at least. */
      readonly expected: number;
    }
  /** The model kept calling tools; the turn was ended after `rounds` requests. */
  | { readonly kind: 'tooManyRounds'; readonly rounds: number }
  /** Our fault. `detail` holds an error name and message, never content. */
  | { readonly kind: 'bug'; readonly detail: string };

export type FailureKind = Failure['kind'];
