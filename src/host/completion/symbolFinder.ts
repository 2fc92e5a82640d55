/** Functions, classes and the like by what is typed of their names: those of the editor in front, and those that languages know. */
import * as vscode from 'vscode';

import { placeOfUri } from '../composer/placeOf.ts';
import { editorInFront } from '../chat/editorInFront.ts';
import { closedGate, Places } from '../tools/places.ts';
import { fit, named } from './fuzzy.ts';

export interface FoundSymbol {
  readonly name: string;
  readonly container: string;
  /** As a person names the file. */
  readonly path: string;
  readonly uri: vscode.Uri;
  /** Of the name or of all of it, as the language tells. */
  readonly range: vscode.Range;
  readonly score: number;
}

/** Most that are looked up. */
const mostSymbols = 20;
/** What a symbol of the editor in front is ahead of others. */
const inFront = 100;

type Told = vscode.DocumentSymbol | vscode.SymbolInformation;

/** Best first. `query` is folded and not empty, `typed` as it was typed. What is ignored or outside of the workspace is left out. */
export async function findSymbols(query: string, typed: string): Promise<readonly FoundSymbol[]> {
  const [own, others] = await Promise.all([symbolsInFront(query), symbolsOfWorkspace(query, typed)]);
  const found = new Map<string, FoundSymbol>();
  for (const symbol of [...own, ...others].toSorted((one, other) => other.score - one.score)) {
    const key = `${symbol.name}\n${symbol.range.start.line}\n${symbol.uri.toString()}`;
    if (!found.has(key)) found.set(key, symbol);
  }
  return [...found.values()].slice(0, mostSymbols);
}

async function symbolsInFront(query: string): Promise<readonly FoundSymbol[]> {
  const editor = editorInFront();
  if (editor === undefined) return [];
  const { uri } = editor.document;
  const { closed } = await new Places(closedGate, vscode.workspace.workspaceFolders ?? []).describe(uri);
  if (closed === 'ignored') return [];
  const path = placeOfUri(uri);
  const told = await ask<readonly Told[]>('vscode.executeDocumentSymbolProvider', uri);
  return (told ?? [])
    .flatMap((symbol) => flattened(symbol, ''))
    .flatMap(({ name, container, range }) => {
      const score = scoreOf(name, query);
      return score === 0 ? [] : [{ name, container, path, uri, range, score: score + inFront }];
    });
}

async function symbolsOfWorkspace(query: string, typed: string): Promise<readonly FoundSymbol[]> {
  const told = await ask<readonly vscode.SymbolInformation[]>('vscode.executeWorkspaceSymbolProvider', typed);
  const fitting = (told ?? [])
    .map((symbol) => ({ ...symbolOf(symbol), score: scoreOf(symbol.name, query) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, mostSymbols);
  const places = new Places(closedGate, vscode.workspace.workspaceFolders ?? []);
  const seen = await Promise.all(fitting.map(({ uri }) => places.describe(uri)));
  return fitting.flatMap((symbol, at) => {
    const { path, closed } = seen[at]!;
    return closed === undefined ? [{ ...symbol, path }] : [];
  });
}

function symbolOf({
  name,
  containerName,
  location,
}: vscode.SymbolInformation): Omit<FoundSymbol, 'path' | 'score'> {
  // TypeScript calls a function `total()` here and `total` in its file.
  return {
    name: name.replace(/\(\)$/, ''),
    container: containerName,
    uri: location.uri,
    range: location.range,
  };
}

/** Not what is inside of functions: nobody names that. */
function flattened(
  symbol: Told,
  container: string,
): readonly { readonly name: string; readonly container: string; readonly range: vscode.Range }[] {
  const { name, kind } = symbol;
  if (!('children' in symbol))
    return [{ name, container: symbol.containerName, range: symbol.location.range }];
  const isCode =
    kind === vscode.SymbolKind.Function ||
    kind === vscode.SymbolKind.Method ||
    kind === vscode.SymbolKind.Constructor;
  return [
    { name, container, range: symbol.range },
    ...(isCode ? [] : symbol.children.flatMap((child) => flattened(child, name))),
  ];
}

/** All of it: languages tell of the workspace's symbols where their names are, some of no more than that. */
export async function extentOf({ uri, name, range }: FoundSymbol): Promise<vscode.Range> {
  if (!range.isSingleLine) return range;
  const told = await ask<readonly Told[]>('vscode.executeDocumentSymbolProvider', uri);
  const around = (told ?? [])
    .flatMap((symbol) => flattened(symbol, ''))
    .find((symbol) => symbol.name === name && symbol.range.contains(range.start));
  return around?.range ?? range;
}

function scoreOf(name: string, query: string): number {
  return fit(named(name), query);
}

/** Undefined where nothing answers, or an extension fails at it. */
async function ask<T>(command: string, ...args: readonly unknown[]): Promise<T | undefined> {
  try {
    return await vscode.commands.executeCommand<T | undefined>(command, ...args);
  } catch {
    return undefined;
  }
}
