/** Reads what a tool of VS Code returned, whatever kinds of parts it has by now. */
import * as v from 'valibot';
import * as vscode from 'vscode';

import type { ResultPart } from '../../core/tools/foreignResult.ts';

/** What VS Code makes of a resource that a server only points to. */
const linkMime = 'application/vnd.code.resource-link';

/** Larger than anything that is kept of it afterwards. Bytes. */
const longestText = 1_000_000;

export function resultParts(content: readonly unknown[]): readonly ResultPart[] {
  return content.map((part): ResultPart => {
    if (part instanceof vscode.LanguageModelTextPart) return { kind: 'text', text: part.value };
    if (part instanceof vscode.LanguageModelPromptTsxPart) return { kind: 'elements', value: part.value };
    if (part instanceof vscode.LanguageModelDataPart) return dataPart(part);
    return { kind: 'other', value: part };
  });
}

function dataPart({ mimeType: mime, data }: vscode.LanguageModelDataPart): ResultPart {
  if (mime === linkMime) return linkPart(data) ?? { kind: 'bytes', mime, size: data.byteLength };
  if (!isText(mime) || data.byteLength > longestText) return { kind: 'bytes', mime, size: data.byteLength };
  return { kind: 'text', text: new TextDecoder().decode(data) };
}

function isText(mime: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml|javascript|typescript)(?:;|$)/i.test(mime);
}

const linkSchema = v.object({
  uri: v.object({
    ...{ scheme: v.string(), authority: v.optional(v.string()), path: v.optional(v.string()) },
    ...{ query: v.optional(v.string()), fragment: v.optional(v.string()) },
  }),
  underlyingMimeType: v.optional(v.string()),
});

function linkPart(data: Uint8Array): ResultPart | undefined {
  const link = v.safeParse(v.pipe(v.string(), v.parseJson(), linkSchema), new TextDecoder().decode(data));
  if (!link.success) return undefined;
  const { uri, underlyingMimeType: mime } = link.output;
  const { scheme, authority = '', path = '', query = '', fragment = '' } = uri;
  const rest = `${query === '' ? '' : `?${query}`}${fragment === '' ? '' : `#${fragment}`}`;
  return {
    kind: 'link',
    address: `${scheme}://${authority}${path}${rest}`,
    ...(mime !== undefined && { mime }),
  };
}
