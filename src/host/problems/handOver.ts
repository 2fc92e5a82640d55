/**
 * Hands problems that patches brought to the model, as a question of the conversation that has the patch: because the person pressed
 * the button, or by itself where they want that. A question like any other: it waits its turn, and is held back where others are.
 */
import * as vscode from 'vscode';

import { broughtHeading, problemsText } from '../../core/conversation/contextTexts.ts';
import type { Attachment } from '../../core/conversation/userMessage.ts';
import { attachedScheme } from '../context/describe.ts';
import { DisposableStore } from '../disposables.ts';
import { openDocument } from '../edits/files/documentText.ts';
import type { Log } from '../log.ts';
import type { Queue } from '../chat/queue.ts';
import type { ChatSession } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { Places, closedGate } from '../tools/places.ts';
import type { Problem } from './compareProblems.ts';
import type { PatchProblems } from './patchProblems.ts';

/** How often in a row it is done without a question of the person in between. */
const mostInRow = 2;

export interface HandOverParts {
  readonly problems: PatchProblems;
  readonly sessions: Sessions;
  readonly queue: Pick<Queue, 'add' | 'facts'>;
  readonly settings: { readonly sendProblems: boolean };
  readonly newId: () => string;
  readonly log: Log;
}

interface Row {
  readonly times: number;
  readonly proposals: readonly string[];
}

export class HandOver implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #parts: HandOverParts;
  /** What was done by itself since the person asked something. */
  readonly #rows = new Map<ChatSession, Row>();
  /** Attachments of questions that were asked by themselves. */
  readonly #own = new Set<string>();
  /** Patches that are to be handed over when their conversation is idle. */
  readonly #due = new Map<ChatSession, Set<string>>();
  readonly #watched = new Set<ChatSession>();

  constructor(parts: HandOverParts) {
    this.#parts = parts;
    const { problems, sessions, settings, log } = parts;
    this.#store.add(
      sessions.onDidClose((session) => {
        this.#rows.delete(session);
        this.#due.delete(session);
        this.#watched.delete(session);
      }),
    );
    this.#store.add(
      problems.onDidCheck((proposal) => {
        if (!settings.sendProblems || isHanded(problems, proposal)) return;
        const session = this.#sessionOf(proposal);
        if (session === undefined) return;
        this.#watch(session);
        const due = this.#due.get(session) ?? new Set();
        this.#due.set(session, due.add(proposal));
        this.#whenIdle(session).catch((error: unknown) => log.bug('handing over problems', error));
      }),
    );
  }

  /** Because the person wants it. False when there is nothing to hand over any more. */
  async ask(proposal: string): Promise<boolean> {
    const session = this.#sessionOf(proposal);
    return session !== undefined && (await this.#hand(session, [proposal]));
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** The model may mend it itself as long as it goes on: what counts is what is left then. */
  async #whenIdle(session: ChatSession): Promise<void> {
    await session.whenIdle();
    const due = [...(this.#due.get(session) ?? [])];
    this.#due.delete(session);
    if (due.length === 0 || this.#store.isDisposed || !this.#parts.settings.sendProblems) return;
    const row = this.#rows.get(session) ?? { times: 0, proposals: [] };
    // What the person has queued comes first, and may be about the same.
    if (row.times >= mostInRow || this.#parts.queue.facts(session).questions.length > 0) return;
    if (!endedWell(session)) return;
    // What it was asked to mend and did not counts again.
    const proposals = [...new Set([...row.proposals, ...due])];
    if (await this.#hand(session, proposals, true)) {
      this.#rows.set(session, { times: row.times + 1, proposals });
    }
  }

  async #hand(session: ChatSession, proposals: readonly string[], byItself = false): Promise<boolean> {
    const { problems, queue, newId } = this.#parts;
    const found = new Map<string, Problem>();
    for (const proposal of proposals)
      for (const problem of problems.introduced(proposal)) found.set(JSON.stringify(problem), problem);
    const attachment = await attachmentOf([...found.values()], newId());
    if (attachment === undefined) return false;
    if (byItself) this.#own.add(attachment.id);
    for (const proposal of proposals) problems.handed(proposal);
    queue.add(session, {
      id: newId(),
      text: vscode.l10n.t('The patch brought these problems. Please fix them.'),
      attachments: [attachment],
    });
    return true;
  }

  #sessionOf(proposal: string): ChatSession | undefined {
    const { sessions } = this.#parts;
    const has = ({ conversation }: ChatSession): boolean =>
      conversation.turns.some(({ parts }) =>
        parts.some((part) => part.kind === 'tool' && part.proposal?.id === proposal),
      );
    // Branches share their beginnings: the one that the person looked at last.
    return sessions.recent.find(has);
  }

  #watch(session: ChatSession): void {
    if (this.#watched.has(session)) return;
    this.#watched.add(session);
    this.#store.add(
      session.onDidHappen((event) => {
        if (event.kind !== 'turnStarted') return;
        if (event.question.attachments.some(({ id }) => this.#own.has(id))) return;
        this.#rows.delete(session);
      }),
    );
  }
}

function isHanded(problems: PatchProblems, proposal: string): boolean {
  return problems.current.some((each) => each.proposal === proposal && each.handed === true);
}

/** Somebody who stopped the model does not want it to go on by itself. */
function endedWell({ conversation }: ChatSession): boolean {
  return conversation.turns.at(-1)?.end?.kind === 'completed';
}

/** Of what the model may read. Undefined when that is nothing. */
async function attachmentOf(problems: readonly Problem[], id: string): Promise<Attachment | undefined> {
  const places = new Places(closedGate, vscode.workspace.workspaceFolders ?? []);
  const told = [];
  for (const { uri, line, column, ...problem } of problems) {
    const file = vscode.Uri.parse(uri, true);
    const { path, closed } = await places.describe(file);
    if (closed !== undefined) continue;
    const document = openDocument(file);
    told.push({
      ...{ ...problem, path, line: line + 1, column: column + 1, related: [] },
      ...(document !== undefined && line < document.lineCount && { code: document.lineAt(line).text }),
    });
  }
  if (told.length === 0) return undefined;
  return {
    ...{ id, kind: 'problems', path: vscode.l10n.t('Problems after the patch'), languageId: 'plaintext' },
    uri: vscode.Uri.from({ scheme: attachedScheme, path: '/problems' }).toString(),
    ...problemsText(told),
    heading: broughtHeading,
  };
}
