/** Offers the model the tools of others that the person chose, and calls them for it. Draws nothing. */
import * as vscode from 'vscode';

import type { CancelSignal } from '../../core/cancel.ts';
import { foreignTool, type ForeignEnd, type Standing } from '../../core/tools/foreignTool.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { DisposableStore } from '../disposables.ts';
import { ChosenTools, type ChosenTool } from './chosenTools.ts';
import {
  inOrder,
  listedTools,
  printOf,
  ownerText,
  type ListedTool,
  type ToolSources,
} from './listedTools.ts';
import { resultParts } from './resultParts.ts';

export interface ForeignSources {
  readonly storage: vscode.Memento;
  /** What VS Code lists at this moment. */
  listed(): ToolSources;
  /** Nothing is run in a folder that the person does not trust. */
  isTrusted(): boolean;
  /** `lm.invokeTool` */
  invoke(
    name: string,
    input: object,
    token: vscode.CancellationToken,
  ): Thenable<vscode.LanguageModelToolResult>;
}

export class ForeignTools implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #sources: ForeignSources;
  readonly #chosen: ChosenTools;
  readonly #changed = this.#store.add(new vscode.EventEmitter<void>());

  readonly #found = this.#store.add(new vscode.EventEmitter<readonly ChosenTool[]>());
  /** Those that were made, each with what it was made from: they are asked for whenever the next question is reckoned. */
  readonly #made = new Map<string, { readonly from: string; readonly tool: Tool }>();
  /** Each changed tool, as it is now, is told of once. */
  readonly #told = new Set<string>();

  /** The person chose others. */
  readonly onDidChange = this.#changed.event;

  /** Tools were to be offered, but are not any more what they were when they were chosen. */
  readonly onDidFindChanged = this.#found.event;

  constructor(sources: ForeignSources) {
    this.#sources = sources;
    this.#chosen = new ChosenTools(sources.storage);
  }

  /** All that there are, in the order in which they are shown. */
  get listed(): readonly ListedTool[] {
    return inOrder(listedTools(this.#sources.listed()));
  }

  get chosen(): readonly ChosenTool[] {
    return this.#chosen.all;
  }

  /** Those that can be called at this moment, in an order that stays. */
  get tools(): readonly Tool[] {
    if (!this.#sources.isTrusted()) return [];
    const { chosen } = this;
    if (chosen.length === 0) return [];
    const listed = this.#byId();
    const changed: ChosenTool[] = [];
    const tools = chosen.flatMap((one): readonly Tool[] => {
      const tool = listed.get(one.id);
      if (tool === undefined) return [];
      if (printOf(tool) === one.print) return [this.#tool(tool, one)];
      changed.push(one);
      return [];
    });
    const news = changed.filter(({ id, print }) => !this.#told.has(`${print} ${id}`));
    for (const { id, print } of news) this.#told.add(`${print} ${id}`);
    if (news.length > 0) this.#found.fire(news);
    return tools;
  }

  /** Chosen tools that are not what they were when they were chosen. They are not offered. */
  get changed(): readonly ChosenTool[] {
    const listed = this.#byId();
    return this.chosen.filter(({ id, print }) => {
      const now = listed.get(id);
      return now !== undefined && printOf(now) !== print;
    });
  }

  /** The person took it out: it is to be offered no more, not even to a conversation that knows it. */
  isOff({ declaration, namespace }: Tool): boolean {
    return (
      namespace !== undefined &&
      !this.chosen.some((one) => one.name === declaration.name && one.namespace === namespace.name)
    );
  }

  /** See `ChosenTools`. */
  async choose(picked: readonly ListedTool[], kept: ReadonlySet<string>): Promise<void> {
    await this.#chosen.choose(picked, kept);
    this.#changed.fire();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #tool(listed: ListedTool, chosen: ChosenTool): Tool {
    const from = JSON.stringify(chosen);
    const before = this.#made.get(chosen.id);
    if (before?.from === from) return before.tool;
    const { id, namespace, name, owner, shown } = chosen;
    const tool = foreignTool(
      {
        owner,
        namespace,
        name,
        description: listed.description,
        schema: listed.schema,
        asked: { owner: ownerText(owner), name: shown },
      },
      {
        standing: () => this.#standing(id),
        invoke: (input, signal) => this.#invoke(id, input, signal),
      },
    );
    this.#made.set(id, { from, tool });
    return tool;
  }

  #byId(): ReadonlyMap<string, ListedTool> {
    return new Map(listedTools(this.#sources.listed()).map((tool) => [tool.id, tool]));
  }

  #standing(id: string): Standing {
    if (!this.#sources.isTrusted()) return 'untrusted';
    const chosen = this.chosen.find((one) => one.id === id);
    if (chosen === undefined) return 'notChosen';
    const listed = this.#byId().get(id);
    if (listed === undefined) return 'absent';
    return printOf(listed) === chosen.print ? 'fine' : 'changed';
  }

  async #invoke(id: string, input: object, signal: CancelSignal): Promise<ForeignEnd> {
    const source = new vscode.CancellationTokenSource();
    const cancel = (): void => source.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const { content } = await this.#sources.invoke(id, input, source.token);
      return { kind: 'returned', parts: resultParts(content) };
    } catch (error) {
      // VS Code says so when the person refuses what it asks them itself.
      if (isCancellation(error)) return { kind: 'refused' };
      return { kind: 'threw', message: error instanceof Error ? error.message : String(error) };
    } finally {
      signal.removeEventListener('abort', cancel);
      source.dispose();
    }
  }
}

function isCancellation(error: unknown): boolean {
  return error instanceof vscode.CancellationError || (error instanceof Error && error.name === 'Canceled');
}
