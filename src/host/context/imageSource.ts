/** A chip of an image. What it is, its bytes tell, not its name. */
import { Buffer } from 'node:buffer';
import * as vscode from 'vscode';

import type { Attachment } from '../../core/conversation/userMessage.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { attachedScheme, type SourceParts } from './describe.ts';
import { maxImageBytes, type AttachProblem } from './problem.ts';

export interface ImageFile {
  readonly bytes: Uint8Array;
  /** What it claims to be; no matter. */
  readonly mime?: string;
  /** As a person knows it. */
  readonly name: string;
  /** Of an image that is a file. */
  readonly uri?: vscode.Uri;
}

export type ImageMime = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';

export function attachImage(
  { bytes, name, uri }: ImageFile,
  parts: SourceParts,
): Result<readonly Attachment[], AttachProblem> {
  const mime = mimeOf(bytes);
  if (mime === undefined) return err('notImage');
  if (bytes.length > maxImageBytes) return err('imageTooLarge');
  const id = parts.newId();
  return ok([
    {
      id,
      kind: 'image',
      path: name,
      uri: (uri ?? vscode.Uri.from({ scheme: attachedScheme, path: `/${id}` })).toString(),
      languageId: mime,
      text: '',
      image: `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`,
    },
  ]);
}

/** By its name alone, of a file that is not read. */
export function hasImageName({ path }: vscode.Uri): boolean {
  return /\.(?:png|jpe?g|webp|gif)$/i.test(path);
}

/** By the first bytes. Undefined for what is not sent as an image. */
export function mimeOf(bytes: Uint8Array): ImageMime | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'image/gif';
  return start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP' ? 'image/webp' : undefined;
}
