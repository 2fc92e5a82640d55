/** How tools are declared to the model: those of a namespace together, under its name. */
import type { NamespaceDeclaration, ToolDeclaration } from '../responses/wire.ts';
import type { Tool } from '../tools/tool.ts';

/** In the order of the tools; a namespace stands where its first tool does. */
export function declarationsOf(tools: readonly Tool[]): readonly ToolDeclaration[] {
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
  return declared;
}

/** Whether a tool is the one of this namespace and name. The two are told apart wherever they are looked up. */
export function isNamed(tool: Tool, name: string, namespace: string | undefined): boolean {
  return tool.declaration.name === name && tool.namespace?.name === namespace;
}
