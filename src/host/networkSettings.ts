/** The editor's own network settings, as plain values for `network.ts`. */
import type { NetworkSettings } from './network.ts';
import { personValue } from './settings.ts';

/** Read anew for each connection, so that changes need no reload. */
export function networkSettings(): NetworkSettings {
  const noProxy = personValue('http', 'noProxy');
  const authorization = text('proxyAuthorization');
  return {
    proxySupport: personValue('http', 'proxySupport') !== 'off',
    proxy: text('proxy'),
    noProxy: Array.isArray(noProxy) ? noProxy.filter((one) => typeof one === 'string') : [],
    environment: process.env,
    proxyAuthorization: authorization === '' ? undefined : authorization,
    strictSsl: personValue('http', 'proxyStrictSSL') !== false,
    systemCertificates: personValue('http', 'systemCertificates') !== false,
  };
}

function text(name: string): string {
  const value = personValue('http', name);
  return typeof value === 'string' ? value.trim() : '';
}
