/** What the demo mind looks up and runs by itself, with the tools that it is offered, and what it says of what they gave. */
import { fenced, shorten } from './answers.ts';
import { testPath } from './jobs.ts';
import type { Excerpt, Look, Reading } from './reading.ts';
import { namesFile, sampleFiles } from './sample.ts';
import {
  annotated,
  answer,
  functionCall,
  parallel,
  reasoning,
  text,
  webSearch,
  type Answer,
  type FunctionCallScript,
} from '../script.ts';

/** Undefined where the question is no such wish, or where no tool is offered for it. */
export function look(reading: Reading): Answer | undefined {
  const { question, looks } = reading;
  if (wantsWeb(question)) return searchWeb(reading);
  const command = commandIn(question);
  if (command !== undefined && reading.offered.has('run_command')) {
    const ran = looks.find(({ tool }) => tool === 'run_command');
    return ran === undefined ? run(question, command) : reportRun(command, ran);
  }
  if (reading.attached.length > 0 || reading.contexts.length > 0) return undefined;
  if (wantsOverview(question) && reading.offered.has('list_files')) {
    return looks.length === 0 ? lookAround(reading) : overview(looks);
  }
  const term = termIn(question);
  if (term !== undefined && reading.offered.has('search_text')) return search(term, reading);
  return undefined;
}

/** The files that a question is about and nobody attached, to be read first. Undefined when they were read, or can't be. */
export function firstRead(reading: Reading, about: readonly string[]): Answer | undefined {
  const { question, attached, looks, offered, contexts } = reading;
  if (attached.length > 0 || contexts.length > 0 || !offered.has('read_file')) return undefined;
  if (looks.some(({ tool }) => tool === 'read_file')) return undefined;
  const named = pathIn(question);
  const paths = about.length > 0 ? about : named === undefined ? [] : [named];
  if (paths.length === 0) return undefined;
  const files = paths.map((path) => `\`${path}\``).join(', ');
  return answer(
    reasoning(
      `**Reading the question**\n\nIt is about ${files}, which ${paths.length === 1 ? 'is' : 'are'} not attached, so I read first what stands there now.`,
    ),
    parallel(...paths.map((path) => call('read_file', { path, start_line: null, end_line: null }))),
  );
}

/** Files that were read whole since the question, as if they had been attached. */
export function readFiles({ looks }: Reading): readonly Excerpt[] {
  return looks.flatMap(({ tool, input, result }): readonly Excerpt[] => {
    const { path } = input;
    if (tool !== 'read_file' || typeof path !== 'string' || typeof input['start_line'] === 'number')
      return [];
    const lines = [...result.matchAll(/^\d+\|(.*)$/gm)].map(([, line = '']) => line);
    if (lines.length === 0) return [];
    const language = path.endsWith('.py') ? 'python' : path.endsWith('.ts') ? 'typescript' : '';
    return [{ path, language, firstLine: 1, whole: true, lines }];
  });
}

function pathIn(question: string): string | undefined {
  const known = sampleFiles().find(({ path }) => namesFile(question, path))?.path;
  if (known !== undefined) return known;
  const named = /(?:^|[\s`"'(])((?:[\w-]+\/)*[\w-]+\.[a-z]{1,5})(?=$|[\s`"'),?!:;]|\.(?:\s|$))/i.exec(
    question,
  )?.[1];
  return named === 'demo.ts' ? 'src/demo.ts' : named;
}

function wantsWeb(question: string): boolean {
  return /\b(?:search|look|find|check)\b.*\b(?:web|internet|online)\b|\bweb search\b/i.test(question);
}

function wantsOverview(question: string): boolean {
  return /\b(?:which|what|list|show)\b.*\bfiles\b|\bwhat(?:'s| is| does)\b.*\b(?:project|folder|workspace|repository)\b|\boverview\b/i.test(
    question,
  );
}

/** What is asked to be run. */
function commandIn(question: string): string | undefined {
  if (!/^\s*(?:(?:please|now|then|can you|could you|go and)\s+)*(?:run|start|execute)\b/i.test(question))
    return undefined;
  const quoted = /`([^`\n]+)`/.exec(question)?.[1];
  if (quoted !== undefined) return quoted;
  if (/\btests?\b/i.test(question)) return `node --test ${testPath}`;
  if (/\breport\b/i.test(question)) return 'python3 report.py';
  return 'npm run demo';
}

const fillers =
  /^(?:where|find|search|look|grep|show|me|is|are|the|a|an|all|every|for|of|in|on|to|used|uses|use|called|calls|defined|declared|places?|who|which|that|this|it|do|does|we|you|i|please|and|code|text|word|workspace|project|files?)$/i;

/** What is asked to be found. */
function termIn(question: string): string | undefined {
  if (!/\b(?:where|grep|search|find|who (?:uses|calls))\b/i.test(question)) return undefined;
  if (/\b(?:mistakes?|bugs?|errors?|wrong)\b/i.test(question)) return undefined;
  const quoted = /[`"“']([^`"”']+)[`"”']/.exec(question)?.[1];
  if (quoted !== undefined) return quoted;
  const words = question.split(/[^\w$]+/).filter((word) => word !== '');
  return words.find((word) => /[a-z][A-Z]|_|\$/.test(word)) ?? words.find((word) => !fillers.test(word));
}

