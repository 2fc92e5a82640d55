/**
 * Answers for `npm start`, by rules: it explains attached code, repairs the mistakes of the sample workspace through
 * `apply_patch`, reports what became of a patch, and says what it is. There is no model in it and it does not pretend to be one.
 */
import { announcement, count, explanation, fenced, introduction, placeOf, shorten } from './answers.ts';
import { isOurs, onCommand, promptFile } from './commands.ts';
import { patchText, type FileEdits, type Lines } from './edits.ts';
import { taxRatePatch, testPath, testsPatch } from './jobs.ts';
import { firstRead, look, readFiles } from './looking.ts';
import { findMistakes, type Mistake } from './mistakes.ts';
import { verdictOf, type Verdict } from './outcome.ts';
import { readRequest, type Excerpt, type Reading } from './reading.ts';
import { asItIsNow, knownFiles, namesFile, wholeFile, widen } from './sample.ts';
import {
  answer,
  applyPatch,
  reasoning,
  text,
  type Answer,
  type Pace,
  type ScriptedRequest,
} from '../script.ts';
import { isJsonObject } from '../wire.ts';

/** Quick enough to read along. */
export const demoPace: Pace = { tokensPerSecond: 100, thinkFor: 600 };

export function demoMind(request: ScriptedRequest): Answer {
  if (request.body['text'] !== undefined) return title(request);
  const reading = readRequest(request);
  if (reading.results.length > 0) return report(reading);
  const { command } = reading;
  if (command !== undefined && !isOurs(command.name)) return promptFile(command);
  const looked =
    (command === undefined ? look(reading) : undefined) ??
    (isAboutItself(reading.question) ? undefined : firstRead(reading, filesAbout(reading)));
  if (looked !== undefined) return looked;
  const whole = { ...reading, attached: [...reading.attached, ...readFiles(reading)] };
  return onCommand(whole) ?? think(whole);
}

/** A name for a conversation, as the schema of the request wants it: the words of the question that say something. */
function title({ body }: ScriptedRequest): Answer {
  const question = questionIn(textIn(body['input']));
  const words = question
    .split(/[^\p{L}\p{N}_./-]+/u)
    .filter((word) => word !== '' && !fillers.has(word.toLowerCase()));
  const line = words.slice(0, 6).join(' ');
  const name = line === '' ? 'A question' : line.charAt(0).toUpperCase() + line.slice(1);
  return answer(
    reasoning('**Naming it**\n\nThe words that say most.'),
    text(JSON.stringify({ title: name })),
  );
}

/** It is asked with JSON that holds how the conversation began. */
function questionIn(text: string): string {
  try {
    const begun: unknown = JSON.parse(text);
    return isJsonObject(begun) && typeof begun['question'] === 'string' ? begun['question'] : '';
  } catch {
    return '';
  }
}

function textIn(input: unknown): string {
  const [message] = Array.isArray(input) ? (input as readonly { content?: unknown }[]) : [];
  const [part] = Array.isArray(message?.content) ? (message.content as readonly { text?: unknown }[]) : [];
  return typeof part?.text === 'string' ? part.text : '';
}

const fillers = new Set(
  'a an the is are it this that what why how do does can you please me my in of to'.split(' '),
);

/** The files of the sample that a wish is about where nothing is attached: what stands in them now counts, not what was shipped. */
function filesAbout(reading: Reading): readonly string[] {
  const wish = wishOf(reading);
  const files = knownFiles(reading).map(({ path }) => path);
  if (wish === 'fixAll') return files;
  if (wish === 'tax') return files.filter((path) => path.startsWith('src/'));
  if (files.some((path) => namesFile(reading.question, path))) return [];
  const [earlier] = reading.earlier;
  if (wish === 'fix') return earlier === undefined ? files : [];
  // It may have been changed since.
  return wish === 'explain' && earlier !== undefined && reading.patches.length > 0 ? [earlier.path] : [];
}

function think(reading: Reading): Answer {
  const wish = wishOf(reading);
  switch (wish) {
    case 'tax':
      return moveTaxRate(reading);
    case 'tests':
      return addTests(reading);
    case 'fixAll':
    case 'fix':
      if (reading.attached.length === 0 && reading.contexts.some(({ heading }) => isProblems(heading)))
        return showContexts(reading);
      return fix(reading, wish === 'fixAll');
    case 'explain':
    case 'other':
      if (reading.attached.length === 0) {
        if (reading.contexts.length > 0) return showContexts(reading);
        if (reading.images > 0) return showImages(reading);
      }
      return wish === 'explain' || reading.attached.length > 0 ? explain(reading) : introduce(reading);
  }
}

