/** Asks where a block of code belongs, never guesses it, and makes an edit of it. Touches no file: the edit is proposed. */
import { basename } from 'node:path/posix';
import * as vscode from 'vscode';

import type { FileEdit, WorkspacePath } from '../../core/patch/editPlan.ts';
import { lineReplacements } from '../../core/patch/lineDiff.ts';
import type { FilesPort } from '../../core/tools/applyPatchPorts.ts';
import { resolvePath } from '../../core/workspacePath.ts';
import { asWholeFile, withCode, type TextRange } from '../edits/review/codeBlockText.ts';
import { withLineEnds } from '../edits/files/documentText.ts';
import { refusal } from '../edits/files/sentences.ts';
import type { CodeProposals } from './codeProposals.ts';
import { editorInFront } from './editorInFront.ts';

export interface CodeToApply {
  /** Names the block in the panel. */
  readonly from: string;
  readonly text: string;
  /** Of the file that it is for, as the model wrote it. */
  readonly name: string | undefined;
}

export interface ApplyCodeParts {
  readonly files: FilesPort;
  readonly code: CodeProposals;
}

/** In UTF-16 units; a diff of more is nothing that anyone reviews. */
const longest = 1_000_000;

type Choice =
  | {
      readonly kind: 'cursor' | 'selection';
      readonly path: WorkspacePath;
      readonly editor: vscode.TextEditor;
      /** As it was when the place was offered, and of which state of the document it speaks. */
      readonly selection: vscode.Selection;
      readonly version: number;
    }
  | { readonly kind: 'whole'; readonly path: WorkspacePath }
  | { readonly kind: 'new' };

/** Resolves with what hinders it, in words for the person; undefined when it is proposed or was called off. */
export async function applyCode(code: CodeToApply, parts: ApplyCodeParts): Promise<string | undefined> {
  const { files } = parts;
  if (code.text.trim() === '') return vscode.l10n.t('There is no code in this block.');
  if (code.text.length > longest) return vscode.l10n.t('This block is too long for a diff. Copy it instead.');
  if (files.roots().length === 0) return vscode.l10n.t('Open a folder first: code is applied to its files.');
  if (!vscode.workspace.isTrusted) return refusal('untrusted').note;
  const editor = editorInFront();
  const choice = await choose(choices(code, files, editor), editor);
  if (choice === undefined) return undefined;
  switch (choice.kind) {
    case 'cursor':
    case 'selection':
      return intoEditor(code, choice, parts);
    case 'whole':
      return asFile(code, choice.path, parts);
    case 'new': {
      const path = await askName(code, files);
      return path === undefined ? undefined : asFile(code, path, parts);
    }
  }
}

interface Item extends vscode.QuickPickItem {
  readonly choice: Choice;
}

function choices(code: CodeToApply, files: FilesPort, editor: vscode.TextEditor | undefined): Item[] {
  const items: Item[] = [];
  const named = code.name === undefined ? undefined : pathOf(code.name, files);
  const open = editor === undefined ? undefined : pathOfDocument(editor.document, files);
  if (editor !== undefined && open !== undefined) {
    const { selection } = editor;
    const { start, end, active, isEmpty } = selection;
    const place = { path: open, editor, selection, version: editor.document.version };
    if (!isEmpty) {
      const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
      items.push({
        label: vscode.l10n.t('Over the selection'),
        description:
          last === start.line + 1
            ? vscode.l10n.t('{0}, line {1}', open.display, last)
            : vscode.l10n.t('{0}, lines {1} to {2}', open.display, start.line + 1, last),
        choice: { kind: 'selection', ...place },
      });
    }
    items.push(
      {
        label: vscode.l10n.t('At the cursor'),
        description: vscode.l10n.t('{0}, line {1}', open.display, active.line + 1),
        choice: { kind: 'cursor', ...place },
      },
      {
        label: vscode.l10n.t('As the whole file'),
        description: open.display,
        choice: { kind: 'whole', path: open },
      },
    );
  }
  if (named !== undefined && named.display !== open?.display) {
    items.push({
      label: vscode.l10n.t('As the whole file'),
      description: vscode.l10n.t('{0}, named in the answer', named.display),
      choice: { kind: 'whole', path: named },
    });
  }
  items.push({
    label: vscode.l10n.t('As a new file…'),
    ...(code.name !== undefined && { description: code.name }),
    choice: { kind: 'new' },
  });
  return items;
}

async function choose(items: Item[], editor: vscode.TextEditor | undefined): Promise<Choice | undefined> {
  const places = items.some(({ choice }) => choice.kind === 'cursor');
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Apply code'),
    placeHolder: places
      ? vscode.l10n.t('Where does it belong? You see it as a diff before anything is written')
      : editor === undefined
        ? vscode.l10n.t('To put it into a file, open that file first')
        : vscode.l10n.t('What is open is no file of this folder: only a new file can be made'),
    ignoreFocusOut: true,
    matchOnDescription: true,
  });
  return picked?.choice;
}

