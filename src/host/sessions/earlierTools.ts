/** The tools of a conversation over its turns: what was offered once goes on being offered. Knows no session. */
import type { RequestLog } from '../../core/conversation/requestLog.ts';
import { isNamed } from '../../core/conversation/declarations.ts';
import type { Tool, ToolOutcome } from '../../core/tools/tool.ts';

/**
 * In an unchanging order. A tool that was offered once stays, whatever became of it: taking it out would change the beginning of each
 * request, and custom calls of it that are sent again need its declaration. Unless `isOff`: the person wants it out.
 */
export function withEarlier(
  earlier: readonly Tool[],
  now: readonly Tool[],
  isOff: (tool: Tool) => boolean = () => false,
): readonly Tool[] {
  const named = (tools: readonly Tool[], { declaration, namespace }: Tool): Tool | undefined =>
    tools.find((tool) => isNamed(tool, declaration.name, namespace?.name));
  return [
    ...earlier.flatMap((tool) => named(now, tool) ?? (isOff(tool) ? [] : tool)),
    ...now.filter((tool) => named(earlier, tool) === undefined),
  ];
}

/** The tools that were declared last. Who is offered none of that name any more can call it, and hears that it is gone. */
export function declaredBefore({ requests }: RequestLog): readonly Tool[] {
  return (requests.at(-1)?.head.tools ?? []).flatMap((declaration): readonly Tool[] => {
    switch (declaration.type) {
      case 'web_search':
        return [];
      case 'namespace': {
        const { tools, name, description } = declaration;
        return tools.map((tool) => ({ declaration: tool, namespace: { name, description }, run: gone }));
      }
      case 'function':
      case 'custom':
        return [{ declaration, run: gone }];
    }
  });
}

function gone(): Promise<ToolOutcome> {
  return Promise.resolve({ kind: 'failed', text: 'Not run: this tool can no longer be used here.' });
}