type Wish = 'tax' | 'tests' | 'fixAll' | 'fix' | 'explain' | 'other';

function wishOf({ question, command }: Pick<Reading, 'question' | 'command'>): Wish {
  if (command?.name === 'tests' || command?.name === 'fix' || command?.name === 'explain')
    return command.name;
  if (/\btax\b.*\b(?:one|single|same) place\b|\bone place\b|\bthree files\b/i.test(question)) return 'tax';
  if (/\b(?:write|add|create|make|need|want)\b.*\btests?\b|^\s*tests?\b/i.test(question)) return 'tests';
  const fixes = /\b(?:fix|repair|correct|mend|solve|patch|change|improve)\b/i.test(question);
  if (fixes && /\b(?:all|every|everything|everywhere|whole|project|workspace|files)\b/i.test(question))
    return 'fixAll';
  if (fixes) return 'fix';
  if (/\b(?:explain|why|what|how|wrong|right|mistakes?|bugs?|errors?|review|check)\b/i.test(question))
    return 'explain';
  return 'other';
}

/** The code a question is about: what is attached, else the file it names, else what was attached last, as it is now. */
function subjects(reading: Reading): readonly Excerpt[] {
  const known = knownFiles(reading);
  const isNamed = (file: string): boolean => namesFile(reading.question, file);
  if (reading.attached.length > 0) {
    const named = reading.attached.filter(({ path }) => isNamed(path));
    const about = named.length > 0 ? named : reading.attached;
    // The whole file is newer than a chip of some of its lines that was left standing, and has these lines in it.
    return about.filter(
      (excerpt) => excerpt.whole || !about.some(({ whole, path }) => whole && path === excerpt.path),
    );
  }
  const named = known.filter(({ path }) => isNamed(path));
  if (named.length > 0) return named.map(wholeFile);
  return reading.earlier.slice(0, 1).map((excerpt) => asItIsNow(excerpt, reading));
}

function explain(reading: Reading): Answer {
  const excerpts = subjects(reading);
  if (excerpts.length === 0 || isAboutItself(reading.question)) return introduce(reading);
  const places = excerpts.map(placeOf).join(' and ');
  const found = excerpts.reduce((sum, { lines }) => sum + findMistakes(lines).length, 0);
  return answer(
    reasoning(
      `**Reading the question**\n\nIt says "${shorten(reading.question)}". It came with ${places}.`,
      `**Looking through the code**\n\nI compare each line with the patterns I know, and find ${count(found, 'mistake')}.`,
      `**Planning the answer**\n\nFirst what the lines are, then what is wrong with them. No change was asked for, so no patch.`,
    ),
    text(excerpts.map(explanation).join('\n---\n\n')),
  );
}

function isAboutItself(question: string): boolean {
  return /\b(?:who|what) are you\b|\byour name\b|\bare you (?:a|an|real|kimi|human)\b/i.test(question);
}

function introduce({ question }: Reading): Answer {
  return answer(
    reasoning(
      `**Reading the question**\n\nIt says "${shorten(question)}".`,
      '**Looking for a rule**\n\nNone of mine fits, so I say what I am and what I can do.',
    ),
    text(introduction(isAboutItself(question) ? '' : question)),
  );
}

function fix(reading: Reading, all: boolean): Answer {
  const known = knownFiles(reading);
  const excerpts = subjects(reading);
  const changes = (
    all || excerpts.length === 0
      ? known.map((file) => ({ file, mistakes: findMistakes(file.lines) }))
      : excerpts.map((excerpt) => mistakesIn(excerpt, known, /\bfile\b/i.test(reading.question)))
  ).filter(
    ({ file, mistakes }, index, list) =>
      mistakes.length > 0 && list.findIndex((other) => other.file.path === file.path) === index,
  );
  if (changes.length === 0) return nothingToFix(reading, excerpts);
  const edits: FileEdits[] = changes.map(({ file, mistakes }) => ({
    file,
    edits: mistakes.map(({ edit }) => edit),
  }));
  const told = changes.map(({ file, mistakes }) => ({ path: file.path, mistakes }));
  const whose = all || excerpts.length === 0 ? 'the sample workspace' : excerpts.map(placeOf).join(' and ');
  return propose(reading, patchText(edits), {
    thoughts: [
      `**Reading the question**\n\nIt says "${shorten(reading.question)}". I look at ${whose}.`,
      `**Finding the mistakes**\n\n${told.map(summary).join('\n')}`,
      '**Writing the patch**\n\nThree lines of context around each change, so that every place is found.',
    ],
    words:
      excerpts.length === 0
        ? `${announcement(told)}\n\nYou attached nothing, so I take the open folder for the sample shop.`
        : announcement(told),
  });
}

