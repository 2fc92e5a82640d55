/** The code that a slash command is about when the person attached none: what stands in front, or what git knows as changed. */
import * as vscode from 'vscode';

import type { AttachmentSummary } from '../../core/conversation/conversation.ts';
import type { Attachment } from '../../core/conversation/userMessage.ts';
import { err, ok, type Result } from '../../core/result.ts';
import type { Attached } from '../context/sources.ts';
import { attachProblemText, type AttachProblem } from '../context/problem.ts';
import { codeWanted } from './builtInPrompts.ts';

export interface CodeSources {
  /** What is selected in front, or the whole file there. Undefined when that is no file. */
  inFront(): CodeInFront | undefined;
  problems(uri: vscode.Uri, range?: vscode.Range): Attached;
  diff(what: 'working' | 'staged'): Attached;
}

export interface CodeInFront {
  readonly uri: vscode.Uri;
  /** What is selected there, when that is something. */
  readonly selection?: vscode.Range;
  attach(): Result<readonly Attachment[], AttachProblem>;
}

/**
 * What `/name` brings along; nothing of a prompt that is none of ours by its name. An error is a sentence for people.
 * @param attached by the person
 * @param argument what is typed behind the name: with it a question can do without code
 */
export async function commandCode(
  name: string,
  {
    attached,
    argument,
    sources,
  }: {
    readonly attached: readonly AttachmentSummary[];
    readonly argument: string;
    readonly sources: CodeSources;
  },
): Promise<Result<readonly Attachment[], string>> {
  const wanted = codeWanted(name);
  switch (wanted?.kind) {
    case undefined:
      return ok([]);
    case 'commit':
      return attached.some(({ kind }) => kind === 'diff') ? ok([]) : await toCommit(sources);
    case 'front':
    case 'changes': {
      if (attached.some(isCode)) return ok([]);
      const found =
        wanted.kind === 'front' ? await front(sources, wanted.problems === true) : await changes(sources);
      if (!found.ok || found.value.length > 0 || argument !== '') return found;
      return err(
        wanted.kind === 'front'
          ? vscode.l10n.t('Open a file, select code or attach something that /{0} is to be about.', name)
          : vscode.l10n.t('There are no changes to review. Open a file, select code or attach something.'),
      );
    }
  }
}

/** What is attached beside it says nothing of what a command is about. */
function isCode({ kind }: AttachmentSummary): boolean {
  return kind !== 'instructions' && kind !== 'prompt' && kind !== 'summary';
}

async function toCommit(sources: CodeSources): Promise<Result<readonly Attachment[], string>> {
  const staged = await sources.diff('staged');
  if (staged.ok) return staged;
  if (staged.error !== 'noStaged') return failed(staged.error);
  const working = await sources.diff('working');
  if (working.ok) return working;
  return working.error === 'noChanges'
    ? err(vscode.l10n.t('There is nothing to commit: no file is changed.'))
    : failed(working.error);
}

async function front(
  sources: CodeSources,
  withProblems: boolean,
): Promise<Result<readonly Attachment[], string>> {
  const shown = sources.inFront();
  const code = shown?.attach() ?? ok([]);
  // A file without a word is nothing to be asked about, and no reason not to ask.
  if (!code.ok) return code.error === 'empty' ? ok([]) : failed(code.error);
  if (!withProblems || shown === undefined) return code;
  const found = await sources.problems(shown.uri, shown.selection);
  return found.ok ? ok([...code.value, ...found.value]) : code;
}

async function changes(sources: CodeSources): Promise<Result<readonly Attachment[], string>> {
  if (sources.inFront()?.selection !== undefined) return await front(sources, false);
  const [staged, working] = [await sources.diff('staged'), await sources.diff('working')];
  const found = [staged, working].flatMap((one) => (one.ok ? one.value : []));
  // Too much to be sent is to be said, and not passed over for the file that happens to be open.
  const tooLong = [staged, working].find((one) => !one.ok && one.error === 'tooLong');
  if (tooLong?.ok === false) return failed(tooLong.error);
  return found.length > 0 ? ok(found) : await front(sources, false);
}

function failed(problem: AttachProblem): Result<never, string> {
  return err(attachProblemText(problem) ?? '');
}
