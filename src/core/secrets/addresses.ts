/** Passwords within addresses: `scheme://user:password@host`. Pure. */
import { looksMadeUp } from './madeUp.ts';
import type { Secret } from './secret.ts';

/** Longest that is looked at, in UTF-16 units. */
const longestScheme = 24;
const credentials = /([^\s:@/?#"'`<>\\|,;]{0,128}):([^\s/?#"'`<>\\@]{4,256})@(?=[\w[$%{])/y;

/** What the examples of every database say. A password that is the user's name is one of them too. */
const common =
  /^(?:pass(?:w(?:or)?d)?\d{0,4}|pwd|secret|admin|root|user(?:name)?|test(?:ing)?\d{0,4}|guest|postgres|mysql|mongo(?:db)?|redis|rabbit(?:mq)?|example|changeme|token|key|localhost|\d+)$/i;

export function* addressSecrets(text: string): Generator<Secret, void, undefined> {
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    const from = at + 3;
    credentials.lastIndex = from;
    const found = credentials.exec(text);
    if (found === null) continue;
    const [, user = '', password = ''] = found;
    if (password === user || common.test(password) || isStandIn(password) || looksMadeUp(password)) continue;
    const scheme = /[A-Za-z][A-Za-z0-9+.-]*$/.exec(text.slice(Math.max(0, at - longestScheme), at));
    if (scheme === null) continue;
    const end = credentials.lastIndex - 1;
    yield {
      kind: 'connectionString',
      start: at - scheme[0].length,
      end,
      parts: [{ start: end - password.length, end }],
    };
  }
}

/** Something that a program or a person puts the password in the place of. */
function isStandIn(password: string): boolean {
  return /^[$%{[(]|^[A-Z_]+$|^[*•x]+$/.test(password) || /[(){}]/.test(password);
}
