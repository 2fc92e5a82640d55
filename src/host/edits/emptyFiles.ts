/** A file system in which every file is there, empty and read-only: the left-hand side of what does not exist yet. Knows no patches. */
import * as vscode from 'vscode';

/** VS Code brings only those diffs back after a reload whose two sides come from a file system. */
export const emptyFiles: vscode.FileSystemProvider = {
  onDidChangeFile: () => new vscode.Disposable(() => {}),
  watch: () => new vscode.Disposable(() => {}),
  stat: () => ({
    type: vscode.FileType.File,
    ctime: 0,
    mtime: 0,
    size: 0,
    permissions: vscode.FilePermission.Readonly,
  }),
  readFile: () => new Uint8Array(),
  readDirectory: () => [],
  createDirectory: refuse,
  writeFile: refuse,
  delete: refuse,
  rename: refuse,
};

function refuse(uri: vscode.Uri): void {
  throw vscode.FileSystemError.NoPermissions(uri);
}
