/** Why something was not read, in sentences that help the model to go on. */
import type { ApprovalAnswer } from '../conversation/conversation.ts';
import { shownName } from '../shownName.ts';
import type { Refusal, SymbolRefusal } from './readingPorts.ts';
import { count, sizeText } from './resultText.ts';

export function refusalText(refusal: Refusal): string {
  if (refusal.kind === 'noFolder') return 'No folder is open, so there is nothing to read.';
  const path = shownName(refusal.path);
  if ('answer' in refusal && refusal.answer !== undefined) return unallowedText(path, refusal.answer);
  switch (refusal.kind) {
    case 'outside':
      return `${path} is outside the workspace and was not read. Paths are relative to the workspace; list_files shows what is there.`;
    case 'leadsOut':
      return `${path} is a link that leads out of the workspace, so it was not read. If you need it, ask the person to attach it.`;
    case 'ignored':
      return `${path} is kept from being read by an ignore file (.gitignore, .kimiignore), by the setting files.exclude, or because files of its name hold secrets. Go on without it; if you need it, ask the person to attach it.`;
    case 'protected':
      return `${path} belongs to git itself and is not read. git_diff shows changes.`;
    case 'empty':
      return 'The path is empty. Give one such as src/main.ts.';
    case 'folder':
      return `${path} is a folder. list_files shows what is in it.`;
    case 'notFolder':
      return `${path} is a file, not a folder. read_file shows what is in it.`;
    case 'name':
      return `${JSON.stringify(refusal.path)} is no path of a file: it is too long, or has characters in it that no name should have. list_files shows what is there.`;
    case 'unreadable':
      return `${path} could not be read: it is gone by now or no regular file, its permissions do not allow it, or the disk did not answer. Go on without it.`;
    case 'whichFolder':
      return `${path} is ambiguous, because the workspace has several folders. Call again with one of: ${refusal.candidates.map(shownName).join(', ')}.`;
    case 'missing':
      return `There is no ${path}. ${nearby(refusal)}`;
    case 'binary':
      return `${path} is a binary file (${sizeText(refusal.bytes)}) and is not shown. Go on without its content.`;
    case 'tooLarge':
      return `${path} is too large to be read: ${sizeText(refusal.bytes)}, where ${sizeText(refusal.limit)} is the most.`;
  }
}

function unallowedText(path: string, answer: Exclude<ApprovalAnswer, { kind: 'allow' }>): string {
  switch (answer.kind) {
    case 'deny': {
      const reason = answer.reason?.trim() ?? '';
      return `The person was asked and does not allow you to read ${path}.${reason === '' ? '' : ` Their reason: ${reason}`}\nGo on without it, and do not ask for it again.`;
    }
    case 'later':
      return `${path} was not read: the person was asked whether you may, and went on without an answer. Go on without it.`;
    case 'mask':
    case 'cancelled':
      return `${path} was not read: nobody allowed it.`;
  }
}

/** Names shown of a folder in which something was not found. */
const maxNames = 60;

function nearby({ folder, names }: Extract<Refusal, { kind: 'missing' }>): string {
  const where = folder === '.' ? 'The workspace folder' : `The folder ${shownName(folder)}`;
  if (names.length === 0) return `${where} is empty. list_files and search_text find files elsewhere.`;
  const more = names.length - maxNames;
  const shown = names.slice(0, maxNames).map(shownName).join(', ');
  return `${where} has: ${shown}${more > 0 ? ` and ${more} more` : ''}.`;
}

export function symbolRefusalText(refusal: SymbolRefusal): string {
  switch (refusal.kind) {
    case 'noLine':
      return `${shownName(refusal.path)} has only ${count(refusal.lines, 'line')}. read_file shows them with their numbers.`;
    case 'noSymbol': {
      const { text, others } = refusal;
      const instead =
        others.length > 0
          ? `It stands in ${others.length === 1 ? 'line' : 'lines'} ${others.join(', ')}.`
          : 'It stands nowhere in the file: search_text finds where it is.';
      return `The symbol is not in this line of ${shownName(refusal.path)}, which reads: ${text}\n${instead}`;
    }
    default:
      return refusalText(refusal);
  }
}
