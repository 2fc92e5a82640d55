/** What is said of the context window, of the next question and of limits. Pure. */
import type { ContextCut } from '../core/conversation/conversation.ts';
import { contextKinds, type ContextKind } from '../core/cost/estimate.ts';
import { levelOf, type ContextFacts, type ContextLevel, type SpendingFacts } from '../core/cost/facts.ts';
import type { Forecast } from '../core/cost/forecast.ts';
import type { DearIntent } from '../protocol/toHost.ts';
import type { RoomOffer } from '../protocol/toWebview.ts';
import { amount, atLeast } from './billText.ts';
import { duration, exactCount, exactMoney, percent, plainMoney, shortCount, shortCounts } from './figures.ts';
import { l10n } from './l10n.ts';

/** With the question as it stands in the composer. */
export function levelWith(context: ContextFacts, next: Forecast | undefined): ContextLevel {
  return levelOf(Math.max(context.used, next?.input ?? 0), context.window);
}

/** The share that the level is about: of what is used, unless it takes the question to make it so much. 1 and more when it does not fit. */
export function shareWith(context: ContextFacts, next: Forecast | undefined): number {
  const { used, window } = context;
  const isOwn = levelWith(context, next) === levelOf(used, window);
  return (isOwn ? used : Math.max(used, next?.input ?? 0)) / window;
}

/** One sentence from 80 % on; undefined as long as there is nothing to be said. */
export function warningText(context: ContextFacts, next: Forecast | undefined): string | undefined {
  const { used, window } = context;
  const level = levelWith(context, next);
  const share = percent(shareWith(context, next));
  // It is the question that makes it so much.
  const withQuestion = level !== levelOf(used, window);
  switch (level) {
    case 'fine':
      return undefined;
    case 'high':
      return withQuestion
        ? l10n.t('With this question, {0} of the context window is used.', share)
        : l10n.t('{0} of the context window is used.', share);
    case 'full':
      return withQuestion
        ? l10n.t('With this question, the context window is nearly full: {0} is used.', share)
        : l10n.t('The context window is nearly full: {0} is used.', share);
    case 'over':
      return l10n.t(
        'This no longer fits into the context window: about {0} of {1} tokens.',
        ...shortCounts(Math.max(context.used, next?.input ?? 0), context.window),
      );
  }
}

/** What helps when the question no longer fits: it may be the question itself, or what stands before it, or both. */
export function tooMuch(
  { used, window }: ContextFacts,
  next: Forecast,
): { readonly question: boolean; readonly past: boolean } {
  const own = next.input - used;
  return { question: own > window / 4, past: used > window / 10 };
}

/** How many tokens that is, and how sure it is. */
export function usedText({ used, estimated }: Pick<ContextFacts, 'used' | 'estimated'>): string {
  const count = exactCount(used);
  if (estimated === 0) return l10n.t('{0} tokens, as the service counted them.', count);
  return estimated >= used
    ? l10n.t('About {0} tokens, estimated.', count)
    : l10n.t('{0} tokens, of which {1} are estimated.', count, exactCount(estimated));
}

export interface WindowRow {
  readonly kind: ContextKind;
  readonly name: string;
  readonly tokens: number;
}

/** What takes up the window, the largest first; what takes nothing is left out. */
export function windowRows({ breakdown }: ContextFacts): readonly WindowRow[] {
  return contextKinds
    .filter((kind) => breakdown[kind] > 0)
    .toSorted((a, b) => breakdown[b] - breakdown[a])
    .map((kind) => ({ kind, name: kindName(kind), tokens: breakdown[kind] }));
}

function kindName(kind: ContextKind): string {
  switch (kind) {
    case 'instructions':
      return l10n.t('Instructions');
    case 'tools':
      return l10n.t('Tools');
    case 'questions':
      return l10n.t('Questions');
    case 'attachments':
      return l10n.t('Attachments');
    case 'rules':
      return l10n.t('Standing instructions');
    case 'answers':
      return l10n.t('Answers');
    case 'reasoning':
      return l10n.t('Reasoning');
    case 'toolCalls':
      return l10n.t('Tool calls');
    case 'toolOutputs':
      return l10n.t('Tool outputs');
  }
}

/** Two sentences: tokens, and money with its range; a third one where little is known. */
export function forecastLines(next: Forecast): readonly string[] {
  const { input, cached, output, money: cost, isEstimate, basis } = next;
  const out = shortCount(output.likely);
  const range = [plainMoney(cost.likely), plainMoney(cost.least), plainMoney(cost.most)] as const;
  const lines = [
    cached > 0
      ? l10n.t(
          'About {0} tokens in, {1} of them cached, and {2} out',
          shortCount(input),
          shortCount(cached),
          out,
        )
      : l10n.t('About {0} tokens in, none of them cached, and {1} out', shortCount(input), out),
    isEstimate
      ? l10n.t('Likely {0}, between {1} and {2}, at list prices', ...range)
      : l10n.t('Likely {0}, between {1} and {2}', ...range),
    ...(basis === 'effort' ? [l10n.t('The length of the answer is guessed from the effort')] : []),
  ];
  return lines.map((line) => l10n.t('{0}.', line));
}

/** `≈ $0.05`: always about, for nobody knows how long the answer will be. */
export function forecastShort({ money: { likely } }: Forecast): string {
  return amount(likely, true);
}

/** Near the amount above which the person is asked: from half of it on. */
export function isDear({ limits, next }: Pick<SpendingFacts, 'limits' | 'next'>): boolean {
  return limits.confirmAbove !== undefined && next.money.likely > limits.confirmAbove / 2;
}