/** The mistakes in the lines of an excerpt, or in its whole file; placed in the file as far as that is known. */
function mistakesIn(
  excerpt: Excerpt,
  known: readonly Lines[],
  wholeFile: boolean,
): { readonly file: Lines; readonly mistakes: readonly Mistake[] } {
  const { file, offset } = widen(excerpt, known);
  const mistakes = findMistakes(file.lines).filter(
    ({ edit }) => wholeFile || (edit.at >= offset && edit.at < offset + excerpt.lines.length),
  );
  return { file, mistakes };
}

function summary({
  path,
  mistakes,
}: {
  readonly path: string;
  readonly mistakes: readonly Mistake[];
}): string {
  return `- \`${path}\`: ${mistakes.map(({ title }) => title.toLowerCase()).join('; ')}`;
}

function nothingToFix(reading: Reading, excerpts: readonly Excerpt[]): Answer {
  const where = excerpts.length === 0 ? 'the sample workspace' : excerpts.map(placeOf).join(' and ');
  return answer(
    reasoning(
      `**Reading the question**\n\nIt says "${shorten(reading.question)}".`,
      `**Looking for mistakes**\n\nNo pattern of mine matches in ${where}.`,
    ),
    text(
      `I find nothing to fix in ${where}. I go by a short list of patterns, so there may well be mistakes I cannot see.\n\nIf the code changed since you attached it, attach it again.\n`,
    ),
  );
}

function moveTaxRate(reading: Reading): Answer {
  const patch = taxRatePatch(knownFiles(reading));
  if (patch === undefined) {
    return answer(
      reasoning('**Looking for the tax rate**\n\nThe lines I would change are not there any more.'),
      text(
        'The tax rate is not where I know it from, so I have no patch for it. Perhaps it was moved already.\n',
      ),
    );
  }
  return propose(reading, patch, {
    thoughts: [
      '**Looking for the tax rate**\n\nIt stands as `1.19` in `src/cart.ts` and `src/money.ts`, and as words in `src/receipt.ts`.',
      '**Choosing a place**\n\n`src/money.ts` has `taxWithin` already, so the rate belongs there.',
    ],
    words: `The rate stands in three files, so the patch touches three:

- \`src/money.ts\` gets the constant \`taxPercent\`.
- \`src/cart.ts\` asks \`taxWithin\` instead of doing the sum again.
- \`src/receipt.ts\` prints the rate it is given:

\`\`\`ts
lines.push(row(\`incl. \${taxPercent}% tax\`, formatMoney(taxIn(items, coupon))));
\`\`\`

Nothing a customer sees changes.`,
  });
}

/** They are of the compiler, of which there is no rule here. */
function isProblems(heading: string): boolean {
  return heading.startsWith('Problems that ');
}

function showContexts({ question, contexts }: Reading): Answer {
  const told = contexts.map(({ heading, text: body }) => `${heading}:\n\n${fenced(body.trimEnd())}`);
  return answer(
    reasoning(`**Reading the question**\n\nIt says "${shorten(question)}". No code came with it.`),
    text(`My rules are for code, so I only show what came with the question.\n\n${told.join('\n\n')}\n`),
  );
}

function showImages({ images }: Reading): Answer {
  const came = images === 1 ? 'An image came' : `${images} images came`;
  return answer(
    reasoning(`**Reading the question**\n\n${came} with it.`),
    text(`${came} with the question. I can’t look into images; Kimi can.\n`),
  );
}

