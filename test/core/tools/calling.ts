/** Calls tools as the turn loop does, and gives ports of which each answers what a test says. */
import assert from 'node:assert/strict';

import type { ReadingPorts } from '../../../src/core/tools/readingPorts.ts';
import type { Tool, ToolOutcome } from '../../../src/core/tools/tool.ts';
import { nobodyIsAsked } from '../../support/contents.ts';

export function call(
  tool: Tool,
  args: unknown,
  signal: AbortSignal = new AbortController().signal,
): Promise<ToolOutcome> {
  const input = typeof args === 'string' ? args : JSON.stringify(args);
  return tool.run(
    { id: 'call', name: tool.declaration.name, input, complete: true },
    { signal, proposal: () => assert.fail('a reading tool proposes nothing'), ask: nobodyIsAsked },
  );
}

/** The text of a call that must have ended so. */
export async function textOf(
  outcome: Promise<ToolOutcome>,
  kind: ToolOutcome['kind'] = 'done',
): Promise<string> {
  const { kind: was, text } = await outcome;
  assert.equal(was, kind, text);
  return text;
}

/** Ports of which only these are asked. */
export function ports(some: Partial<ReadingPorts>): ReadingPorts {
  const never = (): never => assert.fail('not asked');
  return {
    ...{ readText: never, listFiles: never, searchText: never, problems: never, symbols: never },
    ...{ places: never, hover: never, openEditors: never, diff: never },
    ...some,
  };
}
