/** Names a part of the conversation, so that what a person opened in it is found again: see `useKept`. */
import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { PlaceContext, placeIn } from '../kept.ts';

export interface PlaceProps {
  /** Unique among its neighbours, and the same whenever this is drawn again: an id, or an offset in the text. */
  readonly name: string;
  readonly children: ComponentChildren;
}

export function Place({ name, children }: PlaceProps): VNode {
  const outer = useContext(PlaceContext);
  return <PlaceContext.Provider value={placeIn(outer, name)}>{children}</PlaceContext.Provider>;
}
