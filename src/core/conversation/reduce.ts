/** Folds shown events into the conversation. The same function runs in the host and in the panel; it knows no wire and no clock. */
import { noSearch } from '../responses/webSearch.ts';
import type {
  AnswerPart,
  Conversation,
  FileProgressed,
  Part,
  ReasoningPart,
  RequestRecord,
  ToolPart,
  ToolProgress,
  Turn,
} from './conversation.ts';
import type { ShownEvent } from './turnEvent.ts';

export function emptyConversation(id: string): Conversation {
  return { id, turns: [] };
}

/**
 * The conversation after one event. Pure; turns and parts that the event does not concern keep their identity, so that a view can
 * compare by reference. An event that names an unknown turn or part changes nothing and returns the same value: a mirror that
 * starts from a snapshot must not fall over what it cannot place.
 *
 * Cost: one shallow copy of the list of turns, one of the turn's list of parts and one of the part's sections.
 */
export function reduce(conversation: Conversation, event: ShownEvent): Conversation {
  if (event.kind === 'turnStarted') {
    if (conversation.turns.some((turn) => turn.id === event.turn)) return conversation;
    const { turn: id, question, model, effort, at } = event;
    const turn: Turn = { id, question, model, effort, startedAt: at, parts: [], requests: [] };
    return { ...conversation, turns: [...conversation.turns, turn] };
  }
  const index = conversation.turns.findLastIndex((turn) => turn.id === event.turn);
  const before = conversation.turns[index];
  if (before === undefined) return conversation;
  const after = reduceTurn(before, event);
  return after === before ? conversation : { ...conversation, turns: conversation.turns.with(index, after) };
}

function reduceTurn(turn: Turn, event: Exclude<ShownEvent, { kind: 'turnStarted' }>): Turn {
  switch (event.kind) {
    case 'partOpened':
      return opened(turn, {
        id: event.part,
        ...(event.what === 'search'
          ? { kind: event.what, search: noSearch }
          : { kind: event.what, sections: [] }),
        openedAt: event.at,
      });
    case 'toolOpened': {
      const { part: id, name, namespace, at } = event;
      return opened(turn, {
        kind: 'tool',
        id,
        name,
        ...(namespace !== undefined && { namespace }),
        input: '',
        openedAt: at,
      });
    }
    case 'textAdded':
      return changed(turn, event.part, (part) =>
        isText(part) ? withSection(part, event.section, (text) => text + event.text) : part,
      );
    case 'textReplaced':
      return changed(turn, event.part, (part) =>
        isText(part) ? withSection(part, event.section, () => event.text) : part,
      );
    case 'searchTold':
      return changed(turn, event.part, (part) =>
        part.kind === 'search' ? { ...part, search: event.search } : part,
      );
    case 'citationsAdded':
      return changed(turn, event.part, (part) =>
        part.kind === 'answer'
          ? { ...part, citations: [...(part.citations ?? []), ...event.citations] }
          : part,
      );
    case 'partClosed':
      return changed(turn, event.part, (part) =>
        part.closedAt === undefined ? { ...part, closedAt: event.at } : part,
      );
    case 'toolInputAdded':
      return changedTool(turn, event.part, (part) => ({ ...part, input: part.input + event.text }));
    case 'toolProgressed':
      return changedTool(turn, event.part, (part) => ({
        ...part,
        progress: { files: withNews(part.progress?.files ?? [], event.files) },
      }));
    case 'toolAsked':
      return changedTool(turn, event.part, (part) => ({
        ...part,
        input: event.input ?? part.input,
        askedAt: event.at,
      }));
    case 'toolReviewed':
      return changedTool(turn, event.part, (part) => ({ ...part, proposal: event.proposal }));
    case 'approvalAsked':
      return changedTool(turn, event.part, (part) => ({
        ...part,
        approvals: [...(part.approvals ?? []), event.approval],
      }));
    case 'approvalAnswered':
      return changedTool(turn, event.part, ({ approvals = [], ...part }) => ({
        ...part,
        approvals: approvals.map((one) =>
          one.id === event.approval ? { ...one, answer: event.answer } : one,
        ),
      }));
    case 'toolSettled':
      return changedTool(turn, event.part, (part) => ({
        ...part,
        outcome: event.outcome,
        closedAt: event.at,
      }));
    case 'turnResumed': {
      const { end: _end, endedAt: _endedAt, broken: _broken, ...rest } = turn;
      return {
        ...rest,
        ...(event.model !== undefined && { model: event.model }),
        ...(event.effort !== undefined && { effort: event.effort }),
        parts: turn.parts.filter((part) => !event.drop.includes(part.id)),
      };
    }
    case 'requestSent': {
      const { kind: _kind, turn: _turn, at: sentAt, ...facts } = event;
      return { ...turn, requests: [...turn.requests, { ...facts, sentAt }] };
    }
    case 'retryScheduled':
      return { ...turn, retry: event.retry };
    case 'retryStarted': {
      const { via } = event;
      return withLastRequest(withoutRetry(turn), ({ via: _before, ...request }) => ({
        ...request,
        ...(via !== undefined && { via }),
      }));
    }
    case 'requestEnded': {
      const { kind: _kind, turn: _turn, at: endedAt, ...facts } = event;
      return withLastRequest(withoutRetry(turn), (request) => ({ ...request, ...facts, endedAt }));
    }
    case 'namingSent': {
      const { kind: _kind, turn: _turn, at: sentAt, ...facts } = event;
      return { ...turn, naming: { round: 0, beginning: { kind: 'first' }, ...facts, sentAt } };
    }
    case 'namingEnded': {
      if (turn.naming === undefined) return turn;
      const { kind: _kind, turn: _turn, at: endedAt, ...facts } = event;
      return { ...turn, naming: { ...turn.naming, ...facts, endedAt } };
    }
    case 'turnRemoved':
      return turn.end === undefined || turn.removed === true ? turn : stubOf(turn);
    case 'turnRestored':
      return turn.removed === true ? restored(event.content, turn) : turn;
    case 'contextCut': {
      if (turn.removed === true) return turn;
      const { cut: _before, ...rest } = turn;
      return Object.keys(event.cut).length === 0 ? rest : { ...rest, cut: event.cut };
    }
    case 'turnEnded':
      return {
        ...withoutRetry(turn),
        end: event.end,
        endedAt: event.at,
        ...(event.broken !== undefined && { broken: event.broken }),
      };
  }
}

