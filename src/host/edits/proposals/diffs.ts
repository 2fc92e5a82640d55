/** Our tabs in VS Code's diff editor: opens, finds and closes them. Knows documents and titles, no plans. */
import * as vscode from 'vscode';

export interface Diff {
  readonly left: vscode.Uri;
  /** A document of our own file system; it names the tab. */
  readonly right: vscode.Uri;
  readonly title: string;
  /** The file that it is about, where the left-hand side is not it. */
  readonly file?: vscode.Uri;
}

export class Diffs {
  readonly #scheme: string;

  /** @param scheme of the right-hand sides, by which our tabs are known */
  constructor(scheme: string) {
    this.#scheme = scheme;
  }

  /** @param focus true only when the person asked for just this: whoever types elsewhere goes on typing */
  async open({ left, right, title }: Diff, focus: boolean): Promise<void> {
    const open = this.#tabs(right)[0];
    await vscode.commands.executeCommand('vscode.diff', left, right, title, {
      preserveFocus: !focus,
      // A preview tab would push out the one in which the person has a file open; ours close once decided.
      preview: false,
      ...(open !== undefined && { viewColumn: open.group.viewColumn }),
    });
  }

  /** Shows several in one editor. It is the person's: VS Code gives no way to find it again. */
  async openAll(title: string, diffs: readonly Diff[]): Promise<void> {
    const rows = diffs.map(({ left, right, file }) => [file ?? left, left, right]);
    await vscode.commands.executeCommand('vscode.changes', title, rows);
  }

  isOpen(right: vscode.Uri): boolean {
    return this.#tabs(right).length > 0;
  }

  /** The right-hand side of the diff that is being looked at, if it is one of ours. */
  active(): vscode.Uri | undefined {
    return this.#rightOf(vscode.window.tabGroups.activeTabGroup.activeTab);
  }

  async close(right: vscode.Uri): Promise<void> {
    await closeTabs(this.#tabs(right));
  }

  /** Closes tabs of ours that nobody knows any more: VS Code brings tabs back after a restart. */
  async closeAllBut(isKnown: (right: vscode.Uri) => boolean): Promise<void> {
    await closeTabs(
      allTabs().filter((tab) => {
        const right = this.#rightOf(tab);
        return right !== undefined && !isKnown(right);
      }),
    );
  }

  #tabs(right: vscode.Uri): vscode.Tab[] {
    const key = right.toString();
    return allTabs().filter((tab) => this.#rightOf(tab)?.toString() === key);
  }

  #rightOf(tab: vscode.Tab | undefined): vscode.Uri | undefined {
    const input = tab?.input;
    const uri =
      input instanceof vscode.TabInputTextDiff
        ? input.modified
        : input instanceof vscode.TabInputText
          ? input.uri
          : undefined;
    return uri?.scheme === this.#scheme ? uri : undefined;
  }
}

function allTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}

async function closeTabs(tabs: readonly vscode.Tab[]): Promise<void> {
  if (tabs.length === 0) return;
  try {
    await vscode.window.tabGroups.close(tabs, true);
  } catch {
    // A tab that the person closed in the same moment is unknown to VS Code.
  }
}
