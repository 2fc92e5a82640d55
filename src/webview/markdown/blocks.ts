/**
 * Markdown that is still arriving, as blocks: those that are settled (they can't change any more, whatever comes) and a live tail.
 * Only the tail is parsed again when text is added; the text of a code fence that is still open is not parsed at all.
 * Pure: knows neither screen nor elements.
 *
 * The result equals that of parsing the whole text, at every length. One exception: while a link definition is part of the live
 * tail, settled blocks that refer to it show it as text; they are corrected once it is settled.
 */
import { Hooks, Lexer, Tokenizer, type MarkedToken, type Token, type Tokens, type TokensList } from 'marked';
import { formulaBlock, formulaInLine, possibleFormula, type Formula } from './math.ts';

/** What a text is made of: the lexer's own tokens, and ours. */
export type ShownToken = MarkedToken | FormulaToken | NoteToken | NoteMark;

export interface FormulaToken {
  readonly type: 'formula';
  readonly raw: string;
  /** TeX, without delimiters. */
  readonly text: string;
  readonly display: boolean;
}

/** A footnote, where it is written. */
export interface NoteToken {
  readonly type: 'note';
  readonly raw: string;
  /** As labels are compared. */
  readonly label: string;
  readonly tokens: Token[];
}

/** The place in the text that a footnote is for; text as it stands, unless there is such a footnote. */
export interface NoteMark {
  readonly type: 'noteMark';
  readonly raw: string;
  readonly label: string;
}

export interface Block {
  /** Offset in the text; it identifies the block for as long as the text only grows. */
  readonly start: number;
  readonly raw: string;
  readonly token: ShownToken;
  /** A fence without its end: text is still going into it. */
  readonly open?: OpenFence;
}

/** The text of an open fence, cut so that only the last piece changes as it grows. */
export interface OpenFence {
  /** Each ends with a line break. */
  readonly settled: readonly string[];
  readonly rest: string;
}

export interface Blocks {
  /** Source, with line ends as `\n`. */
  readonly text: string;
  /** Settled blocks in groups; a group that is full never changes its identity unless a link definition concerns it. */
  readonly settled: readonly (readonly Block[])[];
  /** Blocks that may still change. */
  readonly tail: readonly Block[];
  /** Where the tail starts. */
  readonly tailStart: number;
  /** Definitions of the settled part. */
  readonly links: Links;
  /** No text will be added; all is settled. */
  readonly done: boolean;
}

type Links = Readonly<Record<string, Pick<Tokens.Link | Tokens.Image, 'href' | 'title'>>>;

const blankLine = /\n[ \t]*\n/;
const groupSize = 32;
/** Lines of an open fence in a settled piece. */
const pieceLines = 64;

export const noBlocks: Blocks = {
  text: '',
  settled: [],
  tail: [],
  tailStart: 0,
  links: {},
  done: false,
};

/**
 * The blocks of `text`. `previous` is the result for an earlier state of the same text; when the text did not merely grow since
 * (it was replaced) everything is parsed anew.
 */
export function advance(previous: Blocks, source: string, done: boolean): Blocks {
  // The text is long, and what was read of it holds no carriage return.
  const grew = beginsWith(source, previous.text);
  const text = source.includes('\r', grew ? previous.text.length : 0)
    ? source.replace(/\r\n?/g, '\n')
    : source;
  if (previous.done || !(grew || beginsWith(text, previous.text))) {
    return text === previous.text && done ? previous : fromTail({ ...noBlocks, text }, done);
  }
  if (text.length === previous.text.length && !done) return previous;
  if (!done) {
    const grown = growFence(previous, text);
    if (grown !== undefined) return grown;
  }
  return fromTail({ ...previous, text }, done);
}

/** As `startsWith`, which goes from character to character: for a megabyte that took longer than all else. */
export function beginsWith(text: string, start: string): boolean {
  return text.slice(0, start.length) === start;
}

/** The settled blocks behind the first `count`. */
export function settledBehind({ settled }: Blocks, count: number): readonly Block[] {
  const first = Math.floor(count / groupSize);
  return settled
    .slice(first)
    .flat()
    .slice(count - first * groupSize);
}

