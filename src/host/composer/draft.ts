/** The question being written: its text and its chips. Survives the panel and the window. One for the window, whichever conversation is shown. */
import * as vscode from 'vscode';

import type { ChosenRule } from '../../core/conversation/rules.ts';
import { isTooMuch, type Attachment } from '../../core/conversation/userMessage.ts';
import { weighed } from '../context/attachmentTokens.ts';
import type { AttachProblem } from '../context/problem.ts';
import { leftOf } from '../../protocol/leftOf.ts';
import { remembered } from '../../protocol/remembered.ts';
import { DisposableStore } from '../disposables.ts';
import { sameTarget } from './attachments.ts';
import type { ComposerStore, KeptDraft } from './composerStore.ts';

/** A question on its way from the panel to the model. */
export interface SentQuestion {
  /** The panel's own name for it. */
  readonly id: string;
  /** As it was typed. */
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export class Draft implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #kept: ComposerStore;
  readonly #changed = this.#store.add(new vscode.EventEmitter<void>());
  #text = '';
  #attachments: readonly Attachment[] = [];
  #before: readonly string[] = [];
  #rules: readonly ChosenRule[] = [];
  #lastAsked: string | undefined;
  #isTyped = false;
  #instead: string | undefined;

  /** The chips changed; the text is the panel's own and is not told back. */
  readonly onDidChangeAttachments = this.#changed.event;

  /** Resolves when what an earlier window left is there. Never rejects. */
  readonly whenRead: Promise<void>;

  /** @param before what was asked before in other panels, the newest last */
  constructor(kept: ComposerStore, before: readonly string[] = []) {
    this.#kept = kept;
    this.#before = before;
    this.whenRead = this.#read();
  }

  get text(): string {
    return this.#text;
  }

  set text(text: string) {
    this.#isTyped = true;
    // Told before the panel heard of the exchange.
    if (text === this.#instead) return;
    this.#instead = undefined;
    if (text === this.#text) return;
    this.#text = text;
    this.#kept.keep('draft', { text });
  }

  /** In the place of what the text stands, until the panel shows it. */
  get instead(): string | undefined {
    return this.#instead;
  }

  get attachments(): readonly Attachment[] {
    return this.#attachments;
  }

  /** Nothing is written and nothing attached. */
  get isEmpty(): boolean {
    return this.#text.trim() === '' && this.#attachments.length === 0;
  }

  /** What was asked before in this workspace, the newest last. */
  get askedBefore(): readonly string[] {
    return this.#before;
  }

  /** What was said of standing instructions for the first question of a conversation, which is kept nowhere else before that is asked. */
  get rules(): readonly ChosenRule[] {
    return this.#rules;
  }

  set rules(rules: readonly ChosenRule[]) {
    if (rules.length + this.#rules.length === 0) return;
    this.#rules = rules;
    this.#kept.keep('rules', rules);
  }

  /** Id of the question that was asked last. */
  get lastAsked(): string | undefined {
    return this.#lastAsked;
  }

  /** A chip for the same lines replaces the older one: its text may be out of date. */
  attach(attachments: readonly Attachment[]): void {
    this.#setAttachments(joined(this.#attachments, attachments.map(weighed)));
  }

  /** As `attach`. Nothing is attached when the question would have too much then. */
  attachIfRoom(attachments: readonly Attachment[]): AttachProblem | undefined {
    if (isTooMuch(joined(this.#attachments, attachments))) return 'tooMuch';
    this.attach(attachments);
    return undefined;
  }

  remove(id: string): void {
    this.#stay((attachment) => attachment.id !== id);
  }

  /** Puts another question in the place of this one, and returns what stood there. */
  exchange({ text, attachments }: KeptDraft): KeptDraft {
    const before = { text: this.#text, attachments: this.#attachments };
    this.#instead = undefined;
    this.text = text;
    this.#instead = text === before.text ? undefined : before.text;
    this.#setAttachments(attachments);
    return before;
  }

  /**
   * The question was taken from the composer. What was written or attached since it was sent stays.
   * @param recalled what is kept of it, to be asked again
   */
  asked(question: SentQuestion, recalled = question.text): void {
    this.#lastAsked = question.id;
    this.text = leftOf(this.#text, question.text);
    this.#stay((attachment) => !question.attachments.includes(attachment));
    this.#before = remembered(this.#before, recalled);
    this.#kept.keep('asked', this.#before);
  }

  /** What was asked before can't be recalled any more. */
  forgetAsked(): void {
    this.#before = [];
    this.#kept.keep('asked', []);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #stay(stays: (attachment: Attachment) => boolean): void {
    const rest = this.#attachments.filter(stays);
    if (rest.length < this.#attachments.length) this.#setAttachments(rest);
  }

  #setAttachments(attachments: readonly Attachment[]): void {
    this.#attachments = attachments;
    this.#kept.keep('attachments', attachments);
    if (!this.#store.isDisposed) this.#changed.fire();
  }

  /** What was typed, attached or asked since the window opened is newer. */
  async #read(): Promise<void> {
    const { draft, attachments = [], asked = [], rules = [] } = await this.#kept.read();
    if (this.#rules.length === 0) this.#rules = rules;
    this.#before = this.#before.reduce(remembered, asked);
    if (draft !== undefined && !this.#isTyped) this.#text = draft.text;
    if (attachments.length === 0) return;
    const added = this.#attachments;
    this.#attachments = joined(attachments.map(weighed), added);
    // What came before this stands to be written without what was just read.
    if (added.length > 0) this.#kept.keep('attachments', this.#attachments);
    if (!this.#store.isDisposed) this.#changed.fire();
  }
}

function joined(before: readonly Attachment[], added: readonly Attachment[]): readonly Attachment[] {
  return [...before.filter((old) => !added.some((one) => sameTarget(old, one))), ...added];
}
