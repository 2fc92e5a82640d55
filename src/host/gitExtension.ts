/** The editor's own extension for Git: what is used of it. Does nothing to a repository by itself. */
import * as vscode from 'vscode';

/** What is used of the API of `vscode.git`, version 1, by the names it has there. */
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): { readonly repositories: readonly GitRepository[] };
}

export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: {
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
    /** Where new files are kept apart; else they are among those of the working tree. */
    readonly untrackedChanges?: readonly GitChange[];
  };
  status(): Promise<void>;
  diff(cached?: boolean): Promise<string>;
}

export interface GitChange {
  readonly uri: vscode.Uri;
  readonly status: number;
}

/** The repositories that are open; undefined where the extension is missing, switched off or fails. Never rejects. */
export async function gitRepositories(): Promise<readonly GitRepository[] | undefined> {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension === undefined) return undefined;
  try {
    const git = await extension.activate();
    return git.enabled ? git.getAPI(1).repositories : undefined;
  } catch {
    return undefined;
  }
}
