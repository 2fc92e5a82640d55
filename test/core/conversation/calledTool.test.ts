/** Which tool a call means that names a namespace, or leaves it out, or makes one name of both. */
import assert from 'node:assert/strict';

import { calledTool } from '../../../src/core/conversation/calledTool.ts';
import type { Tool } from '../../../src/core/tools/tool.ts';

function tool(name: string, namespace?: string): Tool {
  return {
    declaration: { type: 'function', name, description: '', parameters: {}, strict: true },
    ...(namespace !== undefined && { namespace: { name: namespace, description: '' } }),
    run: () => Promise.reject(new Error('not run')),
  };
}

const readFile = tool('read_file');
const time = tool('now', 'mcp_time');
const shopSearch = tool('search', 'shop');
const docsSearch = tool('search', 'docs');
const tools = [readFile, time, shopSearch, docsSearch];

function found(name: string, namespace?: string, among: readonly Tool[] = tools): Tool {
  const called = calledTool(among, name, namespace);
  assert.ok(called.ok, `${name} in ${namespace ?? 'none'}`);
  return called.value;
}

function refused(name: string, namespace?: string, among: readonly Tool[] = tools): string {
  const called = calledTool(among, name, namespace);
  assert.ok(!called.ok, `${name} in ${namespace ?? 'none'}`);
  return called.error;
}

describe('the tool that a call means', () => {
  it('is that of its namespace and name', () => {
    assert.equal(found('read_file'), readFile);
    assert.equal(found('now', 'mcp_time'), time);
    assert.equal(found('search', 'docs'), docsSearch);
  });

  it('is the only one of that bare name, or of both names in one', () => {
    for (const name of [
      'now',
      'mcp_time__now',
      'mcp_time.now',
      'mcp_time/now',
      'mcp_time:now',
      'mcp_time_now',
    ])
      assert.equal(found(name), time, name);
    assert.equal(found('shop.search'), shopSearch);
  });

  it('is one of ours before any in a namespace', () => {
    const other = tool('read_file', 'shop');
    assert.equal(found('read_file', undefined, [other, readFile]), readFile);
  });

  it('is none when several could be meant, and the model hears which', () => {
    assert.equal(
      refused('search'),
      '"search" could be several tools: "search" in namespace "shop", "search" in namespace "docs". Nothing was done. Call again, with the namespace.',
    );
    assert.match(
      refused('a_b_c', undefined, [tool('b_c', 'a'), tool('c', 'a_b')]),
      /^"a_b_c" could be several tools: "b_c" in namespace "a", "c" in namespace "a_b"\./,
    );
  });

  it('is none in another namespace than the call names', () => {
    assert.equal(
      refused('read_file', 'functions'),
      'There is no tool "read_file" in namespace "functions". Available: read_file; in namespace "mcp_time": now; in namespace "shop": search; in namespace "docs": search.',
    );
    assert.equal(
      refused('later', 'mcp_time'),
      'There is no tool "later" in namespace "mcp_time". It has: now.',
    );
  });

  it('is none of a name that nobody has, nor of one that is only glued from pieces of another', () => {
    assert.match(refused('write_file'), /^There is no tool "write_file"\. Available: read_file; /);
    for (const name of ['mcp_timenow', 'mcp_time___now', 'mcp_time', 'mcp_time__now__', ''])
      assert.match(refused(name), /^There is no tool /, name);
    assert.equal(refused('execexec', undefined, [tool('exec', 'exec')]).startsWith('There is no'), true);
    assert.equal(refused('x', undefined, []), 'There is no tool "x". No tools are available.');
  });

  it('is named among no more than sixty of a place', () => {
    const many = Array.from({ length: 62 }, (_, index) => tool(`t${index}`, 'n'));
    assert.match(refused('x', 'n', many), / t58, t59 and 2 more\.$/);
  });
});
