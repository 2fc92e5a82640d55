/** The message for a commit, taken out of an answer. Pure. */
import type { Turn } from '../../core/conversation/conversation.ts';

/** What stands in the first block of code, else all of it. Empty when the answer is. */
export function commitText({ parts }: Pick<Turn, 'parts'>): string {
  const answer = parts
    .flatMap((part) => (part.kind === 'answer' ? part.sections : []))
    .join('\n\n')
    .replaceAll('\r\n', '\n');
  const fence = /^ {0,3}(?<fence>`{3,}|~{3,})[^\n]*\n(?<text>[^]*?)\n? {0,3}\k<fence>[ \t]*$/m.exec(answer);
  return (fence?.groups?.['text'] ?? answer).trim();
}
