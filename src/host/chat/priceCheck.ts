/** Holds back what is dearer than the person wants without being asked, until they agree to its price. */
import type { Forecast } from '../../core/cost/forecast.ts';
import { asksFirst } from '../../core/cost/limits.ts';
import type { DearIntent } from '../../protocol/toHost.ts';
import type { DraftQuestion, ForecastSession } from '../cost/spendingGate.ts';
import type { Settings } from '../settings.ts';
import type { ChatView } from './chatView.ts';

export interface PriceCheckParts {
  readonly settings: Pick<Settings, 'limits'>;
  readonly view: Pick<ChatView, 'post'>;
  readonly forecastOf: (session: ForecastSession, question: DraftQuestion) => Forecast;
}

export interface PricedStep {
  readonly asked: DearIntent;
  readonly session: ForecastSession;
  readonly question: DraftQuestion;
  /** What the person was willing to pay when they were asked. US dollars. */
  readonly agreed: number | undefined;
}

/** True when the person was asked instead: then nothing is to be sent. */
export type PriceCheck = (step: PricedStep) => boolean;

/** What it will cost, when that is more than the person agreed to and they want to be asked. */
export type DearCheck = (step: Omit<PricedStep, 'asked'>) => Forecast | undefined;

export function dearCheck({ settings, forecastOf }: Omit<PriceCheckParts, 'view'>): DearCheck {
  return ({ session, question, agreed = 0 }) => {
    const { limits } = settings;
    if (limits.confirmAbove === undefined) return undefined;
    const next = forecastOf(session, question);
    return asksFirst(limits, next.money) && next.money.likely > agreed ? next : undefined;
  };
}

export function priceCheck({ view, ...parts }: PriceCheckParts): PriceCheck {
  const isDear = dearCheck(parts);
  return ({ asked, ...step }) => {
    const next = isDear(step);
    if (next === undefined) return false;
    view.post({ kind: 'confirm', asked, next });
    return true;
  };
}
