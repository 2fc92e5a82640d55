/**
 * Names of files and texts that are not what they look like: signs that draw nothing or turn the direction of writing, and letters that
 * stand in for others. Knows no disk; what a name is compared with is the business of whoever asks.
 */

/**
 * Controls, line and paragraph separators, marks and overrides of direction, signs without a width, fillers, annotations, tags, the
 * variation selectors that text has no use for, and halves of characters.
 */
const unseen =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|\p{Cs}/u;

/** Joiners belong between letters of scripts that need them and within emoji: beside a sign of ASCII they only hide. */
const idleJoiner = /(?:^|[\u0000-\u007f])[\u200c\u200d]|[\u200c\u200d](?:$|[\u0000-\u007f])/u;

/** Whether a path can be shown as another one than it is, because of signs in it that are not seen. */
export function misleads(path: string): boolean {
  return unseen.test(path) || idleJoiner.test(path);
}

/** Signs that some file systems leave out when they compare names. */
const leftOut = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Whether a name, not a path, is that of a repository's own folder, also as Windows and macOS take others for it. */
export function isOfGit(name: string, { shortNames }: { readonly shortNames: boolean }): boolean {
  const plain = name.replace(leftOut, '').replace(/[. ]+$/, '');
  return /^\.git$/i.test(plain) || (shortNames && /^git~\d+$/i.test(plain));
}

/** Signs drawn like those that a path is made of, and letters drawn like those of `.git`. The others are found by their normal form. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '/': '\u2044\u2215\u2571\u27cb\u29f8\u3033',
    '\\': '\u2216\u27cd\u29f5\u29f9\ufe68',
    '.': '\u0701\u0702\u2024\u2e33\ua4f8\ua60e',
    g: '\u0261\u0581\u050d\u1d83',
    i: '\u0131\u0269\u03b9\u0456\u04cf\u1d09\u2170\ua647',
    t: '\u03c4\u0442\u1d1b',
  }).flatMap(([sign, others]) => [...others].map((other) => [other, sign] as const)),
);

/** Whether a name looks like a way out of its folder, or like that of a repository's own folder, and is neither. */
export function looksLikeAnother(name: string): boolean {
  if (/^[ -~]*$/.test(name)) return false;
  const drawn = [...name.toLowerCase().normalize('NFKC')]
    .map((sign) => lookAlikes.get(sign) ?? sign)
    .join('');
  return drawn.split(/[\\/]/).some((part) => {
    const plain = part.replace(/^ +|[ .]+$/g, '');
    return (plain === '' && /^ *\.{1,2} *$/.test(part)) || plain === '.git';
  });
}

/**
 * Signs that are not seen, as `misleads` knows them, but for those that texts are laid out with and those that whole scripts are written
 * with. Some languages end a line, and with it a comment, where an editor draws none.
 */
const hiddenInText =
  /(?!^\ufeff)[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u115f\u1160\u180e\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|(?<=[\u0000-\u007f])\u200b|\u200b(?=[\u0000-\u007f])/u;

/**
 * The first sign in the lines that a text has and another has not by which they may read as something else than they are.
 *
 * @returns the line, from 1, and the code point; undefined where there is none
 */
export function hiddenIn(
  text: string,
  before: string,
): { readonly line: number; readonly codePoint: number } | undefined {
  if (!hiddenInText.test(text)) return undefined;
  const known = new Set(before.split(/\r?\n/));
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (known.has(line)) continue;
    const found = hiddenInText.exec(index === 0 ? line.replace(/^\ufeff/, '') : line)?.[0];
    const codePoint = found?.codePointAt(0);
    if (codePoint !== undefined) return { line: index + 1, codePoint };
  }
  return undefined;
}
