/**
 * Who may import whom in `src`, and what may stand nowhere, checked on the text of the files. Compiler and linter check most of
 * this too; this is here so that a linter which silently skips files is noticed, and for what neither can express.
 */
import { lineAt, type SourceFile } from './sourceTree.ts';

export interface Problem {
  readonly rule: Rule;
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

export type Rule =
  | 'core'
  | 'protocol'
  | 'vscode'
  | 'undici'
  | 'network'
  | 'processes'
  | 'webview'
  | 'layers'
  | 'acquireVsCodeApi'
  | 'markup'
  | 'workspace writes'
  | 'unchecked JSON'
  | 'module state'
  | 'suppression'
  | 'first line'
  | 'names'
  | 'plain text';

/** @returns every breach, in the order of the files */
export function problemsIn(files: readonly SourceFile[]): Problem[] {
  return files.flatMap((file) => [...importProblems(file), ...textProblems(file)]);
}

/** What each folder of core may import beside itself; the first prefix that fits a file is the one that counts. */
const coreMayImport: readonly (readonly [folder: string, ...allowed: string[]])[] = [
  ['src/core/responses/', 'src/core/result.ts', 'src/core/cancel.ts', 'valibot', 'eventsource-parser'],
  [
    'src/core/patch/',
    'src/core/result.ts',
    'src/core/lines.ts',
    'src/core/workspacePath.ts',
    'src/core/cancel.ts',
    'node-diff3',
  ],
  [
    'src/core/conversation/',
    'src/core/responses/',
    'src/core/tools/tool.ts',
    'src/core/result.ts',
    'src/core/cancel.ts',
    'src/core/cutAt.ts',
    'src/core/shownName.ts',
    'valibot',
  ],
  ['src/core/secrets/'],
  [
    'src/core/journal/',
    'src/core/conversation/',
    'src/core/responses/',
    'src/core/result.ts',
    'src/core/cutAt.ts',
    'valibot',
  ],
  [
    'src/core/cost/',
    'src/core/responses/',
    'src/core/conversation/conversation.ts',
    'src/core/conversation/requestLog.ts',
    'src/core/result.ts',
    'valibot',
  ],
  [
    'src/core/tools/tool.ts',
    'src/core/conversation/conversation.ts',
    'src/core/responses/wire.ts',
    'src/core/result.ts',
    'src/core/cancel.ts',
  ],
  [
    'src/core/tools/',
    'src/core/patch/',
    'src/core/conversation/conversation.ts',
    'src/core/responses/wire.ts',
    'src/core/result.ts',
    'src/core/lines.ts',
    'src/core/workspacePath.ts',
    'src/core/shownName.ts',
    'src/core/cancel.ts',
    'valibot',
  ],
];

const webviewLibraries = ['preact', 'marked', 'lowlight', 'temml', 'highlight.js'];
/** Of the workspace, and of the folders that VS Code gives the extension. */
const writers = [
  'src/host/edits/files/workspaceWrites.ts',
  'src/host/ownStorage.ts',
  'src/host/replaceFile.ts',
  'src/host/saveExport.ts',
  'src/host/cost/ledger.ts',
  'src/host/journal/',
];
/** Of `node:fs`, and of its promises. */
const readsOnly = [
  'constants',
  'access',
  'lstat',
  'readdirSync',
  'readFile',
  'readFileSync',
  'realpath',
  'stat',
  'statfs',
];
/** Opens files by itself, and for reading: what else could be opened so is seen by looking at this one file. */
const opener = 'src/host/tools/diskWalk.ts';
const opens = ['openSync', 'readSync', 'fstatSync', 'closeSync'];
/** Where a socket may be opened, with undici or with what Node has for it. */
const networkFiles = ['src/host/network.ts', 'src/host/kimiClient.ts'];
const sockets = /^(?:node:)?(?:https?|http2|net|tls|dgram|dns)(?:\/.*)?$/;
/** What runs another program or other code, and what gets at modules behind this file's back. */
const processes = /^(?:node:)?(?:child_process|cluster|worker_threads|vm|module|repl|inspector)(?:\/.*)?$/;

/** The files that search, each with the one thing that it may take to start a thread or a program. */
const starters: Readonly<Record<string, readonly [module: string, name: string]>> = {
  'src/host/tools/searchThread.ts': ['node:worker_threads', 'Worker'],
  'src/host/tools/searchWorker.ts': ['node:worker_threads', 'parentPort'],
  'src/host/tools/ripgrep.ts': ['node:child_process', 'spawn'],
};

const webviewMayTake = [
  'reduce',
  'waitsForReview',
  'openApproval',
  'isUndecidedState',
  'canBeDecided',
  'mayBeBilled',
  'endsInText',
  'roundOf',
  'models',
  'modelRow',
  'effortFor',
];

function importProblems({ path, imports }: SourceFile): Problem[] {
  const problems: Problem[] = [];
  for (const { line, specifier, target, values } of imports) {
    const report = (rule: Rule): void => void problems.push({ rule, file: path, line, text: specifier });

    if (path.startsWith('src/core/') && !coreAllows(path, target)) report('core');

    if (path.startsWith('src/protocol/') && !within(target, ['src/protocol/', 'src/core/', 'valibot']))
      report('protocol');

    if (target === 'vscode' && !within(path, ['src/host/', 'src/extension.ts'])) report('vscode');

    if (within(target, ['undici']) && !networkFiles.includes(path)) report('undici');

    if (sockets.test(target) && !networkFiles.includes(path)) report('network');

    if (processes.test(target)) {
      const [module, name] = starters[path] ?? [];
      if (target !== module || !values.every((each) => each === name)) report('processes');
    }

    if (path.startsWith('src/webview/')) {
      const conversation = target.startsWith('src/core/conversation/');
      const others = ['src/webview/', 'src/protocol/', 'src/core/cost/', ...webviewLibraries];
      if (!conversation && !within(target, others)) report('webview');
      else if (conversation && !values.every((name) => webviewMayTake.includes(name))) report('webview');
    }

    const writer = within(path, writers);
    const files = /^(?:node:)?fs(?:\/promises)?$/.test(target);
    if (target === 'src/host/replaceFile.ts' && !writer) report('workspace writes');
    const reads = path === opener ? [...readsOnly, ...opens] : readsOnly;
    if (files && !writer && !values.every((name) => reads.includes(name))) report('workspace writes');

    // Nothing outside src is known in src (a package is no path), nothing knows the entry, the host knows no panel.
    const relative = specifier.startsWith('.');
    if (relative && !target.startsWith('src/')) report('layers');
    if (target === 'src/extension.ts') report('layers');
    if (within(path, ['src/host/', 'src/extension.ts']) && target.startsWith('src/webview/'))
      report('layers');
  }
  return problems;
}

function coreAllows(path: string, target: string): boolean {
  const row = coreMayImport.find(([folder]) => path.startsWith(folder));
  // The ground files know only each other.
  if (row === undefined) return /^src\/core\/[^/]+$/.test(target);
  const [folder, ...allowed] = row;
  const own = folder.endsWith('/') ? folder : folder.slice(0, folder.lastIndexOf('/') + 1);
  return within(target, [own, ...allowed]);
}

/** Is it one of these files, in one of these folders (written with a slash at the end) or of one of these packages? */
function within(path: string, places: readonly string[]): boolean {
  return places.some((place) => path === place || path.startsWith(place.endsWith('/') ? place : `${place}/`));
}

/** What may not stand in the code (comments apart), and the files in which it may. */
const nowhere: readonly { rule: Rule; pattern: RegExp; in: string; but?: readonly string[] }[] = [
  { rule: 'acquireVsCodeApi', pattern: /\bacquireVsCodeApi\b/g, in: 'src/', but: ['src/webview/host.ts'] },
  {
    // Preact sets a property named innerHTML from JSX, which no linter rule looks at.
    rule: 'markup',
    pattern:
      /\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|setHTMLUnsafe|createContextualFragment|srcdoc|srcDoc|DOMParser|document\.write)\b/g,
    in: 'src/',
  },
  {
    // `delete` and `rename` by the object they are called on: as bare property names they are everywhere. Methods of these
    // names may be declared, as a file system provider must.
    rule: 'workspace writes',
    pattern:
      /\.\s*(?:applyEdit|writeFile)\b|\bfs\s*\??\.\s*(?:delete|rename|copy|createDirectory)\b|\bworkspace\s*\??\.\s*fs\b(?!\s*\??\.)/g,
    in: 'src/',
    // The second writes where a save dialog says, and nowhere else.
    but: ['src/host/edits/files/workspaceWrites.ts', 'src/host/saveExport.ts'],
  },
  {
    // An editor changes its document without a workspace edit. The one thing a person asks for so: code put at the cursor.
    rule: 'workspace writes',
    pattern: /\.\s*edit\s*\(|\.\s*insertSnippet\b/g,
    in: 'src/',
    but: ['src/host/chat/intents.ts'],
  },
  {
    // Nothing a model writes is run: no task, no module that was not imported above.
    rule: 'processes',
    pattern: /\b(?:executeTask|startDebugging|getBuiltinModule|createRequire)\b/g,
    in: 'src/',
  },
  {
    // Commands that the person allowed run in the one place that opens terminals, and nowhere else.
    rule: 'processes',
    pattern: /\b(?:createTerminal|sendText)\b/g,
    in: 'src/',
    but: ['src/host/terminal/terminals.ts', 'src/host/terminal/terminalRun.ts'],
  },
  // What was read is `unknown` until a schema or a guard has looked at it.
  { rule: 'unchecked JSON', pattern: /\bJSON\.parse\(.*\)\s+as\s+(?!unknown\b)/g, in: 'src/' },
  { rule: 'module state', pattern: /^(?:export\s+)?let\s/gm, in: 'src/' },
];

/** In the comments: a rule with a list of exceptions is no rule. */
const suppression =
  /(?:oxlint|eslint)-disable|@ts-(?:ignore|expect-error|nocheck)|prettier-ignore|c8 ignore|v8 ignore/g;

function textProblems(file: SourceFile): Problem[] {
  const { path, text, code } = file;
  const problems: Problem[] = [];
  const at = (rule: Rule, index: number, found: string): void =>
    void problems.push({ rule, file: path, line: lineAt(text, index), text: found.trim() });

  for (const { rule, pattern, in: folder, but } of nowhere) {
    if (!path.startsWith(folder) || but?.includes(path) === true) continue;
    for (const match of code.matchAll(pattern)) at(rule, match.index, match[0]);
  }
  for (const match of text.matchAll(suppression)) at('suppression', match.index, match[0]);
  if (!/^(?:\/\*\*|\/\/)/.test(text)) at('first line', 0, text.slice(0, 60));
  const nameless = /(?:^|\/)(?:utils?|helpers?|common|misc|shared|\w*[mM]anager)(?:\.tsx?$|\/)/.exec(path);
  if (nameless) at('names', 0, nameless[0]);
  // Everything that can be misread on the way (a byte order mark, CR, bidirectional overrides) is written as an escape.
  const odd = /[\uFEFF\r\u202A-\u202E\u2066-\u2069]/.exec(text);
  if (odd)
    at('plain text', odd.index, `U+${odd[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`);
  return problems;
}
