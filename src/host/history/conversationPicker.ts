/** The list of conversations: typing looks through titles and texts, buttons rename, pin and delete. What is listed is made elsewhere. */
import * as vscode from 'vscode';

import { DisposableStore } from '../disposables.ts';
import type { ConversationHit } from '../journal/searchJournals.ts';
import {
  deleteConversation,
  historyProblemText,
  pinConversation,
  renameConversation,
  type HistoryProblem,
} from './historyChanges.ts';
import type { HistoryEntry } from './historyEntries.ts';
import {
  historyItem,
  saidItem,
  type HistoryAction,
  type HistoryButton,
  type HistoryItem,
} from './historyItems.ts';
import type { HistoryList, TextSearchEnd } from './historyList.ts';
import type { HistoryParts } from './historyParts.ts';
import { listedRows, matchingRows, wordsOf } from './historyRows.ts';
import { ShownRows } from './historyShown.ts';
import { openConversation, openItsFolder } from './openConversation.ts';

/** Milliseconds that a person pauses in typing before texts are looked through. */
const typingRest = 150;
/** Milliseconds between two times that the list is drawn anew for what is found or happens. */
const drawingRest = 100;
/** UTF-16 units of words that are looked for in texts: with fewer everything would be found. */
const shortestQuery = 2;

/** What is typed, and where the person is in the list. */
interface Place {
  readonly query: string;
  readonly id: string | undefined;
}

/** Shows the list, and what is chosen in it. */
export async function showConversations(parts: HistoryParts, list: HistoryList): Promise<void> {
  let place: Place = { query: '', id: undefined };
  for (;;) {
    const picker = new ConversationPicker(parts, list, place);
    const outcome = await picker.show();
    if (outcome.kind === 'chosen') return await openConversation(outcome.entry, parts, list);
    if (outcome.kind === 'closed') return;
    // An input box takes the place of the list: it comes back as it was.
    place = outcome.place;
    tell(await renameConversation(outcome.entry, parts));
  }
}

type Outcome =
  | { readonly kind: 'closed' }
  | { readonly kind: 'chosen'; readonly entry: HistoryEntry }
  | { readonly kind: 'rename'; readonly entry: HistoryEntry; readonly place: Place };

class ConversationPicker {
  readonly #store = new DisposableStore();
  readonly #parts: HistoryParts;
  readonly #list: HistoryList;
  readonly #pick: vscode.QuickPick<HistoryItem>;
  readonly #actions: ReadonlySet<HistoryAction>;
  readonly #rows: ShownRows;
  /** Rows wait to be drawn until those before are there. */
  #isStale = false;
  /** Enter was pressed before what was typed was answered: the first row is meant, as soon as there is one. */
  #isAccepted = false;
  /** No conversation is listed. */
  #isNone = true;
  #own: readonly HistoryEntry[] = [];
  #others: readonly HistoryEntry[] = [];
  readonly #found = new Map<string, ConversationHit>();
  #ended: TextSearchEnd | undefined;
  #searching = new AbortController();
  #searchTimer: NodeJS.Timeout | undefined;
  #drawTimer: NodeJS.Timeout | undefined;
  #readTimer: NodeJS.Timeout | undefined;
  #isRead = false;
  /** The texts are looked through for what is typed, or soon will be. */
  #isSearching = false;
  /** What is still being read or looked for. */
  #pending = 0;
  /** Where the person is to be put as soon as that is listed. */
  #wanted: string | undefined;
  #end: (outcome: Outcome) => void = () => undefined;

