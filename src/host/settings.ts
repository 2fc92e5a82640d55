/** Our settings and the editor's network settings, read anew at each use and checked: they are written by hand. */
import * as vscode from 'vscode';

import {
  effortFor,
  modelRow,
  models,
  type Effort,
  type ModelId,
  type ModelRow,
} from '../core/conversation/conversation.ts';
import {
  readAddress,
  readFallback,
  defaultBaseUrl,
  type AddressProblem,
  type ServiceAddress,
} from './address.ts';
import type { SpendingLimits } from '../core/cost/limits.ts';
import type { PriceTable } from '../core/cost/prices.ts';
import { readLimits, type LimitName } from '../core/cost/readLimits.ts';
import { readPrices, type PriceProblem } from '../core/cost/readPrices.ts';
import type { CacheTtl } from '../core/responses/models.ts';
import { defaultMaxRounds } from '../core/conversation/turn.ts';
import { readDomains, scopeOf, type WebSearchScope } from '../core/responses/webSearchTool.ts';
import type { SendKey, PatchMode, ReasoningFold } from '../protocol/toWebview.ts';
import type { Result } from '../core/result.ts';
import { DisposableStore } from './disposables.ts';

/** The model, the effort and the room for one turn. */
export interface TurnChoice {
  readonly model: ModelId;
  readonly effort: Effort;
  /** Tokens; left to the server when absent. */
  readonly maxOutputTokens?: number;
  /** Left to the server when absent. */
  readonly cacheTtl?: CacheTtl;
  /** Requests in a row without the person; the loop's own limit when absent. */
  readonly maxRounds?: number;
}

/** What the settings say of searching the web. */
export interface WebSearchSettings {
  /** In conversations in which the person did not say otherwise. */
  readonly on: boolean;
  /** Undefined when the sites that it is to be kept to can't be read: then it is not searched at all. */
  readonly scope: WebSearchScope | undefined;
  /** Entries of the list of sites that can't be read, as they were given. */
  readonly unread: readonly string[];
}

export const section = 'kimiChat';

