/** What is said of a question that a running tool asks the person, and of their answer. Pure. */
import type {
  Approval,
  ApprovalAnswer,
  ApprovalRequest,
  FoundSecret,
} from '../core/conversation/conversation.ts';
import { dotted } from './dot.ts';
import {
  codePointLabel,
  namedPieces,
  visiblePieces,
  visibleText,
  withOtherLetters,
  type VisiblePiece,
} from './invisible.ts';
import { l10n } from './l10n.ts';
import { headingOf } from './turnFacts.ts';

/** The question itself. */
export function approvalTitle(request: ApprovalRequest): string {
  switch (request.kind) {
    case 'command':
      return l10n.t('Run this command?');
    case 'read':
      return request.folder === true ? l10n.t('Read this folder?') : l10n.t('Read this file?');
    case 'foreignTool':
      return l10n.t('Call this tool?');
    case 'secrets':
      return l10n.t('Send what looks secret?');
  }
}

/** The same once it is answered, as what it was about. */
export function approvalSubject(request: ApprovalRequest): string {
  switch (request.kind) {
    case 'command':
      return l10n.t('Run a command');
    case 'read':
      return request.folder === true ? l10n.t('Read a folder') : l10n.t('Read a file');
    case 'foreignTool':
      return l10n.t('Call a tool');
    case 'secrets':
      return l10n.t('Send what looks secret');
  }
}

/** What is to be known before one answers; a sentence or two. Undefined when the question says it all. */
export function approvalNote(request: ApprovalRequest): string | undefined {
  switch (request.kind) {
    case 'command':
      return undefined;
    case 'read':
      return l10n.flow(
        whyAsked(request.why),
        request.folder === true
          ? l10n.t('Allowing it covers all that is in it, until this conversation ends.')
          : l10n.t('Allowing it covers this file, until this conversation ends.'),
      );
    case 'foreignTool':
      return l10n.t(
        'It belongs to {0}, which decides what it does and where its input goes.',
        plain(request.owner),
      );
    case 'secrets':
      return l10n.t(
        'Found in what the model would get next. Masked, it sees that something stood there, not what.',
      );
  }
}

function whyAsked(why: Extract<ApprovalRequest, { kind: 'read' }>['why']): string {
  switch (why) {
    case 'outside':
      return l10n.t('It is outside the workspace.');
    case 'leadsOut':
      return l10n.t('It is a link that leads out of the workspace.');
    case 'ignored':
      return l10n.t('An ignore file or the setting “files.exclude” leaves it out.');
  }
}

/** What is read out when a question comes up. */
export function approvalSentence(request: ApprovalRequest): string {
  switch (request.kind) {
    case 'command':
      return l10n.t('The model asks to run a command: {0}', short(request.command));
    case 'read':
      return request.folder === true
        ? l10n.t('The model asks to read a folder: {0}', short(request.path))
        : l10n.t('The model asks to read a file: {0}', short(request.path));
    case 'foreignTool':
      return l10n.t('The model asks to call a tool: {0}', short(request.name));
    case 'secrets':
      return l10n.t('What looks secret is about to be sent: {0}', short(request.from));
  }
}

/** What the person answered. */
export function answerText({ request, answer }: Approval): string {
  if (answer === undefined) return l10n.t('Not answered');
  switch (answer.kind) {
    case 'allow':
      if (request.kind === 'secrets') return l10n.t('Sent as it is');
      if (answer.remember === true) return l10n.t('Allowed, always in this workspace');
      return request.kind === 'read' ? l10n.t('Allowed in this conversation') : l10n.t('Allowed');
    case 'mask':
      return l10n.t('Masked');
    case 'deny':
      return request.kind === 'secrets' ? l10n.t('Kept back') : l10n.t('Denied');
    case 'later':
      return l10n.t('Not answered: another question was asked');
    case 'cancelled':
      return l10n.t('Not answered: stopped');
  }
}

/** The reason that the person gave the model. */
export function answerReason(answer: ApprovalAnswer | undefined): string | undefined {
  return answer?.kind === 'deny' ? answer.reason : undefined;
}

/** What was found, with whose it is where that is known. A kind that is not known is called as it is. */
export function secretName({ what, service }: Pick<FoundSecret, 'what' | 'service'>): string {
  const name = kindOfSecret(what);
  return service === undefined ? name : dotted([plain(service), name]);
}

function kindOfSecret(what: string): string {
  switch (what) {
    case 'privateKey':
      return l10n.t('Private key');
    case 'token':
      return l10n.t('Key or token');
    case 'webhook':
      return l10n.t('Secret address');
    case 'jwt':
      return l10n.t('Signed token');
    case 'connectionString':
      return l10n.t('Address with a password');
    case 'password':
      return l10n.t('Password');
    case 'assignment':
      return l10n.t('Value of a secret name');
    case 'ownKey':
      return l10n.t('The API key of this chat');
    default:
      return plain(what);
  }
}

/** So many blanks next to each other push what follows out of sight. */
const manyBlanks = /[^\S\n]{40,}|(?:[^\S\n]*\n){5,}/g;
/** Blanks that look like a space and are none: a shell takes them as a part of the word. The last is a pattern of Braille without dots. */
const oddBlank = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2800]/g;
/**
 * A text that is allowed or not, in pieces: what is invisible or looks like something else is named, and so is emptiness that would hide
 * what comes behind it. Joined again it is the same text.
 */
export function approvalPieces(text: string): readonly VisiblePiece[] {
  let pieces: readonly VisiblePiece[] = visiblePieces(text);
  for (const [pattern, label] of [
    [manyBlanks, (blanks: string) => ({ label: emptiness(blanks), other: true as const })],
    [oddBlank, (blank: string) => ({ label: codePointLabel(blank) })],
  ] as const)
    pieces = pieces.flatMap((piece) =>
      piece.kind === 'hidden' ? [piece] : namedPieces(piece.text, pattern, label),
    );
  return withOtherLetters(pieces);
}

function emptiness(blanks: string): string {
  const lines = blanks.split('\n').length - 1;
  return lines === 0 ? l10n.t('{0} blanks', blanks.length) : l10n.t('{0} line breaks', lines);
}

function short(text: string): string {
  return visibleText(headingOf(text, 100));
}

function plain(text: string): string {
  return visibleText(text);
}
