/** What every view may use without having it handed through: the way to the host, the host's clock, a voice for screen readers, and who is asked. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { RequestRecord, Turn } from '../core/conversation/conversation.ts';
import type { PriceTable } from '../core/cost/prices.ts';
import type { ToHost } from '../protocol/toHost.ts';
import type { CodeProposal, PatchProblems, ReasoningFold, SendKey, Service } from '../protocol/toWebview.ts';
import type { HelpAction } from './failureText.ts';
import { ReadingPlaces } from './readingPlaces.ts';

export interface Env {
  readonly post: (intent: ToHost) => void;
  /** The host's time now, in milliseconds since the epoch, as far as it can be told from here. */
  readonly hostNow: () => number;
  /** Has a sentence read out by a screen reader, at the next quiet moment. */
  readonly announce: (sentence: string) => void;
  /** Does what a helping button of a turn offers. */
  readonly help: (action: HelpAction, turn: { readonly id: string; readonly question: string }) => void;
  /** All requests of the conversation that were sent before those of this turn. */
  readonly requestsBefore: (turn: string) => readonly RequestRecord[];
  /** See `isAlone` of the turn's facts. */
  readonly isAlone: (turn: Turn) => boolean;
  /** When something of the running turn was heard last, by the host's clock. */
  readonly heardAt: () => number;
  /** Seconds without a byte after which a request is given up; undefined while unknown. */
  readonly silenceSeconds: () => number | undefined;
  /** Puts text into the composer and the cursor behind it. */
  readonly compose: (text: string) => void;
  /** The key that sends a question. */
  readonly sendKey: () => SendKey;
}

const nothing = (): void => undefined;

export const EnvContext = createContext<Env>({
  post: nothing,
  hostNow: () => Date.now(),
  announce: nothing,
  help: nothing,
  requestsBefore: () => [],
  isAlone: () => true,
  heardAt: () => Date.now(),
  silenceSeconds: () => undefined,
  compose: nothing,
  sendKey: () => 'enter',
});

export function useEnv(): Env {
  return useContext(EnvContext);
}

/** Where the person was reading in each conversation. */
export const ReadingContext = createContext(new ReadingPlaces());

/** Who is asked at present; undefined while the address in the settings can't be read. */
export const ServiceContext = createContext<Service | undefined>(undefined);

export function useService(): Service | undefined {
  return useContext(ServiceContext);
}

/** What the models cost at present; undefined while it is unknown. */
export const PricesContext = createContext<PriceTable | undefined>(undefined);

/** How reasoning is shown until the person says otherwise. */
export const ReasoningContext = createContext<ReasoningFold>('whileThinking');

export function usePrices(): PriceTable | undefined {
  return useContext(PricesContext);
}

/** Code of answers that is on its way into files. */
export const CodeProposalsContext = createContext<readonly CodeProposal[]>([]);

/** What accepted patches did to the problems that the editor shows. */
export const PatchProblemsContext = createContext<readonly PatchProblems[]>([]);
