/** How many lines an edit adds and removes: the numbers on a card and in a report. */
import { indexLines, isTerminated } from '../lines.ts';
import type { FileEdit } from './editPlan.ts';

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

export function countLines(edit: FileEdit): LineCounts {
  switch (edit.kind) {
    case 'add':
      return { added: indexLines(edit.after).count, removed: 0 };
    case 'delete':
      return { added: 0, removed: indexLines(edit.before).count };
    case 'update':
      return countReplacements(edit);
  }
}

function countReplacements({ before, replacements }: FileEdit & { readonly kind: 'update' }): LineCounts {
  let added = 0;
  let removed = 0;
  for (const { start, end, text } of replacements) {
    added += indexLines(text).count;
    removed += indexLines(before.slice(start, end)).count;
    // Text put behind a last line without terminator begins with one: it ends that line and is none itself.
    if (start === before.length && start > 0 && !endsTerminated(before)) added -= 1;
  }
  return { added, removed };
}

function endsTerminated(text: string): boolean {
  const lines = indexLines(text.slice(-2));
  return isTerminated(lines, lines.count - 1);
}
