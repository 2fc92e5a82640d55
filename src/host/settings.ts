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
import { readAddress, defaultBaseUrl, type AddressProblem, type ServiceAddress } from './address.ts';
import type { Result } from '../core/result.ts';
import { DisposableStore } from './disposables.ts';

/** The model, the effort and the room for one turn. */
export interface TurnChoice {
  readonly model: ModelId;
  readonly effort: Effort;
  /** Tokens; left to the server when absent. */
  readonly maxOutputTokens?: number;
}

export const section = 'kimiChat';

export class Settings implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
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

  get model(): ModelRow {
    const value = this.#own('model');
    return (typeof value === 'string' ? modelRow(value) : undefined) ?? defaultModel;
  }

  /** The nearest effort that the present model has. */
  get effort(): Effort {
    const value = this.#own('effort');
    return effortFor(this.model, typeof value === 'string' ? value : undefined);
  }

  setModel(id: ModelId): Thenable<void> {
    return vscode.workspace.getConfiguration(section).update('model', id, vscode.ConfigurationTarget.Global);
  }

  setEffort(effort: Effort): Thenable<void> {
    return vscode.workspace
      .getConfiguration(section)
      .update('effort', effort, vscode.ConfigurationTarget.Global);
  }

  /** What the next turn is asked with. */
  get choice(): TurnChoice {
    const limit = this.#own('maxOutputTokens');
    const given = typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= 1_048_576;
    return { model: this.model.id, effort: this.effort, ...(given && { maxOutputTokens: limit }) };
  }

  /** Seconds without a byte after which a request is given up. */
  get silenceSeconds(): number {
    const value = this.#own('silenceSeconds');
    return typeof value === 'number' && value >= 10 ? value : 900;
  }

  #own(name: string): unknown {
    return personValue(section, name);
  }

  dispose(): void {
    this.#store.dispose();
  }
}

const defaultModel = models[0]!;

/**
 * A setting's value as the person or the machine gave it, never as a folder did, whatever scope it was declared with: a folder must
 * not be able to redirect traffic.
 */
export function personValue(ofSection: string, name: string): unknown {
  const inspected = vscode.workspace.getConfiguration(ofSection).inspect<unknown>(name);
  return inspected?.globalValue ?? inspected?.defaultValue;
}
