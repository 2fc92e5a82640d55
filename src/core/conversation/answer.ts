/** One answer of the model, from chunks to events. Knows how an answer can end; what is kept of it and what follows is the turn's. */
import type { CancelSignal } from '../cancel.ts';
import { failureFromStream } from '../responses/classify.ts';
import { decodeBody, decodeEvent } from '../responses/decode.ts';
import type { Failure } from '../responses/failure.ts';
import { JoinedEvents } from '../responses/joinedEvents.ts';
import { ResponseSnapshot, type Change, type SnapshotItem } from '../responses/snapshot.ts';
import { streamReader, type StreamMessage } from '../responses/sse.ts';
import type { Usage } from '../responses/usage.ts';
import type { Tool, ToolInputWatcher } from '../tools/tool.ts';
import { findTool } from './calledTool.ts';
import type { TurnEnd } from './conversation.ts';
import type { ModelChunk } from './modelPort.ts';
import type { ShownEvent } from './turnEvent.ts';

export interface Answer {
  /** What it consists of, as far as it came. */
  readonly items: readonly SnapshotItem[];
  /** `completed` only when the server said so and nothing of it is lost. */
  readonly end: TurnEnd;
  /** Something of the answer came, if only its status: false when the request itself failed. */
  readonly began: boolean;
  /** Null when the server told none. */
  readonly usage: Usage | null;
  /** As the server says that it was applied. */
  readonly cacheTtl?: string;
}

export interface AnswerSpec {
  readonly turn: string;
  readonly tools: readonly Tool[];
  readonly signal: CancelSignal;
  partOf(slot: number): string;
  clock(): number;
}

/**
 * Reads until the terminal event and no further: what the connection does afterwards changes nothing. Yields the events of text and
 * tool input. Parts may be left open when the terminal event did not come.
 */
export async function* readAnswer(
  chunks: AsyncIterable<ModelChunk>,
  spec: AnswerSpec,
): AsyncGenerator<ShownEvent, Answer, undefined> {
  const reader = streamReader();
  const snapshot = new ResponseSnapshot();
  const teller = new Teller(spec);
  let failure: Failure | undefined;
  let heard = false;
  let began = false;
  let over = false;

  const take = (messages: readonly StreamMessage[]): readonly ShownEvent[] => {
    const joined = new JoinedEvents();
    for (const message of messages) {
      switch (message.kind) {
        case 'message':
          heard = true;
          joined.add(decodeEvent(message.data, message.event));
          break;
        case 'done':
          over = true;
          break;
        case 'overflow':
          failure ??= broken(`one message is longer than ${message.limit} characters`);
          break;
      }
    }
    const changes: Change[] = [];
    for (const event of joined.all()) {
      for (const change of snapshot.apply(event)) changes.push(change);
    }
    over ||= snapshot.end !== undefined || failure !== undefined;
    return teller.tell(changes);
  };

  for await (const chunk of chunks) {
    if (chunk.kind === 'failed') {
      failure = chunk.failure;
      break;
    }
    began = true;
    if (chunk.kind === 'json') {
      heard = true;
      over = true;
      yield* teller.tell(snapshot.apply(decodeBody(chunk.text)));
    } else {
      yield* take(reader.feed(chunk.text));
    }
    if (over || spec.signal.aborted) break;
  }
  // Even after a socket error: a last event that is whole was sent whole.
  if (snapshot.end === undefined && !spec.signal.aborted) yield* take(reader.end());

  const end = endOf(snapshot) ??
    (spec.signal.aborted ? { kind: 'stopped' } : undefined) ?? {
      kind: 'failed',
      failure: failure ?? broken(whatIsMissing(snapshot, heard, reader.excerpt())),
    };
  return { items: snapshot.items(), end, began, ...toldBy(snapshot) };
}

/** Undefined when no terminal event came. */
function endOf(snapshot: ResponseSnapshot): TurnEnd | undefined {
  const { end, damage } = snapshot;
  if (end === undefined) return undefined;
  if (end.kind === 'errored') return { kind: 'failed', failure: failureFromStream(end.error) };
  const { status, reason, error } = end.ending;
  switch (status) {
    case 'completed':
      return damage === undefined ? { kind: 'completed' } : { kind: 'failed', failure: broken(damage) };
    case 'incomplete':
      return { kind: 'incomplete', reason };
    case 'failed':
      return { kind: 'failed', failure: failureFromStream(error) };
  }
}

function toldBy({ end }: ResponseSnapshot): Pick<Answer, 'usage' | 'cacheTtl'> {
  if (end?.kind !== 'ended') return { usage: null };
  const { usage, cacheTtl } = end.ending;
  return { usage, ...(cacheTtl !== undefined && { cacheTtl }) };
}

function whatIsMissing(snapshot: ResponseSnapshot, heard: boolean, excerpt: string): string {
  if (snapshot.damage !== undefined) return `the stream ended before the answer did, and ${snapshot.damage}`;
  if (heard) return 'the stream ended before the answer did';
  return excerpt === ''
    ? 'the answer is empty'
    : `the answer is not an event stream; it starts with: ${excerpt}`;
}

function broken(detail: string): Failure {
  return { kind: 'brokenStream', detail };
}

/** Changes of a response as events of a turn. */
class Teller {
  readonly #spec: AnswerSpec;
  readonly #watchers = new Map<number, ToolInputWatcher>();

  constructor(spec: AnswerSpec) {
    this.#spec = spec;
  }

  tell(changes: readonly Change[]): readonly ShownEvent[] {
    return changes.flatMap((change) => this.#tellOne(change));
  }

  #tellOne(change: Change): readonly ShownEvent[] {
    const { turn } = this.#spec;
    const part = this.#spec.partOf(change.slot);
    switch (change.kind) {
      case 'opened':
        return [{ kind: 'partOpened', turn, part, what: change.what, at: this.#spec.clock() }];
      case 'closed':
        return [{ kind: 'partClosed', turn, part, at: this.#spec.clock() }];
      case 'textAdded':
      case 'textReplaced':
        return [{ kind: change.kind, turn, part, section: change.section, text: change.text }];
      case 'searched':
        return [{ kind: 'searchTold', turn, part, search: change.search }];
      case 'cited':
        return [{ kind: 'citationsAdded', turn, part, citations: change.citations }];
      case 'callOpened': {
        const { type, name, namespace } = change.call;
        const tool = findTool(this.#spec.tools, name, namespace);
        // A custom tool called as a function has its input wrapped in JSON, which its watcher can't read.
        const watchable = tool?.declaration.type === 'custom' ? type === 'custom_tool_call' : true;
        const watcher = watchable ? tool?.watch?.() : undefined;
        if (watcher !== undefined) this.#watchers.set(change.slot, watcher);
        const at = this.#spec.clock();
        return [{ kind: 'toolOpened', turn, part, name, ...(namespace !== undefined && { namespace }), at }];
      }
      case 'inputAdded': {
        const files = this.#watchers.get(change.slot)?.feed(change.text);
        const added = { kind: 'toolInputAdded', turn, part, text: change.text } as const;
        return files === undefined ? [added] : [added, { kind: 'toolProgressed', turn, part, files }];
      }
    }
  }
}