function addTests(reading: Reading): Answer {
  if (reading.attached.length > 0 && !reading.attached.some(({ path }) => path.endsWith('cart.ts'))) {
    return answer(
      reasoning('**What to test**\n\nI have tests for `src/cart.ts`, and something else is attached.'),
      text('I only know tests for `src/cart.ts`. Attach that, or nothing, and ask again.\n'),
    );
  }
  const there = knownFiles(reading).some(({ path }) => path === testPath);
  if (there) {
    return answer(
      reasoning('**Looking for tests**\n\nThe file was added earlier in this conversation.'),
      text(`\`${testPath}\` is there already. Run it with:\n\n\`\`\`sh\nnode --test ${testPath}\n\`\`\`\n`),
    );
  }
  return propose(reading, testsPatch(), {
    thoughts: [
      '**What to test**\n\nThe subtotal, the coupon, the limit for free shipping, the total.',
      '**How to run them**\n\nNode has a test runner of its own, so nothing has to be installed.',
    ],
    words: `The patch adds \`${testPath}\` with four tests:

| Test | Expects |
| --- | --- |
| every row counts | 3505 for tea and a pot |
| the coupon once | 810 for tea with ten percent off |
| free shipping from €50.00 | 490 below, 0 at the limit |
| the total | 3505 and shipping |

Some of them fail as long as \`src/cart.ts\` has its mistakes. Ask me to *run the tests* to see.`,
  });
}

interface Proposal {
  readonly thoughts: readonly string[];
  readonly words: string;
}

function propose(reading: Reading, patch: string, { thoughts, words }: Proposal): Answer {
  if (!reading.canPatch) {
    return answer(
      reasoning(
        ...thoughts,
        '**Handing it over**\n\nThe request offers no tool for patches, so I show the text.',
      ),
      text(
        `${words}\n\nI was given no tool to propose it with, so here is its text:\n\n\`\`\`diff\n${patch}\`\`\`\n`,
      ),
    );
  }
  return answer(reasoning(...thoughts), text(`${words}\n`), applyPatch(patch));
}

const verdicts: Readonly<Record<Verdict, string>> = {
  accepted: 'The patch was accepted and is in your files.',
  amended: 'The patch is in your files, with your own changes to it.',
  already: 'Nothing was changed: your files are already as the patch would leave them.',
  partly: 'Part of the patch is in your files, part of it is not.',
  rejected: 'You rejected the patch, so nothing was changed.',
  cancelled: 'The patch was not decided, so I take it that nothing was changed.',
  failed: 'The patch could not be applied, so I take it that nothing was changed.',
};

const advice: Readonly<Record<Verdict, string>> = {
  accepted: 'to see the difference.',
  amended: 'to see what it does now.',
  already: 'Perhaps you accepted the same change before.',
  partly: 'Look at the files once more before you run them. Ask again for what is missing.',
  rejected: 'Tell me what you would rather have. I only know a few patches, so I cannot promise it.',
  cancelled: 'Ask again when you want it.',
  failed: 'Attach the file as it is now and ask again: I then work from the text you give me.',
};

/** What to ask for to see what a patch did. */
function seeing(patch: string): string {
  if (patch.includes(`File: ${testPath}\n`)) return 'Ask me to *run the tests*';
  const isReport = patch.includes('File: report.py\n');
  const isShop = /File: src\//.test(patch);
  if (isReport && isShop) return 'Ask me to *run the demo* and to *run the report*';
  return isReport ? 'Ask me to *run the report*' : 'Ask me to *run the demo*';
}

/** Says what the tool said, in its own words too. */
function report({ results, patches }: Reading): Answer {
  const told = results.map(({ text: said }) => said.trim()).join('\n');
  const verdict = verdictOf(told);
  const patch = patches.at(-1)?.patch ?? '';
  const files = [...patch.matchAll(/^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm)].map(
    ([, path]) => `- \`${path}\``,
  );
  const about = files.length === 0 ? '' : `\n\nThe patch was about:\n\n${files.join('\n')}`;
  const next =
    verdict === 'accepted' || verdict === 'amended' ? `${seeing(patch)} ${advice[verdict]}` : advice[verdict];
  return answer(
    reasoning(
      `**Reading the result**\n\nThe tool answered: "${shorten(told)}".`,
      `**Judging it**\n\nGoing by its words, the patch was ${verdict}.`,
    ),
    text(`${verdicts[verdict]} The editor reports:\n\n${fenced(told)}${about}\n\n${next}\n`),
  );
}
