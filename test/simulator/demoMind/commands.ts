/** What the demo mind makes of slash commands that no question in words asks for: `/doc`, `/review`, `/commit`, and prompt files. */
import { answer, reasoning, text, type Answer } from '../script.ts';
import { count, fenced, placeOf } from './answers.ts';
import { findMistakes } from './mistakes.ts';
import type { Command, Context, Excerpt, Reading } from './reading.ts';

const ours: ReadonlySet<string> = new Set(['explain', 'fix', 'tests', 'doc', 'review', 'commit']);

export function isOurs(name: string): boolean {
  return ours.has(name);
}

/** Undefined where a command is answered as a question in words is. */
export function onCommand({ command, contexts, attached }: Reading): Answer | undefined {
  const changes = contexts.flatMap(filesChanged);
  if (command?.name === 'commit') return commit(changes);
  if (command?.name === 'doc' && attached.length > 0) return doc(attached);
  return command?.name === 'review' && changes.length > 0 ? review(changes) : undefined;
}

export function promptFile({ name, text: asked }: Command): Answer {
  return answer(
    reasoning(`**Reading the command**\n\n\`/${name}\` comes from a prompt file.`),
    text(
      `\`/${name}\` asks for this:\n\n${fenced(asked.trimEnd(), 'markdown')}\n\nI follow no prompts but those of my own rules. Kimi gets it as it stands here.\n`,
    ),
  );
}

interface FileChanged {
  readonly path: string;
  readonly isNew: boolean;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Of a unified diff. */
function filesChanged({ text: diff }: Context): readonly FileChanged[] {
  return diff
    .split(/^diff --git /m)
    .slice(1)
    .map((section) => {
      const lines = section.split('\n');
      const start = lines.findIndex((line) => line.startsWith('@@'));
      const body = start < 0 ? [] : lines.slice(start);
      const from = (sign: string): string[] =>
        body.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
      return {
        path: / b\/(.*)$/.exec(lines[0] ?? '')?.[1] ?? '',
        isNew: /^new file/m.test(section),
        added: from('+'),
        removed: from('-'),
      };
    });
}

function commit(changes: readonly FileChanged[]): Answer {
  if (changes.length === 0) {
    return answer(
      reasoning('**Looking for changes**\n\nNone came with the command.'),
      text('There is nothing to commit: no changes came with the command.\n'),
    );
  }
  const mended = changes.flatMap(({ removed }) => findMistakes(removed).map(({ title }) => title));
  const names = changes.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
  const what = names.length < 4 ? names.join(', ') : count(names.length, 'file');
  const verb = mended.length > 0 ? 'Repair' : changes.every(({ isNew }) => isNew) ? 'Add' : 'Change';
  const why = mended.length === 0 ? '' : `\n\n${mended.map((title) => `- ${title}`).join('\n')}`;
  return answer(
    reasoning(
      `**Reading the changes**\n\nThey touch ${count(changes.length, 'file')}. I name them, and the mistakes that are gone.`,
    ),
    text(`${fenced(`${verb} ${what}${why}`)}\n`),
  );
}

function review(changes: readonly FileChanged[]): Answer {
  const rows = changes.map(
    ({ path, added, removed }) =>
      `| \`${path}\` | +${added.length} −${removed.length} | ${findings(added).join('; ') || 'no mistake that I know'} |`,
  );
  return answer(
    reasoning('**Reading the changes**\n\nI compare each line that was added with the patterns I know.'),
    text(
      `${['| File | Lines | What I find |', '| --- | --- | --- |', ...rows].join('\n')}\n\nI go by a short list of patterns: that they find nothing says little.\n`,
    ),
  );
}

function findings(lines: readonly string[]): readonly string[] {
  return findMistakes(lines).map(({ title, effect }) => `**${title}**: ${effect}`);
}

function doc(excerpts: readonly Excerpt[]): Answer {
  const told = excerpts.map((excerpt) => {
    const bare = undocumented(excerpt);
    return bare.length === 0
      ? `In ${placeOf(excerpt)} every function has its doc comment.`
      : `In ${placeOf(excerpt)} there is none for ${bare.map((name) => `\`${name}\``).join(', ')}.`;
  });
  return answer(
    reasoning(
      '**Looking for doc comments**\n\nI look above each function, and in Python below its first line.',
    ),
    text(`${told.join('\n\n')}\n\nWriting one takes a model, so I propose no patch.\n`),
  );
}

function undocumented({ lines }: Excerpt): readonly string[] {
  return lines.flatMap((line, at) => {
    const match = /^\s*(?:export )?(?:async )?function\*? (\w+)|^\s*(?:async )?def (\w+)/.exec(line);
    const name = match?.[1] ?? match?.[2];
    if (name === undefined) return [];
    // What is above the first line is not known.
    const near = (match?.[2] === undefined ? lines[at - 1] : lines[at + 1]) ?? '*/';
    return /\*\/\s*$|^\s*"""/.test(near) ? [] : [name];
  });
}