async function askName({ name = '' }: CodeToApply, files: FilesPort): Promise<WorkspacePath | undefined> {
  const written = await vscode.window.showInputBox({
    title: vscode.l10n.t('Apply code as a new file'),
    prompt: vscode.l10n.t('Path in the folder, such as src/cart.ts'),
    value: name,
    valueSelection: [name.length - basename(name).length, name.length],
    ignoreFocusOut: true,
    validateInput: async (value) => {
      if (value.trim() === '') return undefined;
      const path = pathOf(value.trim(), files);
      if (path === undefined) return vscode.l10n.t('This is no path of a file in this folder.');
      const state = await files.read(path);
      if (state.kind === 'refused') return refusal(state.reason).note;
      return state.kind === 'missing'
        ? undefined
        : {
            message: vscode.l10n.t('This file exists. All of it would be replaced.'),
            severity: vscode.InputBoxValidationSeverity.Warning,
          };
    },
  });
  return written === undefined || written.trim() === '' ? undefined : pathOf(written.trim(), files);
}

async function intoEditor(
  code: CodeToApply,
  { kind, path, editor, selection, version }: Extract<Choice, { kind: 'cursor' | 'selection' }>,
  { files, code: proposals }: ApplyCodeParts,
): Promise<string | undefined> {
  const { document } = editor;
  const { start, end, active } = selection;
  const shown = document.getText();
  const state = await files.read(path);
  if (state.kind === 'refused') return refusal(state.reason).note;
  // What the cursor stands in must be what the diff starts from.
  if (state.kind === 'missing' || document.version !== version) {
    return vscode.l10n.t('{0} was changed meanwhile. Apply the code once more.', path.display);
  }
  if (withLineEnds(state.text, '\n').replace(/^\uFEFF/, '') !== withLineEnds(shown, '\n')) {
    return vscode.l10n.t('Another change to {0} waits. Decide on that one first.', path.display);
  }
  const range =
    kind === 'cursor'
      ? { start: offsetIn(state.text, active), end: offsetIn(state.text, active) }
      : { start: offsetIn(state.text, start), end: offsetIn(state.text, end) };
  const after = withCode(state.text, range, code.text, indentationOf(editor));
  return propose(code, { path, before: state.text, after }, proposals);
}

async function asFile(
  code: CodeToApply,
  path: WorkspacePath,
  { files, code: proposals }: ApplyCodeParts,
): Promise<string | undefined> {
  const state = await files.read(path);
  if (state.kind === 'refused') return refusal(state.reason).note;
  if (state.kind === 'missing') {
    await proposals.propose(code.from, { kind: 'add', path, after: asWholeFile(undefined, code.text) });
    return undefined;
  }
  const after = asWholeFile(state.text, code.text);
  return propose(code, { path, before: state.text, after }, proposals);
}

async function propose(
  { from }: CodeToApply,
  { path, before, after }: { path: WorkspacePath; before: string; after: string },
  proposals: CodeProposals,
): Promise<string | undefined> {
  if (before === after)
    return vscode.l10n.t('This already stands in {0}: there is nothing to change.', path.display);
  const replacements = lineReplacements(before, after);
  const edit: FileEdit = { kind: 'update', path, before, after, replacements, places: [] };
  await proposals.propose(from, edit);
  return undefined;
}

/** By lines: the document may have other line ends than the file, where those are mixed. */
function offsetIn(text: string, { line, character }: vscode.Position): TextRange['start'] {
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  const ends = /\r\n|\r|\n/g;
  ends.lastIndex = at;
  for (let left = line; left > 0; left -= 1) {
    if (ends.exec(text) === null) return text.length;
    at = ends.lastIndex;
  }
  return at + character;
}

function indentationOf({ options }: vscode.TextEditor): { insertSpaces: boolean; tabSize: number } {
  const { insertSpaces, tabSize } = options;
  return {
    insertSpaces: insertSpaces !== false,
    tabSize: typeof tabSize === 'number' ? tabSize : 4,
  };
}

function pathOf(written: string, files: FilesPort): WorkspacePath | undefined {
  const found = resolvePath(written, files.roots());
  return found.ok && found.value.length === 1 ? found.value[0] : undefined;
}

/** Undefined for what is no file of the workspace: a proposal, a cell of a notebook, a text that was never saved. */
function pathOfDocument(
  { uri, isUntitled }: vscode.TextDocument,
  files: FilesPort,
): WorkspacePath | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (isUntitled || folder === undefined) return undefined;
  return pathOf(uri.scheme === 'file' ? uri.fsPath : uri.path, files);
}
