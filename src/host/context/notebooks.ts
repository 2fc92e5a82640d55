/** A notebook as text that a model can read: its cells one after the other, with those outputs that are text. */
import * as v from 'valibot';
import * as vscode from 'vscode';

import { notebookText, type ContextText } from '../../core/conversation/contextTexts.ts';

const textKinds = [
  'application/vnd.code.notebook.stdout',
  'application/vnd.code.notebook.stderr',
  'text/plain',
];
const errorSchema = v.object({ name: v.string(), message: v.string() });
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

export function attachedNotebook(notebook: vscode.NotebookDocument, path: string): ContextText {
  const cells = notebook.getCells().map(({ index, document, outputs }) => ({
    index,
    languageId: document.languageId,
    source: document.getText(),
    output: outputs.map(outputText).join('\n'),
  }));
  return notebookText(path, cells);
}

/** Of most of its code. */
export function languageOf(notebook: vscode.NotebookDocument): string {
  const code = notebook.getCells().find(({ kind }) => kind === vscode.NotebookCellKind.Code);
  return code?.document.languageId ?? 'markdown';
}

function outputText({ items }: vscode.NotebookCellOutput): string {
  const failure = items.find(({ mime }) => mime === errorKind);
  if (failure !== undefined) return errorText(failure);
  const item = textKinds
    .map((kind) => items.find(({ mime }) => mime === kind))
    .find((one) => one !== undefined);
  return item === undefined ? '' : new TextDecoder().decode(item.data).trimEnd();
}

function errorText({ data }: vscode.NotebookCellOutputItem): string {
  const text = new TextDecoder().decode(data);
  try {
    const { name, message } = v.parse(errorSchema, JSON.parse(text));
    return `${name}: ${message}`;
  } catch {
    return text;
  }
}
