/** The tool `get_problems`. */
import { splitLines } from '../lines.ts';
import { err, ok } from '../result.ts';
import { shownName } from '../shownName.ts';
import { functionTool } from './functionTool.ts';
import { flag, optional, text } from './parameters.ts';
import type { FoundProblem, Problems, ReadingPorts } from './readingPorts.ts';
import { refusalText } from './refusalText.ts';
import { count, fitting, shortLine } from './resultText.ts';
import type { Tool } from './tool.ts';

const maxMessage = 1_000;

export function getProblemsTool(ports: Pick<ReadingPorts, 'problems'>): Tool {
  return functionTool({
    name: 'get_problems',
    description:
      'The errors and warnings that the editor shows. Most languages look only at files that are open.',
    fields: {
      path: optional(text('A file; null for all that the editor knows.')),
      errors_only: optional(flag('Whether warnings are left out; null for no.')),
    },
    async run({ path, errors_only: errorsOnly = false }, signal, ask) {
      const problems = await ports.problems(path, signal, ask);
      return problems.ok ? ok(report(problems.value, path, errorsOnly)) : err(refusalText(problems.error));
    },
  });
}

const severities: readonly FoundProblem['severity'][] = ['error', 'warning', 'information', 'hint'];

function report(
  { found, hidden, unopened }: Problems,
  path: string | undefined,
  errorsOnly: boolean,
): string {
  const wanted = severities
    .slice(0, errorsOnly ? 1 : severities.length)
    .flatMap((severity) => found.filter((problem) => problem.severity === severity));
  const what = errorsOnly ? 'errors' : 'problems';
  const notes = hidden > 0 ? [`[${count(hidden, 'problem')} outside the workspace or in ignored files]`] : [];
  if (wanted.length === 0) {
    const where = path === undefined ? 'are known in the workspace' : `are known in ${shownName(path)}`;
    const perhaps = unopened
      ? ' It is open in no editor, and most languages look only at files that are: this does not mean that it has none.'
      : '';
    return [`No ${what} ${where}.${perhaps}`, ...notes].join('\n');
  }
  const shown = fitting(wanted.map(problemLine));
  const left = wanted.length - shown.length;
  return [
    `${count(wanted.length, errorsOnly ? 'error' : 'problem')}:`,
    ...shown,
    ...(left > 0 ? [`[${count(left, 'problem')} left out: name a file.]`] : []),
    ...notes,
  ].join('\n');
}

function problemLine({ path, line, column, severity, message, source }: FoundProblem): string {
  const said = shortLine(splitLines(message).join(' '), maxMessage);
  return `${shownName(path)}:${line}:${column} ${severity}${source === '' ? '' : ` (${source})`}: ${said}`;
}
