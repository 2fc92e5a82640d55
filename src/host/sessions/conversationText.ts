/**
 * A conversation as a Markdown document, to be read and kept elsewhere. Pure: what is said around the texts is given. Reasoning is left out:
 * it is how the model came to what it says, and long.
 */
import type {
  Approval,
  AttachmentSummary,
  Conversation,
  ProposedFile,
  ToolPart,
  Turn,
} from '../../core/conversation/conversation.ts';

/** The words of the document, in the language of the editor. */
export interface ConversationWords {
  readonly title: string;
  /** A line under the title, where there is one. */
  readonly about?: string;
  /** A heading over turns of another version, by the number of the question that they begin with, from 1. */
  readonly version: (question: number) => string;
  readonly question: string;
  readonly answer: string;
  readonly attached: string;
  readonly sources: string;
  /** The line under a turn: model, time, cost, and how it ended where that is not as it should be. */
  readonly facts: (turn: Turn) => string;
  /** `src/cart.ts`, or with its lines. */
  readonly place: (attachment: AttachmentSummary) => string;
  /** What became of a file of a patch: `accepted`. */
  readonly state: (file: ProposedFile) => string;
  /** What a call asked the person, and what they answered: `Run a command: allowed`. */
  readonly approval: (approval: Approval) => string;
}

/**
 * Deleted turns are left out. Questions and answers stand as they are, but for a block of code that was left open. Ends with a line break.
 * @param versions other conversations with the same beginning: of each, what the ones before do not have
 */
export function conversationText(
  conversation: Conversation,
  words: ConversationWords,
  versions: readonly Conversation[] = [],
): string {
  return [...conversationPieces([conversation, ...versions], words)].join('');
}

/** `conversationText`, in pieces: a turn each. */
export function* conversationPieces(
  conversations: readonly Conversation[],
  words: ConversationWords,
): Generator<string, void> {
  const about = words.about === undefined ? [] : [`_${words.about}_`];
  yield [`# ${words.title}`, ...about].join('\n\n');
  const told = new Set<string>();
  for (const [index, { turns }] of conversations.entries()) {
    const shown = turns.filter(({ removed }) => removed !== true);
    const from = shown.findIndex(({ id }) => !told.has(id));
    if (from === -1) continue;
    for (const { id } of shown) told.add(id);
    if (index > 0) yield `\n\n# ${words.version(from + 1)}`;
    for (const turn of shown.slice(from))
      yield turnBlocks(turn, words)
        .map((block) => `\n\n${block}`)
        .join('');
  }
  yield '\n';
}

function turnBlocks(turn: Turn, words: ConversationWords): readonly string[] {
  const { question, parts } = turn;
  const answer = parts.flatMap((part): readonly string[] => {
    switch (part.kind) {
      case 'answer':
        return [
          ...part.sections.map((text) => closed(trimmedLines(text))).filter((section) => section !== ''),
          ...sources(part.citations ?? [], words),
        ];
      case 'tool':
        return toolBlocks(part, words);
      case 'reasoning':
      case 'search':
        return [];
    }
  });
  return [
    `## ${words.question}`,
    ...(question.attachments.length === 0
      ? []
      : [`${words.attached} ${question.attachments.map((one) => codeSpan(words.place(one))).join(', ')}`]),
    closed(question.text),
    `## ${words.answer}`,
    ...answer,
    `_${words.facts(turn)}_`,
  ];
}

/** A patch as it was proposed, with what became of each file; of other calls what went in. */
function toolBlocks(part: ToolPart, words: ConversationWords): readonly string[] {
  const files = part.proposal?.files ?? [];
  const isPatch = files.length > 0 || part.progress !== undefined || part.name === 'apply_patch';
  const lines = files.map((file) => {
    const name =
      file.to === undefined ? codeSpan(file.path) : `${codeSpan(file.path)} → ${codeSpan(file.to)}`;
    return `- ${name} +${file.added} −${file.removed} (${words.state(file)})`;
  });
  const name = part.namespace === undefined ? part.name : `${part.namespace}.${part.name}`;
  return [
    ...(isPatch ? [] : [codeSpan(name)]),
    ...(part.input.trim() === '' ? [] : [fenced(part.input, isPatch ? 'diff' : '')]),
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
    ...(part.approvals ?? []).map((approval) => approvalText(approval, words)),
  ];
}

