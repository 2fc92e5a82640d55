/** A tool of somebody else: declared as it is, and called only after the person allowed that very call. */
import assert from 'node:assert/strict';

import type { ApprovalAnswer, ApprovalRequest } from '../../../src/core/conversation/approval.ts';
import {
  foreignTool,
  type ForeignEnd,
  type ForeignTool,
  type Standing,
} from '../../../src/core/tools/foreignTool.ts';
import type { ToolOutcome } from '../../../src/core/tools/tool.ts';

const stock: ForeignTool = {
  owner: { kind: 'extension', name: 'Corner Shop (shop.tools)' },
  namespace: 'shop_tools',
  name: 'stock',
  description: 'Tells what is left.\n',
  schema: { type: 'object', properties: { item: { type: 'string' } } },
  asked: { owner: 'Corner Shop (shop.tools)', name: 'shop_stock' },
};

/** One call, and all that came of it. */
class Call {
  readonly asked: ApprovalRequest[] = [];
  readonly invoked: object[] = [];
  readonly stop = new AbortController();
  answer: ApprovalAnswer = { kind: 'allow' };
  /** Of each time that it is looked at; the last one stays. */
  standings: Standing[] = ['fine'];
  end: () => Promise<ForeignEnd> = () =>
    Promise.resolve({ kind: 'returned', parts: [{ kind: 'text', text: '3' }] });

  async run(input: string, { complete = true }: { complete?: boolean } = {}): Promise<ToolOutcome> {
    const tool = foreignTool(stock, {
      standing: () => (this.standings.length > 1 ? this.standings.shift() : this.standings[0]) ?? 'fine',
      invoke: (value) => {
        this.invoked.push(value);
        return this.end();
      },
    });
    return tool.run(
      { id: 'c', name: 'stock', namespace: 'shop_tools', input, complete },
      {
        signal: this.stop.signal,
        proposal: () => assert.fail('nothing is proposed'),
        ask: (request) => {
          this.asked.push(request);
          return Promise.resolve(this.answer);
        },
      },
    );
  }
}

describe('a tool of somebody else', () => {
  const ports = { standing: () => assert.fail('not asked'), invoke: () => assert.fail('not called') };

  it('is declared in the namespace of its owner, not strict', () => {
    const { declaration, namespace, inOrder } = foreignTool(stock, ports);
    assert.deepEqual(declaration, {
      type: 'function',
      name: 'stock',
      description: 'Tells what is left.',
      parameters: stock.schema,
      strict: false,
    });
    assert.deepEqual(namespace, {
      name: 'shop_tools',
      description:
        'Tools of the VS Code extension Corner Shop (shop.tools). The person is asked before each call.',
    });
    assert.equal(inOrder, undefined);
  });

  it('is said to be of a server or of nobody known', () => {
    const of = (owner: ForeignTool['owner']): string =>
      foreignTool({ ...stock, owner }, ports).namespace?.description.split('. ', 1)[0] ?? '';
    assert.equal(of({ kind: 'server', name: 'time' }), 'Tools of the MCP server time');
    assert.equal(of({ kind: 'server', name: '' }), 'Tools of MCP servers');
    assert.equal(of({ kind: 'unknown', name: '' }), 'Tools of VS Code itself or of one of its extensions');
  });

  it('is described with what its schema could not say, and not endlessly', () => {
    const described = (tool: Partial<ForeignTool>): string =>
      foreignTool({ ...stock, ...tool }, ports).declaration.description;
    assert.equal(
      described({ schema: { anyOf: [true] } }),
      'Tells what is left.\nIts input must also fit {"anyOf":[true]}.',
    );
    assert.equal(described({ description: ' ', schema: {} }), '');
    assert.match(described({ description: 'x'.repeat(20_000) }), /x… \[10,000 more characters\b/);
  });

  it('is called with what the person was shown', async () => {
    const call = new Call();
    assert.deepEqual(await call.run('{"item":"tea","item":"tea & milk"}'), { kind: 'done', text: '3' });
    assert.deepEqual(call.asked, [
      {
        kind: 'foreignTool',
        owner: 'Corner Shop (shop.tools)',
        name: 'shop_stock',
        description: 'Tells what is left.\n',
        input: '{"item":"tea & milk"}',
      },
    ]);
    assert.deepEqual(call.invoked, [{ item: 'tea & milk' }]);
  });

  for (const [answer, kind, says] of [
    [{ kind: 'deny' }, 'rejected', /^The person did not allow it, and it was not run\. Go on without it/],
    [{ kind: 'deny', reason: ' ' }, 'rejected', /not run\. Go on/],
    [{ kind: 'deny', reason: ' Use git. ' }, 'rejected', /not run\. They said: Use git\. Go on/],
    [{ kind: 'mask' }, 'rejected', /did not allow it/],
    [{ kind: 'later' }, 'cancelled', /^Not run: the person went on without answering/],
    [{ kind: 'cancelled' }, 'cancelled', /^Cancelled by the user\. The tool was not run\.$/],
  ] as const) {
    it(`is not called when the answer is ${JSON.stringify(answer)}`, async () => {
      const call = new Call();
      call.answer = answer;
      const outcome = await call.run('{}');
      assert.equal(outcome.kind, kind);
      assert.match(outcome.text, says);
      assert.deepEqual(call.invoked, []);
    });
  }

  for (const [standing, says] of [
    ['notChosen', /does not offer this tool any more/],
    ['untrusted', /does not trust this workspace/],
    ['absent', /is not there now/],
    ['changed', /not the same tool any more/],
  ] as const) {
    it(`is not called when it is ${standing}, neither before nor after the person was asked`, async () => {
      for (const standings of [[standing], ['fine', standing]] as const) {
        const call = new Call();
        call.standings = [...standings];
        const outcome = await call.run('{}');
        assert.equal(outcome.kind, 'failed');
        assert.match(outcome.text, says);
        assert.equal(call.asked.length, standings.length - 1);
        assert.deepEqual(call.invoked, []);
      }
    });
  }

  it('asks nobody about a call that can’t be made', async () => {
    for (const [input, says] of [
      ['[1]', 'Not run: the arguments must be a JSON object.'],
      ['null', 'Not run: the arguments must be a JSON object.'],
      ['"x"', 'Not run: the arguments must be a JSON object.'],
    ] as const) {
      const call = new Call();
      assert.deepEqual(await call.run(input), { kind: 'failed', text: says });
      assert.deepEqual(call.asked, []);
    }
    const call = new Call();
    const { kind, text } = await call.run('{"it', { complete: false });
    assert.deepEqual([kind, text], ['failed', 'Not run: the call did not arrive complete. Send it again.']);
    assert.deepEqual(call.asked, []);
  });

  it('that fails, or asks the person itself and is refused, says so', async () => {
    const call = new Call();
    call.end = () => Promise.resolve({ kind: 'threw', message: 'no such item' });
    assert.deepEqual(await call.run('{}'), { kind: 'failed', text: 'The tool failed: no such item' });
    call.end = () => Promise.resolve({ kind: 'refused' });
    assert.equal((await call.run('{}')).kind, 'rejected');
  });

  it('is not waited for once the person has stopped the answer', async () => {
    const call = new Call();
    call.end = () => {
      call.stop.abort();
      return new Promise(() => undefined);
    };
    assert.deepEqual(await call.run('{}'), {
      kind: 'cancelled',
      text: 'Cancelled by the user while the tool ran. What it did until then is not known.',
    });
    assert.equal(call.invoked.length, 1);
    assert.equal((await call.run('{}')).text, 'Cancelled by the user. The tool was not run.');
    assert.equal(call.invoked.length, 1);
  });
});