/** In whole minutes, so that it changes quietly. Undefined when nothing is cached. */
export function cacheEndText(until: number | undefined, now: number): string | undefined {
  if (until === undefined) return undefined;
  const left = until - now;
  if (left <= 0) return l10n.t('The cache has run out: the next question is read anew.');
  return left < 60_000
    ? l10n.t('The cache runs out in less than a minute.')
    : l10n.t('The cache runs out in {0}.', duration(Math.floor(left / 60_000) * 60_000));
}

/** What was spent today, over all windows: `$1.24 of $5.00`. */
export function todayText({ today, limits }: Pick<SpendingFacts, 'today' | 'limits'>): string {
  const { uncounted, counted } = today;
  if (counted === 0 && uncounted > 0) return withLimit(l10n.t('unknown'), limits.day);
  const isEstimate = today.isEstimate && today.money > 0;
  const spent = uncounted > 0 ? atLeast(today.money, isEstimate) : amount(today.money, isEstimate);
  return withLimit(spent, limits.day);
}

/** `text` with the limit that is set, or without one. */
export function withLimit(text: string, limit: number | undefined): string {
  return limit === undefined ? text : l10n.t('{0} of {1}', text, exactMoney(limit));
}

/** What leaving something out frees, and what it does to the next question: at `now`, with what is cached kept until `cacheUntil`. */
export function freesText(
  { tokens, effect }: Pick<RoomOffer, 'tokens' | 'effect'>,
  cacheUntil: number | undefined,
  now: number,
): string {
  const frees = shortCount(tokens);
  if (effect === undefined) return l10n.t('frees about {0} tokens', frees);
  const cached = cacheUntil !== undefined && now <= cacheUntil;
  const more = cached ? effect.more : effect.moreLater;
  if (cached && more > 0) {
    return l10n.t(
      'frees about {0} tokens; once, the next question reads {1} anew, {2} more',
      frees,
      shortCount(effect.anew),
      amount(more, true),
    );
  }
  return more < 0
    ? l10n.t('frees about {0} tokens; the next question costs {1} less', frees, amount(-more, true))
    : l10n.t('frees about {0} tokens', frees);
}

export function roomLabel(what: RoomOffer['what'], turns: number): string {
  switch (what) {
    case 'attachments':
      return l10n.t('Leave out attachments');
    case 'reasoning':
      return l10n.t('Leave out reasoning');
    case 'toolOutputs':
      return l10n.t('Leave out tool outputs');
    case 'rules':
      return l10n.t('Leave out standing instructions');
    case 'oldestTurns':
      return turns === 1
        ? l10n.t('Leave out the oldest turn')
        : l10n.t('Leave out the {0} oldest turns', exactCount(turns));
  }
}

/** What a new chat with a summary frees: all that stands in the window but what every request starts with. */
export function summaryFrees({ breakdown, used }: ContextFacts): number {
  return Math.max(0, used - breakdown.instructions - breakdown.tools);
}

/** `next` tells what asking for it costs, unless what is being written is itself much of that. */
export function summaryText(context: ContextFacts, next: Forecast): string {
  const frees = shortCount(summaryFrees(context));
  return tooMuch(context, next).question
    ? l10n.t('frees nearly {0} tokens, asks the model', frees)
    : l10n.t('frees nearly {0} tokens, asks the model ({1})', frees, forecastShort(next));
}

/** What the model no longer sees of a turn; undefined when it sees all. */
export function cutText(cut: ContextCut | undefined): string | undefined {
  if (cut === undefined) return undefined;
  if (cut.whole === true) return l10n.t('The model no longer sees this turn.');
  const what = [
    ...(cut.attachments === true ? [l10n.t('the attachments')] : filesOf(cut)),
    ...(cut.reasoning === true ? [l10n.t('the reasoning')] : []),
    ...(cut.toolOutputs === true ? [l10n.t('the tool outputs')] : []),
  ];
  if (what.length === 0) return undefined;
  if (what.length === 1) {
    if (cut.attachments === true) return l10n.t('The model no longer sees the attachments of this turn.');
    if (cut.toolOutputs === true) return l10n.t('The model no longer sees the tool outputs of this turn.');
    if (cut.reasoning === true) return l10n.t('The model no longer sees the reasoning of this turn.');
  }
  const list = new Intl.ListFormat(l10n.locale, { type: 'conjunction' }).format(what);
  return l10n.t('Of this turn the model no longer sees {0}.', list);
}

function filesOf({ files = [] }: ContextCut): readonly string[] {
  if (files.length === 0) return [];
  return [files.length === 1 ? l10n.t('1 attachment') : l10n.t('{0} attachments', files.length)];
}

/** The sentences with which something dear is held back. */
export function confirmText(
  kind: DearIntent['kind'],
  next: Forecast,
  confirmAbove: number | undefined,
): string {
  const cost = costSentence(kind, plainMoney(next.money.likely));
  return confirmAbove === undefined
    ? cost
    : l10n.flow(cost, l10n.t('You wanted to be asked above {0}.', exactMoney(confirmAbove)));
}

function costSentence(kind: DearIntent['kind'], about: string): string {
  switch (kind) {
    case 'send':
      return l10n.t('About {0} for this question.', about);
    case 'resume':
      return l10n.t('About {0} to go on with this turn.', about);
    case 'summarize':
      return l10n.t('About {0} for the summary.', about);
    case 'sendQueued':
      return l10n.t('About {0} for this question.', about);
    case 'edit':
      return l10n.t('About {0} for the changed question.', about);
    case 'answerAgain':
      return l10n.t('About {0} to have this answered again.', about);
  }
}
