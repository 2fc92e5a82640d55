/** The workspace as the reading tools see it: each call with rules read anew, nothing outside and nothing ignored without asking. */
import * as vscode from 'vscode';

import type { ReadingPorts } from '../../core/tools/readingPorts.ts';
import { findOpenEditors } from './editors.ts';
import { findDiff } from './gitDiff.ts';
import { findPlaces, findSymbols, hoverAt } from './languageFeatures.ts';
import { listFiles } from './listing.ts';
import { closedGate, Places, type Gate } from './places.ts';
import { findProblems } from './problems.ts';
import { readText } from './readText.ts';
import { searchText } from './search.ts';

export interface ReaderOptions {
  /** The compiled `searchWorker.ts`. */
  readonly worker: string;
  /** Asked at each call; those of the window by default. */
  readonly folders?: () => readonly vscode.WorkspaceFolder[];
  /** As in `PATH`: where ripgrep is looked for. */
  readonly programs: () => string | undefined;
  /** After how many milliseconds a search is ended. */
  readonly searchLimit?: number;
}

const usualSearchLimit = 30_000;

export function workspaceReader({ worker, programs, ...options }: ReaderOptions): ReadingPorts {
  const { searchLimit = usualSearchLimit } = options;
  const folders = options.folders ?? (() => vscode.workspace.workspaceFolders ?? []);
  const places = (ask: Gate = closedGate): Places => new Places(ask, folders());
  return {
    async readText(path, _signal, ask) {
      const file = await places(ask).locate(path, 'file');
      return file.ok ? await readText(file.value) : file;
    },
    listFiles: (request, signal, ask) => listFiles(request, { places: places(ask), worker, signal }),
    searchText: (request, signal, ask) =>
      searchText(request, {
        ...{ worker, signal, limit: searchLimit },
        places: places(ask),
        programs: programs(),
      }),
    problems: (path, signal, ask) => findProblems(path, places(ask), signal),
    symbols: (query, path, _signal, ask) => findSymbols(query, path, places(ask)),
    places: (what, at, _signal, ask) => findPlaces(what, at, places(ask)),
    hover: (at, _signal, ask) => hoverAt(at, places(ask)),
    openEditors: () => findOpenEditors(places()),
    diff: (staged, path, signal, ask) => findDiff(staged, path, { places: places(ask), signal }),
  };
}
