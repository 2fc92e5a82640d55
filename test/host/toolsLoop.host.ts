/** The loop over the real client, real files and real tools: each tool called well and badly, and what the service is told of it. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';

import type { Approval } from '../../src/core/conversation/approval.ts';
import { applyPatchTool } from '../../src/core/tools/applyPatch.ts';
import { runCommandTool } from '../../src/core/tools/runCommand.ts';
import { readingTools } from '../../src/core/tools/readingTools.ts';
import { ChatSession, type SessionPorts } from '../../src/host/sessions/session.ts';
import type { Log } from '../../src/host/log.ts';
import { AllowedCommands } from '../../src/host/terminal/allowedCommands.ts';
import { commandRunner } from '../../src/host/terminal/commandRunner.ts';
import { Terminals } from '../../src/host/terminal/terminals.ts';
import { workspaceReader } from '../../src/host/tools/workspaceReader.ts';
import {
  answer,
  applyPatch,
  functionCall,
  gate,
  parallel,
  reasoning,
  startSimulator,
  text,
  webSearch,
  type Item,
  type ReceivedRequest,
  type Script,
  type Simulator,
} from '../simulator/main.ts';
import { choice, clientAt, hostContext, lastTurn, newLog, noKeys, parts, sessionPorts } from './chatStage.ts';
import { Stage } from './editsStage.ts';
import { readerOptions } from './toolsCalling.ts';

describe('the loop', () => {
  let stage: Stage;
  let log: Log;
  let simulator: Simulator;
  let session: ChatSession;
  let terminals: Terminals;
  /** What the person was asked; they allow nothing. */
  let asked: Approval['request'][];

  beforeEach(async () => {
    stage = await Stage.open();
    log = newLog();
    asked = [];
    terminals = new Terminals();
  });
  afterEach(async () => {
    session.dispose();
    terminals.dispose();
    assert.deepEqual(simulator.violations, []);
    assert.equal(simulator.repliesLeft, 0, 'replies that no request has used');
    await simulator.close();
    log.dispose();
    await stage.close();
  });

  const open = async (script: Script, more: Partial<SessionPorts> = {}): Promise<void> => {
    simulator = await startSimulator({ auth: 'optional', script });
    const folder = { name: 'shop', uri: vscode.Uri.file(stage.folder), index: 0 };
    const reading = readingTools(workspaceReader({ ...readerOptions(), folders: () => [folder] }));
    const patching = applyPatchTool(stage.review.files, stage.review.review);
    let later = 0;
    const { workspaceState } = await hostContext();
    const allowed = new AllowedCommands(workspaceState);
    const running = runCommandTool(
      commandRunner({ settings: { runCommands: true }, allowed, terminals }),
      'a shell',
    );
    const tools = [patching, ...reading, running];
    const ports = sessionPorts(clientAt(simulator.url, noKeys, log), log, tools);
    session = new ChatSession({ ...ports, clock: () => Date.now() + later, ...more });
    session.onDidHappen((event) => {
      if (event.kind !== 'approvalAsked') return;
      asked.push(event.approval.request);
      // Nobody answers in the moment in which the question comes.
      queueMicrotask(() => {
        later += 1_000;
        session.answer(event.approval.id, { kind: 'deny' });
      });
    });
  };

  /** The results that a request carries beyond those of the one before it, in their order. */
  const told = (index: number): readonly string[] => {
    const before = index === 0 ? 0 : outputs(simulator.requests[index - 1]).length;
    return outputs(simulator.requests[index]).slice(before);
  };

  it('answers every call, good or bad, in the order in which they came', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'kimi-outside-'));
    try {
      await writeFile(join(outside, 'secret.txt'), 'secret of the machine');
      await symlink(outside, stage.onDisk('out'));
      await symlink(join(outside, 'secret.txt'), stage.onDisk('out.txt'));
      await stage.write('src/cart.ts', 'export const total = 1;\nconsole.log(total);\n');
      await stage.write('long.txt', 'word '.repeat(400) + '\n' + 'y'.repeat(1_000_000));
      await stage.write('many.txt', Array.from({ length: 30_000 }, (_, at) => `line ${at}`).join('\n'));
      await stage.write('picture.png', Buffer.from([0x89, 0x50, 0, 0, 1]));
      await stage.write('sparse.log', 'x');
      await truncate(stage.onDisk('sparse.log'), 2 ** 30);
      await stage.write('$(touch owned); `id` & rm -rf .txt', 'only a name');
      await stage.write('two\nlines.txt', 'needle');
      await stage.write('.env', 'TOKEN=needle');
      await stage.write('gone.txt', 'needle, for now');
      const cases: readonly (readonly [Item, RegExp])[] = [
        // Well.
        [
          functionCall('read_file', { path: 'src/cart.ts', start_line: 2, end_line: 2 }),
          /\n2\|console\.log\(total\);$/,
        ],
        [functionCall('list_files', { path: 'src', pattern: null }), /^1 file in src:\nsrc\/cart\.ts$/],
        [functionCall('search_text', { pattern: 'total\\b', path: 'src' }), /^2 matching lines in 1 file:/],
        [functionCall('get_problems', { path: 'src/cart.ts' }), /problems/],
        [functionCall('open_editors', {}), /open/],
        [functionCall('read_file', { path: '$(touch owned); `id` & rm -rf .txt' }), /\n1\|only a name$/],
        // Of no tool, or of none that is meant.
        [
          functionCall('delete_everything', {}),
          /^There is no tool "delete_everything"\. Available: apply_patch, read_file,/,
        ],
        [
          functionCall('read_file', { path: 'src/cart.ts' }, 'nowhere'),
          /^There is no tool "read_file" in namespace "nowhere"/,
        ],
        [functionCall('constructor', {}), /^There is no tool "constructor"/],
        // With arguments that are none.
        [functionCall('read_file', '{"path": "src/cart.ts"'), /not valid JSON\. Nothing was done\./],
        [functionCall('read_file', '["src/cart.ts"]'), /must be a JSON object\. It takes "path"/],
        [
          functionCall('read_file', { path: 7, start_line: 'first' }),
          /"path" must be a text.*not 7\. "start_line" must be a whole number.*not "first"\./,
        ],
        [functionCall('read_file', {}), /"path" must be a text.* and is missing\./],
        [
          functionCall('list_files', { path: null, recursive: true }),
          /There is no argument "recursive"\. It takes "path", "pattern"\./,
        ],
        [
          functionCall('read_file', { path: 'src/cart.ts', start_line: 99, end_line: null }),
          /has only \d lines, so there is no line 99/,
        ],
        [functionCall('search_text', { pattern: '(' }), /no regular expression/],
        [functionCall('list_files', { path: 'src/cart.ts', pattern: null }), /is a file, not a folder/],
        [functionCall('find_symbol', { query: null, path: null }), /Give a query, a path or both/],
        [
          functionCall('go_to_definition', { path: 'src/cart.ts', line: 50, symbol: 'total' }),
          /has only \d lines/,
        ],
        [
          functionCall('hover', { path: 'src/cart.ts', line: 2, symbol: 'none' }),
          /The symbol is not in this line/,
        ],
        [functionCall('find_references', { path: 'none.ts', line: 1, symbol: 'x' }), /There is no none\.ts/],
        // Out of the workspace, whatever it is called.
        [functionCall('read_file', { path: '../../../../etc/passwd' }), notRead],
        [functionCall('read_file', { path: '/etc/passwd' }), notRead],
        [functionCall('read_file', { path: 'src/../../../x' }), notRead],
        [
          functionCall('read_file', { path: 'C:\\Windows\\win.ini' }),
          /There is no|outside the workspace|no path/,
        ],
        [functionCall('read_file', { path: '%2e%2e/%2e%2e/etc/passwd' }), /There is no/],
        [functionCall('read_file', { path: 'a\0b' }), /is no path of a file/],
        [functionCall('read_file', { path: 'two\nlines.txt' }), /is no path of a file/],
        [functionCall('read_file', { path: 'out.txt' }), notRead],
        [functionCall('read_file', { path: 'out/secret.txt' }), notRead],
        [
          functionCall('read_file', { path: '.git/config' }),
          /belongs to git itself|There is no|does not allow/,
        ],
        [functionCall('read_file', { path: '.env' }), /kept from being read|does not allow/],
        [functionCall('list_files', { path: 'out', pattern: null }), notRead],
        [functionCall('search_text', { pattern: 'secret' }), /^No matches\./],
        // Too much, and what is no text.
        [
          functionCall('read_file', { path: 'many.txt', start_line: null, end_line: null }),
          /\n\[Lines 2001 to 30000 were left out: go on with start_line 2001\.\]$/,
        ],
        [functionCall('read_file', { path: 'long.txt' }), /more characters in this line\]$/],
        [functionCall('read_file', { path: 'picture.png' }), /binary file \(5 bytes\)/],
        [functionCall('read_file', { path: 'sparse.log' }), /too large to be read: 1 GB/],
        [
          functionCall('search_text', { pattern: 'line \\d+', path: 'many.txt' }),
          /There are more: search more narrowly/,
        ],
        [functionCall('search_text', { pattern: 'needle' }), /\n"two\\nlines\.txt"\n {2}1: needle$/],
        // What runs only when the person allows it, and is no command at all.
        [
          functionCall('run_command', { command: 'touch owned # `id`' }),
          /did not allow it\. .*Nothing was run\.$/,
        ],
        [functionCall('run_command', { command: 'ls\nrm -rf .' }), /has a line break in it/],
        [functionCall('run_command', { command: 'ls\u0003' }), /has a control character in it/],
        [
          functionCall('run_command', { command: ['ls'], seconds: -1 }),
          /"command" must be a text.*"seconds" must be/,
        ],
        [functionCall('run_command', { command: 'ls', folder: '/etc' }), /^Nothing was run\. .*\/etc/],
        // Gone before it was read.
        [functionCall('read_file', { path: 'gone.txt' }), /There is no gone\.txt/],
        // No patch, or none that fits.
        [applyPatch('Please change the file.'), /Begin Patch/],
        [applyPatch(patchOf('../outside.txt', '-a\n+b')), /outside\.txt/],
        [applyPatch(patchOf('src/none.ts', '-a\n+b')), /src\/none\.ts/],
        [applyPatch(patchOf('src/cart.ts', '-not there\n+b')), /src\/cart\.ts/],
      ];
      await open([
        answer(reasoning('All of it.'), parallel(...cases.map(([item]) => item)), gate('called')),
        answer(text('Done.')),
      ]);
      session.ask('Try everything.', [], choice);
      await simulator.reached('called');
      await rm(stage.onDisk('gone.txt'));
      simulator.open('called');
      await session.whenIdle();

      assert.deepEqual(lastTurn(session).end, { kind: 'completed' });
      const results = told(1);
      assert.equal(results.length, cases.length);
      for (const [index, [item, wanted]] of cases.entries()) {
        const said = results[index] ?? '';
        assert.match(
          said,
          wanted,
          `${index}: ${JSON.stringify(item)}\n${said.slice(0, 300)} … ${said.slice(-300)}`,
        );
        assert.ok(said.length <= 48_200, `${index} has ${said.length} characters`);
        assert.doesNotMatch(said, /secret of the machine|root:|TOKEN/);
      }
      assert.equal(await stage.disk('owned'), undefined, 'no name is a command');
      const commands = asked.flatMap((request) => (request.kind === 'command' ? [request.command] : []));
      assert.deepEqual(commands, ['touch owned # `id`'], 'whole, and nothing else');
      // All of it stands in the conversation as well.
      const shown = lastTurn(session).parts.flatMap((part) => (part.kind === 'tool' ? [part] : []));
      assert.deepEqual(
        shown.map(({ outcome }) => outcome?.text),
        results,
      );
    } finally {
      await rm(outside, { recursive: true });
    }
  });

  it('stops at its limit with every call answered, and goes on when the person says so', async () => {
    await stage.write('a.txt', 'text');
    const again = answer(functionCall('read_file', { path: 'a.txt' }));
    await open([again, again, again, answer(text('Enough.'))]);
    session.ask('Read it again and again.', [], { ...choice, maxRounds: 2 });
    await session.whenIdle();
    const turn = lastTurn(session);
    assert.deepEqual(turn.end, { kind: 'failed', failure: { kind: 'tooManyRounds', rounds: 2 } });
    assert.equal(simulator.requests.length, 2);

    assert.equal(session.resume(turn.id, { ...choice, maxRounds: 2 }), true);
    await session.whenIdle();
    assert.deepEqual(lastTurn(session).end, { kind: 'completed' });
    assert.deepEqual(parts(lastTurn(session)), [
      'tool read_file',
      'tool read_file',
      'tool read_file',
      'answer: Enough.',
    ]);
    assert.equal(outputs(simulator.requests[3]).length, 3);
    assert.ok(
      lastTurn(session)
        .requests.slice(1)
        .every(({ beginning }) => beginning.kind === 'grown'),
    );
  });

  it('has the web searched only where it is switched on, each conversation for itself', async () => {
    const scope = { domains: ['nodejs.org'] };
    const source = { url: 'https://nodejs.org/api/fs.html', title: 'File system' };
    const image = {
      type: 'image_result',
      image_url: 'https://nodejs.org/logo.png',
      source_website_url: source.url,
    };
    await open(
      [
        answer(text('Off.')),
        answer(webSearch('node fs', [source], [image]), reasoning('Found.'), text('On.')),
        answer(functionCall('open_editors', {})),
        answer(text('Still on.')),
        answer(text('Off again.')),
      ],
      { webSearch: () => ({ on: false, scope }) },
    );
    const ask = async (question: string): Promise<void> => {
      session.ask(question, [], choice);
      await session.whenIdle();
    };
    await ask('Without?');
    assert.equal(session.webSearchDiffers, false);
    session.webSearch = true;
    assert.equal(session.webSearchDiffers, true, 'the cache is lost');
    await ask('With?');
    assert.equal(session.webSearchDiffers, false);
    await ask('Still?');
    session.webSearch = false;
    await ask('Without again?');

    const declared = simulator.requests.map(({ body }) => (body['tools'] as readonly object[]).at(-1));
    const search = {
      type: 'web_search',
      filters: { allowed_domains: ['nodejs.org'] },
      search_content_types: ['text', 'image'],
    };
    assert.notDeepEqual(declared[0], search);
    assert.deepEqual(declared.slice(1, 4), [search, search, search]);
    assert.notDeepEqual(declared[4], search);
    assert.deepEqual(
      simulator.requests.map(({ body }) => body['include']),
      [
        undefined,
        ...Array.from({ length: 3 }, () => ['web_search_call.action.sources', 'web_search_call.results']),
        undefined,
      ],
    );
    const [, found] = session.conversation.turns.map((turn) =>
      turn.parts.find(({ kind }) => kind === 'search'),
    );
    assert.ok(found?.kind === 'search');
    assert.deepEqual(found.search.sources, [source]);
    assert.deepEqual(found.search.images, [{ url: image.image_url, page: source.url }]);
    // What was searched stays in the conversation, without what was found.
    const sent = simulator.requests[4]?.body['input'] as readonly { readonly type: string }[] | undefined;
    const kept = sent?.filter(({ type }) => type === 'web_search_call') ?? [];
    assert.equal(kept.length, 1);
    assert.doesNotMatch(JSON.stringify(kept), /nodejs\.org/);
    assert.deepEqual(
      session.conversation.turns.map(({ requests }) => requests[0]?.beginning.kind),
      ['first', 'changed', 'grown', 'changed'],
    );
  });

  it('settles with the first question whether the web is searched, and takes the choice into branches', async () => {
    let on = true;
    await open([answer(text('On.')), answer(text('Still on.'))], {
      webSearch: () => ({ on, scope: { domains: [] } }),
    });
    session.ask('First?', [], choice);
    await session.whenIdle();
    on = false;
    assert.equal(session.webSearch, true, 'the default is for conversations that have not begun');
    assert.equal(session.seed(lastTurn(session).id, 'fork')?.webSearch, true);
    session.ask('Second?', [], choice);
    await session.whenIdle();
    assert.deepEqual(
      simulator.requests.map(({ body }) => Object.hasOwn(body, 'include')),
      [true, true],
    );
  });

  it('never searches everywhere when the sites can’t be read', async () => {
    await open([answer(text('Not searched.'))], { webSearch: () => ({ on: true, scope: undefined }) });
    session.ask('Search?', [], choice);
    await session.whenIdle();
    assert.doesNotMatch(simulator.requests[0]?.bodyText ?? '', /web_search/);
  });
});

/** Whoever was asked did not allow it, and where nobody can be asked it is not read either. */
const notRead = /outside the workspace|leads out of the workspace|does not allow you to read/;

function patchOf(path: string, lines: string): string {
  return `*** Begin Patch\n*** Update File: ${path}\n@@\n${lines}\n*** End Patch`;
}

function outputs(request: ReceivedRequest | undefined): readonly string[] {
  const items = request?.body['input'] as readonly { readonly type: string; readonly output: string }[];
  return items.flatMap(({ type, output }) => (type.endsWith('_output') ? [output] : []));
}
