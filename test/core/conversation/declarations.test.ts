import assert from 'node:assert/strict';

import { declarationsOf, isNamed } from '../../../src/core/conversation/declarations.ts';
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

  it('are found by name and namespace together', () => {
    assert.equal(isNamed(tool('x', 'one'), 'x', 'one'), true);
    assert.equal(isNamed(tool('x', 'one'), 'x', undefined), false);
    assert.equal(isNamed(tool('x', 'one'), 'x', 'two'), false);
    assert.equal(isNamed(tool('x'), 'x', undefined), true);
  });
});
