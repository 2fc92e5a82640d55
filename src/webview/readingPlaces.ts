/**
 * Where a person was reading in each conversation: what stood at the top of the panel, so that it stands there again after another conversation
 * was shown, the panel was hidden or the window was loaded anew. Knows the page only by the names of its turns.
 */
import { elementAtTop } from './scroller.ts';

/** Absent for whoever is at the end, and stays there. */
export interface ReadingPlace {
  /** Id of the turn at the top. */
  readonly turn: string;
  /** How much of it is above the top, in pixels; negative when it begins below. */
  readonly above: number;
  /** How high it was then, in pixels: at another width it is higher or lower. */
  readonly height: number;
}

/** So many conversations are remembered, those that were looked at last. */
const most = 50;

export class ReadingPlaces {
  readonly #places: Map<string, ReadingPlace>;

  readonly #changed: () => void;

  /** @param changed called when there is something to be kept */
  constructor(places: Readonly<Record<string, ReadingPlace>> = {}, changed: () => void = () => undefined) {
    this.#changed = changed;
    this.#places = new Map(Object.entries(places));
  }

  get(conversation: string): ReadingPlace | undefined {
    return this.#places.get(conversation);
  }

  note(conversation: string, place: ReadingPlace | undefined): void {
    const hadOne = this.#places.delete(conversation);
    if (place !== undefined) this.#places.set(conversation, place);
    else if (!hadOne) return;
    this.#changed();
    for (const oldest of this.#places.keys()) {
      if (this.#places.size <= most) return;
      this.#places.delete(oldest);
    }
  }

  /** The one that was looked at last is the last one. */
  get all(): Readonly<Record<string, ReadingPlace>> {
    return Object.fromEntries(this.#places);
  }
}

/** As VS Code kept them. What another version of the panel wrote counts as none. */
export function readPlaces(value: unknown): Readonly<Record<string, ReadingPlace>> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const places = Object.entries(value as Readonly<Record<string, unknown>>).flatMap(([id, place]) =>
    isPlace(place) ? [[id, place] as const] : [],
  );
  return Object.fromEntries(places.slice(-most));
}

function isPlace(value: unknown): value is ReadingPlace {
  if (typeof value !== 'object' || value === null) return false;
  if (!('turn' in value) || !('above' in value) || !('height' in value)) return false;
  const { turn, above, height } = value;
  return typeof turn === 'string' && Number.isFinite(above) && Number.isFinite(height);
}

/** Where the top of the panel stands now. Undefined when there are no turns. */
export function placeAtTop(scroller: Element): ReadingPlace | undefined {
  const { top } = scroller.getBoundingClientRect();
  const element = elementAtTop(scroller)?.closest<HTMLElement>('[data-turn]') ?? firstBelow(scroller, top);
  const turn = element?.dataset['turn'];
  if (element === undefined || turn === undefined) return undefined;
  const box = element.getBoundingClientRect();
  return { turn, above: Math.round(top - box.top), height: Math.round(box.height) };
}

/** Between two turns nothing is hit. */
function firstBelow(scroller: Element, top: number): HTMLElement | undefined {
  return [...scroller.querySelectorAll<HTMLElement>('[data-turn]')].find(
    (element) => element.getBoundingClientRect().bottom > top,
  );
}

/** Pixels by which the position may be wrong, for at some zoom levels it is a fraction. */
const exactly = 1.5;

/**
 * One step on the way to a place: what is far from the screen is only drawn when that is near.
 * @returns whether it is there; undefined when the turn is not
 */
export function stepTo(scroller: Element, place: ReadingPlace): boolean | undefined {
  const name = CSS.escape(place.turn);
  const { top } = scroller.getBoundingClientRect();
  const turn = scroller.querySelector(`[data-turn="${name}"]`);
  if (turn === null) {
    const far = scroller.querySelector(`[data-far-turn="${name}"]`)?.parentElement;
    if (!(far instanceof HTMLElement)) return undefined;
    scroller.scrollTop += far.getBoundingClientRect().top - top;
    return false;
  }
  const box = turn.getBoundingClientRect();
  const above =
    place.above <= 0 || place.height === 0 ? place.above : (place.above * box.height) / place.height;
  const before = scroller.scrollTop;
  scroller.scrollTop += box.top - top + above;
  return Math.abs(scroller.scrollTop - before) <= exactly;
}
