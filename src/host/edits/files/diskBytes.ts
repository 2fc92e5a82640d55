/** What bytes a file has on the disk, and whether they are all of a text or only its beginning. Changes nothing. */
import { Buffer } from 'node:buffer';
import * as vscode from 'vscode';

/** Undefined when nothing can be read there. */
export async function bytesAt(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  try {
    return await vscode.workspace.fs.readFile(uri);
  } catch {
    return undefined;
  }
}

/** The bytes with which an editor saves this text. */
export function bytesOf(text: string, { encoding }: vscode.TextDocument): Thenable<Uint8Array> {
  return vscode.workspace.encode(text, { encoding });
}

export function isSame(one: Uint8Array | undefined, other: Uint8Array): boolean {
  return one !== undefined && Buffer.from(one).equals(other);
}

export function isBeginning(found: Uint8Array | undefined, whole: Uint8Array): boolean {
  return found !== undefined && found.length < whole.length && isSame(found, whole.subarray(0, found.length));
}

/** Whether nothing in this document is still to be saved. One that is marked as unsaved may hold what is on the disk all the same. */
export async function isOnDisk(document: vscode.TextDocument): Promise<boolean> {
  return (
    !document.isDirty || isSame(await bytesAt(document.uri), await bytesOf(document.getText(), document))
  );
}

/** Disks are filled by so many bytes, or a multiple of it, at a time. */
const block = 512;

/**
 * Whether a text was cut off where nobody else takes away the rest of a file: at the end of a block, or in the middle of a line, unless
 * more of that was just typed. A disk that becomes full does that, and VS Code may not notice.
 * @param document whose encoding both have
 */
export async function isCutShort(
  found: Uint8Array,
  whole: string,
  document: vscode.TextDocument,
): Promise<boolean> {
  if (found.length === 0 || !isBeginning(found, await bytesOf(whole, document))) return false;
  if (found.length % block === 0) return true;
  if (document.isDirty) return false;
  const part = await vscode.workspace.decode(found, { encoding: document.encoding });
  // Otherwise in the middle of a character.
  if (!whole.startsWith(part)) return true;
  return !/[\r\n]$/.test(part) && !/^[\r\n]/.test(whole.slice(part.length));
}

/** Whether the disk has only the beginning of what the editor holds. */
export async function isCutOnDisk(document: vscode.TextDocument): Promise<boolean> {
  const found = await bytesAt(document.uri);
  return found !== undefined && (await isCutShort(found, document.getText(), document));
}
