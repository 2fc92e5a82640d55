/**
 * Conversations as a file that people keep and that can be read in again: one JSON document, with everything that is shown of them, what the
 * model knows of them and what they cost. What is left out: deleted turns, of which only the cost stays; where files lie on this machine;
 * what was sent, request by request, which is the same texts over and over. Pure.
 */
import type { Parent } from '../conversation/branch.ts';
import type { AttachmentSummary, Question, Turn } from '../conversation/conversation.ts';
import type { History } from '../conversation/history.ts';
import type { Report } from '../conversation/reports.ts';
import type { ConversationTitle } from './facts.ts';
import { jsonOf } from './jsonPieces.ts';
import type { JournalState } from './state.ts';

export const exportFormat = 'kimi-chat-conversations';

/** Of what is written. Files of every older one can be read. */
export const exportVersion = 1;

/** Field names are those of files on people's disks: they stay. */
export interface ExportedFile {
  readonly format: typeof exportFormat;
  readonly version: typeof exportVersion;
  /** ISO 8601, in UTC. */
  readonly exportedAt: string;
  /** The id of the conversation that this is about; the others are versions of its turns. */
  readonly shown: string;
  readonly conversations: readonly ExportedConversation[];
}

export interface ExportedConversation {
  readonly id: string;
  /** Milliseconds since the epoch, as all times in it. */
  readonly createdAt: number;
  readonly title?: ConversationTitle;
  readonly parent?: Parent;
  /** For people and for other programs; not read in again. */
  readonly costs: readonly ExportedCost[];
  readonly turns: readonly ExportedTurn[];
  readonly history: History;
  readonly reports: readonly Report[];
}

export type ExportedTurn = Omit<Turn, 'question'> & {
  readonly question: Omit<Question, 'attachments'> & {
    readonly attachments: readonly Omit<AttachmentSummary, 'id' | 'uri'>[];
  };
};

/** What a turn cost, at the prices of the moment of writing. */
export interface ExportedCost {
  readonly turn: string;
  /** US dollars. */
  readonly usd: number;
  /** Made from list prices. */
  readonly isEstimate: boolean;
  /** Requests of which nobody knows what they cost. */
  readonly unknown: number;
}

export interface ExportParts {
  /** Id of the conversation that this is about. */
  readonly shown: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly costOf: (turn: Turn) => Omit<ExportedCost, 'turn'>;
  /** Takes out of a text what must not be written down. */
  readonly clean: (text: string) => string;
}

/** How deep a conversation stands in the file, and how many lists and objects of it are written piece by piece: items of what the model knows. */
const written = { place: 2, levels: 5 };

/**
 * A file, piece by piece: neither it nor all that is in it need be in memory at once, and something else can be done in between. Ends with a
 * line break.
 */
export class ExportWriter {
  readonly #parts: ExportParts;
  #isBegun = false;

  constructor(parts: ExportParts) {
    this.#parts = parts;
  }

  /** One conversation more. The one that the file is about is the first one. */
  *pieces(state: JournalState): Generator<string, void> {
    const { costOf } = this.#parts;
    yield `${this.#isBegun ? ',' : this.#head()}\n  `;
    this.#isBegun = true;
    yield* jsonOf(exported(state, costOf), this.#cleaned, written);
  }

  /** What stands behind the last conversation. There must be one. */
  get end(): string {
    return '\n ]\n}\n';
  }

  #head(): string {
    const { shown, at } = this.#parts;
    const head: Omit<ExportedFile, 'conversations'> = {
      format: exportFormat,
      version: exportVersion,
      exportedAt: new Date(at).toISOString(),
      shown,
    };
    return `${JSON.stringify(head, this.#cleaned, 1).slice(0, -2)},\n "conversations": [`;
  }

  readonly #cleaned = (_name: string, value: unknown): unknown =>
    typeof value === 'string' ? this.#parts.clean(value.toWellFormed()) : value;
}

function exported(
  { conversation, history, reports, createdAt, title, parent }: JournalState,
  costOf: ExportParts['costOf'],
): ExportedConversation {
  const removed = new Set(conversation.turns.flatMap((turn) => (turn.removed === true ? [turn.id] : [])));
  // Where lines of its journal are lost the model may know of more.
  const shown = new Set(conversation.turns.flatMap(({ id }) => (removed.has(id) ? [] : [id])));
  return {
    id: conversation.id,
    createdAt,
    ...(title !== undefined && { title }),
    ...(parent !== undefined && { parent }),
    costs: conversation.turns.map((turn) => ({ turn: turn.id, ...costOf(turn) })),
    turns: conversation.turns.map(({ question, ...turn }) => ({
      ...turn,
      question: {
        ...question,
        attachments: question.attachments.map(({ id: _id, uri: _uri, ...attachment }) => attachment),
      },
    })),
    history: {
      groups: history.groups.filter((group) => group.removed !== true && shown.has(group.turn)),
    },
    reports: reports.filter(({ about }) => about === undefined || !removed.has(about)),
  };
}
