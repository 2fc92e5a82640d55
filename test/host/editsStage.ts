/** A review of its own for each test, over a fresh folder of the open workspace, and eyes for what it tells. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';

import type { ProposalSummary, ProposedFile } from '../../src/core/conversation/conversation.ts';
import type { FileEdit, WorkspacePath } from '../../src/core/patch/editPlan.ts';
import { lineReplacements } from '../../src/core/patch/lineDiff.ts';
import type { FileOutcome, ReviewOutcome } from '../../src/core/tools/applyPatchPorts.ts';
import {
  registerReview,
  type Review,
  type ReviewDependencies,
} from '../../src/host/edits/review/registerReview.ts';
import { Log } from '../../src/host/log.ts';

/** The extension under test holds the real schemes. */
const schemes = {
  proposal: 'kimi-test-proposal',
  empty: 'kimi-test-original',
  accepted: 'kimi-test-accepted',
};

/** How long a proposal may take to stand as awaited, in milliseconds: well below the limit of a test, which could not tell what hangs. */
const untilLimit = 25_000;

export type StageOptions = Partial<Pick<ReviewDependencies, 'settings' | 'storage' | 'secondYes'>>;

/** As they are by default. */
export const reviewSettings = { patchMode: 'ask', saveAfterAccept: true } as const;

export class Stage {
  folder: string;
  readonly #options: StageOptions & Pick<ReviewDependencies, 'settings'>;
  review: Review;
  readonly #log: Log;
  readonly #settings: (() => Thenable<void>)[] = [];
  readonly #listeners: vscode.Disposable[] = [];
  #count = 0;

