/** Which links a text of the model may offer, and what must be shown beside them. Pure. */

export type LinkTarget =
  /** May be opened. `shown` is the true target, to stand beside the text; absent when the text itself says it. */
  | { readonly kind: 'open'; readonly href: string; readonly shown?: string }
  /** Not ours to open (a relative path, a scheme that runs something): the text stays text. */
  | { readonly kind: 'text'; readonly href: string };

/** `label` is the visible text of the link, as a person reads it. */
export function linkTarget(href: string, label: string): LinkTarget {
  const url = parse(href);
  if (url === undefined) return { kind: 'text', href };
  if (url.protocol === 'mailto:') {
    const address = url.pathname;
    return saysAddress(label, address)
      ? { kind: 'open', href: url.href }
      : { kind: 'open', href: url.href, shown: address };
  }
  if (saysUrl(label, url)) return { kind: 'open', href: url.href };
  return { kind: 'open', href: url.href, shown: url.host };
}

/** The host of an image's address, for the text that stands in its place; undefined when it has none. */
export function imageHost(href: string): string | undefined {
  const url = parse(href);
  return url === undefined || url.host === '' ? undefined : url.host;
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
