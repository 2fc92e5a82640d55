/** Which tool a call means, and what the model is told where it means none or could mean several. Runs nothing. */
import { err, ok, type Result } from '../result.ts';
import type { Tool } from '../tools/tool.ts';
import { isNamed } from './declarations.ts';

/** What servers and models put between a namespace and a name where they make one name of the two. */
const glue = ['__', '.', '/', ':', '-', '_'];

/** The tool of exactly this namespace and name. */
export function findTool(
  tools: readonly Tool[],
  name: string,
  namespace: string | undefined,
): Tool | undefined {
  return tools.find((tool) => isNamed(tool, name, namespace));
}

/**
 * The tool of this namespace and name. A call without a namespace may mean a tool in one, by its bare name or by both names in one, as
 * long as there is only one that it can mean; one with a namespace is never looked for elsewhere. The error is for the model.
 */
export function calledTool(
  tools: readonly Tool[],
  name: string,
  namespace: string | undefined,
): Result<Tool, string> {
  const exact = findTool(tools, name, namespace);
  if (exact !== undefined) return ok(exact);
  if (namespace !== undefined) return err(unknown(tools, name, namespace));
  // Compared tool by tool: in a key made of both names, `a_b` and `c` would be the same as `a` and `b_c`.
  const bare = tools.filter((tool) => tool.namespace !== undefined && tool.declaration.name === name);
  const meant = bare.length > 0 ? bare : tools.filter((tool) => isGlued(tool, name));
  const [only, ...others] = meant;
  if (only === undefined) return err(unknown(tools, name, undefined));
  if (others.length === 0) return ok(only);
  const candidates = meant.map(
    ({ declaration, namespace: of }) => `${quoted(declaration.name)} in namespace ${quoted(of?.name)}`,
  );
  return err(
    `${quoted(name)} could be several tools: ${listed(candidates)}. Nothing was done. Call again, with the namespace.`,
  );
}

function isGlued({ declaration, namespace }: Tool, name: string): boolean {
  return (
    namespace !== undefined &&
    name.startsWith(namespace.name) &&
    name.endsWith(declaration.name) &&
    glue.some((between) => name === `${namespace.name}${between}${declaration.name}`)
  );
}

function unknown(tools: readonly Tool[], name: string, namespace: string | undefined): string {
  const wanted = `There is no tool ${quoted(name)}`;
  if (namespace === undefined) return `${wanted}. ${available(tools)}`;
  const neighbours = tools.filter((tool) => tool.namespace?.name === namespace);
  const where = `${wanted} in namespace ${quoted(namespace)}.`;
  if (neighbours.length === 0) return `${where} ${available(tools)}`;
  return `${where} It has: ${listed(neighbours.map(({ declaration }) => declaration.name))}.`;
}

/** Those of a namespace behind its name: a call must give it. */
function available(tools: readonly Tool[]): string {
  if (tools.length === 0) return 'No tools are available.';
  const byPlace = Map.groupBy(tools, (tool) => tool.namespace?.name);
  const places = [...byPlace].map(([namespace, own]) => {
    const names = listed(own.map(({ declaration }) => declaration.name));
    return namespace === undefined ? names : `in namespace ${quoted(namespace)}: ${names}`;
  });
  return `Available: ${places.join('; ')}.`;
}

/** Names of one place. */
const mostNames = 60;

function listed(names: readonly string[]): string {
  const more = names.length - mostNames;
  return `${names.slice(0, mostNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function quoted(name: string | undefined): string {
  return JSON.stringify(name);
}
