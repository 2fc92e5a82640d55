/** Joins what a burst of events says into fewer, equal ones, so that a post to the panel, or a line of a journal, carries text and not bookkeeping. */
import type { FileProgressed } from './conversation.ts';
import type { ShownEvent } from './turnEvent.ts';

/**
 * Neighbouring text for the same section becomes one event. The input of a tool call and the progress read from it arrive
 * interleaved; they touch different fields, so each is joined on its own, and of each file only the newest is kept. Folding the
 * result gives the same conversation as folding the input; the order of everything else is untouched.
 */
export function joinEvents(events: readonly ShownEvent[]): ShownEvent[] {
  const runs: Run[] = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (run === undefined || !run.take(event)) runs.push(startRun(event));
  }
  return runs.flatMap((run) => run.events());
}

/** Events that may be joined with what follows. */
interface Run {
  /** Takes the event in, or says that it belongs to another run. */
  take(event: ShownEvent): boolean;
  events(): ShownEvent[];
}

function startRun(event: ShownEvent): Run {
  switch (event.kind) {
    case 'textAdded':
      return textRun(event);
    case 'toolInputAdded':
    case 'toolProgressed':
      return inputRun(event);
    default:
      return { take: () => false, events: () => [event] };
  }
}

function textRun(first: Extract<ShownEvent, { kind: 'textAdded' }>): Run {
  const pieces = [first.text];
  return {
    take(event) {
      if (event.kind !== 'textAdded' || event.section !== first.section || !samePart(event, first))
        return false;
      pieces.push(event.text);
      return true;
    },
    events: () => [{ ...first, text: pieces.join('') }],
  };
}

type InputEvent = Extract<ShownEvent, { kind: 'toolInputAdded' | 'toolProgressed' }>;

function inputRun(first: InputEvent): Run {
  const pieces: string[] = [];
  let files: Map<number, FileProgressed> | undefined;
  const take = (event: ShownEvent): boolean => {
    if (event.kind === 'toolInputAdded' && samePart(event, first)) pieces.push(event.text);
    else if (event.kind === 'toolProgressed' && samePart(event, first)) {
      files ??= new Map();
      for (const file of event.files) files.set(file.index, { ...files.get(file.index), ...file });
    } else return false;
    return true;
  };
  take(first);
  return {
    take,
    events: () => [
      ...(pieces.length === 0
        ? []
        : [{ kind: 'toolInputAdded' as const, turn: first.turn, part: first.part, text: pieces.join('') }]),
      ...(files === undefined
        ? []
        : [
            {
              kind: 'toolProgressed' as const,
              turn: first.turn,
              part: first.part,
              files: [...files.values()],
            },
          ]),
    ],
  };
}

function samePart(a: { turn: string; part: string }, b: { turn: string; part: string }): boolean {
  return a.turn === b.turn && a.part === b.part;
}
