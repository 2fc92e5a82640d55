/** From a platform's error to a `Failure`. The code that tells what happened is often a few causes deep. */
import type { Failure } from '../core/responses/failure.ts';
import { ConnectFailure, ProxyFailure, UntrustedCertificate } from './network.ts';

export function networkFailure(error: unknown): Failure {
  const chain = causes(error);
  const telling = chain.findLast((each) => codeOf(each) !== undefined) ?? chain.at(-1);
  const { name, message } = telling instanceof Error ? telling : new Error(String(telling));
  const code = codeOf(telling) ?? (isEarlyEnd(name, message) ? 'ECONNRESET' : name);
  const proxy = chain.find((each) => each instanceof ProxyFailure)?.proxy;
  const untrusted = telling instanceof UntrustedCertificate ? telling : undefined;
  // Whatever fails before there is a connection has not reached the server; anything later may have.
  return {
    kind: 'network',
    code,
    message: message || code,
    sent: !chain.some((each) => each instanceof ConnectFailure),
    ...(proxy !== undefined && { proxy }),
    ...(untrusted !== undefined && { untrusted: true }),
    ...(untrusted?.issuer !== undefined && { issuer: untrusted.issuer }),
  };
}

/** A connection that is closed between two chunks of an answer passes for a fault of its grammar, without a code. */
function isEarlyEnd(name: string, message: string): boolean {
  return name === 'HTTPParserError' && message.includes('Invalid EOF state');
}

/** The error, what caused it, and so on. Of several attempts (one an address of the host) the first stands for all. */
function causes(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let each = error; each instanceof Error && chain.length < 8; each = nextCause(each)) chain.push(each);
  return chain.length === 0 ? [error] : chain;
}

function nextCause(error: Error): unknown {
  return error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined);
}

function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code !== '' ? code : undefined;
}
