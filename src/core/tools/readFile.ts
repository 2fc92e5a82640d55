/** The tool `read_file`. */
import { indexLines, lineText } from '../lines.ts';
import { err, ok, type Result } from '../result.ts';
import { shownName } from '../shownName.ts';
import { functionTool } from './functionTool.ts';
import { counted, optional, text } from './parameters.ts';
import type { FileText, ReadingPorts } from './readingPorts.ts';
import { refusalText } from './refusalText.ts';
import { count, fitting, shortLine } from './resultText.ts';
import type { Tool } from './tool.ts';

/** Most lines of one result. */
const maxLines = 2_000;

export function readFileTool(ports: Pick<ReadingPorts, 'readText'>): Tool {
  return functionTool({
    name: 'read_file',
    description: `Reads a text file of the workspace as it is now, unsaved changes included. Each line comes as its number, "|" and its text: the number and "|" are not part of the file. At most ${maxLines} lines at once.`,
    fields: {
      path: text('Path of the file.'),
      start_line: optional(counted('First line wanted, from 1; null for the beginning.')),
      end_line: optional(counted('Last line wanted; null for the end.')),
    },
    async run({ path, start_line: from = 1, end_line: to = Infinity }, signal, ask) {
      if (to < from) return err(`end_line (${to}) is before start_line (${from}).`);
      const file = await ports.readText(path, signal, ask);
      return file.ok ? numbered(file.value, from, to) : err(refusalText(file.error));
    },
  });
}

function numbered(file: FileText, from: number, to: number): Result<string, string> {
  const path = shownName(file.path);
  const unsaved = file.unsaved ? ' (with changes that are not saved yet)' : '';
  const lines = indexLines(file.text);
  if (lines.count === 0) return ok(`${path}${unsaved} is empty.`);
  if (from > lines.count) {
    return err(`${path} has only ${count(lines.count, 'line')}, so there is no line ${from}.`);
  }
  const wanted = Math.min(to, lines.count);
  const most = Math.min(wanted, from + maxLines - 1);
  const all = Array.from({ length: most - from + 1 }, (_, at) => {
    return `${from + at}|${shortLine(lineText(lines, from + at - 1))}`;
  });
  const shown = fitting(all);
  const last = from + shown.length - 1;
  const head = `${path}${unsaved}, lines ${from} to ${last} of ${lines.count}:`;
  const rest =
    last < wanted
      ? [`[Lines ${last + 1} to ${wanted} were left out: go on with start_line ${last + 1}.]`]
      : [];
  return ok([head, ...shown, ...rest].join('\n'));
}
