/** The place that find leads to, wherever it is: it must have elements. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { PlaceContext } from '../kept.ts';

export interface Revealed {
  readonly turn: string;
  /** Of a text, see `Place`; undefined when the turn itself is enough. */
  readonly place?: string;
  /** Where the group of blocks begins. */
  readonly start?: number;
}

export const RevealedContext = createContext<Revealed | undefined>(undefined);

/** Whether the group of blocks that begins at `start` of the text around is what find leads to. */
export function useRevealed(start: number): boolean {
  const revealed = useContext(RevealedContext);
  const place = useContext(PlaceContext);
  return revealed?.place === place && revealed.start === start;
}
