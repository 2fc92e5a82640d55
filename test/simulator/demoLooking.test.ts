/** The demo mind with tools to look with: what it calls, in which rounds, and what it makes of the results. */
import assert from 'node:assert/strict';

import { startSimulator, type Simulator } from './main.ts';
import { ask, outputOf } from './rawClient.ts';
import { isJsonObject, type JsonObject } from './wire.ts';

const tool = (name: string): JsonObject => ({
  type: 'function',
  name,
  description: name,
  parameters: { type: 'object', properties: {} },
});
const names = ['read_file', 'list_files', 'search_text', 'get_problems', 'run_command'];
const patchTool = {
  type: 'custom',
  name: 'apply_patch',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
};

interface Told {
  /** The calls of each round, as `name {arguments}`. */
  readonly rounds: readonly (readonly string[])[];
  readonly words: string;
  readonly last: readonly JsonObject[];
}

describe('what the demo mind looks up', () => {
  let simulator: Simulator;
  before(async () => {
    simulator = await startSimulator({ mind: 'demo', pace: { tokensPerSecond: Infinity }, auth: 'optional' });
  });
  after(() => simulator.close());
  afterEach(() => assert.deepEqual(simulator.violations, []));

  /** Answers the calls with `results`, one text for each tool, until there are none. */
  async function talk(
    question: string,
    results: Readonly<Record<string, string>> = {},
    tools: readonly JsonObject[] = [patchTool, ...names.map(tool)],
  ): Promise<Told> {
    const input: JsonObject[] = [{ type: 'message', role: 'user', content: question }];
    const rounds: string[][] = [];
    for (;;) {
      const body = {
        model: 'kimi-k3.1-pro',
        stream: true,
        tools,
        ...(tools.some(({ type }) => type === 'web_search') && {
          include: ['web_search_call.action.sources'],
        }),
        input,
      };
      const output = outputOf(await ask(simulator.url, body));
      const calls = output.filter(({ type }) => type === 'function_call' || type === 'custom_tool_call');
      if (calls.length === 0) return { rounds, words: textOf(output), last: output };
      rounds.push(calls.map((each) => [each['name'], each['arguments']].filter(Boolean).join(' ')));
      input.push(
        ...output.flatMap(replayed),
        ...calls.map(({ type, call_id: id, name }) => ({
          type: `${String(type)}_output`,
          call_id: id,
          output: results[String(name)] ?? `No result for ${String(name)}.`,
        })),
      );
      assert.ok(rounds.length < 5, 'it never ends');
    }
  }

  it('is all that is asked of a project, side by side', async () => {
    const { rounds, words } = await talk('What is in this project?', {
      list_files: '2 files in the workspace:\nREADME.md\nsrc/cart.ts',
      read_file: 'README.md, lines 1 to 1 of 1:\n1|# Corner shop',
      get_problems: 'No problems.',
    });
    assert.deepEqual(rounds, [
      [
        'list_files {"path":null,"pattern":null}',
        'read_file {"path":"README.md","start_line":null,"end_line":20}',
        'get_problems {"path":null}',
      ],
    ]);
    assert.match(words, /### The files\n[^]*src\/cart\.ts[^]*# Corner shop[^]*No problems\./);
  });

  it('is a text, and then what is around the first place', async () => {
    const { rounds, words } = await talk('Where is taxWithin() used?', {
      search_text:
        '2 matching lines in 2 files:\nREADME.md\n  17: taxWithin\nsrc/money.ts\n  9: export function taxWithin',
      read_file: 'src/money.ts, lines 6 to 12 of 14:\n9|export function taxWithin',
    });
    assert.deepEqual(rounds, [
      ['search_text {"pattern":"taxWithin","path":null,"include":null,"exclude":null,"case_sensitive":null}'],
      ['read_file {"path":"src/money.ts","start_line":6,"end_line":12}'],
    ]);
    assert.match(words, /I looked for `taxWithin`:[^]*Around the first place:[^]*9\|export/);
    const nothing = await talk('Find "a(b"', { search_text: 'No matches.' });
    assert.match(nothing.rounds[0]?.[0] ?? '', /"pattern":"a\\\\\(b"/);
    assert.equal(nothing.rounds.length, 1);
  });

  it('is a file that a question names, before it is explained or repaired', async () => {
    const file = 'src/money.ts, lines 1 to 2 of 2:\n1|export type Cents = number;\n2|// TODO: round';
    const explained = await talk('Explain money.ts', { read_file: file });
    assert.deepEqual(explained.rounds, [
      ['read_file {"path":"src/money.ts","start_line":null,"end_line":null}'],
    ]);
    assert.match(explained.words, /This is about the file `src\/money\.ts`, 2 lines\./);
    const missing = await talk('Explain lib/none.ts', { read_file: 'There is no lib/none.ts.' });
    assert.deepEqual(missing.rounds, [
      ['read_file {"path":"lib/none.ts","start_line":null,"end_line":null}'],
    ]);
    const mended = await talk('Fix src/cart.ts', {
      read_file: 'There is no src/cart.ts.',
      apply_patch: 'Accepted.',
    });
    assert.deepEqual(mended.rounds, [
      ['read_file {"path":"src/cart.ts","start_line":null,"end_line":null}'],
      ['apply_patch'],
    ]);
    assert.match(mended.words, /^The patch was accepted/);
  });

  it('is all files of a wish that names none', async () => {
    const path = (file: string): string =>
      `read_file ${JSON.stringify({ path: file, start_line: null, end_line: null })}`;
    const { rounds } = await talk('Fix all bugs', { apply_patch: 'Accepted.' });
    const files = ['src/cart.ts', 'src/money.ts', 'src/receipt.ts', 'report.py'];
    assert.deepEqual(rounds, [files.map(path), ['apply_patch']]);
    const tax = await talk('Keep the tax rate in one place', { apply_patch: 'Accepted.' });
    assert.deepEqual(tax.rounds, [files.slice(0, 3).map(path), ['apply_patch']]);
  });

  it('is nothing where no tools are offered', async () => {
    for (const question of [
      'What is in this project?',
      'Where is taxWithin used?',
      'Run the demo',
      'Explain money.ts',
    ])
      assert.deepEqual((await talk(question, {}, [patchTool])).rounds, [], question);
  });

  const commands = [
    ['Run the demo', 'npm run demo'],
    ['please run the tests', 'node --test src/cart.test.ts'],
    ['Run the report', 'python3 report.py'],
    ['Can you run `ls -la`?', 'ls -la'],
  ] as const;
  for (const [question, command] of commands) {
    it(`runs for ${JSON.stringify(question)}`, async () => {
      const { rounds, words } = await talk(question, { run_command: 'Exit code 0.\n```\nfine' });
      assert.deepEqual(rounds, [[`run_command ${JSON.stringify({ command, folder: null, seconds: 60 })}`]]);
      assert.match(words, /what became of[^]*````text\nExit code 0\./);
    });
  }

  it('says that a command was not run', async () => {
    const { words } = await talk('Run the demo', { run_command: 'Not run: the person does not allow it.' });
    assert.match(words, /^`npm run demo` was not run\./);
    const why = await talk('Why does the demo run so slowly?', {}, names.map(tool));
    assert.deepEqual(why.rounds, []);
  });

  it('is the web only where it is offered, and then it is told that nothing was searched', async () => {
    const question = 'Search the web for Intl.NumberFormat';
    assert.match((await talk(question)).words, /^Web search is off in this conversation\./);
    const { rounds, words, last } = await talk(question, {}, [{ type: 'web_search' }]);
    assert.deepEqual(rounds, []);
    assert.match(words, /\*\*searched nothing\*\*/);
    const [search] = last;
    assert.equal(search?.['type'], 'web_search_call');
    assert.match(JSON.stringify(search), /"query":"Intl\.NumberFormat".*developer\.mozilla\.org/);
    assert.equal(JSON.stringify(last).match(/url_citation/g)?.length, 2);
  });
});

function textOf(output: readonly JsonObject[]): string {
  return output
    .flatMap(({ content }) => (Array.isArray(content) ? content.filter(isJsonObject) : []))
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('');
}

/** What of an item goes back. */
function replayed(item: JsonObject): readonly JsonObject[] {
  const { type, id, summary } = item;
  if (type === 'reasoning') return [{ type, id, summary }];
  if (type !== 'message') return [item];
  return [{ type, role: 'assistant', content: [{ type: 'output_text', text: textOf([item]) }] }];
}
