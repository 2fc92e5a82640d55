/**
 * Keeps a proposal's text equal to what the person makes of it in the diff editor: typed, pasted, or a block reverted. Unsaved
 * changes would make VS Code ask when the tab closes, so the document is saved soon after each change; the person's save actions
 * run then, and what they did is put back.
 */
import * as vscode from 'vscode';

import { rebase } from '../../../core/patch/rebase.ts';
import { DisposableStore } from '../../disposables.ts';
import { openDocument, withLineEnds } from '../files/documentText.ts';
import type { ProposedDocument, ProposedDocuments } from '../proposals/proposedDocuments.ts';
import { isRewrittenOnSave, isTidying } from '../files/saveActions.ts';

/** Quiet after the last change before a document is saved, in milliseconds: saving between two keys would move the cursor about. */
const quietTime = 400;

/**
 * Longest time between what a save action did and the save that it belongs to, in milliseconds. Long, for machines that are busy: what a
 * person tidies by hand moves their cursor, which tells sooner that it is no save action.
 */
const saveActionTime = 5_000;

/** What is known of one document while it is open. */
interface Watched {
  readonly proposed: ProposedDocument;
  /** The document's text at the last event, with its own line ends. */
  shown: string;
  timer?: NodeJS.Timeout;
  /** Our own save, while it runs. */
  saving?: Promise<void>;
  /**
   * Something was typed since our last save began. VS Code calls a document saved that was typed into meanwhile, though it still is dirty
   * where its tab would be closed.
   */
  unsaved: boolean;
  /** The person typed or clicked while our save ran. */
  touched: boolean;
  /** The proposal's text before what looks like the save actions of a save that is about to be announced. */
  untidied?: { readonly text: string; readonly at: number };
  /** When a save that is not ours was announced that has not been told as done. */
  announced?: number;
  /** Where the cursors stood in the text that is about to be put back. */
  selections: readonly vscode.Selection[] | undefined;
}

