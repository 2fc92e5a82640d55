/** Symbols, definitions, references and hovers, from whatever extensions know the language: the model goes as the person does. */
import * as vscode from 'vscode';

import { indexLines, lineText, type LineIndex } from '../../core/lines.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type {
  FoundSymbol,
  Place,
  Refusal,
  Some,
  SymbolPlace,
  SymbolRefusal,
} from '../../core/tools/readingPorts.ts';
import { excerpt } from '../../core/tools/resultText.ts';
import type { Located, Places } from './places.ts';
import { maxRead, readText } from './readText.ts';

/** Most places of one answer: each file that they lie in is read. */
const maxPlaces = 300;
/** Lines told where the symbol stands when it is not in the one that was named. */
const maxOthers = 10;

export async function findSymbols(
  query: string | undefined,
  path: string | undefined,
  places: Places,
): Promise<Result<Some<FoundSymbol>, Refusal>> {
  if (path === undefined) return ok(await symbolsOfWorkspace(query ?? '', places));
  const file = await locateReadable(path, places);
  if (!file.ok) return file;
  const { uri, display } = file.value;
  const found = await ask<readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[]>(
    'vscode.executeDocumentSymbolProvider',
    uri,
  );
  const wanted = query?.toLowerCase() ?? '';
  const symbols = (found ?? [])
    .flatMap((symbol) => flattened(symbol, '', display))
    .filter(({ name }) => name.toLowerCase().includes(wanted));
  return ok({ found: symbols, total: symbols.length });
}

function flattened(
  symbol: vscode.DocumentSymbol | vscode.SymbolInformation,
  container: string,
  path: string,
): readonly FoundSymbol[] {
  const kind = kindOf(symbol.kind);
  const { name } = symbol;
  // VS Code makes each of the newer kind answer to the names of the older one too.
  if (!('children' in symbol)) {
    const place = { path, line: symbol.location.range.start.line + 1 };
    return [{ name, kind, container: symbol.containerName, place }];
  }
  const own = { name, kind, container, place: { path, line: symbol.selectionRange.start.line + 1 } };
  return [own, ...symbol.children.flatMap((child) => flattened(child, name, path))];
}

async function symbolsOfWorkspace(query: string, places: Places): Promise<Some<FoundSymbol>> {
  const found =
    (await ask<readonly vscode.SymbolInformation[]>('vscode.executeWorkspaceSymbolProvider', query)) ?? [];
  const symbols: FoundSymbol[] = [];
  for (const { name, kind, containerName, location } of found.slice(0, maxPlaces)) {
    const { path, closed } = await places.describe(location.uri);
    const place = { path, line: location.range.start.line + 1, ...(closed !== undefined && { closed }) };
    symbols.push({ name, kind: kindOf(kind), container: containerName, place });
  }
  return { found: symbols, total: found.length };
}

