/** The tools of a conversation over its turns: what was offered once goes on being offered. Knows no session. */
import type { RequestLog } from '../../core/conversation/requestLog.ts';
import type { Tool } from '../../core/tools/tool.ts';

/** In an unchanging order. A tool that was offered once stays: the calls of it that are sent again need its declaration. */
export function withEarlier(earlier: readonly Tool[], now: readonly Tool[]): readonly Tool[] {
  const named = (tools: readonly Tool[], { declaration }: Tool): Tool | undefined =>
    tools.find((tool) => tool.declaration.name === declaration.name);
  return [
    ...earlier.map((tool) => named(now, tool) ?? tool),
    ...now.filter((tool) => named(earlier, tool) === undefined),
  ];
}

/** The tools that were declared last. Who is offered none of that name any more can call it, and hears that it is gone. */
export function declaredBefore({ requests }: RequestLog): readonly Tool[] {
  return (requests.at(-1)?.head.tools ?? []).map((declaration): Tool => ({
    declaration,
    run: () => Promise.resolve({ kind: 'failed', text: 'Not run: this tool can no longer be used here.' }),
  }));
}
