/**
 * What the tools of others are called on the way to the model, and whose they are as far as their names tell. Pure. Both names of a
 * tool are settled once, when a person chooses it, and kept with the choice: what the model was told stays true.
 */
import { longestName, wireName } from '../../core/responses/wireName.ts';

/** A tool of an MCP server, by the mark that VS Code gives those. */
export function isOfServer(tool: { readonly name: string; readonly tags: readonly string[] }): boolean {
  return tool.tags.includes('mcp') && tool.name.startsWith(serverMark);
}

const serverMark = 'mcp_';

/** Where the name of a server is cut to its longest, the part of a name in front of the tool's own is so long. */
const longestPrefix = 18;

export interface ServerTool {
  /** Of the server, as VS Code shortened it. */
  readonly server: string;
  /** The tool's own name. */
  readonly tool: string;
}

/**
 * Server and tool are one name: `mcp_`, what the server calls itself in lower case, of which 13 characters stay, `_`, the tool's name.
 * Where the first ends is not told. It is taken to end at the first `_`, or where it would end if it was shortened, if that fits all
 * tools that begin the same. Servers that can't be told apart so become one; nothing but a heading hangs on it.
 */
export function serverTool(name: string, all: readonly string[]): ServerTool {
  const first = name.indexOf('_', serverMark.length + 1);
  if (first === -1) return { server: '', tool: name.slice(serverMark.length) };
  const start = name.slice(0, first + 1);
  const isCut = all.filter((one) => one.startsWith(start)).every((one) => one[longestPrefix - 1] === '_');
  const end = isCut && name.length > longestPrefix ? longestPrefix - 1 : first;
  return { server: name.slice(serverMark.length, end), tool: name.slice(end + 1) || name };
}

/** `wanted` as the service takes it; with a number where another one has that name. */
export function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  const name = wireName(wanted);
  for (let n = 1; ; n++) {
    const end = n === 1 ? '' : `_${n}`;
    const free = `${name.slice(0, longestName - end.length)}${end}`;
    if (!isTaken(free)) return free;
  }
}
