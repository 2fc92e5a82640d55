/** What a reading tool says when it had to ask before it read. */
import assert from 'node:assert/strict';

import type { ApprovalAnswer, ApprovalRequest } from '../../../src/core/conversation/approval.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { ReadingPorts } from '../../../src/core/tools/readingPorts.ts';
import { readingTools } from '../../../src/core/tools/readingTools.ts';
import type { ToolOutcome } from '../../../src/core/tools/tool.ts';
import { ports } from './calling.ts';

const wish: ApprovalRequest = { kind: 'read', why: 'outside', path: '/etc/hosts' };
const args = { path: '/etc/hosts' };

/** Calls a tool of which the port asks the person, who answers so. */
async function outcomeOf(
  name: string,
  input: object,
  answer: ApprovalAnswer,
  some: (ask: () => Promise<ApprovalAnswer>) => Partial<ReadingPorts>,
): Promise<{ readonly outcome: ToolOutcome; readonly asked: readonly ApprovalRequest[] }> {
  const asked: ApprovalRequest[] = [];
  const ask = (request: ApprovalRequest): Promise<ApprovalAnswer> => {
    asked.push(request);
    return Promise.resolve(answer);
  };
  const tool = readingTools(ports(some(() => ask(wish)))).find(
    ({ declaration }) => declaration.name === name,
  );
  assert.ok(tool, name);
  const outcome = await tool.run(
    { id: 'call', name, input: JSON.stringify(input), complete: true },
    { signal: new AbortController().signal, proposal: () => assert.fail('nothing is proposed'), ask },
  );
  return { outcome, asked };
}

const reading = (answer: ApprovalAnswer): ReturnType<typeof outcomeOf> =>
  outcomeOf('read_file', args, answer, () => ({
    readText: async (path, _signal, ask) => {
      assert.ok(ask && wish.kind === 'read');
      const given = await ask({ ...wish, path });
      return given.kind === 'allow'
        ? ok({ path, text: 'a\n', unsaved: false })
        : err({ kind: 'outside', path, answer: given });
    },
  }));

describe('a reading tool that asks', () => {
  it('reads when it is allowed', async () => {
    const { outcome, asked } = await reading({ kind: 'allow' });
    assert.deepEqual(outcome, { kind: 'done', text: '/etc/hosts, lines 1 to 1 of 1:\n1|a' });
    assert.deepEqual(asked, [wish]);
  });

  it('is rejected when it is not, with the reason that was given', async () => {
    assert.deepEqual((await reading({ kind: 'deny' })).outcome, {
      kind: 'rejected',
      text: 'The person was asked and does not allow you to read /etc/hosts.\nGo on without it, and do not ask for it again.',
    });
    assert.match(
      (await reading({ kind: 'deny', reason: ' Private. ' })).outcome.text,
      /Their reason: Private\.\n/,
    );
  });

  it('says so when nobody answered', async () => {
    const { outcome } = await reading({ kind: 'later' });
    assert.equal(outcome.kind, 'rejected');
    assert.match(outcome.text, /was asked whether you may, and went on without an answer/);
    for (const kind of ['cancelled', 'mask'] as const)
      assert.match((await reading({ kind })).outcome.text, /nobody allowed it/);
  });

  it('fails as ever where what was allowed can’t be read', async () => {
    const { outcome } = await outcomeOf('read_file', args, { kind: 'allow' }, (ask) => ({
      readText: async (path) => {
        await ask();
        return err({ kind: 'unreadable', path });
      },
    }));
    assert.equal(outcome.kind, 'failed');
  });

  it('has a way to ask in every port that takes a path', async () => {
    const refused = err({ kind: 'outside', path: 'x' } as const);
    const seen: string[] = [];
    const at = { path: 'x', line: 1, symbol: 'y' };
    for (const [name, input, port] of [
      ['list_files', { path: 'x' }, 'listFiles'],
      ['search_text', { pattern: 'x', path: 'x' }, 'searchText'],
      ['get_problems', { path: 'x' }, 'problems'],
      ['find_symbol', { path: 'x' }, 'symbols'],
      ['go_to_definition', at, 'places'],
      ['hover', at, 'hover'],
      ['git_diff', { path: 'x' }, 'diff'],
    ] as const) {
      const { outcome } = await outcomeOf(name, input, { kind: 'allow' }, () => ({
        [port]: (...given: readonly unknown[]) => {
          if (typeof given.at(-1) === 'function') seen.push(port);
          return Promise.resolve(refused);
        },
      }));
      assert.equal(outcome.kind, 'failed', name);
    }
    assert.deepEqual(seen, ['listFiles', 'searchText', 'problems', 'symbols', 'places', 'hover', 'diff']);
  });
});
