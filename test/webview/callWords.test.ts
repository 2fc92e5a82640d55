/** What a tool call is called in the panel, and which neighbours become one line. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

import type { Part, ToolPart } from '../../src/core/conversation/conversation.ts';
import {
  callDetail,
  callKey,
  callKind,
  callText,
  inputText,
  toolName,
  type Call,
} from '../../src/webview/callWords.ts';
import { callState, groupsOf, isGoing } from '../../src/webview/partGroups.ts';
import { seed } from '../simulator/arbitraries.ts';

const call = (name: string, input: object | string = '', namespace?: string): Call => ({
  name,
  input: typeof input === 'string' ? input : JSON.stringify(input),
  ...(namespace !== undefined && { namespace }),
});
const read = (path: string): Call => call('read_file', { path });

describe('a call of a tool in words', () => {
  it('says what is done, and to what', () => {
    const said: readonly (readonly [Call, string, string])[] = [
      [read('src/cart.ts'), 'Reading cart.ts', 'Read cart.ts'],
      [call('list_files', { path: 'src/' }), 'Listing src', 'Listed src'],
      [call('search_text', { query: 'total' }), 'Searching for “total”', 'Searched for “total”'],
      [call('get_problems', { path: 'a.ts' }), 'Reading the problems of a.ts', 'Read the problems of a.ts'],
      [call('get_problems', {}), 'Reading the problems', 'Read the problems'],
      [call('find_symbol', { symbol: 'total' }), 'Looking up “total”', 'Looked up “total”'],
      [call('run_command', { command: 'npm test' }), 'Running npm test', 'Ran npm test'],
      [call('shell', { command: ['git', 'status'] }), 'Running git status', 'Ran git status'],
      [call('weather', { city: 'Bern' }), 'Calling weather', 'Called weather'],
    ];
    for (const [one, going, done] of said)
      assert.deepEqual([callText([one], 'going'), callText([one], 'done')], [going, done]);
  });

  it('says less while less is known, and never half a name', () => {
    for (const name of [
      'read_file',
      'list_files',
      'search_text',
      'find_symbol',
      'run_command',
      'get_problems',
    ]) {
      const whole = JSON.stringify({ path: 'src/cart.ts', query: 'q', symbol: 's', command: 'c' });
      for (let length = 0; length <= whole.length; length++) {
        const said = callText([call(name, whole.slice(0, length))], 'going');
        assert.match(
          said,
          /^(Reading a file|Reading cart\.ts|Listing files|Listing cart\.ts|Searching the files|Searching for “q”|Looking up a symbol|Looking up “[qs]”|Running a command|Running c|Reading the problems|Reading the problems of cart\.ts)$/,
        );
      }
    }
    assert.equal(callText([call('read_file', '{"path":"src/ca')], 'going'), 'Reading a file');
    assert.equal(callText([call('read_file', '{"path":""}')], 'done'), 'Read a file');
    assert.equal(callText([call('list_files', '{}')], 'done'), 'Listed files');
    assert.equal(callText([call('grep', '{}')], 'done'), 'Searched the files');
    assert.equal(callText([call('find_symbol', '{}')], 'done'), 'Looked up a symbol');
    assert.equal(callText([call('bash', '{}')], 'done'), 'Ran a command');
  });

  it('tells neighbours of a kind in one line, and counts many', () => {
    assert.equal(callText([read('a/cart.ts'), read('b\\tax.ts')], 'done'), 'Read cart.ts, tax.ts');
    assert.equal(callText([read('cart.ts'), read('cart.ts')], 'done'), 'Read cart.ts');
    assert.equal(callText([call('read_files', { paths: ['a', 'b'] })], 'going'), 'Reading a, b');
    const many = ['a', 'b', 'c', 'd'];
    assert.equal(callText(many.map(read), 'done'), 'Read 4 files');
    assert.equal(callText(many.map(read), 'going'), 'Reading 4 files');
    const all = (name: string, key: string): readonly string[] =>
      (['going', 'done'] as const).map((tense) =>
        callText(
          many.map((one) => call(name, { [key]: one })),
          tense,
        ),
      );
    assert.deepEqual(all('list_files', 'path'), ['Listing 4 folders', 'Listed 4 folders']);
    assert.deepEqual(all('grep', 'pattern'), ['Searching 4 times', 'Searched 4 times']);
    assert.deepEqual(all('find_symbol', 'name'), ['Looking up 4 symbols', 'Looked up 4 symbols']);
    assert.deepEqual(all('bash', 'cmd'), ['Running 4 commands', 'Ran 4 commands']);
    assert.deepEqual(all('weather', 'x'), ['Calling weather, 4 times', 'Called weather, 4 times']);
    assert.equal(callDetail(many.map(read)), 'a\nb\nc\nd');
    assert.equal(callDetail([call('weather', {})]), undefined);
    assert.equal(callDetail([]), undefined);
    assert.equal(callText([], 'done'), '');
  });

  it('takes no tool of somebody else’s for one of ours', () => {
    const foreign = call('read_file', { path: 'cart.ts' }, 'crm');
    assert.equal(callKind(foreign), 'other');
    assert.equal(callText([foreign], 'done'), 'Called read_file of crm');
    assert.equal(toolName(foreign), 'crm.read_file');
    assert.notEqual(callKey(foreign), callKey(read('cart.ts')));
    assert.notEqual(callKey(call('a')), callKey(call('b')));
    assert.equal(callKey(call('read', {})), callKey(read('x')));
  });

  it('says whose a tool is as the person was asked, also where the model left that out', () => {
    const request = {
      kind: 'foreignTool',
      owner: 'MCP server crm',
      name: 'search',
      description: '',
      input: '{}',
    } as const;
    const asked = { ...call('search', { query: 'tea' }), approvals: [{ id: '1', request, askedAt: 0 }] };
    for (const one of [asked, { ...asked, namespace: 'mcp_crm' }]) {
      assert.equal(callKind(one), 'other');
      const said = (count: number): readonly string[] =>
        (['going', 'done'] as const).map((tense) => callText(Array<Call>(count).fill(one), tense));
      assert.deepEqual(said(1), ['Calling search of MCP server crm', 'Called search of MCP server crm']);
      assert.deepEqual(said(2), [
        'Calling search of MCP server crm, 2 times',
        'Called search of MCP server crm, 2 times',
      ]);
    }
    const command = { kind: 'command', command: 'ls', folder: '/', seconds: 1 } as const;
    const ours = {
      ...call('run_command', { command: 'ls' }),
      approvals: [{ id: '1', request: command, askedAt: 0 }],
    };
    assert.equal(callText([ours], 'done'), 'Ran ls');
  });

  it('shows what is invisible, and cuts long names at whole characters', () => {
    assert.equal(callText([read('a\u202ets.trac')], 'done'), 'Read a‹U+202E›ts.trac');
    assert.equal(callText([call('')], 'done'), 'Called a tool without a name');
    const family = '👩‍👩‍👧‍👦';
    const long = callText([call('grep', { query: family.repeat(100) })], 'going');
    assert.equal(long, `Searching for “${family.repeat(40)}…”`);
    assert.ok(callText([call('x'.repeat(10_000))], 'done').length < 100);
  });

  it('never fails, whatever comes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('read_file', 'bash', 'grep', 'x'),
        fc.string({ maxLength: 200 }),
        (name, input) => {
          assert.notEqual(callText([call(name, input)], 'going'), '');
        },
      ),
      { seed },
    );
    // Megabytes of a file that is written are not looked through.
    assert.equal(
      callText([call('read_file', `{"x":"${'y'.repeat(5_000_000)}","path":"a"}`)], 'done'),
      'Read a file',
    );
  });
});

describe('lines of a turn', () => {
  const tool = (id: string, name: string, more: Partial<ToolPart> = {}): ToolPart => ({
    kind: 'tool',
    id,
    name,
    input: '{}',
    openedAt: 0,
    ...more,
  });
  const answer: Part = { kind: 'answer', id: 'a', sections: ['x'], openedAt: 0 };
  const shape = (parts: readonly Part[]): readonly string[] =>
    groupsOf(parts, false).map((group) =>
      group.kind === 'calls' ? group.calls.map(({ id }) => id).join('+') : `${group.kind} ${group.part.id}`,
    );

  it('are one for neighbouring calls of a kind', () => {
    assert.deepEqual(
      shape([
        tool('1', 'read_file'),
        tool('2', 'read'),
        tool('3', 'grep'),
        answer,
        tool('4', 'grep'),
        tool('5', 'x'),
        tool('6', 'y'),
      ]),
      ['1+2', '3', 'part a', '4', '5', '6'],
    );
    assert.deepEqual(shape([tool('1', 'apply_patch'), tool('2', 'apply_patch')]), ['patch 1', 'patch 2']);
    assert.deepEqual(shape([]), []);
  });

  it('say how each call stands', () => {
    const outcome = (kind: 'done' | 'failed' | 'rejected' | 'cancelled' | 'undecided'): ToolPart =>
      tool('1', 'x', { outcome: { kind, text: '' } });
    assert.equal(callState(tool('1', 'x'), false), 'preparing');
    assert.equal(callState(tool('1', 'x', { askedAt: 1 }), false), 'running');
    assert.equal(callState(tool('1', 'x', { askedAt: 1 }), true), 'cutOff');
    assert.equal(callState(outcome('cancelled'), true), 'stopped');
    for (const kind of ['done', 'failed', 'rejected', 'undecided'] as const)
      assert.equal(callState(outcome(kind), true), kind);
    assert.deepEqual([isGoing('preparing'), isGoing('running'), isGoing('done')], [true, true, false]);
  });
});

describe('what went into a call', () => {
  it('is JSON on lines of its own, or the text as it came', () => {
    assert.equal(inputText('{"a":[1]}'), '{\n  "a": [\n    1\n  ]\n}');
    for (const text of ['*** Begin Patch', '{"a":', '']) assert.equal(inputText(text), text);
  });

  it('stays as it came when it is nested so deep that lines of its own would be nearly all blanks, or fail', () => {
    for (const levels of [1_000, 5_000, 200_000]) {
      const deep = '['.repeat(levels) + ']'.repeat(levels);
      assert.equal(inputText(deep), deep);
    }
  });
});
