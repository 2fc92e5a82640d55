/** Which proxy, if any, stands between us and an address: plain settings in, an address out. Opens nothing. */
import { isLoopback } from './address.ts';

export interface ProxySettings {
  /** False when `http.proxySupport` is `off`: no proxy is used, whatever else is set. */
  readonly proxySupport: boolean;
  /** `http.proxy`; empty when it is not set. Wins over the environment. */
  readonly proxy: string;
  /** `http.noProxy`. */
  readonly noProxy: readonly string[];
  /** Of the process: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`, in either case. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The proxy for an address, or undefined to go there directly. Loopback is never proxied. Throws for a proxy that is not an http(s) URL. */
export function proxyFor(target: URL, settings: ProxySettings): URL | undefined {
  if (!settings.proxySupport || isLoopback(target.hostname)) return undefined;
  const env = (name: string): string =>
    settings.environment[name.toLowerCase()] ?? settings.environment[name] ?? '';
  const own = settings.proxy.trim();
  const schemeProxy = target.protocol === 'https:' ? env('HTTPS_PROXY') : '';
  const proxy = own || schemeProxy || env('HTTP_PROXY') || env('ALL_PROXY');
  if (proxy === '') return undefined;
  const exceptions = [...settings.noProxy, ...env('NO_PROXY').split(/[\s,]+/)];
  if (exceptions.some((pattern) => excepts(pattern.trim().toLowerCase(), target))) return undefined;

  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw Object.assign(new Error('The proxy is not an http or https address.'), { code: 'EPROXYADDRESS' });
  }
  return url;
}

/** `*`, `host`, `.domain`, `*.domain`, each with or without a port. A bare name also stands for what is below it. */
function excepts(pattern: string, target: URL): boolean {
  if (pattern === '') return false;
  if (pattern === '*') return true;
  const [, rawHost = '', port] = /^(.*?)(?::(\d+))?$/.exec(pattern) ?? [];
  const isIpv6 = pattern.includes('::') || /^\[.*\]/.test(pattern);
  const host = (isIpv6 ? pattern.replace(/^\[|\](?::\d+)?$/g, '') : rawHost).replace(/^\*?\./, '');
  const targetPort = target.port || (target.protocol === 'https:' ? '443' : '80');
  if (!isIpv6 && port !== undefined && port !== targetPort) return false;
  const name = target.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return name === host || name.endsWith(`.${host}`);
}
