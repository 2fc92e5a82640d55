/**
 * How much of the context window a text takes up, in a unit near the token. The service's tokenizer is not public, so this counts what
 * tokenizers of this family make of a text, in one pass and without a vocabulary; `estimate.ts` brings it to the service's scale.
 *
 * The classes, and why they weigh what they weigh:
 * - Latin and Cyrillic letters: one for each started five of a run, the blank in front included. Short words are one token, long words
 *   and identifiers are cut in pieces. A capital behind a small letter starts a run: no token holds both, which makes few of an
 *   identifier and many of what is encoded in base64.
 * - Digits: one for each started three of a run, as the numbers are cut.
 * - Blanks: one for a run of them, nothing for the single blank in front of a word; one for a run of line ends.
 * - Chinese, Japanese and Korean: 0.9 a character; frequent pairs are one token, rare characters two.
 * - Punctuation of ASCII: 0.9 a character; some stand together in one token.
 * - All else, other scripts, signs, emoji: 1 a UTF-16 unit, so 2 for an emoji.
 */
import type { HistoryItem, RequestBody, ToolDeclaration } from '../responses/wire.ts';

/** What an item takes beside its texts: its role, and where it starts and ends. */
const itemFrame = 4;

const lettersInOne = 5;
const digitsInOne = 3;
const ideograph = 0.9;
const mark = 0.9;

type Class = 'letter' | 'digit' | 'blank' | 'lineEnd' | 'single';

/** Never less than for the beginning of the text, and never negative. */
export function textWeight(text: string): number {
  let weight = 0;
  let run: Class = 'single';
  let length = 0;
  let wasCapital = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const now = classOf(code);
    const isCapital = code >= 0x41 && code <= 0x5a;
    if (now !== run || (now === 'letter' && isCapital && !wasCapital)) {
      // The blank in front of a word is part of it.
      if (run === 'blank' && length === 1 && now === 'letter') weight -= 1;
      run = now;
      length = 0;
    }
    length += 1;
    wasCapital = isCapital;
    switch (now) {
      case 'letter':
        if (length % lettersInOne === 1) weight += 1;
        break;
      case 'digit':
        if (length % digitsInOne === 1) weight += 1;
        break;
      case 'blank':
      case 'lineEnd':
        if (length === 1) weight += 1;
        break;
      case 'single':
        weight += singleWeight(code);
        break;
    }
  }
  return weight;
}

/** The weights of what is sent. Keeps each one with its object, for as long as somebody else keeps that: objects never change here. */
export class Weights {
  readonly #kept = new WeakMap<object, number>();
  #instructions: readonly [text: string, weight: number] = ['', 0];

  item(item: HistoryItem): number {
    return this.#keep(
      item,
      () => itemFrame + (item.type === 'message' ? this.#parts(item.content) : contentWeight(item)),
    );
  }

  #parts(parts: readonly Content[]): number {
    return parts.reduce((sum, part) => sum + this.part(part), 0);
  }

  items(items: readonly HistoryItem[]): number {
    return items.reduce((sum, item) => sum + this.item(item), 0);
  }

  /** Of one part of a message: what was attached stands there at each key that is pressed. */
  part(part: Content): number {
    return this.#keep(part, () => partWeight(part));
  }

  tools(tools: readonly ToolDeclaration[]): number {
    return tools.reduce(
      (sum, tool) => sum + this.#keep(tool, () => itemFrame + textWeight(JSON.stringify(tool))),
      0,
    );
  }

  instructions(text: string): number {
    // Nearly always the same text as the last time.
    if (this.#instructions[0] !== text) this.#instructions = [text, textWeight(text)];
    return this.#instructions[1] + itemFrame;
  }

  body({ instructions, tools, input }: Pick<RequestBody, 'instructions' | 'tools' | 'input'>): number {
    return this.instructions(instructions) + this.tools(tools ?? []) + this.items(input);
  }

  #keep(key: object, weigh: () => number): number {
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const weight = weigh();
    this.#kept.set(key, weight);
    return weight;
  }
}

/** Base64 of what stands encrypted in it, four letters for three bytes, and about four bytes a token. */
const cipherInOne = 16 / 3;

function contentWeight(item: Exclude<HistoryItem, { type: 'message' }>): number {
  switch (item.type) {
    case 'reasoning':
      if (item.content !== undefined) return weightOf(item.content);
      // What the model reads is the reasoning itself, of which the summary tells a part.
      return Math.max(weightOf(item.summary), (item.encrypted_content ?? '').length / cipherInOne);
    case 'function_call':
    case 'custom_tool_call': {
      const input = item.type === 'function_call' ? item.arguments : item.input;
      return textWeight(item.name) + textWeight(item.call_id) + textWeight(input);
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return textWeight(item.call_id) + textWeight(item.output);
    case 'web_search_call':
      // The service leaves it out of what the model reads.
      return 0;
  }
}

/** Of an image, whatever its size: how it is counted is not told. */
const imageWeight = 1024;

type Content = { readonly text: string } | { readonly image_url: string };

/** Of one part of a message. */
export function partWeight(part: Content): number {
  return 'text' in part ? textWeight(part.text) : imageWeight;
}

function weightOf(parts: readonly Content[]): number {
  return parts.reduce((sum, part) => sum + partWeight(part), 0);
}

function classOf(code: number): Class {
  if ((code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)) return 'letter';
  if (code === 0x20 || code === 0x09 || code === 0x0d) return 'blank';
  if (code === 0x0a) return 'lineEnd';
  if (code >= 0x30 && code <= 0x39) return 'digit';
  return (code >= 0xc0 && code <= 0x24f) || (code >= 0x400 && code <= 0x4ff) ? 'letter' : 'single';
}

function singleWeight(code: number): number {
  if (code < 0x80) return mark;
  // Kana, the ideographs of the basic plane, Hangul.
  return (code >= 0x3040 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7a3) ? ideograph : 1;
}
