/** What all chips of context begin with. */
import * as vscode from 'vscode';

import type { Attachment } from '../../core/conversation/userMessage.ts';
import { placeOf, placeOfUri } from '../composer/placeOf.ts';

/** Of what is no place in a file, the scheme of its address: it can only be shown as it was sent. */
export const attachedScheme = 'kimi-attached';

export interface SourceParts {
  readonly newId: () => string;
  /** Another name for documents that don't have the one a person knows them by. */
  nameOf?(document: vscode.Uri): string | undefined;
  /** Asked each time; those of the window by default. */
  folders?(): readonly vscode.WorkspaceFolder[];
}

export function foldersOf(parts: SourceParts): readonly vscode.WorkspaceFolder[] {
  return parts.folders?.() ?? vscode.workspace.workspaceFolders ?? [];
}

/** With LF whatever the file has: a model would copy a CR into its patch as a character of the line. */
export function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

export function describeDocument(
  document: vscode.TextDocument,
  parts: SourceParts,
): Pick<Attachment, 'id' | 'path' | 'uri' | 'languageId'> {
  return {
    id: parts.newId(),
    path: parts.nameOf?.(document.uri) ?? placeOf(document),
    uri: document.uri.toString(),
    languageId: document.languageId,
  };
}

/** Of a document that need not be open. */
export function pathOf(uri: vscode.Uri, parts: SourceParts): string {
  return parts.nameOf?.(uri) ?? placeOfUri(uri);
}
