/** The demo mind: what it reads from a request, what it proposes, and that its patches do repair the sample. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { applyToKnown, patchText } from './demoMind/edits.ts';
import { findMistakes } from './demoMind/mistakes.ts';
import { verdictOf, type Verdict } from './demoMind/outcome.ts';
import { readRequest } from './demoMind/reading.ts';
import { knownFiles, sampleFiles } from './demoMind/sample.ts';
import { demoMind } from './demoMind/demoMind.ts';
import { startSimulator, type Answer, type Piece, type Simulator } from './main.ts';
import { ask, outputOf, responseOf } from './rawClient.ts';
import { isJsonObject, type JsonObject } from './wire.ts';

const run = promisify(execFile);
const sample = new URL('../sample/', import.meta.url);

const patchTool = {
  type: 'custom',
  name: 'apply_patch',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
};

async function sampleText(file: string): Promise<string> {
  return readFile(new URL(file, sample), 'utf8');
}

/** As a client attaches code: a line that names it, then fenced text. */
async function attach(file: string, from?: number, to?: number): Promise<string> {
  const lines = (await sampleText(file)).split('\n');
  const language = file.endsWith('.py') ? 'python' : 'typescript';
  const text = from === undefined ? lines.join('\n') : `${lines.slice(from - 1, to).join('\n')}\n`;
  const place = from === undefined ? '' : `, lines ${from}-${to}`;
  return `${file}${place} (${language}):\n\`\`\`${language}\n${text}\`\`\``;
}

function user(...texts: readonly string[]): JsonObject {
  return { type: 'message', role: 'user', content: texts.map((text) => ({ type: 'input_text', text })) };
}

function bodyOf(...input: readonly JsonObject[]): JsonObject {
  return { model: 'kimi-k3.1-pro', stream: true, tools: [patchTool], input };
}

function think(...input: readonly JsonObject[]): Answer {
  return demoMind({ index: 0, body: bodyOf(...input) });
}

function said(script: Answer): { readonly thoughts: string; readonly words: string; readonly patch: string } {
  const told = (kind: string) =>
    script.steps
      .flatMap((step): readonly Piece[] => {
        if (step.kind !== kind) return [];
        if (step.kind === 'reasoning') return step.parts.flat();
        return step.kind === 'text' || step.kind === 'customCall' ? step.pieces : [];
      })
      .filter((piece) => typeof piece === 'string')
      .join('\n');
  return { thoughts: told('reasoning'), words: told('text'), patch: told('customCall') };
}

describe('what the demo mind reads', () => {
  it('takes attachments out of the question', async () => {
    const content = user(await attach('src/cart.ts', 15, 19), await attach('report.py'), 'Why is it wrong?');
    const reading = readRequest({ index: 0, body: bodyOf(content) });
    assert.equal(reading.question, 'Why is it wrong?');
    assert.equal(reading.canPatch, true);
    assert.deepEqual(
      reading.attached.map(({ path: file, firstLine, whole, language }) => [
        file,
        firstLine,
        whole,
        language,
      ]),
      [
        ['src/cart.ts', 15, false, 'typescript'],
        ['report.py', 1, true, 'python'],
      ],
    );
    assert.match(reading.attached[0]?.lines[0] ?? '', /What one row of the cart costs/);
    assert.equal(reading.attached[0]?.lines.length, 5);
  });

  const wordings = [
    '`src/cart.ts`, lines 3-4 (typescript):\n```ts\na\nb\n```',
    'From src/cart.ts:3-4\n```\na\nb\n```',
    'src/cart.ts (lines 3 to 4):\n\n````ts\na\nb\n````',
    'Selection of src\\cart.ts, L3-L4\n```ts\na\r\nb\r\n```',
  ];
  for (const wording of wordings) {
    it(`understands ${JSON.stringify(wording.slice(0, 30))}`, () => {
      const { attached, question } = readRequest({ index: 0, body: bodyOf(user(`${wording}\n\nWell?`)) });
      assert.equal(question, 'Well?');
      assert.equal(attached.length, 1);
      assert.equal(attached[0]?.path, 'src/cart.ts');
      assert.equal(attached[0]?.firstLine, 3);
      assert.deepEqual(attached[0]?.lines.slice(0, 2), ['a', 'b']);
    });
  }

  it('leaves code without a path in the question', () => {
    const { attached, question } = readRequest({
      index: 0,
      body: bodyOf(user('What is this?\n```\nx = 1\n```')),
    });
    assert.equal(attached.length, 0);
    assert.match(question, /x = 1/);
  });

  const reports: readonly (readonly [Verdict, string])[] = [
    ['accepted', 'Accepted. Updated src/cart.ts.'],
    ['accepted', 'Success. Updated the following files:\nM src/cart.ts'],
    ['rejected', 'Rejected by the person: too much at once'],
    ['rejected', 'The user rejected this patch.'],
    ['failed', 'The patch could not be applied: the lines of hunk 1 were not found in src/cart.ts.'],
    ['cancelled', 'Cancelled by the person before a decision.'],
    ['partly', 'src/cart.ts: accepted\nreport.py: rejected'],
    [
      'accepted',
      'The person accepted the patch for 3 files:\n\nM src/cart.ts +3 -3\n  hunk 1: now lines 21-33',
    ],
    [
      'amended',
      'The person accepted the patch for 1 file, but not all of it as proposed:\n\nM src/cart.ts +3 -3',
    ],
    ['amended', 'Applied with changes by the person: 1 file changed.\nM src/cart.ts +4 -5'],
    [
      'partly',
      'The person accepted the patch for 1 of 2 files:\n\nM src/cart.ts +1 -1\n\n"report.py": rejected, no reason given.',
    ],
    [
      'rejected',
      'Nothing was changed: the person rejected the patch.\n\n"a.ts": rejected, with the reason "could not be worse"',
    ],
    ['cancelled', 'Nothing was changed: the patch was not decided on.'],
    ['cancelled', 'Nothing was changed: the call was stopped before the patch was decided on.'],
    ['already', 'Nothing was changed: the patch applies, but every file already is as it would leave it.'],
    ['failed', 'Nothing was changed. The patch could not be applied:\n\ncontext-not-found in "src/cart.ts"'],
    ['failed', 'Nothing was changed:\n\n"a.ts": not written, because the same lines were changed meanwhile.'],
    ['failed', ''],
  ];
  for (const [verdict, text] of reports) {
    it(`takes ${JSON.stringify(text.slice(0, 40))} as ${verdict}`, () => {
      assert.equal(verdictOf(text), verdict);
    });
  }
});

