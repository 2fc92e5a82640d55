/**
 * Whether the person is in the chat or has gone to work in an editor since they asked. Looks only at who moved a cursor and at which tabs
 * there are.
 */
import * as vscode from 'vscode';

import { DisposableStore } from '../../disposables.ts';

/** What there was to be looked at when something came up that may want to the front. */
export interface Scene {
  /** The tab in front, by a name that it has as long as it is there; undefined when there is none. */
  readonly front: string | undefined;
  readonly tabs: ReadonlySet<string>;
  /** How often the person had opened something from the chat. */
  readonly opened: number;
}

/**
 * A diff that opens by itself takes the place of the editor in front. That is welcome while the person waits for it in the chat, and
 * a theft of their keys while they type in that editor.
 */
export class Attention implements vscode.Disposable {
  readonly #store = new DisposableStore();
  #inChat = false;
  #opened = 0;

  constructor() {
    this.#store.add(
      vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
        if (kind === vscode.TextEditorSelectionChangeKind.Command || kind === undefined) return;
        this.#inChat = false;
      }),
    );
  }

  /** The person has just sent a question from the panel. */
  asked(): void {
    this.#inChat = true;
  }

  /** The person opens something of ours: known here before the tabs tell of it. */
  opens(): void {
    this.#opened += 1;
  }

  /** To be taken when something comes up, and given to `mayOpen` once it can be shown. */
  get scene(): Scene {
    return { front: frontName(), tabs: new Set(tabNames()), opened: this.#opened };
  }

  /** Whether something may come to the front unasked that came up in this scene: not before what the person has opened since. */
  mayOpen(since: Scene): boolean {
    const isFree = this.#inChat || vscode.window.tabGroups.activeTabGroup.activeTab === undefined;
    return isFree && this.#opened === since.opened && !hasSwitched(since);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

/** Where the tab in front was closed, another one comes there by itself: nobody has switched to that. */
function hasSwitched({ front, tabs }: Scene): boolean {
  const now = frontName();
  if (now === undefined || now === front) return false;
  return !tabs.has(now) || (front !== undefined && tabNames().includes(front));
}

function frontName(): string | undefined {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  return tab && nameOf(tab);
}

function tabNames(): string[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(nameOf));
}

/** VS Code gives new objects for the same tabs when groups come and go. */
function nameOf({ label, input }: vscode.Tab): string {
  return JSON.stringify([label, input], function (this: Record<string, unknown>, key, value: unknown) {
    const own = this[key];
    // An address as JSON has more in it once somebody has asked it for its text.
    return own instanceof vscode.Uri ? own.toString() : value;
  });
}