/** What is left of a deleted turn: when it was, and what it took. How it ended is part of what is gone. */
function stubOf({ id, model, effort, startedAt, endedAt, requests, naming }: Turn): Turn {
  return {
    id,
    question: { text: '', attachments: [] },
    model,
    effort,
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
    parts: [],
    requests,
    ...(naming !== undefined && { naming }),
    end: { kind: 'completed' },
    removed: true,
  };
}

/** What was paid meanwhile stays. */
function restored(content: Turn, { naming }: Turn): Turn {
  return naming === undefined ? content : { ...content, naming };
}

function withoutRetry(turn: Turn): Turn {
  if (turn.retry === undefined) return turn;
  const { retry: _retry, ...rest } = turn;
  return rest;
}

function withLastRequest(turn: Turn, change: (request: RequestRecord) => RequestRecord): Turn {
  const last = turn.requests.at(-1);
  return last === undefined
    ? turn
    : { ...turn, requests: turn.requests.with(turn.requests.length - 1, change(last)) };
}

function opened(turn: Turn, part: Part): Turn {
  if (turn.parts.some((other) => other.id === part.id)) return turn;
  return { ...turn, parts: [...turn.parts, part] };
}

/** Looks from the end: what changes is nearly always among the last few. */
function changed(turn: Turn, id: string, change: (part: Part) => Part): Turn {
  const index = turn.parts.findLastIndex((part) => part.id === id);
  const before = turn.parts[index];
  if (before === undefined) return turn;
  const after = change(before);
  return after === before ? turn : { ...turn, parts: turn.parts.with(index, after) };
}

function changedTool(turn: Turn, id: string, change: (part: ToolPart) => ToolPart): Turn {
  return changed(turn, id, (part) => (part.kind === 'tool' ? change(part) : part));
}

/** The files of a patch that is arriving, with what was told of them last. */
export function withNews(
  known: ToolProgress['files'],
  told: readonly FileProgressed[],
): ToolProgress['files'] {
  const files = [...known];
  for (const { index, ...news } of told) files[index] = { ...nothingKnown, ...files[index], ...news };
  return files;
}

const nothingKnown = { path: '', change: 'update', added: 0, removed: 0 } as const;

function isText(part: Part): part is ReasoningPart | AnswerPart {
  return part.kind === 'reasoning' || part.kind === 'answer';
}

function withSection(
  part: ReasoningPart | AnswerPart,
  index: number,
  change: (text: string) => string,
): Part {
  const sections = [...part.sections];
  while (sections.length < index) sections.push('');
  sections[index] = change(sections[index] ?? '');
  return { ...part, sections };
}
