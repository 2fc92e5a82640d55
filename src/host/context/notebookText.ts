/** A notebook as text that a model can read: its cells one after the other, with those outputs that are text. */
import * as vscode from 'vscode';

/** Longest text of the outputs of one cell, in UTF-16 units. */
const maxOutput = 4_000;

const textKinds = [
  'application/vnd.code.notebook.stdout',
  'application/vnd.code.notebook.stderr',
  'text/plain',
];
const errorKind = 'application/vnd.code.notebook.error';

/** The notebook at this address, if it is one. Opened without being shown when it is none that is open. */
export async function notebookAt(uri: vscode.Uri): Promise<vscode.NotebookDocument | undefined> {
  const key = uri.toString();
  const open = vscode.workspace.notebookDocuments.find((notebook) => notebook.uri.toString() === key);
  if (open !== undefined || !uri.path.toLowerCase().endsWith('.ipynb')) return open;
  try {
    return await vscode.workspace.openNotebookDocument(uri);
  } catch {
    // No notebook after all, or nobody is there to read it: it is text then.
    return undefined;
  }
}

export function notebookText(notebook: vscode.NotebookDocument): {
  readonly text: string;
  /** Of most of its code. */
  readonly languageId: string;
} {
  const cells = notebook.getCells();
  const code = cells.filter(({ kind }) => kind === vscode.NotebookCellKind.Code);
  const written = cells.filter(({ document }) => document.getText().trim() !== '');
  return {
    text: written.map((cell) => cellText(cell)).join('\n\n'),
    languageId: code[0]?.document.languageId ?? 'markdown',
  };
}

function cellText({ index, document, outputs }: vscode.NotebookCell): string {
  const source = document.getText().replaceAll('\r\n', '\n');
  const output = outputs.map(outputText).join('').trimEnd();
  const shown = output.length > maxOutput ? `${output.slice(0, maxOutput)}\n[cut off]` : output;
  return [
    `[cell ${index + 1}, ${document.languageId}]`,
    source,
    ...(shown === '' ? [] : [`[output of cell ${index + 1}]`, shown]),
  ].join('\n');
}

function outputText({ items }: vscode.NotebookCellOutput): string {
  const failure = items.find(({ mime }) => mime === errorKind);
  if (failure !== undefined) return `${errorText(failure)}\n`;
  const item = textKinds
    .map((kind) => items.find(({ mime }) => mime === kind))
    .find((one) => one !== undefined);
  return item === undefined ? '' : new TextDecoder().decode(item.data).replaceAll('\r\n', '\n');
}

function errorText({ data }: vscode.NotebookCellOutputItem): string {
  const text = new TextDecoder().decode(data);
  try {
    const { name, message } = JSON.parse(text) as { readonly name?: unknown; readonly message?: unknown };
    return `${String(name)}: ${String(message)}`;
  } catch {
    return text;
  }
}
