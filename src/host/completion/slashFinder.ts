/** What `/` offers: commands and prompts whose names fit. */
import type { Candidate, SlashCommands } from './candidate.ts';
import type { Finder } from './completions.ts';
import { fit, foldQuery, named, rangesOf } from './fuzzy.ts';

export function slashFinder(slash: SlashCommands): Finder {
  return async (typed, show) => {
    const query = foldQuery(typed);
    const all = await slash.candidates();
    show(query === '' ? all : fitting(all, query));
  };
}

/** In the order of how well their names fit; those of which only what they do fits come last. */
function fitting(all: readonly Candidate[], query: string): readonly Candidate[] {
  const found = all.map((candidate) => {
    const positions: number[] = [];
    const name = named(candidate.label.slice(1));
    const score = fit(name, query, positions);
    if (score > 0) {
      const matches = rangesOf(positions, 0, name.text.length).map(
        ([from, to]) => [from + 1, to + 1] as const,
      );
      return { score, candidate: { ...candidate, matches } };
    }
    const detail = named(candidate.detail ?? '');
    const at = query.length < 3 ? -1 : detail.folded.indexOf(query);
    if (at < 0) return { score: 0, candidate };
    return { score: 1, candidate: { ...candidate, detailMatches: [[at, at + query.length] as const] } };
  });
  return found
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ candidate }) => candidate);
}