  private constructor(folder: string, options: StageOptions) {
    this.folder = folder;
    // VS Code closes a channel some time after it was disposed of: a new one must not have its name.
    this.#log = new Log(`Kimi Chat ${basename(folder)}`);
    this.#options = { settings: reviewSettings, ...options };
    this.review = registerReview({ log: this.#log, schemes, ...this.#options });
  }

  static async open(options: StageOptions = {}): Promise<Stage> {
    // In a browser VS Code saves by itself a second after each change.
    const settings = vscode.workspace.getConfiguration();
    if (settings.get('files.autoSave') !== 'off') {
      await settings.update('files.autoSave', 'off', vscode.ConfigurationTarget.Global);
    }
    return new Stage(await mkdtemp(join(workspaceFolder(), 'edits-')), options);
  }

  /** As when the window is loaded anew: the review goes and another one comes; files and tabs stay. */
  async reload(meanwhile: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    this.review.dispose();
    await meanwhile();
    this.review = registerReview({ log: this.#log, schemes, ...this.#options });
  }

  /** @param keep leaves the folder as it is, for what a later window does with it */
  async close({ keep = false } = {}): Promise<void> {
    this.review.dispose();
    this.#log.dispose();
    for (const listener of this.#listeners) listener.dispose();
    for (const restore of this.#settings.reverse()) await restore();
    for (const document of vscode.workspace.textDocuments) {
      if (!document.isDirty) continue;
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    if (!keep) await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /**
   * Moves to a new folder that VS Code watches by now: of one made a moment ago it misses what is written before its watcher has got
   * there. Once it tells that a folder came it hears of everything in it.
   */
  async watched(): Promise<void> {
    const watcher = vscode.workspace.createFileSystemWatcher('**/edits-*');
    const heard = new Set<string>();
    const listener = watcher.onDidCreate(({ fsPath }) => heard.add(fsPath));
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
    this.folder = await mkdtemp(join(workspaceFolder(), 'edits-'));
    while (!heard.has(this.folder)) await next(watcher.onDidCreate);
    listener.dispose();
    watcher.dispose();
  }

  /** The next save of a file fails, and leaves only so many bytes of what was there: as on a disk that is full. */
  cutNextSave(name: string, length: number): void {
    const listener = vscode.workspace.onWillSaveTextDocument((event) => {
      if (event.document.uri.path !== this.uri(name).path) return;
      listener.dispose();
      event.waitUntil(truncate(this.onDisk(name), length));
    });
    this.own(listener);
  }

  path(name: string): WorkspacePath {
    const relative = `${basename(this.folder)}/${name}`;
    return { root: 0, relative, display: relative };
  }

  onDisk(name: string): string {
    return join(this.folder, name);
  }

  uri(name: string): vscode.Uri {
    return vscode.Uri.file(this.onDisk(name));
  }

  async write(name: string, content: string | Uint8Array): Promise<vscode.Uri> {
    await mkdir(dirname(this.onDisk(name)), { recursive: true });
    await writeFile(this.onDisk(name), content);
    return this.uri(name);
  }

  /** The bytes on the disk as UTF-8, a byte order mark included; undefined when there is no file. */
  async disk(name: string): Promise<string | undefined> {
    try {
      return (await readFile(this.onDisk(name))).toString('utf8');
    } catch {
      return undefined;
    }
  }

  /** Text put into an editor and not saved. */
  async typeUnsaved(name: string, change: (text: string) => string): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument(this.uri(name));
    const before = document.getText();
    await edit(document, change(before));
    return document;
  }

  async set(section: string, value: unknown): Promise<void> {
    const settings = vscode.workspace.getConfiguration();
    const before = settings.inspect(section)?.globalValue;
    this.#settings.push(() =>
      vscode.workspace.getConfiguration().update(section, before, vscode.ConfigurationTarget.Global),
    );
    await settings.update(section, value, vscode.ConfigurationTarget.Global);
  }

  own(listener: vscode.Disposable): void {
    this.#listeners.push(listener);
  }

  update(name: string, before: string, after: string, to?: string): FileEdit {
    return {
      kind: 'update',
      path: this.path(name),
      ...(to !== undefined && { to: this.path(to) }),
      before,
      after,
      replacements: lineReplacements(before, after),
      places: [],
    };
  }

  add(name: string, after: string): FileEdit {
    return { kind: 'add', path: this.path(name), after };
  }

  remove(name: string, before: string): FileEdit {
    return { kind: 'delete', path: this.path(name), before };
  }

  propose(...files: FileEdit[]): Shown {
    this.#count += 1;
    return new Shown(this.review, `${basename(this.folder)}:${this.#count}`, files);
  }
}

/** One proposal in review: what was told of it, and the documents and tabs it has. */
export class Shown {
  readonly id: string;
  readonly outcome: Promise<ReviewOutcome>;
  readonly told: ProposalSummary[] = [];
  readonly #review: Review;
  readonly #stop = new AbortController();
  readonly #heard = new vscode.EventEmitter<void>();

  constructor(review: Review, id: string, files: readonly FileEdit[]) {
    this.id = id;
    this.#review = review;
    this.outcome = review.review.review(
      { id, plan: { files, notes: [] } },
      {
        signal: this.#stop.signal,
        proposal: (summary) => {
          this.told.push(summary);
          this.#heard.fire();
        },
      },
    );
  }

  file(index = 0): ProposedFile {
    const file = this.told.at(-1)?.files[index];
    assert.ok(file, 'nothing was told of this file');
    return file;
  }

  get states(): string[] {
    return this.told.at(-1)?.files.map(({ state }) => state) ?? [];
  }

  async single(): Promise<FileOutcome> {
    const { files } = await this.outcome;
    assert.equal(files.length, 1);
    const [file] = files;
    assert.ok(file);
    return file;
  }

  stop(): void {
    this.#stop.abort();
  }

  review(file = 0): Promise<void> {
    return this.#review.board.review(this.id, file);
  }

  accept(file?: number): Promise<void> {
    return this.#review.board.accept(this.id, file);
  }

  reject(file?: number, reason?: string): Promise<void> {
    return this.#review.board.reject(this.id, file, reason);
  }

  /** Resolves as soon as anything was told of it. */
  async up(): Promise<void> {
    while (this.told.length === 0) await next(this.#heard.event);
  }

  /** Resolves as soon as what was told of a file passes. Fails with what was told last when that takes too long. */
  async until(passes: (file: ProposedFile) => boolean, index = 0): Promise<void> {
    const started = new Error('A proposal never came to stand as awaited');
    await new Promise<void>((resolve, reject) => {
      const end = (then: () => void): void => {
        clearTimeout(timer);
        listener.dispose();
        then();
      };
      const check = (): void => {
        try {
          if (passes(this.file(index))) end(resolve);
        } catch (error) {
          end(() => reject(error instanceof Error ? error : started));
        }
      };
      const timer = setTimeout(() => {
        const { path, state, note, hunks } = this.file(index);
        started.message += `: ${passes.toString()}\nTold last: ${JSON.stringify({ path, state, note, hunks })}`;
        started.message += `\nThe editor has: ${JSON.stringify(this.#textInEditor(path))}`;
        end(() => reject(started));
      }, untilLimit);
      const listener = this.#heard.event(check);
      check();
    });
  }

  /** Of the first document that has this path and is a file; undefined when none is open. */
  #textInEditor(path: string): string | undefined {
    return vscode.workspace.textDocuments
      .find(({ uri }) => uri.scheme === 'file' && uri.path.endsWith(`/${path}`))
      ?.getText();
  }

  /** The right-hand side of the file while its diff is in front. */
  #inFront(file: number): vscode.TextEditor | undefined {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    if (!(input instanceof vscode.TabInputTextDiff)) return undefined;
    const found = this.#review.board.find(input.modified);
    if (found?.proposal.id !== this.id || found.file.index !== file) return undefined;
    const key = input.modified.toString();
    return vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === key);
  }

  /**
   * The right-hand side in its diff editor, in front. What extensions see of tabs follows a moment later; and where another diff is just
   * opening by itself, that may come in front of this one: then it is opened once more.
   */
  async openRight(file = 0): Promise<vscode.TextEditor> {
    for (;;) {
      await this.review(file);
      const editor = this.#inFront(file);
      if (editor !== undefined) return editor;
      await nextOf(vscode.window.tabGroups.onDidChangeTabs, vscode.window.onDidChangeVisibleTextEditors);
    }
  }
}

export function ourTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === schemes.proposal,
    );
}

export async function untilNoTabs(): Promise<void> {
  while (ourTabs().length > 0) await next(vscode.window.tabGroups.onDidChangeTabs);
}

export function next<T>(event: vscode.Event<T>, passes: (value: T) => boolean = () => true): Promise<T> {
  return new Promise((resolve) => {
    const listener = event((value) => {
      if (!passes(value)) return;
      listener.dispose();
      resolve(value);
    });
  });
}

/** Resolves with the first of these events. */
function nextOf(...events: readonly vscode.Event<unknown>[]): Promise<void> {
  return new Promise((resolve) => {
    const listeners = events.map((event) =>
      event(() => {
        for (const listener of listeners) listener.dispose();
        resolve();
      }),
    );
  });
}

/**
 * Resolves when the document has this text and, if wanted, is saved; asked at each event of a document. Of one that VS Code has closed
 * meanwhile the one counts that has its place.
 */
export async function untilText(
  document: vscode.TextDocument,
  passes: (text: string, isDirty: boolean) => boolean,
): Promise<void> {
  const key = document.uri.toString();
  const present = (): vscode.TextDocument =>
    vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === key) ?? document;
  while (!passes(present().getText(), present().isDirty)) {
    await nextOf(
      vscode.workspace.onDidChangeTextDocument,
      vscode.workspace.onDidSaveTextDocument,
      vscode.workspace.onDidOpenTextDocument,
    );
  }
}

/** Shows a file. VS Code gives up when something else, a diff say, is to be opened in the same moment. */
export async function inEditor(uri: vscode.Uri): Promise<vscode.TextEditor> {
  for (;;) {
    try {
      return await vscode.window.showTextDocument(uri);
    } catch (error) {
      if (!String(error).includes('Could NOT open editor')) throw error;
    }
  }
}

/** As if it had been pasted over everything, in the smallest ranges. */
export async function edit(document: vscode.TextDocument, text: string): Promise<void> {
  const change = new vscode.WorkspaceEdit();
  for (const { start, end, text: inserted } of lineReplacements(document.getText(), text)) {
    change.replace(
      document.uri,
      new vscode.Range(document.positionAt(start), document.positionAt(end)),
      inserted,
    );
  }
  assert.ok(await vscode.workspace.applyEdit(change));
}

function workspaceFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, 'these tests need an open folder');
  return folder.uri.fsPath;
}