describe('what the demo mind answers', () => {
  it('explains the selection with its own lines', async () => {
    const { words, thoughts, patch } = said(
      think(user(await attach('src/cart.ts', 21, 28), 'Why is the total wrong?')),
    );
    assert.equal(patch, '');
    assert.match(words, /lines 21 to 28 of `src\/cart\.ts`/);
    assert.match(words, /for \(let i = 0; i < items\.length - 1; i\+\+\)/);
    assert.match(words, /\*\*The loop stops one short\*\* \(line 24\)/);
    assert.match(words, /\*\*The coupon is taken off twice\*\*/);
    assert.match(words, /^\| Line \| Code \|/m);
    assert.match(thoughts, /Why is the total wrong\?/);
  });

  it('explains code it has never seen', () => {
    const code = 'lib/queue.rb, lines 40-42 (ruby):\n```ruby\nclass Queue\n  return @a | @b\nend\n```';
    const { words } = said(think(user(code, 'Explain this')));
    assert.match(words, /lines 40 to 42 of `lib\/queue\.rb`, 3 lines/);
    assert.match(words, /\| 40 \| `class Queue` \| a class begins \|/);
    assert.match(words, /`return @a \\\| @b`/);
    assert.match(words, /I know no mistake/);
  });

  it('says what it is when nothing fits', () => {
    for (const question of ['Hello', 'Who are you?', '']) {
      const { words, patch } = said(think(user(question)));
      assert.match(words, /not a model/);
      assert.equal(patch, '');
    }
  });

  it('repairs only the selected lines, or the file when asked for it', async () => {
    const selection = await attach('src/cart.ts', 31, 33);
    const lines = said(think(user(selection, 'Fix it'))).patch;
    assert.match(lines, /\+ {2}return amount >= 5000/);
    assert.doesNotMatch(lines, /items\.length/);
    const file = said(think(user(selection, 'Fix the bugs in this file'))).patch;
    assert.match(file, /-.*items\.length - 1/);
    assert.equal(file.match(/^\*\*\* Update File/gm)?.length, 1);
  });

  it('repairs what was attached earlier when the question only says so', async () => {
    const first = user(await attach('src/money.ts'), 'What is wrong here?');
    const answered = {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'This.' }],
    };
    const { patch } = said(think(first, answered, user('Then fix it')));
    assert.match(patch, /\*\*\* Update File: src\/money\.ts/);
  });

  it('works from text that differs from the sample', () => {
    const code =
      'app/list.ts (typescript):\n```typescript\nfor (let i = 0; i < all.length - 1; i++) {\n  go(all[i]);\n}\n```';
    const { patch } = said(think(user(code, 'Fix this')));
    const expected =
      '*** Begin Patch\n*** Update File: app/list.ts\n@@\n-for (let i = 0; i < all.length - 1; i++) {\n+for (let i = 0; i < all.length; i++) {\n   go(all[i]);\n }\n*** End Patch\n';
    assert.equal(patch, expected);
  });

  it('does not propose again what was accepted', async () => {
    const question = user('Fix all bugs');
    const { patch } = said(think(question));
    const turn = [
      question,
      { type: 'custom_tool_call', call_id: 'apply_patch:0', name: 'apply_patch', input: patch },
      { type: 'custom_tool_call_output', call_id: 'apply_patch:0', output: 'Accepted, 3 files updated' },
    ];
    assert.match(said(think(...turn)).words, /was accepted/);
    assert.match(said(think(...turn, user('Fix all bugs'))).words, /nothing to fix/);
    const refused = [...turn.slice(0, 2), { ...turn[2], output: 'Rejected: later' }] as JsonObject[];
    assert.equal(said(think(...refused, user('Fix all bugs'))).patch, patch);
  });

  it('does not find again in an earlier chip what was accepted since', async () => {
    const turn = [user(await attach('src/cart.ts', 22, 28), 'Fix it')];
    const { patch } = said(think(...turn));
    assert.match(patch, /^\+ {2}return sum;$/m);
    const call = { type: 'custom_tool_call', call_id: 'apply_patch:0', name: 'apply_patch', input: patch };
    const result = { type: 'custom_tool_call_output', call_id: 'apply_patch:0', output: '' };
    const accepted = [...turn, call, { ...result, output: 'Accepted, 1 file updated' }];
    const rejected = [...turn, call, { ...result, output: 'Rejected by the person.' }];
    const question = user('Why is it wrong?');
    assert.match(said(think(...rejected, question)).words, /coupon is taken off twice/);
    const { words } = said(think(...accepted, question));
    assert.match(words, /lines 22 to 28 of `src\/cart\.ts`/);
    assert.match(words, /I know no mistake/);
    assert.match(said(think(...accepted, user('Fix it'))).words, /nothing to fix/);
    const whole = said(think(...accepted, user('Explain src/cart.ts'))).words;
    assert.match(whole, /the file `src\/cart\.ts`/);
    assert.match(whole, /Exactly €50\.00 still pays shipping/);
    assert.doesNotMatch(whole, /coupon is taken off twice/);
  });

  it('goes by the file that the question names, and by the chip of the whole of it', async () => {
    const lines = await attach('src/cart.ts', 22, 28);
    const report = await attach('report.py');
    for (const turns of [
      [user(lines, 'Why is the total wrong?'), user('Is this report right?')],
      [user(lines, 'Why is the total wrong?'), user(report, 'Is this report right?')],
      [user(lines, report, 'Is this report right?')],
    ]) {
      const { words } = said(think(...turns));
      assert.match(words, /the file `report\.py`/);
      assert.doesNotMatch(words, /cart\.ts|coupon/);
    }
    const cart = said(think(user(lines, await attach('src/cart.ts'), 'Explain src/cart.ts'))).words;
    assert.match(cart, /the file `src\/cart\.ts`/);
    assert.doesNotMatch(cart, /lines 22 to 28/);
  });

  it('proposes again only what was not taken', () => {
    const question = user('Fix all bugs');
    const { patch } = said(think(question));
    const call = { type: 'custom_tool_call', call_id: 'apply_patch:0', name: 'apply_patch', input: patch };
    const output =
      'The person accepted the patch for 1 of 3 files:\n\nM src/cart.ts +3 -3\n\n"src/money.ts": rejected, no reason given.';
    const result = { type: 'custom_tool_call_output', call_id: 'apply_patch:0', output };
    const again = said(think(question, call, result, question)).patch;
    assert.deepEqual(
      [...again.matchAll(/^\*\*\* Update File: (.*)$/gm)].map(([, file]) => file),
      ['src/money.ts', 'report.py'],
    );
  });

  it('passes on why a patch was rejected', () => {
    const { words } = said(
      think(
        user('Fix all bugs'),
        { type: 'custom_tool_call', call_id: 'apply_patch:0', name: 'apply_patch', input: 'x' },
        {
          type: 'custom_tool_call_output',
          call_id: 'apply_patch:0',
          output: 'Rejected by the person: not on a Friday',
        },
      ),
    );
    assert.match(words, /You rejected the patch/);
    assert.match(words, /```text\nRejected by the person: not on a Friday\n```/);
  });

  const rules = 'Standing instructions for this workspace, from "AGENTS.md":\n```markdown\nBe brief.\n```';
  const changes =
    'Changes in the working tree that are not staged, from git diff, with new files:\n```diff\ndiff --git a/src/cart.ts b/src/cart.ts\n--- a/src/cart.ts\n+++ b/src/cart.ts\n@@ -31 +31 @@\n-  return amount > 5000 ? 0 : 490;\n+  return amount >= 5000 ? 0 : 490;\n```';
  const asked = (name: string): string => `What "/${name}" asks for:\n\`\`\`\nDo it.\n\`\`\``;

  it('takes standing instructions for no code', () => {
    assert.match(said(think(user(rules, 'Hello'))).words, /not a model/);
    assert.match(said(think(user(rules, 'Fix src/money.ts'))).patch, /Update File: src\/money\.ts/);
  });

  it('answers slash commands', async () => {
    const cart = await attach('src/cart.ts', 31, 33);
    assert.match(said(think(user(cart, asked('explain'), '/explain'))).words, /lines 31 to 33 of/);
    assert.match(said(think(user(cart, asked('fix'), '/fix'))).patch, /\+ {2}return amount >= 5000/);
    assert.match(said(think(user(cart, asked('tests'), '/tests'))).patch, /Add File: src\/cart\.test\.ts/);
    const other = await attach('src/receipt.ts');
    assert.match(said(think(user(other, asked('tests'), '/tests'))).words, /only know tests for `src\/cart/);
    assert.match(said(think(user(other, asked('doc'), '/doc'))).words, /there is none for `row`/);
    assert.match(said(think(user(cart, asked('doc'), '/doc'))).words, /every function has its doc comment/);
    const { words } = said(think(user(changes, asked('review'), '/review')));
    assert.match(words, /\| `src\/cart\.ts` \| \+1 −1 \| no mistake that I know \|/);
    assert.equal(
      said(think(user(changes, asked('commit'), '/commit'))).words,
      '```text\nRepair cart.ts\n\n- Exactly €50.00 still pays shipping\n```\n',
    );
    assert.match(said(think(user(asked('commit'), '/commit'))).words, /nothing to commit/);
    assert.match(said(think(user(asked('rename'), '/rename a b'))).words, /```markdown\nDo it\.\n```/);
  });

  it('shows what came along and is no code', () => {
    const terminal = 'The last command in the terminal "bash" (exit code 1) and its output:\n```\nno\n```';
    assert.match(said(think(user(terminal, 'What is wrong?'))).words, /exit code 1[^]*```text\nno\n```/);
    const problems = 'Problems that the editor shows in src/cart.ts:\n```\nsrc/cart.ts:1:1 error\n```';
    const { words, patch } = said(think(user(problems, 'Fix these problems')));
    assert.equal(patch, '');
    assert.match(words, /src\/cart\.ts:1:1 error/);
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AA==' };
    const content = [image, { type: 'input_text', text: 'What is this?' }];
    assert.match(said(think({ type: 'message', role: 'user', content })).words, /^An image came/);
  });

  it('shows the text when it was given no tool', () => {
    const body = { model: 'kimi-k3.1-pro', input: 'Fix all bugs' };
    const { words, patch } = said(demoMind({ index: 0, body }));
    assert.equal(patch, '');
    assert.match(words, /```diff\n\*\*\* Begin Patch/);
  });
});

