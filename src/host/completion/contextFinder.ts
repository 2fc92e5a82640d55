/** What `@` offers: words of their own, open files, files and folders of the workspace, and below them symbols. */
import { basename } from 'node:path/posix';
import * as vscode from 'vscode';

import { mostCompletions } from '../../protocol/completion.ts';
import { aboutTokens, type FolderTokens } from '../context/folderSource.ts';
import type { Attached, ContextSources } from '../context/sources.ts';
import { attachAll, type AttachingParts } from './attaching.ts';
import type { Candidate } from './candidate.ts';
import type { Finder } from './completions.ts';
import { fixedCandidates, type Fixed } from './fixedCandidates.ts';
import { fit, foldQuery, named, nameOf, rangesOf } from './fuzzy.ts';
import { OpenFiles, type OpenFile } from './openFiles.ts';
import { extentOf, findSymbols, type FoundSymbol } from './symbolFinder.ts';
import type { WorkspaceIndex } from './workspaceIndex.ts';

export interface ContextFinderParts extends AttachingParts {
  readonly index: WorkspaceIndex;
  readonly sources: ContextSources;
  readonly newId: () => string;
}

/** Files and folders that are shown, so that symbols have their place too. */
const mostPaths = 30;
/** Open files before anything is typed. */
const mostOpenShown = 6;
/** What an open file is ahead of others. */
const open = 120;
/** Milliseconds without a key after which languages are asked. */
const stillness = 150;

export class ContextFinder {
  readonly #parts: ContextFinderParts;
  readonly #openFiles = new OpenFiles();

  constructor(parts: ContextFinderParts) {
    this.#parts = parts;
  }

