/** The workspace as the reading tools see it: each call with rules read anew, nothing outside, nothing ignored. */
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
  /** Asked before something outside the workspace or ignored is read. Without one, it is not read. */
  readonly gate?: Gate;
  /** Asked at each call; those of the window by default. */
  readonly folders?: () => readonly vscode.WorkspaceFolder[];
  /** As in `PATH`: where ripgrep is looked for. */
  readonly programs: () => string | undefined;
  /** After how many milliseconds a search is ended. */
  readonly searchLimit?: number;
}

const usualSearchLimit = 30_000;

export function workspaceReader({ worker, programs, ...options }: ReaderOptions): ReadingPorts {
  const { gate = closedGate, searchLimit = usualSearchLimit } = options;
  const folders = options.folders ?? (() => vscode.workspace.workspaceFolders ?? []);
  const places = (): Places => new Places(gate, folders());
  return {
    async readText(path) {
      const file = await places().locate(path, 'file');
      return file.ok ? await readText(file.value) : file;
    },
    listFiles: (request, signal) => listFiles(request, { places: places(), worker, signal }),
    searchText: (request, signal) =>
      searchText(request, {
        ...{ worker, signal, limit: searchLimit },
        places: places(),
        programs: programs(),
      }),
    problems: (path, signal) => findProblems(path, places(), signal),
    symbols: (query, path) => findSymbols(query, path, places()),
    places: (what, at) => findPlaces(what, at, places()),
    hover: (at) => hoverAt(at, places()),
    openEditors: () => findOpenEditors(places()),
    diff: (staged, path, signal) => findDiff(staged, path, { places: places(), signal }),
  };
}