export async function findPlaces(
  what: 'definition' | 'references',
  at: SymbolPlace,
  places: Places,
): Promise<Result<Some<Place>, SymbolRefusal>> {
  const position = await positionOf(at, places);
  if (!position.ok) return position;
  const command =
    what === 'definition' ? 'vscode.executeDefinitionProvider' : 'vscode.executeReferenceProvider';
  const { document, at: where } = position.value;
  const found =
    (await ask<readonly (vscode.Location | vscode.LocationLink)[]>(command, document.uri, where)) ?? [];
  const told: Place[] = [];
  const seen = new Set<string>();
  const files = new Map<string, PlaceFile>();
  for (const location of found.slice(0, maxPlaces)) {
    const [uri, range] =
      'targetUri' in location
        ? [location.targetUri, location.targetSelectionRange ?? location.targetRange]
        : [location.uri, location.range];
    const line = range.start.line + 1;
    const name = uri.toString();
    const key = `${line} ${name}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const file = files.get(name) ?? (await readPlaceFile(uri, places));
    files.set(name, file);
    told.push(placeIn(file, line));
  }
  // The same place may be told twice, and is counted once as far as it was looked at.
  return ok({ found: told, total: told.length + Math.max(0, found.length - maxPlaces) });
}

export async function hoverAt(
  at: SymbolPlace,
  places: Places,
): Promise<Result<readonly string[], SymbolRefusal>> {
  const position = await positionOf(at, places);
  if (!position.ok) return position;
  const { document, at: where } = position.value;
  const hovers = await ask<readonly vscode.Hover[]>('vscode.executeHoverProvider', document.uri, where);
  return ok((hovers ?? []).flatMap(({ contents }) => contents.map(textOf)));
}

/** Some extensions still answer with a bare text, or with code beside its language. */
function textOf(content: string | { readonly value: string }): string {
  return typeof content === 'string' ? content : content.value;
}

/** A file that the editor told places of. `lines` only where it may be read. */
interface PlaceFile extends Pick<Place, 'path' | 'closed'> {
  readonly lines?: LineIndex;
}

/** Read and not opened: a file that is opened is work for every extension. */
async function readPlaceFile(uri: vscode.Uri, places: Places): Promise<PlaceFile> {
  const { path, closed } = await places.describe(uri);
  if (closed !== undefined) return { path, closed };
  const size = await vscode.workspace.fs.stat(uri).then(
    (stat) => stat.size,
    () => 0,
  );
  const file = await readText({ uri, type: 'file', size, display: path });
  return { path, ...(file.ok && { lines: indexLines(file.value.text) }) };
}

function placeIn({ lines, ...file }: PlaceFile, line: number): Place {
  if (lines === undefined || line > lines.count) return { ...file, line };
  return { ...file, line, text: lineText(lines, line - 1) };
}

interface Position {
  readonly document: vscode.TextDocument;
  readonly at: vscode.Position;
}

async function positionOf(
  { path, line, symbol }: SymbolPlace,
  places: Places,
): Promise<Result<Position, SymbolRefusal>> {
  const file = await locateReadable(path, places);
  if (!file.ok) return file;
  const { uri, display } = file.value;
  const document = await open(uri);
  if (document === undefined) return err({ kind: 'unreadable', path: display });
  if (line > document.lineCount) return err({ kind: 'noLine', path: display, lines: document.lineCount });
  const { text } = document.lineAt(line - 1);
  const column = wordIn(text, symbol);
  if (column !== undefined) return ok({ document, at: new vscode.Position(line - 1, column) });
  const others: number[] = [];
  for (let each = 0; each < document.lineCount; each += 1) {
    if (wordIn(document.lineAt(each).text, symbol) !== undefined) others.push(each + 1);
  }
  const nearest = others.toSorted((one, other) => Math.abs(one - line) - Math.abs(other - line));
  const shown = nearest.slice(0, maxOthers).toSorted((one, other) => one - other);
  return err({ kind: 'noSymbol', path: display, text: excerpt(text, 0), others: shown });
}

async function locateReadable(path: string, places: Places): Promise<Result<Located, Refusal>> {
  const file = await places.locate(path, 'file');
  if (!file.ok || file.value.size <= maxRead) return file;
  const { display, size } = file.value;
  return err({ kind: 'tooLarge', path: display, bytes: size, limit: maxRead });
}

/** Where the symbol begins as a word of its own; undefined where it does not. Of `a.b` the last name counts. */
function wordIn(line: string, symbol: string): number | undefined {
  for (let at = line.indexOf(symbol); at >= 0; at = line.indexOf(symbol, at + 1)) {
    const before = line.slice(0, at);
    const after = line.slice(at + symbol.length);
    if (/[\p{L}\p{N}_$]$/u.test(before) && /^[\p{L}\p{N}_$]/u.test(symbol)) continue;
    if (/^[\p{L}\p{N}_$]/u.test(after) && /[\p{L}\p{N}_$]$/u.test(symbol)) continue;
    return at + Math.max(symbol.lastIndexOf('.'), symbol.lastIndexOf(':')) + 1;
  }
  return undefined;
}

async function open(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    return undefined;
  }
}

/** Undefined where nothing answers, or an extension fails at it. */
async function ask<T>(command: string, ...args: readonly unknown[]): Promise<T | undefined> {
  try {
    return await vscode.commands.executeCommand<T | undefined>(command, ...args);
  } catch {
    return undefined;
  }
}

function kindOf(kind: vscode.SymbolKind): string {
  return (vscode.SymbolKind[kind] ?? 'Symbol').toLowerCase();
}
