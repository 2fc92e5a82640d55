/** What the tools of others are called on the way to the model. */
import assert from 'node:assert/strict';
import fc from 'fast-check';

import { freeName, isOfServer, serverTool } from '../../../src/host/foreignTools/toolNames.ts';
import { seed } from '../../simulator/arbitraries.ts';
import { namePattern } from '../../simulator/validate/tools.ts';

describe('the name of a tool of an MCP server', () => {
  it('is known by its mark', () => {
    assert.equal(isOfServer({ name: 'mcp_time_now', tags: ['mcp'] }), true);
    assert.equal(isOfServer({ name: 'mcp_time_now', tags: [] }), false);
    assert.equal(isOfServer({ name: 'time_now', tags: ['mcp'] }), false);
  });

  for (const [what, all, expected] of [
    ['ends the server at the first mark', ['mcp_time_get_now', 'mcp_time_convert'], ['time', 'get_now']],
    ['keeps other marks with the server', ['mcp_io.git-hub_x_y'], ['io.git-hub', 'x_y']],
    [
      'ends a server where it was shortened, when all fit',
      ['mcp_everything_re_echo', 'mcp_everything_re_get-sum'],
      ['everything_re', 'echo'],
    ],
    [
      'does not when one does not fit',
      ['mcp_github_create_issue', 'mcp_github_list'],
      ['github', 'create_issue'],
    ],
    ['has no server where there is no mark', ['mcp_now'], ['', 'now']],
    ['has one whose name was all signs', ['mcp___now'], ['_', 'now']],
    ['has the whole name where nothing follows', ['mcp_time_'], ['time', 'mcp_time_']],
    ['ends it at the first mark where nothing else fits', ['mcp_everything_re_'], ['everything', 're_']],
  ] as const) {
    it(what, () => {
      const { server, tool } = serverTool(all[0], all);
      assert.deepEqual([server, tool], expected);
    });
  }
});

describe('a free name', () => {
  it('is the one that was wanted, or has a number', () => {
    const taken = new Set(['a', 'a_2', 'x'.repeat(128)]);
    const free = (name: string): string => freeName(name, (one) => taken.has(one));
    assert.equal(free('b'), 'b');
    assert.equal(free('a'), 'a_3');
    assert.equal(free('x'.repeat(128)), `${'x'.repeat(126)}_2`);
    assert.equal(free('a.b'), '_a_b');
  });

  it('is never the same for two, and always one that the service takes', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom('a', '.', '_', 'é'), maxLength: 4 })),
        (wanted) => {
          const names = new Set<string>();
          for (const one of wanted) names.add(freeName(one, (name) => names.has(name)));
          assert.equal(names.size, wanted.length);
          for (const name of names) assert.match(name, namePattern);
        },
      ),
      { seed },
    );
  });
});
