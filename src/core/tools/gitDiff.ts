/** The tool `git_diff`. */
import { err, ok } from '../result.ts';
import { shownName } from '../shownName.ts';
import { functionTool } from './functionTool.ts';
import { flag, optional, text } from './parameters.ts';
import type { DiffRefusal, ReadingPorts, WorkspaceDiff } from './readingPorts.ts';
import { refusalText } from './refusalText.ts';
import { capped, count, fitting, maxResult } from './resultText.ts';
import type { Tool } from './tool.ts';

/** Of the result, for the names of new files. */
const roomForNames = maxResult / 10;

export function gitDiffTool(ports: Pick<ReadingPorts, 'diff'>): Tool {
  return functionTool({
    name: 'git_diff',
    description:
      'The changes in the working tree that are not staged, as a unified diff, and the names of new files; or the staged changes.',
    fields: {
      staged: optional(flag('Whether the staged changes are wanted; null for no.')),
      path: optional(text('A file; null for all.')),
    },
    async run({ staged = false, path }, signal, ask) {
      const diff = await ports.diff(staged, path, signal, ask);
      return diff.ok ? ok(report(diff.value, staged)) : err(diffRefusalText(diff.error));
    },
  });
}

function report({ text: diff, untracked, hidden }: WorkspaceDiff, staged: boolean): string {
  const names = fitting(untracked.map(shownName), roomForNames);
  const left = untracked.length - names.length;
  const parts = [
    diff === ''
      ? `No ${staged ? 'staged changes' : 'changes that are not staged'}.`
      : capped(diff, maxResult - 2 * roomForNames),
    ...(names.length > 0
      ? [`New files that git does not know:\n${names.join('\n')}${left > 0 ? `\n[${left} more]` : ''}`]
      : []),
    ...(hidden > 0 ? [`[${count(hidden, 'file')} left out: outside the workspace or ignored]`] : []),
  ];
  return parts.join('\n\n');
}

function diffRefusalText(refusal: DiffRefusal): string {
  switch (refusal.kind) {
    case 'noGit':
      return 'Git is not available in this editor. Go on without the diff.';
    case 'noRepository':
      return 'The workspace is in no git repository that the editor has open. Go on without the diff.';
    case 'strangeDiff':
      return 'Git shows changes in a form that can’t be read here, because a setting such as diff.external or color.diff says so. Something is changed; go on without the diff.';
    case 'failed':
      return `Git could not make the diff: ${capped(refusal.why, 500)}`;
    default:
      return refusalText(refusal);
  }
}
