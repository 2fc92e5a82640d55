/**
 * Finds what looks like a secret in a text of any kind and size, in time that grows with its length alone. What it can't know it leaves: a
 * hash, an id or a random name is none unless something beside it says so. Pure.
 */
import { addressSecrets } from './addresses.ts';
import { namedSecrets } from './assignments.ts';
import { keyBlocks, keyEnds } from './keyBlocks.ts';
import type { Secret } from './secret.ts';
import { serviceSecrets } from './services.ts';

/** Shorter ones are words. */
const shortestOwn = 8;

/**
 * @param own keys that the extension itself uses: found whatever stands around them
 * @returns in the order of the text, none over another
 */
export function findSecrets(text: string, own: Iterable<string> = []): readonly Secret[] {
  // Of those that begin at the same place the first stays: what is told by its form says more than what is told by its name.
  const all = [
    ...ownSecrets(text, own),
    ...keyBlocks(text),
    ...keyEnds(text),
    ...serviceSecrets(text),
    ...addressSecrets(text),
    ...namedSecrets(text),
  ];
  const taken: Secret[] = [];
  let end = 0;
  for (const { secret, from } of all
    .map((secret, rank) => ({ secret, rank, from: beginningOf(secret) }))
    .toSorted((a, b) => a.from - b.from || a.rank - b.rank)) {
    if (from < end) {
      taken.push(withPartsOf(taken.pop()!, secret));
      continue;
    }
    taken.push(secret);
    end = secret.end;
  }
  return taken;
}

/** Between the lines of a key something else may stand that is secret: it is blotted out with the key. */
function withPartsOf(secret: Secret, inside: Secret): Secret {
  const more = inside.parts.filter(
    (part) =>
      part.end <= secret.end &&
      secret.parts.every(({ start, end }) => part.end <= start || part.start >= end),
  );
  if (more.length === 0) return secret;
  return { ...secret, parts: [...secret.parts, ...more].toSorted((a, b) => a.start - b.start) };
}

/** Where the thing itself begins: before it stands a name or an address, of which nobody knows what it is the name of. */
function beginningOf({ kind, start, parts }: Secret): number {
  const isNamed = kind === 'password' || kind === 'assignment' || kind === 'connectionString';
  return isNamed ? parts[0]!.start : start;
}

function* ownSecrets(text: string, own: Iterable<string>): Generator<Secret, void, undefined> {
  for (const key of new Set(own)) {
    if (key.length < shortestOwn) continue;
    for (let start = text.indexOf(key); start !== -1; start = text.indexOf(key, start + key.length)) {
      const end = start + key.length;
      yield { kind: 'ownKey', start, end, parts: [{ start, end }] };
    }
  }
}

/** What must not be seen of it, by which it is known again wherever it stands. */
export function secretValue(text: string, { parts }: Secret): string {
  return parts.map(({ start, end }) => text.slice(start, end)).join('\n');
}
