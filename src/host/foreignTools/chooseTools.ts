/** The list in which a person checks the tools of others that the model may call. Changes nothing until they accept it. */
import * as vscode from 'vscode';

import { textWeight } from '../../core/cost/weights.ts';
import { cutAt } from '../../core/cutAt.ts';
import { plainLabel } from '../plainLabel.ts';
import type { ChosenTool } from './chosenTools.ts';
import type { ForeignTools } from './foreignTools.ts';
import { ownerText, type ListedTool, type Owner } from './listedTools.ts';

/** One line of the list. */
export interface ToolItem extends vscode.QuickPickItem {
  /** Absent for a heading, and for a tool that is not there now. */
  readonly tool?: ListedTool;
  /** Of a tool that was chosen and is not there now. */
  readonly absent?: string;
}

export interface ToolList {
  readonly items: readonly ToolItem[];
  readonly checked: readonly ToolItem[];
}

export async function chooseTools(tools: ForeignTools): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('In a workspace that you do not trust, the model is offered no tools.'),
    );
    return;
  }
  const { items, checked } = toolList(tools);
  if (items.length === 0) {
    await tellOfNone();
    return;
  }
  const picked = await pick(items, checked);
  if (picked === undefined) return;
  if (picked === 'servers') {
    await showServers();
    return;
  }
  const listed = picked.flatMap(({ tool }) => (tool === undefined ? [] : [tool]));
  const absent = new Set(picked.flatMap(({ absent: id }) => (id === undefined ? [] : [id])));
  await tools.choose(listed, absent);
  vscode.window.setStatusBarMessage(offered(listed.length), 3000);
}

/** By owner, with those last that were chosen and are not there now. */
export function toolList({
  listed,
  chosen,
  changed,
}: Pick<ForeignTools, 'listed' | 'chosen' | 'changed'>): ToolList {
  const items: ToolItem[] = [];
  const checked: ToolItem[] = [];
  const whatIsTold: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('info'),
    tooltip: vscode.l10n.t('Show what the model is told of it'),
  };
  let last: Owner | undefined;
  for (const tool of listed) {
    const { id, owner, name } = tool;
    if (owner.id !== last?.id || owner.kind !== last.kind) items.push(heading(ownerText(owner)));
    last = owner;
    const isChanged = changed.some((one) => one.id === id);
    const item: ToolItem = {
      label: plain(name),
      description: isChanged ? vscode.l10n.t('changed since it was chosen, and not offered') : costText(tool),
      detail: plain(firstLine(tool.description)),
      buttons: [whatIsTold],
      tool,
    };
    items.push(item);
    // What changed is chosen anew, by a person who looks at it, or not at all.
    if (!isChanged && chosen.some((one) => one.id === id)) checked.push(item);
  }
  const absent = chosen.filter(({ id }) => !listed.some((tool) => tool.id === id)).map(absentItem);
  if (absent.length > 0) items.push(heading(vscode.l10n.t('Not there now')), ...absent);
  return { items, checked: [...checked, ...absent] };
}

function heading(label: string): ToolItem {
  return { label: plain(label), kind: vscode.QuickPickItemKind.Separator };
}

function absentItem({ id, owner, shown }: ChosenTool): ToolItem {
  return { label: plain(shown), description: plain(ownerText(owner)), absent: id };
}