export class Amendments implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #documents: ProposedDocuments;
  readonly #watched = new Map<string, Watched>();
  readonly #amended = this.#store.add(new vscode.EventEmitter<ProposedDocument>());
  /** The proposal's text is another one than before. */
  readonly onDidAmend = this.#amended.event;

  constructor(documents: ProposedDocuments) {
    this.#documents = documents;
    const { workspace, window } = vscode;
    this.#store.add(workspace.onDidChangeTextDocument((event) => this.#changed(event)));
    this.#store.add(workspace.onWillSaveTextDocument(({ document }) => this.#willSave(document)));
    this.#store.add(workspace.onDidSaveTextDocument((document) => this.#saved(document)));
    this.#store.add(workspace.onDidOpenTextDocument((document) => void this.#watch(document)));
    this.#store.add(workspace.onDidCloseTextDocument((document) => this.#forget(document.uri)));
    this.#store.add(window.onDidChangeTextEditorSelection((event) => this.#selected(event)));
  }

  /** Resolves when the document has no unsaved changes, so that its tab closes without a question. */
  async settle(proposed: ProposedDocument): Promise<void> {
    const watched = this.#watched.get(proposed.uri.toString());
    if (watched === undefined) return;
    // What was typed while a save ran needs another one.
    for (let turn = 0; turn < 5; turn += 1) {
      await watched.saving;
      const document = openDocument(proposed.uri);
      if (document === undefined || !needsSaving(watched, document)) return;
      await this.#save(watched);
    }
  }

  dispose(): void {
    this.#store.dispose();
    for (const { timer } of this.#watched.values()) clearTimeout(timer);
    this.#watched.clear();
  }

  #watch(document: vscode.TextDocument): Watched | undefined {
    const key = document.uri.toString();
    const known = this.#watched.get(key);
    if (known !== undefined) return known;
    const proposed = this.#documents.get(document.uri);
    if (proposed === undefined) return undefined;
    const watched: Watched = {
      proposed,
      shown: document.getText(),
      unsaved: false,
      touched: false,
      selections: undefined,
    };
    this.#watched.set(key, watched);
    return watched;
  }

  #forget(uri: vscode.Uri): void {
    const key = uri.toString();
    clearTimeout(this.#watched.get(key)?.timer);
    this.#watched.delete(key);
  }

  #changed({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (contentChanges.length === 0) return;
    const known = this.#watched.get(document.uri.toString());
    const watched = known ?? this.#watch(document);
    if (watched === undefined) return;
    const { proposed } = watched;
    const before = known === undefined ? withLineEnds(proposed.text, proposed.eol) : known.shown;
    watched.shown = document.getText();
    const shown = withLineEnds(watched.shown, '\n');
    const fetched = proposed.fetched.lastIndexOf(shown);
    if (fetched >= 0) proposed.fetched = proposed.fetched.slice(fetched + 1);
    if (shown === proposed.text) {
      this.#putBack(watched);
      return;
    }
    // The text was replaced again while VS Code put the one before into the document: nobody typed.
    if (fetched >= 0 && !document.isDirty) {
      this.#documents.reload(proposed);
      return;
    }
    const tidying = isTidying(before, contentChanges);
    const saving = watched.saving !== undefined || isRecent(watched.announced);
    if (saving && (tidying || isRewrittenOnSave(document))) return;
    if (!tidying) delete watched.untidied;
    else if (!isRecent(watched.untidied?.at)) {
      watched.untidied = { text: proposed.text, at: Date.now() };
    }
    watched.unsaved = true;
    this.#absorb(watched, before, watched.shown);
    this.#saveSoon(watched);
  }

  /** Takes a change of the document over into the proposal, which may differ from the document by what save actions did. */
  #absorb({ proposed }: Watched, before: string, after: string): void {
    const next = withLineEnds(after, '\n');
    const merged = rebase(withLineEnds(before, '\n'), proposed.text, next);
    const text = merged.kind === 'merged' ? merged.text : next;
    if (text === proposed.text) return;
    proposed.text = text;
    this.#amended.fire(proposed);
  }

  /** A save that is not ours is announced when its trimming actions have run; what they did is told before it or after it. */
  #willSave(document: vscode.TextDocument): void {
    const watched = this.#watched.get(document.uri.toString());
    if (watched === undefined || watched.saving !== undefined) return;
    watched.announced = Date.now();
    const { untidied } = watched;
    delete watched.untidied;
    if (untidied === undefined || !isRecent(untidied.at)) return;
    watched.proposed.text = untidied.text;
    this.#amended.fire(watched.proposed);
  }

  #saved(document: vscode.TextDocument): void {
    const watched = this.#watched.get(document.uri.toString());
    if (watched === undefined) return;
    delete watched.announced;
    watched.shown = document.getText();
    if (withLineEnds(watched.shown, '\n') === watched.proposed.text || document.isDirty) return;
    watched.selections ??= selectionsIn(document);
    this.#documents.reload(watched.proposed);
  }

  #saveSoon(watched: Watched): void {
    clearTimeout(watched.timer);
    watched.timer = setTimeout(() => void this.#save(watched), quietTime);
  }

  async #save(watched: Watched): Promise<void> {
    clearTimeout(watched.timer);
    await watched.saving;
    const document = openDocument(watched.proposed.uri);
    if (document === undefined || !needsSaving(watched, document)) return;
    const before = document.getText();
    watched.unsaved = false;
    watched.touched = false;
    watched.selections = selectionsIn(document);
    watched.saving = Promise.resolve(document.save()).then(
      () => {},
      // Closed or vetoed meanwhile: the text is kept here in any case.
      () => {},
    );
    await watched.saving;
    delete watched.saving;
    // What was tidied before it was no save action: it is saved now.
    delete watched.untidied;
    if (document.isClosed) return;
    // Typing while a formatter ran can't be told from its work; nothing typed is ever lost.
    if (watched.touched && isRewrittenOnSave(document)) {
      watched.unsaved = true;
      this.#absorb(watched, before, document.getText());
    }
    if (needsSaving(watched, document)) this.#saveSoon(watched);
  }

  /** The text is the proposal's again, after save actions were put back: so are the cursors. */
  #putBack(watched: Watched): void {
    const { selections } = watched;
    if (selections === undefined) return;
    watched.selections = undefined;
    const key = watched.proposed.uri.toString();
    const editor = vscode.window.visibleTextEditors.find((each) => each.document.uri.toString() === key);
    if (editor !== undefined) editor.selections = selections;
  }

  #selected({ textEditor, kind }: vscode.TextEditorSelectionChangeEvent): void {
    const watched = this.#watched.get(textEditor.document.uri.toString());
    if (
      watched === undefined ||
      kind === undefined ||
      kind === vscode.TextEditorSelectionChangeKind.Command
    ) {
      return;
    }
    if (watched.saving !== undefined) watched.touched = true;
    delete watched.untidied;
    delete watched.announced;
    watched.selections = undefined;
  }
}

function needsSaving({ unsaved }: Watched, { isDirty }: vscode.TextDocument): boolean {
  return isDirty || unsaved;
}

function isRecent(at: number | undefined): boolean {
  return at !== undefined && Date.now() - at <= saveActionTime;
}

function selectionsIn(document: vscode.TextDocument): readonly vscode.Selection[] | undefined {
  return vscode.window.visibleTextEditors.find((each) => each.document === document)?.selections;
}
