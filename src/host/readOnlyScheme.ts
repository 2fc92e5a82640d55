/** Files of a scheme of our own that can be looked at and not changed. Knows nothing of what is in them. */
import * as vscode from 'vscode';

/**
 * Serves what `read` gives; it throws `FileNotFound` for an address that it does not know. A file has the same content each time.
 * As a file system, though a provider of texts would be less: VS Code brings only those diffs back after a reload whose two sides come
 * from one, and only files can be images.
 * @param scheme can be registered once
 */
export function serveReadOnly(
  scheme: string,
  read: (uri: vscode.Uri) => Uint8Array | Promise<Uint8Array>,
): vscode.Disposable {
  const files: vscode.FileSystemProvider = {
    onDidChangeFile: () => new vscode.Disposable(() => {}),
    watch: () => new vscode.Disposable(() => {}),
    stat: async (uri) => ({
      type: vscode.FileType.File,
      ctime: 0,
      mtime: 0,
      size: (await read(uri)).length,
      permissions: vscode.FilePermission.Readonly,
    }),
    readFile: read,
    readDirectory: () => [],
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  return vscode.workspace.registerFileSystemProvider(scheme, files, {
    isCaseSensitive: true,
    isReadonly: true,
  });
}

function refuse(uri: vscode.Uri): void {
  throw vscode.FileSystemError.NoPermissions(uri);
}
