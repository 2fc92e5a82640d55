/** What a panel shows around the conversation, gathered from settings, keys, the draft and the editor. */
import * as vscode from 'vscode';

import { summaryOf } from '../../core/conversation/userMessage.ts';
import type {
  AlongFacts,
  KeyState,
  PanelState,
  RecentConversation,
  Suggestion,
  WebSearchFacts,
} from '../../protocol/toWebview.ts';
import { DisposableStore } from '../disposables.ts';
import type { Log } from '../log.ts';
import type { PatchProblems } from '../problems/patchProblems.ts';
import type { Along } from '../prompts/along.ts';
import type { ApiKeys } from '../secrets.ts';
import type { Settings } from '../settings.ts';
import type { CodeProposals } from './codeProposals.ts';
import type { CostFacts } from './costFacts.ts';
import type { Draft } from '../composer/draft.ts';
import { editorInFront } from './editorInFront.ts';
import type { OrphanedPatches } from '../sessions/orphanedPatches.ts';
import { isFileItself, placeOf } from '../composer/placeOf.ts';

export interface PanelFactsSources {
  readonly settings: Settings;
  readonly keys: ApiKeys;
  readonly draft: Draft;
  readonly along: Pick<Along, 'current' | 'onDidChange'>;
  readonly orphans: OrphanedPatches;
  readonly code: Pick<CodeProposals, 'current' | 'onDidChange'>;
  readonly cost: CostFacts;
  readonly problems: Pick<PatchProblems, 'current' | 'onDidChange'>;
  readonly recent: {
    readonly current: readonly RecentConversation[];
    readonly onDidChange: vscode.Event<unknown>;
  };
  /** Of the conversation that is shown. Read at each use. */
  readonly webSearch: () => WebSearchFacts;
  /** Whether another window writes the conversation that is shown, or has deleted it. Read at each use. */
  readonly elsewhere?: () => PanelState['elsewhere'];
  readonly log: Log;
}

export class PanelFacts implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #sources: PanelFactsSources;
  readonly #changed = this.#store.add(new vscode.EventEmitter<void>());
  #key: KeyState = 'present';
  /** Only the newest reading counts: the secret storage may answer out of order. */
  #reading = 0;

  /** `current` may be another. It is not gathered here: nobody may be looking. */
  readonly onDidChange = this.#changed.event;

  constructor(sources: PanelFactsSources) {
    this.#sources = sources;
    const { settings, keys, draft, along, orphans, code, cost, problems } = sources;
    const tell = (): void => this.#changed.fire();
    this.#store.add(draft.onDidChangeAttachments(tell));
    this.#store.add(along.onDidChange(tell));
    this.#store.add(orphans.onDidChange(tell));
    this.#store.add(code.onDidChange(tell));
    this.#store.add(cost.onDidChange(tell));
    this.#store.add(problems.onDidChange(tell));
    this.#store.add(sources.recent.onDidChange(tell));
    // VS Code tells of tabs and of editors apart; only when both have come is it known what stands in front.
    this.#store.add(vscode.window.onDidChangeActiveTextEditor(tell));
    this.#store.add(vscode.window.tabGroups.onDidChangeTabs(tell));
    this.#store.add(vscode.window.tabGroups.onDidChangeTabGroups(tell));
    this.#store.add(
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        const shown = editorInFront()?.document.uri.toString();
        if (uris.some((uri) => uri.toString() === shown)) tell();
      }),
    );
    this.#store.add(settings.onDidChange(() => void this.readKey()));
    this.#store.add(keys.onDidChange(() => void this.readKey()));
  }

  /** As it was found last. */
  get key(): KeyState {
    return this.#key;
  }

  get current(): PanelState {
    const { settings, draft, orphans, code, cost, problems, recent, webSearch } = this.#sources;
    const { address } = settings;
    const along = this.#sources.along.current;
    const elsewhere = this.#sources.elsewhere?.();
    return {
      key: this.#key,
      ...(address.ok && { service: { origin: address.value.origin, evolink: address.value.evolink } }),
      model: settings.model.id,
      effort: settings.effort,
      patchMode: settings.patchMode,
      sendKey: settings.sendKey,
      reasoning: settings.reasoning,
      ...(elsewhere !== undefined && { elsewhere }),
      attachments: draft.attachments.map(summaryOf),
      ...(isAnything(along) && { along }),
      suggestions: suggestions(editorInFront()),
      ...(code.current.length > 0 && { code: code.current }),
      ...(problems.current.length > 0 && { problems: problems.current }),
      ...(orphans.current.length > 0 && { orphans: orphans.current }),
      ...(recent.current.length > 0 && { recent: recent.current }),
      silenceSeconds: settings.silenceSeconds,
      webSearch: webSearch(),
      ...cost.current,
    };
  }

  /** The question that is being written changed: so did what it will cost. */
  questionChanged(): void {
    this.#sources.cost.refresh();
  }

  /** Looks for the key of the present address and tells what all is like now. Never rejects. */
  async readKey(): Promise<KeyState> {
    this.#reading += 1;
    const reading = this.#reading;
    const key = await this.#lookForKey();
    if (reading === this.#reading) {
      this.#key = key;
      this.#changed.fire();
    }
    return key;
  }

  async #lookForKey(): Promise<KeyState> {
    const address = this.#sources.settings.address;
    // What is wrong with the address is said when a question is asked, next to what was typed.
    if (!address.ok) return 'notNeeded';
    try {
      if ((await this.#sources.keys.get(address.value.origin)) !== undefined) return 'present';
    } catch (error) {
      this.#sources.log.warn('The secret storage could not be read', error);
      return address.value.loopback ? 'notNeeded' : 'unreadable';
    }
    return address.value.loopback ? 'notNeeded' : 'missing';
  }

  dispose(): void {
    this.#store.dispose();
  }
}

function isAnything({ chips, left, skipped = [] }: AlongFacts): boolean {
  return chips.length + left.length + skipped.length > 0;
}

function suggestions(editor: vscode.TextEditor | undefined): readonly Suggestion[] {
  if (editor === undefined || !isFileItself(editor.document)) return [];
  const { document } = editor;
  const name = placeOf(document);
  const problems = vscode.languages.getDiagnostics(document.uri).length;
  return [
    { text: vscode.l10n.t('Explain {0}', name), attach: 'activeFile' },
    problems > 0
      ? { text: vscode.l10n.t('Fix the problems in {0}', name), attach: 'activeFile' }
      : { text: vscode.l10n.t('Find mistakes in {0}', name), attach: 'activeFile' },
    { text: vscode.l10n.t('Write tests for {0}', name), attach: 'activeFile' },
  ];
}
