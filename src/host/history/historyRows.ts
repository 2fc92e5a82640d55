/** In which order the list of conversations shows them, under which headings, and what of them matches what is typed. Pure. */
import type { HistoryEntry } from './historyEntries.ts';

export type HistoryGroup =
  | { readonly kind: 'pinned' | 'today' | 'yesterday' | 'week' | 'older' }
  /** Of another workspace, by its name. */
  | { readonly kind: 'workspace'; readonly name: string };

/** What was found in the text of a conversation. */
export interface FoundLine {
  readonly line: string;
}

export type HistoryRow =
  | { readonly kind: 'group'; readonly group: HistoryGroup }
  | { readonly kind: 'entry'; readonly entry: HistoryEntry; readonly found?: FoundLine }
  /** So many more that are not shown. */
  | { readonly kind: 'more'; readonly count: number };

/** More than a person reads through: beyond that they type. */
export const mostListed = 200;
/** Of each other workspace, while nothing is typed. */
export const mostOfOthers = 10;

/**
 * While nothing is typed: the pinned ones, then by day, then those of other workspaces.
 *
 * @param now milliseconds since the epoch; days are those of the person's own calendar
 */
export function listedRows(entries: readonly HistoryEntry[], now: number): readonly HistoryRow[] {
  const own = entries.filter(({ place }) => place === undefined);
  const isPinned = ({ pinned }: HistoryEntry): boolean => pinned.length > 0;
  const pinned = own.filter(isPinned);
  const others = own.filter((entry) => !isPinned(entry));
  const listed = others.slice(0, Math.max(0, mostListed - pinned.length));
  const days = Map.groupBy(listed, ({ changedAt }) => dayGroup(changedAt, now));
  const workspaces = Map.groupBy(
    entries.filter(({ place }) => place !== undefined),
    ({ place }) => place?.folder,
  );
  return [
    ...groupRows({ kind: 'pinned' }, pinned),
    ...dayGroups.flatMap((kind) => groupRows({ kind }, days.get(kind) ?? [])),
    ...moreRows(others.length - listed.length),
    ...[...workspaces.values()].flatMap((some) => [
      ...groupRows({ kind: 'workspace', name: some[0]?.place?.name ?? '' }, some.slice(0, mostOfOthers)),
      ...moreRows(some.length - mostOfOthers),
    ]),
  ];
}

/**
 * While something is typed: those whose titles have all of its words, then those in whose texts something was found, without
 * headings: VS Code shows none while something is typed.
 */
export function matchingRows(
  entries: readonly HistoryEntry[],
  query: string,
  found: ReadonlyMap<string, FoundLine>,
): readonly HistoryRow[] {
  const words = wordsOf(query);
  const titled = entries.filter(({ title }) => hasAll(title, words));
  const isTitled = new Set(titled);
  const texts = entries.flatMap((entry): readonly HistoryRow[] => {
    const line = isTitled.has(entry) ? undefined : foundIn(entry, found);
    return line === undefined ? [] : [{ kind: 'entry', entry, found: line }];
  });
  const shown = titled.slice(0, mostListed).map((entry): HistoryRow => ({ kind: 'entry', entry }));
  return [...shown, ...texts, ...moreRows(titled.length - shown.length)];
}

/** The words that are looked for, whatever their case. */
export function wordsOf(query: string): readonly string[] {
  return [...new Set(query.toLowerCase().split(/\s+/u))].filter((word) => word !== '');
}

function hasAll(title: string, words: readonly string[]): boolean {
  const text = title.toLowerCase();
  return words.every((word) => text.includes(word));
}

function foundIn({ members }: HistoryEntry, found: ReadonlyMap<string, FoundLine>): FoundLine | undefined {
  for (const id of members) {
    const line = found.get(id);
    if (line !== undefined) return line;
  }
  return undefined;
}

const dayGroups = ['today', 'yesterday', 'week', 'older'] as const;

type DayGroup = (typeof dayGroups)[number];

/** What is in the future, for a clock was wrong, is of today. */
function dayGroup(at: number, now: number): DayGroup {
  if (at >= startOfDay(now, 0)) return 'today';
  if (at >= startOfDay(now, 1)) return 'yesterday';
  return at >= startOfDay(now, 7) ? 'week' : 'older';
}

/** By the calendar: days on which clocks are changed have 23 or 25 hours. */
function startOfDay(now: number, daysBefore: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysBefore).getTime();
}

function groupRows(group: HistoryGroup, entries: readonly HistoryEntry[]): readonly HistoryRow[] {
  if (entries.length === 0) return [];
  return [{ kind: 'group', group }, ...entries.map((entry): HistoryRow => ({ kind: 'entry', entry }))];
}

function moreRows(count: number): readonly HistoryRow[] {
  return count > 0 ? [{ kind: 'more', count }] : [];
}
