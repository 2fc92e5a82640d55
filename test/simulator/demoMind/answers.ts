/** The demo mind's sentences. Markdown with code, tables and lists, as a model would write it. */
import { findMistakes, type Mistake } from './mistakes.ts';
import type { Excerpt } from './reading.ts';

/** What it is, whenever it has nothing better to say. */
export function introduction(question: string): string {
  const echo = question.trim() === '' ? '' : ` I found nothing I have a rule for in "${shorten(question)}".`;
  return `I am **not a model**, only a rule-based stand-in that answers while the real service is not connected.${echo}

I can do these things, in the sample workspace:

| Ask | What happens |
| --- | --- |
| *Why is the total wrong?* with code selected | I explain the selection and name the mistakes I know |
| *Fix the bugs in this file* | a patch for that file |
| *Fix all bugs* | one patch for three files |
| *Keep the tax rate in one place* | one patch for three files |
| *Write tests for the cart* | a patch that adds a file |
| *What is in this project?* | I list the files, read the README and ask for problems, all at once |
| *Where is \`formatMoney\` used?* | I search for it, then read around the first place |
| *Explain money.ts*, with nothing attached | I read the file first |
| *Run the demo*, *run the tests* | I ask to run a command in a terminal |
| \`/fix\`, \`/tests\`, \`/review\`, \`/commit\` and the others | what each asks for, as far as my rules go |
| *Search the web for Intl.NumberFormat* | with web search on: sources, told as those of a search are |

How to go on:

1. Open \`src/cart.ts\` and select the function \`subtotal\`.
2. Attach the selection to the chat and ask why the total is wrong.
3. Ask me to fix it, and look at the patch before you accept it.

For answers by Kimi itself, start with your own key:

\`\`\`sh
npm start -- --service
\`\`\`
`;
}

/** An explanation that really refers to the code that was given. */
export function explanation(excerpt: Excerpt): string {
  const mistakes = findMistakes(excerpt.lines);
  const place = placeOf(excerpt);
  const outline = outlineOf(excerpt);
  const parts = [`This is about ${place}, ${count(excerpt.lines.length, 'line')}${named(excerpt)}.`];
  if (outline.length > 0) {
    parts.push(
      [
        '| Line | Code | What it is |',
        '| ---: | --- | --- |',
        ...outline.map(({ line, code, what }) => `| ${line} | ${inCell(code)} | ${what} |`),
      ].join('\n'),
    );
  }
  if (mistakes.length === 0) {
    parts.push('I know no mistake in these lines. That says little: I go by a short list of patterns.');
  } else {
    parts.push(`I found ${count(mistakes.length, 'mistake')}:`);
    parts.push(mistakes.map((mistake, index) => describeMistake(mistake, index + 1, excerpt)).join('\n\n'));
    parts.push(`Ask me to **fix** ${mistakes.length === 1 ? 'it' : 'them'}, and I propose a patch.`);
  }
  return `${parts.join('\n\n')}\n`;
}

/** What a patch is going to change, said before the call. */
export function announcement(
  changes: readonly { readonly path: string; readonly mistakes: readonly Mistake[] }[],
): string {
  const rows = changes.flatMap(({ path, mistakes }) =>
    mistakes.map(({ title, effect }) => `| \`${path}\` | ${title} | ${effect} |`),
  );
  const files = changes.length === 1 ? '' : ` in ${changes.length} files`;
  return [
    `I know ${count(rows.length, 'mistake')}${files}:`,
    ['| File | Mistake | Effect |', '| --- | --- | --- |', ...rows].join('\n'),
    'The patch below changes these lines and nothing else.',
  ].join('\n\n');
}

export function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

export function placeOf({ path, firstLine, whole, lines }: Excerpt): string {
  if (whole) return `the file \`${path}\``;
  const last = firstLine + lines.length - 1;
  return last === firstLine
    ? `line ${firstLine} of \`${path}\``
    : `lines ${firstLine} to ${last} of \`${path}\``;
}

export function count(number: number, thing: string): string {
  return number === 1 ? `1 ${thing}` : `${number} ${thing}s`;
}

function describeMistake({ title, effect, why, edit }: Mistake, number: number, excerpt: Excerpt): string {
  const line = excerpt.firstLine + edit.at;
  return [
    `${number}. **${title}** (line ${line}): ${effect}. ${why} It should be:`,
    '',
    `   \`\`\`${excerpt.language}`,
    ...dedent(edit.lines).map((each) => `   ${each}`),
    '   ```',
  ].join('\n');
}

function dedent(lines: readonly string[]): readonly string[] {
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
  const shared = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map((line) => line.slice(shared));
}

interface OutlineRow {
  readonly line: number;
  readonly code: string;
  readonly what: string;
}

const longestOutline = 8;

/** What some lines are, going by their first words. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/^\s*(?:export )?(?:default )?(?:async )?function\*? (\w+)|^\s*(?:async )?def (\w+)/, 'a function begins'],
  [/^\s*(?:export )?(?:abstract )?class (\w+)/, 'a class begins'],
  [/^\s*(?:export )?(?:interface|type) (\w+)/, 'a type'],
  [/^\s*(?:import|from) /, 'takes something from another module'],
  [/^\s*(?:for|while)\b/, 'a loop'],
  [/^\s*(?:if|elif|else if|switch|case)\b/, 'a decision'],
  [/^\s*(?:return|yield)\b/, 'gives the result'],
  [/^\s*(?:try|except|catch|raise|throw)\b/, 'deals with errors'],
  [/^\s*(?:#|\/\/|\/?\*\*?)\s*(?:TODO|FIXME)\b/, 'a note to do something'],
];

function outlineOf({ lines, firstLine }: Excerpt): readonly OutlineRow[] {
  return lines
    .flatMap((code, index): readonly OutlineRow[] => {
      const kind = kinds.find(([pattern]) => pattern.test(code));
      return kind === undefined ? [] : [{ line: firstLine + index, code: code.trim(), what: kind[1] }];
    })
    .slice(0, longestOutline);
}

function named({ lines }: Excerpt): string {
  const names = lines.flatMap((line) => {
    const match = kinds[0]?.[0].exec(line);
    return match === null || match === undefined ? [] : [`\`${match[1] ?? match[2]}\``];
  });
  if (names.length === 0) return '';
  return `, with ${names.length === 1 ? 'the function' : 'the functions'} ${names.slice(0, 6).join(', ')}`;
}

/** Code inside a table cell: a bar ends the cell even between backticks. */
function inCell(code: string): string {
  const fence = code.includes('`') ? '``' : '`';
  const padded = fence === '``' ? ` ${code} ` : code;
  return `${fence}${padded.replaceAll('|', '\\|')}${fence}`;
}

const longestQuote = 20;

/** The report as it is, in a fence that nothing in it can close. */
export function fenced(report: string, language = 'text'): string {
  const lines = report.split('\n');
  const shown = lines.slice(0, longestQuote);
  if (shown.length < lines.length) shown.push(`(${lines.length - shown.length} more lines)`);
  const longest = Math.max(2, ...[...report.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${shown.join('\n')}\n${fence}`;
}
