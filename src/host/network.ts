/**
 * Opens connections: through a proxy or not, with the right certificates, within a time, and gone at once when cancelled. Knows
 * neither the editor (settings come as plain values) nor what is said over a connection.
 *
 * Written by hand because the platform's ways fall short here: the editor's patched `fetch` cuts a silent answer after five
 * minutes, and undici's own proxy agent neither settles nor stops when a proxy hangs up or stays mute.
 */
import * as net from 'node:net';
import * as tls from 'node:tls';
import type { buildConnector } from 'undici';

import { proxyFor, type ProxySettings } from './proxyChoice.ts';

export interface NetworkSettings extends ProxySettings {
  /** `http.proxyAuthorization`: the whole value of the header. Wins over user and password in the proxy's address. */
  readonly proxyAuthorization: string | undefined;
  /** `http.proxyStrictSSL`. False accepts any certificate. */
  readonly strictSsl: boolean;
  /** `http.systemCertificates`. */
  readonly systemCertificates: boolean;
}

/** Everything before the request could be sent: nothing has been worked on. The reason is its `cause`. */
export class ConnectFailure extends Error {
  override readonly name = 'ConnectFailure';

  constructor(cause: unknown) {
    super('The connection could not be opened.', { cause });
  }
}

/** The proxy could not be reached, or did not let the request through. The reason is its `cause`. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
  /** Host and port of the proxy. */
  readonly proxy: string;

  constructor(proxy: string, cause: unknown) {
    super('The connection to the proxy failed.', { cause });
    this.proxy = proxy;
  }
}

/** The other side's certificate was judged and not trusted. `code` is Node's. */
export class UntrustedCertificate extends Error {
  override readonly name = 'UntrustedCertificate';
  readonly code: string;
  /** In the certificate's own words. */
  readonly issuer: string | undefined;

  constructor(message: string, code: string, issuer: string | undefined) {
    super(message);
    this.code = code;
    this.issuer = issuer;
  }
}

export class Network {
  readonly #settings: () => NetworkSettings;
  readonly #timeout: number;
  #certificates: readonly string[] | undefined;

  /** Settings are read for each connection, so changes need no reload. `timeout` (milliseconds) is for all steps together. */
  constructor(settings: () => NetworkSettings, timeout = 15_000) {
    this.#settings = settings;
    this.#timeout = timeout;
  }

  /** A connector for one undici client. Errors arrive as `ConnectFailure`; an abort destroys the socket at whatever step it is. */
  connector(signal: AbortSignal): buildConnector.connector {
    return ({ protocol, hostname, port }, callback) => {
      this.#open(
        { secure: protocol === 'https:', host: hostname, port: portOf(protocol, port) },
        signal,
      ).then(
        (socket) => {
          callback(null, socket);
        },
        (error: unknown) => {
          callback(new ConnectFailure(error), null);
        },
      );
    };
  }

  async #open(target: Target, signal: AbortSignal): Promise<net.Socket> {
    const settings = this.#settings();
    const scheme = target.secure ? 'https' : 'http';
    const proxy = proxyFor(new URL(`${scheme}://${authority(target)}`), settings);
    const steps = new Steps(signal, this.#timeout);
    try {
      let socket: net.Socket;
      if (proxy === undefined) {
        socket = await steps.connect(target);
      } else {
        socket = await this.#toProxy(proxy, target, settings, steps);
      }
      if (target.secure) socket = await steps.secure(socket, target, this.#tls(settings), settings.strictSsl);
      socket.setNoDelay(true);
      socket.setKeepAlive(true, 60_000);
      steps.finish();
      return socket;
    } catch (error) {
      steps.finish();
      steps.destroy();
      throw error;
    }
  }

  async #toProxy(proxy: URL, target: Target, settings: NetworkSettings, steps: Steps): Promise<net.Socket> {
    const at = targetOf(proxy);
    try {
      let socket = await steps.connect(at);
      if (at.secure) socket = await steps.secure(socket, at, this.#tls(settings), settings.strictSsl);
      await steps.tunnel(socket, target, authorization(proxy, settings));
      return socket;
    } catch (error) {
      throw new ProxyFailure(authority(at), error);
    }
  }

  #tls({ systemCertificates }: NetworkSettings): tls.ConnectionOptions {
    return {
      ALPNProtocols: ['http/1.1'],
      // Giving a list replaces Node's own, so both are given. Read once: on some systems it takes a second.
      ...(systemCertificates && this.#trusted()),
    };
  }

  #trusted(): tls.ConnectionOptions {
    this.#certificates ??= allCertificates();
    return this.#certificates.length === 0 ? {} : { ca: [...this.#certificates] };
  }
}

