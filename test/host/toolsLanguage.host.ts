/** The reading tools that go through the editor's own extensions: its TypeScript, its git. And the loop that calls several at once. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import * as vscode from 'vscode';

import { readingTools } from '../../src/core/tools/readingTools.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import { ChatSession } from '../../src/host/sessions/session.ts';
import { turnTools } from '../../src/host/sessions/turnTools.ts';
import { workspaceReader } from '../../src/host/tools/workspaceReader.ts';
import { answer, functionCall, startSimulator, text } from '../simulator/main.ts';
import { newRepository } from '../support/gitIn.ts';
import { choice, clientAt, lastTurn, newLog, noKeys, parts, sessionPorts } from './chatStage.ts';
import { Stage } from './editsStage.ts';
import { callTool, readerOptions } from './toolsCalling.ts';

function toolsOver(...folders: readonly vscode.WorkspaceFolder[]): readonly Tool[] {
  const options = readerOptions();
  return readingTools(
    workspaceReader(folders.length === 0 ? options : { ...options, folders: () => folders }),
  );
}

async function done(tools: readonly Tool[], name: string, args: object): Promise<string> {
  const { kind, text: said } = await callTool(tools, name, args);
  assert.equal(kind, 'done', said);
  return said;
}

async function refused(tools: readonly Tool[], name: string, args: object): Promise<string> {
  const { kind, text: said } = await callTool(tools, name, args);
  assert.equal(kind, 'failed', said);
  return said;
}

describe('the reading tools in a TypeScript workspace', function () {
  this.timeout(120_000);
  let tools: readonly Tool[];
  const at = { path: 'src/receipt.ts', line: 0, symbol: 'rowTotal' };

  before(async () => {
    tools = toolsOver();
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(root);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(root, at.path));
    for (let line = 0; line < document.lineCount && at.line === 0; line += 1)
      if (document.lineAt(line).text.includes('rowTotal(')) at.line = line + 1;
    assert.ok(at.line > 0, 'the sample has changed');
    // While TypeScript loads the project it finds definitions in the file alone; references it tells only afterwards.
    await done(tools, 'find_references', at);
  });

  it('go to a definition', async () => {
    assert.match(
      await done(tools, 'go_to_definition', at),
      /^1 place:\nsrc\/cart\.ts:\d+: export function rowTotal\(item: CartItem, coupon\?: Coupon\): Cents \{$/,
    );
  });

  it('find references in all files', async () => {
    const found = await done(tools, 'find_references', at);
    assert.match(found, /\nsrc\/cart\.ts:\d+: export function rowTotal/);
    assert.match(found, /\nsrc\/cart\.ts:\d+: sum \+= rowTotal/);
    assert.match(found, /\nsrc\/receipt\.ts:\d+: /);
  });

  it('hover', async () => {
    const hover = await done(tools, 'hover', at);
    assert.match(hover, /rowTotal\(item: CartItem, coupon\?: Coupon\): Cents/);
    assert.match(hover, /What one row of the cart costs/);
  });

  it('list the symbols of a file, and find them in the workspace', async () => {
    const all = await done(tools, 'find_symbol', { path: 'src/cart.ts' });
    assert.match(all, /\nsrc\/cart\.ts:\d+ interface CartItem\n/);
    assert.match(all, /\nsrc\/cart\.ts:\d+ property price in CartItem\n/);
    assert.match(
      await done(tools, 'find_symbol', { path: 'src/cart.ts', query: 'TAX' }),
      /^1 symbol:\n.* function taxIn$/,
    );
    assert.match(await done(tools, 'find_symbol', { query: 'taxIn' }), /src\/cart\.ts:\d+ function taxIn/);
  });

  it('are called through the service, well and badly, and each result reaches it', async () => {
    const cases = [
      [functionCall('go_to_definition', at), /^1 place:\nsrc\/cart\.ts:\d+: export function rowTotal/],
      [functionCall('find_references', at), /\nsrc\/cart\.ts:\d+: sum \+= rowTotal/],
      [functionCall('hover', at), /What one row of the cart costs/],
      [functionCall('find_symbol', { path: 'src/cart.ts', query: 'TAX' }), / function taxIn$/],
      [functionCall('go_to_definition', { ...at, line: '1' }), /^"line" must be a whole number/],
      [functionCall('find_references', { ...at, symbol: 'nobody' }), /It stands nowhere in the file/],
      [functionCall('hover', { ...at, path: '../../x.ts' }), /is outside the workspace/],
      [functionCall('find_symbol', { name: 'taxIn' }), /There is no argument "name"/],
      [functionCall('git_diff', { path: null, staged: 'yes' }), /^"staged" must be/],
      [functionCall('git_diff', { path: null, staged: null }), /^The workspace is in no git repository/],
    ] as const;
    const log = newLog();
    const script = [answer(...cases.map(([call]) => call)), answer(text('Done.'))];
    const simulator = await startSimulator({ auth: 'optional', script });
    try {
      const session = new ChatSession(sessionPorts(clientAt(simulator.url, noKeys, log), log, tools));
      session.ask('What is rowTotal?', [], choice);
      await session.whenIdle();
      session.dispose();
      assert.deepEqual(simulator.violations, []);
      const input = simulator.requests.at(-1)?.body['input'] as { type: string; output?: string }[];
      const outputs = input.filter(({ type }) => type === 'function_call_output');
      assert.equal(outputs.length, cases.length);
      for (const [index, [call, wanted]] of cases.entries())
        assert.match(outputs[index]?.output ?? '', wanted, JSON.stringify(call));
    } finally {
      await simulator.close();
      log.dispose();
    }
  });

  it('show where a definition is outside, without its text', async () => {
    const stage = await Stage.open();
    try {
      await stage.write('m.ts', 'export const half = Math.round(0.5);\n');
      const path = stage.path('m.ts').relative;
      const found = await done(tools, 'go_to_definition', { path, line: 1, symbol: 'round' });
      assert.match(found, /lib\.es5\.d\.ts:\d+ \(outside the workspace\)$/m);
    } finally {
      await stage.close();
    }
  });

  it('say where the symbol is, when it is not in the line', async () => {
    const wrong = { ...at, line: 2 };
    assert.match(
      await refused(tools, 'hover', wrong),
      new RegExp(`not in this line of src/receipt\\.ts, .*\\nIt stands in lines .*\\b${at.line}\\b`),
    );
    assert.match(await refused(tools, 'hover', { ...at, symbol: 'rowTot' }), /It stands nowhere in the file/);
    assert.match(await refused(tools, 'hover', { ...at, line: 9_999 }), /has only \d+ lines/);
    assert.match(await refused(tools, 'hover', { ...at, path: 'src' }), /is a folder/);
  });

  it('tell the problems of a file, and of one without a tab that it may have some', async () => {
    const stage = await Stage.open();
    try {
      const uri = await stage.write('bad.ts', 'const count: number = "one";\nexport { count };\n');
      const path = stage.path('bad.ts').relative;
      assert.match(
        await done(tools, 'get_problems', { path }),
        /^(?:1 problem|No problems .* open in no editor)/,
      );
      const changed = new Promise<void>((resolve) => {
        const listener = vscode.languages.onDidChangeDiagnostics(() => {
          if (vscode.languages.getDiagnostics(uri).length === 0) return;
          listener.dispose();
          resolve();
        });
      });
      await vscode.window.showTextDocument(uri);
      if (vscode.languages.getDiagnostics(uri).length === 0) await changed;
      const found = await done(tools, 'get_problems', { path });
      assert.match(
        found,
        /^1 problem:\n.*bad\.ts:1:7 error \(ts 2322\): Type 'string' is not assignable to type 'number'\.$/,
      );
      // Of the whole workspace there may be more than are told: what other tests had in it is remembered.
      assert.match(
        await done(tools, 'get_problems', { errors_only: true }),
        /^\d+ errors?:\n[^]*(?:bad\.ts:1:7 error \(ts 2322\)|\n\[\d+ problems? left out: name a file\.\])/,
      );
    } finally {
      await stage.close();
    }
  });
});

describe('git_diff', function () {
  this.timeout(60_000);
  let stage: Stage;
  before(async () => {
    stage = await Stage.open();
  });
  after(() => stage.close());

  it('shows what changed, without what is ignored or outside the workspace', async () => {
    await stage.write('app/a.ts', 'one\n');
    await stage.write('app/b ä.ts', 'one\n');
    await stage.write('app/keys.txt', 'old\n');
    await stage.write('outside.ts', 'one\n');
    const git = newRepository(stage.folder);
    await stage.write('app/.kimiignore', 'keys.txt\n');
    for (const name of ['app/a.ts', 'app/b ä.ts', 'app/keys.txt', 'outside.ts'])
      await stage.write(name, 'secret or not\n');
    const tools = toolsOver({ name: 'app', uri: stage.uri('app'), index: 0 });
    const api = await vscode.extensions
      .getExtension<{
        getAPI(version: 1): { openRepository(root: vscode.Uri): Promise<unknown> };
      }>('vscode.git')
      ?.activate();
    assert.ok(api, 'the git extension is there');
    await api.getAPI(1).openRepository(vscode.Uri.file(stage.folder));
    const diff = await done(tools, 'git_diff', {});
    assert.match(diff, /^diff --git a\/app\/a\.ts b\/app\/a\.ts\n/);
    assert.match(diff, /\n-one\n\+secret or not\n/);
    assert.doesNotMatch(diff, /keys\.txt|outside\.ts/);
    assert.match(
      diff,
      /\n\nNew files that git does not know:\n\.kimiignore\n\n\[2 files left out: outside the workspace or ignored\]$/,
    );
    assert.doesNotMatch(await done(tools, 'git_diff', { path: 'a.ts' }), /b \S*\.ts/);
    assert.equal(await done(tools, 'git_diff', { staged: true }), 'No staged changes.');
    git('add', 'app/a.ts');
    assert.match(await done(tools, 'git_diff', { staged: true }), /a\/app\/a\.ts/);
    // Of one that was deleted a moment ago VS Code does not know it yet.
    await stage.write('app/gone/a.ts', 'one\n');
    newRepository(stage.onDisk('app/gone'));
    await api.getAPI(1).openRepository(stage.uri('app/gone'));
    await rm(stage.onDisk('app/gone'), { recursive: true });
    assert.match(await done(tools, 'git_diff', { staged: true }), /a\/app\/a\.ts/);
    const asked = await callTool(tools, 'git_diff', { path: 'keys.txt' }, undefined, () =>
      Promise.resolve({ kind: 'deny' }),
    );
    assert.equal(asked.kind, 'rejected');
    assert.match(asked.text, /does not allow you to read/);
  });
});

describe('the loop with reading tools', () => {
  it('runs calls side by side over ten rounds, answers each in order, and goes on after every fault', async () => {
    const stage = await Stage.open();
    const log = newLog();
    const round = [
      functionCall('search_text', { pattern: 'needle', path: stage.path('a.ts').relative }),
      functionCall('read_file', { path: stage.path('a.ts').relative, start_line: null, end_line: null }),
      functionCall('no_such_tool', { path: 'a.ts' }),
      functionCall('read_file', { path: 7 }),
      functionCall('read_file', '{"path":'),
      functionCall('list_files', { path: '../..', pattern: null }),
    ];
    const script = [...Array.from({ length: 10 }, () => answer(...round)), answer(text('Done.'))];
    const simulator = await startSimulator({ auth: 'optional', script });
    try {
      await stage.write('a.ts', 'needle\n');
      const ports = sessionPorts(clientAt(simulator.url, noKeys, log), log);
      const session = new ChatSession({
        ...ports,
        tools: () => turnTools({ trusted: true, folders: ['corner-shop'] }, [], toolsOver()),
      });
      session.ask('Look around.', [], choice);
      await session.whenIdle();
      assert.deepEqual(simulator.violations, []);
      assert.deepEqual(lastTurn(session).end?.kind, 'completed');
      assert.equal(parts(lastTurn(session)).length, 61);
      const input = simulator.requests.at(-1)?.body['input'] as {
        type: string;
        call_id?: string;
        output?: string;
      }[];
      const calls = input.filter(({ type }) => type === 'function_call').map(({ call_id: id }) => id);
      const outputs = input.filter(({ type }) => type === 'function_call_output');
      assert.deepEqual(
        outputs.map(({ call_id: id }) => id),
        calls,
      );
      assert.equal(outputs.length, 60);
      for (const [at, wanted] of [
        /^1 matching line in 1 file:/,
        /, lines 1 to 1 of 1:\n1\|needle$/,
        /^There is no tool "no_such_tool"\. Available: read_file, /,
        /^"path" must be a text of 1 to 4096 characters, not 7\.$/,
        /^The arguments of read_file are not valid JSON\./,
        /^\.\.\/\.\. is outside the workspace/,
      ].entries()) {
        for (let turn = 0; turn < 10; turn += 1) assert.match(outputs[turn * 6 + at]?.output ?? '', wanted);
      }
      session.dispose();
    } finally {
      await simulator.close();
      log.dispose();
      await stage.close();
    }
  });

  it('offers none in a workspace that is not trusted', () => {
    const { tools, facts } = turnTools({ trusted: false, folders: ['corner-shop'] }, [], toolsOver());
    assert.deepEqual([tools.length, facts.canRead], [0, false]);
  });
});