/** Parses the tail and moves what is settled by now. */
function fromTail(state: Blocks, done: boolean): Blocks {
  const { text, tailStart } = state;
  const { blocks, exact } = lex(text.slice(tailStart), tailStart, state.links);
  const last = blocks.at(-1);
  const tail = last === undefined ? blocks : [...blocks.slice(0, -1), withoutEnd(last, done)];
  const count = done ? tail.length : exact ? settledCount(tail, text) : 0;
  const next: Blocks = { ...state, tail, done };
  return count === 0 ? next : settle(next, count);
}

/**
 * How many blocks at the start of the tail can't change any more: those before the last one that begins after a border, provided
 * that two lines have ended since. Until then it may turn out to be a part of its predecessor: `#` becomes `#tag`, a row of
 * dashes under a row of cells makes a table or does not, and under a paragraph a heading of all its lines. A formula that is open
 * may take in all that comes up to a blank line, whatever it looks like.
 */
function settledCount(tail: readonly Block[], text: string): number {
  const lastEnd = text.lastIndexOf('\n');
  const before = lastEnd > 0 ? text.lastIndexOf('\n', lastEnd - 1) : -1;
  const tailStart = tail[0]?.start ?? 0;
  const formula = possibleFormula(text.slice(tailStart));
  const latest = Math.min(before, formula === undefined ? Infinity : tailStart + formula);
  for (let index = tail.length - 1; index > 0; index--) {
    const previous = tail[index - 1];
    const block = tail[index];
    if (previous === undefined || block === undefined || block.start > latest) continue;
    if (!endsInBorder(previous, text.slice(previous.start, block.start))) continue;
    if (!takesTitle(tail.slice(0, index), block, text)) return index;
  }
  return 0;
}

/** What stands after a blank line, a heading or a fence is no part of what stands before. */
function endsInBorder(block: Block, untilNext: string): boolean {
  if (block.token.type === 'heading') return true;
  if (block.token.type === 'code' && block.token.codeBlockStyle === undefined) return true;
  return /\n[ \t]*\n[ \t]*$/.test(untilNext);
}

