/**
 * The Codex command line against the simulator: a client written by others that speaks the same dialect and has the same tool. It
 * runs in a folder of its own, knows only the simulator, and everything beyond loopback is led into a dead end.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { fetchCodex } from '../run/fetchCodex.ts';
import { demoMind } from '../simulator/demoMind/demoMind.ts';
import {
  answer,
  applyPatch,
  endEarly,
  gate,
  incomplete,
  reasoning,
  startSimulator,
  text,
  type Piece,
  type Simulator,
} from '../simulator/main.ts';
import * as order from '../simulator/validate/order.ts';
import { objectOf, type JsonObject } from '../simulator/wire.ts';

const run = promisify(execFile);

describe('the Codex command line', () => {
  let binary: string;
  let folder: string;
  let simulator: Simulator;

  before(async function () {
    // The first run brings it from npm.
    this.timeout(600_000);
    binary = await fetchCodex();
  });
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'codex-')));
    await mkdir(path.join(folder, 'home'));
    await mkdir(path.join(folder, 'work'));
    simulator = await startSimulator({ mode: 'lenient', key: 'sk-simulator' });
  });
  afterEach(async () => {
    await simulator.close();
    await rm(folder, { recursive: true, force: true });
  });

  const inWork = (...names: readonly string[]) => path.join(folder, 'work', ...names);

  interface Told {
    readonly code: number | null;
    readonly events: readonly JsonObject[];
    readonly everything: string;
  }

  async function codex(prompt: string): Promise<Told> {
    const provider = `{name="simulator",base_url="${simulator.url}/v1",env_key="SIMULATOR_KEY",wire_api="responses",request_max_retries=0,stream_max_retries=0}`;
    const child = spawn(
      binary,
      [
        ...['exec', '--json', '--skip-git-repo-check', '-s', 'danger-full-access', '-m', 'gpt-5.5'],
        ...['-c', 'model_provider=simulator', '-c', `model_providers.simulator=${provider}`],
        ...['-c', 'analytics.enabled=false'],
        prompt,
      ],
      { cwd: inWork(), env: environment(), stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let output = '';
    let complaints = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaints += chunk));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    const events = output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => objectOf(JSON.parse(line)));
    return { code, events, everything: output + complaints };
  }

  function environment(): NodeJS.ProcessEnv {
    const home = path.join(folder, 'home');
    const deadEnd = 'http://127.0.0.1:9';
    return {
      ...pick(process.env, ['PATH', 'SystemRoot', 'TEMP', 'TMP']),
      HOME: home,
      USERPROFILE: home,
      CODEX_HOME: home,
      SIMULATOR_KEY: simulator.key,
      HTTP_PROXY: deadEnd,
      HTTPS_PROXY: deadEnd,
      ALL_PROXY: deadEnd,
      NO_PROXY: '127.0.0.1,localhost',
    };
  }

  function inputOf(index: number): readonly JsonObject[] {
    const input = simulator.requests[index]?.body['input'];
    assert.ok(Array.isArray(input));
    return input.map(objectOf);
  }

  it('declares the custom tool, changes files with it, and sends everything back', async () => {
    await writeFile(inWork('list.txt'), 'one\ntwo\nthree\n');
    const patch =
      '*** Begin Patch\n*** Add File: new/hello.txt\n+hello 你好\n*** Update File: list.txt\n@@\n one\n-two\n+2\n three\n*** End Patch\n';
    simulator.reply(
      answer(reasoning('Two files.', 'One is new.'), text('I will.'), applyPatch(patch)),
      answer(reasoning('Both are there.'), text('Done: two files.')),
    );
    const { code, events, everything } = await codex('Add hello.txt and change list.txt');
    assert.equal(code, 0, everything);
    assert.equal(await readFile(inWork('new/hello.txt'), 'utf8'), 'hello 你好\n');
    assert.equal(await readFile(inWork('list.txt'), 'utf8'), 'one\n2\nthree\n');
    const messages = events
      .map((event) => objectOf(event['item']))
      .filter(({ type }) => type === 'agent_message');
    assert.equal(messages.at(-1)?.['text'], 'Done: two files.');

    const tools = simulator.requests[0]?.body['tools'];
    assert.ok(Array.isArray(tools));
    const declared = tools.map(objectOf).find(({ name }) => name === 'apply_patch');
    assert.equal(declared?.['type'], 'custom');
    assert.match(String(objectOf(declared['format'])['definition']), /^start\s*:/m);

    const sentBack = inputOf(1).slice(-4);
    assert.deepEqual(
      sentBack.map(({ type }) => type),
      ['reasoning', 'message', 'custom_tool_call', 'custom_tool_call_output'],
    );
    assert.equal(sentBack[2]?.['input'], patch);
    assert.equal(sentBack[2]?.['call_id'], 'apply_patch:0');
    assert.match(String(sentBack[3]?.['output']), /Success/);
  });

  it('keeps to the order the strict mode asks for', async () => {
    const add = (name: string) => `*** Begin Patch\n*** Add File: ${name}\n+x\n*** End Patch\n`;
    simulator.reply(
      answer(reasoning('First.'), applyPatch(add('a.txt'))),
      answer(reasoning('Second.'), applyPatch(add('b.txt')), applyPatch(add('c.txt'))),
      answer(reasoning('That was all.'), text('Done.')),
    );
    const { code, everything } = await codex('Add three files');
    assert.equal(code, 0, everything);
    assert.equal(simulator.requests.length, 3);
    for (const { body } of simulator.requests) {
      for (const [name, rule] of Object.entries(order)) assert.deepEqual([...rule(body)], [], name);
    }
  });

  it('counts the tokens it was told', async () => {
    simulator.reply(answer(reasoning('Hm.'), text('Hello')), answer(text('unused')));
    const { events } = await codex('Say hello');
    const usage = objectOf(events.find(({ type }) => type === 'turn.completed')?.['usage']);
    const response = objectOf(simulator.requests[0]?.events.at(-1)?.['response']);
    const sent = objectOf(response['usage']);
    assert.equal(usage['input_tokens'], sent['input_tokens']);
    assert.equal(usage['output_tokens'], sent['output_tokens']);
    assert.equal(usage['cached_input_tokens'], objectOf(sent['input_tokens_details'])['cached_tokens']);
  });

  it('fails on an answer that ends early or is incomplete', async () => {
    for (const reply of [answer(text('Half', endEarly)), answer(text('Half', incomplete()))]) {
      simulator.reply(reply);
      const { code, events } = await codex('Say hello');
      assert.notEqual(code, 0);
      assert.ok(events.some(({ type }) => type === 'turn.failed'));
    }
  });

  it('waits at a gate in the middle of a patch and changes nothing until it is whole', async () => {
    simulator.reply(
      answer(
        reasoning('Slowly.'),
        applyPatch('*** Begin Patch\n*** Add File: late.txt\n', gate('half'), '+late\n*** End Patch\n'),
      ),
      answer(reasoning('There.'), text('Done.')),
    );
    const running = codex('Add late.txt');
    await simulator.reached('half');
    await assert.rejects(readFile(inWork('late.txt')), { code: 'ENOENT' });
    simulator.open('half');
    assert.equal((await running).code, 0);
    assert.equal(await readFile(inWork('late.txt'), 'utf8'), 'late\n');
  });

  describe('as a patch engine for the demo mind', () => {
    beforeEach(async () => {
      await cp(new URL('../sample/', import.meta.url), inWork(), { recursive: true });
      await symlink(binary, path.join(folder, 'apply_patch'));
    });

    async function apply(patch: string): Promise<void> {
      await run(path.join(folder, 'apply_patch'), [patch], { cwd: inWork(), env: environment() });
    }
    async function demo(): Promise<string> {
      return (await run(process.execPath, ['src/demo.ts'], { cwd: inWork() })).stdout;
    }

    it('applies its repairs, after which every check of the demo is right', async () => {
      assert.match(await demo(), /WRONG/);
      await apply(patchFor('Fix all bugs'));
      assert.doesNotMatch(await demo(), /WRONG/);
    });

    it('applies the patch for three files and the one that adds a file', async () => {
      const before = await demo();
      await apply(patchFor('Keep the tax rate in one place'));
      assert.equal(await demo(), before);
      await apply(patchFor('Write tests for the cart'));
      assert.match(await readFile(inWork('src/cart.test.ts'), 'utf8'), /node:test/);
    });
  });
});

/** The patch the demo mind proposes for a question without attachments. */
function patchFor(question: string): string {
  const body = { input: question, tools: [{ type: 'custom', name: 'apply_patch' }] };
  const call = demoMind({ index: 0, body }).steps.find((step) => step.kind === 'customCall');
  const pieces: readonly Piece[] = call?.kind === 'customCall' ? call.pieces : [];
  return pieces.filter((piece) => typeof piece === 'string').join('');
}

function pick(from: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}
