/**
 * A path inside the workspace, or the reason why there is none. Lexical only: links and the disk are the business of whoever reads
 * the file, so a path that passes here may still be refused there.
 */
import { isOfGit, looksLikeAnother, misleads } from './misleadingNames.ts';
import { err, ok, type Result } from './result.ts';

/** A file inside a workspace folder, by the folder's index and a relative path with `/`. Made only by `resolvePath`. */
export interface WorkspacePath {
  readonly root: number;
  readonly relative: string;
  /** As people and the model name it: relative, with the root's name in front when there are several roots. */
  readonly display: string;
}

/** A workspace folder, in the order of the workspace; its index is `WorkspacePath.root`. */
export interface Root {
  /** As the workspace shows it. */
  readonly name: string;
  /** Absolute, as the platform writes it: `/home/me/app`, `C:\app`, `\\server\share\app`. */
  readonly path: string;
  /** True where `A.txt` and `a.txt` are one file (Windows, usually macOS). */
  readonly caseInsensitive: boolean;
}

/** What Linux allows; other systems allow less. */
const maxPathLength = 4_096;

export type PathFault =
  /** It leads out of every workspace folder, or names another place altogether (home, another drive, an address). */
  | 'outside'
  /** Inside a repository's own `.git`. */
  | 'protected'
  | 'empty'
  /** It names a folder. */
  | 'folder'
  /** A name that the platform reads as something else (a device, a stream, a name without its last dot), or that misleads people. */
  | 'name'
  /** Several workspace folders could be meant. Not decided here, since it takes the disk to know: see `resolvePath`. */
  | 'whichFolder'
  /** No folder is open. */
  | 'noFolder';

/**
 * The places a written path can mean: one, or one a workspace folder when there are several folders and the path does not begin with
 * the name of one; then the folder that has the file is meant, and a caller that finds none or several must refuse with
 * `whichFolder`. `\` is read as `/`; `.` and `..` are resolved without asking the disk; an absolute path must lie in a folder.
 */
export function resolvePath(
  written: string,
  roots: readonly Root[],
): Result<readonly WorkspacePath[], PathFault> {
  return resolve(written, roots, 'file');
}

/** The same for a folder; `relative` is empty for a workspace folder itself, and `display` then its name or, of a single one, `.`. */
export function resolveFolder(
  written: string,
  roots: readonly Root[],
): Result<readonly WorkspacePath[], PathFault> {
  return resolve(written, roots, 'folder');
}

function resolve(
  written: string,
  roots: readonly Root[],
  what: 'file' | 'folder',
): Result<readonly WorkspacePath[], PathFault> {
  if (roots.length === 0) return err('noFolder');
  if (written === '') return err('empty');
  if (written.length > maxPathLength) return err('name');
  const text = written.replaceAll('\\', '/');
  if (text === '~' || text.startsWith('~/') || /^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return err('outside');
  const path = parsePath(text);
  if (!path) return err('outside');

  const candidates = path.prefix === '' ? relativeTo(path.segments, roots) : absoluteIn(path, roots);
  if (candidates.length === 0) return err('outside');
  for (const { root, segments } of candidates) {
    const folder = segments.length === 0 || text.endsWith('/');
    const fault = folder && what === 'file' ? 'folder' : faultOfNames(segments, root);
    if (fault) return err(fault);
  }
  return ok(
    candidates.map(({ root, segments }) => {
      const relative = segments.join('/');
      return {
        root: roots.indexOf(root),
        relative,
        display: displayOf(relative, root, roots),
      };
    }),
  );
}

/** How people and the model name a place in a folder of the workspace. */
export function displayOf(relative: string, root: Root, roots: readonly Root[]): string {
  if (roots.length === 1) return relative === '' ? '.' : relative;
  const folder = labelOf(root, roots);
  return relative === '' ? folder : `${folder}/${relative}`;
}

/** What one of several folders is called: its whole path where another one has its name as well. */
export function labelOf(root: Root, roots: readonly Root[]): string {
  const isShared = roots.some((other) => other !== root && other.name === root.name);
  return isShared ? root.path.replaceAll('\\', '/') : root.name;
}

/** Two paths with the same key are one file. */
export function pathKey(path: WorkspacePath, roots: readonly Root[]): string {
  return `${path.root}:${roots[path.root]?.caseInsensitive ? fold(path.relative) : path.relative}`;
}

interface ParsedPath {
  /** Empty for a relative path; otherwise `/`, a drive such as `c:/`, or `//` for a share. */
  readonly prefix: string;
  readonly segments: readonly string[];
}

interface Candidate {
  readonly root: Root;
  readonly segments: readonly string[];
}

/** Undefined when `..` leads above the start, or for a drive without a folder (`C:a.txt`), which depends on the process. */
function parsePath(text: string): ParsedPath | undefined {
  const prefix = /^(?:[a-z]:\/|\/\/?)/i.exec(text)?.[0] ?? '';
  if (prefix === '' && /^[a-z]:/i.test(text)) return undefined;
  const segments: string[] = [];
  for (const segment of text.slice(prefix.length).split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return { prefix: prefix.toLowerCase(), segments };
}

function relativeTo(segments: readonly string[], roots: readonly Root[]): readonly Candidate[] {
  if (roots.length === 1) return roots.map((root) => ({ root, segments }));
  const named = roots.flatMap((root) => {
    const name = root.name.split('/');
    return begins(segments, name, root.caseInsensitive)
      ? [{ root, segments: segments.slice(name.length) }]
      : [];
  });
  return named.length > 0 ? named : roots.map((root) => ({ root, segments }));
}

/** The innermost folder that holds the path. */
function absoluteIn(path: ParsedPath, roots: readonly Root[]): readonly Candidate[] {
  let best: Candidate | undefined;
  for (const root of roots) {
    const base = parsePath(root.path.replaceAll('\\', '/'));
    if (base?.prefix !== path.prefix || !begins(path.segments, base.segments, root.caseInsensitive)) continue;
    const segments = path.segments.slice(base.segments.length);
    if (!best || segments.length < best.segments.length) best = { root, segments };
  }
  return best ? [best] : [];
}

function begins(segments: readonly string[], start: readonly string[], caseInsensitive: boolean): boolean {
  const same = caseInsensitive ? fold : (name: string) => name;
  return start.every((name, at) => segments[at] !== undefined && same(segments[at]) === same(name));
}

/** File systems that ignore case also take a composed and a decomposed accent for one. */
function fold(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

const device = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i;

function faultOfNames(segments: readonly string[], root: Root): PathFault | undefined {
  const windows = /^(?:[a-z]:|[\\/]{2})/i.test(root.path);
  for (const segment of segments) {
    if (isOfGit(segment, { shortNames: windows })) return 'protected';
    if (misleads(segment) || looksLikeAnother(segment)) return 'name';
    if (windows && (/[<>:"|?*]|[. ]$/.test(segment) || device.test(segment.replace(/ *(?:[.:].*)?$/, ''))))
      return 'name';
  }
  return undefined;
}
