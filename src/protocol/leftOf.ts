/** What a question leaves in the composer when it was taken. Pure; host and panel agree on it. */

/**
 * Who types on right after sending types behind the question, which still stands there: only that stays. A text that no longer begins
 * with the question is another one, and stays whole. Half a character does not survive the way to the host and back.
 */
export function leftOf(draft: string, question: string): string {
  const [typed, sent] = [draft.toWellFormed(), question.toWellFormed()];
  if (typed.trim() === sent.trim()) return '';
  return typed.startsWith(sent) ? draft.slice(sent.length) : draft;
}