/** The items that were accepted; `servers` when the person went to look after the servers instead. */
function pick(
  items: readonly ToolItem[],
  checked: readonly ToolItem[],
): Promise<readonly ToolItem[] | 'servers' | undefined> {
  const list = vscode.window.createQuickPick<ToolItem>();
  list.canSelectMany = true;
  list.matchOnDescription = true;
  list.matchOnDetail = true;
  // What the model is told of a tool is shown in front of it.
  list.ignoreFocusOut = true;
  list.items = items;
  list.selectedItems = checked;
  list.placeholder = vscode.l10n.t('Each call asks first. A change loses the cache.');
  list.buttons = [
    {
      iconPath: new vscode.ThemeIcon('server'),
      tooltip: vscode.l10n.t('Show the MCP servers, to start them'),
    },
  ];
  const tell = (): void => {
    list.title = titleOf(list.selectedItems);
  };
  tell();
  return new Promise((resolve) => {
    list.onDidChangeSelection(tell);
    list.onDidAccept(() => {
      resolve(list.selectedItems);
      list.hide();
    });
    list.onDidTriggerItemButton(({ item: { tool } }) => {
      if (tool !== undefined) void showTool(tool);
    });
    list.onDidTriggerButton(() => {
      resolve('servers');
      list.hide();
    });
    list.onDidHide(() => {
      resolve(undefined);
      list.dispose();
    });
    list.show();
  });
}

/** Whole: the first line, which the list shows, is not all that the model reads. */
async function showTool({ name, owner, description, schema }: ListedTool): Promise<void> {
  const input = schema === undefined ? '' : `\n\n${JSON.stringify(schema, null, 2)}`;
  await vscode.window.showInformationMessage(
    vscode.l10n.t('Tool {0} of {1}', shown(name), shown(ownerText(owner))),
    { modal: true, detail: shown(`${description.trim()}${input}`) },
  );
}

/** Signs that turn the direction of a text around could show another one than is sent. */
function shown(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');
}

function titleOf(selected: readonly ToolItem[]): string {
  const chosen = selected.flatMap(({ tool }) => (tool === undefined ? [] : [tool]));
  const name = vscode.l10n.t('Tools of extensions and MCP servers');
  if (chosen.length === 0) return name;
  const tokens = chosen.reduce((sum, tool) => sum + tokensOf(tool), 0);
  return `${name} · ${vscode.l10n.t('about {0} tokens in each request', tokens.toLocaleString(vscode.env.language))}`;
}

function offered(count: number): string {
  switch (count) {
    case 0:
      return vscode.l10n.t('No further tools are offered to the model');
    case 1:
      return vscode.l10n.t('1 further tool is offered to the model');
    default:
      return vscode.l10n.t('{0} further tools are offered to the model', count);
  }
}

function costText(tool: ListedTool): string {
  return vscode.l10n.t('about {0} tokens', tokensOf(tool).toLocaleString(vscode.env.language));
}

function tokensOf({ name, description, schema }: ListedTool): number {
  return Math.ceil(textWeight(`${name}\n${description}\n${JSON.stringify(schema ?? {})}`));
}

/** Longest that a list shows of a description, in UTF-16 units. */
const longestDetail = 300;

function firstLine(description: string): string {
  const line = description.trim().split(/[\r\n]/, 1)[0] ?? '';
  const short = cutAt(line, longestDetail);
  return short === line ? line : `${short}…`;
}

/** As a list shows it. */
function plain(text: string): string {
  return plainLabel(shown(text));
}

/** In one message. */
const mostNamed = 5;

/** Asks nothing, and stays until somebody reads it. */
export async function tellOfChanged(changed: readonly ChosenTool[], tools: ForeignTools): Promise<void> {
  const choose = vscode.l10n.t('Choose tools');
  const more = changed.length > mostNamed ? ', …' : '';
  const names = `${changed
    .slice(0, mostNamed)
    .map((tool) => tool.shown)
    .join(', ')}${more}`;
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Tools say something else than when you chose them, and are not offered: {0}', names),
    choose,
  );
  if (answer === choose) await chooseTools(tools);
}

async function tellOfNone(): Promise<void> {
  const show = vscode.l10n.t('Show MCP servers');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'No extension and no MCP server offers tools now. VS Code lists the tools of a server once it has been started.',
    ),
    show,
  );
  if (answer === show) await showServers();
}

/** Adding and starting servers is VS Code's own. */
async function showServers(): Promise<void> {
  try {
    await vscode.commands.executeCommand('workbench.mcp.listServer');
  } catch {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Run the command “MCP: List Servers” to start a server.'),
    );
  }
}
