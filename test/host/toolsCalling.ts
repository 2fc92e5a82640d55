/** Calls reading tools as the turn loop does, over the workspace that is open. */
import assert from 'node:assert/strict';
import { join } from 'node:path';

import type { Tool, ToolContext, ToolOutcome } from '../../src/core/tools/tool.ts';
import type { ReaderOptions } from '../../src/host/tools/workspaceReader.ts';
import { testedExtension } from './chatStage.ts';
import { nobodyIsAsked } from '../support/contents.ts';

export function readerOptions(): ReaderOptions {
  const worker = join(testedExtension().extensionPath, 'dist', 'searchWorker.cjs');
  return { worker, programs: () => undefined };
}

export async function callTool(
  tools: readonly Tool[],
  name: string,
  args: object,
  signal: AbortSignal = new AbortController().signal,
  ask: ToolContext['ask'] = nobodyIsAsked,
): Promise<ToolOutcome> {
  const tool = tools.find(({ declaration }) => declaration.name === name);
  assert.ok(tool, name);
  const call = { id: 'call', name, input: JSON.stringify(args), complete: true };
  return tool.run(call, { signal, proposal: () => assert.fail('nothing is proposed'), ask });
}