  constructor(parts: HistoryParts, list: HistoryList, { query, id }: Place) {
    this.#parts = parts;
    this.#list = list;
    this.#actions = actionsOf(parts);
    this.#wanted = id;
    const pick = this.#store.add(vscode.window.createQuickPick<HistoryItem>());
    this.#pick = pick;
    pick.title = vscode.l10n.t('Conversations');
    pick.placeholder = vscode.l10n.t('Type words of a title or a text');
    pick.value = query;
    this.#rows = new ShownRows(pick, () => {
      if (this.#isStale) this.#drawSoon(0);
      else if (this.#isAccepted && !this.#isNone) this.#acceptNow();
    });
    this.#store.add(pick.onDidAccept(() => this.#accept()));
    this.#store.add(pick.onDidHide(() => this.#end({ kind: 'closed' })));
    this.#store.add(pick.onDidChangeValue(() => this.#typed()));
    this.#store.add(
      pick.onDidTriggerItemButton(({ item, button }) => {
        const { entry } = this.#rows.meant(item) ?? {};
        if (entry !== undefined) this.#press(entry, (button as HistoryButton).action);
      }),
    );
    const { kept, sessions } = parts;
    const changed = (): void => this.#readSoon();
    if (kept !== undefined) this.#store.add(kept.store.onDidChange(changed));
    this.#store.add(sessions.onDidAsk(changed));
  }

  async show(): Promise<Outcome> {
    const ended = new Promise<Outcome>((resolve) => (this.#end = resolve));
    ({ own: this.#own, others: this.#others } = this.#list.last);
    this.#draw();
    this.#pick.show();
    this.#during(this.#readAll());
    const outcome = await ended;
    this.#searching.abort();
    for (const timer of [this.#searchTimer, this.#drawTimer, this.#readTimer]) clearTimeout(timer);
    this.#store.dispose();
    return outcome;
  }

  async #readAll(): Promise<void> {
    await this.#readOwn();
    // They may lie in many folders: what is this workspace's own is not kept waiting.
    this.#others = await this.#list.others();
    this.#isRead = true;
    this.#search();
    this.#drawSoon(0);
  }

  async #readOwn(): Promise<void> {
    this.#own = await this.#list.own(this.#parts.panel().sessions.current);
    this.#drawSoon(0);
  }

  #readSoon(): void {
    this.#readTimer ??= setTimeout(() => {
      this.#readTimer = undefined;
      this.#during(this.#readOwn());
    }, drawingRest);
  }

  #typed(): void {
    this.#searching.abort();
    this.#found.clear();
    this.#ended = undefined;
    this.#isSearching = true;
    this.#isAccepted = false;
    this.#drawSoon(0);
    clearTimeout(this.#searchTimer);
    this.#searchTimer = setTimeout(() => this.#search(), typingRest);
  }

  #search(): void {
    this.#searching.abort();
    this.#searching = new AbortController();
    const { signal } = this.#searching;
    const query = this.#pick.value;
    this.#isSearching = wordsOf(query).join('').length >= shortestQuery;
    if (!this.#isSearching) return this.#drawSoon(0);
    const work = this.#list.search([...this.#own, ...this.#others], {
      query,
      signal,
      onHit: (hit) => {
        if (signal.aborted) return;
        this.#found.set(hit.id, hit);
        this.#drawSoon();
      },
    });
    this.#during(
      work.then((end) => {
        if (signal.aborted) return;
        this.#ended = end;
        this.#isSearching = false;
        this.#drawSoon(0);
      }),
    );
  }

  /** Never at once: VS Code joins what is set in quick succession, and may have more to tell of what was typed. */
  #drawSoon(rest = drawingRest): void {
    if (rest === 0) clearTimeout(this.#drawTimer);
    else if (this.#drawTimer !== undefined) return;
    this.#drawTimer = setTimeout(() => this.#draw(), rest);
  }

  #draw(): void {
    clearTimeout(this.#drawTimer);
    this.#drawTimer = undefined;
    if (this.#store.isDisposed) return;
    // Drawn when it is, and then as it is by then.
    this.#isStale = !this.#rows.isReady;
    if (this.#isStale) return;
    const now = this.#parts.clock();
    const query = this.#pick.value;
    const entries = [...this.#own, ...this.#others];
    const isFiltered = wordsOf(query).length > 0;
    const rows = isFiltered ? matchingRows(entries, query, this.#found) : listedRows(entries, now);
    const items = rows.map((row) => historyItem(row, { now, isFiltered, actions: this.#actions }));
    this.#isNone = items.length === 0;
    const said = this.#isNone && !this.#mayCome ? [saidOfNone(isFiltered)] : [];
    this.#rows.set([...items, ...said, ...saidOf(this.#ended)], this.#wanted);
    if (entries.some(({ id }) => id === this.#wanted)) this.#wanted = undefined;
    if (this.#isNone) this.#isAccepted &&= this.#mayCome;
    else if (this.#isAccepted && this.#rows.isReady) this.#acceptNow();
  }

  /** More rows than are listed may still be found. */
  get #mayCome(): boolean {
    return !this.#isRead || (this.#isSearching && wordsOf(this.#pick.value).length > 0);
  }

  #accept(): void {
    this.#isAccepted = !this.#rows.isUpToDate || (this.#isNone && this.#mayCome);
    // What was the current row when it was pressed is none of those that come.
    if (!this.#isAccepted) this.#choose(this.#pick.selectedItems[0] ?? this.#pick.activeItems[0]);
  }

  /** For Enter that was pressed before the rows were there. */
  #acceptNow(): void {
    this.#isAccepted = false;
    this.#choose(this.#pick.activeItems[0]);
  }

  #choose(item: HistoryItem | undefined): void {
    const entry = this.#rows.meant(item)?.entry;
    if (entry !== undefined) this.#end({ kind: 'chosen', entry });
  }

  #press(entry: HistoryEntry, action: HistoryAction): void {
    const { openInEditor, exportConversation } = this.#parts;
    switch (action) {
      case 'rename':
        this.#end({ kind: 'rename', entry, place: { query: this.#pick.value, id: entry.id } });
        return;
      case 'pin':
      case 'unpin':
        this.#change(pinConversation(entry, this.#parts));
        return;
      case 'delete':
        this.#change(deleteConversation(entry, this.#parts));
        return;
      case 'openInEditor':
        this.#leaveFor(
          openInEditor?.(entry.id).then((isThere) => {
            if (isThere === false) tell('missing');
          }),
        );
        return;
      case 'export':
        this.#leaveFor(exportConversation?.(entry.id));
        return;
      case 'openFolder':
        this.#leaveFor(openItsFolder(entry, this.#list));
    }
  }

  /** The list stays, as it is then. */
  #change(work: Promise<HistoryProblem | undefined>): void {
    this.#during(
      work.then(async (problem) => {
        tell(problem);
        await this.#readOwn();
      }),
    );
  }

  #leaveFor(work: Promise<unknown> | undefined): void {
    work?.catch((error: unknown) => this.#parts.log.bug('conversations', error));
    this.#end({ kind: 'closed' });
  }

  #during(work: Promise<void>): void {
    this.#pending += 1;
    this.#pick.busy = true;
    void work
      .catch((error: unknown) => this.#parts.log.bug('conversations', error))
      .finally(() => {
        this.#pending -= 1;
        if (!this.#store.isDisposed) this.#pick.busy = this.#pending > 0;
      });
  }
}

/** Why there is nothing. */
function saidOfNone(isFiltered: boolean): HistoryItem {
  return saidItem(
    isFiltered
      ? vscode.l10n.t('No conversation has these words in its title or its texts.')
      : vscode.l10n.t('No conversation yet. What you ask is kept here.'),
  );
}

function saidOf(ended: TextSearchEnd | undefined): readonly HistoryItem[] {
  if (ended === undefined) return [];
  const { isFull, unread } = ended;
  return [
    ...(isFull ? [saidItem(vscode.l10n.t('There may be more. Type more words to find it.'))] : []),
    ...(unread > 0 ? [saidItem(vscode.l10n.t('{0} conversations could not be read.', unread))] : []),
  ];
}

function actionsOf({ kept, openInEditor, exportConversation }: HistoryParts): ReadonlySet<HistoryAction> {
  return new Set<HistoryAction>([
    ...(openInEditor === undefined ? [] : (['openInEditor'] as const)),
    ...(kept === undefined ? [] : (['rename', 'pin', 'unpin', 'delete'] as const)),
    ...(exportConversation === undefined ? [] : (['export'] as const)),
  ]);
}

function tell(problem: HistoryProblem | undefined): void {
  if (problem !== undefined) void vscode.window.showWarningMessage(historyProblemText(problem));
}
