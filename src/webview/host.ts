/** The one door to VS Code: the only file that knows `acquireVsCodeApi`. Sends intents, keeps the draft across reloads. */
import type { ToHost } from '../protocol/toHost.ts';
import { readPlaces, type ReadingPlace } from './readingPlaces.ts';
import { readEdits, type TurnEdits } from './turnEdits.ts';

interface VsCodeApi {
  postMessage(message: ToHost): void;
  getState(): unknown;
  setState(state: SavedPanel): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** What VS Code keeps for us while the panel is hidden and thrown away. */
export interface SavedPanel {
  readonly draft: string;
  /** The run of the host in which it was kept. */
  readonly run?: string;
  /** A question that was sent and whose taking was not yet confirmed. */
  readonly sent?: SentQuestion;
  /** Questions that were being written anew, by the id of their turn. */
  readonly edits?: TurnEdits;
  /** Where the person was reading, by the id of the conversation. */
  readonly places?: Readonly<Record<string, ReadingPlace>>;
  /** The conversation that is shown. */
  readonly conversation?: string;
  /** The name of the editor tab that it is, with which the host finds what belongs to it. */
  readonly tab?: string;
}

export interface SentQuestion {
  /** Told back by the host when it took the question. */
  readonly id: string;
  readonly text: string;
}

export interface HostPort {
  readonly post: (intent: ToHost) => void;
  readonly saved: () => SavedPanel | undefined;
  readonly save: (state: SavedPanel) => void;
}

/** May be called once in the life of a page. */
export function connectHost(): HostPort {
  const api = acquireVsCodeApi();
  return {
    post: (intent) => api.postMessage(intent),
    saved: () => readSaved(api.getState()),
    save: (state) => api.setState(state),
  };
}

/** State written by another version of the panel counts as none. */
function readSaved(state: unknown): SavedPanel | undefined {
  if (typeof state !== 'object' || state === null || !('draft' in state)) return undefined;
  if (typeof state.draft !== 'string') return undefined;
  const sent = 'sent' in state ? readSent(state.sent) : undefined;
  const run = 'run' in state && typeof state.run === 'string' ? state.run : undefined;
  const edits = 'edits' in state ? readEdits(state.edits) : undefined;
  const places = 'places' in state ? readPlaces(state.places) : undefined;
  return {
    draft: state.draft,
    ...(run !== undefined && { run }),
    ...(sent !== undefined && { sent }),
    ...(edits !== undefined && { edits }),
    ...(places !== undefined && { places }),
  };
}

function readSent(sent: unknown): SentQuestion | undefined {
  if (typeof sent !== 'object' || sent === null || !('id' in sent) || !('text' in sent)) return undefined;
  const { id, text } = sent;
  return typeof id === 'string' && typeof text === 'string' ? { id, text } : undefined;
}
