/** Which paths are those of files that others run or obey, and how strictly they are asked about. */
import assert from 'node:assert/strict';

import { protectionOf, type ProtectedWhy } from '../../../src/host/edits/files/protectedRules.ts';

const of = (...paths: string[]): string | undefined => {
  const found = protectionOf(paths);
  return found && `${found.why}${found.takesSecondYes ? '' : ' (milder)'}`;
};

describe('a protected path', () => {
  const table: readonly (readonly [ProtectedWhy | `${ProtectedWhy} (milder)`, ...string[]])[] = [
    [
      'editor',
      ...['app/.vscode/tasks.json', 'app/.vscode/settings.json', 'app/.vscode/launch.json'],
      ...['app/.vscode/extensions.json', 'app/.vscode/mcp.json', 'app/deep/.vscode/x', '.vscode/tasks.json'],
      ...['app/x.code-workspace', 'app/.devcontainer/Dockerfile', 'app/.devcontainer.json', 'app/.mcp.json'],
      ...['app/mcp.json', 'app/.idea/workspace.xml', 'app/.claude/settings.json', 'app/.exrc'],
      ...['me/.config/Code/User/settings.json', 'me/.vscode-server/data/Machine/settings.json', 'me/.emacs'],
      ...[
        'me/.config/nvim/init.lua',
        'app/opencode.json',
        'app/.helix/languages.toml',
        'app/x.sublime-project',
      ],
      // As disks that do not tell letters apart have it, and those of other forms.
      ...['app/.VSCode/Tasks.json', 'app/.v\u017fcode/tasks.json', 'app/.ｖscode/tasks.json'],
    ],
    [
      'git',
      ...[
        'app/.husky/pre-commit',
        'app/.githooks/x',
        'app/git-hooks/x',
        'app/lefthook.yml',
        'app/.lefthook-local.toml',
      ],
      ...[
        'app/.pre-commit-config.yaml',
        'app/.lintstagedrc',
        'app/lint-staged.config.mjs',
        'app/.simple-git-hooks.cjs',
      ],
      ...['app/.gitconfig', 'app/.hus\u212Ay/pre-commit', 'app/x/HEAD', 'app/head', 'me/.config/git/config'],
      ...['app/.lefthook/pre-commit/x.sh', 'app/git_hooks/x', 'app/.overcommit.yml'],
    ],
    ['git (milder)', 'app/.gitattributes', 'app/sub/.gitmodules'],
    [
      'server',
      ...[
        'app/.github/workflows/ci.yml',
        'app/.GitHub/Actions/a/action.yml',
        'app/.gitlab-ci.yml',
        'app/Jenkinsfile',
      ],
      ...[
        'app/azure-pipelines-release.yml',
        'app/.gitlab/ci/build.yml',
        'app/netlify.toml',
        'app/vercel.json',
      ],
      ...['app/.circleci/config.yml', 'app/azure-pipelines.yaml', 'app/.travis.yml', 'app/cloudbuild.yaml'],
    ],
    [
      'shell',
      'app/.bashrc',
      'app/.zshenv',
      'app/.bash_profile',
      'app/.profile',
      'app/.envrc',
      'app/mise.local.toml',
      ...['me/.zprofile', 'me/.zlogin', 'me/.bash_aliases', 'me/.login', 'me/.config/fish/conf.d/x.fish'],
      ...['app/.mise/config.toml', 'app/.config/mise/config.toml', 'app/.Rprofile'],
    ],
    [
      'account',
      ...['me/.ssh/config', 'me/.ssh/authorized_keys', 'me/.config/autostart/x.desktop', 'me/.local/bin/git'],
      ...['me/Library/LaunchAgents/x.plist', 'me/.config/systemd/user/x.service', 'me/.xprofile'],
    ],
    [
      'packages',
      'app/.npmrc',
      'app/.yarnrc.yml',
      'app/.yarn/releases/y.cjs',
      'app/.pnpmfile.cjs',
      'app/.cargo/config.toml',
      ...['app/pnpm-workspace.yaml', 'app/NuGet.Config', 'app/binding.gyp'],
      ...['app/gradle/wrapper/gradle-wrapper.properties', 'me/pip/pip.ini'],
    ],
    ['reading', 'app/.kimiignore', 'app/src/.KimiIgnore'],
    [
      'instructions (milder)',
      ...['app/AGENTS.md', 'app/src/agents.md', 'app/CLAUDE.local.md', 'app/.cursorrules'],
      ...['app/.github/copilot-instructions.md', 'app/.github/prompts/fix.prompt.md'],
    ],
    ['scripts', 'app/package.json5', 'app/package.yaml'],
    ['scripts (milder)', 'app/Makefile', 'app/GNUmakefile', 'app/justfile', 'app/Taskfile.yml'],
  ];
  for (const [expected, ...paths] of table) {
    for (const path of paths) it(`${path} is one for ${expected}`, () => assert.equal(of(path), expected));
  }

  it('is none of those that only look like them', () => {
    const others = [
      ...[
        'app/vscode/a.ts',
        'app/.vscode.ts',
        'app/.vscodeignore',
        'app/.github/README.md',
        'app/src/makefile.ts',
      ],
      ...[
        'app/profile.ts',
        'app/npmrc.md',
        'app/git/hooks.ts',
        'app/.gitignore',
        'app/package.json',
        'app/eslint.config.js',
      ],
      ...[
        'app/.env',
        'app/src/code/user/a.ts',
        'app/mise/a.ts',
        'app/src/head.ts',
        'app/.sshd/x',
        'app/login',
      ],
      ...['app/src/hooks/useHook.ts', 'app/my-agents.md', 'app/Dockerfile', 'app/config/travis.ts'],
    ];
    for (const path of others) assert.equal(of(path), undefined, path);
  });

  it('is one for the strictest reason of all that it is called', () => {
    assert.equal(of('app/Makefile', 'app/.husky/pre-commit'), 'git');
    assert.equal(of('app/plain.txt', 'app/Makefile'), 'scripts (milder)');
    assert.equal(of(), undefined);
  });
});
