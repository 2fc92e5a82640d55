/** Shows that a conversation is on its way to a file or from one; of a long one so that a person can call it off. Knows nothing of the work. */
import * as vscode from 'vscode';

/** Bytes from which it takes a while. */
const longFrom = 8 * 1024 * 1024;

/** @param size bytes, about */
export async function whileWorking<T>(
  { title, size }: { readonly title: string; readonly size: number },
  work: (isCancelled: () => boolean) => Promise<T>,
): Promise<T> {
  const isLong = size >= longFrom;
  const location = isLong ? vscode.ProgressLocation.Notification : vscode.ProgressLocation.Window;
  return await vscode.window.withProgress({ location, title, cancellable: isLong }, (_progress, token) =>
    work(() => token.isCancellationRequested),
  );
}
