/**
 * Stands before each request: reckons what it will take, refuses what would go beyond the person's limits, and writes down what became
 * of it. And tells the panel how full the window is and what was spent. Knows no panel and no socket.
 */
import * as vscode from 'vscode';

import type { ModelId, RequestRecord } from '../../core/conversation/conversation.ts';
import { historyItems, isQuestion, type History } from '../../core/conversation/history.ts';
import { ruleIndices } from '../../core/conversation/rules.ts';
import { buildRequest, termsOf } from '../../core/conversation/request.ts';
import { beginningOf, requestBody } from '../../core/conversation/requestLog.ts';
import type { Admission, NextRequest } from '../../core/conversation/turn.ts';
import type { ShownEvent } from '../../core/conversation/turnEvent.ts';
import { userMessage, type Attachment } from '../../core/conversation/userMessage.ts';
import { requestsOf, sumOf } from '../../core/cost/bill.ts';
import {
  calibrate,
  Estimator,
  factorOf,
  noCalibration,
  type Calibration,
  type CountedRequest,
} from '../../core/cost/estimate.ts';
import { levelOf, type ContextFacts, type SpendingFacts } from '../../core/cost/facts.ts';
import { cacheEnd, forecast, type Forecast } from '../../core/cost/forecast.ts';
import { asksFirst, refusalOf, type Spent } from '../../core/cost/limits.ts';
import { usageRecord, type UsageRecord } from '../../core/cost/usageRecord.ts';
import { defaultOutputTokens, modelRow, type Effort } from '../../core/responses/models.ts';
import type { HistoryItem, RequestBody } from '../../core/responses/wire.ts';
import type { CutEffect } from '../../protocol/toWebview.ts';
import type { PaidRequests } from '../sessions/families.ts';
import type { ChatSession } from '../sessions/session.ts';
import { DisposableStore } from '../disposables.ts';
import type { Settings, TurnChoice } from '../settings.ts';
import type { Ledger } from './ledger.ts';

export interface SpendingGateParts {
  /** Read at each use. */
  readonly settings: Pick<Settings, 'choice' | 'prices' | 'limits'>;
  readonly ledger: Ledger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly newId: () => string;
  /** What is paid for as one conversation with the one of this id. */
  readonly paidRequests: (conversation: string) => PaidRequests;
  /** What every request of a conversation starts with, as it would be sent now. */
  readonly start: (session: ForecastSession) => Pick<RequestBody, 'instructions' | 'tools'>;
}

/** A question as it stands in the composer. */
export interface DraftQuestion {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Tokens for reasoning and answer, when they are limited otherwise than the settings say. */
  readonly room?: number;
  /** What is asked with, when it is not what the settings say. */
  readonly choice?: Pick<TurnChoice, 'model' | 'effort'>;
  /** The whole question as the model reads it, when it is made already: then it is weighed instead of text and attachments. */
  readonly message?: HistoryItem;
}

/** What is asked of a conversation. `ChatSession` is one; tests need no more than this. */
export type SpendingSession = Pick<
  ChatSession,
  'conversation' | 'history' | 'requests' | 'onDidHappen' | 'nextTools'
>;

/** A conversation as far as its next request needs it. It need not be there yet. */
export type ForecastSession = Omit<SpendingSession, 'onDidHappen'>;

/** A request beside those of a conversation, as it may be sent. */
export interface Aside {
  readonly effort: Effort;
  /** Tokens for reasoning and answer. */
  readonly room: number;
  /** Tokens. */
  readonly expectedInput: number;
}

export class SpendingGate implements vscode.Disposable {
  readonly #store = new DisposableStore();
  readonly #parts: SpendingGateParts;
  readonly #changed = this.#store.add(new vscode.EventEmitter<void>());
  readonly #estimator = new Estimator();
  /** Conversations teach each other: it is the same tokenizer. */
  readonly #calibrations = new Map<ModelId, Calibration>();
  readonly #attached = new WeakMap<Attachment, HistoryItem>();
  /** Conversations with a request on its way. */
  readonly #followed = new Map<SpendingSession, vscode.Disposable>();

  /** Something was spent, or begins to be. */
  readonly onDidChange = this.#changed.event;

  constructor(parts: SpendingGateParts) {
    this.#parts = parts;
  }

