/**
 * What belongs to the composer and outlives the window: the draft with its chips, queued questions, and what was asked before. Values
 * only; knows neither panel nor conversation.
 */
import * as v from 'valibot';
import type * as vscode from 'vscode';

import { attachmentKinds, models } from '../../core/conversation/conversation.ts';
import type { ChosenRule } from '../../core/conversation/rules.ts';
import type { Attachment } from '../../core/conversation/userMessage.ts';
import { longestRemembered, mostRemembered } from '../../protocol/remembered.ts';
import type { OwnStorage } from '../ownStorage.ts';

/** In the folder of a workspace: where what belongs to its composer lies. */
export const composerFolder = 'composer';

/** Milliseconds. The panel tells of the draft no oftener than the person pauses. */
const restTime = 250;

const line = v.pipe(v.number(), v.integer(), v.minValue(1));
const attachment = v.object({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  kind: v.picklist(attachmentKinds),
  path: v.string(),
  uri: v.string(),
  range: v.exactOptional(v.object({ from: line, to: line })),
  languageId: v.string(),
  name: v.exactOptional(v.string()),
  tokens: v.exactOptional(v.pipe(v.number(), v.minValue(0))),
  asks: v.exactOptional(
    v.object({
      model: v.exactOptional(v.picklist(models.map(({ id }) => id))),
      effort: v.exactOptional(v.picklist(models.flatMap(({ efforts }) => efforts))),
    }),
  ),
  text: v.string(),
  // Nothing that a page or a model would have to fetch.
  image: v.exactOptional(v.pipe(v.string(), v.startsWith('data:image/'))),
  heading: v.exactOptional(v.string()),
});
const attachments = sound(attachment);
const question = v.object({
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
  text: v.string(),
  attachments,
  conversation: v.exactOptional(v.pipe(v.string(), v.maxLength(200))),
});
const schemas = {
  draft: v.object({ text: v.string() }),
  attachments,
  queue: sound(question),
  rules: sound(v.object({ uri: v.string(), choice: v.picklist(['leave', 'send']) })),
  asked: v.pipe(v.array(v.pipe(v.string(), v.maxLength(longestRemembered))), v.maxLength(mostRemembered)),
};

/** Those that are damaged, or of a kind that a later version made, take nothing else with them. */
function sound<T>(one: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, readonly T[]> {
  return v.pipe(
    v.array(v.unknown()),
    v.transform((all) =>
      all.flatMap((value) => {
        const read = v.safeParse(one, value);
        return read.success ? [read.output] : [];
      }),
    ),
  );
}

export interface ComposerValues {
  readonly draft: Pick<KeptDraft, 'text'>;
  /** Of the draft. Apart from its text: they are long, and stay while it is being written. */
  readonly attachments: readonly Attachment[];
  readonly queue: readonly QueuedQuestion[];
  /** What was said of standing instructions in a conversation that has no question yet. */
  readonly rules: readonly ChosenRule[];
  /** The newest last. */
  readonly asked: readonly string[];
}

export interface KeptDraft {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export interface KeptQuestion extends KeptDraft {
  readonly id: string;
}

export interface QueuedQuestion extends KeptQuestion {
  /** Id of the one that it waits in. Absent in what earlier versions wrote. */
  readonly conversation?: string;
}

export class ComposerStore implements vscode.Disposable {
  readonly #storage: OwnStorage;
  /** What is not on the disk as far as is known. */
  readonly #unkept = new Map<keyof ComposerValues, unknown>();
  /** Names of those that are still to be written. */
  readonly #changed = new Set<keyof ComposerValues>();
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<Partial<ComposerValues>> | undefined;

  constructor(storage: OwnStorage) {
    this.#storage = storage;
  }

  /** What earlier windows left, as far as it is sound. Never rejects. */
  read(): Promise<Partial<ComposerValues>> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  /** Written a moment later, or at the end of the window. */
  keep<K extends keyof ComposerValues>(name: K, value: ComposerValues[K]): void {
    this.#unkept.set(name, value);
    this.#changed.add(name);
    this.#timer ??= setTimeout(() => void this.flush(), restTime);
  }

  /** Resolves when all is on the disk or could not be written. */
  async flush(): Promise<void> {
    this.#stopTimer();
    const changed = [...this.#changed];
    this.#changed.clear();
    await Promise.all(changed.map((name) => this.#write(name, this.#unkept.get(name))));
  }

  /** Forgets everything that was kept here, and keeps nothing more. */
  async forget(): Promise<void> {
    this.#stopTimer();
    this.#changed.clear();
    this.#unkept.clear();
    await this.#storage.forgetAll();
  }

  /** Forgets what was asked before, sound or not; where nothing was, nothing is written. Resolves as `flush` does. */
  async forgetAsked(): Promise<void> {
    if (!(await this.#storage.readAll()).has('asked')) return;
    this.keep('asked', []);
    await this.flush();
  }

  dispose(): void {
    this.#stopTimer();
    for (const [name, value] of this.#unkept) this.#storage.keepNow(name, value);
    this.#changed.clear();
    this.#unkept.clear();
  }

  /** What could not be written is tried again at the next change and at the end of the window: a full disk may have room by then. */
  async #write(name: keyof ComposerValues, value: unknown): Promise<void> {
    await this.#storage.keep(name, value);
    if (!this.#storage.isFailing && this.#unkept.get(name) === value) this.#unkept.delete(name);
  }

  async #read(): Promise<Partial<ComposerValues>> {
    const kept = await this.#storage.readAll();
    const draft = v.safeParse(schemas.draft, kept.get('draft'));
    const attached = v.safeParse(schemas.attachments, kept.get('attachments'));
    const queue = v.safeParse(schemas.queue, kept.get('queue'));
    const rules = v.safeParse(schemas.rules, kept.get('rules'));
    const asked = v.safeParse(schemas.asked, kept.get('asked'));
    return {
      ...(draft.success && { draft: draft.output }),
      ...(attached.success && { attachments: attached.output }),
      ...(queue.success && { queue: queue.output }),
      ...(rules.success && { rules: rules.output }),
      ...(asked.success && { asked: asked.output }),
    };
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
