/**
 * Which files of a folder are left alone: nested `.gitignore` and `.kimiignore`, what the setting `files.exclude` hides, and
 * files that hold secrets by their name. Rules of a folder stand above those of the folders around it, and nothing below an ignored
 * folder comes back. Reads no disk.
 */
import ignore from 'ignore';

import { globFits, type Glob } from '../../core/tools/glob.ts';

/** The files with rules, the later one's above the earlier one's. */
export const ignoreFiles: readonly string[] = ['.gitignore', '.kimiignore'];

/**
 * Files that by their name hold keys and passwords. A repository may hold them by mistake, so that no ignore file need name them; the
 * person can still attach one. Samples of them are for reading.
 */
const secretName =
  /^(?:\.env(?:\..+)?|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx)|id_(?:rsa|dsa|ecdsa|ed25519)|\.(?:netrc|npmrc|pypirc|pgpass|git-credentials|htpasswd))$/i;
const sampleName = /\.(?:example|sample|template|dist)$/i;

/**
 * Where programs keep what they sign in with, in a workspace that is a home folder. Of folders that repositories have too, only the files
 * that hold it.
 */
const secretPlace =
  /(?:^|\/)(?:\.(?:ssh|gnupg|password-store)|\.config\/(?:gcloud|gh)|Library\/Keychains|\.aws\/(?:credentials|sso\/cache)|\.docker\/config\.json|\.kube\/(?:config|cache)|\.azure\/(?:accessTokens\.json|msal_token_cache[^/]*))(?:\/|$)/i;

/** Whether a file or folder is left alone whatever the rules say, by its path with `/`, of which a part at the beginning may be missing. */
export function holdsSecrets(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return secretPlace.test(path) || (secretName.test(name) && !sampleName.test(name));
}

/** Folders in which programs keep what they sign in with, and the system what processes hold in memory. */
const privateFolder =
  /\/(?:\.(?:git|ssh|gnupg|aws|azure|kube|docker|password-store)|\.config\/(?:gcloud|gh)|Library\/Keychains)(?:\/|$)/i;
const ofSystem = /^\/(?:proc|sys|dev)(?:\/|$)/;

/** Whether an absolute path, with `/`, leads to where keys and passwords are kept: nobody is asked about that. */
export function isPrivate(path: string): boolean {
  return ofSystem.test(path) || privateFolder.test(path) || holdsSecrets(path);
}

/**
 * Whether a path names another computer, or what Windows reaches in the same way. To look whether something is there already tells that
 * computer who is signed in here.
 */
export function isOfNetwork(path: string, platform: NodeJS.Platform): boolean {
  return platform === 'win32' && /^[\\/]{2}/.test(path);
}

/** Longest file with rules that is taken, in UTF-16 units. */
const maxRules = 1_000_000;

interface Level {
  /** The folder of the rules, with a slash behind, or empty. */
  readonly base: string;
  readonly rules: ReturnType<typeof ignore>;
}

/** What holds for the entries of one folder. Paths are relative to the place where the outermost rules are. */
export interface Rules {
  readonly caseInsensitive: boolean;
  /** Hidden by a setting; of paths below `prefix`. */
  readonly hidden: readonly Glob[];
  /** The workspace folder, with a slash behind, or empty. */
  readonly prefix: string;
  /** Outermost first. */
  readonly levels: readonly Level[];
}

export function noRules(prefix: string, hidden: readonly Glob[], caseInsensitive: boolean): Rules {
  return { caseInsensitive, hidden, prefix, levels: [] };
}

/** The rules with those that files in a folder have. `folder` has a slash behind, or is empty. */
export function withRules(rules: Rules, folder: string, texts: readonly string[]): Rules {
  const usable = texts.filter((text) => text.length <= maxRules && text.trim() !== '');
  if (usable.length === 0) return rules;
  const own = ignore({ ignorecase: rules.caseInsensitive });
  // One text may end in the middle of a line.
  for (const text of usable) own.add(text.replace(/^\uFEFF/, ''));
  return { ...rules, levels: [...rules.levels, { base: folder, rules: own }] };
}

/**
 * Undefined for what is left alone, and else the rules for what is in it. Asked of each folder from the outside in before what is in
 * it.
 */
export function admit(rules: Rules, path: string, isFolder: boolean): Rules | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  // A folder may be called as files with secrets are.
  if (name === '.git' || (isFolder ? secretPlace.test(path) : holdsSecrets(path))) return undefined;
  if (rules.hidden.length > 0 && path.startsWith(rules.prefix)) {
    const below = path.slice(rules.prefix.length);
    if (below !== '' && rules.hidden.some((glob) => globFits(glob, below))) return undefined;
  }
  const { levels } = rules;
  for (let at = levels.length - 1; at >= 0; at -= 1) {
    const { base, rules: own } = levels[at] as Level;
    const result = own.test(path.slice(base.length) + (isFolder ? '/' : ''));
    if (result.ignored) return undefined;
    // A folder that was taken back from outer rules is not to be lost to them again by what is in it.
    if (result.unignored) return isFolder ? { ...rules, levels: withTakenBack(rules, at, path) } : rules;
  }
  return rules;
}

/** The levels, each outer one with a rule more where it would leave this folder out. */
function withTakenBack({ levels, caseInsensitive }: Rules, until: number, folder: string): readonly Level[] {
  return levels.map((level, at) => {
    const below = folder.slice(level.base.length);
    if (at >= until || !level.rules.test(`${below}/`).ignored) return level;
    const literal = below.replaceAll(/[\\*?[\]\s]/g, '\\$&');
    return {
      base: level.base,
      rules: ignore({ ignorecase: caseInsensitive }).add(level.rules).add(`!/${literal}/`),
    };
  });
}
