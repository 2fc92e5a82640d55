/** The tool `list_files`. */
import { err, ok } from '../result.ts';
import { shownName } from '../shownName.ts';
import { functionTool } from './functionTool.ts';
import { parseGlob } from './glob.ts';
import { optional, text } from './parameters.ts';
import type { Listing, ReadingPorts } from './readingPorts.ts';
import { refusalText } from './refusalText.ts';
import { count, fitting } from './resultText.ts';
import type { Tool } from './tool.ts';

/** Most files of one result. */
const maxFiles = 500;
const maxPlaces = 50;

export function listFilesTool(ports: Pick<ReadingPorts, 'listFiles'>): Tool {
  return functionTool({
    name: 'list_files',
    description:
      'Lists the files of the workspace or of one folder, those in its folders included. Ignored files are left out.',
    fields: {
      path: optional(text('A folder; null for all of the workspace.')),
      pattern: optional(
        text(
          'A glob that paths within the folder must fit, such as *.ts (in any folder), src/**/*.{ts,tsx} or docs; null for all.',
        ),
      ),
    },
    async run({ path: folder, pattern }, signal, ask) {
      const glob = pattern === undefined ? undefined : parseGlob(pattern);
      if (glob?.ok === false) return err(`The pattern ${glob.error}. Use a simpler one, or several calls.`);
      const listed = await ports.listFiles({ folder, pattern: glob?.value, limit: maxFiles }, signal, ask);
      return listed.ok ? ok(listing(listed.value, folder, pattern)) : err(refusalText(listed.error));
    },
  });
}

function listing(
  { files, total, places, unfinished }: Listing,
  folder: string | undefined,
  pattern: string | undefined,
): string {
  const where = folder === undefined ? 'in the workspace' : `in ${shownName(folder)}`;
  const fits = pattern === undefined ? '' : ` that fit ${shownName(pattern)}`;
  const early = unfinished ? ' The walk was ended early, so there may be more: name a folder.' : '';
  if (total === 0) {
    return `No files ${where}${fits}. Ignored files are not listed.${early}`;
  }
  const shown = fitting(files.map(shownName));
  const head = `${count(total, 'file')} ${where}${fits}${shown.length < total ? `, ${shown.length.toLocaleString('en')} of them shown` : ''}:`;
  if (shown.length === total) return [head, ...shown].join('\n') + early;
  const sums = places.slice(0, maxPlaces).map(({ name, files: sum }) => `${shownName(name)} ${sum}`);
  const others = places.length > maxPlaces ? ` and ${places.length - maxPlaces} other places` : '';
  const note = `[${count(total - shown.length, 'file')} left out. Name a folder or a pattern. All files by place: ${sums.join(', ')}${others}.${early}]`;
  return [head, ...shown, note].join('\n');
}
