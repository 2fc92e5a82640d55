/** What was asked before, as it can be recalled with the arrow keys. Pure; host and panel keep the same list. */

/** So many questions are remembered. */
export const mostRemembered = 100;

/** So many UTF-16 units of them together. */
export const longestRemembered = 100_000;

/** `before` with a question, the newest last: each once, the oldest given up for it. One that is very long is not remembered. */
export function remembered(before: readonly string[], question: string): readonly string[] {
  const text = question.trim();
  if (text === '' || text.length > longestRemembered / 4 || text === before.at(-1)) return before;
  const all = [...before.filter((one) => one !== text), text];
  let room = longestRemembered;
  let first = all.length;
  while (first > 0 && all.length - first < mostRemembered) {
    room -= all[first - 1]!.length;
    if (room < 0) break;
    first -= 1;
  }
  return all.slice(first);
}
