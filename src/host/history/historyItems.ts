/** How VS Code's list shows conversations: titles, what is going on, headings, buttons. Knows no list and opens nothing. */
import * as vscode from 'vscode';

import { plainLabel } from '../plainLabel.ts';
import type { HistoryEntry } from './historyEntries.ts';
import type { FoundLine, HistoryGroup, HistoryRow } from './historyRows.ts';
import { titleOf, visibleLine } from '../sessions/conversationTitle.ts';

export type HistoryAction = 'openInEditor' | 'rename' | 'pin' | 'unpin' | 'export' | 'delete' | 'openFolder';

export interface HistoryButton extends vscode.QuickInputButton {
  readonly action: HistoryAction;
}

export interface HistoryItem extends vscode.QuickPickItem {
  /** Absent for headings and for what is only said. */
  readonly entry?: HistoryEntry;
}

export interface ItemContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Something is typed: what is given is shown, for it was chosen by that. */
  readonly isFiltered: boolean;
  /** What can be done with conversations of this workspace. */
  readonly actions: ReadonlySet<HistoryAction>;
}

export function historyItem(row: HistoryRow, context: ItemContext): HistoryItem {
  switch (row.kind) {
    case 'group':
      return { kind: vscode.QuickPickItemKind.Separator, label: groupLabel(row.group) };
    case 'entry':
      return entryItem(row.entry, row.found, context);
    case 'more':
      return saidItem(
        context.isFiltered
          ? vscode.l10n.t('{0} more. Type more words to find them.', row.count)
          : vscode.l10n.t('{0} more. Type words of their titles or texts to find them.', row.count),
      );
  }
}

/** Something that is to be known of the list, in the list. Not as its label: VS Code would look for what is typed in it, and put it first. */
export function saidItem(text: string): HistoryItem {
  return { label: '$(info)', description: text, alwaysShow: true };
}

function entryItem(
  entry: HistoryEntry,
  found: FoundLine | undefined,
  { now, isFiltered, actions }: ItemContext,
): HistoryItem {
  return {
    label: entryTitle(entry, isFiltered ? undefined : longestListed),
    description: [
      ...states(entry),
      // A heading says so while nothing is typed.
      ...(isFiltered ? [...pinnedText(entry), ...placeNames(entry)] : []),
      ...facts(entry, now, isFiltered),
    ].join(' · '),
    ...(found !== undefined && { detail: plainLabel(visibleLine(found.line)) }),
    iconPath: new vscode.ThemeIcon(iconOf(entry)),
    buttons: buttonsOf(entry, actions),
    alwaysShow: isFiltered,
    entry,
  };
}

/** In characters as people count them: behind it there is room for what is going on, and for the day. */
const longestListed = 60;

/** In one line, as text. */
function entryTitle({ title }: HistoryEntry, longest?: number): string {
  const line = titleOf(title, longest);
  return line === '' ? vscode.l10n.t('All questions were deleted') : line;
}

function groupLabel(group: HistoryGroup): string {
  switch (group.kind) {
    case 'pinned':
      return vscode.l10n.t('Pinned');
    case 'today':
      return vscode.l10n.t('Today');
    case 'yesterday':
      return vscode.l10n.t('Yesterday');
    case 'week':
      return vscode.l10n.t('Last 7 days');
    case 'older':
      return vscode.l10n.t('Older');
    case 'workspace':
      return workspaceName(group.name);
  }
}

function workspaceName(name: string): string {
  return name === '' ? vscode.l10n.t('Windows without a folder') : visibleLine(name);
}

function placeNames({ place }: HistoryEntry): readonly string[] {
  return place === undefined ? [] : [plainLabel(workspaceName(place.name))];
}

function pinnedText({ pinned }: HistoryEntry): readonly string[] {
  return pinned.length > 0 ? [vscode.l10n.t('pinned')] : [];
}

function states({ isShown, state, isForked }: HistoryEntry): readonly string[] {
  return [
    ...(isShown ? [vscode.l10n.t('shown')] : []),
    ...stateText(state),
    ...(isForked ? [vscode.l10n.t('forked')] : []),
  ];
}

function stateText(state: HistoryEntry['state']): readonly string[] {
  switch (state) {
    case 'waiting':
      return [vscode.l10n.t('waiting for you')];
    case 'answering':
      return [vscode.l10n.t('answering')];
    case 'unanswered':
      return [vscode.l10n.t('not answered')];
    case undefined:
      return [];
  }
}

function facts(
  { changedAt, questions, members, pinned, place }: HistoryEntry,
  now: number,
  isFiltered: boolean,
): readonly string[] {
  const isDayNamed = !isFiltered && pinned.length === 0 && place === undefined;
  return [
    questions === 1 ? vscode.l10n.t('1 question') : vscode.l10n.t('{0} questions', questions),
    ...(members.length > 1 ? [vscode.l10n.t('{0} versions', members.length)] : []),
    timeText(changedAt, now, isDayNamed ? 1 : 0),
  ];
}

/** The time, of today and of so many days before it, whose headings name the day; else the day. */
function timeText(at: number, now: number, daysBefore: number): string {
  const [day, today] = [new Date(at), new Date(now)];
  const near = new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysBefore);
  const isNear = at >= near.getTime();
  const options: Intl.DateTimeFormatOptions = isNear
    ? { timeStyle: 'short' }
    : day.getFullYear() === today.getFullYear()
      ? { weekday: 'short', month: 'short', day: 'numeric' }
      : { dateStyle: 'medium' };
  return new Intl.DateTimeFormat(vscode.env.language, options).format(day);
}

function iconOf({ state, isForked }: HistoryEntry): string {
  switch (state) {
    case 'waiting':
      return 'bell-dot';
    case 'answering':
      return 'ellipsis';
    default:
      return isForked ? 'repo-forked' : 'comment-discussion';
  }
}

function buttonsOf({ place, pinned }: HistoryEntry, actions: ReadonlySet<HistoryAction>): HistoryButton[] {
  if (place !== undefined) return place.uri === undefined ? [] : [button('openFolder')];
  const wanted: readonly HistoryAction[] = [
    'openInEditor',
    'rename',
    pinned.length > 0 ? 'unpin' : 'pin',
    'export',
    'delete',
  ];
  return wanted.filter((action) => actions.has(action)).map(button);
}

function button(action: HistoryAction): HistoryButton {
  const [icon, tooltip] = looks(action);
  return { action, iconPath: new vscode.ThemeIcon(icon), tooltip };
}

function looks(action: HistoryAction): readonly [string, string] {
  switch (action) {
    case 'openInEditor':
      return ['go-to-file', vscode.l10n.t('Open in an editor tab')];
    case 'rename':
      return ['edit', vscode.l10n.t('Rename')];
    case 'pin':
      return ['pin', vscode.l10n.t('Pin')];
    case 'unpin':
      return ['pinned', vscode.l10n.t('Unpin')];
    case 'export':
      return ['export', vscode.l10n.t('Export')];
    case 'delete':
      return ['trash', vscode.l10n.t('Delete')];
    case 'openFolder':
      return ['folder-opened', vscode.l10n.t('Open its folder')];
  }
}
