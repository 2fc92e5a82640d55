/** What a tool of somebody else returned, as the model reads it. Knows no editor: bytes have become text or a size by now. */
import { capped, sizeText } from './resultText.ts';

export type ResultPart =
  | { readonly kind: 'text'; readonly text: string }
  /** Bytes that are no text. */
  | { readonly kind: 'bytes'; readonly mime: string; readonly size: number }
  /** Something that can be found at an address, and was not sent along. */
  | { readonly kind: 'link'; readonly address: string; readonly mime?: string }
  /** The elements of a prompt, as the library for them writes them down. */
  | { readonly kind: 'elements'; readonly value: unknown }
  /** Of a kind that did not exist when this was written. */
  | { readonly kind: 'other'; readonly value: unknown };

/** One text, capped. */
export function resultOf(parts: readonly ResultPart[]): string {
  const texts = parts.map(textOf).filter((text) => text !== '');
  return texts.length === 0 ? 'The tool returned nothing.' : capped(texts.join('\n'));
}

function textOf(part: ResultPart): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'bytes':
      return `[${part.mime}, ${sizeText(part.size)}: not shown here]`;
    case 'link':
      return part.mime === undefined ? `[${part.address}]` : `[${part.address} (${part.mime})]`;
    case 'elements':
      return elementsText(part.value);
    case 'other':
      return otherText(part.value);
  }
}

/** A tree whose leaves are texts, some of which begin a line. What is no such tree is written as JSON. */
function elementsText(value: unknown): string {
  const root = memberOf(value, 'node');
  if (root === undefined) return otherText(value);
  let all = '';
  // Not by recursion: the tree comes from elsewhere and may be as deep as it likes.
  const left: unknown[] = [root];
  while (left.length > 0) {
    const node = left.pop();
    const text = memberOf(node, 'text');
    if (typeof text === 'string') {
      const begins = memberOf(node, 'lineBreakBefore');
      all += begins === undefined || begins === false ? text : `\n${text}`;
    }
    const children = memberOf(node, 'children');
    if (Array.isArray(children)) for (const child of (children as unknown[]).toReversed()) left.push(child);
  }
  return all.trim();
}

function otherText(value: unknown): string {
  if (typeof value === 'string') return value;
  const inner = memberOf(value, 'value');
  if (typeof inner === 'string') return inner;
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '[a result that can’t be shown]';
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
