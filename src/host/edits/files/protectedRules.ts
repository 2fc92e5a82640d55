/**
 * Which files other programs obey or run, by their paths alone. Two degrees: what runs without anybody starting it on purpose takes a yes
 * of its own; what is run by its name, or read by models, is only never written unasked. Reads nothing.
 */

export type ProtectedWhy =
  | 'editor'
  | 'git'
  | 'server'
  | 'shell'
  | 'account'
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
    path: /(?:^|\/)\.(?:idea|fleet|zed|cursor|windsurf|claude|codex|gemini|kiro|devcontainer|vs|helix|nova|roo|cline|continue|opencode|amazonq|augment|junie|qwen|trae|vim|emacs\.d)\//iu,
    why: 'editor',
  },
  // The person's own settings, where the home folder or a part of it is open.
  {
    path: /(?:^|\/)(?:(?:\.config|Application Support|AppData\/Roaming)\/(?:Code|Code - Insiders|VSCodium|Cursor|Windsurf)\/User|\.vscode-(?:server|remote|insiders|oss|server-insiders)|\.config\/nvim)\//iu,
    why: 'editor',
  },
  { path: /(?:^|\/)(?:opencode\.jsonc?|\.aider\.conf\.ya?ml|[^/]+\.sublime-project)$/iu, why: 'editor' },
  { path: /(?:^|\/)(?:\.devcontainer|\.?mcp)\.json$/iu, why: 'editor' },
  {
    path: /(?:^|\/)\.(?:exrc|vimrc|gvimrc|lvimrc|nvimrc|nvim\.lua|lazy\.lua|emacs|dir-locals(?:-2)?\.el|gdbinit|lldbinit)$/iu,
    why: 'editor',
  },
  // Hooks run at each commit.
  {
    path: /(?:^|\/)(?:\.husky|\.lefthook(?:-local)?|\.config\/git|\.?git[-_]?hooks|\.git-?templates?)\//iu,
    why: 'git',
  },
  { path: /(?:^|\/)\.?(?:lefthook|pre-commit-config)(?:-local)?\.(?:ya?ml|toml|json)$/iu, why: 'git' },
  {
    path: /(?:^|\/)\.?(?:huskyrc|lintstagedrc|simple-git-hooks)(?:\.[cm]?js|\.json|\.ya?ml)?$/iu,
    why: 'git',
  },
  { path: /(?:^|\/)lint-staged\.config\.[cm]?[jt]s$/iu, why: 'git' },
  { path: /(?:^|\/)(?:\.overcommit\.ya?ml|captainhook\.json|prek\.toml|hk\.pkl)$/iu, why: 'git' },
  // With it and two folders any folder is a repository, of which Git obeys the configuration.
  { path: /(?:^|\/)(?:\.gitconfig|HEAD)$/iu, why: 'git' },
  // They name programs that only somebody's own configuration can define.
  { path: /(?:^|\/)\.git(?:attributes|modules)$/iu, why: 'git', milder: true },
  // These run on servers that hold secrets.
  { path: /(?:^|\/)\.(?:github|gitea|forgejo)\/(?:workflows|actions)\//iu, why: 'server' },
  {
    path: /(?:^|\/)(?:\.circleci|\.buildkite|\.woodpecker|\.teamcity|\.semaphore|\.harness|\.tekton|\.gitlab\/ci|\.?azure-pipelines)\//iu,
    why: 'server',
  },
  {
    path: /(?:^|\/)\.?(?:gitlab-ci|travis|drone|woodpecker|cirrus|azure-pipelines|bitbucket-pipelines|appveyor|cloudbuild|buildspec)(?:[-.][^/]+)?\.ya?ml$/iu,
    why: 'server',
  },
  { path: /(?:^|\/)(?:Jenkinsfile|netlify\.toml|vercel\.json)$/iu, why: 'server' },
  // A shell, or what hooks into one, reads them when it starts or enters the folder.
  {
    path: /(?:^|\/)\.(?:(?:bash|zsh|z|k|c|tc)(?:rc|env|_?profile|_?login|_?logout|_aliases)|profile|login|logout)$/iu,
    why: 'shell',
  },
  {
    path: /(?:^|\/)(?:\.envrc|\.inputrc|\.autoenv(?:\.zsh)?|\.Rprofile|\.Renviron|config\.fish|[^/]*profile\.ps1|(?:\.?mise|mise\/config)(?:\.[^/]+)?\.toml|\.rtx\.toml)$/iu,
    why: 'shell',
  },
  {
    path: /(?:^|\/)(?:\.mise|\.config\/(?:fish|powershell)|\.oh-my-(?:zsh|bash)|\.(?:bashrc|zshrc|profile)\.d)\//iu,
    why: 'shell',
  },
  // What a home folder has beside: what begins with the session, and how other machines are connected to.
  {
    path: /(?:^|\/)(?:\.ssh|\.gnupg|\.local\/bin|\.config\/(?:autostart|systemd|environment\.d)|Library\/Launch(?:Agents|Daemons)|Start Menu\/Programs\/Startup)\//iu,
    why: 'account',
  },
  {
    path: /(?:^|\/)\.(?:xinitrc|xprofile|xsession(?:rc)?|pam_environment|tmux\.conf|screenrc)$/iu,
    why: 'account',
  },
  // Where packages come from, and code that runs while they are installed.
  {
    path: /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.ya?ml)?|\.pnpmfile\.[cm]?js|pnpm-workspace\.yaml|bunfig\.toml|pip\.(?:conf|ini)|uv\.toml|\.pypirc|\.condarc|\.gemrc|nuget\.config|binding\.gyp)$/iu,
    why: 'packages',
  },
  {
    path: /(?:^|\/)(?:\.cargo|\.yarn\/(?:plugins|releases)|\.mvn|\.bundle|\.gradle|gradle\/wrapper)\//iu,
    why: 'packages',
  },
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
  { path: /(?:^|\/)package\.(?:json5|ya?ml)$/iu, why: 'scripts' },
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