interface Target {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
}

/** The steps of opening one connection. Each rejects on an error, when the time is over and when the signal aborts. */
class Steps {
  #socket: net.Socket | undefined;
  #fail: ((error: Error) => void) | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #signal: AbortSignal;
  #ended: Error | undefined;

  constructor(signal: AbortSignal, timeout: number) {
    this.#signal = signal;
    this.#timer = setTimeout(() => {
      this.#end(coded('ETIMEDOUT', `No connection within ${timeout / 1000} s.`));
    }, timeout);
    signal.addEventListener('abort', this.#onAbort);
    if (signal.aborted) this.#onAbort();
  }

  connect({ host, port }: Target): Promise<net.Socket> {
    const socket = this.#own(net.connect({ host, port }));
    return this.#step(socket, (resolve) => {
      const onConnect = (): void => {
        resolve(socket);
      };
      socket.once('connect', onConnect);
      return () => socket.off('connect', onConnect);
    });
  }

  secure(
    raw: net.Socket,
    { host }: Target,
    options: tls.ConnectionOptions,
    strict: boolean,
  ): Promise<net.Socket> {
    // An address is no name: it goes without `servername`, and is compared with the certificate as `host`.
    const name = net.isIP(host) === 0 ? { servername: host } : {};
    // Judged below, before a byte is sent: Node itself would throw the certificate away before anybody can say whose it is.
    const judgedBelow = { rejectUnauthorized: false };
    const socket = this.#own(tls.connect({ ...options, ...name, ...judgedBelow, host, socket: raw }));
    // For as long as it lives: with older TLS the other side may come with another certificate at any time.
    socket.on('secureConnect', () => {
      if (strict && !socket.authorized) socket.destroy(distrust(socket));
    });
    return this.#step(socket, (resolve) => {
      const onSecure = (): void => {
        if (!socket.destroyed) resolve(socket);
      };
      socket.once('secureConnect', onSecure);
      return () => socket.off('secureConnect', onSecure);
    });
  }

  /** Speaks CONNECT by hand, because the editor replaces `node:http` with a version of its own. */
  tunnel(socket: net.Socket, target: Target, proxyAuthorization: string | undefined): Promise<void> {
    const to = authority(target);
    const lines = [`CONNECT ${to} HTTP/1.1`, `Host: ${to}`];
    if (proxyAuthorization !== undefined) lines.push(`Proxy-Authorization: ${proxyAuthorization}`);
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    return this.#step(socket, (resolve, reject) => {
      let head = Buffer.alloc(0);
      const onData = (chunk: Buffer): void => {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf('\r\n\r\n');
        const answer = end === -1 ? undefined : head.toString('latin1', 0, end);
        if (answer === undefined && head.length <= longestProxyHead) return;
        socket.pause();
        const refused = whyRefused(answer);
        if (refused !== undefined) {
          reject(refused);
          return;
        }
        if (head.length > end + 4) socket.unshift(head.subarray(end + 4));
        resolve();
      };
      socket.on('data', onData);
      return () => socket.off('data', onData);
    });
  }

  finish(): void {
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#onAbort);
  }

  destroy(): void {
    this.#socket?.destroy();
  }

  readonly #onAbort = (): void => {
    this.#end(coded('ABORT_ERR', 'Cancelled.'));
  };

  #end(error: Error): void {
    this.#ended ??= error;
    this.#fail?.(this.#ended);
  }

  #own<S extends net.Socket>(socket: S): S {
    this.#socket = socket;
    // What a socket still has to say after its step is over must not end the process.
    socket.on('error', () => undefined);
    return socket;
  }

  /** `arm` starts listening and returns how to stop. */
  #step<T>(
    socket: net.Socket,
    arm: (resolve: (value: T) => void, reject: (error: Error) => void) => () => void,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const onClose = (): void => {
        fail(coded('ECONNRESET', 'The other side closed the connection.'));
      };
      const stop = (): void => {
        disarm();
        socket.off('error', fail);
        socket.off('close', onClose);
        this.#fail = undefined;
      };
      const fail = (error: Error): void => {
        stop();
        reject(error);
      };
      const disarm = arm((value) => {
        stop();
        resolve(value);
      }, fail);
      socket.on('error', fail);
      socket.on('close', onClose);
      this.#fail = fail;
      if (this.#ended !== undefined) fail(this.#ended);
    });
  }
}

