/** The tools that go through a program as its language understands it: `find_symbol`, `go_to_definition`, `find_references`, `hover`. */
import { err, ok } from '../result.ts';
import { shownName } from '../shownName.ts';
import { functionTool, type FunctionSpec } from './functionTool.ts';
import { counted, optional, text } from './parameters.ts';
import type { FoundSymbol, Place, ReadingPorts, Some } from './readingPorts.ts';
import { refusalText, symbolRefusalText } from './refusalText.ts';
import { capped, count, excerpt, fitting } from './resultText.ts';
import type { Tool } from './tool.ts';

const maxHover = 4_000;
const at = {
  path: text('Path of a file in which the symbol is used or declared.'),
  line: counted('The line in which it stands, from 1.'),
  symbol: text('Its name, as it stands in that line.'),
};
/** Where nothing is known to the editor's languages. */
const otherwise =
  'The language of the file may have no such feature here, or is still loading: search_text finds text.';

export function findSymbolTool(ports: Pick<ReadingPorts, 'symbols'>): Tool {
  return functionTool({
    name: 'find_symbol',
    description:
      'Finds where classes, functions, variables and other symbols are declared: by name in the workspace, or those of one file.',
    fields: {
      query: optional(text('A name or part of one; needed where path is null.')),
      path: optional(text('A file of which the symbols are wanted; null for the workspace.')),
    },
    async run({ query, path }, signal, ask) {
      if (query === undefined && path === undefined) return err('Give a query, a path or both.');
      const found = await ports.symbols(query, path, signal, ask);
      return found.ok ? ok(symbolList(found.value)) : err(refusalText(found.error));
    },
  });
}

export function goToDefinitionTool(ports: Pick<ReadingPorts, 'places'>): Tool {
  return functionTool({
    name: 'go_to_definition',
    description: 'Finds where a symbol that stands in a line is defined.',
    ...placesOf(ports, 'definition'),
  });
}

export function findReferencesTool(ports: Pick<ReadingPorts, 'places'>): Tool {
  return functionTool({
    name: 'find_references',
    description: 'Finds every place that uses a symbol, as the language understands it, not as text.',
    ...placesOf(ports, 'references'),
  });
}

export function hoverTool(ports: Pick<ReadingPorts, 'hover'>): Tool {
  return functionTool({
    name: 'hover',
    description: 'What the editor shows of a symbol: its type or signature and its documentation.',
    fields: at,
    async run(place, signal, ask) {
      const hover = await ports.hover(place, signal, ask);
      if (!hover.ok) return err(symbolRefusalText(hover.error));
      const known = hover.value.map((part) => part.trim()).filter((part) => part !== '');
      return ok(
        known.length === 0 ? `Nothing is known of it. ${otherwise}` : capped(known.join('\n\n'), maxHover),
      );
    },
  });
}

/** What both tools take and do that tell of places. */
function placesOf(
  ports: Pick<ReadingPorts, 'places'>,
  what: 'definition' | 'references',
): Pick<FunctionSpec<typeof at>, 'fields' | 'run'> {
  return {
    fields: at,
    async run(place, signal, ask) {
      const found = await ports.places(what, place, signal, ask);
      if (!found.ok) return err(symbolRefusalText(found.error));
      if (found.value.total === 0) return ok(`No ${what} found. ${otherwise}`);
      return ok(listed('place', found.value, placeLine));
    },
  };
}

function symbolList(symbols: Some<FoundSymbol>): string {
  if (symbols.total === 0) return `No symbols found. ${otherwise}`;
  return listed('symbol', symbols, ({ name, kind, container, place }) => {
    return `${placeLine(place)} ${kind} ${shownName(name)}${container === '' ? '' : ` in ${shownName(container)}`}`;
  });
}

function placeLine({ path, line, text: shown, closed }: Place): string {
  const why = closed === undefined ? '' : closed === 'outside' ? ' (outside the workspace)' : ' (ignored)';
  return `${shownName(path)}:${line}${why}${shown === undefined ? '' : `: ${excerpt(shown, 0)}`}`;
}

function listed<T>(what: string, { found, total }: Some<T>, lineOf: (one: T) => string): string {
  const shown = fitting(found.map(lineOf));
  const left = total - shown.length;
  return [`${count(total, what)}:`, ...shown, ...(left > 0 ? [`[${count(left, what)} left out]`] : [])].join(
    '\n',
  );
}