/** The title of a link definition may begin on the next line and go on until a blank one, over whatever looks like blocks. */
function takesTitle(blocks: readonly Block[], next: Block, text: string): boolean {
  return blocks.some(
    (block, index) =>
      block.token.type === 'def' &&
      /^\s*["'(]/.test((blocks[index + 1] ?? next).raw) &&
      !blankLine.test(text.slice(block.start, next.start)),
  );
}

function settle(state: Blocks, count: number): Blocks {
  const tail = state.tail.slice(count);
  const taken = state.tail.slice(0, count);
  // What they refer to may be a definition that is still arriving, and may turn out to be none.
  const moved = tail.some((block) => block.raw.includes(']:'))
    ? relinkGroup(taken, [''], state.links)
    : taken;
  const found = definitions(moved, state.links);
  const links = found.length === 0 ? state.links : { ...state.links, ...Object.fromEntries(found) };
  const tags = found.map(([tag]) => tag);
  const settled = tags.length === 0 ? state.settled : relink(state.settled, tags, links);
  return {
    ...state,
    settled: appendToGroups(settled, tags.length === 0 ? moved : relinkGroup(moved, tags, links)),
    tail,
    tailStart: tail[0]?.start ?? state.text.length,
    links,
  };
}

/**
 * All blocks in the groups in which they are when they are settled: what is settled later stays where it is drawn, with what is selected
 * in it. Groups of settled blocks alone keep their identity.
 */
export function groupsOf({ settled, tail }: Blocks): readonly (readonly Block[])[] {
  return tail.length === 0 ? settled : appendToGroups(settled, tail);
}

function appendToGroups(
  groups: readonly (readonly Block[])[],
  blocks: readonly Block[],
): (readonly Block[])[] {
  const next = [...groups];
  let last = next.at(-1);
  if (last !== undefined && last.length < groupSize) next.pop();
  else last = [];
  let open = [...last];
  for (const block of blocks) {
    if (open.length === groupSize) {
      next.push(open);
      open = [];
    }
    open.push(block);
  }
  if (open.length > 0) next.push(open);
  return next;
}

/** Definitions within the blocks that are not known yet; the first of a label wins. */
function definitions(blocks: readonly Block[], known: Links): [string, Links[string]][] {
  const found = new Map<string, Links[string]>();
  for (const block of blocks) {
    if (!block.raw.includes(']:')) continue;
    for (const token of definitionTokens(block.token)) {
      if (Object.hasOwn(known, token.tag) || found.has(token.tag)) continue;
      found.set(token.tag, { href: token.href, title: token.title });
    }
  }
  return [...found];
}

function* definitionTokens(token: ShownToken): Generator<Tokens.Def> {
  if (token.type === 'def') yield token;
  const children: Token[] =
    token.type === 'list'
      ? token.items
      : token.type === 'blockquote' || token.type === 'list_item' || token.type === 'note'
        ? token.tokens
        : [];
  for (const child of children) yield* definitionTokens(known(child));
}

/** Parses again the blocks that refer to one of the labels. */
function relink(
  groups: readonly (readonly Block[])[],
  tags: readonly string[],
  links: Links,
): (readonly Block[])[] {
  return groups.map((group) => relinkGroup(group, tags, links));
}

function relinkGroup(group: readonly Block[], tags: readonly string[], links: Links): readonly Block[] {
  const wanted = new Set(tags);
  let changed = false;
  const next = group.map((block) => {
    if (block.token.type === 'def' || !refersTo(block.raw, wanted)) return block;
    const { blocks } = lex(block.raw, block.start, links);
    const again = blocks[0];
    if (blocks.length !== 1 || again === undefined) return block;
    changed = true;
    return { ...again, raw: block.raw };
  });
  return changed ? next : group;
}

/** Whether a label in brackets is one of `tags`. An empty one stands for all. */
function refersTo(text: string, tags: ReadonlySet<string>): boolean {
  if (!text.includes(']')) return false;
  if (tags.has('')) return true;
  for (const [, label = ''] of text.matchAll(bracketed)) if (tags.has(foldLabel(label).trim())) return true;
  return false;
}

/** A label holds no bracket that is not escaped. */
const bracketed = /\[((?:\\[^]|[^[\]\\])*)\]/g;

/** As labels are compared: white space and case do not count. */
function foldLabel(text: string): string {
  return text.replace(/\s+/g, ' ').toLowerCase().toUpperCase().toLowerCase();
}

/** `exact` is false when the lexer did not account for every character: then offsets are wrong and nothing may be cut. */
function lex(text: string, start: number, links: Links): { blocks: Block[]; exact: boolean } {
  const lexer = new PlainLexer();
  Object.assign(lexer.tokens.links, links);
  const blocks: Block[] = [];
  let offset = start;
  for (const token of lexer.lex(text)) {
    const shown = known(token);
    if (shown.type !== 'space') blocks.push({ start: offset, raw: token.raw, token: shown });
    offset += token.raw.length;
  }
  return { blocks, exact: offset === start + text.length };
}

/** The lexer makes no other tokens than its own and those of `PlainLexer`. */
export function known(token: Token): ShownToken {
  return token as ShownToken;
}

/** Levels of quotes, lists, emphasis and links together. */
const deepest = 40;

/** Characters without white space. What is longer (data, minified code) is no prose. */
const longestRun = 2_000;

/** Runs of emphasis marks in one text. */
const mostMarks = 600;

/**
 * Some of the lexer's patterns take the square or the cube of a text's length as their time. Text that would let them do so is
 * shown as it came.
 */
class PlainLexer extends Lexer {
  /** The text of a line that is being read. */
  #line = '';
  #ownBlocks = new OwnBlocks('');

  constructor() {
    const tokenizer = new PlainTokenizer();
    super({
      gfm: true,
      tokenizer,
      hooks: Object.assign(new Hooks(), {
        emStrongMask: (masked: string) => withoutMarks(this.#line, masked),
      }),
      extensions: {
        renderers: {},
        childTokens: {},
        block: [formulaOfLines, (src) => tokenizer.note(src)],
        startBlock: [(src) => this.#ownBlocks.in(src)],
        inline: [(src) => formulaToken(formulaInLine(src, this.#before(src))), noteMark],
      },
    });
    tokenizer.ownBlockIn = (rest) => this.#ownBlocks.in(rest);
  }

  override blockTokens(src: string, tokens?: Token[], lastParagraphClipped?: boolean): TokensList {
    const outer = this.#ownBlocks;
    this.#ownBlocks = new OwnBlocks(src);
    try {
      // It gives back the list that it was given.
      return super.blockTokens(src, tokens, lastParagraphClipped) as TokensList;
    } finally {
      this.#ownBlocks = outer;
    }
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (!isProse(src)) {
      tokens.push({ type: 'text', raw: src, text: src });
      return tokens;
    }
    const outer = this.#line;
    this.#line = src;
    try {
      return super.inlineTokens(src, tokens);
    } finally {
      this.#line = outer;
    }
  }

  /** The character in front of what is left of the line. */
  #before(rest: string): string {
    return this.#line.charAt(this.#line.length - rest.length - 1);
  }
}

function isProse(text: string): boolean {
  if (text.length <= mostMarks) return true;
  return (
    text.split(/\s+/).every((run) => run.length <= longestRun) && text.split(/[*_~]+/).length <= mostMarks
  );
}

function formulaOfLines(src: string): FormulaToken | undefined {
  return formulaToken(formulaBlock(src));
}

function formulaToken(formula: Formula | undefined): FormulaToken | undefined {
  if (formula === undefined) return undefined;
  const { raw, tex, display } = formula;
  return { type: 'formula', raw, text: tex, display };
}

/** Stars and lines in a formula are no marks of emphasis. `masked` has what is code or a link taken out already. */
function withoutMarks(src: string, masked: string): string {
  if (!/\$\$|\\[([]/.test(src)) return masked;
  let result = '';
  let from = 0;
  // An escaped backslash begins nothing.
  for (const { index, 0: mark } of src.matchAll(/\\[^]|\$\$/g)) {
    if (index < from || mark === '\\\\' || !/[+$]/.test(masked.charAt(index))) continue;
    const formula = formulaInLine(src.slice(index), src.charAt(index - 1));
    if (formula === undefined) continue;
    result += masked.slice(from, index) + 'a'.repeat(formula.raw.length);
    from = index + formula.raw.length;
  }
  return result + masked.slice(from);
}

const noteLabel = /^\[\^((?:\\[^\n]|[^\]\s[\\]){1,200})\]/;
const noteStart = /^ {0,3}\[\^((?:\\[^\n]|[^\]\s[\\]){1,200})\]:[ \t]*/;

function noteMark(src: string): NoteMark | undefined {
  const found = noteLabel.exec(src);
  // With an address behind it, it is a link.
  if (found === null || src.charAt(found[0].length) === '(') return undefined;
  return { type: 'noteMark', raw: found[0], label: foldLabel(found[1] ?? '') };
}

/** Where formulas and footnotes begin in a text of blocks. No line of it is looked at twice: it is asked for at each block. */
class OwnBlocks {
  readonly #text: string;
  /** What was looked at last, and what is there: one of ours or the end of all that belongs together. */
  #known = { from: 0, to: 0, isOwn: false };

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the first line is, after the beginning of `rest` and before its first blank line, at which one begins. */
  in(rest: string): number | undefined {
    const from = this.#text.length - rest.length;
    if (from < this.#known.from || from >= this.#known.to) this.#known = { from, ...this.#next(from) };
    return this.#known.isOwn ? this.#known.to - from : undefined;
  }

  #next(from: number): { to: number; isOwn: boolean } {
    const text = this.#text;
    for (let end = text.indexOf('\n', from); end !== -1; end = text.indexOf('\n', end + 1)) {
      const line = text.slice(end + 1, end + 300);
      if (/^[ \t]*\n/.test(line)) return { to: end + 1, isOwn: false };
      if (noteStart.test(line)) return { to: end + 1, isOwn: true };
      if (/^ {0,3}[$\\]/.test(line) && formulaBlock(text.slice(end + 1)) !== undefined) {
        return { to: end + 1, isOwn: true };
      }
    }
    return { to: Infinity, isOwn: false };
  }
}

/** Markdown as we read it: HTML (which is shown as text) has no influence on what stands around it. */
class PlainTokenizer extends Tokenizer {
  #depth = 0;
  /** Where in what is left of the blocks that are being read a formula or a footnote begins. */
  ownBlockIn: (rest: string) => number | undefined = () => undefined;

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#deeper(() => super.blockquote(src));
  }

  override list(src: string): Tokens.List | undefined {
    return this.#deeper(() => super.list(src));
  }

  override emStrong(src: string, masked: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
    return this.#deeper(() => super.emStrong(src, masked, before));
  }

  override del(src: string, masked: string, before?: string): Tokens.Del | undefined {
    return this.#deeper(() => super.del(src, masked, before));
  }

  override link(src: string): Tokens.Link | Tokens.Image | undefined {
    return this.#deeper(() => super.link(src));
  }

  /** What is nested deeper than anyone reads is text: each level costs time, and stack. */
  #deeper<T>(read: () => T | undefined): T | undefined {
    if (this.#depth >= deepest) return undefined;
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }

  /** A footnote: its paragraph, and after a blank line what is indented. */
  note(src: string): NoteToken | undefined {
    const start = noteStart.exec(src);
    if (start === null) return undefined;
    return this.#deeper(() => {
      const raw = noteText(src, start[0].length);
      const content = raw
        .slice(start[0].length)
        .replace(/\n {1,4}/g, '\n')
        .replace(/\s+$/, '');
      const { state } = this.lexer;
      const { top } = state;
      state.top = true;
      const tokens = this.lexer.blockTokens(content, []);
      state.top = top;
      return { type: 'note', raw, label: foldLabel(start[1] ?? ''), tokens };
    });
  }

  /** A line of a formula, which may be a `=` by itself, makes no heading of what stands above. */
  override lheading(src: string): Tokens.Heading | undefined {
    return super.lheading(src.slice(0, this.ownBlockIn(src)));
  }

  /** Text ends where a formula may begin. What is near is looked at first: the lexer's own pattern goes on to the next mark. */
  override inlineText(src: string): Tokens.Text | undefined {
    const from = Math.max(1, /^\$*/.exec(src)?.[0].length ?? 0);
    const near = src.slice(0, 2_000).indexOf('$$', from);
    if (near !== -1) return super.inlineText(src.slice(0, near));
    const token = super.inlineText(src);
    const next = token?.raw.indexOf('$$', from) ?? -1;
    return next === -1 ? token : super.inlineText(src.slice(0, next));
  }

  /** No part of a definition contains a blank line. */
  override def(src: string): Tokens.Def | undefined {
    if (!/^ {0,3}\[(?!\^)/.test(src)) return undefined;
    const end = src.search(blankLine);
    return super.def(end === -1 ? src : src.slice(0, end + 1));
  }

  override tag(src: string): Tokens.Tag | undefined {
    const { inLink, inRawBlock } = this.lexer.state;
    const token = super.tag(src);
    this.lexer.state.inLink = inLink;
    this.lexer.state.inRawBlock = inRawBlock;
    return token;
  }
}

/** Up to the next footnote, or to a line after a blank one that is not indented. */
function noteText(src: string, from: number): string {
  let at = from;
  let blank = false;
  for (;;) {
    const end = src.indexOf('\n', at);
    if (end === -1) return src;
    const rest = src.slice(end + 1, end + 300);
    if (rest === '') return src;
    if (/^[ \t]*(?:\n|$)/.test(rest)) blank = true;
    else if (noteStart.test(rest) || (blank && !/^(?: {2,}|\t)/.test(rest))) {
      return src.slice(0, end + 1).replace(/\n(?:[ \t]*\n)+$/, '\n');
    } else blank = false;
    at = end + 1;
  }
}

// Open fences

// All of its marks, or none: not every number of them is tried.
const fenceStart = /^( {0,3})(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n/;

/** A fence that has no end yet is marked as open; one that will never have one gets the text that came. */
function withoutEnd(block: Block, done: boolean): Block {
  const start = block.token.type === 'code' ? fenceStart.exec(block.raw) : null;
  if (block.token.type !== 'code' || start === null || endsFence(block.raw, start)) return block;
  const content = block.raw.slice(start[0].length);
  const open = appendToFence({ settled: [], rest: '' }, content, start[1]?.length ?? 0);
  return done
    ? { ...block, token: { ...block.token, text: open.settled.join('') + open.rest } }
    : { ...block, open };
}

function endsFence(raw: string, start: RegExpExecArray): boolean {
  const lastLine = raw.slice(raw.lastIndexOf('\n', raw.trimEnd().length - 1) + 1).replace(/\n+$/, '');
  return raw.length > start[0].length && closes(lastLine, start[2] ?? '');
}

/** Whether the line ends a fence that was begun with `marker`. */
function closes(line: string, marker: string): boolean {
  const trimmed = line.trim();
  const mark = marker.charAt(0);
  return trimmed.length >= marker.length && /^ {0,3}\S/.test(line) && trimmed === mark.repeat(trimmed.length);
}

/** The next state when all that was added goes into the open fence; undefined when it must be parsed. */
function growFence(state: Blocks, text: string): Blocks | undefined {
  const last = state.tail.at(-1);
  if (last?.open === undefined || last.token.type !== 'code') return undefined;
  const start = fenceStart.exec(last.raw);
  if (start === null) return undefined;
  // From the start of the line that was incomplete: it may be the end of the fence by now.
  const lineStart = state.text.lastIndexOf('\n') + 1;
  const marker = start[2] ?? '';
  const mark = marker.charAt(0);
  for (const line of text.slice(lineStart).split('\n')) {
    if (line.trimStart().startsWith(mark) && closes(line, marker)) return undefined;
  }
  const indent = start[1]?.length ?? 0;
  // The incomplete line is part of `rest`; take it off and append it again with what follows.
  const partial = stripIndent(state.text.slice(Math.max(lineStart, last.start + start[0].length)), indent);
  const open = appendToFence(
    { settled: last.open.settled, rest: last.open.rest.slice(0, last.open.rest.length - partial.length) },
    text.slice(Math.max(lineStart, last.start + start[0].length)),
    indent,
  );
  return { ...state, text, tail: [...state.tail.slice(0, -1), { ...last, open }] };
}

function appendToFence(fence: OpenFence, added: string, indent: number): OpenFence {
  const rest =
    fence.rest +
    added
      .split('\n')
      .map((line) => stripIndent(line, indent))
      .join('\n');
  const settled = [...fence.settled];
  let from = 0;
  let lines = 0;
  for (let at = rest.indexOf('\n'); at !== -1; at = rest.indexOf('\n', at + 1)) {
    lines += 1;
    if (lines < pieceLines) continue;
    settled.push(rest.slice(from, at + 1));
    from = at + 1;
    lines = 0;
  }
  return {
    settled: settled.length === fence.settled.length ? fence.settled : settled,
    rest: rest.slice(from),
  };
}

/** Code that grows no more, cut as it was while it grew. */
export function codePieces(code: string): readonly string[] {
  const { settled, rest } = appendToFence({ settled: [], rest: '' }, code, 0);
  return [...settled, rest];
}

/** Content of an indented fence loses as much indentation as the fence has. */
function stripIndent(line: string, indent: number): string {
  return indent === 0 ? line : line.slice(Math.min(indent, line.length - line.trimStart().length));
}

/** The code of a block as it stands, without its final line break. */
export function codeText(block: Block): string {
  if (block.open !== undefined) return withoutLastBreak(block.open.settled.join('') + block.open.rest);
  return block.token.type === 'code' ? withoutLastBreak(block.token.text) : '';
}

function withoutLastBreak(code: string): string {
  return code.endsWith('\n') ? code.slice(0, -1) : code;
}