export class Settings implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;

  /** What was picked in the panel and is not in the settings: not yet, or because they could not be written. */
  readonly #picked = new Map<string, Pick>();

  constructor() {
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        for (const [name, { writing }] of this.#picked) {
          // Set by hand since: that is newer.
          if (!writing && event.affectsConfiguration(`${section}.${name}`)) this.#picked.delete(name);
        }
        if (event.affectsConfiguration(section) || event.affectsConfiguration('http')) this.#changed.fire();
      }),
    );
  }

  get baseUrl(): string {
    const value = this.#own('baseUrl');
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : defaultBaseUrl;
  }

  get address(): Result<ServiceAddress, AddressProblem> {
    return readAddress(this.baseUrl);
  }

  /** Where a request may go instead, when nothing of it was worked on. */
  get otherAddress(): ServiceAddress | undefined {
    const { address } = this;
    const value = this.#own('fallbackUrl');
    return address.ok && typeof value === 'string' ? readFallback(address.value, value) : undefined;
  }

  get model(): ModelRow {
    const value = this.#own('model');
    return (typeof value === 'string' ? modelRow(value) : undefined) ?? defaultModel;
  }

  /** The nearest effort that the present model has. */
  get effort(): Effort {
    const value = this.#own('effort');
    return effortFor(this.model, typeof value === 'string' ? value : undefined);
  }

  /** Holds from this moment on. Resolves with false when it could not be saved and holds until the window closes. */
  setModel(id: ModelId): Promise<boolean> {
    return this.#pick('model', id);
  }

  /** As `setModel`. */
  setEffort(effort: Effort): Promise<boolean> {
    return this.#pick('effort', effort);
  }

  /** What the next turn is asked with. */
  get choice(): TurnChoice {
    const limit = this.#own('maxOutputTokens');
    const given = typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= 1_048_576;
    // Five minutes are what the service does by itself: saying so would only make the request another one.
    const long = this.#own('cacheTtl') === '1h';
    const rounds = this.#own('maxRounds');
    const limited =
      typeof rounds === 'number' && Number.isInteger(rounds) && rounds >= 1 && rounds !== defaultMaxRounds;
    return {
      model: this.model.id,
      effort: this.effort,
      ...(given && { maxOutputTokens: limit }),
      ...(long && { cacheTtl: '1h' }),
      ...(limited && { maxRounds: Math.min(rounds, mostRounds) }),
    };
  }

  get webSearch(): WebSearchSettings {
    const read = readDomains(this.#own('webSearchDomains'));
    return { on: this.#own('webSearch') === true, scope: scopeOf(read), unread: read.unread };
  }

  /** What the models cost, as the person has it or by default. */
  get prices(): PriceTable {
    return readPrices(this.#own('prices')).prices;
  }

  /** What the person has set against spending too much. */
  get limits(): SpendingLimits {
    return this.#limits().limits;
  }

  /** What of prices and limits can't be read, so that a default stands in for it or, of a limit, nothing. */
  get costProblems(): { readonly prices: readonly PriceProblem[]; readonly limits: readonly LimitName[] } {
    return { prices: readPrices(this.#own('prices')).problems, limits: this.#limits().problems };
  }

  /** Seconds without a byte after which a request is given up. */
  get silenceSeconds(): number {
    const value = this.#own('silenceSeconds');
    return typeof value === 'number' && value >= 10 ? Math.min(value, longestSilence) : 900;
  }

  /** Days after its last change for which a conversation is kept; 0, as for anything that is no such number, is for ever. */
  get keepConversations(): number {
    const value = this.#own('keepConversations');
    return typeof value === 'number' && Number.isFinite(value) && value >= 1 ? value : 0;
  }

  /** Anything but the one word means to ask. */
  get patchMode(): PatchMode {
    return this.#own('patchMode') === 'acceptAutomatically' ? 'acceptAutomatically' : 'ask';
  }

  /** Anything but the two other words means while the model thinks. */
  get reasoning(): ReasoningFold {
    const value = this.#own('reasoning');
    return value === 'open' || value === 'folded' ? value : 'whileThinking';
  }

  /** Anything but the one word means Enter. */
  get sendKey(): SendKey {
    return this.#own('sendKey') === 'modEnter' ? 'modEnter' : 'enter';
  }

  /** What the person wants every conversation to be told. Empty when that is nothing. */
  get ownInstructions(): string {
    const value = this.#own('instructions');
    return typeof value === 'string' ? value.trim() : '';
  }

  /** Where the person keeps prompt files of their own, as they wrote it. Empty when nowhere. */
  get promptsFolder(): string {
    const value = this.#own('promptsFolder');
    return typeof value === 'string' ? value.trim() : '';
  }

  /** As `setModel`. */
  setPatchMode(mode: PatchMode): Promise<boolean> {
    return this.#pick('patchMode', mode);
  }

  /** Whether accepted files that had no unsaved changes are saved. */
  get saveAfterAccept(): boolean {
    return this.#own('saveAfterAccept') !== false;
  }

  /** Whether the model is asked by itself to mend problems that its accepted patches brought. */
  get sendProblems(): boolean {
    return this.#own('sendProblems') === true;
  }

  /** Anything but the one other word means by the model. */
  get titles(): 'model' | 'firstWords' {
    return this.#own('titles') === 'firstWords' ? 'firstWords' : 'model';
  }

  /** Whether the model may ask to run commands. Only the word itself switches it off: it asks each time. */
  get runCommands(): boolean {
    return this.#own('runCommands') !== false;
  }

  /** Whether what looks secret is held back until the person has decided. */
  get secretGuard(): boolean {
    return this.#own('secretGuard') !== false;
  }

  #limits(): ReturnType<typeof readLimits> {
    return readLimits({
      confirmAbove: this.#own('confirmAbove'),
      day: this.#own('dailyLimit'),
      conversation: this.#own('conversationLimit'),
    });
  }

  #own(name: string): unknown {
    return this.#picked.get(name)?.value ?? personValue(section, name);
  }

  /** Writing takes VS Code a while, and a question sent in that time is to be asked as the panel shows it. */
  async #pick(name: string, value: string): Promise<boolean> {
    const pick: Pick = { value, writing: true };
    this.#picked.set(name, pick);
    this.#changed.fire();
    let saved = true;
    try {
      await vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);
    } catch {
      saved = false;
    }
    pick.writing = false;
    if (saved && this.#picked.get(name) === pick) this.#picked.delete(name);
    return saved;
  }

  dispose(): void {
    this.#store.dispose();
  }
}

interface Pick {
  readonly value: string;
  writing: boolean;
}

const defaultModel = models[0]!;

/** Far more than a person wants to pay for unseen. */
const mostRounds = 1_000;

/** A week. Timers take no more than 24 days, and beyond that run out at once. */
const longestSilence = 7 * 24 * 60 * 60;

/**
 * A setting's value as the person or the machine gave it, never as a folder did, whatever scope it was declared with: a folder must
 * not be able to redirect traffic.
 */
export function personValue(ofSection: string, name: string): unknown {
  const inspected = vscode.workspace.getConfiguration(ofSection).inspect<unknown>(name);
  return inspected?.globalValue ?? inspected?.defaultValue;
}
