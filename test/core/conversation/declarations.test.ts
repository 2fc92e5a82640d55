import assert from 'node:assert/strict';

import { declarationsOf, isNamed, KeptDeclarations } from '../../../src/core/conversation/declarations.ts';
import type { Tool } from '../../../src/core/tools/tool.ts';

function tool(name: string, namespace?: string): Tool {
  return {
    declaration: { type: 'function', name, description: '', parameters: {}, strict: true },
    ...(namespace !== undefined && { namespace: { name: namespace, description: `About ${namespace}.` } }),
    run: () => Promise.reject(new Error('not run')),
  };
}

describe('declarations', () => {
  it('have the tools of a namespace together, where its first one stands', () => {
    const tools = [tool('a'), tool('x', 'one'), tool('x', 'two'), tool('b'), tool('y', 'one')];
    assert.deepEqual(
      declarationsOf(tools).map((each) =>
        each.type === 'namespace'
          ? [each.name, each.description, ...each.tools.map(({ name }) => name)]
          : each.type,
      ),
      ['function', ['one', 'About one.', 'x', 'y'], ['two', 'About two.', 'x'], 'function'],
    );
  });

  it('are given out again as they are for as long as they say the same', () => {
    const kept = new KeptDeclarations();
    const tools = [tool('a'), tool('x', 'one'), tool('y', 'one')];
    const first = kept.of(tools);
    assert.deepEqual(first, declarationsOf(tools));
    // Tools are wrapped anew for each question.
    assert.equal(kept.of(tools.map((one) => ({ ...one }))), first);
    assert.deepEqual(kept.of(tools.slice(1)), declarationsOf(tools.slice(1)));
    const searching = kept.of(tools, { domains: [] });
    assert.deepEqual(searching, declarationsOf(tools, { domains: [] }));
    assert.equal(kept.of(tools, { domains: [] }), searching);
    assert.deepEqual(kept.of(tools, { domains: ['a.b'] }), declarationsOf(tools, { domains: ['a.b'] }));
    const renamed = tools.map((one) => ({ ...one, namespace: { name: 'two', description: '' } }));
    assert.deepEqual(kept.of(renamed), declarationsOf(renamed));
    assert.deepEqual(kept.of(tools), first);
  });

  it('are found by name and namespace together', () => {
    assert.equal(isNamed(tool('x', 'one'), 'x', 'one'), true);
    assert.equal(isNamed(tool('x', 'one'), 'x', undefined), false);
    assert.equal(isNamed(tool('x', 'one'), 'x', 'two'), false);
    assert.equal(isNamed(tool('x'), 'x', undefined), true);
  });
});