function run(question: string, command: string): Answer {
  return answer(
    reasoning(
      `**Reading the question**\n\nIt says "${shorten(question)}".`,
      `**Choosing a command**\n\n\`${command}\`. You see it whole before it runs, and nothing runs before you allow it.`,
    ),
    call('run_command', { command, folder: null, seconds: 60 }),
  );
}

function reportRun(command: string, { result }: Look): Answer {
  const refused =
    /\b(?:does not allow|did not allow|denied|not run|nothing was run|was not run|rejected)\b/i.test(result);
  return answer(
    reasoning('**Reading the result**\n\nI judge nothing by it: I only pass on what the terminal said.'),
    text(
      `${refused ? `\`${command}\` was not run.` : `This is what became of \`${command}\`:`}\n\n${fenced(result)}\n`,
    ),
  );
}

function lookAround({ offered }: Reading): Answer {
  const calls = [
    call('list_files', { path: null, pattern: null }),
    ...(offered.has('read_file')
      ? [call('read_file', { path: 'README.md', start_line: null, end_line: 20 })]
      : []),
    ...(offered.has('get_problems') ? [call('get_problems', { path: null })] : []),
  ];
  return answer(
    reasoning('**Looking around**\n\nThese calls do not need each other, so I make them at once.'),
    parallel(...calls),
  );
}

const titles: Readonly<Record<string, string>> = {
  list_files: 'The files',
  read_file: 'The README begins so',
  get_problems: 'The problems that the editor knows',
};

function overview(looks: readonly Look[]): Answer {
  const told = looks.map(({ tool, result }) => `### ${titles[tool] ?? tool}\n\n${fenced(result)}`);
  return answer(
    reasoning('**Putting it together**\n\nI show what the tools said, as they said it.'),
    text(`${told.join('\n\n')}\n`),
  );
}

/** Searches, reads around the first place, and shows both: two rounds and an answer. */
function search(term: string, { looks }: Reading): Answer {
  const found = looks.find(({ tool }) => tool === 'search_text');
  if (found === undefined) {
    return answer(
      reasoning(`**Reading the question**\n\nI look for \`${term}\` in all files.`),
      call('search_text', {
        pattern: term.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
        path: null,
        include: null,
        exclude: null,
        case_sensitive: null,
      }),
    );
  }
  const places = [...found.result.matchAll(/\n([^\n]+)\n {2}(\d+): /g)];
  const [, path, line] = places.find(([, file = '']) => !file.endsWith('.md')) ?? places[0] ?? [];
  const read = looks.find(({ tool }) => tool === 'read_file');
  if (path !== undefined && read === undefined && !path.startsWith('"')) {
    const at = Number(line);
    return answer(
      reasoning(
        `**Looking closer**\n\nThe first place in code is line ${at} of \`${path}\`. I read what is around it.`,
      ),
      call('read_file', { path, start_line: Math.max(1, at - 3), end_line: at + 3 }),
    );
  }
  const around = read === undefined ? '' : `\n\nAround the first place:\n\n${fenced(read.result)}`;
  return answer(
    reasoning('**Answering**\n\nI show what was found, as the tool told it.'),
    text(`I looked for \`${term}\`:\n\n${fenced(found.result)}${around}\n`),
  );
}

const sources = [
  {
    url: 'https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Intl/NumberFormat',
    title: 'Intl.NumberFormat - JavaScript | MDN',
  },
  { url: 'https://nodejs.org/api/test.html', title: 'Test runner | Node.js Documentation' },
];

function searchWeb({ question, canSearchWeb }: Reading): Answer {
  if (!canSearchWeb) {
    return answer(
      reasoning('**Looking for a tool**\n\nThe request offers no search in the web.'),
      text(
        'Web search is off in this conversation. Turn it on with the globe below the composer’s text, then ask again.\n',
      ),
    );
  }
  const words = `Money is formatted by \`Intl.NumberFormat\`, and tests run with \`node --test\`.`;
  const rest =
    '\n\nI am only a stand-in and **searched nothing**: these two sources are the same for every question. They show how those of the real service are told, with the host that each leads to.\n';
  return answer(
    webSearch(
      shorten(question.replace(/^.*\b(?:web|internet|online)\b\s*(?:for\s+)?/i, '')) || question,
      sources,
    ),
    reasoning('**Reading the sources**\n\nThere are two.'),
    annotated(
      text(words + rest),
      ...sources.map(({ url, title }, index) => ({
        type: 'url_citation',
        url,
        title,
        start_index: index === 0 ? 0 : words.indexOf(', and') + 2,
        end_index: index === 0 ? words.indexOf(', and') : words.length,
      })),
    ),
  );
}

function call(name: string, args: Readonly<Record<string, unknown>>): FunctionCallScript {
  return functionCall(name, args);
}