  readonly find: Finder = async (typed, show, signal) => {
    const { index } = this.#parts;
    const query = foldQuery(typed);
    if (query.startsWith('#')) return await this.#findSymbols(query.slice(1), typed.slice(1), [], show);
    const looked = index.refresh();
    const opened = await this.#openFiles.now();
    let { files } = opened;
    if (signal.aborted) return;
    // What is the same for the whole key is found once: it is asked of all problems that VS Code knows.
    const fixed = fixedCandidates(this.#parts, query);
    const draw = (): readonly Candidate[] => {
      const candidates = this.#candidates(query, files, fixed);
      show(candidates);
      return candidates;
    };
    let shown = draw();
    const redraw = (): void => {
      if (!signal.aborted) shown = draw();
    };
    await Promise.all([
      looked,
      index.isWalking ? index.settled().then(redraw) : undefined,
      opened.later?.then((found) => {
        files = found;
        redraw();
      }),
    ]);
    const folder = this.#folderOf(query);
    if (signal.aborted || query.length < 2 || (query.includes('/') && folder === undefined)) return;
    await new Promise((resolve) => setTimeout(resolve, stillness));
    if (signal.aborted) return;
    if (folder === undefined) return await this.#findSymbols(query, typed, shown, show);
    const tokens = await this.#parts.sources.folderTokens(folder.uri, signal);
    if (tokens !== undefined) show(this.#inFolder(query, tokens));
  };

  async #findSymbols(
    query: string,
    typed: string,
    above: readonly Candidate[],
    show: (candidates: readonly Candidate[]) => void,
  ): Promise<void> {
    if (query === '') return;
    const symbols = await findSymbols(query, typed);
    if (symbols.length === 0) return;
    const most = Math.max(mostCompletions - symbols.length, 0);
    show([...above.slice(0, most), ...symbols.map((symbol) => this.#symbol(symbol, query))]);
  }

  #candidates(query: string, opened: readonly OpenFile[], fixed: readonly Fixed[]): readonly Candidate[] {
    if (query === '') {
      return [
        ...opened.slice(0, mostOpenShown).map((file) => this.#file(file, query)),
        ...fixed.filter(({ isLikely }) => isLikely).map((one) => this.#fixed(one, query)),
      ];
    }
    const words = fixed.map((one) => this.#fixed(one, query));
    if (query.endsWith('/')) return this.#inFolder(query);
    return [...words, ...this.#paths(query, opened)];
  }

  #paths(query: string, opened: readonly OpenFile[]): readonly Candidate[] {
    const found = new Map<string, { readonly score: number; readonly candidate: () => Candidate }>();
    for (const file of opened) {
      const score = fit(nameOf(file.path), query);
      if (score > 0) found.set(file.path, { score: score + open, candidate: () => this.#file(file, query) });
    }
    for (const one of this.#parts.index.find(query, mostPaths)) {
      const { path, score, isFolder } = one;
      if (found.has(path)) continue;
      found.set(path, {
        score,
        candidate: () => (isFolder ? this.#folder(one, query) : this.#file(one, query)),
      });
    }
    return [...found.values()]
      .toSorted((one, other) => other.score - one.score)
      .slice(0, mostPaths)
      .map(({ candidate }) => candidate());
  }

  /** The folder that was typed to its end. */
  #folderOf(query: string): OpenFile | undefined {
    return query.endsWith('/') ? this.#parts.index.folder(query.slice(0, -1)) : undefined;
  }

  /** Both ways to attach a folder that was typed to its end, with what each takes where that is known, and what is in it. */
  #inFolder(query: string, tokens?: FolderTokens): readonly Candidate[] {
    const folder = this.#folderOf(query);
    const inside = this.#paths(query, []);
    if (folder === undefined) return inside;
    const { sources } = this.#parts;
    const name = basename(folder.path);
    const as = (what: string, count: number | undefined, attached: () => Attached): Candidate => ({
      ...{ kind: 'folder', label: `${name}/`, insert: `@${plain(name)}` },
      detail: count === undefined ? what : `${what} · ${aboutTokens(count)}`,
      attach: this.#attaching(folder.path, attached),
    });
    return [
      as(vscode.l10n.t('Names of its files'), tokens?.names, () => sources.folder(folder.uri, 'listing')),
      as(vscode.l10n.t('Texts of its files'), tokens?.texts, () => sources.folder(folder.uri, 'whole')),
      ...inside,
    ];
  }

  #fixed({ kind, word, detail, attached }: Fixed, query: string): Candidate {
    return {
      ...{ kind, label: word, detail, insert: `@${word}` },
      ...(query !== '' && { matches: [[0, query.length] as const] }),
      attach: this.#attaching(word, attached),
    };
  }

  #file({ path, uri }: OpenFile, query: string): Candidate {
    return {
      ...{ kind: 'file', insert: `@${this.#mention(path, uri)}`, ...labelled(path, query) },
      attach: this.#attaching(path, () => this.#parts.sources.file(uri)),
    };
  }

  #folder({ path, uri }: OpenFile, query: string): Candidate {
    const { label, ...rest } = labelled(path, query);
    return {
      ...{ kind: 'folder', insert: `@${plain(basename(path))}`, label: `${label}/`, ...rest },
      // A blank ends what is typed: what is in such a folder is found by its name.
      ...(!/\s/.test(path) && { into: `@${plain(path)}/` }),
      attach: this.#attaching(path, () => this.#parts.sources.folder(uri, 'listing')),
    };
  }

  #symbol(symbol: FoundSymbol, query: string): Candidate {
    const { name, container, path, uri, range } = symbol;
    const positions: number[] = [];
    const own = named(name);
    fit(own, query, positions);
    const place = `${path}:${range.start.line + 1}`;
    return {
      ...{ kind: 'symbol', label: name, insert: `@${plain(name)}` },
      ...(own.folded.length === name.length && { matches: rangesOf(positions, 0, name.length) }),
      detail: container === '' ? place : `${container} · ${place}`,
      attach: this.#attaching(name, async () =>
        this.#parts.sources.symbol(uri, await extentOf(symbol), name),
      ),
    };
  }

  /** With its folders where another file of its name is attached already. */
  #mention(path: string, uri: vscode.Uri): string {
    const name = basename(path);
    const isTaken = this.#parts.draft.attachments.some(
      (one) => one.uri !== uri.toString() && basename(one.path) === name,
    );
    return plain(isTaken ? path : name);
  }

  #attaching(name: string, attached: () => Attached): () => Promise<void> {
    return () => attachAll(this.#parts, [{ name, attached }]);
  }
}

/** Without what can't be seen: it is going to be read, and sent. */
function plain(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
}

/** Name and folder, each with what fits. */
function labelled(
  path: string,
  query: string,
): Pick<Candidate, 'label' | 'matches' | 'detail' | 'detailMatches'> {
  const name = nameOf(path);
  const label = path.slice(name.nameAt);
  const folder = path.slice(0, Math.max(0, name.nameAt - 1));
  const positions: number[] = [];
  // Where folding changed what stands where, nothing can be marked.
  if (query !== '' && name.folded.length === path.length) fit(name, query, positions);
  const matches = rangesOf(positions, name.nameAt, path.length);
  const detailMatches = rangesOf(positions, 0, folder.length);
  return {
    label,
    ...(matches.length > 0 && { matches }),
    ...(folder !== '' && { detail: folder }),
    ...(detailMatches.length > 0 && { detailMatches }),
  };
}
