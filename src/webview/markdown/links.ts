/** Which links a text of the model may offer, and what must be shown beside them. Pure. */

export type LinkTarget =
  /**
   * May be opened. `shown` is the true target, to stand beside the text; absent when the text itself says it. `misleads` is the host
   * that the text or the beginning of the address names, where that is another.
   */
  | { readonly kind: 'open'; readonly href: string; readonly shown?: string; readonly misleads?: string }
  /** Not ours to open (a relative path, a scheme that runs something): the text stays text. */
  | { readonly kind: 'text'; readonly href: string };

/** `label` is the visible text of the link, as a person reads it. */
export function linkTarget(href: string, label: string): LinkTarget {
  const url = parse(href);
  if (url === undefined) return { kind: 'text', href };
  if (url.protocol === 'mailto:') {
    const address = url.pathname;
    // Behind the address may stand whom else it goes to, and what it says.
    return saysAddress(label, address) && url.search === ''
      ? { kind: 'open', href: url.href }
      : { kind: 'open', href: url.href, shown: decodeName(address + url.search) };
  }
  if (saysUrl(label, url)) return { kind: 'open', href: url.href };
  const misleads = otherHost(label, url);
  return {
    kind: 'open',
    href: url.href,
    shown: hostText(url.host),
    ...(misleads !== undefined && { misleads }),
  };
}

/** A host with letters beyond ASCII in both ways of writing it: alike letters of other scripts are told apart only by one of them. */
export function hostText(host: string): string {
  const read = host
    .split('.')
    .map((label) => (label.startsWith('xn--') ? (decodePunycode(label.slice(4)) ?? label) : label))
    .join('.');
  return read === host ? host : `${host}, ${read}`;
}

/** Endings that a text means as an address, and not as a file or a name (`README.md`, `main.rs`, `Node.js`). */
const endings =
  /\.(?:com|org|net|edu|gov|mil|int|info|biz|io|dev|app|ai|co|me|cc|tv|xyz|site|online|cloud|test|example|us|uk|de|fr|nl|it|es|eu|ch|at|se|no|fi|dk|pl|cz|ru|ua|cn|jp|kr|tw|hk|sg|in|au|nz|ca|br|mx)$/i;

function otherHost(label: string, url: URL): string | undefined {
  // As it is read: with dots of other scripts, and without what is drawn as nothing.
  const text = label
    .normalize('NFKC')
    .replaceAll('\u3002', '.')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  const addresses = text.matchAll(/https?:\/\/(\[[\da-f:.]+\]|[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*)/giu);
  const names = text.matchAll(/((?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]{2,})/giu);
  const said = [
    ...[...addresses].map(([, host = '']) => host),
    ...[...names].map(([host]) => host).filter((host) => /^www\./i.test(host) || endings.test(host)),
  ];
  // What stands in front of an `@` is no part of the host, and reads as if it were.
  if (url.username.includes('.')) said.push(decodeName(url.username));
  return said.find((host) => !isWithin(url.hostname, host));
}

/** The host itself, one below it, or the same without `www.`. */
function isWithin(host: string, said: string): boolean {
  const bare = said.toLowerCase().replace(/^www\./, '');
  return host === bare || host.endsWith(`.${bare}`);
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** RFC 3492 with the numbers it sets for host names; undefined for what is none. */
export function decodePunycode(text: string): string | undefined {
  const dash = text.lastIndexOf('-');
  const output = [...text.slice(0, Math.max(0, dash))];
  let code = 128;
  let bias = 72;
  let index = 0;
  for (let at = dash + 1; at < text.length;) {
    const start = index;
    for (let weight = 1, step = 36; ; step += 36) {
      const digit = digitOf(text.charAt(at));
      if (digit === undefined) return undefined;
      at += 1;
      index += digit * weight;
      const threshold = Math.min(26, Math.max(1, step - bias));
      if (digit < threshold) break;
      weight *= 36 - threshold;
      if (weight > 0x7fffffff) return undefined;
    }
    const length = output.length + 1;
    bias = adapted(index - start, length, start === 0);
    code += Math.floor(index / length);
    index %= length;
    if (code > 0x10ffff) return undefined;
    output.splice(index, 0, String.fromCodePoint(code));
    index += 1;
  }
  return output.join('');
}

function digitOf(char: string): number | undefined {
  if (/^[a-z]$/i.test(char)) return char.toLowerCase().charCodeAt(0) - 97;
  return /^\d$/.test(char) ? Number(char) + 26 : undefined;
}

function adapted(delta: number, length: number, first: boolean): number {
  let left = Math.floor(delta / (first ? 700 : 2));
  left += Math.floor(left / length);
  let bias = 0;
  for (; left > 455; bias += 36) left = Math.floor(left / 35);
  return bias + Math.floor((36 * left) / (left + 38));
}

/** The host of an image's address, for the text that stands in its place; undefined when it has none. */
export function imageHost(href: string): string | undefined {
  const url = parse(href);
  return url === undefined || url.host === '' ? undefined : hostText(url.host);
}

function parse(href: string): URL | undefined {
  const trimmed = href.trim();
  // Without a scheme it is relative to nothing.
  if (!/^(https?:\/\/|mailto:)/i.test(trimmed)) return undefined;
  try {
    const url = new URL(trimmed);
    return url.protocol === 'mailto:' && url.pathname === '' ? undefined : url;
  } catch {
    return undefined;
  }
}

/** True only when reading the label tells where the link leads: the same address, in plain characters, nothing before the host. */
function saysUrl(label: string, url: URL): boolean {
  if (url.username !== '' || url.password !== '') return false;
  const said = label.trim();
  if (!/^[\x21-\x7e]+$/.test(said)) return false;
  const bare = (address: string): string =>
    address
      .replace(/^https?:\/\//i, '')
      .replace(/\/$/, '')
      .toLowerCase();
  return bare(said) === bare(url.href) || bare(said) === url.host.toLowerCase();
}

function saysAddress(label: string, address: string): boolean {
  const said = label.trim().replace(/^mailto:/i, '');
  return /^[\x21-\x7e]+$/.test(said) && said.toLowerCase() === address.toLowerCase();
}
