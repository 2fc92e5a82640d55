/** A path inside the workspace. Lexical only: links and the disk are the business of whoever reads the file. */

/** A file inside a workspace folder, by the folder's index and a relative path with `/`. Made only by `resolvePath`. */
export interface WorkspacePath {
  readonly root: number;
  readonly relative: string;
  /** As people and the model name it: relative, with the root's name in front when there are several roots. */
  readonly display: string;
}

/** A workspace folder, in the order of the workspace; its index is `WorkspacePath.root`. */
export interface Root {
  /** As the workspace shows it. */
  readonly name: string;
  /** Absolute, as the platform writes it: `/home/me/app`, `C:\app`, `\\server\share\app`. */
  readonly path: string;
  /** True where `A.txt` and `a.txt` are one file (Windows, usually macOS). */
  readonly caseInsensitive: boolean;
}
