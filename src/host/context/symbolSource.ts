/** A chip of a function, class or the like. */
import * as vscode from 'vscode';

import type { Attachment } from '../../core/conversation/userMessage.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { describeDocument, withLineFeeds, type SourceParts } from './describe.ts';
import { maxLength, type AttachProblem } from './problem.ts';

export async function attachSymbol(
  uri: vscode.Uri,
  { range, name }: { readonly range: vscode.Range; readonly name: string },
  parts: SourceParts,
): Promise<Result<readonly Attachment[], AttachProblem>> {
  let document: vscode.TextDocument;
  try {
    document = await vscode.workspace.openTextDocument(uri);
  } catch {
    return err('missing');
  }
  // The language may have told of it before the file changed.
  const { start, end } = document.validateRange(range);
  const to = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  const text = document.getText(new vscode.Range(start.line, 0, to, document.lineAt(to).range.end.character));
  if (text.trim() === '') return err('empty');
  if (text.length > maxLength) return err('tooLong');
  return ok([
    {
      ...describeDocument(document, parts),
      kind: 'symbol',
      name,
      range: { from: start.line + 1, to: to + 1 },
      text: withLineFeeds(text),
    },
  ]);
}

/** The innermost symbol around a place, with its whole extent; undefined where the language knows none. */
export async function symbolAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<{ readonly range: vscode.Range; readonly name: string } | undefined> {
  const found = await vscode.commands.executeCommand<
    readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
  >('vscode.executeDocumentSymbolProvider', document.uri);
  const around = enclosing(found ?? [], position);
  return around.findLast(({ kind }) => !isVariable(kind)) ?? around.at(-1);
}

interface NamedRange {
  readonly range: vscode.Range;
  readonly name: string;
  readonly kind: vscode.SymbolKind;
}

/** The innermost last. */
function enclosing(
  symbols: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[],
  position: vscode.Position,
): readonly NamedRange[] {
  const all: NamedRange[] = [];
  const look = (some: typeof symbols): void => {
    for (const symbol of some) {
      const range = 'location' in symbol ? symbol.location.range : symbol.range;
      if (!range.contains(position)) continue;
      all.push({ range, name: symbol.name, kind: symbol.kind });
      if ('children' in symbol) look(symbol.children);
    }
  };
  look(symbols);
  return all.toSorted((one, other) => (one.range.contains(other.range) ? -1 : 1));
}

/** A local variable is hardly what a person means by the symbol they are in. */
function isVariable(kind: vscode.SymbolKind): boolean {
  return (
    kind === vscode.SymbolKind.Variable ||
    kind === vscode.SymbolKind.Property ||
    kind === vscode.SymbolKind.Key
  );
}
