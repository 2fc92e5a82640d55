/** What a name promises of its value. Pure. */

/** By which measure the value is judged. */
export type NamedKind = 'password' | 'assignment';

/** Words that make something else of it: a setting, a place, a description, something that everybody may see. */
const harmless = new Set(
  (
    'public pub name names id ids type types path file files dir folder url uri endpoint host header headers prefix suffix length len ' +
    'size count label title hint field fields column index hash hashed digest checksum expiry expires expiration ttl limit max min regex ' +
    'pattern placeholder policy page cancellation continuation sync cursor idempotency cache primary foreign partition sort design color ' +
    'css class error message text format version algorithm alg provider manager service store handler validator required enabled ' +
    'source kind ref reference arn fingerprint thumbprint sha etag revision commit integrity publishable anon site measurement tracking'
  ).split(' '),
);

/** Before `key`: a key that opens something. */
const opening = new Set(
  (
    'api access private auth encryption encrypt signing sign secret master account storage app application license subscription shared ' +
    'service deploy webhook ssh admin session server client jwt cookie hmac aes'
  ).split(' '),
);

const passwords = /(?:^|[a-z])(?:password|passwd|passphrase|passwort)$|^pwd$|^pass$/;
const keys =
  /(?:^|[a-z])(?:secret|token|apikey|authkey|secretkey|accesskey|privatekey|credential|credentials)$/;

/** Undefined when the name is one of something that may be seen. */
export function kindOfName(name: string): NamedKind | undefined {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
  if (words.some((word) => harmless.has(word))) return undefined;
  if (words.some((word) => passwords.test(word))) return 'password';
  const isKey = words.some(
    (word, at) => keys.test(word) || (word === 'key' && opening.has(words[at - 1] ?? '')),
  );
  return isKey || /^_?auth$/i.test(name) ? 'assignment' : undefined;
}
