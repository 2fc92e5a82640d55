/** The tool `search_text`. */
import { err, ok } from '../result.ts';
import { shownName } from '../shownName.ts';
import { functionTool } from './functionTool.ts';
import { parseGlob, type Glob } from './glob.ts';
import { flag, optional, text, texts } from './parameters.ts';
import type { Hit, ReadingPorts, SearchOutcome, SearchRefusal } from './readingPorts.ts';
import { refusalText } from './refusalText.ts';
import { count, fitting } from './resultText.ts';
import type { Tool } from './tool.ts';

/** Most lines of one result. */
const maxHits = 200;

export function searchTextTool(ports: Pick<ReadingPorts, 'searchText'>): Tool {
  return functionTool({
    name: 'search_text',
    description: `Finds the lines of the workspace's text files in which a regular expression matches, unsaved changes included. Lines are looked at one by one. At most ${maxHits} lines. Ignored, binary and very large files are left out.`,
    fields: {
      pattern: text('A regular expression, as in JavaScript. Escape what is meant literally: foo\\(\\).'),
      path: optional(text('A folder or a file to search in; null for all of the workspace.')),
      include: optional(
        texts('Globs, such as *.ts or src/**/*.css: only files that fit one are searched. Null for all.'),
      ),
      exclude: optional(texts('Globs: files that fit one are not searched. Null for none.')),
      case_sensitive: optional(flag('Whether case counts; null for no.')),
    },
    async run(
      { pattern, path, include = [], exclude = [], case_sensitive: caseSensitive = false },
      signal,
      ask,
    ) {
      const globs: Glob[] = [];
      for (const each of [...include, ...exclude]) {
        const glob = parseGlob(each);
        if (!glob.ok) return err(`The glob ${shownName(each)} ${glob.error}. Use a simpler one.`);
        globs.push(glob.value);
      }
      const request = {
        ...{ pattern, caseSensitive, path, limit: maxHits },
        include: globs.slice(0, include.length),
        exclude: globs.slice(include.length),
      };
      const found = await ports.searchText(request, signal, ask);
      return found.ok ? ok(report(found.value)) : err(searchRefusalText(found.error));
    },
  });
}

function searchRefusalText(refusal: SearchRefusal): string {
  return refusal.kind === 'pattern'
    ? `The pattern is no regular expression: ${refusal.fault}. Escape what is meant literally.`
    : refusalText(refusal);
}

function report({ hits, end, seconds, tooLarge, unfinished }: SearchOutcome): string {
  const lines = groupedByFile(hits);
  const shown = fitting(lines.map(({ text: line }) => line));
  const shownHits = lines.slice(0, shown.length).filter(({ isHit }) => isHit).length;
  const files = new Set(hits.map(({ path }) => path)).size;
  const notes = [
    ...(shownHits < hits.length
      ? [`${count(hits.length - shownHits, 'matching line')} left out: search more narrowly.`]
      : []),
    ...(end === 'limit'
      ? ['There are more: search more narrowly, with path, include or a longer pattern.']
      : []),
    ...(end === 'timeout'
      ? [
          `The search was ended after ${seconds} seconds and is not complete: use a simpler pattern, or name a path.`,
        ]
      : []),
    ...(unfinished === true
      ? ['Not all files were searched, because there are very many: name a path.']
      : []),
    ...(tooLarge > 0 ? [`${count(tooLarge, 'very large file')} not searched.`] : []),
  ];
  const head =
    hits.length === 0
      ? `No matches.${end === 'complete' && unfinished !== true ? ' Ignored, binary and very large files are not searched.' : ''}`
      : `${count(hits.length, 'matching line')} in ${count(files, 'file')}:`;
  return [head, ...shown, ...notes.map((note) => `[${note}]`)].join('\n');
}

function groupedByFile(hits: readonly Hit[]): readonly { readonly text: string; readonly isHit: boolean }[] {
  return hits.flatMap((hit, at) => {
    const line = { text: `  ${hit.line}: ${hit.text}`, isHit: true };
    return hits[at - 1]?.path === hit.path ? [line] : [{ text: shownName(hit.path), isHit: false }, line];
  });
}
