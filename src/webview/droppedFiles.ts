/** Files whose content alone is known, from the system or the clipboard, as intents; and what hinders the others. */
import { maxTextLength, type ToHost } from '../protocol/toHost.ts';
import { visibleText } from './invisible.ts';
import { l10n } from './l10n.ts';
import { readPicture } from './pictures.ts';

/** Most that are taken from one drop. */
const mostFiles = 20;
/** Bytes that are looked at to tell text from anything else. */
const beginning = 8_192;

/** @param file.isFolder as the drag tells: what is in it can't be asked */
export interface DroppedFile {
  readonly file: File;
  readonly isFolder?: boolean;
}

export interface FilesRead {
  readonly intents: readonly ToHost[];
  /** For the person; empty when all went well. */
  readonly problems: readonly string[];
}

export async function readFiles(files: readonly DroppedFile[]): Promise<FilesRead> {
  const intents: ToHost[] = [];
  const problems: string[] = [];
  for (const one of files.slice(0, mostFiles)) {
    const read = await readFile(one);
    if (typeof read === 'string') problems.push(read);
    else {
      intents.push(read.intent);
      if (read.note !== undefined) problems.push(read.note);
    }
  }
  if (files.length > mostFiles) problems.push(l10n.t('Only the first {0} files were attached.', mostFiles));
  return { intents, problems };
}

interface Read {
  readonly intent: ToHost;
  readonly note?: string;
}

async function readFile({ file, isFolder = false }: DroppedFile): Promise<Read | string> {
  const name = file.name === '' ? l10n.t('Pasted image') : file.name.slice(0, 1_000);
  const shown = visibleText(name);
  if (isFolder) return l10n.t('{0} is a folder. Drag it from the Explorer of VS Code.', shown);
  // What draws from text is text.
  if (file.type.startsWith('image/') && file.type !== 'image/svg+xml') {
    const picture = await readPicture(file);
    if (picture === undefined)
      return l10n.t('{0} can’t be sent as an image. PNG, JPEG, WebP and GIF can.', shown);
    const { mime, data, isStill } = picture;
    return {
      intent: { kind: 'attachImage', name, mime, data },
      ...(isStill && { note: l10n.t('Of {0}, only the first picture is sent: it is too large.', shown) }),
    };
  }
  return await readText(file, name);
}

async function readText(file: File, name: string): Promise<Read | string> {
  const shown = visibleText(name);
  const noText = l10n.t('{0} is no text. Only text and images can be attached.', shown);
  try {
    const start = new Uint8Array(await file.slice(0, beginning).arrayBuffer());
    const isUtf16 = (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);
    if (!isUtf16 && start.includes(0)) return noText;
    if (file.size > maxTextLength) return l10n.t('{0} is too large to be attached.', shown);
    const encoding = !isUtf16 ? 'utf-8' : start[0] === 0xff ? 'utf-16le' : 'utf-16be';
    const text = new TextDecoder(encoding, { fatal: true }).decode(await file.arrayBuffer());
    return { intent: { kind: 'attachText', name, text } };
  } catch (error) {
    if (error instanceof TypeError)
      return l10n.t(
        '{0} is in an encoding that can’t be told here. Open it in VS Code and attach it there.',
        shown,
      );
    return l10n.t('{0} could not be read.', shown);
  }
}
