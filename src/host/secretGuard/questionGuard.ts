/** Holds a question back that would take something secret along, until the person has decided. Posts nothing. */
import type { AskedQuestion } from '../../core/conversation/branch.ts';
import type { AttachmentSummary } from '../../core/conversation/conversation.ts';
import { weighed } from '../context/attachmentTokens.ts';
import { headingOf, summaryOf, type Attachment } from '../../core/conversation/userMessage.ts';
import type { UserMessageItem } from '../../core/responses/wire.ts';
import type { DearIntent } from '../../protocol/toHost.ts';
import type { SecretPlace, ToWebview } from '../../protocol/toWebview.ts';
import type { Looked, SecretChoice, SecretGuard } from './secretGuard.ts';

export interface OutgoingQuestion {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export type Checked<Q> =
  /** As it may leave. */
  | { readonly kind: 'clear'; readonly question: Q }
  /** Something was found in it that the person has not decided about. */
  | { readonly kind: 'secrets'; readonly check: SecretCheck };

export interface SecretCheck {
  /** What the decision names. */
  readonly id: string;
  readonly places: readonly SecretPlace[];
  /** How many there are beyond those that are listed. */
  readonly more: number;
}

type SecretsMessage = Extract<ToWebview, { kind: 'secrets' }>;

/** What the panel is told of a question that was not sent for what is in it. */
export function heldBack(asked: DearIntent, { id, places, more }: SecretCheck): SecretsMessage {
  return { kind: 'secrets', check: id, asked, places, more };
}

/** Listed of one question. */
const mostListed = 200;

export class QuestionGuard {
  readonly #guard: Pick<SecretGuard, 'look' | 'decide' | 'masked'>;
  readonly #newId: () => string;
  /** What the person was asked about last. */
  #open: { readonly id: string; readonly texts: readonly string[] } | undefined;

  constructor(guard: Pick<SecretGuard, 'look' | 'decide' | 'masked'>, newId: () => string) {
    this.#guard = guard;
    this.#newId = newId;
  }

  check<Q extends OutgoingQuestion>(question: Q): Checked<Q> {
    const text = this.#guard.look(question.text, 'question');
    const chips = question.attachments.map((attachment) => ({
      attachment,
      looked: this.#guard.look(attachment.text, 'question'),
      // The name of a file or a terminal goes along; that of a terminal may be the command that runs in it.
      head: this.#guard.look(sentHead(attachment), 'question'),
    }));
    const places = [
      placeOf(text),
      ...chips.flatMap(({ attachment, looked, head }) => {
        const chip = summaryOf(attachment);
        return [placeOf(head, chip), placeOf(looked, chip)];
      }),
    ].filter((place) => place !== undefined);
    if (places.length > 0) {
      const held = chips.flatMap(({ attachment, looked, head }) => [
        ...(head.found.length > 0 ? [sentHead(attachment)] : []),
        ...(looked.found.length > 0 ? [attachment.text] : []),
      ]);
      return this.#ask(places, [...(text.found.length > 0 ? [question.text] : []), ...held]);
    }
    if (!text.differs && chips.every(({ looked, head }) => !looked.differs && !head.differs))
      return { kind: 'clear', question };
    const attachments = chips.map(({ attachment, looked, head }) => {
      const named = head.differs ? { ...attachment, heading: head.masked } : attachment;
      return looked.differs ? masked(named, looked.masked) : named;
    });
    return { kind: 'clear', question: { ...question, text: text.masked, attachments } };
  }

  /** As `check`, of a question that is asked anew: what went out with it before is not looked at again. */
  checkAnew(question: AskedQuestion, before: AskedQuestion): Checked<AskedQuestion> {
    const known = new Set(before.message.content.map(textOf));
    const { attachments } = question.question;
    const parts = question.message.content.map((part, index) => {
      const text = textOf(part);
      const looked = text === undefined || known.has(text) ? undefined : this.#guard.look(text, 'question');
      return { part, chip: attachments[index], looked, text };
    });
    const places = parts.flatMap(({ looked, chip }) =>
      looked === undefined ? [] : (placeOf(looked, chip, linesBefore) ?? []),
    );
    if (places.length > 0) {
      const texts = parts.flatMap(({ text, looked }) =>
        text === undefined || (looked?.found.length ?? 0) === 0 ? [] : [text],
      );
      return this.#ask(places, texts);
    }
    if (!parts.some(({ looked }) => looked?.differs === true)) return { kind: 'clear', question };
    const content = parts.map(({ part, looked }) =>
      part.type === 'input_text' && looked !== undefined ? { ...part, text: looked.masked } : part,
    );
    const typed = content[attachments.length];
    const text = typed?.type === 'input_text' ? typed.text : question.question.text;
    return {
      kind: 'clear',
      question: { question: { ...question.question, text }, message: { ...question.message, content } },
    };
  }

  /** A text as it may be kept: without what was not let through. */
  masked(text: string): string {
    return this.#guard.masked(text);
  }

  /** Only of what was asked about last: what is decided is what was shown. False when it is none of it. */
  decide(id: string, choice: SecretChoice): boolean {
    const open = this.#open;
    if (open?.id !== id) return false;
    this.#open = undefined;
    for (const text of open.texts) this.#guard.decide(text, choice);
    return true;
  }

  #ask(
    places: readonly SecretPlace[],
    texts: readonly string[],
  ): Extract<Checked<never>, { kind: 'secrets' }> {
    const id = this.#newId();
    this.#open = { id, texts };
    return { kind: 'secrets', check: { id, ...listed(places) } };
  }
}

function masked({ tokens: _, ...attachment }: Attachment, text: string): Attachment {
  return weighed({ ...attachment, text });
}

/** What an attachment is called where it is sent; empty where it has no head. */
function sentHead(attachment: Attachment): string {
  const { kind, image } = attachment;
  return kind === 'summary' || image !== undefined ? '' : headingOf(attachment);
}

/** What is written before the text of an attachment: what it is, and a fence. */
const linesBefore = 2;

function textOf(part: UserMessageItem['content'][number]): string | undefined {
  return part.type === 'input_text' ? part.text : undefined;
}

/** Lines are those of the file that the chip is a part of. */
function placeOf({ found }: Looked, chip?: AttachmentSummary, before = 0): SecretPlace | undefined {
  if (found.length === 0) return undefined;
  if (chip === undefined) return { found };
  const from = (chip.range?.from ?? 1) - 1 - before;
  return { chip, found: found.map((one) => ({ ...one, line: Math.max(1, one.line + from) })) };
}

function listed(places: readonly SecretPlace[]): Pick<SecretCheck, 'places' | 'more'> {
  let room = mostListed;
  const shown = places.flatMap((place) => {
    const found = place.found.slice(0, room);
    room -= found.length;
    return found.length === 0 ? [] : [{ ...place, found }];
  });
  const all = places.reduce((sum, { found }) => sum + found.length, 0);
  return { places: shown, more: all - (mostListed - room) };
}
