/**
 * From a scripted answer to the beats of a stream: events in the documented order, gates and breaks between them.
 * Pure but for ids and the clock it is given; knows nothing of HTTP, frames or bytes.
 */
import { emitted, event, events, isBreak, isEmit, isEnding, type Beat } from './beats.ts';
import { Deltas, Purse } from './deltas.ts';
import { callId, type IdPrefix } from './ids.ts';
import type { Describe } from './response.ts';
import type { Answer, Ending, Item } from './script.ts';
import {
  tellCustomCall,
  tellFunctionCall,
  tellMessage,
  tellReasoning,
  tellWebSearch,
  type Teller,
} from './tellers.ts';
import { countTokens } from './tokens.ts';
import type { OutputItem, SentEvent } from './wire.ts';

export interface Stage {
  readonly describe: Describe;
  readonly nextId: (prefix: IdPrefix) => string;
  /** Output tokens the request allows, reasoning included. */
  readonly budget: number;
  /** What the request wants to have beside the plain output. */
  readonly include: ReadonlySet<unknown>;
  /** Where the numbers in call ids start. */
  readonly firstCall: number;
  /** The ciphertext of a reasoning item. */
  readonly seal: (itemId: string, plain: string) => string;
}

/** Runs an answer from `response.created` to its terminal event, and on through what the script puts behind that. */
export function* perform(answer: Answer, stage: Stage): Generator<Beat, void, void> {
  const purse = new Purse(stage.budget);
  const finished: OutputItem[] = [];
  const places = new Places(stage, purse, answer.options);
  const describe = (status: 'in_progress' | 'completed' | 'incomplete' | 'failed', more = {}) =>
    stage.describe({ status, output: finished, spent: purse.spent, reasoning: purse.reasoning, ...more });
  let ended = false;

  function* end(ending: Ending): Generator<Beat, void, void> {
    ended = true;
    switch (ending.kind) {
      case 'completed':
        yield event({ type: 'response.completed', response: describe('completed') });
        return;
      case 'incomplete':
        yield event({
          type: 'response.incomplete',
          response: describe('incomplete', { reason: ending.reason }),
        });
        return;
      case 'failed': {
        const error = { code: ending.code, message: ending.message };
        yield event({ type: 'response.failed', response: describe('failed', { error }) });
        return;
      }
      case 'error':
        yield errorBeat(ending);
    }
  }

  yield event({ type: 'response.created', response: describe('in_progress') });
  yield event({ type: 'response.in_progress', response: describe('in_progress') });

  for (const step of answer.steps) {
    if (isEnding(step)) {
      yield* end(step);
    } else if (step.kind === 'gate' || isBreak(step)) {
      yield step;
    } else if (isEmit(step)) {
      yield emitted(step);
    } else {
      const tellers = (step.kind === 'parallel' ? step.items : [step]).map((item) => places.seat(item));
      for (const teller of tellers) yield* events(teller.open());
      const ending = yield* takeTurns(tellers.map((teller) => teller.body()));
      if (ending === undefined || ending.kind === 'incomplete') {
        const status = ending === undefined ? 'completed' : 'incomplete';
        for (const teller of tellers) {
          yield* events(teller.close(status));
          finished.push(teller.item(status));
        }
      }
      if (ending !== undefined) {
        yield* end(ending);
        return;
      }
    }
  }
  if (!ended) yield* end({ kind: 'completed' });
}

/** Gives each item its output index, ids and call id. */
class Places {
  readonly #stage: Stage;
  readonly #purse: Purse;
  readonly #options: Answer['options'];
  #index = 0;
  #calls: number;

  constructor(stage: Stage, purse: Purse, options: Answer['options']) {
    this.#stage = stage;
    this.#purse = purse;
    this.#options = options;
    this.#calls = stage.firstCall;
  }

  seat(item: Item): Teller {
    const index = this.#index++;
    const deltas = new Deltas(this.#purse, this.#options.deltas ?? 3, item.kind === 'reasoning');
    switch (item.kind) {
      case 'reasoning': {
        const id = this.#stage.nextId('rs');
        const seal = this.#options.encryptReasoning === true ? this.#stage.seal : undefined;
        return tellReasoning(item, { id, index, deltas }, seal);
      }
      case 'text':
        return tellMessage(item, { id: this.#stage.nextId('msg'), index, deltas });
      case 'functionCall': {
        this.#purse.spend(countTokens(item.name), false);
        const place = { id: this.#stage.nextId('fc'), index, deltas };
        return tellFunctionCall(item, place, callId(item.name, this.#calls++));
      }
      case 'customCall': {
        this.#purse.spend(countTokens(item.name), false);
        const place = { id: this.#stage.nextId('ctc'), index, deltas };
        return tellCustomCall(item, place, callId(item.name, this.#calls++));
      }
      case 'webSearch':
        return tellWebSearch(item, { id: this.#stage.nextId('ws'), index, deltas }, this.#stage.include);
    }
  }
}

/** Runs the bodies one beat each in turn, until all are through or one of them ends the response. */
function* takeTurns(
  bodies: readonly Generator<Beat, Ending | undefined, void>[],
): Generator<Beat, Ending | undefined, void> {
  let running = [...bodies];
  while (running.length > 0) {
    const still: typeof running = [];
    for (const body of running) {
      const step = body.next();
      if (!step.done) {
        yield step.value;
        still.push(body);
      } else if (step.value !== undefined) {
        return step.value;
      }
    }
    running = still;
  }
  return undefined;
}

function errorBeat(ending: Extract<Ending, { kind: 'error' }>): Beat {
  const { code, message, type } = ending;
  const shown: SentEvent =
    ending.shape === 'flat'
      ? { type: 'error', code, message, param: null }
      : { type: 'error', error: { type, code, message, param: null } };
  return { kind: 'event', event: shown, tokens: 0 };
}
