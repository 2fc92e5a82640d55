/** How tools are declared to the model: those of a namespace together, under its name. */
import { webSearchDeclaration, type WebSearchScope } from '../responses/webSearchTool.ts';
import type { NamespaceDeclaration, ToolDeclaration } from '../responses/wire.ts';
import type { Tool } from '../tools/tool.ts';

/** In the order of the tools; a namespace stands where its first tool does, and a search in the web, which is no tool of ours, last. */
export function declarationsOf(
  tools: readonly Tool[],
  webSearch?: WebSearchScope,
): readonly ToolDeclaration[] {
  const declared: ToolDeclaration[] = [];
  const places = new Map<string, number>();
  for (const { declaration, namespace } of tools) {
    if (namespace === undefined) {
      declared.push(declaration);
      continue;
    }
    const place = places.get(namespace.name);
    if (place === undefined) {
      places.set(namespace.name, declared.length);
      declared.push({ type: 'namespace', ...namespace, tools: [declaration] });
    } else {
      const known = declared[place] as NamespaceDeclaration;
      declared[place] = { ...known, tools: [...known.tools, declaration] };
    }
  }
  if (webSearch !== undefined) declared.push(webSearchDeclaration(webSearch));
  return declared;
}

/** Gives the very declarations out again as long as they say the same: what is reckoned at each key then weighs each of them once. */
export class KeptDeclarations {
  #last: { readonly key: readonly unknown[]; readonly declared: readonly ToolDeclaration[] } | undefined;

  /** See `declarationsOf`. Tools are the same when they have the same declaration. */
  of(tools: readonly Tool[], webSearch?: WebSearchScope): readonly ToolDeclaration[] {
    const key = [
      webSearch === undefined ? undefined : webSearch.domains.join(' '),
      ...tools.flatMap(({ declaration, namespace }) => [
        declaration,
        namespace?.name,
        namespace?.description,
      ]),
    ];
    const last = this.#last;
    if (last?.key.length === key.length && key.every((one, index) => one === last.key[index]))
      return last.declared;
    const declared = declarationsOf(tools, webSearch);
    this.#last = { key, declared };
    return declared;
  }
}

/** Whether a tool is the one of this namespace and name. The two are told apart wherever they are looked up. */
export function isNamed(tool: Tool, name: string, namespace: string | undefined): boolean {
  return tool.declaration.name === name && tool.namespace?.name === namespace;
}
