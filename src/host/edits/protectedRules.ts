/**
 * Which files other programs obey or run, by their paths alone. Two degrees: what runs without anybody starting it on purpose takes a yes
 * of its own; what is run by its name, or read by models, is only never written unasked. Reads nothing.
 */

export type ProtectedWhy =
  | 'editor'
  | 'git'
  | 'server'
  | 'shell'
  | 'packages'
  | 'scripts'
  | 'reading'
  | 'instructions'
  | 'hidden'
  | 'shared';

export interface Protection {
  readonly why: ProtectedWhy;
  /** Accepted only by a yes that is about this file and says why, never along with others. */
  readonly takesSecondYes: boolean;
}

interface Rule {
  /** Against the path with slashes, the name of the workspace folder in front; the case of letters does not count. */
  readonly path: RegExp;
  readonly why: ProtectedWhy;
  readonly milder?: true;
}

/**
 * `package.json` is looked at apart: the file itself changes all the time. Code that tools load, such as a configuration written in
 * JavaScript, is code like all the rest.
 */
const rules: readonly Rule[] = [
  // Tasks, launch configurations and settings name programs that the editor starts.
  { path: /(?:^|\/)\.vscode\//iu, why: 'editor' },
  { path: /\.code-workspace$/iu, why: 'editor' },
  {
    path: /(?:^|\/)\.(?:idea|fleet|zed|cursor|windsurf|claude|codex|gemini|kiro|devcontainer)\//iu,
    why: 'editor',
  },
  { path: /(?:^|\/)(?:\.devcontainer|\.?mcp)\.json$/iu, why: 'editor' },
  { path: /(?:^|\/)\.(?:exrc|vimrc|nvimrc|nvim\.lua|dir-locals\.el|gdbinit|lldbinit)$/iu, why: 'editor' },
  // Hooks run at each commit.
  { path: /(?:^|\/)(?:\.husky|\.githooks|githooks|\.git-hooks|git-hooks|\.git_hooks)\//iu, why: 'git' },
  { path: /(?:^|\/)\.?(?:lefthook|pre-commit-config)(?:-local)?\.(?:ya?ml|toml|json)$/iu, why: 'git' },
  {
    path: /(?:^|\/)\.?(?:huskyrc|lintstagedrc|simple-git-hooks)(?:\.[cm]?js|\.json|\.ya?ml)?$/iu,
    why: 'git',
  },
  { path: /(?:^|\/)lint-staged\.config\.[cm]?[jt]s$/iu, why: 'git' },
  { path: /(?:^|\/)\.gitconfig$/iu, why: 'git' },
  // They name programs that only somebody's own configuration can define.
  { path: /(?:^|\/)\.git(?:attributes|modules)$/iu, why: 'git', milder: true },
  // These run on servers that hold secrets.
  { path: /(?:^|\/)\.(?:github|gitea|forgejo)\/(?:workflows|actions)\//iu, why: 'server' },
  { path: /(?:^|\/)\.(?:circleci|buildkite|woodpecker)\//iu, why: 'server' },
  {
    path: /(?:^|\/)\.?(?:gitlab-ci|travis|drone|woodpecker|cirrus|azure-pipelines|bitbucket-pipelines|appveyor|cloudbuild|buildspec)\.ya?ml$/iu,
    why: 'server',
  },
  { path: /(?:^|\/)Jenkinsfile$/iu, why: 'server' },
  // A shell, or what hooks into one, reads them when it starts or enters the folder.
  { path: /(?:^|\/)\.(?:bash|zsh|k|c|tc)(?:rc|env|_?profile|_?login|_?logout)$/iu, why: 'shell' },
  {
    path: /(?:^|\/)(?:\.profile|\.envrc|\.inputrc|config\.fish|[^/]*profile\.ps1|\.?mise(?:\.[^/]+)?\.toml)$/iu,
    why: 'shell',
  },
  // Where packages come from, and code that runs while they are installed.
  {
    path: /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.ya?ml)?|\.pnpmfile\.[cm]?js|bunfig\.toml|pip\.conf|\.pypirc)$/iu,
    why: 'packages',
  },
  { path: /(?:^|\/)(?:\.cargo|\.yarn\/(?:plugins|releases)|\.mvn)\//iu, why: 'packages' },
  // They say what the model may not read.
  { path: /(?:^|\/)\.kimiignore$/iu, why: 'reading' },
  // What models are told with every question, this one included.
  {
    path: /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI)(?:\.local|\.override)?\.md$/iu,
    why: 'instructions',
    milder: true,
  },
  { path: /(?:^|\/)\.cursorrules$/iu, why: 'instructions', milder: true },
  {
    path: /(?:^|\/)\.github\/(?:copilot-instructions\.md$|(?:prompts|instructions|agents|chatmodes)\/)/iu,
    why: 'instructions',
    milder: true,
  },
  // Run by a short name that nobody looks behind, but not before somebody does.
  { path: /(?:^|\/)(?:GNU|BSD)?makefile$/iu, why: 'scripts', milder: true },
  { path: /(?:^|\/)\.?(?:justfile|taskfile(?:\.dist)?\.ya?ml)$/iu, why: 'scripts', milder: true },
];

/** The strictest of what holds for any of these paths. */
export function protectionOf(paths: readonly string[]): Protection | undefined {
  // Some disks take a composed letter, and one of another form, for the plain one.
  const folded = paths.map((path) => path.normalize('NFKC'));
  const held = rules.filter(({ path: pattern }) => folded.some((path) => pattern.test(path)));
  const rule = held.find(({ milder }) => milder !== true) ?? held[0];
  return rule && { why: rule.why, takesSecondYes: rule.milder !== true };
}
