/** Which tools a conversation goes on being offered. */
import assert from 'node:assert/strict';

import type { Tool } from '../../../src/core/tools/tool.ts';
import { withEarlier } from '../../../src/host/sessions/earlierTools.ts';

function tool(name: string, namespace?: string): Tool {
  return {
    declaration: { type: 'function', name, description: '', parameters: {}, strict: true },
    ...(namespace !== undefined && { namespace: { name: namespace, description: '' } }),
    run: () => Promise.reject(new Error('not run')),
  };
}

const said = (tools: readonly Tool[]): readonly string[] =>
  tools.map(({ declaration, namespace }) => `${namespace?.name ?? ''}.${declaration.name}`);

describe('the tools of a conversation', () => {
  it('stay in their order: new ones follow, those that are gone stay', () => {
    const before = [tool('a'), tool('x', 'n'), tool('b')];
    const now = [tool('b'), tool('y', 'n'), tool('a')];
    const all = withEarlier(before, now);
    assert.deepEqual(said(all), ['.a', 'n.x', '.b', 'n.y']);
    // Those of now are what is called.
    assert.equal(all[0], now[2]);
    assert.equal(all[1], before[1]);
  });

  it('go when the person takes them out, and only then', () => {
    const before = [tool('x', 'n'), tool('y', 'n'), tool('a')];
    const out = (one: Tool): boolean => one.declaration.name === 'x';
    assert.deepEqual(said(withEarlier(before, [], out)), ['n.y', '.a']);
    assert.deepEqual(said(withEarlier(before, [tool('x', 'n')], out)), ['n.x', 'n.y', '.a']);
  });
});
