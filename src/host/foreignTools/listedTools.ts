/** The tools that other extensions and MCP servers registered in VS Code, as it lists them at this moment, and whose they are. */
import { createHash } from 'node:crypto';

import * as vscode from 'vscode';

import type { ToolOwner } from '../../core/tools/foreignTool.ts';
import { isOfServer, serverTool } from './toolNames.ts';

export interface Owner extends ToolOwner {
  /** Tells owners apart, and is what the namespace of its tools is called, if the service takes that. */
  readonly id: string;
}

export interface ListedTool {
  /** As VS Code calls it: unique among those that are listed at the same time. */
  readonly id: string;
  readonly owner: Owner;
  /** What its owner calls it. */
  readonly name: string;
  readonly description: string;
  readonly schema: unknown;
}

export type ToolInformation = vscode.LanguageModelToolInformation;

/** The parts of VS Code that tell of tools. */
export interface ToolSources {
  readonly tools: readonly ToolInformation[];
  /** Extensions that are known in this place: those of the other side of a remote connection are not among them. */
  readonly extensions: readonly Pick<vscode.Extension<unknown>, 'id' | 'packageJSON'>[];
}

/** What VS Code means for itself alone ends so. */
const internal = /_internal$/;

/** In the order in which VS Code lists them. */
export function listedTools({ tools, extensions }: ToolSources): readonly ListedTool[] {
  const contributors = contributorsIn(extensions);
  const ofServers = tools.filter(isOfServer).map(({ name }) => name);
  return tools
    .filter(({ name }) => !internal.test(name))
    .map((tool) => listedTool(tool, contributors.get(tool.name), ofServers));
}

/** By owner, extensions first, then servers; the tools of each by name. */
export function inOrder(listed: readonly ListedTool[]): readonly ListedTool[] {
  const rank = ({ owner }: ListedTool): number => ranks.indexOf(owner.kind);
  return listed.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      compare(a.owner.name, b.owner.name) ||
      compare(a.owner.id, b.owner.id) ||
      compare(a.name, b.name),
  );
}

const ranks: readonly Owner['kind'][] = ['extension', 'server', 'unknown'];

function compare(a: string, b: string): number {
  return a.localeCompare(b);
}

function listedTool(
  tool: ToolInformation,
  contributor: Owner | undefined,
  ofServers: readonly string[],
): ListedTool {
  const { name: id, description, inputSchema } = tool;
  const schema = canBeWritten(inputSchema) ? inputSchema : {};
  if (!isOfServer(tool)) return { id, owner: contributor ?? unknown, name: id, description, schema };
  const { server, tool: name } = serverTool(id, ofServers);
  const owner: Owner = { kind: 'server', id: server === '' ? 'mcp' : `mcp_${server}`, name: server };
  return { id, owner, name, description, schema };
}

/** One that is nested too deep, or within itself, says nothing to anybody. */
function canBeWritten(schema: object | undefined): boolean {
  try {
    return typeof JSON.stringify(schema ?? {}) === 'string';
  } catch {
    return false;
  }
}

const unknown: Owner = { kind: 'unknown', id: 'vscode', name: '' };

/** Changes with whose a tool is, and with everything of it that the model is told. */
export function printOf({ id, owner, description, schema }: ListedTool): string {
  // The server is a guess, and changes with what else is listed.
  const whose = owner.kind === 'server' ? 'server' : `${owner.kind} ${owner.id}`;
  const told = JSON.stringify([whose, id, description, schema ?? null]);
  return createHash('sha256').update(told).digest('base64url');
}

export function ownerText({ kind, name }: ToolOwner): string {
  switch (kind) {
    case 'extension':
      return name;
    case 'server':
      return name === '' ? vscode.l10n.t('MCP server') : vscode.l10n.t('MCP server {0}', name);
    case 'unknown':
      return vscode.l10n.t('VS Code, or an extension on another machine');
  }
}

/** By the name of the tool. */
function contributorsIn(extensions: ToolSources['extensions']): ReadonlyMap<string, Owner> {
  const contributors = new Map<string, Owner>();
  for (const { id, packageJSON } of extensions) {
    const manifest: unknown = packageJSON;
    const tools = memberOf(memberOf(manifest, 'contributes'), 'languageModelTools');
    if (!Array.isArray(tools)) continue;
    const shown = memberOf(manifest, 'displayName');
    const called = typeof shown === 'string' && shown.trim() !== '' ? `${oneLine(shown)} (${id})` : id;
    for (const tool of tools) {
      const name = memberOf(tool, 'name');
      // VS Code takes the first who contributes a name.
      if (typeof name === 'string' && !contributors.has(name))
        contributors.set(name, { kind: 'extension', id: id.replaceAll('.', '_'), name: called });
    }
  }
  return contributors;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 80);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