function approvalText(approval: Approval, words: ConversationWords): string {
  const { request, answer } = approval;
  const asked = `- ${words.approval(approval)}`;
  const about = request.kind === 'read' ? ` ${codeSpan(request.path)}` : '';
  const reason = answer?.kind === 'deny' ? (answer.reason ?? '') : '';
  // In a block, for it may be of several lines and hold marks of its own.
  const why = reason.trim() === '' ? '' : `\n\n${fenced(reason, '')}`;
  return `${asked}${about}${why}`;
}

function sources(
  citations: readonly { readonly url: string; readonly title?: string }[],
  words: ConversationWords,
): readonly string[] {
  const byUrl = new Map(citations.map((one) => [one.url, one]));
  if (byUrl.size === 0) return [];
  const lines = [...byUrl.values()].map(({ url, title }) =>
    title === undefined || title.trim() === ''
      ? `- <${address(url)}>`
      : `- ${plain(oneLine(title))} <${address(url)}>`,
  );
  return [`${words.sources}\n\n${lines.join('\n')}`];
}

/** Blank lines around it only. */
function trimmedLines(text: string): string {
  return text.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
}

/** An answer that was stopped may end within a block of code or of HTML, which would take all that follows with it. */
function closed(text: string): string {
  let open: { readonly indent: string; readonly marks: string } | undefined;
  let html: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (open === undefined) {
      html ??= htmlEnd(line);
      if (html !== undefined) {
        if (line.toLowerCase().includes(html)) html = undefined;
        continue;
      }
    }
    const [, indent = '', marks = '', rest = ''] = /^( {0,3})(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      if (marks !== '' && !(marks.startsWith('`') && rest.includes('`'))) open = { indent, marks };
    } else if (line.trim() !== '' && !line.startsWith(open.indent)) {
      // It stood in an item of a list, which is over.
      open = undefined;
    } else if (marks.startsWith(open.marks) && rest.trim() === '') open = undefined;
  }
  const end = open === undefined ? html : `${open.indent}${open.marks}`;
  return end === undefined ? text : `${text}${text.endsWith('\n') ? '' : '\n'}${end}`;
}

/** What ends a block of HTML that begins with this line, of the kinds that go on over blank lines. */
function htmlEnd(line: string): string | undefined {
  const [, mark] =
    /^ {0,3}(<!--|<\?|<!\[CDATA\[|<(?:script|pre|style|textarea)(?=[\s>]|$))/i.exec(line) ?? [];
  switch (mark?.toLowerCase()) {
    case undefined:
      return undefined;
    case '<!--':
      return '-->';
    case '<?':
      return '?>';
    case '<![cdata[':
      return ']]>';
    default:
      return `</${mark?.slice(1).toLowerCase() ?? ''}>`;
  }
}

/** A fence longer than any run of backticks inside, so that the text can't close it. */
function fenced(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text.endsWith('\n') ? text : `${text}\n`}${fence}`;
}

/** A name with backticks needs more of them around it, and blanks beside them. */
function codeSpan(text: string): string {
  const line = oneLine(text);
  const run = longestRun(line);
  const marks = '`'.repeat(run + 1);
  return run === 0 ? `\`${line}\`` : `${marks} ${line} ${marks}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}

/** What a page calls itself is no Markdown. */
function plain(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>]/g, String.raw`\$&`);
}

/** What would end it is written as addresses have it. */
function address(url: string): string {
  return url.replaceAll(/[\s<>]/gu, (character) => encodeURIComponent(character));
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