const longestProxyHead = 16 * 1024;

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Node's code, and whose certificate it is: the issuer is what has to be trusted, or is the company's proxy that nobody told of. */
function distrust(socket: tls.TLSSocket): Error {
  // Whatever their types say: Node gives the code alone, and of a certificate only what there is in it.
  const { subject, issuer, valid_from, valid_to }: Partial<tls.PeerCertificate> = socket.getPeerCertificate();
  const message =
    `The certificate of ${named(subject)} was issued by ${named(issuer)} and is valid ` +
    `from ${valid_from} to ${valid_to}.`;
  const names = namesOf(issuer);
  return new UntrustedCertificate(
    message,
    String(socket.authorizationError),
    names.length === 0 ? undefined : names.join(', '),
  );
}

function named(holder: tls.Certificate | undefined): string {
  const parts = namesOf(holder);
  return parts.length === 0 ? 'nobody named' : parts.map((part) => `“${part}”`).join(', ');
}

function namesOf(holder: tls.Certificate | undefined): readonly string[] {
  return [holder?.CN, holder?.O].flat().flatMap((part) => (part === undefined || part === '' ? [] : [part]));
}

/** Undefined when the proxy agreed. `answer` is the head of its answer, or undefined when that has no end. */
function whyRefused(answer: string | undefined): Error | undefined {
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(answer ?? '')?.[1];
  if (status === undefined) return coded('EPROXY', 'The proxy did not answer in HTTP.');
  if (status === '407') return coded('EPROXYAUTH', 'The proxy wants a user and a password (407).');
  return status.startsWith('2')
    ? undefined
    : coded('EPROXY', `The proxy refused the connection (${status}).`);
}

function portOf(protocol: string, port: string): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

function targetOf(url: URL): Target {
  return {
    secure: url.protocol === 'https:',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: portOf(url.protocol, url.port),
  };
}

function authority({ host, port }: Target): string {
  return `${net.isIPv6(host) ? `[${host}]` : host}:${port}`;
}

function authorization(proxy: URL, settings: NetworkSettings): string | undefined {
  if (settings.proxyAuthorization) return settings.proxyAuthorization;
  if (proxy.username === '' && proxy.password === '') return undefined;
  const user = `${unescaped(proxy.username)}:${unescaped(proxy.password)}`;
  return `Basic ${Buffer.from(user).toString('base64')}`;
}

/** A password may hold a `%` that nobody escaped: then it is meant as it stands. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Node's list with `NODE_EXTRA_CA_CERTS`, and the system's. None where that can't be had: then Node's own list counts. */
function allCertificates(): readonly string[] {
  try {
    return [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])];
  } catch {
    return [];
  }
}