describe('the demo mind in the sample workspace', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'sample-'));
  });
  after(() => rm(folder, { recursive: true }));
  beforeEach(() => cp(sample, folder, { recursive: true, force: true }));

  /** Puts the files of a patch where the sample is, as a tool would that accepts everything. */
  async function apply(patch: string): Promise<void> {
    for (const { path: file, lines } of applyToKnown(sampleFiles(), patch)) {
      await writeFile(path.join(folder, file), `${lines.join('\n')}\n`);
    }
  }
  async function demo(): Promise<string> {
    return (await run(process.execPath, ['src/demo.ts'], { cwd: folder })).stdout;
  }

  it('repairs every check of the demo with one patch for three files', async () => {
    assert.match(await demo(), /WRONG/);
    const { patch } = said(think(user('Fix all bugs')));
    assert.equal(patch.match(/^\*\*\* Update File/gm)?.length, 3);
    assert.match(patch, /\n-def .*\n\+def .*\n {5}""".*\n\+ {4}if rows/);
    await apply(patch);
    assert.doesNotMatch(await demo(), /WRONG/);
    const report = await readFile(path.join(folder, 'report.py'), 'utf8');
    assert.match(report, /rows=None\):\n {4}""".*"""\n {4}if rows is None:\n {8}rows = \[\]\n/);
    assert.deepEqual(findMistakes(report.split('\n')), []);
  });

  it('moves the tax rate with one patch for three files and changes no number', async () => {
    const before = await demo();
    const { patch, words } = said(think(user('Keep the tax rate in one place')));
    assert.equal(patch.match(/^\*\*\* Update File/gm)?.length, 3);
    assert.match(words, /```ts/);
    await apply(patch);
    assert.equal(await demo(), before);
  });

  it('makes patches that follow each other', async () => {
    const fixed = said(think(user('Fix all bugs'))).patch;
    const call = { type: 'custom_tool_call', call_id: 'apply_patch:0', name: 'apply_patch', input: fixed };
    const output = { type: 'custom_tool_call_output', call_id: 'apply_patch:0', output: 'Accepted' };
    const history = [user('Fix all bugs'), call, output];
    const { patch } = said(think(...history, user('Keep the tax rate in one place')));
    const reading = readRequest({ index: 0, body: bodyOf(...history) });
    for (const { path: file, lines } of applyToKnown(knownFiles(reading), patch)) {
      await writeFile(path.join(folder, file), `${lines.join('\n')}\n`);
    }
    const told = await demo();
    assert.doesNotMatch(told, /WRONG/);
    assert.match(await readFile(path.join(folder, 'src/money.ts'), 'utf8'), /taxPercent = 19/);
  });

  it('adds tests that fail before the repair and pass after it', async () => {
    const tests = said(think(user('Write tests for the cart'))).patch;
    assert.match(tests, /^\*\*\* Add File: src\/cart\.test\.ts$/m);
    await apply(tests);
    const command = [
      process.execPath,
      ['--test', 'src/cart.test.ts'],
      { cwd: folder, env: ownEnvironment() },
    ] as const;
    await assert.rejects(run(...command));
    await apply(said(think(user('Fix all bugs'))).patch);
    assert.match((await run(...command)).stdout, /pass 4/);
  });

  it('has no mistakes to find in an empty patch', () => {
    assert.equal(patchText([]), '');
  });
});

describe('the demo mind behind the strict server', () => {
  let simulator: Simulator;
  before(async () => {
    simulator = await startSimulator({ mind: 'demo', pace: { tokensPerSecond: Infinity } });
  });
  after(() => simulator.close());

  it('holds a conversation: explain, fix, result', async () => {
    const body = { ...bodyOf(), tool_choice: 'auto' };
    const items: JsonObject[] = [user(await attach('src/cart.ts'), 'Why is the total wrong?')];
    const explained = outputOf(await ask(simulator.url, { ...body, input: items }));
    assert.deepEqual(
      explained.map(({ type }) => type),
      ['reasoning', 'message'],
    );
    assert.ok(Array.isArray(explained[0]?.['summary']) && explained[0]['summary'].length >= 3);
    items.push(...replayed(explained), user('Fix it'));
    const fixed = outputOf(await ask(simulator.url, { ...body, input: items }));
    assert.deepEqual(
      fixed.map(({ type }) => type),
      ['reasoning', 'message', 'custom_tool_call'],
    );
    items.push(...replayed(fixed), {
      type: 'custom_tool_call_output',
      call_id: 'apply_patch:0',
      output: 'Accepted',
    });
    const response = responseOf(await ask(simulator.url, { ...body, input: items }));
    assert.equal(response['status'], 'completed');
    const usage = response['usage'] as { input_tokens_details: { cached_tokens: number } };
    assert.ok(usage.input_tokens_details.cached_tokens > 0);
    assert.deepEqual(
      simulator.requests.map(({ violation }) => violation),
      [undefined, undefined, undefined],
    );
  });
});

/** The parts of each item that go back. */
function replayed(output: readonly JsonObject[]): readonly JsonObject[] {
  return output.map((item) => {
    if (item['type'] === 'reasoning') return { type: 'reasoning', id: item['id'], summary: item['summary'] };
    if (item['type'] !== 'message') return item;
    const parts = Array.isArray(item['content']) ? item['content'].filter(isJsonObject) : [];
    return {
      type: 'message',
      role: 'assistant',
      content: parts.map(({ type, text }) => ({ type, text })),
    };
  });
}

/** Node's test runner must not take itself for a part of the run that called it. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, NODE_V8_COVERAGE: ___, ...rest } = process.env;
  return rest;
}
