import assert from 'node:assert/strict';

import { functionTool } from '../../../src/core/tools/functionTool.ts';
import { counted, flag, optional, parametersOf, text, texts } from '../../../src/core/tools/parameters.ts';
import { ok } from '../../../src/core/result.ts';
import { call, textOf } from './calling.ts';
import { nobodyIsAsked } from '../../support/contents.ts';

const fields = {
  path: text('A path.'),
  line: optional(counted('A line.')),
  all: optional(flag('All of it.')),
  globs: optional(texts('Globs.')),
};
const tool = functionTool({
  ...{ name: 'look', description: 'Looks.', fields },
  run: (args) => Promise.resolve(ok(JSON.stringify(args))),
});

describe('arguments of a function tool', () => {
  it('have a strict schema: everything required, nothing else, null for what may be left out', () => {
    assert.deepEqual(parametersOf(fields), {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'A path.' },
        line: { type: ['integer', 'null'], description: 'A line.' },
        all: { type: ['boolean', 'null'], description: 'All of it.' },
        globs: {
          anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }],
          description: 'Globs.',
        },
      },
      required: ['path', 'line', 'all', 'globs'],
      additionalProperties: false,
    });
  });

  it('are taken as they are described', async () => {
    const all = { path: 'a', line: 2, all: true, globs: ['*.ts'] };
    assert.deepEqual(JSON.parse(await textOf(call(tool, all))), all);
    assert.equal(await textOf(call(tool, { path: 'a' })), '{"path":"a"}');
    assert.equal(await textOf(call(tool, { path: 'a', line: null, all: null, globs: '' })), '{"path":"a"}');
  });

  it('are refused all at once, each with what is wanted instead', async () => {
    const bad = { path: 7, line: 0, all: 'yes', globs: [1], pth: 'x' };
    assert.equal(
      await textOf(call(tool, bad), 'failed'),
      [
        '"path" must be a text of 1 to 4096 characters, not 7.',
        '"line" must be a whole number of at least 1 or null, not 0.',
        '"all" must be true or false or null, not "yes".',
        '"globs" must be a list of at most 50 texts or null, not [1].',
        'There is no argument "pth". It takes "path", "line", "all", "globs".',
      ].join(' '),
    );
  });

  for (const [what, args, says] of [
    ['missing', {}, /"path" must be .*, and is missing/],
    ['empty', { path: '' }, /not ""/],
    ['too long', { path: 'x'.repeat(5_000) }, /not "x{79}…\./],
    ['fractions', { path: 'a', line: 1.5 }, /"line" must be a whole number/],
    ['texts for numbers', { path: 'a', line: '3' }, /not "3"/],
    ['too many', { path: 'a', globs: Array.from({ length: 51 }, () => 'x') }, /at most 50/],
    ['no list', { path: 'a', globs: 'x' }, /not "x"/],
    ['of the prototype', '{"path":"a","__proto__":1,"toString":2}', /no argument "__proto__", "toString"/],
    ['no object', '[1]', /must be a JSON object\. It takes "path"/],
    ['null', 'null', /must be a JSON object/],
    ['a text', '"a"', /must be a JSON object/],
  ] as const) {
    it(`are refused when ${what}`, async () => {
      assert.match(await textOf(call(tool, args), 'failed'), says);
    });
  }

  it('may be none', async () => {
    const bare = functionTool({
      ...{ name: 'go', description: '', fields: {} },
      run: () => Promise.resolve(ok('gone')),
    });
    assert.equal(await textOf(call(bare, {})), 'gone');
    assert.match(await textOf(call(bare, { x: 1 }), 'failed'), /no argument "x"\. It takes no arguments\./);
  });
});

describe('a function tool', () => {
  const endless = functionTool({
    ...{ name: 'wait', description: '', fields: {} },
    run: () => new Promise<never>(() => undefined),
  });

  it('does nothing for a call that did not arrive complete', async () => {
    const outcome = await tool.run(
      { id: '', name: 'look', input: '{"path":"a"}', complete: false },
      { signal: new AbortController().signal, proposal: () => undefined, ask: nobodyIsAsked },
    );
    assert.equal(outcome.kind, 'failed');
    assert.match(outcome.text, /Send it again/);
  });

  it('answers at once when it is cancelled, whatever it waits for', async () => {
    const stop = new AbortController();
    const running = call(endless, {}, stop.signal);
    stop.abort();
    await textOf(running, 'cancelled');
    await textOf(call(endless, {}, stop.signal), 'cancelled');
  });

  it('has no result longer than its room, whatever it is made of', async () => {
    const long = functionTool({
      ...{ name: 'long', description: '', fields: { fail: flag('') } },
      run: ({ fail }) =>
        Promise.resolve({ ok: !fail, value: 'é😀'.repeat(50_000), error: 'x'.repeat(90_000) } as never),
    });
    const done = await textOf(call(long, { fail: false }));
    assert.ok(done.length < 48_100);
    assert.match(done, /\[1\d\d,\d{3} characters left out here\]/);
    assert.ok(done.isWellFormed());
    assert.ok((await textOf(call(long, { fail: true }), 'failed')).length < 48_100);
  });

  it('passes on a bug, which the turn loop tells of', async () => {
    const broken = functionTool({
      ...{ name: 'broken', description: '', fields: {} },
      run: () => Promise.reject(new Error('bug')),
    });
    await assert.rejects(call(broken, {}), /bug/);
  });
});
