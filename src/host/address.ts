/** The service's address as settings give it: what is allowed, and which origin a key belongs to. Knows no editor and no socket. */
import { err, ok, type Result } from '../core/result.ts';

/** The service's own default; the API's reference names it as the better one for text and long connections. */
export const defaultBaseUrl = 'https://direct.evolink.ai';

/** The service's other address for the same models. */
export const defaultFallbackUrl = 'https://api.evolink.ai';

export interface ServiceAddress {
  /** Scheme, host and port: what a key is kept for. */
  readonly origin: string;
  /** Where requests go. */
  readonly responsesUrl: string;
  /** On this machine: needs no key, and never gets one that was given for another origin. */
  readonly loopback: boolean;
  /** EvoLink's own: only there do its keys belong, and its account and its pages help. */
  readonly evolink: boolean;
}

export type AddressProblem = 'notAUrl' | 'notHttps' | 'credentials' | 'queryOrHash';

/**
 * Reads a base URL. Plain http is refused except on loopback, since it would carry the key in clear text; user info, query
 * and fragment are refused since they make an address look like another one. A trailing `/v1` is accepted and not doubled.
 */
export function readAddress(baseUrl: string): Result<ServiceAddress, AddressProblem> {
  let url: URL;
  try {
    url = new URL(baseUrl.trim());
  } catch {
    return err('notAUrl');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return err('notAUrl');
  if (url.username !== '' || url.password !== '') return err('credentials');
  if (url.search !== '' || url.hash !== '') return err('queryOrHash');
  const loopback = isLoopback(url.hostname);
  if (url.protocol === 'http:' && !loopback) return err('notHttps');
  const path = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '');
  const evolink = url.hostname === 'evolink.ai' || url.hostname.endsWith('.evolink.ai');
  return ok({ origin: url.origin, responsesUrl: `${url.origin}${path}/v1/responses`, loopback, evolink });
}

/**
 * Where a request may go instead, or undefined. Only from one of EvoLink's own addresses to another: the key goes along, and it
 * belongs to nobody else.
 */
export function readFallback(address: ServiceAddress, fallbackUrl: string): ServiceAddress | undefined {
  const other = readAddress(fallbackUrl);
  if (!other.ok || other.value.origin === address.origin) return undefined;
  return isEvoLink(address.origin) && isEvoLink(other.value.origin) ? other.value : undefined;
}

/** `origin` as `URL` gives it; another port or scheme is another origin. */
function isEvoLink(origin: string): boolean {
  return /^https:\/\/[a-z0-9-]+\.evolink\.ai$/.test(origin);
}

/** `hostname` as `URL` gives it: lower case, IPv6 in brackets, IPv4 normalised to four decimal numbers. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
