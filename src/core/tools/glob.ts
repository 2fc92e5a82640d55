/**
 * Globs over paths with `/`, matched in a time that grows with pattern times path and never faster: a pattern comes from a model.
 * `*`, `?` and `[…]` stay within a name, `**` spans folders, `{a,b}` is either. Without a `/` a glob fits a name in any folder. What
 * fits a folder fits everything in it.
 */
import { err, ok, type Result } from '../result.ts';

export interface Glob {
  readonly text: string;
  readonly alternatives: readonly (readonly Segment[])[];
}

/** `undefined` spans any number of folders. */
type Segment = readonly Token[] | undefined;
type Token = { readonly kind: 'star' } | { readonly kind: 'one'; fits(character: string): boolean };

/** Alternatives that one pattern may spell out with braces. */
const maxAlternatives = 100;

/** The glob, or what is wrong with it. */
export function parseGlob(text: string): Result<Glob, string> {
  const spelled = expandBraces(text.replaceAll('\\', '/'));
  if (spelled === undefined) return err('has too many alternatives in its braces');
  return ok({ text, alternatives: spelled.map(segmentsOf) });
}

/** Those that can be read, for where nobody waits to hear what is wrong with the others. */
export function parseGlobs(texts: readonly string[]): Glob[] {
  return texts.flatMap((text) => {
    const glob = parseGlob(text);
    return glob.ok ? [glob.value] : [];
  });
}

/** @param path relative, without a slash at either end */
export function globFits({ alternatives }: Glob, path: string): boolean {
  const names = path.split('/');
  return alternatives.some((segments) => fitsSegments(segments, names));
}

function expandBraces(text: string): string[] | undefined {
  let done = [''];
  for (let at = 0; at < text.length;) {
    const end = text[at] === '{' ? closing(text, at) : -1;
    const options = end < 0 ? [text[at] as string] : [];
    if (end >= 0) {
      for (const option of optionsIn(text.slice(at + 1, end))) {
        const inner = expandBraces(option);
        if (inner === undefined) return undefined;
        options.push(...inner);
      }
    }
    if (done.length * options.length > maxAlternatives) return undefined;
    done = done.flatMap((start) => options.map((option) => start + option));
    at = end < 0 ? at + 1 : end + 1;
  }
  return done;
}

/** Where the brace at `open` closes; below zero where it does not. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}' && --depth === 0) return at;
  }
  return -1;
}

function optionsIn(text: string): string[] {
  const options = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (character === ',' && depth === 0) options.push('');
    else options.push((options.pop() as string) + character);
  }
  return options;
}

function segmentsOf(text: string): Segment[] {
  const anchored = /^\.?\//.test(text) || /\/[^/]/.test(text);
  const names = text.split('/').filter((name) => name !== '' && name !== '.');
  const segments = names.map((name): Segment => (name === '**' ? undefined : tokensOf(name)));
  return anchored ? segments : [undefined, ...segments];
}

function tokensOf(name: string): Token[] {
  const tokens: Token[] = [];
  const characters = [...name];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] as string;
    const end = character === '[' ? characters.indexOf(']', at + 2) : -1;
    if (character === '*') tokens.push({ kind: 'star' });
    else if (character === '?') tokens.push({ kind: 'one', fits: () => true });
    else if (end > 0) {
      tokens.push({ kind: 'one', fits: classOf(characters.slice(at + 1, end)) });
      at = end;
    } else tokens.push({ kind: 'one', fits: (one) => one === character });
  }
  return tokens;
}

function classOf(inside: readonly string[]): (character: string) => boolean {
  const negated = inside[0] === '!' || inside[0] === '^';
  const listed = inside.slice(negated ? 1 : 0);
  return (character) => {
    for (let at = 0; at < listed.length; at += 1) {
      const from = listed[at] as string;
      const to = listed[at + 1] === '-' ? listed[at + 2] : undefined;
      if (to !== undefined) at += 2;
      if (character >= from && character <= (to ?? from)) return !negated;
    }
    return negated;
  };
}

/** Only the last `**` is gone back to: an earlier one could do nothing that this one can't. */
function fitsSegments(segments: readonly Segment[], names: readonly string[]): boolean {
  return fits(segments, names, {
    spans: (segment) => segment === undefined,
    one: (segment, name) => fitsName(segment as readonly Token[], name),
    // Every name left belongs to a folder that fits.
    rest: true,
  });
}

function fitsName(tokens: readonly Token[], name: string): boolean {
  return fits(tokens, [...name], {
    spans: ({ kind }) => kind === 'star',
    one: (token, character) => token.kind === 'one' && token.fits(character),
    rest: false,
  });
}

interface Fitting<P, T> {
  readonly spans: (part: P) => boolean;
  readonly one: (part: P, thing: T) => boolean;
  /** Things may be left when the pattern is at its end. */
  readonly rest: boolean;
}

function fits<P, T>(
  pattern: readonly P[],
  things: readonly T[],
  { spans, one, rest }: Fitting<P, T>,
): boolean {
  let at = 0;
  let thing = 0;
  let span = -1;
  let spanned = 0;
  for (;;) {
    if (at === pattern.length && (rest || thing === things.length)) return true;
    if (at < pattern.length && spans(pattern[at] as P)) {
      span = at;
      spanned = thing;
      at += 1;
    } else if (thing === things.length) {
      return false;
    } else if (at < pattern.length && one(pattern[at] as P, things[thing] as T)) {
      at += 1;
      thing += 1;
    } else if (span >= 0) {
      spanned += 1;
      at = span + 1;
      thing = spanned;
    } else {
      return false;
    }
  }
}
