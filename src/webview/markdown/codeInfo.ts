/** What stands behind a fence: the language, and the file that the code is for. Pure. */

export interface CodeInfo {
  /** As written; empty when none is. */
  readonly language: string;
  readonly file?: string;
}

const named = /\b(?:title|file|filename|filepath|path|name)\s*=\s*(?:"([^"]+)"|'([^']+)'|([^\s"'{}]+))/i;

/** Reads `ts`, `ts src/cart.ts`, `ts:src/cart.ts`, `ts title="src/cart.ts"` and `src/cart.ts`. */
export function codeInfo(info: string): CodeInfo {
  const text = info.trim();
  const [, double, single, bare] = named.exec(text) ?? [];
  const given = double ?? single ?? bare;
  const first = /^[^\s{,]*/.exec(text)?.[0] ?? '';
  const [head, afterColon] = splitOnce(first, ':');
  const second = /^\S+\s+([^\s={}]+)\s*$/.exec(text)?.[1];
  const file = given ?? [afterColon, second, head].find((word) => word !== undefined && isPath(word));
  const language = file === head ? (/\.([\w+#-]+)$/.exec(head)?.[1] ?? '') : /^[^=]*$/.test(head) ? head : '';
  return { language, ...(file !== undefined && { file }) };
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** With a folder, or an ending that is none of a language's own name (`c++`, `asp.net`). */
function isPath(word: string): boolean {
  if (word.length > 500 || /[*?<>|]/.test(word)) return false;
  return /^[^/].*\/.*[^/]$/.test(word) || /^[\w@.-]+\.[A-Za-z]\w{0,9}$/.test(word)
    ? !/^asp\.net$/i.test(word)
    : false;
}
