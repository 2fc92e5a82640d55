/** Tells what the person's save actions do to a document from what people do. Knows no proposals. */
import * as vscode from 'vscode';

/**
 * True for what "trim trailing whitespace", "insert final newline" and "trim final newlines" do: they take blanks before a line end,
 * or add or take line ends at the end of the text.
 * @param before the text these changes were made to, with the document's own line ends
 */
export function isTidying(
  before: string,
  changes: readonly vscode.TextDocumentContentChangeEvent[],
): boolean {
  return (
    changes.length > 0 &&
    changes.every(({ rangeOffset, rangeLength, text }) => {
      const end = rangeOffset + rangeLength;
      const removed = before.slice(rangeOffset, end);
      const next = before[end];
      const atEnd = next === undefined;
      if (rangeLength === 0) return atEnd && /^(?:\r\n|\n)$/.test(text);
      if (text !== '') return false;
      return (
        (/^[ \t]+$/.test(removed) && (atEnd || /[\r\n]/.test(next))) || (atEnd && /^[\r\n]+$/.test(removed))
      );
    })
  );
}

/** Whether saving this document runs a formatter or code actions, which may change any of it. */
export function isRewrittenOnSave(document: vscode.TextDocument): boolean {
  const editor = vscode.workspace.getConfiguration('editor', document);
  if (editor.get<boolean>('formatOnSave') === true) return true;
  const actions: unknown = editor.get('codeActionsOnSave');
  return typeof actions === 'object' && actions !== null && Object.keys(actions).length > 0;
}
