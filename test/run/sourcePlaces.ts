/** Turns places in a bundle, as stacks name them, into places in the sources. Must not know who prints the stacks. */
import { readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import type { SourceMapPayload } from 'node:module';
import path from 'node:path';

/** Reads the map beside `bundle`; where there is none, text stays as it is. Paths in the result are relative to `root`. */
export async function sourcePlaces(bundle: string, root: string): Promise<(text: string) => string> {
  const json = await readFile(`${bundle}.map`, 'utf8').catch(() => undefined);
  if (json === undefined) return (text) => text;
  const map = new SourceMap(JSON.parse(json) as SourceMapPayload);
  const name = path.relative(root, bundle).replaceAll(path.sep, '/');
  const place = new RegExp(`[^\\s(]*${name.replaceAll('.', '\\.')}:(\\d+):(\\d+)`, 'g');
  return (text) =>
    text.replaceAll(place, (whole, line: string, column: string) => {
      const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
      if (!('originalSource' in entry)) return whole;
      const source = path.relative(root, path.resolve(path.dirname(bundle), entry.originalSource));
      return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    });
}