  /** May it be sent, and how much input is it reckoned to be? */
  admit({ body, beginning }: NextRequest, session: SpendingSession): Admission {
    const expectedInput = this.#inputOf(body, session);
    const { money } = this.#forecast(body, beginning, session, expectedInput);
    const failure = refusalOf(this.#parts.settings.limits, this.#spentIn(session), money);
    if (failure !== undefined) return { kind: 'refused', failure };
    this.#follow(session);
    return { kind: 'go', expectedInput };
  }

  /**
   * May it be sent beside the conversation, and counted with it? Undefined when that would go beyond a limit, and when a person is to be asked
   * before requests of that price. What becomes of it is for `keep`.
   */
  admitAside(body: RequestBody, session: SpendingSession): Aside | undefined {
    const { settings, clock } = this.#parts;
    const { model } = body;
    const { effort = 'max', room = defaultOutputTokens } = termsOf(body);
    const { tokens: expectedInput } = this.#estimator.inputTokens(body, this.#calibrationOf(model));
    const { money } = forecast({
      ...{ model, effort, room, input: expectedInput },
      ...{ beginning: { kind: 'first' }, before: [], now: clock(), prices: settings.prices },
    });
    const { limits } = settings;
    const isHeldBack = refusalOf(limits, this.#spentIn(session), money) !== undefined;
    return isHeldBack || asksFirst(limits, money) ? undefined : { effort, room, expectedInput };
  }

  /** Takes in what is known of such a request now. */
  keep(record: UsageRecord): void {
    this.#parts.ledger.add(record);
    this.#changed.fire();
  }

  /** How full the window of the model is that would be asked now. */
  context(session: SpendingSession): ContextFacts {
    const { model } = this.#parts.settings.choice;
    const body = { ...this.#parts.start(session), input: historyItems(session.history, model) };
    const { tokens: used, estimated } = this.#expected(body, model, session);
    const window = modelRow(model)?.contextWindow ?? 0;
    const cacheUntil = cacheEnd(requestsOf(session.conversation).filter((one) => one.model === model));
    return {
      model,
      used,
      estimated,
      window,
      breakdown: this.#estimator.breakdown(body, used, ruleParts(session)),
      factor: factorOf(this.#calibrationOf(model)),
      ...(cacheUntil !== undefined && { cacheUntil }),
      level: levelOf(used, window),
    };
  }

  /** Tokens that items take up by themselves, for the model that would be asked now or another one. An estimate. */
  itemTokens(items: readonly HistoryItem[], model = this.#parts.settings.choice.model): number {
    return this.#estimator.itemTokens(items, this.#calibrationOf(model));
  }

  /** What it does to the next question when the history is `after`, as against what it is. */
  cutEffect(session: ForecastSession, after: History): CutEffect {
    const { conversation, requests } = session;
    const cut: ForecastSession = {
      conversation,
      requests,
      history: after,
      nextTools: () => session.nextTools(),
    };
    const nothing: DraftQuestion = { text: '', attachments: [] };
    const at = (now: number): Omit<CutEffect, 'moreLater'> => {
      const before = this.forecastOf(session, nothing, now);
      const then = this.forecastOf(cut, nothing, now);
      return { anew: then.input - then.cached, more: then.money.likely - before.money.likely };
    };
    // While the cache lasts, whenever that is, and once it has run out.
    return { ...at(0), moreLater: at(Infinity).more };
  }

  /** What is spent in a conversation beyond what it shows itself. */
  familySpending({ conversation }: SpendingSession): Pick<SpendingFacts, 'family'> {
    const { settings, paidRequests } = this.#parts;
    const { all, otherVersions, beforeFork } = paidRequests(conversation.id);
    if (otherVersions.length + beforeFork.length === 0) return {};
    const { prices } = settings;
    return {
      family: {
        whole: sumOf(all, prices),
        ...(otherVersions.length > 0 && { otherVersions: sumOf(otherVersions, prices) }),
        ...(beforeFork.length > 0 && { beforeFork: sumOf(beforeFork, prices) }),
      },
    };
  }

  /** @param family what `familySpending` tells of it, where that is known already */
  spending(
    session: SpendingSession,
    question: DraftQuestion,
    family = this.familySpending(session),
  ): SpendingFacts {
    const { settings, ledger } = this.#parts;
    return {
      today: ledger.today(),
      limits: settings.limits,
      prices: settings.prices,
      next: this.forecastOf(session, question),
      ...family,
      ...(!ledger.keeps && { unkept: true }),
    };
  }

  /** What the question would cost if it were asked now. */
  forecastOf(session: ForecastSession, draft: DraftQuestion, now = this.#parts.clock()): Forecast {
    const { text, attachments, room, message } = draft;
    const choice = { ...this.#parts.settings.choice, ...draft.choice };
    const { instructions, tools = [] } = this.#parts.start(session);
    const row = modelRow(choice.model);
    if (row === undefined) throw new Error(`No such model: ${choice.model}`);
    const body = buildRequest({
      ...choice,
      ...(room !== undefined && { maxOutputTokens: room }),
      model: row,
      instructions,
      tools,
      history: session.history,
    });
    // Asked for at each key that is pressed: what is attached is weighed once.
    const question =
      message === undefined
        ? [...attachments.map((one) => this.#attachmentItem(one)), userMessage(text, [])]
        : [message];
    const input = this.#inputOf(body, session) + this.itemTokens(question, choice.model);
    return this.#forecast(body, beginningOf(session.requests, body), session, input, now);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #attachmentItem(attachment: Attachment): HistoryItem {
    const known = this.#attached.get(attachment);
    if (known !== undefined) return known;
    const item = userMessage('', [attachment]);
    this.#attached.set(attachment, item);
    return item;
  }

  #forecast(
    body: RequestBody,
    beginning: NextRequest['beginning'],
    session: ForecastSession,
    input: number,
    now = this.#parts.clock(),
  ): Forecast {
    const { settings } = this.#parts;
    const { effort = 'max', ...terms } = termsOf(body);
    return forecast({
      model: body.model,
      effort,
      ...terms,
      input,
      beginning,
      before: requestsOf(session.conversation),
      now,
      prices: settings.prices,
    });
  }

  #inputOf(body: RequestBody, session: ForecastSession): number {
    return this.#expected(body, body.model, session).tokens;
  }

  #expected(
    body: Pick<RequestBody, 'instructions' | 'tools' | 'input'>,
    model: ModelId,
    session: ForecastSession,
  ): ReturnType<Estimator['inputTokens']> {
    return this.#estimator.inputTokens(body, this.#calibrationOf(model), lastCounted(session, model));
  }

  #calibrationOf(model: ModelId): Calibration {
    return this.#calibrations.get(model) ?? noCalibration;
  }

  #spentIn({ conversation }: SpendingSession): Spent {
    const { ledger, paidRequests, settings } = this.#parts;
    const today = ledger.today();
    const whole = sumOf(paidRequests(conversation.id).all, settings.prices);
    return { day: today.money + today.reckoned, conversation: whole.money + whole.reckoned };
  }

  /** Writes down what becomes of the next request, until it has ended. */
  #follow(session: SpendingSession): void {
    if (this.#followed.has(session)) return;
    let id = '';
    const note = (event: ShownEvent): void => {
      if (event.kind !== 'requestSent' && event.kind !== 'requestEnded') return;
      // One that broke without an end stays as it was told last.
      if (event.kind === 'requestSent') id = this.#parts.newId();
      const request = session.conversation.turns.find((turn) => turn.id === event.turn)?.requests.at(-1);
      if (request === undefined) return;
      this.#parts.ledger.add(usageRecord(id, request, this.#parts.settings.prices));
      if (event.kind === 'requestEnded') {
        this.#learn(session, request);
        this.#unfollow(session);
      }
      this.#changed.fire();
    };
    this.#followed.set(session, this.#store.add(session.onDidHappen(note)));
  }

  #unfollow(session: SpendingSession): void {
    const followed = this.#followed.get(session);
    this.#followed.delete(session);
    if (followed !== undefined) this.#store.delete(followed);
  }

  #learn(session: SpendingSession, { model, usage }: RequestRecord): void {
    const body = requestBody(session.requests, session.requests.requests.length - 1);
    if (usage === undefined || usage === null || body === undefined) return;
    const before = this.#calibrationOf(model);
    this.#calibrations.set(model, calibrate(before, this.#estimator.weight(body), usage.input));
  }
}

/** The very parts of the messages that are standing instructions. */
function ruleParts({
  conversation,
  history,
}: Pick<SpendingSession, 'conversation' | 'history'>): ReadonlySet<object> {
  const parts = new Set<object>();
  for (const turn of conversation.turns) {
    const indices = ruleIndices(turn);
    if (indices.length === 0) continue;
    const message = history.groups
      .filter((group) => group.turn === turn.id)
      .flatMap(({ items }) => items.filter(isQuestion))
      .find(({ content }) => content.length === turn.question.attachments.length + 1);
    for (const index of indices) {
      const part = message?.content[index];
      if (part !== undefined) parts.add(part);
    }
  }
  return parts;
}

/** The last request of this model that the service counted. */
function lastCounted(
  { conversation, requests }: ForecastSession,
  model: ModelId,
): CountedRequest | undefined {
  const records = requestsOf(conversation);
  for (let index = records.length - 1; index >= 0; index--) {
    const usage = records[index]?.usage;
    if (records[index]?.model !== model || usage === undefined || usage === null) continue;
    const body = requestBody(requests, index);
    return body && { body, usage };
  }
  return undefined;
}
